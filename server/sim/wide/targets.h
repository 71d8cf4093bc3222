/* The nearest of many targets, for boids that lie near each other. Part of group.h.
 *
 * Most targets are too far to be the nearest of any boid of a group. The search compares each
 * target with the box around the group, and only the rest with each boid. The distance to the box
 * is rounded in the same steps as the distances to its boids. Rounding keeps order, so no boid is
 * nearer than that, and the result is the same, bit for bit, as without the box. */
#ifndef TARGETS_H
#define TARGETS_H

#include "sim/rules.h"
#include "sim/wide/wide.h"

/* With fewer targets the box takes longer than it saves. */
enum { TARGETS_MANY = 24 };

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

WIDE_INLINE struct extent extent_of(wide a)
{
    return (struct extent){wide_all(wide_least(a)), wide_all(-wide_least(-a))};
}

WIDE_INLINE void seek_by_box(const struct aim_points *points, const struct seekers *group,
                             uint32_t count, float limit, struct seeking *found, bool torus)
{
    const float lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    float squares[FLOCK_TARGETS_MAX];
    const wide_mask used = wide_less(wide_load(lanes), wide_all((float)count));
    const struct wide_vec first = {wide_all(group->p.x[0]), wide_all(group->p.y[0])};
    const struct seekers seekers = {wide_pick_vec(used, group->p, first), group->half, group->size};
    const struct extent across = extent_of(seekers.p.x);
    const struct extent down = extent_of(seekers.p.y);
    wide least = wide_all(__builtin_inff());
    for (uint32_t i = 0; i < points->count; i += WIDE) {
        const struct wide_vec d = {
            least_distance(wide_load(points->x + i), &across, seekers.size.x, torus),
            least_distance(wide_load(points->y + i), &down, seekers.size.y, torus)};
        wide_store(squares + i, wide_dot(d, d));
        least = wide_min(least, wide_dot(d, d));
    }
    /* No boid's nearest target is farther than the target that is nearest to the box. */
    least = wide_all(wide_least(least));
    uint32_t at = 0;
    unsigned near = 0;
    while ((near = wide_bits(wide_at_most(wide_load(squares + at), least))) == 0) {
        at += WIDE;
    }
    const struct wide_vec d =
        target_from(&seekers, points, at + (uint32_t)__builtin_ctz(near), torus);
    const wide most = wide_min(wide_all(-wide_least(-wide_dot(d, d))), wide_all(limit));
    struct seeking seeking = *found;
    for (uint32_t from = 0; from < points->count; from += 64) {
        uint64_t nears = 0;
        for (uint32_t i = from; i < points->count && i < from + 64; i += WIDE) {
            nears |= (uint64_t)wide_bits(wide_at_most(wide_load(squares + i), most)) << (i - from);
        }
        for (; nears != 0; nears &= nears - 1) {
            compare_target(&seeking, &seekers, points, from + (uint32_t)__builtin_ctzll(nears),
                           torus);
        }
    }
    *found = seeking;
}

/* Finds the nearest of all targets for each of the first `count` boids. A boid may find none if the
 * square of the distance to the nearest is greater than `limit`. */
static __attribute__((noinline)) void seek_targets(const struct aim_points *points,
                                                   const struct seekers *group, uint32_t count,
                                                   float limit, struct seeking *found)
{
    if (group->size.x[0] < __builtin_inff()) {
        seek_by_box(points, group, count, limit, found, true);
    } else {
        seek_by_box(points, group, count, limit, found, false);
    }
}

/* Finds the nearest of the points for each of the first `count` boids; see seek_targets(). */
WIDE_INLINE void seek_nearest(const struct aim_points *points, const struct seekers *seekers,
                              uint32_t count, float limit, struct seeking *seeking)
{
    if (points->count >= TARGETS_MANY) {
        seek_targets(points, seekers, count, limit, seeking);
        return;
    }
    for (uint32_t i = 0; i < points->count; i++) {
        compare_target(seeking, seekers, points, i, true);
    }
}

#endif
