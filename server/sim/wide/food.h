/* Food, for groups of boids. Only flocks with food call these functions, which therefore are not
 * inlined: the loops of other flocks keep their registers. Part of group.h. */
#ifndef WIDE_FOOD_H
#define WIDE_FOOD_H

#include "sim/wide/kernel.h"
#include "sim/wide/noise.h"
#include "sim/wide/targets.h"
#include "sim/wide/wide.h"

/* Rounding of floats puts no boid that eats farther than this from its food. */
#define BITE_REACH (FLOCK_FOOD_BITE + 0.1f)

/* Beyond this square of a distance no boid sees food. */
#define FOOD_NOTICE (FLOCK_FOOD_SIGHT * FLOCK_FOOD_SIGHT)

/* Returns the food that is nearest to a lane's boid, of those within FLOCK_FOOD_BITE; FOOD_NONE if
 * there is none. Double precision decides, so that bites do not depend on rounding. */
WIDE_INLINE uint32_t find_bite(const struct kernel_job *job, const struct seekers *seekers,
                               int lane)
{
    const struct aim_points *meals = &job->aim->meals;
    const struct seekers boid = {
        {wide_all(seekers->p.x[lane]), wide_all(seekers->p.y[lane])}, seekers->half, seekers->size};
    double least = (double)FLOCK_FOOD_BITE * (double)FLOCK_FOOD_BITE;
    uint32_t nearest = FOOD_NONE;
    for (uint32_t from = 0; from < meals->count; from += WIDE) {
        const struct wide_vec d = {
            wide_nearest(wide_load(meals->x + from) - boid.p.x, boid.half.x, boid.size.x),
            wide_nearest(wide_load(meals->y + from) - boid.p.y, boid.half.y, boid.size.y)};
        unsigned near = wide_bits(wide_less(wide_dot(d, d), wide_all(BITE_REACH * BITE_REACH)));
        for (; near != 0; near &= near - 1) {
            const uint32_t i = from + (uint32_t)__builtin_ctz(near);
            if (i >= meals->count) {
                break; /* the last food, repeated */
            }
            const double square = aim_square(
                job->aim, i, (struct vec){(double)boid.p.x[0], (double)boid.p.y[0]}, job->torus);
            if (square < least) {
                least = square;
                nearest = i;
            }
        }
    }
    return nearest;
}

/* Counts the bites of the boids in the lanes of `near`. */
static void take_bites(const struct kernel_job *job, const struct seekers *seekers, unsigned near)
{
    for (; near != 0; near &= near - 1) {
        const uint32_t food = find_bite(job, seekers, __builtin_ctz(near));
        if (food != FOOD_NONE) {
            atomic_fetch_add_explicit(&job->bites->of[food], 1, memory_order_relaxed);
        }
    }
}

/* Finds the nearest food for each of the boids with the first `count` numbers, and counts the bites
 * that they take. Of much food only `nearby` is compared. For a boid that sees none or ignores it,
 * found->square stays infinite. */
static __attribute__((noinline, unused)) void
notice_food(const struct kernel_job *job, const struct seekers *seekers, const uint32_t *number,
            uint32_t count, const struct near_points *nearby, struct seeking *found)
{
    const struct aim *aim = job->aim;
    const wide bite = wide_all(BITE_REACH * BITE_REACH);
    struct seeking seeking = *found;
    seek_nearest(&aim->meals, seekers, nearby, &seeking);
    wide_mask noticed = wide_less(seeking.square, wide_all(FOOD_NOTICE));
    if (aim->informed < 1.0f) {
        noticed = wide_both(noticed, find_informed(number, count, aim->informed));
    }
    const unsigned near = wide_bits(wide_both(noticed, wide_less(seeking.square, bite)));
    take_bites(job, seekers, near & ((1u << count) - 1u));
    found->square = wide_pick(noticed, seeking.square, found->square);
    found->target = wide_pick_vec(noticed, seeking.target, found->target);
}

#endif
