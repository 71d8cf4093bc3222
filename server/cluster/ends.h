/* The ends of links between nodes, and their thread: the only one that publishes to rooms and
 * edges. Runners, shards and the broker's delivery leave messages for it and never wait: a frozen
 * broker costs frames, not time. Of a room's views the newest waits; what does not fit is dropped
 * and counted.
 *
 *     broker → ends_create() → hub_create(.far = ends_far()) → ends_start() → … → ends_stop() →
 *     hub_stop() → ends_leave() → hub_destroy() → broker_close() → ends_destroy()
 *
 * Shards must have left all links before ends_leave(). */
#ifndef CLUSTER_ENDS_H
#define CLUSTER_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/broker.h"
#include "cluster/cluster_counts.h"
#include "hub/far.h"

#define ENDS_FAR_ROOMS    16384u
#define ENDS_FAR_SESSIONS 20000u
#define ENDS_SILENT       UINT64_C(3000000)

struct ends;
struct hub;

struct ends_definition {
    struct broker *broker;
    struct cluster_counts *counts;
    const char *node;      /* its name */
    uint32_t sessions_max; /* of this node */
    uint64_t silent;       /* µs without a message until an edge has lost its sessions, and half of
                            * it until sessions hear that their room is silent; 0: ENDS_SILENT */
    /* As hub_far.find: rooms of other nodes. */
    bool (*find)(void *argument, const char *code, struct link_room *room);
    /* See far_end_want; NULL: none. */
    void (*want)(void *argument, const char *code, uint32_t people);
    void *argument;
};

/* Returns NULL when memory runs out. */
struct ends *ends_create(const struct ends_definition *definition);

/* For the hub's definition. */
const struct hub_far *ends_far(struct ends *ends);

/* Subscribes and starts the thread. Returns false if there is no thread, or memory runs out. */
bool ends_start(struct ends *ends, struct hub *hub);

/* Ends the thread. */
void ends_stop(struct ends *ends);

/* Leaves the links of other nodes' sessions and unsubscribes, so that the hub can be destroyed.
 * Takes NULL, as ends_stop(). */
void ends_leave(struct ends *ends);

/* Takes NULL. */
void ends_destroy(struct ends *ends);

/* The hub has something for the shard hub_far_shard(): for hub_definition.wake. Any thread, as all
 * calls below. */
void ends_wake(struct ends *ends);

/* This node has won a room, with that epoch; the hub has it; the hub has it no longer. See
 * keeper_definition. */
void ends_taken(struct ends *ends, const char *code, uint64_t epoch);
void ends_ready(struct ends *ends, const char *code, uint64_t epoch);
void ends_lost(struct ends *ends, const char *code, uint64_t epoch);

/* A room has that epoch now, or has ended. */
void ends_moved(struct ends *ends, const char *code, uint64_t epoch, bool ended);

/* The broker's line for data was lost, or is back. */
void ends_connected(struct ends *ends, bool connected);

#endif
