/* The swarm in the synchronous order: its sums over discs. The model is in models/swarm.c. */
#include "sim/pool.h"
#include "sim/wide/kernel.h"

/* For a torus so small that a disc could meet two images of a boid: every pair, the plain way. */
static void separate_all_pairs(const struct separate_job *job, const struct flock *flock,
                               struct vec torus)
{
    for (uint32_t i = 0; i < flock->count; i++) {
        double radius = (double)flock_own_value(flock, PLACE_SEPARATION,
                                                flock->place[PLACE_SEPARATION][flock->id[i]]);
        struct vec sum = {0};
        uint32_t others = 0;
        for (uint32_t j = 0; j < flock->count; j++) {
            struct vec d = {nearest_image((double)flock->x[j] - (double)flock->x[i], torus.x),
                            nearest_image((double)flock->y[j] - (double)flock->y[i], torus.y)};
            if (j != i && vec_dot(d, d) < radius * radius) {
                sum = vec_add(sum, d);
                others++;
            }
        }
        double d = vec_length(sum);
        double factor = others > 0 && d > 0.0 ? -(radius - d / others) / d : 0.0;
        job->push_x[i] = (float)(sum.x * factor);
        job->push_y[i] = (float)(sum.y * factor);
    }
}

enum { BLOCKS_AT_ONCE = 16, BOIDS_AT_ONCE = 4096 };

struct swarm {
    struct flock *flock;
    struct separate_job job;
    const struct aim *aim;
    struct vec torus, centroid;
    struct vec pull; /* the target vector, if it is the same for all */
};

static void separate_part(void *context, uint32_t part)
{
    struct swarm *swarm = context;
    uint32_t first = part * BLOCKS_AT_ONCE;
    uint32_t end = first + BLOCKS_AT_ONCE;
    uint32_t blocks = swarm->job.disc->blocks;
    swarm->flock->kernel->separate(&swarm->job, first, end < blocks ? end : blocks);
}

/* Fills push_x and push_y with every boid's separation from those within its distance. */
static void separate(struct swarm *swarm)
{
    struct flock *flock = swarm->flock;
    float reach = flock_reach(flock);
    struct vec torus = swarm->torus;
    if (torus.x > 0.0 && fmin(torus.x, torus.y) < 2.0 * (double)reach) {
        separate_all_pairs(&swarm->job, flock, torus);
        return;
    }
    disc_build(flock->disc, flock->x, flock->y, flock->count, (float)torus.x, (float)torus.y,
               reach);
    pool_run(flock->pool, separate_part, swarm,
             (flock->disc->blocks + BLOCKS_AT_ONCE - 1) / BLOCKS_AT_ONCE);
}

/* The target vector and the flight of one boid among several targets or predators. */
static void aim_boid(const struct swarm *swarm, uint32_t i, struct vec *pull, struct vec *flight)
{
    const struct flock *flock = swarm->flock;
    struct body body = {.p = {(double)flock->x[i], (double)flock->y[i]}};
    struct sight sight = {.bodies = &body, .width = swarm->torus.x, .height = swarm->torus.y};
    sight_aim(&sight, swarm->aim, (double)flock->params[SWARM_FLEE_DISTANCE]);
    if (sight.target != NULL) {
        *pull = sight_between(&sight, swarm->centroid, *sight.target);
    }
    *flight = sight.flight;
}

static void steer_part(void *context, uint32_t part)
{
    struct swarm *swarm = context;
    struct flock *flock = swarm->flock;
    uint32_t first = part * BOIDS_AT_ONCE;
    uint32_t end = first + BOIDS_AT_ONCE < flock->count ? first + BOIDS_AT_ONCE : flock->count;
    bool alike = swarm->aim->targets <= 1 && swarm->aim->predators == 0;
    struct vec pull = swarm->pull;
    struct vec flight = {0};
    float inertia = flock->params[SWARM_INERTIA];
    for (uint32_t i = first; i < end; i++) {
        if (!alike) {
            aim_boid(swarm, i, &pull, &flight);
        }
        uint32_t id = flock->id[i];
        float s = flock_own_value(flock, PLACE_SEPARATION, flock->place[PLACE_SEPARATION][id]);
        float a = flock_own_value(flock, PLACE_ALIGNMENT, flock->place[PLACE_ALIGNMENT][id]);
        float k = flock_own_value(flock, PLACE_COHESION, flock->place[PLACE_COHESION][id]);
        float fear = s * flock->params[SWARM_FLEE_WEIGHT];
        double home_x = swarm->centroid.x - (double)flock->x[i];
        double home_y = swarm->centroid.y - (double)flock->y[i];
        if (swarm->torus.x > 0.0) {
            home_x = nearest_image(home_x, swarm->torus.x);
            home_y = nearest_image(home_y, swarm->torus.y);
        }
        flock->vx[i] = (flock->vx[i] * inertia + flock->push_x[i] + (float)pull.x * a +
                        (float)home_x * k + (float)flight.x * fear) *
                       0.25f;
        flock->vy[i] = (flock->vy[i] * inertia + flock->push_y[i] + (float)pull.y * a +
                        (float)home_y * k + (float)flight.y * fear) *
                       0.25f;
    }
}

void swarm_steer(struct flock *flock, const struct aim *aim)
{
    struct swarm swarm = {
        .flock = flock,
        .job = {.disc = flock->disc,
                .id = flock->id,
                .place = flock->place[PLACE_SEPARATION],
                .low = flock->params[SWARM_SEPARATION_MIN],
                .high = flock->params[SWARM_SEPARATION_MAX],
                .push_x = flock->push_x,
                .push_y = flock->push_y},
        .aim = aim,
        .torus = flock_torus(flock),
        .centroid = flock_centroid(flock),
    };
    if (aim->targets == 1) {
        struct vec d = vec_sub(aim->target[0], swarm.centroid);
        swarm.pull =
            (struct vec){nearest_image(d.x, swarm.torus.x), nearest_image(d.y, swarm.torus.y)};
    }
    separate(&swarm);
    pool_run(flock->pool, steer_part, &swarm, (flock->count + BOIDS_AT_ONCE - 1) / BOIDS_AT_ONCE);
}
