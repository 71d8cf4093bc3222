/* Checkpoints: the store (store.h) of a node in a cluster. It keeps the newest state of each room
 * in BROKER_CHECKS, on a thread of its own; its callers never wait.
 *
 * A room of up to CHECKPOINTS_WHOLE bytes is one value under its code. Bigger ones are in parts of
 * that size, under CODE.EPOCH.a.N and CODE.EPOCH.b.N by turns, and then the head under the code
 * tells which ones are whole. The head changes by compare-and-set, so that an owner which has lost
 * the room cannot overwrite what the next one has written. Pasts and recordings are not kept. */
#ifndef CHECKPOINTS_H
#define CHECKPOINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/broker.h"
#include "cluster/cluster_counts.h"
#include "store/store.h"

#define CHECKPOINTS_WHOLE      (900u * 1000u)
#define CHECKPOINTS_BYTES      UINT64_C(20000000) /* a second, of all rooms together */
#define CHECKPOINTS_ROOM_BYTES UINT64_C(5000000)  /* a second, of each room */
#define CHECKPOINTS_PUTS       500u               /* a second */
#define CHECKPOINTS_STATE_MAX  (UINT64_C(512) << 20)

struct checkpoints;

struct checkpoints_definition {
    struct broker *broker;
    struct cluster_counts *counts;
    uint64_t grace; /* ns; a room tells its people when writes have failed for this long while NATS
                     * answers */
    /* Called on any thread: the hub has ended the room; its code rests until then (s). */
    void (*ended)(void *argument, const char *code, uint64_t until);
    /* Called on the saver's thread: a node with a later epoch has written the room's checkpoint. */
    void (*fenced)(void *argument, const char *code);
    void *argument;
};

/* Starts the thread. Reads or makes the secret of the cluster (store_secret()). Returns NULL when
 * memory or threads run out, or NATS does not answer. */
struct checkpoints *checkpoints_create(const struct checkpoints_definition *definition);

/* Writes what is queued, for at most `patience` seconds, and frees all. Takes NULL. */
void checkpoints_destroy(struct checkpoints *checkpoints, double patience);

/* For the hub's definition. */
struct store *checkpoints_store(struct checkpoints *checkpoints);

/* This node owns the room from now on: its states are written with that epoch. Until then, what the
 * hub stores of that code waits. Any thread. Returns false when memory runs out. */
bool checkpoints_own(struct checkpoints *checkpoints, const char *code, uint64_t epoch);

/* This node has the room no more: nothing of it is written. Any thread. */
void checkpoints_disown(struct checkpoints *checkpoints, const char *code);

/* Waits until the newest state of the room is written, for at most `patience` ms. */
bool checkpoints_finish(struct checkpoints *checkpoints, const char *code, uint32_t patience);

/* Reads the newest checkpoint of a room; kept->state is the caller's. May block for seconds.
 * BROKER_NONE: there is none, or it cannot be read (logged). */
enum broker_result checkpoints_read(struct checkpoints *checkpoints, const char *code,
                                    struct store_room *kept);

/* As checkpoints_read(), without the state. */
enum broker_result checkpoints_read_terms(struct checkpoints *checkpoints, const char *code,
                                          struct store_room *kept);

#endif
