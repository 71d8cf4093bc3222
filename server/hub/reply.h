/* Messages from rooms to one session, and the hub's answers to requests. Any thread; a reply
 * belongs to one thread at a time. */
#ifndef REPLY_H
#define REPLY_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/ends.h"
#include "past/recording.h"
#include "protocol.h"
#include "room/room.h"

enum hub_reply_type {
    HUB_TOLD,   /* frame: for the session; grant, if `granted` */
    HUB_CLOSED, /* close the session for that reason, after `frame` unless NULL */
    HUB_MOVED,  /* for the link: the room is not here; the link leaves, and joins again elsewhere */
    HUB_LEFT,   /* for the link, after HUB_MOVED: nothing follows from here */
    HUB_ANSWER, /* answers hub_ask(): answer */
};

/* Whether the server trusts a room's presenters: see place.h. */
enum hub_trust {
    HUB_TRUST_UNKNOWN, /* the room's node has not said it: it has an earlier release */
    HUB_DISTRUSTS,
    HUB_TRUSTS,
};

/* The stream that a session is granted, and with a welcome (stream.joined) its clock. */
struct hub_grant {
    struct room_grant stream;
    int64_t ahead; /* µs: the clock of the room's snapshots less this server's clock */
};

/* The answer to hub_ask(). The receiver owns what it points to. */
struct hub_answer {
    /* PROTO_OK, or the code of a refusal. PROTO_E_ROOM: the room has ended. PROTO_E_KEY: the key is
     * wrong. PROTO_E_FLOOD: after many wrong keys, the next key is compared in `wait` seconds; but
     * with error->after, the room refuses a message so long. */
    struct proto_error *error;
    uint32_t wait;
    struct recording *recording; /* if requested */
    /* If a branch was requested: the room's state, and facts of its flock. */
    uint8_t *state;
    size_t state_size;
    uint32_t boids, model; /* model: index in flock_models */
    char *join_key;        /* the room's, perhaps concealed, malloc'ed; "": none */
};

static inline void hub_answer_finish(struct hub_answer *answer)
{
    free(answer->error);
    recording_destroy(answer->recording);
    free(answer->state);
    free(answer->join_key);
}

/* An outbox has slots for several replies of each session. */
struct hub_reply {
    enum hub_reply_type type;
    enum end_reason why;
    uint64_t session;    /* or the ticket */
    struct frame *frame; /* owned by the receiver */
    bool presenter;      /* HUB_TOLD: the member is a presenter now */
    bool granted;        /* HUB_TOLD: it comes with the grant */
    uint8_t trust;       /* enum hub_trust: of the room; with a welcome only */
    union {
        struct hub_grant grant;
        struct hub_answer answer; /* HUB_ANSWER */
    };
};

static_assert(sizeof(struct hub_reply) <= 104, "memory of a client: docs/FIGURES.md");

#endif
