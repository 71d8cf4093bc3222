/* The nodes of a cluster: their names, roles and beats. Times are µs on this server's clock. */
#ifndef NODE_H
#define NODE_H

#include <stdbool.h>
#include <stdint.h>

#define NODE_NAME_MAX    32u /* bytes of a node's name: a–z, 0–9 and - */
#define NODE_ADDRESS_MAX 63u /* bytes of "10.0.0.3:8081" or "[::1]:8081" */
#define NODE_KEY_MAX     32u /* hex digits */
#define NODES_MAX        256u

/* Bits. */
enum node_role { NODE_EDGE = 1, NODE_SIM = 2, NODE_BOTH = 3 };

/* A beat, which each node publishes every 500 ms on beat.NODE. */
struct node_beat {
    char name[NODE_NAME_MAX + 1];
    uint64_t incarnation; /* a random number of this run; after its lease was lost, another one */
    uint64_t revision;    /* of its lease; 0: it has none */
    enum node_role role;
    uint32_t version; /* version_of_release() of its flockd */
    bool draining;    /* it gives its rooms to other nodes, and ends */
    uint32_t load;    /* thousandths of its runners' time that its rooms took */
    uint32_t rooms, rooms_max;
    uint64_t boids_left;             /* that its rooms may still have */
    char http[NODE_ADDRESS_MAX + 1]; /* where it takes forwarded requests; "": nowhere */
    char http_key[NODE_KEY_MAX + 1]; /* that such a request must carry */
};

/* Returns whether the text may be a node's name. */
bool node_name_is_valid(const char *name);

#endif
