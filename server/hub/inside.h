/* What a hub is made of; for the hub's own files, not for its users. */
#ifndef HUB_INSIDE_H
#define HUB_INSIDE_H

#include <stdatomic.h>
#include <uv.h>

#include "hub/hub.h"
#include "hub/queue.h"

enum event_type { EVENT_JOIN, EVENT_LEAVE, EVENT_CURSOR, EVENT_MESSAGE };

struct event {
    enum event_type type;
    uint64_t session;
    union {
        struct proto_cursor cursor;
        struct proto_client_message
            *message; /* of EVENT_JOIN and EVENT_MESSAGE: the event's, to free */
    };
};

/* What is for one shard to take. */
struct outbox {
    struct queue replies;
    _Atomic(struct state *) latest;
};

struct hub {
    struct hub_definition definition;
    uint64_t epoch; /* uv_hrtime() at which the server's clock was 0 */
    struct queue events;
    struct outbox *outboxes;
    uint32_t outbox_count; /* made so far: all shards' but while creating */
    atomic_bool stopping;
    _Atomic uint64_t ticked_at; /* µs */
    _Atomic uint64_t ticks;
    struct hub_stats stats;
    atomic_bool keys_wanted[STREAMS_MAX]; /* by a stream's place */
    uv_thread_t thread;

    /* The sim thread's own. */
    struct room *room;
    uint32_t *slots;                   /* the room's slot of each session's index */
    struct frame *frames[STATE_PARTS]; /* the newest of each part */
    uint32_t versions[STATE_PARTS];
    uint64_t dropped, reported_at;
};

/* Both on the sim thread: does what a session asks for, and frees the event's message (answer.c);
 * gives every shard the room as it is now, `time` being the tick's (publish.c). */
void hub_answer(struct hub *hub, const struct event *event);
void hub_publish(struct hub *hub, uint64_t time);

#endif
