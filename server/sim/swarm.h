/* The synchronous order of the swarm: sums over discs. For the engine's own files. */
#ifndef SWARM_H
#define SWARM_H

#include "sim/workspace.h"

/* The cursors are in the torus, if it is one. */
void swarm_tick(struct flock *flock, struct flock_workspace *workspace, const struct aim *aim);

#endif
