#include "sim/limit.h"

#include <time.h>

#define STOPPED_TIME                                                                               \
    UINT64_C(200000000) /* ns between two polls; longer means that the process was stopped */

#define FRESH_PART 16u /* a thread's earlier work counts for at most 1/16 of the limit */

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void limit_begin(struct limit *limit, uint64_t time)
{
    limit->time = time;
    atomic_store(&limit->polls, 0);
    atomic_store(&limit->spent, 0);
    if (time != UINT64_MAX) {
        uint64_t now = read_clock(CLOCK_MONOTONIC);
        atomic_store(&limit->polled_at, now);
        if (limit->alone && now - limit->ran_at > time / FRESH_PART) {
            limit->ran_at = now;
            limit->ran = read_clock(CLOCK_THREAD_CPUTIME_ID);
        }
    }
}

void limit_stop(struct limit *limit)
{
    atomic_store(&limit->stopped, true);
}

void limit_again(struct limit *limit)
{
    limit_begin(limit, limit->time);
}

/* Several threads may poll at the same time; each interval is counted once. */
uint64_t limit_spent(struct limit *limit)
{
    if (limit->time == UINT64_MAX) {
        return 0;
    }
    uint64_t now = read_clock(CLOCK_MONOTONIC);
    uint64_t before = atomic_exchange(&limit->polled_at, now);
    uint64_t more = now > before ? now - before : 0;
    more = more < STOPPED_TIME ? more : 0;
    return atomic_fetch_add(&limit->spent, more) + more;
}

/* Returns whether the time is up. Reading a thread's processor time is slow, so limit_begin() reads
 * it only now and then. is_over() reads it only if the clock says that the time may be up. */
static bool is_over(struct limit *limit)
{
    return limit_spent(limit) >= limit->time &&
           (!limit->alone || read_clock(CLOCK_THREAD_CPUTIME_ID) - limit->ran >= limit->time);
}

bool limit_poll(struct limit *limit)
{
    bool last = atomic_fetch_add(&limit->polls, 1) + 1 == limit->polls_max;
    if (last || atomic_load(&limit->stopped) || is_over(limit)) {
        atomic_store_explicit(&limit->exceeded, true, memory_order_relaxed);
    }
    return limit_is_exceeded(limit);
}
