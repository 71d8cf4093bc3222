/* A room of a runner: when it ticks, which seats it has, and what it costs. For the
 * runner's own files. Must be used on its thread, except runner_room_make(), _take() and _drop().
 */
#ifndef RUNNER_ROOM_H
#define RUNNER_ROOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "hub/event.h"
#include "hub/mailbox.h"
#include "hub/queue.h"
#include "hub/turns.h"
#include "room/room.h"
#include "store/store.h"

struct indexer;

struct runner_definition {
    uint32_t threads;     /* that share a tick */
    uint64_t clock_start; /* uv_hrtime() when the server's clock was 0 */
    uint32_t rooms_max, sessions_max;
    uint64_t room_idle;  /* µs */
    uint64_t unjoined;   /* µs; 0: room_idle */
    uint32_t room_boids; /* limit of a created room */
    uint32_t shards;
    struct outbox *outboxes; /* one for each shard */
    struct directory *directory;
    struct store *store;          /* NULL: nothing is stored */
    struct indexer *indexer;      /* of the recordings that rooms play */
    uint64_t checkpoint_interval; /* µs between two checkpoints of a room */
    uint64_t checkpoint_soon;     /* see struct hub_definition */
    uint64_t past_interval;       /* see struct hub_definition */
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
    uint64_t made_by;          /* number of its creator; 0: not known */
    bool trusted;              /* the server trusts its creator */
    struct creator *creator;   /* held, as the budget of its past; NULL until it is made */
    struct history_budget *budget;
    const char *asker; /* address of the request that is handled now, or NULL */
    uint32_t tick_rate;
    bool lasts;  /* it does not end when it has no members */
    bool joined; /* it was once, or it was restored, or the server trusts it */

    struct seat **seats; /* by the member's index; NULL: none */
    size_t seat_capacity;
    uint32_t *shard_members; /* number of members by shard */

    struct turn turn;        /* with the deadline of its next tick, if it runs */
    struct account *account; /* until turns_enter() */
    struct queue queue;      /* events that wait */
    bool ticked;             /* its last turn was a tick */
    uint64_t tick_limit;     /* ns; UINT64_MAX: none */
    uint32_t given_up;       /* ticks in a row that took more than their share */
    uint64_t base;           /* ns on the server's clock: time of tick 0 */
    uint64_t tick;           /* number of the next tick */
    uint64_t cost;           /* ns: of the last tick */
    struct room_view *view;  /* the newest; NULL: none */
    struct list_item seeks;  /* in runner->seekers: see runner_room_seeks() */

    uint64_t idle_since;   /* µs */
    struct list_item idle; /* in runner->idle */

    bool listed;
    uint64_t fingerprint;       /* of the options that it was made from, or 0 */
    bool renewed;               /* this start's options differ from what was saved with it */
    bool kept;                  /* the store has its present state; not while it runs */
    uint64_t keep_at;           /* µs: when its state is next given to the store */
    size_t kept_size;           /* bytes of the state that the store got last */
    bool leaves;                /* it goes to another hub: its state has its undo */
    bool forsaken;              /* another node has the room: the store gets no more of it */
    uint64_t past_due;          /* µs: when its past is given to the store */
    struct list_item past_item; /* in runner->unsaved */

    uint64_t expects_until; /* µs: then members without a seat leave; 0: none is expected */

    uint64_t reported_at;            /* µs: beginning of the report's period */
    uint64_t dropped, spent;         /* overdue ticks skipped since then, and ns of all ticks */
    uint32_t boids, people, changes; /* as last reported */
    uint64_t encoded, keys;          /* as last counted */
    struct room_stats *stats;
};

struct runner {
    struct runner_definition definition;
    struct mailbox mailbox; /* struct event */
    atomic_bool stopping;
    atomic_bool halted;       /* its rooms do not tick: see hub_stand() */
    _Atomic uint64_t turn_at; /* µs: when the present turn began; UINT64_MAX: there is none */
    _Atomic uint64_t weight;
    struct runner_stats stats;
    uv_thread_t thread;

    /* For its thread only. */
    struct room_workspace *workspace;
    struct seats seats;
    struct runner_room **rooms; /* by slot; NULL: not this runner's */
    struct turns turns;         /* of the rooms */
    struct queue_memory queues;
    /* runner_handle(), so that the files which it calls can call it */
    void (*handle)(struct runner *runner, struct runner_room *room, const struct waiting *waiting);
    struct runner_room *current; /* has the turn; NULL: none, or it has ended */
    uint64_t begun;              /* ns: work since then is not charged yet */
    struct list idle;     /* rooms that end after room_idle without members; the first is first */
    struct list unjoined; /* rooms without a first member; they end earlier */
    struct list unsaved;  /* rooms whose past may have grown; the first is due first */
    struct list seekers;  /* rooms that may seek a moment of their past, in turn */
    bool *touched;        /* by shard: it has something new to take */
    bool urgent;          /* a trusted room has had a turn since shards were woken */
};

/* Whether the room ticks: it has members. */
static inline bool runner_room_runs(const struct runner_room *room)
{
    return room->turn.deadline != TURNS_NEVER;
}

/* Return the server's clock in ns, and in µs. */
uint64_t runner_time(const struct runner *runner);
uint64_t runner_now(const struct runner *runner);

/* Returns the room's clock: µs on the server's clock, but not later than the next tick's deadline,
 * which is that tick's time even if it runs late. So the times of a room's ticks and events never
 * go back. */
uint64_t runner_room_now(const struct runner_room *room);

/* Notes that the shard has something new to take; it is woken soon. */
void runner_touch(struct runner *runner, uint32_t shard);

/* Makes a room for a runner, whose thread does not know it yet; lasts: it does not end when it has
 * no members. The origin's time is filled in. Returns NULL, with *error filled, if the room cannot
 * be made: see room_create(). Else the caller calls runner_room_take() to hand it over, or
 * runner_room_drop() to free it. */
struct runner_room *runner_room_make(struct runner *runner,
                                     const struct room_definition *definition, bool lasts,
                                     const struct room_origin *origin, struct proto_error *error);
/* Sets the account of a new room: rooms with the same creator share one. creator: 0 is unknown. */
void runner_room_made_by(struct runner_room *room, uint64_t creator, bool trusted);

/* Notes what the store has of a new room that continues. */
void runner_room_stored(struct runner_room *room, const struct store_room *stored);

bool runner_room_take(struct runner *runner, struct runner_room *room);
void runner_room_drop(struct runner_room *room);

/* Ends rooms that have had no members for too long. Returns when the next room's time comes (ns);
 * UINT64_MAX: there is none. */
uint64_t runner_room_end_idle(struct runner *runner);

/* Returns true if the server trusts the presenters of the room of that code. With open controls,
 * every member is one. */
bool runner_room_trusts(const char *code, const struct room *room);

/* Ends a room that gives way, unless people use it. */
void runner_room_give_way(struct runner_room *room);

/* Notes that a client has joined or steered the room. */
void runner_room_used(struct runner_room *room);

/* Adds a new room without members to the runner. */
void runner_room_enter(struct runner_room *room);

/* Passes the room's messages to its members' seats. Its argument is the struct runner_room. */
extern const struct room_sink runner_room_sink;

/* Lets the session of a seat, which the runner has, into the room, or closes it. */
void runner_room_join(struct runner_room *room, struct seat *seat, const struct joining *joining);
void runner_room_leave(struct runner_room *room, struct seat *seat, enum end_reason why);

/* Sends the seat's member an answer that its session made, after all that the room has sent it so
 * far. Takes over the frame. */
void runner_room_answer(struct runner_room *room, const struct seat *seat, struct frame *answer);

/* Removes the members whose links have not come back to a room that was released, once it is time.
 */
void runner_room_expect_no_more(struct runner_room *room);

/* Empties all seats of the room; their links join it again elsewhere. */
void runner_room_move_seats(struct runner_room *room);

/* Compares a request's key with the room's key, unless the server's key opens it. Returns
 * PROTO_OK, PROTO_E_KEY, or PROTO_E_FLOOD if the next try is possible in *wait seconds. */
enum proto_code runner_room_try_key(const struct runner_room *room,
                                    const struct hub_request *request, uint32_t *wait);

/* Puts an event for the room in its queue. If the queue is too long, or the share of the room's
 * account is taken, a cursor replaces the one before, a join or a request is refused, and a session
 * that sends anything else is disconnected, unless it has sent less than others. seat: see struct
 * waiting. */
void runner_room_enqueue(struct runner_room *room, const struct event *event, struct seat *seat);

/* Takes the events out of the mailbox and puts each in its room's queue. */
void runner_take_events(struct runner *runner);

/* Handles events of the room that has the turn, for 1 ms or until the room ends. now: ns on the
 * server's clock. */
void runner_room_handle_events(struct runner_room *room, uint64_t now);

/* Handles an event. room: NULL if it is not, or no longer, on this runner. */
void runner_handle(struct runner *runner, struct runner_room *room, const struct waiting *waiting);

/* Frees an event that is not handled, because the runner ends. */
void runner_drop_event(const struct waiting *waiting);

/* Returns the server's clock in ns, and begins work for which a room pays. */
uint64_t runner_begin(struct runner *runner);

/* Charges the room for the time since runner_begin(), or since the last charge: see turns.h.
 * Returns the server's clock in ns. */
uint64_t runner_room_charge(struct runner_room *room);

/* Runs the tick that is due, and makes its snapshot. now: ns on the server's clock. */
void runner_room_tick(struct runner_room *room, uint64_t now);

/* Notes that the room may seek a moment of its past: the runner calls runner_seek() while it has
 * nothing else to do. */
void runner_room_seeks(struct runner_room *room);

/* Does a short step for one room that seeks. Returns false if none does. */
bool runner_seek(struct runner *runner);

/* Removes the room from the rooms that seek. */
void runner_room_seeks_no_more(struct runner_room *room);

/* Updates the room's facts in the directory. */
void runner_room_report(struct runner_room *room);

/* Begins the room's ticks, with the first one soon. */
void runner_room_start(struct runner_room *room);

/* Ends the room's ticks if it has no members. Must be called after a member may have left. */
void runner_room_rest(struct runner_room *room);

/* Gives the room's state to the store, which may be NULL, unless it has that state: now, or if a
 * checkpoint is due. */
void runner_room_keep(struct runner_room *room);
void runner_room_keep_if_due(struct runner_room *room);

/* Notes that people have changed the room: see checkpoint_soon in struct hub_definition. */
void runner_room_keep_soon(struct runner_room *room);

/* Notes that the room's past grows: it is due for the store after an interval. */
void runner_room_grows(struct runner_room *room);

/* Returns what the store keeps of the room. The caller adds the state. */
struct store_room runner_room_describe(const struct runner_room *room);

/* Stores the room as hub_released() receives it: state and past are the caller's, and the film is
 * held for it. Returns false when memory runs out. */
bool runner_room_pack(struct runner_room *room, struct store_room *kept, struct film **film,
                      struct recording **past);

/* Frees a room whose seats have moved, without ending it. */
void runner_room_give_up(struct runner_room *room);

/* Closes the room's sessions and frees the room. */
void runner_room_end(struct runner_room *room, enum end_reason why);

#endif
