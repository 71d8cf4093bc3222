/* The boids of a flock as they travel. For the room's own files. */
#ifndef GATHER_H
#define GATHER_H

#include "room/room.h"
#include "room/workspace.h"

/* Into the workspace, which has memory for the room's boids: where all of them are, in a torus by
 * the lowest names that are not below -(period / 2). What the flock does as a whole is found out
 * beside it. */
struct flock_measures gather_positions(const struct room *room,
                                       const struct room_workspace *workspace);

/* And where they head. */
void gather_headings(const struct room *room, const struct room_workspace *workspace);

#endif
