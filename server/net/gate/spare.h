/* Whether a shard has time to spare. If so, connections beyond the rate of their address need not
 * wait. A fixed rate lets one pupil, who connects more often, use up the rate of his class. An
 * order of the waiting ones does not help: the pupil can look like the others, so that all have the
 * same chance, the rate divided by the number of tries. So the rate counts only while the shard has
 * no time: a work-conserving scheduler. For this reason joins have no rate at all. Other addresses
 * do not depend on rates: they share the time by fair queuing (see arrival.h, readers.h).
 *
 * Pure: times are passed in, in ns. A shard's thread owns it. */
#ifndef SPARE_H
#define SPARE_H

#include <stdbool.h>
#include <stdint.h>

struct spare {
    uint64_t at, idle; /* ns: the latest turn, and for how long the loop had waited until then */
};

/* Returns true if the loop has waited for a quarter of the time since the last turn. idle: ns for
 * which it has waited in all. */
bool spare_turn(struct spare *spare, uint64_t idle, uint64_t now);

#endif
