/* When ticks are due: absolute times since the flock began, so that errors never add up. Pure
 * functions, exact as long as 64 bits count the nanoseconds (584 years). */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_NS_PER_S UINT64_C(1000000000)

/* Returns the time (ns) of a tick at a rate (Hz). */
static inline uint64_t clock_tick_time(uint64_t tick, uint64_t rate)
{
    return tick / rate * CLOCK_NS_PER_S + tick % rate * CLOCK_NS_PER_S / rate;
}

/* Returns the number of ticks due by a time (ns), without the one at 0. */
static inline uint64_t clock_ticks_by(uint64_t time, uint64_t rate)
{
    return time / CLOCK_NS_PER_S * rate + time % CLOCK_NS_PER_S * rate / CLOCK_NS_PER_S;
}

/* Whether more than 1 % of the ticks that were due have been dropped. */
static inline bool clock_is_behind(uint64_t dropped, uint64_t due)
{
    return dropped * 100 > due;
}

#endif
