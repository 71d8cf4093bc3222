/* Streams: the snapshots of a room as members get them. A stream has one encoding and holds every
 * nth snapshot of the room (n: divisor), each with every nth boid of the flock (n: stride). Members
 * with equal grants share a stream, whose snapshots are encoded once; a stream exists while it has
 * members.
 *
 * Divisor and stride are each 2^k or 3 * 2^k (1, 2, 3, 4, 6, 8, 12 …), so there are few kinds.
 * Different kinds are due at different snapshots of the room, so that all of them together encode
 * about seven times the flock's boids in one, for each encoding. The room's thread alone uses its
 * streams. */
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
    uint32_t divisor, stride; /* each 2^k or 3 * 2^k */
};

/* Returns the id of a kind; different kinds have different ids. */
uint32_t stream_id(const struct stream_kind *kind);

/* Returns true if the stream of that id has each snapshot of its room. */
bool stream_is_whole(uint32_t id);

/* Returns true if the snapshots of the stream of that id are deltas, except for keyframes. */
bool stream_has_deltas(uint32_t id);

/* The snapshots that a member wants, as in its hello or want. */
struct stream_want {
    uint32_t rate, boids; /* at most; 0: no limit */
};

/* A member's grant. */
struct stream_grant {
    struct stream_kind kind;
    uint32_t boids; /* at most, in each snapshot; 0: all */
    bool slow;      /* less than the member wants, because its line is slow */
};

/* Returns the grant for a member that wants `want`, in a room of snapshot_rate snapshots a second
 * and `flock` boids. It is halved `ease` times: first the snapshots, until there are 3 to 6 a
 * second, then the boids, until there are 32 to 63, then the snapshots again, until there are 1 to
 * 2 a second. */
struct stream_grant stream_grant(enum stream_encoding encoding, const struct stream_want *want,
                                 uint32_t ease, uint32_t snapshot_rate, uint32_t flock);

struct stream {
    uint32_t id;
    struct stream_kind kind;
    uint32_t members;
    uint32_t sequence; /* of the newest snapshot */
    /* The newest snapshots as deltas to the one before each, by sequence % VIEW_DELTAS; any may be
     * NULL. */
    struct frame *deltas[VIEW_DELTAS];
    /* The newest keyframe and its sequence; NULL if deltas after it are missing. It stays in later
     * views, because a busy shard does not see every view. */
    struct frame *key;
    uint32_t key_sequence;
    struct packed_encoder *encoder; /* NULL: plain, or not made yet */
    uint32_t capacity;              /* boids that it has memory for */
    uint32_t flock_epoch;           /* of the newest snapshot */
    bool key_wanted;
};

struct streams {
    struct stream *list; /* in the order of their ids */
    uint32_t count;
    size_t capacity;
    uint32_t sequence;     /* a new stream starts after this one, which no stream has passed */
    uint64_t number;       /* snapshots of the room */
    uint64_t frames, keys; /* made so far: all, and keyframes */
};

/* The part of a snapshot that all streams share. */
struct stream_scene {
    struct proto_snapshot snapshot; /* all but its boids; epoch is the flock's */
    struct packed_boids boids;      /* all of the flock's; headings may be NULL */
    struct packed_threads threads;  /* that pack large flocks */
    /* Scratch: positions and headings of some of them, and bytes as they travel. */
    uint8_t *positions, *headings, *bytes;
};

/* The first encoding of a hello's list, which has the client's favourite first, that this server
 * knows; false: it knows none. */
bool stream_encoding(const struct proto_hello *hello, enum stream_encoding *encoding);
const char *stream_encoding_name(enum stream_encoding encoding);

void streams_finish(struct streams *streams);

/* Returns the bytes of the streams. Each frame counts once, and once more for each of the `copies`:
 * see room_set_copies(). */
size_t streams_bytes(const struct streams *streams, uint32_t copies);

/* NULL: there is none of that id. Valid until the next call that enters or leaves. */
struct stream *stream_find(const struct streams *streams, uint32_t id);

/* One more member is in the stream of that kind, whose next snapshot is a keyframe. NULL when
 * memory runs out. */
struct stream *stream_enter(struct streams *streams, const struct stream_kind *kind);
void stream_leave(struct streams *streams, uint32_t id);

/* Whether the room's snapshot of that number is one of the stream's. */
bool stream_due(const struct stream *stream, uint64_t number);

/* Whether the stream's next snapshot, of `flock` boids with that epoch, is a keyframe and so needs
 * headings. */
bool stream_key_due(const struct stream *stream, uint32_t flock_epoch, uint32_t flock);

/* Drops all frames that were made so far. Clients that have the newest snapshot still follow. */
void streams_forget(struct streams *streams);

/* Makes the stream's next snapshot of the scene; none if memory runs out. */
void stream_next(struct streams *streams, struct stream *stream, const struct stream_scene *scene);

#endif
