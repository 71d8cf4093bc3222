/* The hub: all rooms, the threads that tick them (runners), and the mailboxes between runners and
 * the network's threads (shards). Shards call the hub; nothing else is shared. Sessions reach rooms
 * through links: see link.h. */
#ifndef HUB_H
#define HUB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counter.h"
#include "base/network.h"
#include "hub/directory.h"
#include "hub/link.h"
#include "hub/reply.h"
#include "past/recording.h"
#include "protocol.h"
#include "room/room.h"
#include "store/store.h"

struct film;
struct hub;

struct hub_definition {
    uint32_t shards;       /* 1 or more */
    uint32_t runners;      /* 1 or more */
    uint32_t threads;      /* of each runner, that share a tick of a big flock */
    uint32_t sessions_max; /* of all shards together */
    struct directory_limits limits;
    struct tries_limits tries; /* of wrong keys */
    uint64_t boids_max;        /* of all rooms together */
    uint64_t room_idle;        /* µs until a created room without members ends */
    uint32_t room_boids;       /* limit of a created room */
    /* Opened and not started; NULL: nothing is stored. It must outlive the hub. */
    struct store *store;
    uint64_t checkpoint_interval; /* µs between two checkpoints of a room */
    uint64_t history_bytes;       /* limit of the histories of all rooms together */
    uint64_t fingerprint;         /* of the lobby's options: a stored lobby is restored
                                   * only if they have not changed */
    /* The lobby, and the settings of all rooms: rates, timeout, capabilities. */
    struct room_definition lobby;
    struct film *film; /* recording that the lobby plays instead of a flock; or NULL */
    /* Called on a runner's thread when the shard has something to take. */
    void (*wake)(void *argument, uint32_t shard);
    void *argument;
};

/* Returns NULL when memory or threads run out. */
struct hub *hub_create(const struct hub_definition *definition);

/* Stops the runners and waits for them: `wake` is not called after this. Takes NULL. */
void hub_stop(struct hub *hub);

/* Frees everything. Must be called after hub_stop() and after every link was left. Takes NULL. */
void hub_destroy(struct hub *hub);

/* Returns the server's clock: µs since the hub was created. Any thread, also for all calls below.
 */
uint64_t hub_now(const struct hub *hub);

/* Returns a random number below 2^53 that identifies this run of the server. */
uint64_t hub_instance(const struct hub *hub);

/* Returns true if no runner is more than 5 s late with a tick. */
bool hub_healthy(const struct hub *hub);

struct directory *hub_directory(struct hub *hub);

/* Returns the counts of wrong keys. */
struct tries *hub_tries(const struct hub *hub);

/* Return the boids of all rooms, and how often members were refused more. */
uint64_t hub_boids(const struct hub *hub);
uint64_t hub_boids_refused(const struct hub *hub);

/* ---- rooms ---- */

/* Makes and starts a room of that definition; fills in its number, code, key, budget, tries, rates
 * and instance. Stores its facts in `entry`. address, retry_after: see directory_add(). If the
 * server's limit of boids is reached, returns DIRECTORY_FULL and stores the boids left in
 * *boids_left, which is UINT64_MAX otherwise. */
enum directory_result hub_create_room(struct hub *hub, struct room_definition *definition,
                                      bool listed, const char *address,
                                      struct directory_entry *entry, uint32_t *retry_after,
                                      uint64_t *boids_left);

/* The beginning of a room that continues another one. */
struct hub_origin {
    const uint8_t *state; /* a saved room without keys (room/room_state.h) */
    size_t size;
    struct film *film;                /* recording that it plays from there on, or NULL */
    const struct hub_request *change; /* messages that are then applied to it, or NULL */
};

/* As hub_create_room(), for a room that begins with that origin. The definition gives its keys,
 * limits and, unless empty, its title; its flock must have as many boids as the state. Returns
 * DIRECTORY_REFUSED with *error if the state is invalid or a change is refused. */
enum directory_result hub_begin_room(struct hub *hub, struct room_definition *definition,
                                     const struct hub_origin *origin, bool listed,
                                     const char *address, struct directory_entry *entry,
                                     uint32_t *retry_after, uint64_t *boids_left,
                                     struct proto_error *error);

/* Returns the budget of all rooms' histories. */
struct history_budget *hub_history_budget(struct hub *hub);

/* A request with a room's key, from outside the room. The room applies the messages in order until
 * one is refused. If none is, it sets listing and join key, saves its recording or its state, and
 * then ends if asked to. */
struct hub_request {
    char key[PROTO_KEY_MAX + 1];
    char address[NETWORK_ADDRESS_MAX]; /* of the client */
    int listed;                        /* -1: unchanged */
    bool has_join_key;
    char join_key[PROTO_KEY_MAX + 1]; /* if has_join_key; "": no key */
    bool recording;                   /* return the room's recording */
    bool branch;                      /* return the state that is shown, for a branch */
    bool end;
    uint32_t message_count;
    struct proto_client_message messages[]; /* presenters' messages */
};

/* Takes over the request (malloc'ed). The answer is a reply with that ticket. Returns false, and
 * frees the request, if the runner's mailbox is full. */
bool hub_ask(struct hub *hub, uint32_t shard, uint64_t ticket, uint64_t room,
             struct hub_request *request);

/* ---- what shards receive ---- */

/* Returns the shard's links to the rooms, which live as long as the hub. The answers to hub_ask()
 * come with their replies. */
struct links *hub_links(struct hub *hub, uint32_t shard);

/* ---- counters ---- */

/* A runner's counters. */
struct runner_stats {
    _Atomic uint64_t rooms, running; /* all rooms, and rooms with members */
    _Atomic uint64_t ticks, dropped, encoded, keys;
    _Atomic uint64_t busy;     /* ns spent on ticks and snapshots */
    struct histogram lateness; /* time from a tick's deadline to its start */
    struct histogram duration; /* of a tick with its snapshots */
};

/* Returns the store of the hub's definition. */
struct store *hub_store(const struct hub *hub);

uint32_t hub_runners(const struct hub *hub);
const struct runner_stats *hub_runner_stats(const struct hub *hub, uint32_t runner);

#endif
