/* The flock between two snapshots: the timeline holds the last snapshots and plays them back by the
 * server's clock, a little behind the newest (playout.h), so that boids move smoothly however
 * unevenly snapshots arrive.
 *
 * Pure: times come in as arguments, in microseconds. Memory is bounded by TIMELINE_BYTES. One
 * thread at a time. */
#ifndef TERM_TIMELINE_H
#define TERM_TIMELINE_H

#include "protocol.h"

#include <stdbool.h>
#include <stdint.h>

#define TIMELINE_SNAPSHOTS   96u
#define TIMELINE_BYTES       (32u << 20) /* of positions: beyond, the oldest snapshots are dropped */
#define TIMELINE_EXTRAPOLATE 100000 /* µs that boids move on straight after the newest snapshot */

struct timeline;

/* The world that positions are in. */
struct timeline_space {
    float width, height, quantum; /* world units */
    int32_t period[2];            /* steps in x and y after which a torus wraps around; else 0 */
};

struct timeline_boid {
    float x, y;   /* world units */
    float dx, dy; /* its movement between the two snapshots, in steps; if the boid did not move, its
                     last heading, of any length, or 0, 0 */
    bool hidden;  /* farther away than positions reach */
};

struct timeline_cursor {
    uint32_t id;
    float x, y; /* world units */
};

/* Returns NULL if memory runs out; destroy takes NULL. */
struct timeline *timeline_create(void);
void timeline_destroy(struct timeline *timeline);

/* Forgets every snapshot. The next positions are in this space. */
void timeline_reset(struct timeline *timeline, const struct timeline_space *space);

/* Changes the rate: snapshots per second, > 0. */
void timeline_follow(struct timeline *timeline, float rate);

/* Copies a snapshot with unpacked boids that arrived at `now` (our clock). stride: the snapshot
 * holds every stride-th boid of the flock; another stride means other boids. headings: of its boids
 * (packed_headings()), or NULL. Returns false if the snapshot was dropped: memory ran out, or its
 * time is out of all bounds. */
bool timeline_push(struct timeline *timeline, const struct proto_snapshot *snapshot,
                   uint32_t stride, const uint8_t *headings, int64_t now);

/* Moves the playback to `now` (our clock). Returns whether the picture has changed. */
bool timeline_play(struct timeline *timeline, int64_t now);

/* The picture at the playback's time. timeline_boids() stores at most `count` boids from the
 * `first` on and returns how many it stored. */
uint32_t timeline_boids(const struct timeline *timeline, uint32_t first, uint32_t count,
                        struct timeline_boid *out);
uint32_t timeline_boid_count(const struct timeline *timeline);
uint32_t timeline_cursors(const struct timeline *timeline,
                          struct timeline_cursor out[PROTO_PEOPLE_MAX]);
bool timeline_target(const struct timeline *timeline, float *x, float *y);

/* Identifies a picture that was drawn; all zero: none. */
struct timeline_mark {
    uint64_t pair;  /* number of the pair of snapshots around it */
    float fraction; /* of the way from the first to the second */
};

struct timeline_mark timeline_mark(const struct timeline *timeline);

/* Returns how far a boid has moved since that picture at most: world units along one axis. Infinite
 * if that is not known, or if the picture was between other snapshots. */
float timeline_moved(const struct timeline *timeline, const struct timeline_mark *drawn);

/* Returns the number of boids in the room, of which the picture may show a part. */
uint32_t timeline_flock(const struct timeline *timeline);
/* Stores the measures of the whole flock; returns false if they are not known. */
bool timeline_measures(const struct timeline *timeline, struct proto_measures *measures);

/* Returns the playback's time on the server's clock; 0 before the first look at a snapshot. */
int64_t timeline_time(const struct timeline *timeline);

#endif
