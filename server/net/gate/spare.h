/* Tells whether a shard has time to spare. Then connections beyond the rate of their address need
 * not wait. With a fixed rate, one pupil who connects often uses up the rate of his class. No order
 * of the waiting connections helps, because the pupil can look like the others: each try has the
 * same chance. So the rate counts only while the shard has no time: a work-conserving scheduler.
 * For this reason joins have no rate. Addresses share the time by fair queuing (see arrival.h,
 * readers.h).
 *
 * Pure: times are passed in, in ns. A shard's thread owns it. */
#ifndef SPARE_H
#define SPARE_H

#include <stdbool.h>
#include <stdint.h>

struct spare {
    uint64_t at, idle; /* ns: the latest turn, and for how long the loop had waited until then */
    bool there;        /* the result of the latest turn */
};

/* Returns true if the loop has waited for a quarter of the time since the last turn, or in the
 * first turn. idle: ns for which it has waited in all. */
bool spare_turn(struct spare *spare, uint64_t idle, uint64_t now);

/* As spare_turn(), for calls at any time: the result is of the last 10 ms or more. */
bool spare_now(struct spare *spare, uint64_t idle, uint64_t now);

#endif
