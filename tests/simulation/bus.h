/* The broker of nodes of a cluster (cluster/broker.h) in simulated time. Messages are delayed,
 * lost, repeated and overtaken; so are answers about keys. Nodes are cut off from each other and
 * from the keys, and a bucket has no leader for seconds. */
#ifndef BUS_H
#define BUS_H

#include "check.h"
#include "cluster/broker.h"

#define BUS_NODES 4u

void bus_begin(enum fault fault);
void bus_end(void);

/* Opens the broker of that node, whose threads are of the group node + 1. */
struct broker *bus_open(uint32_t node, const struct broker_definition *definition);

/* Ends the process of the node. Later calls of its broker have no effect. */
void bus_kill(uint32_t node);

/* Until that time (ns) no message passes between two nodes; the node reaches nothing; the bucket
 * has no leader. */
void bus_part(uint32_t a, uint32_t b, uint64_t until);
void bus_cut(uint32_t node, uint64_t until);
void bus_halt(enum broker_bucket bucket, uint64_t until);

/* From now on nothing is lost, repeated or overtaken, and all faults are over. */
void bus_calm(void);

/* Returns the newest value of the key, and its size; NULL: there is none. */
const uint8_t *bus_value(enum broker_bucket bucket, const char *key, size_t *size,
                         uint64_t *revision);

#endif
