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
#include "hub/far.h"
#include "hub/link.h"
#include "hub/reply.h"
#include "past/recording.h"
#include "protocol.h"
#include "room/room.h"
#include "store/store.h"

struct earlier_past;
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
    uint64_t unjoined;    /* µs until a room ends that no client ever joined and that the server
                           * does not trust; 0: room_idle */
    uint32_t room_boids;  /* limit of a created room */
    uint64_t room_memory; /* bytes that a created room may take; 0: no limit */
    /* Opened and not started; NULL: nothing is stored. It must outlive the hub. */
    struct store *store;
    uint64_t checkpoint_interval; /* µs between two checkpoints of a room */
    uint64_t checkpoint_soon;     /* µs until what people have changed is stored, if the room is
                                   * small; 0: with the next checkpoint */
    uint64_t past_interval;       /* µs between two times that a room's past is stored;
                                   * 0: only when the room leaves the hub */
    uint64_t history_bytes;       /* limit of the histories of all rooms together */
    uint64_t fingerprint;         /* of the lobby's options: a stored lobby is restored
                                   * only if they have not changed */
    /* The lobby, and the settings of all rooms: rates, timeout, capabilities. */
    struct room_definition lobby;
    struct film *film;         /* recording that the lobby plays instead of a flock; or NULL */
    const struct hub_far *far; /* rooms of other nodes; NULL: none */
    /* In a cluster. The code of a new room must be won first: claim() returns DIRECTORY_OK,
     * DIRECTORY_TAKEN, or DIRECTORY_AWAY if it cannot be known. claimed() then tells whether the
     * room was made. On the thread of hub_make_room(), which waits for it. The hub restores no
     * rooms, and makes no lobby: see hub_make_lobby(). NULL: this hub has all rooms. */
    enum directory_result (*claim)(void *claimer, const char *code);
    void (*claimed)(void *claimer, const char *code, bool made);
    void *claimer;
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

/* Returns true if no runner has been busy with one turn for more than 5 s. */
bool hub_healthy(const struct hub *hub);

struct directory *hub_directory(struct hub *hub);

/* Returns the counts of wrong keys. */
struct tries *hub_tries(const struct hub *hub);

/* Return the boids of all rooms, how many more they may have, and how often members were refused
 * more. */
uint64_t hub_boids(const struct hub *hub);
uint64_t hub_boids_left(const struct hub *hub);
uint64_t hub_boids_refused(const struct hub *hub);

/* ---- rooms ---- */

/* A room to be made. */
struct hub_making {
    /* Its flock must have as many boids as the origin's state. The hub fills in number, code,
     * budgets, tries, rates and instance, and the key of a room with a new code. */
    struct room_definition definition;
    struct room_origin origin;
    const struct recording *past;  /* of an origin that continues, checked: see saved_past.h; NULL:
                                    * none */
    struct history_budget *budget; /* hub_room_budget(), of its film; NULL: the hub makes one */
    const struct store_room *stored; /* the origin, if the hub's store has it; otherwise NULL */
    const char *code;                /* NULL: an unused one */
    uint64_t creator; /* of a room that continues: see struct store_room; else as `address` says */
    const char *address; /* of the creator. Unless the server trusts it (definition.trusted), it has
                          * limits: see directory_add(). NULL: none */
    bool listed;
    bool arrives; /* a room that continues comes from another node, while other rooms run here */
    uint64_t fingerprint; /* see struct store_room */
};

struct hub_made {
    enum directory_result result;
    struct directory_entry entry; /* with DIRECTORY_OK */
    char key[PROTO_KEY_MAX + 1];  /* the presenter key, with DIRECTORY_OK */
    uint32_t retry_after;         /* ms, with DIRECTORY_TOO_MANY */
    uint64_t
        boids_left;    /* with DIRECTORY_FULL: of the limit; UINT64_MAX: that was not the reason */
    bool boids_of_all; /* and the limit is that of all rooms, not the creator's share */
    struct proto_error error; /* with DIRECTORY_REFUSED: the origin's fault */
};

/* Makes and starts a room. Returns made->result. */
enum directory_result hub_make_room(struct hub *hub, const struct hub_making *making,
                                    struct hub_made *made);

/* Makes the lobby, of a hub with claim(): the caller has won its code. Returns false when memory
 * runs out. */
bool hub_make_lobby(struct hub *hub);

/* Takes over a saved room at any time: it continues under its code, if it gets a place
 * (directory.h) and its boids (budget_take_again()). film: the recording that it plays, or NULL.
 * past: its past, checked, or NULL; one that does not fit is left out, and logged. returning: its
 * members are connected and their links join again, as after hub_release_room(); a member whose
 * link has not joined within 15 s has left. false: the room has no members. Returns made->result.
 */
enum directory_result hub_adopt(struct hub *hub, const struct store_room *kept, struct film *film,
                                const struct recording *past, bool returning,
                                struct hub_made *made);

/* Receives a released room, on its runner's thread. The state is the callee's, and complete: with a
 * checksum. The film that the room plays is held for the callee; NULL: none. The past is the
 * callee's, to destroy before the hub; NULL: none. kept->state is NULL if
 * memory ran out, or if the room has ended: nothing was released then. */
typedef void hub_released(void *argument, const struct store_room *kept, struct film *film,
                          struct recording *past);

/* Gives up the room of that code without closing its members: their links wait for 10 s until a hub
 * adopts it, and join it again. The store keeps the room. Returns false if there is no such room,
 * the runner's mailbox is full or memory runs out. */
bool hub_release_room(struct hub *hub, const char *code, hub_released *released, void *argument);

/* As hub_release_room(), but a room stays unless it is bare: see room_is_bare(). kept->state is
 * NULL then. So a state that is not NULL holds nearly all of the room. */
bool hub_release_bare_room(struct hub *hub, const char *code, hub_released *released,
                           void *argument);

/* Continues a room of another node, as hub_adopt() with `returning`. Ids that people got after the
 * room was saved are not given to others. A lobby with other options begins again. */
enum directory_result hub_take_over(struct hub *hub, const struct store_room *kept,
                                    struct film *film, struct hub_made *made);

/* Passes the film that the room plays to held(). The room continues. kept->state is NULL. Without a
 * film, kept->code is "". */
bool hub_hold_film(struct hub *hub, const char *code, hub_released *held, void *argument);

/* The limits of a hub for the film or the past of a room of another node. */
struct hub_arrival {
    struct history_budget *budget; /* of the room, held; NULL: it gets neither */
    uint32_t boids_max;            /* that the room may have here */
    uint32_t people_max;           /* of a film: at a time */
    bool makes_way;                /* idle rooms end for the bytes */
};

/* Returns the limits for the room. If `bytes` do not fit, asks idle rooms to end; does not wait for
 * them. No room ends for a creator without the server's trust. The budget is NULL if memory runs
 * out. Any thread. */
struct hub_arrival hub_expect(struct hub *hub, const char *code, uint64_t creator, bool trusted,
                              size_t bytes);

/* Called on the runner's thread. The budget is NULL if there is no such room, or if it keeps no
 * past. */
typedef void hub_past_asked(void *argument, const struct hub_arrival *arrival);
typedef void hub_past_taken(void *argument, bool taken);

/* Asks the room for its limits for a past. Returns false if there is no such room, the runner's
 * mailbox is full or memory runs out. */
bool hub_ask_past(struct hub *hub, const char *code, hub_past_asked *asked, void *argument);

/* Gives a room its past, which came after it from another node: see room_take_earlier_past(). The
 * caller destroys the past after the call of taken(). Returns as hub_ask_past(). */
bool hub_give_past(struct hub *hub, const char *code, struct earlier_past *past,
                   hub_past_taken *taken, void *argument);

/* Drops the room of that code, which another node has: as hub_release_room(), but nothing is saved
 * or stored. dropped: called when the hub has it no longer, on its runner's thread; kept->state is
 * NULL. */
bool hub_drop_room(struct hub *hub, const char *code, hub_released *dropped, void *argument);

/* Sets whether rooms tick. While they do not, all else goes on. */
void hub_stand(struct hub *hub, bool stands);

/* Returns the bytes that all rooms hold: pasts, flocks, people, and what is lent of them. */
uint64_t hub_rooms_memory(const struct hub *hub);

/* Returns memory to the system if rooms have freed much. Must be called about once a second, by the
 * same thread. */
void hub_return_memory(struct hub *hub);

/* Returns the budget of all rooms' histories. */
struct history_budget *hub_history_budget(struct hub *hub);

/* Makes the budget of a new room of that creator: see directory_add(). The caller releases it.
 * Returns NULL when memory runs out. */
struct history_budget *hub_room_budget(struct hub *hub, const char *address, bool trusted);

/* Ends idle rooms of others for a room of that creator that lacks memory. Returns true if it will
 * be free in a moment. */
bool hub_make_way(struct hub *hub, const char *address, bool trusted, size_t bytes);

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
    bool by_server; /* `key` is the server's, as its shard has found: no try is counted */
    uint32_t message_count;
    struct proto_client_message messages[]; /* presenters' messages */
};

/* Whether the server's key is enough: to end, list or unlist a room. */
static inline bool hub_is_administration(const struct hub_request *request)
{
    return request->message_count == 0 && !request->has_join_key && !request->recording &&
           !request->branch;
}

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
    _Atomic uint64_t busy;     /* ns spent on rooms: events, ticks, snapshots, saving */
    struct histogram lateness; /* time from a tick's deadline to its start */
    struct histogram duration; /* of a tick with its snapshots */
};

/* Returns the store of the hub's definition. */
struct store *hub_store(const struct hub *hub);

uint32_t hub_runners(const struct hub *hub);
const struct runner_stats *hub_runner_stats(const struct hub *hub, uint32_t runner);

#endif
