/* A life of a cluster in simulated time: two nodes with rooms, one with rooms and viewers and one
 * with viewers, with their own leases, routes, links and checkpoints. Nodes are killed, frozen,
 * drained and cut off; any two are parted for 5 s; buckets have no leader. */
#ifndef SIMULATED_CLUSTER_H
#define SIMULATED_CLUSTER_H

#include "check.h"

/* Return how often rooms of dead nodes were taken over, and rooms given to other nodes, in all
 * lives.
 */
uint64_t cluster_takeovers(void);
uint64_t cluster_handovers(void);

void cluster_live(uint64_t seed, enum fault fault, bool tells);

#endif
