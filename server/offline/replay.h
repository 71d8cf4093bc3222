/* flock-sim --replay: what a room has recorded, made again as fast as the processor can. */
#ifndef FLOCK_REPLAY_H
#define FLOCK_REPLAY_H

#include "offline/sim_options.h"

/* Returns the program's status. Ends the program with a line about it if the file is no recording.
 */
int flock_replay(const struct options *options);

#endif
