/* The synchronous tick of the models whose boids look at their neighbours: grid and kernels on the
 * threads of the workspace. For the engine's own files. */
#ifndef CROWD_H
#define CROWD_H

#include "sim/workspace.h"

/* In a torus the cursors must be within it. */
void crowd_tick(struct flock *flock, struct flock_workspace *workspace, const struct aim *aim,
                struct bites *bites);

#endif
