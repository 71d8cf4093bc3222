/* Measures of the flock as a whole. */
#include "sim/clusters.h"
#include "sim/line.h"
#include "sim/state.h"
#include "sim/trig.h"
#include "sim/wide/kernel.h"
#include "sim/workspace.h"

static double mean_of(const float *at, uint32_t count)
{
    enum { SUMS = 8 }; /* sums in parallel, so that no addition waits for the one before it */
    double sums[SUMS] = {0};
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sums[i % SUMS] += (double)at[i];
    }
    for (int i = 0; i < SUMS; i++) {
        sum += sums[i];
    }
    return sum / count;
}

static double mean_on_circle(double sine, double cosine, float size)
{
    return trig_atan2(sine, cosine) * ((double)size / (2.0 * TRIG_PI));
}

/* In a plane width and height are infinite. The centroid is not known yet. */
static struct measure_job job_of(const struct flock *flock)
{
    bool torus = flock->definition.settings.boundary == FLOCK_WRAP;
    return (struct measure_job){.x = flock->x,
                                .y = flock->y,
                                .vx = flock->vx,
                                .vy = flock->vy,
                                .width = torus ? flock->definition.settings.width : INFINITY,
                                .height = torus ? flock->definition.settings.height : INFINITY};
}

static struct vec centroid_by(const struct flock *flock, const struct measure_job *job,
                              void (*circles)(const struct measure_job *job, uint32_t count,
                                              struct circle_sums *sums))
{
    if (flock->definition.settings.boundary != FLOCK_WRAP) {
        return (struct vec){mean_of(flock->x, flock->count), mean_of(flock->y, flock->count)};
    }
    struct circle_sums sums;
    circles(job, flock->count, &sums);
    return (struct vec){mean_on_circle(sums.sine_x, sums.cosine_x, job->width),
                        mean_on_circle(sums.sine_y, sums.cosine_y, job->height)};
}

struct vec flock_centroid(const struct flock *flock)
{
    struct measure_job job = job_of(flock);
    return centroid_by(flock, &job, flock->kernel->circles);
}

/* Returns the square of the distance between two boids. */
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

/* Returns the slot of the nth boid of a sample that is spread evenly over all boids. */
static uint32_t sampled(const struct flock *flock, uint32_t nth, uint32_t sample)
{
    return (uint32_t)((uint64_t)nth * flock->count / sample);
}

float flock_neighbours(const struct flock *flock, float radius)
{
    struct measure_job job = job_of(flock);
    uint32_t sample = flock->count < 1024 ? flock->count : 1024;
    double sum = 0.0;
    for (uint32_t k = 0; k < sample; k++) {
        uint32_t slot = sampled(flock, k, sample);
        sum += neighbours_of(flock, slot, radius * radius, job.width, job.height);
    }
    return (float)(sum / sample);
}

float flock_reach(const struct flock *flock)
{
    return flock->definition.settings.model->rules->reach(flock->definition.settings.params);
}

/* Returns a power of two: of a flock of more than FLOCK_EXACT boids it leaves FLOCK_SAMPLE to
 * 2 FLOCK_SAMPLE multiples. */
static uint32_t stride_of(uint32_t boids)
{
    uint32_t stride = 1;
    while (boids > FLOCK_EXACT && boids / (2 * stride) >= FLOCK_SAMPLE) {
        stride *= 2;
    }
    return stride;
}

bool flock_nearest(const struct flock *flock, struct flock_workspace *workspace, float *nearest)
{
    if (!flock_workspace_reserve(workspace, flock->count)) {
        return false;
    }
    if (flock->count == 1) {
        *nearest = 0.0f;
        return true;
    }
    struct line line;
    struct arena arena = workspace_arena(workspace);
    uint32_t counted = 0;
    line_take(&line, &arena, flock->count);
    line_sort(&line, flock);
    limit_start_work(&workspace->limit);
    double sum =
        flock->kernel->nearest(&line, stride_of(flock->count), &workspace->limit, &counted);
    if (limit_is_exceeded(&workspace->limit)) {
        return false;
    }
    *nearest = (float)(sum / counted);
    return true;
}

bool flock_count_clusters(const struct flock *flock, struct flock_workspace *workspace,
                          struct flock_clusters *clusters)
{
    uint32_t stride = 1;
    if (!flock_workspace_reserve(workspace, flock->count)) {
        return false;
    }
    while ((flock->count + stride - 1) / stride > FLOCK_EXACT) {
        stride *= 2;
    }
    struct clusters found;
    struct arena arena = workspace_arena(workspace);
    clusters_take(&found, &arena, (flock->count + stride - 1) / stride);
    uint32_t count = 0;
    limit_start_work(&workspace->limit);
    if (!clusters_count(&found, flock, stride, &workspace->limit, &count)) {
        return false;
    }
    *clusters = (struct flock_clusters){count, found.boids};
    return true;
}

struct flock_measures flock_measure(const struct flock *flock)
{
    struct vec torus = flock_torus(flock);
    struct measure_job job = job_of(flock);
    struct vec centroid = centroid_by(flock, &job, flock->kernel->quick_circles);
    job.centroid_x = (float)(centroid.x < 0.0 ? centroid.x + torus.x : centroid.x);
    job.centroid_y = (float)(centroid.y < 0.0 ? centroid.y + torus.y : centroid.y);
    job.blur = (float)(1e-6 * (torus.x + torus.y)); /* of angles in single precision */
    struct measure_sums sums;
    flock->kernel->measure(&job, flock->count, &sums);
    struct vec heading = {sums.heading_x, sums.heading_y};
    double count = flock->count;
    return (struct flock_measures){
        .polarization = (float)fmin(vec_length(heading) / count, 1.0),
        .milling = (float)fmin(fabs(sums.spin) / count, 1.0),
        .centroid_x = job.centroid_x,
        .centroid_y = job.centroid_y,
        .gyration = (float)sqrt(sums.square / count),
        .speed = (float)(sums.speed / count),
    };
}
