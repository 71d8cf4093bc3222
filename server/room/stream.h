/* Streams: the snapshots of a room on their way out. Everyone who wants the same (encoding, rate,
 * boids) is a member of the same stream, whose snapshots are encoded once; a stream that nobody is
 * in costs nothing but memory. Wants are rounded down to few kinds of stream, and these take turns,
 * so that all of them together have some six times as many boids in a snapshot of the room as the
 * one with everything in it, of each encoding. A room owns its streams; its thread alone uses them.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "packed.h"
#include "protocol.h"
#include "room/frame.h"

#define STREAM_NONE UINT32_MAX

/* Kinds there can be: 2 encodings, 16 divisors (2^k and 3 * 2^k up to 256), 19 limits (2^k below
 * ROOM_BOIDS_MAX, and none). */
#define STREAMS_MAX 608u

/* Snapshots after which a packed stream has a keyframe for everyone. */
#define STREAM_KEY_EVERY 300u

/* Deltas that are kept: whoever is that far behind, for lack of time on either side, catches up
 * with fewer bytes than a keyframe has. */
#define STREAM_HISTORY 8u

enum stream_encoding { STREAM_PLAIN, STREAM_PACKED };

struct stream {
    enum stream_encoding encoding;
    uint32_t divisor; /* every how many of the room's snapshots it has one … */
    uint32_t turn;    /* … and which of so many */
    uint32_t limit;   /* boids in each at most; 0: all */
    uint32_t members;
    uint32_t sequence; /* of the newest snapshot: 1 for the first ever */
    /* By sequence % STREAM_HISTORY, the newest snapshots for those who have the one before; each
     * may be NULL. */
    struct frame *deltas[STREAM_HISTORY];
    /* The newest snapshot that stands alone, and its sequence; NULL: there is none that the deltas
     * would bring to the newest of all. Kept beyond its turn, because a shard that is short of time
     * does not see each turn. */
    struct frame *key;
    uint32_t key_sequence;

    uint64_t encoded, encoded_keys; /* frames so far: all, and keys among them */
    struct packed_encoder *encoder; /* NULL: plain */
    uint32_t flock_epoch, stride;   /* of the newest snapshot: every how many boids it has one */
    uint32_t keyed_at;              /* sequence of the newest key that had no delta beside it */
    bool started;                   /* not the first snapshot since it had no members */
    bool key_wanted;
};

struct streams {
    struct stream *list; /* a stream keeps its place for good */
    uint32_t count, capacity;
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

void streams_destroy(struct streams *streams);

/* Makes one more member of the stream for that want in a room of so many snapshots a second.
 * Returns its place, or STREAM_NONE when memory runs out. A keyframe is made for the newcomer. */
uint32_t stream_enter(struct streams *streams, enum stream_encoding encoding,
                      const struct proto_want *want, uint32_t snapshot_rate);
void stream_leave(struct streams *streams, uint32_t place);

/* Whether the room's snapshot of that number is one of the stream's. */
bool stream_due(const struct stream *stream, uint64_t number);

/* Whether the next snapshot of so many boids needs headings: only keyframes have them. */
bool stream_key_due(const struct stream *stream, uint32_t flock_epoch, uint32_t boid_count);

/* Makes the stream's next snapshot of the scene. Without memory it has none until there is. */
void stream_next(struct stream *stream, const struct stream_scene *scene);

#endif
