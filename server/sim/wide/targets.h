/* The nearest of many targets, and the predators within flee_distance, for boids that lie near each
 * other. Part of group.h.
 *
 * Most targets are too far to be the nearest of any of 16 adjacent boids. The search compares each
 * target with the box around the boids, and only the rest with each boid. The distance to the box
 * is rounded in the same steps as the distances to its boids. Rounding keeps order, so no boid is
 * nearer than that, and the result is the same, bit for bit, as without the box. */
#ifndef TARGETS_H
#define TARGETS_H

#include "sim/rules.h"
#include "sim/wide/wide.h"

/* With fewer targets than TARGETS_MANY, or fewer predators than PREDATORS_MANY, the box takes
 * longer than it saves. Narrow groups of up to TARGETS_SHARED boids in all share a box. */
enum { TARGETS_SHARED = 16 };

/* Some of the points of an aim: a bit for each. */
struct near_points {
    uint64_t bits[(AIM_POINTS_MAX + 63) / 64];
};

/* The points near some adjacent boids. */
struct nearby {
    struct near_points goals, meals; /* that can be the nearest of one of the boids */
    struct near_points fears;        /* from which one of the boids may flee */
    uint32_t end;                    /* index after the last of these boids */
};

struct seeking {
    struct wide_vec target; /* displacement to the nearest target so far */
    wide square;            /* of that displacement; infinite without a target */
};

/* The boids, and half and whole size of the torus; infinite in a plane. */
struct seekers {
    struct wide_vec p, half, size;
};

/* The positions of the boids from the least to the greatest, on one axis. */
struct extent {
    wide low, high;
};

/* Adjacent boids, the box around them, and the size of the torus. */
struct neighbourhood {
    const float *x, *y;
    uint32_t count;
    struct extent across, down;
    const struct seekers *world;
};

/* `torus` is a constant: a plane has no images to look for, which take most of the time. */
WIDE_INLINE struct wide_vec target_from(const struct seekers *seekers,
                                        const struct aim_points *points, uint32_t i, bool torus)
{
    struct wide_vec d = {wide_all(points->x[i]) - seekers->p.x,
                         wide_all(points->y[i]) - seekers->p.y};
    if (torus) {
        d.x = wide_nearest(d.x, seekers->half.x, seekers->size.x);
        d.y = wide_nearest(d.y, seekers->half.y, seekers->size.y);
    }
    return d;
}

/* Of targets at the same distance, the first one that was compared stays the nearest. */
WIDE_INLINE void compare_target(struct seeking *seeking, const struct seekers *seekers,
                                const struct aim_points *points, uint32_t i, bool torus)
{
    const struct wide_vec d = target_from(seekers, points, i, torus);
    const wide square = wide_dot(d, d);
    const wide_mask nearer = wide_less(square, seeking->square);
    seeking->square = wide_min(seeking->square, square);
    seeking->target = wide_pick_vec(nearer, d, seeking->target);
}

/* Returns the least distance from a boid within the extent to each target, on one axis. In a torus
 * of that size it may be shorter around the edge. */
WIDE_INLINE wide least_distance(wide at, const struct extent *extent, wide size, bool torus)
{
    const wide straight = wide_max(wide_max(extent->low - at, at - extent->high), (wide){0});
    if (!torus) {
        return straight;
    }
    const wide around = size - wide_max(at - extent->low, extent->high - at);
    return wide_min(straight, around);
}

/* Loads the boids from index `at` on; the lanes after the last of `count` boids repeat boid 0. */
WIDE_INLINE wide load_boids(const float *from, uint32_t at, uint32_t count)
{
    const float lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const wide_mask used = wide_less(wide_load(lanes), wide_all((float)(count - at)));
    return wide_pick(used, wide_load(from + at), wide_all(from[0]));
}

WIDE_INLINE struct extent extent_of(const float *from, uint32_t count)
{
    wide low = wide_all(from[0]);
    wide high = low;
    for (uint32_t at = 0; at < count; at += WIDE) {
        const wide a = load_boids(from, at, count);
        low = wide_min(low, a);
        high = wide_max(high, a);
    }
    return (struct extent){wide_all(wide_least(low)), wide_all(-wide_least(-high))};
}

/* Returns the square of the greatest distance from one of the boids to the target. */
WIDE_INLINE wide farthest(const struct aim_points *points, uint32_t target, const float *x,
                          const float *y, uint32_t count, const struct seekers *world, bool torus)
{
    wide far = {0};
    for (uint32_t at = 0; at < count; at += WIDE) {
        const struct seekers boids = {
            {load_boids(x, at, count), load_boids(y, at, count)}, world->half, world->size};
        const struct wide_vec d = target_from(&boids, points, target, torus);
        far = wide_max(far, wide_dot(d, d));
    }
    return wide_all(-wide_least(-far));
}

/* Returns the squares of the least distances from the boids to the points from index `at` on. */
WIDE_INLINE wide least_squares(const struct aim_points *points, uint32_t at,
                               const struct neighbourhood *boids, bool torus)
{
    const struct wide_vec d = {
        least_distance(wide_load(points->x + at), &boids->across, boids->world->size.x, torus),
        least_distance(wide_load(points->y + at), &boids->down, boids->world->size.y, torus)};
    return wide_dot(d, d);
}

/* Stores which of the squares are at most `most`. */
WIDE_INLINE void choose_points(const float *squares, uint32_t count, wide most,
                               struct near_points *near)
{
    for (uint32_t k = 0; 64 * k < count; k++) {
        near->bits[k] = 0;
        for (uint32_t i = 64 * k; i < count && i < 64 * (k + 1); i += WIDE) {
            near->bits[k] |= (uint64_t)wide_bits(wide_at_most(wide_load(squares + i), most))
                             << (i - 64 * k);
        }
    }
}

WIDE_INLINE void find_by_box(const struct aim_points *points, const struct neighbourhood *boids,
                             struct near_points *near_points, bool torus)
{
    float squares[AIM_POINTS_MAX];
    wide least = wide_all(__builtin_inff());
    for (uint32_t i = 0; i < points->count; i += WIDE) {
        const wide square = least_squares(points, i, boids, torus);
        wide_store(squares + i, square);
        least = wide_min(least, square);
    }
    /* No boid's nearest target is farther than the target that is nearest to the box. */
    least = wide_all(wide_least(least));
    uint32_t at = 0;
    unsigned near = 0;
    while ((near = wide_bits(wide_at_most(wide_load(squares + at), least))) == 0) {
        at += WIDE;
    }
    const wide most = farthest(points, at + (uint32_t)__builtin_ctz(near), boids->x, boids->y,
                               boids->count, boids->world, torus);
    choose_points(squares, points->count, most, near_points);
}

WIDE_INLINE bool is_torus(const struct seekers *world)
{
    return world->size.x[0] < __builtin_inff();
}

/* Finds the points that can be the nearest of one of the boids. */
static __attribute__((noinline, unused)) void find_nearest(const struct aim_points *points,
                                                           const struct neighbourhood *boids,
                                                           struct near_points *near)
{
    if (is_torus(boids->world)) {
        find_by_box(points, boids, near, true);
    } else {
        find_by_box(points, boids, near, false);
    }
}

/* Finds the points whose squares of the distance to one of the boids may be at most `most`. */
static __attribute__((noinline, unused)) void find_within(const struct aim_points *points,
                                                          const struct neighbourhood *boids,
                                                          float most, struct near_points *near)
{
    const wide limit = wide_all(most);
    const bool torus = is_torus(boids->world);
    for (uint32_t k = 0; 64 * k < points->count; k++) {
        uint64_t bits = 0;
        for (uint32_t i = 64 * k; i < points->count && i < 64 * (k + 1); i += WIDE) {
            const wide square = torus ? least_squares(points, i, boids, true)
                                      : least_squares(points, i, boids, false);
            bits |= (uint64_t)wide_bits(wide_at_most(square, limit)) << (i - 64 * k);
        }
        near->bits[k] = bits;
    }
}

/* Returns the neighbourhood of `count` adjacent boids. `world` has the size of the torus. */
WIDE_INLINE struct neighbourhood neighbourhood_of(const float *x, const float *y, uint32_t count,
                                                  const struct seekers *world)
{
    return (struct neighbourhood){x, y, count, extent_of(x, count), extent_of(y, count), world};
}

WIDE_INLINE void compare_nearby(const struct aim_points *points, const struct seekers *seekers,
                                const struct near_points *nearby, struct seeking *found, bool torus)
{
    struct seeking seeking = *found;
    for (uint32_t k = 0; 64 * k < points->count; k++) {
        for (uint64_t bits = nearby->bits[k]; bits != 0; bits &= bits - 1) {
            compare_target(&seeking, seekers, points, 64 * k + (uint32_t)__builtin_ctzll(bits),
                           torus);
        }
    }
    *found = seeking;
}

/* Finds the nearest of the nearby targets for each boid. */
static __attribute__((noinline)) void seek_targets(const struct aim_points *points,
                                                   const struct seekers *seekers,
                                                   const struct near_points *nearby,
                                                   struct seeking *found)
{
    if (is_torus(seekers)) {
        compare_nearby(points, seekers, nearby, found, true);
    } else {
        compare_nearby(points, seekers, nearby, found, false);
    }
}

/* Finds the nearest of the points for each boid; of many points only the nearby ones are compared.
 */
WIDE_INLINE void seek_nearest(const struct aim_points *points, const struct seekers *seekers,
                              const struct near_points *nearby, struct seeking *seeking)
{
    if (points->count >= TARGETS_MANY) {
        seek_targets(points, seekers, nearby, seeking);
        return;
    }
    for (uint32_t i = 0; i < points->count; i++) {
        compare_target(seeking, seekers, points, i, true);
    }
}

#endif
