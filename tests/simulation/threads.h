/* Threads that take turns on a simulated clock. They replace libuv's threads, locks and clock for
 * the whole program, and also the wall clock and the system's random numbers, so that the server's
 * behaviour depends on the seed alone.
 *
 * A thread runs until it waits. When it releases its last lock, another thread sometimes runs. The
 * caller of threads_run() is a thread, too, to which all others return. Threads belong to groups:
 * the threads of a node stand still together. */
#ifndef THREADS_H
#define THREADS_H

#include <stdbool.h>
#include <stdint.h>

#define MS UINT64_C(1000000) /* ns */
#define S  UINT64_C(1000000000)

/* Begins a life at the time 0 without threads. The seed determines which thread runs when. */
void threads_begin(uint64_t seed);

/* Returns ns since the beginning of the life. */
uint64_t threads_now(void);

/* Moves the clock forward by `time` ns, for which the running thread is busy. */
void threads_spend(uint64_t time);

/* Lets the running thread work for `time` ns while other threads run. The caller of threads_run()
 * moves the clock. */
void threads_work(uint64_t time);

/* Lets the running thread sleep. The caller of threads_run() must not call it. */
void threads_sleep(uint64_t time);

/* The group of the running thread; threads that it creates are of the same one. 0: the caller of
 * threads_run(), and threads that it creates unless it sets another group for them. */
uint32_t threads_group(void);
void threads_set_group(uint32_t group);

/* Lets the threads of the group stand still until that time (ns). */
void threads_freeze(uint32_t group, uint64_t until);
bool threads_frozen(uint32_t group);

/* Returns when the group last stopped standing still, or will stop (ns); 0: it never stood still.
 */
uint64_t threads_thaws_at(uint32_t group);

/* Runs threads until that time (ns), or until stop() returns true. */
void threads_run(uint64_t until, bool (*stop)(void));

/* Random numbers of the life. chance_below() returns a number below `bound`. chance() returns true
 * with a probability of `times` in a thousand. */
uint64_t chance_below(uint64_t bound);
bool chance(uint32_t times);

/* Returns a time (ns) from 0 on, with `mean` as its mean; short times are more frequent. */
uint64_t chance_time(uint64_t mean);

#endif
