/* The synchronous tick of the swarm: sums over discs. models/swarm.c has the model. */
#include "sim/swarm.h"

#include <assert.h>
#include <string.h>

#include "sim/wide/kernel.h"

enum { BLOCKS_AT_ONCE = 8, BOIDS_AT_ONCE = 4096 };

/* With at least this much food and (each counts as four pieces) predators, to find aims block by
 * block takes less time. Targets do not count: a swarm gathers at them, and is then narrow. */
enum { DEAR_AIMS = 32 };

/* With at least this many points, each part of the sums checks the limit. Fewer points take some
 * ms, wherever they are. */
enum { POINTS_TO_ASK = 4096 };

/* Boids per thread of a tick. On two processors, with 5 ms between ticks, two threads take 1.06,
 * 0.87 and 0.7 times as long as one thread for 500, 1,000 and 2,000 boids. */
enum { WORKER_BOIDS = 500 };

struct swarm {
    struct flock *flock;
    struct flock_workspace *workspace;
    const struct flock_loops *loops;
    struct disc disc;
    struct swarm_before before; /* only with walls */
    struct swarm_aims aims;     /* only with many things */
    struct kernel_job job;
};

/* For a torus so small that a disc could contain two images of a boid: looks at every pair. */
static void sum_all_pairs(const struct kernel_job *job, const struct flock *flock)
{
    struct vec torus = flock_torus(flock);
    uint32_t work = 0;
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
        job->sums.x[i] = (float)sum.x;
        job->sums.y[i] = (float)sum.y;
        job->sums.counted[i] = (float)counted;
        if (limit_count(job->limit, &work, flock->count)) {
            return;
        }
    }
}

/* Returns the end of a part's blocks. */
static uint32_t blocks_end(const struct swarm *swarm, uint32_t part)
{
    uint32_t end = (part + 1) * BLOCKS_AT_ONCE;
    return end < swarm->job.disc->blocks ? end : swarm->job.disc->blocks;
}

static void fill_part(void *context, uint32_t part)
{
    struct swarm *swarm = context;
    disc_fill(&swarm->disc, part * BLOCKS_AT_ONCE, blocks_end(swarm, part));
}

static void sum_part(void *context, uint32_t part)
{
    const struct swarm *swarm = context;
    if (swarm->disc.count > POINTS_TO_ASK && limit_poll(&swarm->workspace->limit)) {
        return;
    }
    swarm->loops->sum(&swarm->job, part * BLOCKS_AT_ONCE, blocks_end(swarm, part));
    if (swarm->job.aims != NULL) {
        swarm->loops->aim(&swarm->job, part * BLOCKS_AT_ONCE, blocks_end(swarm, part));
    }
}

static void move_part(void *context, uint32_t part)
{
    const struct swarm *swarm = context;
    uint32_t first = part * BOIDS_AT_ONCE;
    uint32_t end = first + BOIDS_AT_ONCE;
    uint32_t count = swarm->flock->count;
    swarm->loops->move(&swarm->job, first, end < count ? end : count);
}

/* Whether the boids' aims are found block by block, before the boids move; `few`: the disc has no
 * such blocks. Boids in adjacent slots lie anywhere, so most things are near some of them. Boids in
 * a block of the disc lie near each other. */
static bool aims_are_dear(const struct aim *aim, bool few)
{
    return !few && aim->foods + 4 * aim->predators >= DEAR_AIMS;
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
    struct disc *disc = &swarm->disc;
    disc_sort(disc, flock->x, flock->y, flock->count, (float)torus.x, (float)torus.y, reach,
              flock->kernel->lanes);
    uint32_t parts = (disc->blocks + BLOCKS_AT_ONCE - 1) / BLOCKS_AT_ONCE;
    if (!disc->few) {
        workspace_run(swarm->workspace, fill_part, swarm, parts);
        disc_sum(disc);
    }
    if (aims_are_dear(swarm->job.aim, disc->few)) {
        swarm->job.aims = &swarm->aims;
        memset(swarm->aims.flight_x, 0, flock->count * sizeof *swarm->aims.flight_x);
        memset(swarm->aims.flight_y, 0, flock->count * sizeof *swarm->aims.flight_y);
    }
    workspace_run(swarm->workspace, sum_part, swarm, parts);
}

static void copy_boids(const struct swarm_before *to, const struct swarm_before *from,
                       uint32_t count)
{
    memcpy(to->x, from->x, count * sizeof *to->x);
    memcpy(to->y, from->y, count * sizeof *to->y);
    memcpy(to->vx, from->vx, count * sizeof *to->vx);
    memcpy(to->vy, from->vy, count * sizeof *to->vy);
}

/* Among walls a tick may stop while boids move: then they move back. */
static void move_all(struct swarm *swarm)
{
    struct flock *flock = swarm->flock;
    const uint32_t count = flock->count;
    const struct swarm_before boids = {flock->x, flock->y, flock->vx, flock->vy};
    if (flock->walls.count > 0) {
        copy_boids(&swarm->before, &boids, count);
    }
    workspace_run(swarm->workspace, move_part, swarm, (count + BOIDS_AT_ONCE - 1) / BOIDS_AT_ONCE);
    if (limit_is_exceeded(&swarm->workspace->limit)) {
        assert(flock->walls.count > 0);
        copy_boids(&boids, &swarm->before, count);
    }
}

/* Gives the tick its arrays; a small swarm's tick takes about as long as all of them. */
static void take_arrays(struct swarm *swarm)
{
    const struct flock *flock = swarm->flock;
    const bool torus = flock->definition.settings.boundary == FLOCK_WRAP;
    struct arena arena = workspace_arena(swarm->workspace);
    disc_take(&swarm->disc, &arena, flock->count, torus);
    swarm_sums_take(&swarm->job.sums, &arena, flock->count);
    if (flock->walls.count > 0) {
        swarm_before_take(&swarm->before, &arena, flock->count);
    }
    if (aims_are_dear(swarm->job.aim, false)) {
        swarm_aims_take(&swarm->aims, &arena, flock->count);
    }
}

void swarm_tick(struct flock *flock, struct flock_workspace *workspace, const struct aim *aim,
                struct bites *bites)
{
    const struct flock_settings *settings = &flock->definition.settings;
    const struct vec centroid = flock_centroid(flock);
    struct swarm swarm; /* to clear all of it takes 2 % of a small swarm's tick */
    swarm.flock = flock;
    swarm.workspace = workspace;
    swarm.loops = settings->model->rules->loops[flock->kernel->width];
    swarm.job = (struct kernel_job){
        .limit = &workspace->limit,
        .world = settings,
        .walls = &flock->walls,
        .aim = aim,
        .bites = bites,
        .torus = flock_torus(flock),
        .noise = flock_noise(flock, flock->ticks),
        .params = settings->params,
        .flee_distance = common_param(settings->model, FLOCK_FLEE_DISTANCE, settings->params),
        .x = flock->x,
        .y = flock->y,
        .vx = flock->vx,
        .vy = flock->vy,
        .id = flock->id,
        .disc = &swarm.disc,
        .place = {flock->place[0], flock->place[1], flock->place[2]},
        .centroid_x = (float)centroid.x,
        .centroid_y = (float)centroid.y,
    };
    workspace_choose(workspace, flock->count, WORKER_BOIDS);
    take_arrays(&swarm);
    sum_discs(&swarm);
    if (limit_is_exceeded(&workspace->limit)) {
        return; /* no boid has moved yet */
    }
    move_all(&swarm);
}
