/* flock-sim --replay: computes what a room recorded as fast as the processor can. */
#ifndef FLOCK_REPLAY_H
#define FLOCK_REPLAY_H

#include "offline/sim_options.h"

/* Returns the program's status. If the file is no recording, ends the program with a line that says
 * so. */
int flock_replay(const struct options *options);

#endif
