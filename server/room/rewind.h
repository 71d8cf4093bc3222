/* Rewinding: all members see a moment of the room's history (history.h) while the present stands
 * still. Presenters choose the moment and its speed, and whether the room continues from the
 * present or from that moment. For the room's own files.
 *
 * A moment far from the one before takes several ticks to make, a bounded piece of work in each;
 * until then members see the one before. */
#ifndef REWIND_H
#define REWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"

#define REWIND_SPEED_MAX 16.0F

struct rewind;
struct film;

/* Shows the moment that long (s) before the present, or the earliest one. Playback continues at the
 * speed it had. Returns false, with *error filled, if there is no past. */
bool rewind_to(struct room *room, float back, struct proto_error *error);

/* Returns whether the speed is one for rewind_play(); else fills *error. */
bool rewind_can_play(float speed, struct proto_error *error);

/* The next three must only be called while the past is shown (room->rewind is not NULL).
 *
 * rewind_play() moves the shown moment at -REWIND_SPEED_MAX to REWIND_SPEED_MAX times the speed of
 * the room (0: it stands still; below 0: backwards), until it comes to the beginning or the end of
 * the past. */
void rewind_play(struct room *room, float speed);

/* Makes the shown moment the present: flock and controls are restored, people and title stay.
 * Returns false, with *error filled and nothing changed, if the budget has too few boids or a
 * moment is still being made. */
bool rewind_resume(struct room *room, struct proto_error *error);

/* Shows the present again. A film goes to its end, from which the room continues once it is made.
 */
void rewind_live(struct room *room);

/* Shows the present again, unless it is shown or the room plays a film. */
void rewind_end(struct room *room);

/* Replaces a tick while the past is shown. Without a presenter, shows the present again; a room
 * that plays a film continues to play. */
void rewind_turn(struct room *room, struct room_workspace *workspace);

/* Between turns: does a bounded piece of the way to a moment that is being made. Returns whether
 * there is more of it. */
bool rewind_seek(struct room *room, struct room_workspace *workspace);

/* Takes NULL. */
void rewind_destroy(struct rewind *rewind);

/* Makes a new room without members play the film from its beginning, as soon as there is a member.
 * Presenters choose moment and speed; without a presenter the film plays at its own speed, again
 * and again. The room has no present until a presenter continues from a moment. Returns false when
 * memory runs out. */
bool rewind_replay(struct room *room, struct film *film, uint64_t now);

/* Makes a room that was restored play its film on. The room must have no members. It
 * shows the moment and has the speed that it had when it was saved.
 *
 * Returns false if the room played no film when it was saved, if its speed or the film's length
 * does not fit, or if memory runs out. The room then continues without a film. */
bool rewind_replay_on(struct room *room, struct film *film);

#endif
