/* A stream of snapshots for tests of the packed encoding, determined by a seed. It has the changes
 * of a room: boids rest, fly, jitter, swing and wrap around a torus, boids are added and removed,
 * and the world changes. It also has changes that no room makes: boids jump, periods are tiny, and
 * positions are outside of the torus' range. */
#ifndef TEST_PACKED_STREAM_H
#define TEST_PACKED_STREAM_H

#include "packed.h"
#include "packed_bits.h"
#include "protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define STREAM_BOIDS_MAX 200u

enum stream_motion { STILL, STRAIGHT, JITTERING, SWINGING, TELEPORTING, FLEEING, MOTIONS };

struct packed_stream {
    uint64_t random;
    enum stream_motion motion;
    uint32_t count;
    int32_t period[2];
    int32_t place[2][STREAM_BOIDS_MAX]; /* on a torus from -(period / 2) on */
    int32_t velocity[2][STREAM_BOIDS_MAX];
    uint8_t positions[STREAM_BOIDS_MAX * PROTO_BOID_SIZE]; /* on a torus plus periods */
    uint8_t expected[STREAM_BOIDS_MAX * PROTO_BOID_SIZE];  /* on a torus from -(period / 2) on */
    uint8_t headings[STREAM_BOIDS_MAX];
    bool restart;
};

/* Returns a random number of at least 0 and less than `limit`. */
static inline int32_t stream_random(struct packed_stream *s, int32_t limit)
{
    uint64_t z = s->random += 0x9e3779b97f4a7c15u; /* splitmix64 */

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int32_t)((z ^ z >> 31) % (uint64_t)limit);
}

/* Returns a random number from -most to most. */
static inline int32_t stream_spread(struct packed_stream *s, int32_t most)
{
    return stream_random(s, 2 * most + 1) - most;
}

static inline int32_t stream_within(int32_t place, int32_t period)
{
    if (period == 0) {
        return place < INT16_MIN ? INT16_MIN : place > INT16_MAX ? INT16_MAX : place;
    }
    const int32_t turned = (place + period / 2) % period;
    return (turned < 0 ? turned + period : turned) - period / 2;
}

static inline void stream_change_count(struct packed_stream *s)
{
    static const uint32_t counts[] = {0, 1, 63, 64, 65, 128, STREAM_BOIDS_MAX};
    const uint32_t before = s->count;
    const int32_t which = stream_random(s, 10);

    s->count = which < 7 ? counts[which] : (uint32_t)stream_random(s, STREAM_BOIDS_MAX);
    for (uint32_t i = before; i < s->count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            s->place[axis][i] = stream_within(stream_spread(s, 40000), s->period[axis]);
            s->velocity[axis][i] = stream_spread(s, 30);
        }
    }
    s->restart = s->count < before && stream_random(s, 2) == 0;
}

static inline void stream_change_world(struct packed_stream *s)
{
    static const int32_t periods[] = {1, 2, 3, 4401, 4400, 16383, (int32_t)PROTO_PERIOD_MAX};
    const bool open = stream_random(s, 3) == 0;

    for (int axis = 0; axis < 2; axis++) {
        const int32_t which = stream_random(s, 12);
        s->period[axis] = open        ? 0
                          : which < 7 ? periods[which]
                                      : 1 + stream_random(s, (int32_t)PROTO_PERIOD_MAX);
    }
    s->restart = stream_random(s, 2) == 0;
}

static inline void stream_move(struct packed_stream *s, int axis, uint32_t i)
{
    int32_t *velocity = &s->velocity[axis][i];
    int32_t *place = &s->place[axis][i];

    switch (s->motion) {
    case STILL:
        *velocity = 0;
        break;
    case JITTERING:
        *velocity += stream_spread(s, 3);
        break;
    case SWINGING: /* makes the gain negative */
        *velocity = -*velocity + stream_spread(s, 60);
        break;
    case TELEPORTING:
        *velocity = stream_spread(s, 70000);
        break;
    case FLEEING: /* until positions of an open world saturate */
        *velocity += *place < 0 ? -300 : 300;
        break;
    default:
        break;
    }
    *velocity = *velocity < -70000 ? -70000 : *velocity > 70000 ? 70000 : *velocity;
    *place = stream_within(*place + *velocity, s->period[axis]);
}

static inline void stream_begin(struct packed_stream *s, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->random = seed;
    stream_change_count(s);
}

static inline void stream_next(struct packed_stream *s)
{
    s->restart = false;
    if (stream_random(s, 25) == 0) {
        s->motion = (enum stream_motion)stream_random(s, MOTIONS);
    }
    if (stream_random(s, 30) == 0) {
        stream_change_count(s);
    } else if (stream_random(s, 60) == 0) {
        stream_change_world(s);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        int16_t other[2];
        for (int axis = 0; axis < 2; axis++) {
            stream_move(s, axis, i);
            other[axis] =
                (int16_t)(s->place[axis][i] +
                          (stream_random(s, 8) == 0 ? stream_spread(s, 1) : 0) * s->period[axis]);
        }
        proto_put_position(s->positions + (size_t)i * PROTO_BOID_SIZE, other[0], other[1]);
        proto_put_position(s->expected + (size_t)i * PROTO_BOID_SIZE, (int16_t)s->place[0][i],
                           (int16_t)s->place[1][i]);
        s->headings[i] = (uint8_t)stream_random(s, 256);
    }
}

static inline struct packed_boids stream_boids(const struct packed_stream *s)
{
    return (struct packed_boids){.positions = s->positions,
                                 .headings = s->headings,
                                 .count = s->count,
                                 .period_x = (uint16_t)s->period[0],
                                 .period_y = (uint16_t)s->period[1]};
}

#endif
