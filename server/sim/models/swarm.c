/* The ActionScript swarm: global centroid, target vector, and a separation distance, alignment and
 * cohesion of every boid's own. */
#include "sim/state.h"
#include "sim/trig.h"

#include <math.h>

enum {
    SEPARATION_MIN,
    SEPARATION_MAX,
    ALIGNMENT_MIN,
    ALIGNMENT_MAX,
    COHESION_MIN,
    COHESION_MAX,
    INERTIA,
    PARAM_COUNT
};

static const struct flock_param params[] = {
    [SEPARATION_MIN] = {"separation_min", "units", 0.0f, 200.0f, 20.0f,
                        "least distance that a boid keeps from the others"},
    [SEPARATION_MAX] = {"separation_max", "units", 0.0f, 200.0f, 30.0f,
                        "greatest distance that a boid keeps from the others"},
    [ALIGNMENT_MIN] = {"alignment_min", "", 0.0f, 2.0f, 0.1f, "least pull toward the target"},
    [ALIGNMENT_MAX] = {"alignment_max", "", 0.0f, 2.0f, 0.3f, "greatest pull toward the target"},
    [COHESION_MIN] = {"cohesion_min", "", 0.0f, 2.0f, 0.3f, "least pull toward the centroid"},
    [COHESION_MAX] = {"cohesion_max", "", 0.0f, 2.0f, 0.5f, "greatest pull toward the centroid"},
    [INERTIA] = {"inertia", "", 0.0f, 3.0f, 1.0f, "how much of its velocity a boid keeps"},
};

_Static_assert(PARAM_COUNT <= FLOCK_PARAMS_MAX, "a flock holds FLOCK_PARAMS_MAX parameters");

const struct flock_model swarm_model = {
    .name = "swarm",
    .text = "Every boid is drawn to the centre of all and pushed from those too near",
    .boundary = FLOCK_OPEN,
    .params = params,
    .param_count = PARAM_COUNT,
};

static float within_range(const struct flock *flock, uint32_t boid, int place, int low)
{
    float from = flock->params[low];
    return from + flock->place[place][boid] * (flock->params[low + 1] - from);
}

/* Displacement in one axis: to the nearest image in a torus of that size, 0 being a plane. */
static double nearest(double d, double size)
{
    return size > 0.0 ? d - size * floor(d / size + 0.5) : d;
}

/* Mean of one coordinate; in a torus of that size the mean direction on the circle. */
static double mean_of(const float *at, uint32_t count, double size)
{
    double sum = 0.0;
    if (size <= 0.0) {
        for (uint32_t i = 0; i < count; i++) {
            sum += (double)at[i];
        }
        return sum / count;
    }
    double sum_sine = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double sine;
        double cosine;
        trig_sincos((double)at[i] * (2.0 * TRIG_PI / size), &sine, &cosine);
        sum_sine += sine;
        sum += cosine;
    }
    double mean = trig_atan2(sum_sine, sum) * (size / (2.0 * TRIG_PI));
    return mean < 0.0 ? mean + size : mean;
}

/* For a torus so small that a disc could meet two images of a boid: every pair, the plain way. */
static struct disc_sum ask_all(const struct flock *flock, uint32_t boid, float radius, double width,
                               double height)
{
    struct disc_sum sum = {0};
    double square = (double)radius * (double)radius;
    for (uint32_t j = 0; j < flock->count; j++) {
        double dx = nearest((double)flock->x[j] - (double)flock->x[boid], width);
        double dy = nearest((double)flock->y[j] - (double)flock->y[boid], height);
        if (dx * dx + dy * dy < square) {
            sum.count++;
            sum.dx += dx;
            sum.dy += dy;
        }
    }
    return sum;
}

/* Fills push_x and push_y with every boid's separation from those within its distance. */
static void separate(struct flock *flock, double width, double height)
{
    float reach = fmaxf(flock->params[SEPARATION_MIN], flock->params[SEPARATION_MAX]);
    bool small = width > 0.0 && fmin(width, height) < 2.0 * (double)reach;
    if (!small) {
        disc_build(flock->disc, flock->x, flock->y, flock->count, (float)width, (float)height,
                   reach);
    }
    for (uint32_t i = 0; i < flock->count; i++) {
        float radius = within_range(flock, i, PLACE_SEPARATION, SEPARATION_MIN);
        struct disc_sum sum = small ? ask_all(flock, i, radius, width, height)
                                    : disc_ask(flock->disc, flock->x[i], flock->y[i], radius);
        /* The boid itself is in the count, unless its radius is 0; it adds no displacement. */
        double others = (double)sum.count - 1.0;
        double d = sqrt(sum.dx * sum.dx + sum.dy * sum.dy);
        double factor = 0.0;
        if (others > 0.0 && d > 0.0) {
            factor = -((double)radius - d / others) / d;
        }
        flock->push_x[i] = (float)(sum.dx * factor);
        flock->push_y[i] = (float)(sum.dy * factor);
    }
}

void swarm_tick(struct flock *flock, const struct flock_point *target)
{
    bool torus = flock->definition.boundary == FLOCK_WRAP;
    double width = torus ? (double)flock->definition.width : 0.0;
    double height = torus ? (double)flock->definition.height : 0.0;
    double centre_x = mean_of(flock->x, flock->count, width);
    double centre_y = mean_of(flock->y, flock->count, height);
    float pull_x = target ? (float)nearest((double)target->x - centre_x, width) : 0.0f;
    float pull_y = target ? (float)nearest((double)target->y - centre_y, height) : 0.0f;
    float inertia = flock->params[INERTIA];
    separate(flock, width, height);
    for (uint32_t i = 0; i < flock->count; i++) {
        float alignment = within_range(flock, i, PLACE_ALIGNMENT, ALIGNMENT_MIN);
        float cohesion = within_range(flock, i, PLACE_COHESION, COHESION_MIN);
        float home_x = (float)nearest(centre_x - (double)flock->x[i], width);
        float home_y = (float)nearest(centre_y - (double)flock->y[i], height);
        flock->vx[i] =
            (flock->vx[i] * inertia + flock->push_x[i] + pull_x * alignment + home_x * cohesion) /
            4.0f;
        flock->vy[i] =
            (flock->vy[i] * inertia + flock->push_y[i] + pull_y * alignment + home_y * cohesion) /
            4.0f;
        flock->x[i] = on_lattice(flock->x[i] + flock->vx[i]);
        flock->y[i] = on_lattice(flock->y[i] + flock->vy[i]);
    }
}
