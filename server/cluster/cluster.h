/* A node of a cluster: starts and ends the broker, the keeper of leases and routes, and the ends of
 * links between nodes. Without --nats there is none.
 *
 *     cluster_create() → cluster_define() → hub_create() → cluster_start() → … → cluster_drain() →
 *     the sessions go → cluster_stop() → hub_stop() → cluster_leave() → hub_destroy() →
 *     cluster_destroy()
 *
 * The main thread makes all of these calls. */
#ifndef CLUSTER_H
#define CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/broker.h"
#include "cluster/cluster_counts.h"
#include "cluster/node.h"

struct cluster;
struct hub;
struct hub_definition;
struct routes;

struct cluster_definition {
    const char *urls, *prefix; /* see struct broker_definition, as the next two lines */
    const char *user;
    const char *credentials, *authority;
    const char *node; /* its name */
    enum node_role role;
    uint32_t rooms_max;
    uint32_t sessions_max; /* of this node's viewers */
};

/* Connects to NATS and takes the node's lease. Blocks, for up to 30 s if NATS does not answer.
 * Returns NULL with the reason in `text` (BROKER_TEXT_MAX bytes). The strings must outlive the
 * cluster. */
struct cluster *cluster_create(const struct cluster_definition *definition, char *text);

/* Fills in what a hub in a cluster needs. */
void cluster_define(struct cluster *cluster, struct hub_definition *definition);

/* Sets where this node takes forwarded requests: see struct node_beat. Before cluster_start(). */
void cluster_set_http(struct cluster *cluster, const char *address);

/* The node begins to own rooms and to serve the other nodes. Returns false if there are no threads,
 * or memory runs out. */
bool cluster_start(struct cluster *cluster, struct hub *hub);

/* For hub_definition.wake with the shard of the cluster's: see hub_far_shard(). Any thread. */
void cluster_wake(struct cluster *cluster);

/* Begins to give this node's rooms to other nodes, and returns at once. When all are gone, none can
 * go or 20 s have passed, it calls done() on a thread of its own. */
void cluster_drain(struct cluster *cluster, void (*done)(void *argument), void *argument);

/* Take NULL, and a cluster that was not started. cluster_destroy() writes the last checkpoints. */
void cluster_stop(struct cluster *cluster);
void cluster_leave(struct cluster *cluster);
void cluster_destroy(struct cluster *cluster);

/* Any thread. */
const char *cluster_node(const struct cluster *cluster);
enum node_role cluster_role(const struct cluster *cluster);
struct routes *cluster_routes(const struct cluster *cluster);
struct cluster_counts *cluster_counts(struct cluster *cluster);

/* Returns the key that forwarded requests to this node must carry. */
const char *cluster_http_key(const struct cluster *cluster);

/* Returns the clock of routes.h: µs. */
uint64_t cluster_now(const struct cluster *cluster);

/* Whether NATS answers this node. */
bool cluster_connected(const struct cluster *cluster);

/* Whether this node may own rooms; an edge: whether NATS answers it. */
bool cluster_stands(const struct cluster *cluster);

/* Returns the broker's own counters. */
const struct broker_stats *cluster_broker(const struct cluster *cluster);

#endif
