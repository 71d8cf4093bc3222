/* The progress bar of a long run of flock-sim, and its end after a signal. */
#ifndef FLOCK_RUN_H
#define FLOCK_RUN_H

#include <stdbool.h>
#include <time.h>

double run_seconds(clockid_t clock);

/* One line on a terminal, at most ten times a second, once it has taken a second: `done` of so many
 * ticks. `started`: run_seconds(CLOCK_MONOTONIC). */
void run_show(unsigned long done, unsigned long ticks, double started);

/* From now on the first signal that asks for an end only makes run_asked_to_stop() true, so that
 * the tick can be written; the next ends the process where it is. */
void run_catch_stop(void);
bool run_asked_to_stop(void);

/* If it was asked for, the process ends as it would have without run_catch_stop(), so that a
 * shell's loop ends, too. */
void run_end_as_asked(void);

#endif
