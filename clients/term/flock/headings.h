/* The headings of boids that do not move: each boid's last movement, or the heading in a snapshot.
 *
 * Pure. Positions are in the form of a plain snapshot, 4 bytes each. The caller owns the struct;
 * all zero: empty. One thread at a time. */
#ifndef TERM_HEADINGS_H
#define TERM_HEADINGS_H

#include <stddef.h>
#include <stdint.h>

struct headings {
    int16_t (*last)[2]; /* x and y of each boid, of any length; 0, 0: not known */
    uint32_t count;
    size_t capacity;
};

void headings_finish(struct headings *headings);

/* Forgets all headings: the next snapshot is of other boids. */
void headings_forget(struct headings *headings);

/* Learns from the movement between two snapshots. common: the number of boids in both; count: in
 * the later one. period: steps after which a coordinate wraps around; 0: never. Returns the longest
 * movement of a boid along an axis, in steps. */
int32_t headings_follow(struct headings *headings, const uint8_t *from, const uint8_t *to,
                        uint32_t common, uint32_t count, const int32_t period[2]);

/* Learns the headings in a snapshot: 256ths of a turn from +x toward +y, a byte for each boid. */
void headings_learn(struct headings *headings, const uint8_t *received, uint32_t count);

/* Stores a boid's heading, of any length; 0, 0 if it is not known. */
static inline void headings_of(const struct headings *headings, uint32_t boid, float *x, float *y)
{
    *x = boid < headings->count ? headings->last[boid][0] : 0;
    *y = boid < headings->count ? headings->last[boid][1] : 0;
}

#endif
