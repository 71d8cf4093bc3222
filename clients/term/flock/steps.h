/* Positions as bytes of a snapshot: int16 steps from the middle of the world, little-endian, 4
 * bytes a boid. The same as proto_get_position(), inline for loops over a million boids. Pure. */
#ifndef TERM_STEPS_H
#define TERM_STEPS_H

#include "protocol.h"

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct steps {
    int16_t x, y;
};

/* Returns the position of a boid. */
static inline struct steps steps_at(const uint8_t *positions, uint32_t boid)
{
    uint16_t bytes[2];
    memcpy(bytes, positions + (size_t)boid * PROTO_BOID_SIZE, sizeof bytes);
    return (struct steps){(int16_t)le16toh(bytes[0]), (int16_t)le16toh(bytes[1])};
}

/* Returns whether the boid may be farther away than positions reach. */
static inline bool steps_at_edge(struct steps steps)
{
    return steps.x == INT16_MAX || steps.x == INT16_MIN || steps.y == INT16_MAX ||
           steps.y == INT16_MIN;
}

/* Returns the way from a to b: the shorter one if a coordinate wraps around after `period` steps
 * (0: never). */
static inline int32_t steps_between(int16_t a, int16_t b, int32_t period)
{
    int32_t way = b - a;
    if (period > 0 && way > period / 2) {
        return way - period;
    }
    return period > 0 && way < -(period / 2) ? way + period : way;
}

#endif
