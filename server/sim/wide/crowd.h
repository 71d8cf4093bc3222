/* The inner loop of the models whose boids look at their neighbours. Such a model's file has three
 * parts: struct sums; look(), which adds a candidate to the sums of a group; and turn(), which
 * computes the group's new velocity from them. The file ends with CROWD_LOOPS. */
#ifndef WIDE_CROWD_H
#define WIDE_CROWD_H

#include "sim/wide/group.h"

/* A candidate that all lanes look at. */
struct candidate {
    struct wide_vec d; /* from each lane's boid */
    wide square;       /* of the distance */
    struct wide_vec v; /* velocity; heading for the models that look at headings */
};

struct angle {
    wide along, across; /* cosine and sine of the angle from the heading, times the distance */
};

WIDE_INLINE struct angle angle_to(const struct group *group, const struct candidate *other)
{
    wide across = group->h.x * other->d.y - group->h.y * other->d.x;
    return (struct angle){wide_dot(group->h, other->d), wide_abs(across)};
}

/* Returns the number of boids that can share a run: all that are left in the row, unless the run of
 * a rolled-up plane would come around to its begin. */
static uint32_t group_size(const struct grid *grid, const uint32_t *start, uint32_t from,
                           uint32_t end, uint32_t first)
{
    uint32_t count = end - from < WIDE ? end - from : WIDE;
    if (grid->rolled) {
        uint32_t last = first + grid->columns - 2 * grid->halo - 1;
        uint32_t reach = start[last < grid->columns ? last + 1 : grid->columns];
        count = reach - from < count ? reach - from : count;
    }
    return count;
}

/* `around`: the torus is so small that the loop must look for images. */
#define MOVE_ROW(headings, around)                                                                 \
    const struct grid *grid = job->grid;                                                           \
    const uint32_t *start = grid->start + grid_row(grid, row + 1);                                 \
    uint32_t end = start[grid->columns];                                                           \
    uint32_t to = grid->base[row];                                                                 \
    uint32_t first = 0;                                                                            \
    uint32_t work = 0;                                                                             \
    struct nearby nearby = {.end = 0};                                                             \
    for (uint32_t from = start[0], count; from < end; from += count, to += count) {                \
        while (start[first + 1] <= from) {                                                         \
            first++;                                                                               \
        }                                                                                          \
        count = group_size(grid, start, from, end, first);                                         \
        uint32_t last = first;                                                                     \
        while (start[last + 1] < from + count) {                                                   \
            last++;                                                                                \
        }                                                                                          \
        struct group group = load_group(job, grid->id + from, grid->x + from, grid->y + from,      \
                                        grid->vx + from, grid->vy + from, count);                  \
        share_nearby(&group, &nearby, grid->x, grid->y, from, end);                                \
        group.h = (headings)                                                                       \
                      ? (struct wide_vec){wide_load(grid->hx + from), wide_load(grid->hy + from)}  \
                      : wide_unit(group.v);                                                        \
        struct sums sums = {0};                                                                    \
        for (int32_t side = (around) ? 0 : -1; side <= ((around) ? 0 : 1); side++) {               \
            const uint32_t *run = start + (int64_t)side * grid->stride;                            \
            uint32_t stop = run[last + grid->halo + 1];                                            \
            uint32_t begin = *(run + first - grid->halo);                                          \
            work += stop - begin;                                                                  \
            for (uint32_t j = begin; j < stop; j++) {                                              \
                struct candidate other = {                                                         \
                    .d = {wide_all(grid->x[j]) - group.p.x, wide_all(grid->y[j]) - group.p.y},     \
                    .v = {wide_all((headings) ? grid->hx[j] : grid->vx[j]),                        \
                          wide_all((headings) ? grid->hy[j] : grid->vy[j])}};                      \
                if (around) {                                                                      \
                    other.d.x = wide_nearest(other.d.x, group.half.x, group.size.x);               \
                    other.d.y = wide_nearest(other.d.y, group.half.y, group.size.y);               \
                }                                                                                  \
                other.square = wide_dot(other.d, other.d);                                         \
                look(&group, &sums, &other);                                                       \
            }                                                                                      \
        }                                                                                          \
        finish(&group, turn(&group, &sums), false, to, count);                                     \
        memcpy(job->id + to, grid->id + from, count * sizeof *job->id);                            \
        if (limit_count(job->limit, &work, 0) || limit_is_exceeded(job->limit)) {                  \
            return;                                                                                \
        }                                                                                          \
    }

/* The loops of the model `name`. `with_headings`: look() gets the headings of others instead of
 * their velocities. */
#define CROWD_LOOPS(name, with_headings)                                                           \
    static void move_row_around(const struct kernel_job *job, uint32_t row)                        \
    {                                                                                              \
        MOVE_ROW(with_headings, true)                                                              \
    }                                                                                              \
    static void move_row(const struct kernel_job *job, uint32_t row)                               \
    {                                                                                              \
        if (job->grid->small) {                                                                    \
            move_row_around(job, row);                                                             \
            return;                                                                                \
        }                                                                                          \
        MOVE_ROW(with_headings, false)                                                             \
    }                                                                                              \
    const struct flock_loops WIDE_NAME(name##_loops) = {.headings = (with_headings),               \
                                                        .row = move_row};

#endif
