/* A room as its runner has it: when it ticks, who is linked to it, and what it has cost. For the
 * runner's own files; on its thread, but for runner_room_make(), _take() and _drop(). */
#ifndef RUNNER_ROOM_H
#define RUNNER_ROOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hub/due.h"
#include "hub/event.h"
#include "hub/mailbox.h"
#include "room/room.h"
#include "store/store.h"

#define EVENTS_AT_ONCE 64u

struct indexer;

struct runner_definition {
    uint32_t threads; /* that share a tick */
    uint64_t epoch;   /* uv_hrtime() at which the server's clock was 0 */
    uint32_t rooms_max, sessions_max;
    uint64_t room_idle;  /* µs */
    uint32_t room_boids; /* that a created room may have */
    uint32_t shards;
    struct outbox *outboxes; /* one a shard */
    struct directory *directory;
    struct store *store;          /* NULL: nothing is kept */
    struct indexer *indexer;      /* of the recordings that rooms play */
    uint64_t checkpoint_interval; /* µs between two saved states of a room */
    void (*wake)(void *argument, uint32_t shard);
    void *argument;
};

struct runner;

struct runner_room {
    struct room *room;
    struct runner *runner;
    uint64_t number;
    char code[PROTO_ROOM_MAX + 1];
    const struct tries *tries; /* of all rooms */
    const char *asker;         /* address of the request that is done just now, or NULL */
    uint32_t tick_rate;
    bool lasts; /* it does not end because nobody is in it */

    struct link **links; /* by the member's index; NULL: none */
    uint32_t link_capacity;
    uint32_t *shard_members; /* how many of each shard's sessions are in it */

    size_t due_index;               /* DUE_NONE: it does not tick, for nobody is in it */
    bool costly;                    /* as its last tick took: see due.h */
    uint64_t tick_limit;            /* ns; UINT64_MAX: none */
    uint64_t base;                  /* ns on the server's clock: when its ticks are counted from */
    uint64_t tick;                  /* the next, since then */
    uint64_t deadline;              /* ns: of the next */
    uint64_t cost;                  /* ns that the last one took */
    struct runner_room *seeks_next; /* see runner_room_seeks() */
    bool seeks;

    uint64_t idle_since; /* µs */
    struct runner_room *idle_previous, *idle_next;
    bool idle; /* it is in the list of rooms that nobody is in, which end after room_idle */

    bool listed;
    uint64_t fingerprint; /* of the options that it was made from, or 0 */
    uint64_t kept_at;     /* µs: when its state was last handed to the store */

    uint64_t reported_at;            /* µs: since then … */
    uint64_t dropped, spent;         /* … so many ticks, and ns that those made took */
    uint32_t boids, people, changes; /* as last reported */
    uint64_t encoded, keys;          /* as last counted */
    struct room_stats *stats;
};

struct runner {
    struct runner_definition definition;
    struct mailbox mailbox; /* struct event */
    atomic_bool stopping;
    _Atomic uint64_t due_at; /* µs: when the next tick is due; UINT64_MAX: none */
    _Atomic uint64_t weight;
    struct runner_stats stats;
    uv_thread_t thread;

    /* Its thread's own. */
    struct room_workspace *workspace;
    struct event events[EVENTS_AT_ONCE]; /* taken together, those from event_next on still to do */
    size_t event_next, event_count;
    struct runner_room **rooms;     /* by slot; NULL: not this runner's */
    struct due due;                 /* those that tick */
    struct runner_room *idle_first; /* the room that nobody was in for longest */
    struct runner_room *idle_last;
    struct runner_room *seeks_first; /* rooms that may be on the way to a moment of their past */
    struct runner_room *seeks_last;
    bool *touched; /* shards that have something new to take */
};

/* The server's clock: µs. */
uint64_t runner_now(const struct runner *runner);

/* The room's clock: µs on the server's clock, but not later than the next tick, which gets its
 * deadline as its time even if it is late. So the times of a room's ticks and events never go back.
 */
uint64_t runner_room_now(const struct runner_room *room);

/* The shard has something new to take: it is woken before long. */
void runner_touch(struct runner *runner, uint32_t shard);

/* Makes a room for the runner, whose thread does not know of it yet. NULL when memory runs out;
 * else the caller hands it over with runner_room_take() or frees it with runner_room_drop(). */
struct runner_room *runner_room_make(struct runner *runner,
                                     const struct room_definition *definition, bool lasts);
/* The same, of a room as the store had it, which plays the film (NULL: none) on if it did; NULL
 * also when its state cannot be understood, which `what` says. */
struct runner_room *runner_room_restore(struct runner *runner,
                                        const struct room_definition *definition,
                                        const struct store_room *kept, struct film *film,
                                        char *what, size_t capacity);
/* The same, of a room that begins as the origin says; NULL also when it cannot, which *error says.
 */
struct runner_room *runner_room_begin(struct runner *runner,
                                      const struct room_definition *definition,
                                      const struct hub_origin *origin, bool lasts,
                                      struct proto_error *error);
bool runner_room_take(struct runner *runner, struct runner_room *room);
void runner_room_drop(struct runner_room *room);

/* The room is one of the runner's from now on, with nobody in it. */
void runner_room_enter(struct runner_room *room);

/* What the room says to its members goes to their links; its argument is the struct runner_room. */
extern const struct room_sink runner_room_sink;

void runner_room_join(struct runner_room *room, struct link *link, const struct proto_hello *hello);
void runner_room_leave(struct runner_room *room, struct link *link);

/* Sends an answer that the session made itself to the link's member, behind everything that the
 * room has sent it so far. Takes the frame over. */
void runner_room_answer(struct runner_room *room, const struct link *link, struct frame *answer);

/* Answers a join whose room has ended. */
void runner_room_gone(struct runner *runner, struct link *link);

/* Whether a request has the room's key: PROTO_OK, PROTO_E_KEY or, *wait seconds before it may try
 * again, PROTO_E_FLOOD. */
enum proto_code runner_room_try_key(const struct runner_room *room,
                                    const struct hub_request *request, uint32_t *wait);

/* Makes the tick that is due, and its snapshot. `now` and the result, then, are ns on the server's
 * clock. */
uint64_t runner_room_tick(struct runner_room *room, uint64_t now);

/* The room may be seeking a moment of its past: the runner calls runner_seek() whenever it has
 * nothing else to do. */
void runner_room_seeks(struct runner_room *room);

/* Does a bounded piece of work for one room that seeks. False: none does. */
bool runner_seek(struct runner *runner);

/* The room is not one of those any more. */
void runner_room_seeks_no_more(struct runner_room *room);

/* Tells the directory what is new about it. */
void runner_room_report(struct runner_room *room);

/* Its ticks begin, with one in a moment. */
void runner_room_start(struct runner_room *room);

/* Its ticks end if nobody is left in it: after something that can end a membership. */
void runner_room_rest(struct runner_room *room);

/* Hands its state to the store, if there is one; or if it is time to. */
void runner_room_keep(struct runner_room *room);
void runner_room_keep_if_due(struct runner_room *room);

/* Closes whoever is in it, and frees it. The reason is a literal. */
void runner_room_end(struct runner_room *room, const char *reason);

#endif
