#include "sim/limit.h"

#include <time.h>

#define STOPPED_TIME                                                                               \
    UINT64_C(200000000) /* ns between two polls; longer means that the process was stopped */

static uint64_t read_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void limit_begin(struct limit *limit, uint64_t time)
{
    limit->time = time;
    atomic_store(&limit->polls, 0);
    atomic_store(&limit->spent, 0);
    if (time != UINT64_MAX) {
        atomic_store(&limit->polled_at, read_clock());
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
    uint64_t now = read_clock();
    uint64_t before = atomic_exchange(&limit->polled_at, now);
    uint64_t more = now > before ? now - before : 0;
    more = more < STOPPED_TIME ? more : 0;
    return atomic_fetch_add(&limit->spent, more) + more;
}

bool limit_poll(struct limit *limit)
{
    bool last = atomic_fetch_add(&limit->polls, 1) + 1 == limit->polls_max;
    if (last || atomic_load(&limit->stopped) || limit_spent(limit) >= limit->time) {
        atomic_store_explicit(&limit->exceeded, true, memory_order_relaxed);
    }
    return limit_is_exceeded(limit);
}
