/* The swarm in the synchronous order: its sums over discs. The model is in models/swarm.c. */
#include "sim/pool.h"
#include "sim/wide/kernel.h"

enum { BLOCKS_AT_ONCE = 8, BOIDS_AT_ONCE = 4096 };

struct swarm {
    struct flock *flock;
    struct kernel_job job;
};

/* For a torus so small that a disc could meet two images of a boid: every pair, the plain way. */
static void sum_all_pairs(const struct kernel_job *job, const struct flock *flock)
{
    struct vec torus = flock_torus(flock);
    for (uint32_t i = 0; i < flock->count; i++) {
        double radius = (double)flock_own_value(flock, PLACE_SEPARATION,
                                                flock->place[PLACE_SEPARATION][flock->id[i]]);
        struct vec sum = {0};
        uint32_t counted = 0;
        for (uint32_t j = 0; j < flock->count; j++) {
            struct vec d = {nearest_image((double)flock->x[j] - (double)flock->x[i], torus.x),
                            nearest_image((double)flock->y[j] - (double)flock->y[i], torus.y)};
            if (vec_dot(d, d) < radius * radius) {
                sum = vec_add(sum, d);
                counted++;
            }
        }
        job->sum_x[i] = (float)sum.x;
        job->sum_y[i] = (float)sum.y;
        job->counted[i] = (float)counted;
    }
}

/* Where the blocks of a part end. */
static uint32_t blocks_end(const struct swarm *swarm, uint32_t part)
{
    uint32_t end = (part + 1) * BLOCKS_AT_ONCE;
    return end < swarm->job.disc->blocks ? end : swarm->job.disc->blocks;
}

static void fill_part(void *context, uint32_t part)
{
    const struct swarm *swarm = context;
    disc_fill(swarm->flock->disc, part * BLOCKS_AT_ONCE, blocks_end(swarm, part));
}

static void sum_part(void *context, uint32_t part)
{
    const struct swarm *swarm = context;
    swarm->flock->kernel->separate(&swarm->job, part * BLOCKS_AT_ONCE, blocks_end(swarm, part));
}

static void move_part(void *context, uint32_t part)
{
    const struct swarm *swarm = context;
    uint32_t first = part * BOIDS_AT_ONCE;
    uint32_t end = first + BOIDS_AT_ONCE;
    uint32_t count = swarm->flock->count;
    swarm->flock->kernel->swarm(&swarm->job, first, end < count ? end : count);
}

static void sum_discs(struct swarm *swarm)
{
    struct flock *flock = swarm->flock;
    float reach = flock_reach(flock);
    struct vec torus = flock_torus(flock);
    if (torus.x > 0.0 && fmin(torus.x, torus.y) < 2.0 * (double)reach) {
        sum_all_pairs(&swarm->job, flock);
        return;
    }
    disc_sort(flock->disc, flock->x, flock->y, flock->count, (float)torus.x, (float)torus.y, reach,
              flock->kernel->lanes);
    uint32_t parts = (flock->disc->blocks + BLOCKS_AT_ONCE - 1) / BLOCKS_AT_ONCE;
    pool_run(flock->pool, fill_part, swarm, parts);
    disc_sum(flock->disc);
    pool_run(flock->pool, sum_part, swarm, parts);
}

void swarm_tick(struct flock *flock, const struct aim *aim)
{
    struct vec centroid = flock_centroid(flock);
    struct aim near = *aim;
    if (flock->definition.boundary == FLOCK_WRAP) {
        aim_wrap(&near, flock_torus(flock));
    }
    struct swarm swarm = {
        .flock = flock,
        .job = {.world = &flock->definition,
                .walls = &flock->walls,
                .aim = &near,
                .params = flock->params,
                .flee_distance = flock->params[SWARM_FLEE_DISTANCE],
                .x = flock->x,
                .y = flock->y,
                .vx = flock->vx,
                .vy = flock->vy,
                .id = flock->id,
                .disc = flock->disc,
                .place = {flock->place[0], flock->place[1], flock->place[2]},
                .centroid_x = (float)centroid.x,
                .centroid_y = (float)centroid.y,
                .sum_x = flock->sum_x,
                .sum_y = flock->sum_y,
                .counted = flock->counted},
    };
    sum_discs(&swarm);
    pool_run(flock->pool, move_part, &swarm, (flock->count + BOIDS_AT_ONCE - 1) / BOIDS_AT_ONCE);
}
