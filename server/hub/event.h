/* What the network's threads ask of a runner, and the links that they ask it through; for the hub's
 * own files. */
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
    EVENT_LEAVE, /* the last word of a link, which is the runner's to free */
    EVENT_ROOM,  /* a new room, now the runner's */
    EVENT_REQUEST,
};

/* A session's way to a room. Its mailboxes keep places for the words that must not be lost:
 * EVENT_LEAVE; the welcome, and HUB_CLOSED. */
struct link {
    struct runner *runner;
    struct outbox *outbox; /* of the session's shard */
    uint64_t session, room;
    uint64_t origin;    /* see tries_origin() */
    room_member member; /* the runner's own; 0: not in the room, not yet or not any more */
    uint32_t person;    /* the runner's own: its id, once it has been in the room */
    uint32_t reserved;  /* the runner's own: places left for it in the outbox */
    uint32_t shard;
    const char *why;      /* the session leaves: a literal, or NULL */
    bool presenters_only; /* it may join with the room's key alone */
    bool closed;          /* the runner's own: HUB_CLOSED has been said */
    char address[];       /* where the session comes from, as text; short ones take less memory */
};

/* What is asked with a room's key by somebody who is not in it. */
struct request_event {
    struct hub_request *request; /* the event's, to free */
    struct hub_reply reply; /* the answer, filled as the request is done; the event's, to free */
    struct outbox *outbox;  /* where the answer goes: a place is kept for it */
    uint32_t shard;
    uint64_t room;
};

struct event {
    enum event_type type;
    struct link *link;
    union {
        struct proto_cursor cursor;
        struct proto_client_message *message; /* of a hello, too: the event's, to free */
        struct frame *answer;                 /* the event's, to release */
        uint32_t level, stream;
        struct runner_room *room;
        struct request_event *request; /* the event's, to free */
    };
};

#endif
