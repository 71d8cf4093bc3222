/* Measures what additions cost a flock: noise, food and hunters in a tick, the explanations of 32
 * picked boids, and clusters. A flock runs for a while with 64 pieces of food, 16 hunters and a
 * target. Then each tick is repeated from the same state with and without the addition, in turns.
 * Times are processor time, so other work of the machine counts little.
 *
 *   build/additions [BOIDS [TICKS [LANES]]]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/flock.h"
#include "sim/why.h"

#define WARM_UP   200u
#define TURNS     5u
#define TICKS_MAX 1000u
#define NOISE     20.0F /* degrees */

static double spent(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static const struct flock_target target = {500.0F, 300.0F, false};

static struct flock_things make_things(void)
{
    struct flock_things things = {.food_count = FLOCK_FOOD_MAX, .hunter_count = FLOCK_HUNTERS_MAX};

    for (uint32_t i = 0; i < FLOCK_FOOD_MAX; i++) {
        things.food[i] =
            (struct flock_food){(float)(i * 367 % 1000), (float)(i * 251 % 700), FLOCK_AMOUNT_MAX};
        things.hunters[i / 4] = (struct flock_point){(float)(i * 97 % 1000), (float)(i * 7)};
    }
    return things;
}

/* Returns the µs of the fastest of some ticks from the same state. */
static double time_tick(const struct flock_image *image, struct flock_workspace *workspace)
{
    const char *problem;
    double best = 1e9;

    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct flock *flock = flock_create_image(image, &problem);
        double begin = spent();
        bool moved = flock != NULL && flock_tick_targets(flock, workspace, &target, 1);
        double took = spent() - begin;
        best = moved && took < best ? took : best;
        flock_destroy(flock);
    }
    return best;
}

/* Returns the µs of the explanations of 32 boids. */
static double time_picks(const struct flock *flock, struct flock_workspace *workspace)
{
    struct flock_why whys[WHY_BOIDS];
    uint32_t count = flock_count(flock) < WHY_BOIDS ? flock_count(flock) : WHY_BOIDS;

    for (uint32_t i = 0; i < count; i++) {
        whys[i].boid = (uint32_t)((uint64_t)i * flock_count(flock) / count);
    }
    double begin = spent();
    bool explained = flock_explain(flock, workspace, &target, 1, 0.0F, whys, count);
    return explained ? spent() - begin : 1e9;
}

/* Returns the µs of a count of clusters. */
static double time_clusters(const struct flock *flock, struct flock_workspace *workspace)
{
    struct flock_clusters clusters;
    double begin = spent();
    bool counted = flock_count_clusters(flock, workspace, &clusters);

    return counted ? spent() - begin : 1e9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, uint32_t count)
{
    qsort(values, count, sizeof values[0], by_value);
    return values[count / 2];
}

enum { PLAIN, NOISY, THINGS, PICKS, CLUSTERS, KINDS };

/* Measures the present state of the flock, in µs. */
static void measure(const struct flock *flock, struct flock_workspace *workspace,
                    double took[KINDS])
{
    struct flock_image image;

    flock_image_of(flock, &image);
    took[THINGS] = time_tick(&image, workspace);
    image.things = (struct flock_things){0};
    took[PLAIN] = time_tick(&image, workspace);
    const struct flock_model *model = image.definition.settings.model;
    image.definition.settings.params[model->common[FLOCK_NOISE]] = NOISE;
    took[NOISY] = time_tick(&image, workspace);
    took[PICKS] = time_picks(flock, workspace);
    took[CLUSTERS] = time_clusters(flock, workspace);
}

static struct flock *make(const struct flock_model *model, uint32_t boids, uint32_t lanes)
{
    struct flock_definition definition = flock_definition_default();
    const struct flock_things things = make_things();

    flock_settings_choose(&definition.settings, model);
    definition.settings.boundary = model->boundary;
    float side = boids > 5000 ? sqrtf((float)boids / 5000.0F) : 1.0F; /* as dense */
    definition.settings.width = 1000.0F * side;
    definition.settings.height = 700.0F * side;
    definition.boids = boids;
    definition.lanes = lanes;
    struct flock *flock = flock_create(&definition);
    bool well = flock != NULL && flock_set_things(flock, &things) && flock_frighten(flock);
    if (!well) {
        flock_destroy(flock);
        return NULL;
    }
    return flock;
}

static bool report(const struct flock_model *model, uint32_t boids, uint32_t ticks, uint32_t lanes,
                   struct flock_workspace *workspace)
{
    static double times[KINDS][TICKS_MAX];
    struct flock *flock = make(model, boids, lanes);
    bool well = flock != NULL;

    for (uint32_t tick = 0; well && tick < WARM_UP + ticks; tick++) {
        double took[KINDS];
        if (tick >= WARM_UP) {
            measure(flock, workspace, took);
            for (int kind = 0; kind < KINDS; kind++) {
                bool factor = kind == NOISY || kind == THINGS;
                times[kind][tick - WARM_UP] = factor ? took[kind] / took[PLAIN] : took[kind];
            }
        }
        well = flock_tick_targets(flock, workspace, &target, 1);
    }
    if (well) {
        printf("%-10s a tick %8.1f µs; with noise %.3f times, with things %.3f times; 32 picks "
               "%6.1f µs, clusters %7.1f µs\n",
               model->name, median(times[PLAIN], ticks), median(times[NOISY], ticks),
               median(times[THINGS], ticks), median(times[PICKS], ticks),
               median(times[CLUSTERS], ticks));
    }
    flock_destroy(flock);
    return well;
}

int main(int argc, char **argv)
{
    uint32_t boids = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 5000;
    uint32_t ticks = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 100;
    uint32_t lanes = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0; /* 0: the maximum */
    struct flock_workspace *workspace = flock_workspace_create(1);
    bool well = workspace != NULL && ticks >= 1 && ticks <= TICKS_MAX &&
                flock_workspace_reserve(workspace, boids);

    for (size_t m = 0; well && flock_models[m] != NULL; m++) {
        well = report(flock_models[m], boids, ticks, lanes, workspace);
    }
    if (!well) {
        fputs("additions: expected 1 to 1000000 boids, 1 to 1000 ticks, 0 to 16 lanes\n", stderr);
    }
    flock_workspace_destroy(workspace);
    return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
