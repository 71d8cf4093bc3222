/* The flock between two snapshots: the timeline holds the last snapshots and plays them back by the
 * server's clock, a little behind the newest (playout.h), so that boids move smoothly however
 * unevenly snapshots arrive.
 *
 * Pure: times come in as arguments, in microseconds. Memory is bounded by TIMELINE_BYTES whatever
 * arrives. One thread at a time. */
#ifndef TERM_TIMELINE_H
#define TERM_TIMELINE_H

#include "protocol.h"

#include <stdbool.h>
#include <stdint.h>

#define TIMELINE_SNAPSHOTS   96u
#define TIMELINE_BYTES       (32u << 20) /* of positions: past it the oldest snapshots go */
#define TIMELINE_EXTRAPOLATE 100000 /* µs past the newest snapshot that boids go straight on */

struct timeline;

/* The world that positions are in. */
struct timeline_space {
    float width, height, quantum; /* world units */
    int32_t period[2]; /* of a torus, in steps of x and y, after which it comes around; else 0 */
};

struct timeline_boid {
    float x, y;   /* world units */
    float dx, dy; /* how far it moved between its two snapshots, in steps; of a boid that did not,
                     its last heading, of any length, or 0, 0 */
    bool hidden;  /* farther away than positions reach */
};

struct timeline_cursor {
    uint32_t id;
    float x, y; /* world units */
};

/* NULL when memory runs out; destroy takes NULL. */
struct timeline *timeline_create(void);
void timeline_destroy(struct timeline *timeline);

/* Forgets every snapshot; from now on positions are in this space. */
void timeline_reset(struct timeline *timeline, const struct timeline_space *space);

/* From now on so many snapshots come in a second (> 0). */
void timeline_follow(struct timeline *timeline, float rate);

/* Takes a copy of a snapshot, its boids unpacked, that arrived at `now` (our clock). stride: every
 * how many of the flock's boids it holds one; with another than before they are other boids.
 * headings: what it tells of them (packed_headings()), or NULL. Returns false when it was dropped:
 * memory ran out, or its time is out of all bounds. */
bool timeline_push(struct timeline *timeline, const struct proto_snapshot *snapshot,
                   uint32_t stride, const uint8_t *headings, int64_t now);

/* Moves the playback to `now` (our clock). Returns whether the picture differs from the one before.
 */
bool timeline_play(struct timeline *timeline, int64_t now);

/* The picture at the playback's time. timeline_boids() fills out with boids first … first + count -
 * 1, as many as there are, and returns how many. */
uint32_t timeline_boids(const struct timeline *timeline, uint32_t first, uint32_t count,
                        struct timeline_boid *out);
uint32_t timeline_boid_count(const struct timeline *timeline);
uint32_t timeline_cursors(const struct timeline *timeline,
                          struct timeline_cursor out[PROTO_PEOPLE_MAX]);
bool timeline_target(const struct timeline *timeline, float *x, float *y);

/* A picture that was drawn; all zero: none. */
struct timeline_mark {
    uint64_t pair;  /* of snapshots that it lies between */
    float fraction; /* of the way from the first to the second */
};

struct timeline_mark timeline_mark(const struct timeline *timeline);

/* How far a boid is now, at most, from where it was in that picture: world units along one axis;
 * infinite when that is not known, or the picture lay between other snapshots. */
float timeline_moved(const struct timeline *timeline, const struct timeline_mark *drawn);

/* How many boids the room has, of which the picture may show some; and what the whole flock does,
 * false when that is not known. */
uint32_t timeline_flock(const struct timeline *timeline);
bool timeline_measures(const struct timeline *timeline, struct proto_measures *measures);

/* The playback's time on the server's clock; 0 before the first snapshot. */
int64_t timeline_time(const struct timeline *timeline);

#endif
