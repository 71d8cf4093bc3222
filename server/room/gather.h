/* The boids of a flock as they travel. For the room's own files. */
#ifndef GATHER_H
#define GATHER_H

#include "room/room.h"
#include "room/workspace.h"

/* Writes the positions of all boids into the workspace, which must have memory for them: 4 bytes
 * each (PROTOCOL.md), in a torus from -(period / 2) steps on. Returns the measures of the flock,
 * which another thread computes at the same time. nearest: for flock_nearest(); NULL: not now. It
 * stays unchanged if memory runs out. */
struct flock_measures gather_positions(const struct scene *scene,
                                       const struct room_workspace *workspace, float *nearest);

/* Their headings, a byte each. */
void gather_headings(const struct scene *scene, const struct room_workspace *workspace);

#endif
