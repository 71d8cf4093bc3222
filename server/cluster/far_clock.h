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

/* Takes the other clock's time in a message. It sets the clock until the first probe is answered.
 */
void far_clock_hear(struct far_clock *clock, uint64_t time, uint64_t now);

/* Takes the answer of the probe that this node sent at `probe`. time: of the other clock when the
 * other node answered. Ignores the answer of an old probe. */
void far_clock_measure(struct far_clock *clock, uint64_t probe, uint64_t time, uint64_t now);

#endif
