/* What a flock does as a whole. */
#include "sim/state.h"
#include "sim/trig.h"
#include "sim/wide/kernel.h"

static double mean_of(const float *at, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)at[i];
    }
    return sum / count;
}

static double circular_mean(const struct flock *flock, const float *at, float size)
{
    double sine;
    double cosine;
    flock->kernel->circle(at, flock->count, size, &sine, &cosine);
    return trig_atan2(sine, cosine) * ((double)size / (2.0 * TRIG_PI));
}

struct vec flock_centroid(const struct flock *flock)
{
    const struct flock_definition *world = &flock->definition;
    if (world->boundary == FLOCK_WRAP) {
        return (struct vec){circular_mean(flock, flock->x, world->width),
                            circular_mean(flock, flock->y, world->height)};
    }
    return (struct vec){mean_of(flock->x, flock->count), mean_of(flock->y, flock->count)};
}

/* Square of the distance between two boids. */
static inline float between(const struct flock *flock, uint32_t i, uint32_t j, float width,
                            float height)
{
    float dx = fabsf(flock->x[j] - flock->x[i]);
    float dy = fabsf(flock->y[j] - flock->y[i]);
    float around_x = fabsf(width - dx); /* a plane is an infinite torus */
    float around_y = fabsf(height - dy);
    dx = around_x < dx ? around_x : dx;
    dy = around_y < dy ? around_y : dy;
    return dx * dx + dy * dy;
}

static uint32_t neighbours_of(const struct flock *flock, uint32_t i, float square, float width,
                              float height)
{
    uint32_t found = 0;
    for (uint32_t j = 0; j < flock->count; j++) {
        found += between(flock, i, j, width, height) < square;
    }
    return found - (square > 0.0f);
}

/* The slot of the nth of a sample spread evenly over all. */
static uint32_t sampled(const struct flock *flock, uint32_t nth, uint32_t sample)
{
    return (uint32_t)((uint64_t)nth * flock->count / sample);
}

static void torus_or_infinite(const struct flock *flock, float *width, float *height)
{
    bool torus = flock->definition.boundary == FLOCK_WRAP;
    *width = torus ? flock->definition.width : INFINITY;
    *height = torus ? flock->definition.height : INFINITY;
}

float flock_neighbours(const struct flock *flock, float radius)
{
    float width;
    float height;
    torus_or_infinite(flock, &width, &height);
    uint32_t sample = flock->count < 16 * FLOCK_SAMPLE ? flock->count : 16 * FLOCK_SAMPLE;
    double sum = 0.0;
    for (uint32_t k = 0; k < sample; k++) {
        uint32_t slot = sampled(flock, k, sample);
        sum += neighbours_of(flock, slot, radius * radius, width, height);
    }
    return (float)(sum / sample);
}

float flock_reach(const struct flock *flock)
{
    return flock->definition.model->rules->reach(flock->params);
}

/* Over a sample, as each takes a look at every boid. */
static float mean_nearest(const struct flock *flock, const struct measure_job *job)
{
    if (flock->count < 2) {
        return 0.0f;
    }
    uint32_t sample = FLOCK_SAMPLE_PAIRS / flock->count;
    sample = sample > FLOCK_SAMPLE ? FLOCK_SAMPLE : sample < 4 ? 4 : sample;
    sample = sample > flock->count ? flock->count : sample;
    double sum = 0.0;
    for (uint32_t k = 0; k < sample; k++) {
        uint32_t slot = sampled(flock, k, sample);
        sum += sqrt((double)flock->kernel->nearest(job, flock->count, slot));
    }
    return (float)(sum / sample);
}

struct flock_measures flock_measure(const struct flock *flock)
{
    struct vec torus = flock_torus(flock);
    struct vec centroid = flock_centroid(flock);
    struct measure_job job = {
        .x = flock->x,
        .y = flock->y,
        .vx = flock->vx,
        .vy = flock->vy,
        .centroid_x = (float)(centroid.x < 0.0 ? centroid.x + torus.x : centroid.x),
        .centroid_y = (float)(centroid.y < 0.0 ? centroid.y + torus.y : centroid.y),
        .blur = (float)(1e-6 * (torus.x + torus.y)), /* of angles in single precision */
    };
    torus_or_infinite(flock, &job.width, &job.height);
    struct measure_sums sums;
    flock->kernel->measure(&job, flock->count, &sums);
    double count = flock->count;
    return (struct flock_measures){
        .polarization = (float)(vec_length((struct vec){sums.heading_x, sums.heading_y}) / count),
        .milling = (float)(fabs(sums.spin) / count),
        .centroid_x = job.centroid_x,
        .centroid_y = job.centroid_y,
        .gyration = (float)sqrt(sums.square / count),
        .speed = (float)(sums.speed / count),
        .nearest = mean_nearest(flock, &job),
    };
}
