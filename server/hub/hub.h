/* The hub: all rooms, the threads that tick them (runners), and what lies between them and the
 * network's threads (shards). The network calls in from its shards; nothing else is shared.
 *
 *     session → link_join(), link_send(), …  → the runner's mailbox → room
 *     room    → what one member is told      → the shard's mailbox  → hub_take_reply()
 *     room    → its view, latest wins        → each shard that has members of it → hub_take_view()
 */
#ifndef HUB_H
#define HUB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counter.h"
#include "base/network.h"
#include "hub/directory.h"
#include "hub/link.h"
#include "past/recording.h"
#include "protocol.h"
#include "room/room.h"
#include "store/store.h"

struct film;
struct hub;

struct hub_definition {
    uint32_t shards;       /* 1 or more */
    uint32_t runners;      /* 1 or more */
    uint32_t threads;      /* that share a tick of a big flock, of each runner */
    uint32_t sessions_max; /* of all shards together */
    struct directory_limits limits;
    struct tries_limits tries; /* of wrong keys */
    uint64_t boids_max;        /* of all rooms together */
    uint64_t room_idle;        /* µs after which a created room ends that nobody is in */
    uint32_t room_boids;       /* that a created room may have */
    /* What outlives the process, opened and not started; NULL: nothing does. It outlives the hub.
     */
    struct store *store;
    uint64_t checkpoint_interval; /* µs between two saved states of a room */
    uint64_t history_bytes;       /* that the pasts of all rooms may take together */
    uint64_t fingerprint; /* of the options that the lobby is made from: a saved lobby is restored
                           * only if they are still the same */
    /* The lobby, and what all rooms have of it: the rates, the timeout, the capabilities. */
    struct room_definition lobby;
    struct film *film; /* that the lobby plays from each start on, in place of a flock; or NULL */
    /* Called from a runner when there is something for that shard to take. */
    void (*wake)(void *argument, uint32_t shard);
    void *argument;
};

/* NULL when memory runs out or no thread can be had. */
struct hub *hub_create(const struct hub_definition *definition);

/* Stops the runners and waits for them: from here on `wake` is not called. Takes NULL. */
void hub_stop(struct hub *hub);

/* Frees everything; after hub_stop(), and when every link has been left. Takes NULL. */
void hub_destroy(struct hub *hub);

/* The server's clock: µs since the hub was created. Any thread, as all below. */
uint64_t hub_now(const struct hub *hub);

/* A random number below 2^53 of this run of the server. */
uint64_t hub_instance(const struct hub *hub);

/* Whether no runner is more than five seconds late with a tick. */
bool hub_healthy(const struct hub *hub);

struct directory *hub_directory(struct hub *hub);

/* The wrong keys that were tried. */
struct tries *hub_tries(const struct hub *hub);

/* Boids of all rooms, and how often members were refused more. */
uint64_t hub_boids(const struct hub *hub);
uint64_t hub_boids_refused(const struct hub *hub);

/* ---- rooms ---- */

/* Makes a room of that definition (number, code, key, budget, tries, rates and instance are filled
 * in) and starts it. `entry` and `key` say what it got. address, retry_after: see directory_add().
 * When the boids are more than all rooms may have: DIRECTORY_FULL and *boids_left says how many
 * would do; it is UINT64_MAX when that was not the reason. */
enum directory_result hub_create_room(struct hub *hub, struct room_definition *definition,
                                      bool listed, const char *address,
                                      struct directory_entry *entry, uint32_t *retry_after,
                                      uint64_t *boids_left);

/* What a new room begins as. */
struct hub_origin {
    const uint8_t *state; /* bytes of a room, with nobody's keys (room/room_state.h) */
    size_t size;
    struct film *film;                /* that it plays from there on, or NULL */
    const struct hub_request *change; /* what is then done in it: its messages; or NULL */
};

/* The same of a room that begins so: of the definition there stay key, join key, title unless it is
 * empty, and the limits; its flock has so many boids as the state. When the state cannot be
 * understood, or a change is refused: DIRECTORY_REFUSED, and *error says why. */
enum directory_result hub_begin_room(struct hub *hub, struct room_definition *definition,
                                     const struct hub_origin *origin, bool listed,
                                     const char *address, struct directory_entry *entry,
                                     uint32_t *retry_after, uint64_t *boids_left,
                                     struct proto_error *error);

/* That the pasts of all rooms take from. */
struct history_budget *hub_history_budget(struct hub *hub);

/* What whoever has a room's key asks of it without being in it: the messages in their order, up to
 * the first that is refused; if none is, its listing, its join key, and its recording or its state;
 * then its end. */
struct hub_request {
    char key[PROTO_KEY_MAX + 1];
    char address[NETWORK_ADDRESS_MAX]; /* who asks */
    int listed;                        /* -1: as it is */
    bool has_join_key;
    char join_key[PROTO_KEY_MAX + 1]; /* if so: the room's from now on; "": none */
    bool recording;                   /* the room's past is wanted */
    bool branch;                      /* what is shown is wanted, as a room begins so */
    bool end;
    uint32_t message_count;
    struct proto_client_message messages[]; /* presenters' messages */
};

/* Takes over the request (malloc'ed). The answer comes as a reply with that ticket. False, and the
 * request freed, when it cannot be asked just now. */
bool hub_ask(struct hub *hub, uint32_t shard, uint64_t ticket, uint64_t room,
             struct hub_request *request);

/* ---- what a shard takes ---- */

enum hub_reply_type {
    HUB_TOLD,   /* frame: for the session; grant, if `granted` */
    HUB_CLOSED, /* frame: a last one, or NULL; close the session with that code and reason */
    HUB_ANSWER, /* to hub_ask(): error */
};

struct hub_reply {
    enum hub_reply_type type;
    uint64_t session;    /* or the ticket */
    struct frame *frame; /* now the taker's, to release */
    bool granted;
    struct room_grant grant;
    bool presenter; /* HUB_TOLD: what the session's person is now */
    enum proto_close code;
    const char *reason; /* a literal */
    bool crowded;       /* see struct room_end */
    /* Of an answer: its code is PROTO_OK, or says what was refused; PROTO_E_ROOM: the room is no
     * more; PROTO_E_KEY: that is not its key; PROTO_E_FLOOD: so many wrong keys were tried that the
     * next is looked at in `wait` seconds. The taker's, to free. */
    struct proto_error *error;
    uint32_t wait;
    struct recording *recording; /* if it was wanted; the taker's, to destroy */
    /* The room's state if a branch was wanted: bytes, the taker's to free, and what its flock has.
     */
    uint8_t *state;
    size_t state_size;
    uint32_t boids;
    const char *model; /* a literal */
};

bool hub_take_reply(struct hub *hub, uint32_t shard, struct hub_reply *reply);

/* The newest view of some room that the shard has not taken yet, now the taker's, to release; NULL
 * when there is none. */
struct room_view *hub_take_view(struct hub *hub, uint32_t shard);

/* ---- figures ---- */

/* What a runner has counted. */
struct runner_stats {
    _Atomic uint64_t rooms, running; /* its rooms, and those with people in them */
    _Atomic uint64_t ticks, dropped, encoded, keys;
    _Atomic uint64_t busy;     /* ns spent on ticks and snapshots */
    struct histogram lateness; /* of a tick's beginning, against its deadline */
    struct histogram duration; /* of a tick, its snapshots included */
};

/* See hub_definition. */
struct store *hub_store(const struct hub *hub);

uint32_t hub_runners(const struct hub *hub);
const struct runner_stats *hub_runner_stats(const struct hub *hub, uint32_t runner);

#endif
