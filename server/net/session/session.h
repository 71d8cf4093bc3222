/* A session: one WebSocket connection, from its upgrade to its end: libwebsockets' callbacks, the
 * limits on what its client may send, and the way between its outlet and its socket. On its shard's
 * thread. */
#ifndef SESSION_H
#define SESSION_H

#include <libwebsockets.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ip.h"
#include "net/gate/context.h"
#include "net/session/intake.h"
#include "net/session/later.h"
#include "net/session/outlet.h"
#include "net/session/roster.h"
#include "protocol.h"

/* Why sessions end when flockd does. */
#define SESSION_STOPPING "the server is shutting down"

enum session_stage {
    SESSION_NEW,     /* no hello yet */
    SESSION_JOINING, /* the hub has the hello */
    SESSION_LIVE,    /* welcomed */
    SESSION_CLOSING, /* nothing more is read; a close frame follows what is pending */
};

struct session {
    struct roster_entry entry; /* the first: the roster's pointers are to it */
    struct lws *wsi;
    struct outlet outlet;
    struct later *later; /* its own answers for which there was no place in line, or NULL */
    struct link *link;   /* its way to its room; NULL: it has asked for none, or left */
    const char *close_reason;
    uint8_t *partial; /* a fragmented message so far, or NULL */
    uint16_t partial_size;
    uint16_t close_code; /* 0: not known yet */
    int16_t close_turns; /* left until it is closed with something still pending */
    uint8_t stage;       /* enum session_stage */
    uint8_t eased;       /* the level that the room knows of */
    uint8_t place;       /* enum place */
    bool trusted;        /* presenters of its room have the server's trust: see crowd.h */
    bool presents;       /* so it is counted as such a presenter */
    bool watched;        /* what it sends besides messages was looked at a second ago */
    uint32_t opened_at;  /* ms on the server's clock, which wrap */
    struct intake intake;
    /* Bytes, which wrap. */
    uint32_t upgraded; /* that had come before the upgrade was answered */
    uint32_t heard;    /* in messages since then, and in pongs that were asked for */
    uint32_t besides;  /* all that had come since then, less those, when it was last looked at */
    struct ip network; /* that it has its place as one of: see ip_network() */
};

/* The libwebsockets callback of the protocol flock.v1. */
int session_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t size);

static inline struct session *session_of(struct roster_entry *entry)
{
    return (struct session *)(void *)entry;
}

/* Takes over the reply, and its frame, and sends what comes of it. */
void session_reply(struct context *context, struct session *session, struct hub_reply *reply);

/* Sends whatever the outlet has that the client can take now. Does not take the session out of its
 * room. */
void session_flush(struct context *context, struct session *session);

/* The same for one of many, with the time in µs on the server's clock. */
void session_flush_at(struct context *context, struct session *session, uint64_t now);

/* To be called when the shard begins to do something: whoever it has not looked at because it stood
 * still itself, as after SIGSTOP, is given that time. */
void session_clock(struct context *context);

/* Once a second: ends the session if it has been silent for too long, at its beginning or since, or
 * sends too much that is no message. */
void session_watch(struct context *context, struct session *session);

/* Ends the session because its place was taken: see place_yield(). */
void session_yield(struct context *context, struct session *session);

/* Ends the session once what is pending has been sent, or could not be for two seconds. The reason
 * is a literal. */
void session_close(struct context *context, struct session *session, enum proto_close code,
                   const char *reason);

#endif
