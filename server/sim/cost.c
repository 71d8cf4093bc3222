/* An estimate of a tick's cost before the tick: about how many pairs of boids it looks at. */
#include "sim/state.h"

/* Each of 64 boids is compared with 1,024 others: 65,000 pairs, which take 0.1 ms. */
enum { SAMPLE = 64, OTHERS = 1024 };

/* The sequential order computes pairs one by one in double precision, and its cells are larger.
 * With 5,000 boids in 550 x 400 units, a pair takes 8 ns for `swarm` and `steering`, 9 for `boids`,
 * 18 to 19 for `vision` and `birds`. In the synchronous order it takes about 1 ns. */
#define SEQUENTIAL_COST 16.0

float flock_reach_of(const struct flock_model *model, const float *params)
{
    return model->rules->reach(params);
}

double flock_pair_cost(enum flock_update update)
{
    return update == FLOCK_SEQUENTIAL ? SEQUENTIAL_COST : 1.0;
}

/* Returns whether a tick adds up whole discs (disc.h). A disc costs the square root of the number
 * of boids. */
static bool sums_discs(const struct flock_rule *rule)
{
    return rule->model->rules->own && rule->update == FLOCK_SYNCHRONOUS;
}

/* Returns the number of pairs of `boids` boids, of which each has the share `share` of all others
 * within its reach. */
static double pairs_of(const struct flock_rule *rule, double boids, double share)
{
    return boids * (sums_discs(rule) ? sqrt(boids) : boids * fmin(share, 1.0));
}

/* Returns the share of the flock's boids that are within reach of a point. Looks at up to OTHERS
 * boids, spread evenly over the slots. */
static double share_near(const struct flock *flock, double x, double y, double reach)
{
    struct vec torus = flock_torus(flock);
    uint32_t others = flock->count < OTHERS ? flock->count : OTHERS;
    uint32_t near = 0;
    for (uint32_t k = 0; k < others; k++) {
        size_t slot = (size_t)((uint64_t)k * flock->count / others);
        struct vec d = {nearest_image((double)flock->x[slot] - x, torus.x),
                        nearest_image((double)flock->y[slot] - y, torus.y)};
        near += vec_dot(d, d) < reach * reach;
    }
    return (double)near / others;
}

double flock_pairs(const struct flock *flock, const struct flock_rule *rule)
{
    uint32_t sample = flock->count < SAMPLE ? flock->count : SAMPLE;
    double sum = 0.0;
    for (uint32_t k = 0; k < sample && !sums_discs(rule); k++) {
        size_t slot = (size_t)((uint64_t)k * flock->count / sample);
        sum +=
            share_near(flock, (double)flock->x[slot], (double)flock->y[slot], (double)rule->reach);
    }
    return pairs_of(rule, flock->count, sum / sample);
}

double flock_pairs_with(const struct flock *flock, float x, float y, uint32_t count)
{
    const struct flock_rule rule = {flock->definition.settings.model,
                                    flock->definition.settings.update, flock_reach(flock)};
    double reach = (double)rule.reach;
    double more = count;
    if (sums_discs(&rule)) {
        return pairs_of(&rule, flock->count + more, 1.0);
    }
    /* The new boids fill a disc of radius 4 sqrt(count) evenly. */
    double among = pairs_of(&rule, more, reach * reach / (16.0 * more));
    double across = 2.0 * more * flock->count * share_near(flock, (double)x, (double)y, reach);
    return flock_pairs(flock, &rule) + among + across;
}

double flock_pairs_spread(const struct flock_rule *rule, uint32_t boids, float width, float height)
{
    double disc = 3.14159265358979 * (double)rule->reach * (double)rule->reach;
    return pairs_of(rule, boids, disc / ((double)width * (double)height));
}
