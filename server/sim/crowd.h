/* The synchronous order of the models whose boids look at their neighbours: grid and kernels, over
 * all the threads that the flock has. For the engine's own files. */
#ifndef CROWD_H
#define CROWD_H

#include "sim/state.h"

void crowd_tick(struct flock *flock, const struct aim *aim);

#endif
