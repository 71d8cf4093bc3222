/* Noise and the share of informed boids, for groups of boids. Only flocks with these parameters
 * call these functions, which therefore are not inlined: the loops of other flocks keep their
 * registers. Part of group.h. */
#ifndef WIDE_NOISE_H
#define WIDE_NOISE_H

#include "sim/noise.h"
#include "sim/rules.h"
#include "sim/wide/wide.h"

typedef uint32_t wide_uint __attribute__((vector_size(WIDE * 4)));

/* Turns the velocities of the boids with the first `count` numbers as noise_share() says. */
static __attribute__((noinline, unused)) void
make_noise(const struct noise *noise, const uint32_t *number, uint32_t count, struct wide_vec *v)
{
    wide_uint a = {0};
    memcpy(&a, number, count * sizeof *number);
    a += noise->key[0];
    wide_uint b = (wide_uint){0} + (noise->tick + noise->key[1]);
#pragma GCC unroll 20 /* shifts by constants take half the time */
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
    wide share = __builtin_convertvector((wide_int)(a >> 8), wide) * 0x1p-24f - 0.5f;
    struct wide_vec turn = wide_direction(share * noise->span);
    *v = (struct wide_vec){v->x * turn.x - v->y * turn.y, v->x * turn.y + v->y * turn.x};
}

/* Returns the lanes of the boids that follow the target, among the first `count` numbers. */
static __attribute__((noinline, unused)) wide_mask find_informed(const uint32_t *number,
                                                                 uint32_t count, float informed)
{
    float follows[WIDE] = {0.0f};
    for (uint32_t lane = 0; lane < count; lane++) {
        follows[lane] = is_informed(number[lane], informed) ? 1.0f : 0.0f;
    }
    return wide_less((wide){0}, wide_load(follows));
}

#endif
