/* The noise of a flock: after a model has made a boid's new velocity, the velocity turns by an
 * angle drawn evenly from [-span/2, span/2).
 *
 * The draw depends only on the flock's seed, its tick and the boid's number, so it is the same in
 * any order, on any thread, and after a load. It comes from the counter-based generator
 * Threefry-2x32 with 20 rounds (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011).
 * wide/noise.h draws for WIDE boids at a time. For the engine's own files. */
#ifndef NOISE_H
#define NOISE_H

#include "sim/trig.h"

#include <stdint.h>

struct noise {
    uint32_t key[3]; /* of the seed and the tick */
    uint32_t tick;
    float span; /* radians; 0: no noise */
};

/* A multiple of 4, because Threefry adds a part of its key after each 4 rounds. */
enum { THREEFRY_ROUNDS = 20 };

#define THREEFRY_PARITY 0x1bd11bdau

/* The number of bits by which each of 8 rounds rotates; then they repeat. */
static const uint32_t threefry_rotations[] = {13, 15, 26, 6, 17, 29, 16, 24};

/* `ticks`: that the flock has made before. `degrees`: the parameter `noise`. */
static inline struct noise noise_of(uint64_t seed, uint64_t ticks, float degrees)
{
    uint32_t low = (uint32_t)seed;
    uint32_t high = (uint32_t)(seed >> 32) ^ (uint32_t)(ticks >> 32);
    return (struct noise){.key = {low, high, THREEFRY_PARITY ^ low ^ high},
                          .tick = (uint32_t)ticks,
                          .span = (float)((double)degrees * (TRIG_PI / 180.0))};
}

/* Returns the first word of Threefry-2x32 for the counter (number, tick). */
static inline uint32_t noise_word(const struct noise *noise, uint32_t number)
{
    uint32_t a = number + noise->key[0];
    uint32_t b = noise->tick + noise->key[1];
    for (uint32_t round = 0; round < THREEFRY_ROUNDS; round++) {
        uint32_t bits = threefry_rotations[round % 8];
        a += b;
        b = (b << bits | b >> (32 - bits)) ^ a;
        if (round % 4 == 3) {
            uint32_t added = round / 4 + 1;
            a += noise->key[added % 3];
            b += noise->key[(added + 1) % 3] + added;
        }
    }
    return a;
}

/* Returns the boid's angle in this tick as a share of the span: one of the 2^24 multiples of 2^-24
 * in [-0.5, 0.5). */
static inline float noise_share(const struct noise *noise, uint32_t number)
{
    return (float)(noise_word(noise, number) >> 8) * 0x1p-24f - 0.5f;
}

#endif
