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

/* The room as members see it: itself, or what it was then. And the time on the clock of that: µs.
 */
const struct room *rewind_shown(const struct room *room);
uint64_t rewind_clock(const struct room *room, uint64_t now);

/* Whether the moment that is wanted is not there yet. */
bool rewind_seeks(const struct room *room);

/* Shows the moment that long (s) before the present, as far back as there is any; it stands still,
 * or goes on as fast as the moment before did. False, with *error filled, if there is no past. */
bool rewind_to(struct room *room, float back, struct proto_error *error);

/* From now on the moment that is shown moves, that much faster than it was (0: not at all; below 0:
 * backwards), until it comes to the beginning or the end of the past. */
bool rewind_play(struct room *room, float speed, struct proto_error *error);

/* Shows the present, if it does not. */
void rewind_end(struct room *room);

/* Makes the moment that is shown the present: flock and controls are as they were then, people and
 * the room's title stay. False, with *error filled and nothing changed, if all rooms together may
 * not have so many boids, or if the room is not at any moment just now. */
bool rewind_resume(struct room *room, struct proto_error *error);

/* In place of a tick. Without a presenter the present is shown again. */
void rewind_turn(struct room *room, struct room_workspace *workspace);

/* As members are told. */
void rewind_describe(const struct room *room, struct proto_past *past);

void rewind_destroy(struct rewind *rewind);

#endif
