/* A room that shows its past: everybody in it sees some moment of its history (history.h) in place
 * of the present, which stands still meanwhile. Presenters say which moment and how fast it goes on
 * from there, and whether the room then goes on from the present or from that moment. For the
 * room's own files.
 *
 * A moment that is far from the one before takes several ticks to be made again, a bounded piece of
 * work in each; until then members see what they saw. */
#ifndef REWIND_H
#define REWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"

#define REWIND_SPEED_MAX 16.0F

struct rewind;
struct film;

/* Shows the moment that long (s) before the present, or the earliest one. It stands still, or goes
 * on as fast as the moment before did. Returns false, with *error filled, if there is no past. */
bool rewind_to(struct room *room, float back, struct proto_error *error);

/* The next three must only be called while the past is shown (room->rewind is not NULL).
 *
 * rewind_play() moves the shown moment at -REWIND_SPEED_MAX to REWIND_SPEED_MAX times the speed of
 * the room (0: it stands still; below 0: backwards), until it comes to the beginning or the end of
 * the past. Returns false, with *error filled, if the speed is out of range. */
bool rewind_play(struct room *room, float speed, struct proto_error *error);

/* Makes the shown moment the present: flock and controls are as they were then, people and title
 * stay. Returns false, with *error filled and nothing changed, if all rooms together may not have
 * so many boids, or while a moment is being made. */
bool rewind_resume(struct room *room, struct proto_error *error);

/* Shows the present again; of a film, its end, from which the room goes on as soon as it is made.
 */
void rewind_live(struct room *room);

/* Shows the present again, unless it is shown or the room plays a film. */
void rewind_end(struct room *room);

/* Takes the place of a tick while the past is shown. Without a presenter the present is shown
 * again, unless the room plays a film: that goes on. */
void rewind_turn(struct room *room, struct room_workspace *workspace, uint64_t now);

/* Between turns: does a bounded piece of the way to a moment that is being made. Returns whether
 * there is more of it. */
bool rewind_seek(struct room *room, struct room_workspace *workspace, uint64_t now);

/* Takes NULL. */
void rewind_destroy(struct rewind *rewind);

/* The room plays the film from its beginning, as soon as somebody is in it; presenters say which
 * moment and how fast, and nobody when there is none: then it plays at its own speed, and begins
 * again after its end. It has no present until a presenter goes on from a moment. The room is new,
 * as the film begins, and has nobody in it. False when memory runs out. */
bool rewind_replay(struct room *room, struct film *film, uint64_t now);

/* Plays on after a restart: the room is one of room_load(), whose bytes were saved while it played
 * this film, and has nobody in it. It shows the moment that it showed then, and plays from there at
 * the speed that it had then.
 *
 * False when the bytes were saved while the room played no film, their speed or this film's length
 * does not fit them, or memory runs out. The room then goes on by itself, as one without a film,
 * from the moment that the bytes are of. */
bool rewind_replay_on(struct room *room, struct film *film);

#endif
