/* Food, for groups of boids. Only flocks with food call these functions, which therefore are not
 * inlined: the loops of other flocks keep their registers. Part of group.h. */
#ifndef WIDE_FOOD_H
#define WIDE_FOOD_H

#include "sim/wide/kernel.h"
#include "sim/wide/noise.h"
#include "sim/wide/targets.h"
#include "sim/wide/wide.h"

/* Counts the bites of the boids in the lanes of `near`. Double precision decides which boids eat,
 * so that the food does not depend on rounding. */
static void take_bites(const struct kernel_job *job, const struct seekers *seekers, unsigned near)
{
    const struct flock_settings *world = job->world;
    const bool torus = world->boundary == FLOCK_WRAP;
    const struct vec size = {torus ? (double)world->width : 0.0,
                             torus ? (double)world->height : 0.0};
    for (; near != 0; near &= near - 1) {
        const int lane = __builtin_ctz(near);
        const struct vec p = {(double)seekers->p.x[lane], (double)seekers->p.y[lane]};
        double square;
        const uint32_t food = aim_food(job->aim, p, size, &square);
        if (square < (double)FLOCK_FOOD_BITE * (double)FLOCK_FOOD_BITE) {
            atomic_fetch_add_explicit(&job->bites->of[food], 1, memory_order_relaxed);
        }
    }
}

/* Finds the nearest food for each of the boids with the first `count` numbers, and counts the bites
 * that they take. For a boid that sees none or ignores it, found->square stays infinite. */
static __attribute__((noinline, unused)) void
notice_food(const struct kernel_job *job, const struct seekers *seekers, const uint32_t *number,
            uint32_t count, struct seeking *found)
{
    const struct aim *aim = job->aim;
    const wide sight = wide_all(FLOCK_FOOD_SIGHT * FLOCK_FOOD_SIGHT);
    const wide bite = wide_all(FLOCK_FOOD_BITE * FLOCK_FOOD_BITE * (1.0f + 0x1p-10f));
    struct seeking seeking = *found;
    seek_nearest(&aim->meals, seekers, count, &seeking);
    wide_mask noticed = wide_less(seeking.square, sight);
    if (aim->informed < 1.0f) {
        noticed = wide_both(noticed, find_informed(number, count, aim->informed));
    }
    const unsigned near = wide_bits(wide_both(noticed, wide_less(seeking.square, bite)));
    take_bites(job, seekers, near & ((1u << count) - 1u));
    found->square = wide_pick(noticed, seeking.square, found->square);
    found->target = wide_pick_vec(noticed, seeking.target, found->target);
}

#endif
