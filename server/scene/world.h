/* Which points a room takes from outside, and how its cursors are kept to its world, which is what
 * all can see: a target beyond it would take the flock off everybody's screen. For the room's own
 * files. */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>

#include "room/room.h"

/* Whether a point, in world units, lies in the range of positions (PROTOCOL.md) of this room; else
 * false, and *error says what was expected. */
bool world_reaches(const struct room *room, float x, float y, struct proto_error *error);

/* Moves the point to the nearest one in the world: 0 to its width, 0 to its height. */
void world_keep(const struct room *room, float *x, float *y);

/* Withdraws the cursors that are beyond the world, for it has become smaller. */
void world_withdraw_beyond(struct room *room);

#endif
