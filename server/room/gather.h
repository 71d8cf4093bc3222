/* The boids of a flock as they travel. For the room's own files. */
#ifndef GATHER_H
#define GATHER_H

#include "room/room.h"
#include "room/workspace.h"

/* Writes the positions of all boids into the workspace, which has memory for them: 4 bytes each, as
 * PROTOCOL.md has them; in a torus from -(period / 2) steps on. Returns the measures of the flock,
 * which are taken meanwhile on another thread. */
struct flock_measures gather_positions(const struct scene *scene,
                                       const struct room_workspace *workspace);

/* Their headings, a byte each. */
void gather_headings(const struct scene *scene, const struct room_workspace *workspace);

#endif
