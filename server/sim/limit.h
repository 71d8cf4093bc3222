/* The time limit of ticks: a value that the engine's threads poll while they work. Its owner, a
 * workspace, begins a limit before a tick. Any thread may stop it for good.
 *
 * The engine reads a clock only here, and no result depends on it: a tick that exceeds the limit
 * changes nothing. */
#ifndef LIMIT_H
#define LIMIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct limit {
    bool alone;                 /* one thread works: the time in which it did not run is free */
    uint64_t time;              /* ns; UINT64_MAX: no limit; 0: until the first poll */
    uint64_t ran, ran_at;       /* ns: its thread's processor time, and the clock then */
    _Atomic uint64_t spent;     /* ns until the last poll of any thread ... */
    _Atomic uint64_t polled_at; /* ... and the clock's time at that poll, ns */
    _Atomic bool stopped;       /* the limit is exceeded for good */
    _Atomic bool exceeded;      /* the present tick is stopped */
    _Atomic uint32_t polls;     /* since the limit began */
    uint32_t polls_max;         /* for tests: this poll exceeds the limit; 0: none does */
};

/* Boids that a thread looks at between two polls: 10 to 100 µs. */
enum { LIMIT_WORK = 1 << 15 };

/* Begins a limit of `time` ns; UINT64_MAX: none. Must not be called during a tick. If limit->alone
 * is set, the thread that works must call it. */
void limit_begin(struct limit *limit, uint64_t time);

/* Begins the same limit again. Must not be called during a tick. */
void limit_again(struct limit *limit);

/* Returns the ns since the limit began, by the clock; 0: there is none. */
uint64_t limit_spent(struct limit *limit);

/* Exceeds this limit and all later ones. Any thread may call it at any time. */
void limit_stop(struct limit *limit);

/* Must be called before each tick or measure. The pool publishes this to the threads, with their
 * parts. */
static inline void limit_start_work(struct limit *limit)
{
    atomic_store_explicit(&limit->exceeded, false, memory_order_relaxed);
}

/* Returns whether the present tick is stopped, and stops it if the limit is exceeded. A pause of
 * 0.2 s or more between two polls does not count, because the process did not run. */
bool limit_poll(struct limit *limit);

/* Returns whether the present tick is stopped, without polling. */
static inline bool limit_is_exceeded(const struct limit *limit)
{
    return atomic_load_explicit(&limit->exceeded, memory_order_relaxed);
}

/* Adds `more` to *work, the number of boids that the calling thread has looked at since its last
 * poll. Polls if they are LIMIT_WORK or more. Returns whether that poll stopped the present
 * tick. */
static inline bool limit_count(struct limit *limit, uint32_t *work, uint32_t more)
{
    *work += more;
    if (*work < LIMIT_WORK) {
        return false;
    }
    *work = 0;
    return limit_poll(limit);
}

#endif
