/* The progress bar of a long run of flock-sim, and its end after a signal. */
#ifndef FLOCK_RUN_H
#define FLOCK_RUN_H

#include <stdbool.h>
#include <time.h>

double run_seconds(clockid_t clock);

/* Draws one line on a terminal, at most ten times a second, once the run has taken a second: `done`
 * of `ticks` ticks. `started`: run_seconds(CLOCK_MONOTONIC). */
void run_show(unsigned long done, unsigned long ticks, double started);

/* The first signal that asks for an end then only makes run_asked_to_stop() true, so that the tick
 * can be written. The second signal ends the process at once. */
void run_catch_stop(void);
bool run_asked_to_stop(void);

/* If a signal asked for an end, ends the process as that signal does, so that a shell's loop ends,
 * too. */
void run_end_as_asked(void);

#endif
