/* What a flock does as a whole. */
#include "sim/state.h"
#include "sim/trig.h"

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
    return trig_atan2(sum_sine, sum) * (size / (2.0 * TRIG_PI));
}

struct vec flock_centroid(const struct flock *flock)
{
    struct vec torus = flock_torus(flock);
    return (struct vec){mean_of(flock->x, flock->count, torus.x),
                        mean_of(flock->y, flock->count, torus.y)};
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

static float nearest_of(const struct flock *flock, uint32_t i, float width, float height)
{
    float nearest = INFINITY;
    for (uint32_t j = 0; j < flock->count; j++) {
        float square = between(flock, i, j, width, height);
        square = j == i ? INFINITY : square;
        nearest = square < nearest ? square : nearest;
    }
    return sqrtf(nearest);
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

static float mean_nearest(const struct flock *flock)
{
    if (flock->count < 2) {
        return 0.0f;
    }
    float width;
    float height;
    torus_or_infinite(flock, &width, &height);
    uint32_t sample = flock->count < FLOCK_SAMPLE ? flock->count : FLOCK_SAMPLE;
    double sum = 0.0;
    for (uint32_t k = 0; k < sample; k++) {
        sum += (double)nearest_of(flock, sampled(flock, k, sample), width, height);
    }
    return (float)(sum / sample);
}

struct flock_measures flock_measure(const struct flock *flock)
{
    struct vec torus = flock_torus(flock);
    struct vec centroid = flock_centroid(flock);
    struct vec heading = {0};
    double spin = 0.0;
    double square = 0.0;
    double speed = 0.0;
    for (uint32_t i = 0; i < flock->count; i++) {
        struct vec v = {(double)flock->vx[i], (double)flock->vy[i]};
        struct vec r = {nearest_image((double)flock->x[i] - centroid.x, torus.x),
                        nearest_image((double)flock->y[i] - centroid.y, torus.y)};
        struct vec h = vec_unit(v);
        heading = vec_add(heading, h);
        spin += vec_cross(vec_unit(r), h);
        square += vec_dot(r, r);
        speed += vec_length(v);
    }
    double count = flock->count;
    return (struct flock_measures){
        .polarization = (float)(vec_length(heading) / count),
        .milling = (float)(fabs(spin) / count),
        .centroid_x = (float)(centroid.x < 0.0 ? centroid.x + torus.x : centroid.x),
        .centroid_y = (float)(centroid.y < 0.0 ? centroid.y + torus.y : centroid.y),
        .gyration = (float)sqrt(square / count),
        .speed = (float)(speed / count),
        .nearest = mean_nearest(flock),
    };
}
