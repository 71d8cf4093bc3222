/* When ticks are due: absolute times since the flock began, so that no error ever adds up. Pure
 * functions; exact for as long as 64 bits count the nanoseconds (584 years). */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

#define CLOCK_NS_PER_S UINT64_C(1000000000)

/* The time (ns) of that tick at that rate (Hz). */
static inline uint64_t clock_tick_time(uint64_t tick, uint64_t rate)
{
    return tick / rate * CLOCK_NS_PER_S + tick % rate * CLOCK_NS_PER_S / rate;
}

/* The ticks that are due by that time (ns), but for the one at 0. */
static inline uint64_t clock_ticks_by(uint64_t time, uint64_t rate)
{
    return time / CLOCK_NS_PER_S * rate + time % CLOCK_NS_PER_S * rate / CLOCK_NS_PER_S;
}

#endif
