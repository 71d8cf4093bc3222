/* Streams: the snapshots of a room on their way out. A stream is of one kind: an encoding, and
 * every so manieth of the room's snapshots, with every so manieth of its boids. All members who are
 * granted the same are in the same stream, whose snapshots are encoded once; it is there for as
 * long as it has members. There are few kinds (`divisor` and `stride` are each one of the steps 1,
 * 2, 3, 4, 6, 8, 12 …: 2^k and 3 * 2^k), and they are spread over the room's snapshots, so that all
 * of them together have some seven times as many boids in a snapshot of the room as the one with
 * everything in it, of each encoding. A room owns its streams; its thread alone uses them. */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "packed.h"
#include "protocol.h"
#include "room/view.h"

enum stream_encoding { STREAM_PLAIN, STREAM_PACKED };

struct stream_kind {
    enum stream_encoding encoding;
    uint32_t divisor, stride; /* steps */
};

/* The name of a kind; another one for each. */
uint32_t stream_id(const struct stream_kind *kind);

/* What a member is granted of what it wants. */
struct stream_grant {
    struct stream_kind kind;
    uint32_t boids; /* at most, in each; 0: all */
    bool slow;      /* less than it wants, for its line */
};

/* The most that a member may have of what it wants, in a room of so many snapshots a second and so
 * many boids; halved `ease` times: first the snapshots, down to 3 to 6 a second, then the boids,
 * down to 32 to 63, then the snapshots again, down to 1 to 2 a second. */
struct stream_grant stream_grant(enum stream_encoding encoding, const struct proto_want *want,
                                 uint32_t ease, uint32_t snapshot_rate, uint32_t flock);

struct stream {
    uint32_t id;
    struct stream_kind kind;
    uint32_t members;
    uint32_t sequence; /* of the newest snapshot */
    /* By sequence % VIEW_DELTAS, the newest snapshots for those who have the one before; each may
     * be NULL. */
    struct frame *deltas[VIEW_DELTAS];
    /* The newest snapshot that stands alone, and its sequence; NULL: there is none that the deltas
     * would bring to the newest of all. It stays for a while, because a shard that is short of time
     * does not see each view. */
    struct frame *key;
    uint32_t key_sequence;
    struct packed_encoder *encoder; /* NULL: plain, or not made yet */
    uint32_t capacity;              /* boids that it has memory for */
    uint32_t flock_epoch;           /* of the newest snapshot */
    bool key_wanted;
};

struct streams {
    struct stream *list; /* in the order of their ids */
    uint32_t count, capacity;
    uint32_t sequence;     /* that a new one starts after: none that ever was came farther */
    uint64_t number;       /* snapshots of the room */
    uint64_t frames, keys; /* made so far: all, and those that stand alone */
};

/* What goes into a snapshot, whatever the stream. */
struct stream_scene {
    struct proto_snapshot snapshot; /* all but its boids; epoch is the flock's */
    struct packed_boids boids;      /* all of the flock's; headings may be NULL */
    /* Scratch: positions and headings of some of them, and bytes as they travel. */
    uint8_t *positions, *headings, *bytes;
};

/* The encoding for whoever reads those of a hello, the best first; false: none of them is known. */
bool stream_encoding(const struct proto_hello *hello, enum stream_encoding *encoding);
const char *stream_encoding_name(enum stream_encoding encoding);

void streams_finish(struct streams *streams);

/* NULL: there is none of that id. Valid until the next call that enters or leaves. */
struct stream *stream_find(const struct streams *streams, uint32_t id);

/* Makes one more member of the stream of that kind, for whom a keyframe comes next. NULL when
 * memory runs out. */
struct stream *stream_enter(struct streams *streams, const struct stream_kind *kind);
void stream_leave(struct streams *streams, uint32_t id);

/* Whether the room's snapshot of that number is one of the stream's. */
bool stream_due(const struct stream *stream, uint64_t number);

/* Whether the next snapshot, of a flock of that epoch and so many boids, needs headings: only
 * keyframes have them. */
bool stream_key_due(const struct stream *stream, uint32_t flock_epoch, uint32_t flock);

/* Makes the stream's next snapshot of the scene. Without memory it has none until there is. */
void stream_next(struct streams *streams, struct stream *stream, const struct stream_scene *scene);

#endif
