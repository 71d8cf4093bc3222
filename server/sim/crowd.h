/* The synchronous order of the models whose boids look at their neighbours: grid and kernels, over
 * the threads of the workspace. For the engine's own files. */
#ifndef CROWD_H
#define CROWD_H

#include "sim/workspace.h"

/* The cursors are in the torus, if it is one. */
void crowd_tick(struct flock *flock, struct flock_workspace *workspace, const struct aim *aim);

#endif
