/* The events that shards send to a runner, and their links. For the hub's own files. */
#ifndef EVENT_H
#define EVENT_H

#include "hub/hub.h"
#include "hub/outbox.h"

enum event_type {
    EVENT_JOIN, /* message: the hello */
    EVENT_CURSOR,
    EVENT_MESSAGE,
    EVENT_ANSWER,
    EVENT_EASE,
    EVENT_WANT_KEY,
    EVENT_LEAVE, /* the last event of a link, which the runner then frees */
    EVENT_ROOM,  /* a new room, now owned by the runner */
    EVENT_REQUEST,
};

/* A session's connection to a room. Both mailboxes reserve slots for messages that must not be
 * lost: EVENT_LEAVE on the way there; the welcome and HUB_CLOSED on the way back. */
struct link {
    struct runner *runner;
    struct outbox *outbox; /* of the session's shard */
    uint64_t session, room;
    uint64_t origin;    /* see tries_origin() */
    room_member member; /* used by the runner; 0: not in the room */
    uint32_t person;    /* used by the runner: the id, after it has joined */
    uint32_t reserved;  /* used by the runner: reserved slots left in the outbox */
    uint32_t shard;
    const char *why;      /* why the session leaves: a literal, or NULL */
    bool presenters_only; /* it may join only with the room's key */
    bool closed;          /* used by the runner: HUB_CLOSED was sent */
    char address[];       /* the session's, as text; last, so that short ones save memory */
};

/* A request with a room's key, from outside the room. */
struct request_event {
    struct hub_request *request; /* owned by the event */
    struct hub_reply reply;      /* filled while the request is handled; owned by the event */
    struct outbox *outbox;       /* where the answer goes: a slot is reserved for it */
    uint32_t shard;
    uint64_t room;
};

struct event {
    enum event_type type;
    struct link *link;
    union {
        struct proto_cursor cursor;
        struct proto_client_message *message; /* also for a hello; owned by the event */
        struct frame *answer;                 /* owned by the event */
        uint32_t level, stream;
        struct runner_room *room;
        struct request_event *request; /* owned by the event */
    };
};

#endif
