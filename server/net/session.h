/* A session: one WebSocket connection, from its upgrade to its end. It owes its client at most the
 * newest state and a few small messages; what a client cannot take in time is replaced, never
 * queued. On the shard's thread. */
#ifndef SESSION_H
#define SESSION_H

#include <libwebsockets.h>
#include <stddef.h>
#include <stdint.h>

#include "hub/hub.h"
#include "net/shard.h"
#include "protocol.h"

#define SESSION_PENDING_MAX 4

enum session_stage {
    SESSION_NEW,     /* no hello yet */
    SESSION_JOINING, /* the hub has the hello */
    SESSION_LIVE,    /* welcomed */
    SESSION_CLOSING, /* nothing more is read; a close frame follows what is pending */
};

struct session {
    struct lws *wsi;
    uint64_t id; /* as the hub knows it: generation << 32 | index + 1 */
    enum session_stage stage;
    bool joined; /* the hub has been told of it, and must be told of its end */
    bool ping_due, pong_due;
    bool flooding; /* the flood error has been sent */
    uint8_t pending_count;
    uint16_t close_code;
    int16_t close_turns;   /* left until it is closed with something still pending */
    uint16_t errors;       /* answered and not forgiven */
    uint16_t ignored;      /* messages past the rate limit */
    float allowance;       /* messages that may come at once */
    uint64_t allowance_at; /* µs */
    uint64_t erred_at;     /* µs: errors up to here have been forgiven */
    uint64_t pong;         /* what the latest ping asked to be returned */
    uint32_t stream;       /* the place of the stream that it is in */
    uint32_t offered;      /* sequence of the newest snapshot that there was to send */
    uint32_t settled; /* of the newest one of which it is known whether it is sent or skipped */
    bool streaming;   /* it is in one */
    bool following;   /* the client has that one, and can take a delta to it */
    uint8_t trusted_frames; /* sent since it was seen to have taken all: that many, … */
    uint32_t trusted_bytes; /* … of so many bytes */
    bool choked;       /* it has not taken what it was sent, and so did not get the one offered */
    uint64_t heard_at; /* µs: its last pong, or else its beginning */
    uint64_t stuck_at; /* µs: since when the client has not taken what is due; 0: it has */
    const char *close_reason;
    uint8_t *partial; /* a fragmented message so far, or NULL */
    size_t partial_size;
    uint32_t versions[STATE_PARTS]; /* sent */
    struct frame *pending[SESSION_PENDING_MAX];
};

/* The libwebsockets callback of the protocol flock.v1; the context's user is a struct shard. */
int session_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t size);

/* From now on snapshots are those of the stream that the reply names. */
void session_enter_stream(struct shard *shard, struct session *session,
                          const struct hub_reply *reply);

/* The session has ended: what it was offered and not sent has been skipped. */
void session_leave_stream(struct shard *shard, struct session *session);

/* Takes over the reply, and its frame. */
void session_reply(struct shard *shard, struct session *session, struct hub_reply *reply);

/* Sends whatever is pending, and of the shard's state what the client does not have yet and can
 * take now. */
void session_flush(struct shard *shard, struct session *session);

/* Asks for a pong, as soon as the client can take that. */
void session_ping(struct shard *shard, struct session *session);

/* Ends the session if it has been silent for too long by now (µs), at its beginning or since. */
void session_watch(struct session *session, uint64_t now);

/* Ends the session once what is pending has been sent, or could not be for two seconds. The reason
 * is a literal. */
void session_close(struct session *session, enum proto_close code, const char *reason);

#endif
