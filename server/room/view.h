/* A view: all that the members of a room may need, at one snapshot. The room makes one each time.
 * It is immutable and reference-counted; any thread may hold and release it. All holders share the
 * frames, except for their headroom: see view_own(). */
#ifndef VIEW_H
#define VIEW_H

#include <stdatomic.h>
#include <stdint.h>

#include "protocol.h"
#include "room/frame.h"

/* Deltas of a stream that a view has. A client or a shard that missed up to that many snapshots
 * catches up with them, which takes fewer bytes than a keyframe. */
#define VIEW_DELTAS    8u
#define VIEW_PRESENCES 4u /* changes of presence that a view has */
#define VIEW_EVENTS    16u

/* The messages that are sent whole after each change, in the order of sending. */
enum view_part { VIEW_ROOM, VIEW_PARAMS, VIEW_PAST, VIEW_PARTS };

/* Messages for subscribers, the newest only. A topic's number in PROTOCOL.md is its bit. */
enum view_topic {
    VIEW_LEADS,
    VIEW_MARKS,
    VIEW_PENNED,
    VIEW_CLUSTERS,
    VIEW_THINGS,
    VIEW_WHY, /* one frame for each picked boid: see struct view_pick */
    VIEW_SHOWN,
    VIEW_PUSHES, /* of a parameter that changes: see drag.h */
    VIEW_SWEPT,
    VIEW_TOPICS
};

/* Why a picked boid turns. The version goes up with each new frame of any boid. */
struct view_pick {
    uint32_t boid, version;
    struct frame *frame;
};

/* The newest snapshots of a stream, by sequence % VIEW_DELTAS; each may be NULL. Of a plain stream
 * each snapshot is a key. */
struct view_stream {
    uint32_t id; /* of an encoding, rate and stride: see stream.h */
    uint32_t sequence, key_sequence;
    struct frame *deltas[VIEW_DELTAS]; /* each to the snapshot before it */
    struct frame *key;                 /* the newest keyframe */
};

struct room_view {
    atomic_uint holders;
    uint64_t room; /* the number in the room's definition */
    uint64_t time; /* µs on the server's clock: of the tick that it shows */
    int64_t
        ahead; /* µs: the clock of its snapshots less this server's; 0 for rooms of this server */
    /* Of each part the frame and its version; NULL: it is as in every welcome. */
    uint32_t versions[VIEW_PARTS];
    struct frame *frames[VIEW_PARTS];
    uint32_t scale_since; /* clients read the snapshots by a room of this version, or a later one */
    /* Of each topic the frame and its version; NULL: no member has subscribed. */
    uint32_t topic_versions[VIEW_TOPICS];
    struct frame *topics[VIEW_TOPICS];
    uint32_t pick_count;
    struct view_pick *picks; /* ordered by boid; in the memory of the view */
    /* The shown people: the whole list, and by sequence % VIEW_PRESENCES the changes from the
     * sequence before to that one; older ones are NULL. */
    uint32_t presence;
    struct frame *presence_whole, *presence_changes[VIEW_PRESENCES];
    /* The events: by number % VIEW_EVENTS up to the newest; `events` is its number. */
    uint32_t events;
    struct frame *event_frames[VIEW_EVENTS];
    uint32_t stream_count;
    struct view_stream streams[]; /* streams with members, ordered by id */
};

/* A view with empty streams and without picks, held once; NULL when memory runs out. picks: that
 * it has memory for. */
struct room_view *view_create(uint32_t stream_count, uint32_t picks);

struct room_view *view_hold(struct room_view *view);

/* Takes NULL. */
void view_release(struct room_view *view);

/* Makes `to`, which has memory for them, a copy with the first streams of the view and its picks.
 * The copy's frames are not held. */
void view_assign(struct room_view *to, const struct room_view *view, uint32_t stream_count);

/* Returns a copy that holds the same frames and has the first streams of the view, or none. Returns
 * NULL when memory runs out. */
struct room_view *view_copy(const struct room_view *view, uint32_t stream_count);

/* Returns a copy with frames of the caller's own, because a sender writes into a frame's headroom.
 * Frames are copied once, for any number of sessions: frames that did not change are held from
 * `before`, the caller's view before this one (may be NULL). Returns NULL when memory runs out. */
struct room_view *view_own(const struct room_view *view, const struct room_view *before);

/* Returns the frame of the picked boid of that number, or NULL. */
const struct view_pick *view_pick(const struct room_view *view, uint32_t boid);

/* The stream of that id, or NULL. */
const struct view_stream *view_stream(const struct room_view *view, uint32_t id);

#endif
