/* Parts of the models' inner loops: adjacent boids, their targets, and their movement. For the
 * files of models/. */
#ifndef GROUP_H
#define GROUP_H

#include "sim/wide/food.h"
#include "sim/wide/kernel.h"
#include "sim/wide/noise.h"
#include "sim/wide/targets.h"
#include "sim/wide/wide.h"

/* WIDE adjacent boids of a row, one in each lane. */
struct group {
    const struct kernel_job *job;
    const uint32_t *number; /* of its boids */
    struct wide_vec p, v, h;
    /* Half and whole size of the torus; infinite in a plane. */
    struct wide_vec half, size;
    uint32_t count;              /* boids; the lanes after them hold none */
    const struct nearby *nearby; /* of many targets, much food and many predators */
};

struct aimed {
    wide_mask sought, fled;
    struct wide_vec target, flight;
    wide keenness; /* factors of the weight with which boids seek their targets */
};

/* Beyond this square of a distance, rounding puts no boid within flee_distance. */
WIDE_INLINE float notice_of(const struct kernel_job *job)
{
    return job->flee_distance * job->flee_distance * (1.0f + 0x1p-20f);
}

/* Adds the flight from a predator, unless no boid is near it. */
WIDE_INLINE void flee_from(const struct kernel_job *job, const struct seekers *boids,
                           uint32_t predator, struct wide_vec *flight)
{
    const struct aim_points *fears = &job->aim->fears;
    const wide far = wide_all(job->flee_distance);
    struct wide_vec d = {wide_all(fears->x[predator]) - boids->p.x,
                         wide_all(fears->y[predator]) - boids->p.y};
    d.x = wide_nearest(d.x, boids->half.x, boids->size.x);
    d.y = wide_nearest(d.y, boids->half.y, boids->size.y);
    wide square = wide_dot(d, d);
    if (!wide_any(wide_less(square, wide_all(notice_of(job))))) {
        return;
    }
    wide length = wide_sqrt(square);
    wide_mask close = wide_both(wide_less((wide){0}, length), wide_less(length, far));
    wide factor = wide_only(close, (1.0f - length / far) / length);
    *flight = wide_sub(*flight, wide_scale(d, factor));
}

/* Adds the flight from all predators; of many, only the nearby ones are compared. */
static __attribute__((noinline, unused)) void flee_from_predators(const struct kernel_job *job,
                                                                  const struct seekers *boids,
                                                                  const struct near_points *nearby,
                                                                  struct wide_vec *flight)
{
    const uint32_t predators = job->aim->predators;
    struct wide_vec sum = *flight;
    if (predators < PREDATORS_MANY) {
        for (uint32_t i = 0; i < predators; i++) {
            flee_from(job, boids, i, &sum);
        }
        *flight = sum;
        return;
    }
    for (uint32_t k = 0; 64 * k < predators; k++) {
        for (uint64_t bits = nearby->bits[k]; bits != 0; bits &= bits - 1) {
            const uint32_t i = 64 * k + (uint32_t)__builtin_ctzll(bits);
            if (i < predators) { /* else the last one, repeated */
                flee_from(job, boids, i, &sum);
            }
        }
    }
    *flight = sum;
}

/* Computes the displacement to the nearest target or to food, and the flight from predators. */
WIDE_INLINE struct aimed aim_group(const struct group *group)
{
    const struct aim *aim = group->job->aim;
    struct aimed aimed = {.keenness = wide_all(1.0f)};
    if (!aim_seeks(aim) && aim->predators == 0) {
        return aimed;
    }
    struct seekers seekers = {group->p, group->half, group->size};
    struct seeking seeking = {.square = wide_all(__builtin_inff())};
    seek_nearest(&aim->goals, &seekers, &group->nearby->goals, &seeking);
    wide clear = wide_all(aim->clearance * aim->clearance);
    aimed.sought = wide_both(wide_at_most(clear, seeking.square),
                             wide_less(seeking.square, wide_all(__builtin_inff())));
    if (aim->informed < 1.0f && aim->targets > 0) {
        aimed.sought =
            wide_both(aimed.sought, find_informed(group->number, group->count, aim->informed));
    }
    aimed.target = wide_pick_vec(aimed.sought, seeking.target, (struct wide_vec){0});
    if (aim->foods > 0) {
        struct seeking food = {.square = wide_all(__builtin_inff())};
        notice_food(group->job, &seekers, group->number, group->count, &group->nearby->meals,
                    &food);
        wide_mask noticed = wide_less(food.square, wide_all(__builtin_inff()));
        aimed.sought = wide_either(aimed.sought, noticed);
        aimed.target = wide_pick_vec(noticed, food.target, aimed.target);
        aimed.keenness = wide_pick(noticed, wide_all((float)FOOD_KEENNESS), aimed.keenness);
    }
    if (aim->predators > 0) {
        struct wide_vec flight = {0};
        flee_from_predators(group->job, &seekers, &group->nearby->fears, &flight);
        aimed.flight = flight;
    }
    aimed.fled = wide_less((wide){0}, wide_dot(aimed.flight, aimed.flight));
    return aimed;
}

WIDE_INLINE struct wide_vec steer(const struct group *group, struct wide_vec wish, wide max_speed,
                                  wide max_force)
{
    struct wide_vec ideal = wide_scale(wide_unit(wish), max_speed);
    return wide_limit(wide_sub(ideal, group->v), max_force);
}

/* v + weight * force where the mask is set */
WIDE_INLINE struct wide_vec pushed(struct wide_vec v, wide_mask mask, struct wide_vec force,
                                   float weight)
{
    return (struct wide_vec){wide_plus(v.x, mask, force.x * weight),
                             wide_plus(v.y, mask, force.y * weight)};
}

static float wrap(float value, float size)
{
    value -= size * __builtin_floorf(value / size);
    return value >= 0.0f && value < size ? value : 0.0f;
}

WIDE_INLINE struct wide_vec clamp_far(struct wide_vec a)
{
    wide far = wide_all(FLOCK_FAR);
    return (struct wide_vec){wide_max(wide_min(a.x, far), -far),
                             wide_max(wide_min(a.y, far), -far)};
}

/* Moves boids that may have met a wall on their way from x, y, one by one. Among many walls a boid
 * takes up to 20 µs, so this polls the limit. It does not get the group: this function is not
 * inlined, so the compiler would compute all of the group, even headings that few models use. */
static void bounce(const struct kernel_job *job, const float x[WIDE], const float y[WIDE],
                   uint32_t to, uint32_t count)
{
    bool among_walls = false;
    for (uint32_t i = 0; i < count; i++) {
        struct mover mover = {x[i], y[i], job->vx[to + i], job->vy[to + i]};
        if (!walls_in_way(job->walls, (double)mover.x, (double)mover.y, (double)job->x[to + i],
                          (double)job->y[to + i])) {
            continue;
        }
        walls_move(job->walls, &mover);
        job->x[to + i] = mover.x;
        job->y[to + i] = mover.y;
        job->vx[to + i] = mover.vx;
        job->vy[to + i] = mover.vy;
        among_walls = job->walls->count > 0;
    }
    if (among_walls) {
        (void)limit_poll(job->limit);
    }
}

/* To the nearest multiple of 2^-14, as on_lattice() does. */
WIDE_INLINE wide on_lattice_wide(wide a)
{
    wide steps = a * 0x1p14f;
    wide size = wide_abs(steps);
    wide whole = (size + 0x1p23f) - 0x1p23f;
    whole = wide_pick(wide_less(steps, (wide){0}), -whole, whole);
    return wide_pick(wide_less(size, wide_all(0x1p23f)), whole, steps) * 0x1p-14f;
}

/* Returns the lanes beyond the edges of the world. */
WIDE_INLINE wide_mask beyond(struct wide_vec p, wide width, wide height)
{
    return wide_either(wide_either(wide_less(p.x, (wide){0}), wide_less(p.y, (wide){0})),
                       wide_either(wide_less(width, p.x), wide_less(height, p.y)));
}

/* Moves a group by its new velocity and writes it to its slots. */
WIDE_INLINE void finish(const struct group *group, struct wide_vec v, bool lattice, uint32_t to,
                        uint32_t count)
{
    const struct kernel_job *job = group->job;
    wide width = wide_all(job->world->width);
    wide height = wide_all(job->world->height);
    if (job->noise.span > 0.0f) {
        make_noise(&job->noise, group->number, count, &v);
    }
    v = clamp_far(v);
    struct wide_vec p = wide_add(group->p, v);
    if (lattice) {
        p = (struct wide_vec){on_lattice_wide(p.x), on_lattice_wide(p.y)};
    }
    bool rare = false;
    if (job->world->boundary == FLOCK_WRAP) {
        p.x = wide_plus(p.x, wide_less(p.x, (wide){0}), width);
        p.y = wide_plus(p.y, wide_less(p.y, (wide){0}), height);
        p.x = wide_plus(p.x, wide_at_most(width, p.x), -width);
        p.y = wide_plus(p.y, wide_at_most(height, p.y), -height);
        rare =
            wide_any(wide_either(beyond(p, width, height),
                                 wide_either(wide_at_most(width, p.x), wide_at_most(height, p.y))));
    } else if (job->world->boundary == FLOCK_WALLS) {
        rare = job->walls->count > 0 || wide_any(beyond(p, width, height));
    } else {
        p = clamp_far(p);
    }
    wide_store_some(job->x + to, p.x, count);
    wide_store_some(job->y + to, p.y, count);
    wide_store_some(job->vx + to, v.x, count);
    wide_store_some(job->vy + to, v.y, count);
    if (!rare) {
        return;
    }
    if (job->world->boundary == FLOCK_WALLS) {
        float x[WIDE];
        float y[WIDE];
        wide_store(x, group->p.x);
        wide_store(y, group->p.y);
        bounce(job, x, y, to, count);
        return;
    }
    for (uint32_t i = to; i < to + count; i++) {
        job->x[i] = wrap(job->x[i], job->world->width);
        job->y[i] = wrap(job->y[i], job->world->height);
    }
}

/* Finds what is near `count` adjacent boids. `world` has the size of the torus. */
static __attribute__((noinline, unused)) void
find_nearby(const struct kernel_job *job, const float *x, const float *y, uint32_t count,
            const struct seekers *world, struct nearby *nearby)
{
    const struct aim *aim = job->aim;
    const struct neighbourhood boids = neighbourhood_of(x, y, count, world);
    if (aim->targets >= TARGETS_MANY) {
        find_nearest(&aim->goals, &boids, &nearby->goals);
    }
    if (aim->foods >= TARGETS_MANY) {
        find_within(&aim->meals, &boids, FOOD_NOTICE, &nearby->meals);
    }
    if (aim->predators >= PREDATORS_MANY) {
        find_within(&aim->fears, &boids, notice_of(job), &nearby->fears);
    }
}

/* Gives the group what is near its boids, which begin at index `from` of x and y. The groups up to
 * `end` share it. */
WIDE_INLINE void share_nearby(struct group *group, struct nearby *nearby, const float *x,
                              const float *y, uint32_t from, uint32_t end)
{
    if (group->job->aim->many && from + group->count > nearby->end) {
        const struct seekers world = {group->p, group->half, group->size};
        nearby->end = end - from < TARGETS_SHARED ? end : from + TARGETS_SHARED;
        find_nearby(group->job, x + from, y + from, nearby->end - from, &world, nearby);
    }
    group->nearby = nearby;
}

WIDE_INLINE struct group load_group(const struct kernel_job *job, const uint32_t *number,
                                    const float *x, const float *y, const float *vx,
                                    const float *vy, uint32_t count)
{
    bool torus = job->world->boundary == FLOCK_WRAP;
    float width = torus ? job->world->width : __builtin_inff();
    float height = torus ? job->world->height : __builtin_inff();
    return (struct group){
        .job = job,
        .number = number,
        .p = {wide_load(x), wide_load(y)},
        .v = {wide_load(vx), wide_load(vy)},
        .half = {wide_all(0.5f * width), wide_all(0.5f * height)},
        .size = {wide_all(width), wide_all(height)},
        .count = count,
    };
}

#endif
