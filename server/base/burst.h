/* Limits of how often something may happen: some times at once, and then once in each period. Times
 * are µs. Pure functions. */
#ifndef BURST_H
#define BURST_H

#include <stdint.h>

struct burst_limit {
    uint32_t most;   /* times at once */
    uint64_t period; /* µs */
};

/* until: what the last times still count, 0 at first. Returns the µs until the next time is
 * allowed; 0: now. */
static inline uint64_t burst_wait(const struct burst_limit *limit, uint64_t until, uint64_t now)
{
    const uint64_t counted = until > now ? until - now : 0;
    const uint64_t allowed = (limit->most - 1) * limit->period;

    return counted > allowed ? counted - allowed : 0;
}

/* Returns `until` after one more time. */
static inline uint64_t burst_count(const struct burst_limit *limit, uint64_t until, uint64_t now)
{
    return (until > now ? until : now) + limit->period;
}

/* Returns the time in whole seconds, rounded up. */
static inline uint32_t burst_seconds(uint64_t time)
{
    return (uint32_t)((time + 999999) / 1000000);
}

#endif
