/* The synchronous tick of the swarm: sums over discs. For the engine's own files. */
#ifndef SWARM_H
#define SWARM_H

#include "sim/workspace.h"

/* In a torus the cursors must be within it. */
void swarm_tick(struct flock *flock, struct flock_workspace *workspace, const struct aim *aim,
                struct bites *bites);

#endif
