/* Where boids head while they do not move: the last movement of each or, where a snapshot tells
 * headings, what it says.
 *
 * Pure. Positions are those of a plain snapshot, 4 bytes each. The caller owns it; all zero: empty.
 * One thread at a time. */
#ifndef TERM_HEADINGS_H
#define TERM_HEADINGS_H

#include <stdint.h>

struct headings {
    int16_t (*last)[2]; /* x and y of each boid, in any unit; 0, 0: not known */
    uint32_t count, capacity;
};

void headings_finish(struct headings *headings);

/* They are of other boids now. */
void headings_forget(struct headings *headings);

/* The boids have moved from one snapshot to the next. `common`: as many as there were in both;
 * `count`: as many as there are now. period: steps after which a coordinate comes around; 0: it
 * does not. Returns the most steps that one of them went along an axis. */
int32_t headings_follow(struct headings *headings, const uint8_t *from, const uint8_t *to,
                        uint32_t common, uint32_t count, const int32_t period[2]);

/* A snapshot has told the heading of each: 256ths of a turn, from +x toward +y. */
void headings_learn(struct headings *headings, const uint8_t *told, uint32_t count);

/* The direction of a boid, of any length; 0, 0 when it is not known. */
static inline void headings_of(const struct headings *headings, uint32_t boid, float *x, float *y)
{
    *x = boid < headings->count ? headings->last[boid][0] : 0;
    *y = boid < headings->count ? headings->last[boid][1] : 0;
}

#endif
