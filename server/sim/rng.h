/* The flock's random numbers: SplitMix64 (Steele, Lea & Flood 2014), one short stream for each
 * boid, keyed by the flock's seed and the boid's index. A boid's initial state therefore depends
 * on these two only, and not on the number of boids or on when the boid is added. */
#ifndef RNG_H
#define RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline struct rng rng_of_boid(uint64_t seed, uint32_t index)
{
    struct rng rng = {seed};
    rng.state = rng_next(&rng) ^ ((uint64_t)index << 32);
    return rng;
}

/* Returns a number evenly distributed in [0, 1), one of the 2^24 multiples of 2^-24. */
static inline float rng_unit(struct rng *rng)
{
    return (float)(rng_next(rng) >> 40) * 0x1p-24f;
}

#endif
