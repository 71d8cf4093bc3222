/* Threads that take turns on a simulated clock. They replace libuv's threads, locks and clock for
 * the whole program, and also the wall clock and the system's random numbers, so that the server's
 * behaviour depends on the seed alone.
 *
 * A thread runs until it waits or releases its last lock (then sometimes another thread gets a
 * turn). The caller of threads_run() is a thread, too, to which all others return. */
#ifndef THREADS_H
#define THREADS_H

#include <stdbool.h>
#include <stdint.h>

#define MS UINT64_C(1000000) /* ns */
#define S  UINT64_C(1000000000)

/* A life begins at 0 with no threads. The order of turns comes of the seed. */
void threads_begin(uint64_t seed);

/* ns since then. */
uint64_t threads_now(void);

/* The running thread has been busy for so long. */
void threads_spend(uint64_t time);

/* The running thread sleeps; not for the one that calls threads_run(). */
void threads_sleep(uint64_t time);

/* Lets threads run until that time (ns), or until stop() returns true. */
void threads_run(uint64_t until, bool (*stop)(void));

/* The life's random numbers, in a turn of their own: below `bound`, and whether a thing comes true
 * that does so `times` in a thousand. */
uint64_t chance_below(uint64_t bound);
bool chance(uint32_t times);

/* Returns a time (ns) from 0 on, with `mean` as its mean; short times are more frequent. */
uint64_t chance_time(uint64_t mean);

#endif
