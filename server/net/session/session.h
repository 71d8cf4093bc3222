/* A session: one WebSocket connection from upgrade to close. It has libwebsockets' callbacks, the
 * limits on what its client may send, and the path between its outlet and its socket. Must be used
 * on its shard's thread. */
#ifndef SESSION_H
#define SESSION_H

#include <libwebsockets.h>
#include <stddef.h>
#include <stdint.h>

#include "hub/link.h"
#include "hub/reply.h"
#include "net/gate/context.h"
#include "net/gate/place.h"
#include "net/gate/readers.h"
#include "net/session/intake.h"
#include "net/session/later.h"
#include "net/session/outlet.h"
#include "net/session/roster.h"
#include "protocol.h"

enum session_stage {
    SESSION_NEW,     /* no hello yet */
    SESSION_JOINING, /* the hub has its hello */
    SESSION_LIVE,    /* welcomed */
    SESSION_CLOSING, /* nothing is read; a close frame follows the pending frames */
};

enum session_ending {
    SESSION_ENDS,       /* its client must get its close frame, or it was dropped */
    SESSION_UNSENT,     /* its client has not taken what comes before the close frame */
    SESSION_UNANSWERED, /* its client has not answered the close frame */
    SESSION_NO_ENDING,
};

struct session {
    struct roster_entry entry; /* must be first: the roster's pointers are to it */
    struct lws *wsi;
    struct reader reader;
    int socket;          /* frames are written to it; -1 over TLS: libwebsockets writes them */
    uint8_t end;         /* enum end_reason: why it closes; END_NONE: the client closed it */
    uint8_t stage : 2;   /* enum session_stage */
    uint8_t eased : 4;   /* the level of its line that the room has received, … */
    uint8_t lowered : 2; /* … and that of the shard's overload */
    uint8_t fresh : 2;   /* calls of session_watch() until it is no newcomer */
    bool trusted : 1;    /* the server trusts presenters of its room: see place.h */
    bool read : 1;       /* bytes were read since session_listen() counted them */
    bool quiet : 1;      /* libwebsockets holds no part of a frame, pong or close frame */
    bool pending : 1;    /* its hello is kept: see pending.h */
    bool said : 1;       /* its close frame was sent: nothing may follow */
    bool dropped : 1;    /* it ends at the next turn without a further word */
    bool breaks : 1;     /* libwebsockets closes it */
    struct outlet outlet;
    struct later *later; /* answers that wait for a free slot of the link, or NULL */
    struct link *link;   /* to its room; NULL: before the hello, or after leaving */
    uint8_t *partial;    /* a fragmented message so far, or NULL */
    uint16_t partial_size;
    uint16_t close_code; /* 0: not known */
    union {
        struct intake intake;
        struct {
            struct list_item item; /* in a list of context->endings … */
            uint32_t due;          /* … until this time, in ms */
            uint8_t list;          /* which one: enum session_ending */
        } ending;                  /* in the stage SESSION_CLOSING */
    };
    /* Bytes; they wrap. */
    uint32_t heard;     /* received before the upgrade was answered, in messages, and in expected
                           pongs */
    uint32_t besides;   /* received outside those, when session_listen() counted them */
    struct place place; /* its slot */
};

/* The bytes of a session that sending a snapshot reads: four lines of a cache. */
#define SESSION_SENT offsetof(struct session, outlet.line.period_at)

/* Whether a session that has said hello is a pupil of a trusted room: see place.h. */
static inline bool session_is_pupil(const struct session *session)
{
    const struct reader_account *account = session->reader.account;

    return account != NULL && account->class == READERS_PUPILS;
}

/* Returns true if the client is a newcomer. The shard sends to these last, except pupils. */
static inline bool session_is_fresh(const struct session *session)
{
    return session->fresh > 0;
}

/* Returns the session's class in struct overload. The crowd of an address would slow all others of
 * a trusted room down. */
static inline enum overload_class session_class(const struct session *session)
{
    if (session_is_pupil(session)) {
        return OVERLOAD_PUPILS;
    }
    return session->trusted && !readers_are_crowd(&session->reader) ? OVERLOAD_TRUSTED
                                                                    : OVERLOAD_OTHERS;
}

/* The libwebsockets callback of the protocol flock.v1. */
int session_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t size);

/* Must be called when libwebsockets has freed a connection. Frees the session's memory. */
void session_gone(struct context *context, struct lws *wsi);

static inline struct session *session_of(struct roster_entry *entry)
{
    return (struct session *)(void *)entry;
}

/* Returns the session that has that slot. */
static inline struct session *session_at(struct place *place)
{
    return (struct session *)(void *)((char *)place - offsetof(struct session, place));
}

/* Takes over the reply and its frame, and sends the client what follows from it. */
void session_reply(struct context *context, struct session *session, struct hub_reply *reply);

/* Sends what the outlet has, while the client can take it. Does not remove the session from its
 * room. */
void session_flush(struct context *context, struct session *session);

/* As session_flush(), with the time in µs on the server's clock: for calls to many sessions. */
void session_flush_at(struct context *context, struct session *session, uint64_t now);

/* Must be called when the shard begins to work. After a standstill of the server, such as SIGSTOP,
 * it adds that time to every session's deadlines. */
void session_clock(struct context *context);

/* Must be called when the session's socket is ready, after session_clock(): see ready.h. */
void session_is_ready(struct context *context, struct session *session);

/* Reads from the sessions in line. The shard calls it once in each turn of its loop, and then
 * readers_turn() of context->readers. */
void session_read(struct context *context);

/* Must be called about once a second, or less often on a busy shard, with the time in µs on the
 * server's clock. Ends the session if it was silent for too long, before or after its hello, or
 * sends too many bytes outside messages. */
void session_watch(struct context *context, struct session *session, uint64_t now);

/* Ends the session without a goodbye if libwebsockets still sends and reads no more: see spin.h. */
void session_close_stuck(struct context *context, struct session *session);

/* Ends the session at once: without a close frame, or without waiting for its answer. */
void session_drop(struct context *context, struct session *session);

/* Ends a session whose slot another client has taken: see place_displaced(). */
void session_displaced(struct context *context, struct session *session);

/* Ends the session after its pending frames were sent, or after 2 s. */
void session_close(struct context *context, struct session *session, enum end_reason why);

/* Ends closed sessions for a few ms. Must be called by context->ender. */
void session_end_turn(struct context *context);

#endif
