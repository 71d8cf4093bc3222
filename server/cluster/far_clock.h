/* The clock of another node, measured with probes: see WIRE_PROBE. Clients see times of that clock,
 * so it moves slowly. Pure; times are µs. */
#ifndef FAR_CLOCK_H
#define FAR_CLOCK_H

#include <stdint.h>

#define FAR_CLOCK_SAMPLES 8u
#define FAR_CLOCK_STEP    UINT64_C(1000) /* the clock moves by up to 1/1000 of the time passed */
#define FAR_CLOCK_OLDEST  UINT64_C(10000000) /* the answer of an older probe measures nothing */

/* A struct of zeros is a clock of which nothing is known. */
struct far_clock {
    uint32_t samples; /* so far */
    struct far_sample {
        uint64_t way; /* there and back */
        int64_t ahead;
    } ring[FAR_CLOCK_SAMPLES];
    int64_t ahead;     /* the other clock less this server's, as clients see it */
    uint64_t moved_at; /* when `ahead` last moved */
};

/* A message with the other clock's time has come. Before the first answer of a probe it tells the
 * clock. */
void far_clock_hear(struct far_clock *clock, uint64_t time, uint64_t now);

/* The answer of a probe has come, which the other node sent at that time of its clock. */
void far_clock_measure(struct far_clock *clock, uint64_t probe, uint64_t time, uint64_t now);

#endif
