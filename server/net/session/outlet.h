/* An outlet: what a session's client should be sent next. It knows what the client has, compares it
 * with the room's view, and owes it at most the newest snapshot and a few small frames. Snapshots
 * that the client cannot take in time are dropped and counted, never queued.
 *
 * Pure: it knows no socket and no clock. The owner of the socket calls outlet_next() while the
 * socket takes messages, sends the result and calls outlet_sent(). A shard's thread owns it. It
 * owns the pending frames and borrows the view's frames. */
#ifndef OUTLET_H
#define OUTLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/gate/counts.h"
#include "net/session/line.h"
#include "room/room.h"
#include "room/view.h"

/* Limits of the pending frames. A client that exceeds them is not reading. */
#define OUTLET_PENDING_MAX   64u    /* frames */
#define OUTLET_PENDING_BYTES 65536u /* bytes of all pending frames */

/* No boid has this number. */
#define OUTLET_NO_PICK UINT32_MAX

struct outlet_pending;

/* Converts µs on the server's clock to the ms of a line. */
static inline uint32_t outlet_ms(uint64_t time)
{
    return (uint32_t)(time / 1000);
}

struct outlet {
    struct outlet_pending *pending;
    uint64_t pong;          /* value of the client's latest ping, to be returned */
    uint32_t stream;        /* id of its stream */
    uint32_t offered;       /* sequence of the newest snapshot that was due */
    uint32_t settled;       /* sequence of the newest snapshot that was sent or skipped */
    bool streaming : 1;     /* it has a stream */
    bool following : 1;     /* the client has `settled`, and can take a delta to the next */
    bool lost : 1;          /* the client asked for a keyframe since the latest keyframe */
    bool choked : 1;        /* the snapshot that is due was held back */
    bool presence_turn : 1; /* a snapshot was sent since the last presence */
    bool pong_due : 1;      /* the client's ping must be answered */
    bool ended : 1;         /* nothing but pending frames is sent */
    bool picked : 1;        /* the room has accepted a pick, which has not ended */
    uint8_t parts_sent : VIEW_PARTS;   /* parts that were sent since the last snapshot */
    uint8_t trusted_frames : 5;        /* snapshots since the kernel was last seen empty, … */
    uint16_t trusted_bytes;            /* … and their bytes, as far as they matter */
    uint16_t topics : VIEW_TOPICS;     /* that the client subscribed to */
    uint16_t topic_turn : VIEW_TOPICS; /* of these none was sent since the last snapshot */
    uint16_t large_time : 6; /* s until the share has paid for the last list of members or room */
    uint16_t list_turn : 1;  /* a room was sent since the last list: the list is next */
    uint32_t key_asked;      /* value of `offered` at the latest request for a keyframe */
    uint32_t keyed_at;       /* ms: time of the latest keyframe */
    uint32_t presence;       /* sequence of the list of members that the client has; 0: none */
    uint32_t events;         /* number of the newest event that the client has */
    uint32_t versions[VIEW_PARTS];        /* versions that the client has */
    uint16_t topic_versions[VIEW_TOPICS]; /* that the client has, short: see short_of(); 0: none */
    uint32_t pick; /* the boid that the client asked for last; OUTLET_NO_PICK: none */
    struct line line;
};

/* The surroundings of an outlet while it sends. */
struct outlet_turn {
    const struct room_view *view; /* the room's newest; NULL: none yet */
    struct counts *counts;
    uint64_t now;                 /* µs on the server's clock */
    uint64_t late;                /* µs: what arrived earlier than that was read: see line.h */
    bool fresh;                   /* a newcomer: what it misses is no sign of overload */
    bool unread;                  /* something of the client has waited for long: a pong, perhaps */
    size_t (*unsent)(void *line); /* bytes that the kernel holds and has not sent */
    uint32_t (*queued)(void *line); /* bytes that the client's kernel has not acknowledged */
    void *line;
};

enum outlet_type {
    OUTLET_NOTHING, /* the client has all, or cannot take more */
    OUTLET_PENDING, /* from here to OUTLET_TOPIC: send the frame unchanged */
    OUTLET_PART,
    OUTLET_EVENT,
    OUTLET_PRESENCE,
    OUTLET_KEYFRAME,
    OUTLET_DELTA,
    OUTLET_TOPIC,
    OUTLET_PONG,     /* send a message `pong` with `number` */
    OUTLET_PING,     /* send a WebSocket ping with `number` */
    OUTLET_WANT_KEY, /* send nothing: request a keyframe of `stream` from the room */
};

struct outlet_item {
    enum outlet_type type;
    struct frame *frame; /* borrowed, or NULL */
    size_t size;         /* bytes of the frame */
    uint32_t stream;
    uint64_t number; /* version, sequence or number of the item */
    uint32_t part;   /* of OUTLET_PART: enum view_part; of OUTLET_TOPIC: enum view_topic */
};

/* Initialises an outlet for a new session. `spread`: see line_init(). */
void outlet_init(struct outlet *outlet, uint32_t spread, uint64_t now);

/* Allocates the memory that the next outlet_push() needs. Returns false if memory runs out. */
bool outlet_reserve(struct outlet *outlet);

/* Releases the pending frames. */
void outlet_finish(struct outlet *outlet);

/* Takes over a small frame and queues it. Returns false, and releases it, if the queue is full:
 * then the session must end, because the client would miss something. A frame that says that the
 * room has done a pick, or ended one, also begins or ends the explanations. */
bool outlet_push(struct outlet *outlet, struct frame *frame);

/* Notes that the client's message asks for a pong. */
void outlet_ping(struct outlet *outlet, uint64_t t);

/* Notes which topics the client subscribed to (1 << enum view_topic): these and no others. Unknown
 * bits have no effect. */
void outlet_subscribe(struct outlet *outlet, uint32_t topics);

/* Notes the boid that the client asks for: the frames of the topic why are its, from the room's
 * `done` on. No end of an earlier pick, which may be on its way, ends this one. */
void outlet_pick(struct outlet *outlet, uint32_t boid);

/* Switches to the stream of the grant. A welcome ends the pick. view: the room's newest view here;
 * may be NULL. On a busy shard it is newer than the grant, and the client has seen it in its stream
 * before. So no snapshot of it follows. */
void outlet_grant(struct outlet *outlet, const struct room_grant *grant,
                  const struct room_view *view, struct counts *counts, uint64_t now);

/* Ends the stream: only pending frames follow. Counts the snapshots that were due as skipped. */
void outlet_end(struct outlet *outlet, struct counts *counts);

/* Sets the rate of the share: see share_set(). now: ms. The next list or room waits as long as the
 * new rate needs. */
void outlet_share(struct outlet *outlet, uint32_t rate, uint32_t now);

/* Must be called once a second. */
void outlet_second(struct outlet *outlet);

/* Counts the snapshots that the view has for the client. */
void outlet_view(struct outlet *outlet, const struct outlet_turn *turn);

/* Returns what to send now. Returns the same until outlet_sent() is called. */
struct outlet_item outlet_next(struct outlet *outlet, const struct outlet_turn *turn);

/* Must be called when the item was sent in `size` bytes; 0 for OUTLET_WANT_KEY. */
void outlet_sent(struct outlet *outlet, const struct outlet_turn *turn,
                 const struct outlet_item *item, size_t size);

/* Must be called when the socket takes no more. */
void outlet_blocked(struct outlet *outlet, const struct outlet_turn *turn);

/* Handles the pong to the ping of that number. Returns true if more can be sent now. `late`: see
 * struct outlet_turn. */
bool outlet_pong(struct outlet *outlet, uint32_t number, uint64_t now, uint64_t late);

/* Returns true if frames wait for the socket only. */
bool outlet_is_pending(const struct outlet *outlet);

#endif
