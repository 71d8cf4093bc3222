/* An outlet: what a session's client should be sent next. It keeps what the client has, compares it
 * with the room's view, and owes it at most the newest snapshot and a few small frames: what the
 * client cannot take in time is left out and counted, never queued.
 *
 * Pure: it knows no socket and no clock. Whoever has the socket asks outlet_next() for as long as
 * the socket takes messages, sends what comes and says so with outlet_sent(). A shard's thread owns
 * it; it holds the frames that are pending, and borrows those of the view. */
#ifndef OUTLET_H
#define OUTLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/gate/counts.h"
#include "net/session/line.h"
#include "room/room.h"
#include "room/view.h"

/* What waits for a socket that takes nothing: a client that lets it come to more is not reading. */
#define OUTLET_PENDING_MAX   64u    /* frames */
#define OUTLET_PENDING_BYTES 65536u /* of them together */

struct outlet_pending;

/* µs on the server's clock as a line counts time. */
static inline uint32_t outlet_ms(uint64_t time)
{
    return (uint32_t)(time / 1000);
}

struct outlet {
    uint32_t stream;    /* the id of the stream that it is in */
    uint32_t offered;   /* sequence of the newest snapshot that there was to send */
    uint32_t settled;   /* of the newest one of which it is known whether it is sent or skipped */
    bool streaming;     /* it is in one */
    bool following;     /* the client has that one, and can take a delta to it */
    bool lost;          /* but it has asked for a keyframe since the latest one */
    bool choked;        /* the one offered does not fit just now */
    bool presence_turn; /* a snapshot was sent since the last presence */
    bool pong_due;      /* the client's ping has to be answered */
    bool ended;         /* nothing follows but what is pending */
    uint8_t trusted_frames; /* sent since the client was seen to have taken all: that many, … */
    uint32_t trusted_bytes; /* … of so many bytes */
    uint32_t key_asked;     /* when `offered` was that, a keyframe was asked for */
    uint32_t keyed_at;      /* ms: when the latest keyframe was sent */
    uint32_t presence;      /* sequence of the list of people that the client has; 0: none */
    uint32_t events;        /* number of the newest event that it has */
    uint32_t versions[VIEW_PARTS]; /* that it has */
    uint64_t pong;                 /* what its latest ping asked to be returned */
    struct outlet_pending *pending;
    struct line line;
};

/* What goes on around an outlet while it sends. */
struct outlet_turn {
    const struct room_view *view; /* the room's newest; NULL: none yet */
    struct counts *counts;
    uint64_t now;                 /* µs on the server's clock */
    size_t (*unsent)(void *line); /* bytes that the kernel holds and has not sent */
    void *line;
};

enum outlet_type {
    OUTLET_NOTHING, /* the client has what it should have, or cannot take more */
    OUTLET_PENDING, /* these have a frame, to be sent as it is … */
    OUTLET_PART,
    OUTLET_EVENT,
    OUTLET_PRESENCE,
    OUTLET_KEYFRAME,
    OUTLET_DELTA,
    OUTLET_PONG,     /* a message `pong` that returns `number` */
    OUTLET_PING,     /* a WebSocket ping with `number` */
    OUTLET_WANT_KEY, /* nothing to send: ask the room for a keyframe of `stream` */
};

struct outlet_item {
    enum outlet_type type;
    struct frame *frame; /* borrowed, or NULL */
    size_t size;         /* bytes of the frame */
    uint32_t stream;
    uint64_t number; /* version, sequence or number of what is sent */
    uint32_t part;   /* of OUTLET_PART: enum view_part */
};

/* For a session that begins. `spread`: see line_init(). */
void outlet_init(struct outlet *outlet, uint32_t spread, uint64_t now);

/* Takes the memory that the next outlet_push() needs. False when there is none. */
bool outlet_reserve(struct outlet *outlet);

/* Releases what is pending. */
void outlet_finish(struct outlet *outlet);

/* Puts a small frame in line, taking it over. False when it cannot be queued: the session must end,
 * because the client would miss something. */
bool outlet_push(struct outlet *outlet, struct frame *frame);

/* A message of the client's asked for a pong. */
void outlet_ping(struct outlet *outlet, uint64_t t);

/* From now on snapshots are those that the grant says. */
void outlet_grant(struct outlet *outlet, const struct room_grant *grant, struct counts *counts,
                  uint64_t now);

/* Nothing follows but what is pending: what the client was offered and not sent has been skipped.
 */
void outlet_end(struct outlet *outlet, struct counts *counts);

/* Counts what the view has for the client. */
void outlet_view(struct outlet *outlet, const struct outlet_turn *turn);

/* What to send now. It stays the same until outlet_sent() says that it was sent (or asked for). */
struct outlet_item outlet_next(struct outlet *outlet, const struct outlet_turn *turn);

/* The item was sent, in so many bytes (0 of OUTLET_WANT_KEY). */
void outlet_sent(struct outlet *outlet, const struct outlet_turn *turn,
                 const struct outlet_item *item, size_t size);

/* The socket takes nothing now. */
void outlet_blocked(struct outlet *outlet, const struct outlet_turn *turn);

/* The pong to the ping of that number has come. Returns whether it is time to send again. */
bool outlet_pong(struct outlet *outlet, uint32_t number, uint64_t now);

/* Whether something waits that only the socket keeps from being sent. */
bool outlet_is_pending(const struct outlet *outlet);

#endif
