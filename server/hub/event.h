/* The events that shards send to a runner, or to the far end (far.h). For the files of hub/ and
 * cluster/. */
#ifndef EVENT_H
#define EVENT_H

#include "hub/hub.h"
#include "hub/seat.h"

enum event_type {
    EVENT_JOIN,
    EVENT_CURSOR,
    EVENT_MESSAGE,
    EVENT_ANSWER,
    EVENT_EASE,
    EVENT_WANT_KEY,
    EVENT_LEAVE, /* the last event of a link: its slot in the mailbox is reserved */
    EVENT_ROOM,  /* a new room, now owned by the runner */
    EVENT_REQUEST,
    EVENT_RELEASE,
    EVENT_GIVE_WAY, /* a room must end, for a new one, unless people use it */
    EVENT_PAST,     /* the past of a room that came from another hub */
};

/* A session that asks to join. */
struct joining {
    struct seat *seat;    /* owned by the event until the runner takes it */
    uint64_t origin;      /* see tries_origin() */
    bool presenters_only; /* it may join only with the room's key */
    bool again;           /* it was welcomed before: its client waits for no welcome */
    bool by_server;       /* its seat has the lane of the server's rooms: see outbox.h */
    struct tries_pass pass;
    struct proto_hello hello;
};

/* A request with a room's key, from outside the room. */
struct request_event {
    struct hub_request *request; /* owned by the event */
    struct hub_answer answer;    /* filled while the request is handled; owned by the event */
    uint64_t ticket;
    struct mailbox *replies; /* where the answer goes: a slot is reserved for it */
    uint32_t shard;
    uint64_t room;
};

enum release {
    RELEASE_ALWAYS, /* hub_release_room() */
    RELEASE_BARE,   /* hub_release_bare_room() */
    RELEASE_DROP,   /* hub_drop_room() */
    RELEASE_FILM,   /* hub_hold_film() */
};

/* A room that the runner gives up. */
struct release_event {
    uint64_t room;
    enum release release;
    hub_released *released;
    void *argument;
};

/* A past that comes after its room, or the question whether it may. */
struct past_event {
    uint64_t room;
    struct earlier_past *past; /* NULL: hub_ask_past() */
    hub_past_asked *asked;
    hub_past_taken *taken;
    void *argument;
};

struct event {
    enum event_type type;
    uint32_t shard;   /* with `session`: the seat that it is for, except EVENT_JOIN, … */
    uint64_t session; /* … EVENT_ROOM, EVENT_REQUEST, EVENT_RELEASE and EVENT_PAST */
    union {
        struct joining *joining; /* owned by the event */
        struct proto_cursor cursor;
        struct proto_client_message *message; /* owned by the event */
        struct frame *answer;                 /* owned by the event */
        uint64_t room_number;
        struct room_ease ease;
        uint32_t stream;
        enum end_reason why;
        struct runner_room *room;
        struct request_event *request; /* owned by the event */
        struct release_event *release; /* owned by the event */
        struct past_event *past;       /* owned by the event */
    };
};

/* Frees an event's data, whether or not the event was handled. */
void event_free(const struct event *event);
void request_event_free(struct request_event *event);

#endif
