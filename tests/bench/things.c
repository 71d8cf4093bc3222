/* Measures what food and hunters add to a tick. A flock runs for a while with 64 pieces of food, 16
 * hunters and a target. Then each tick is repeated from the same state with and without its things,
 * in turns. Times are processor time, so other work of the machine counts little.
 *
 *   build/things [BOIDS [TICKS [LANES]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/flock.h"

#define WARM_UP   200u
#define TURNS     5u
#define TICKS_MAX 1000u

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
static double time_tick(const struct flock_image *image, bool with,
                        struct flock_workspace *workspace)
{
    struct flock_image copy = *image;
    const char *problem;
    double best = 1e9;

    for (uint32_t turn = 0; turn < TURNS; turn++) {
        copy.things = with ? image->things : (struct flock_things){0};
        struct flock *flock = flock_create_image(&copy, &problem);
        double begin = spent();
        bool moved = flock != NULL && flock_tick_targets(flock, workspace, &target, 1);
        double took = spent() - begin;
        best = moved && took < best ? took : best;
        flock_destroy(flock);
    }
    return best;
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

static bool compare(const struct flock_model *model, uint32_t boids, uint32_t ticks, uint32_t lanes,
                    struct flock_workspace *workspace)
{
    static double without[TICKS_MAX];
    static double with[TICKS_MAX];
    static double factor[TICKS_MAX];
    struct flock_definition definition = flock_definition_default();
    const struct flock_things things = make_things();
    struct flock_image image;

    flock_settings_choose(&definition.settings, model);
    definition.settings.boundary = model->boundary;
    definition.settings.width = 1000.0F;
    definition.settings.height = 700.0F;
    definition.boids = boids;
    definition.lanes = lanes;
    struct flock *flock = flock_create(&definition);
    bool well = flock != NULL && flock_set_things(flock, &things) && flock_frighten(flock);
    for (uint32_t tick = 0; well && tick < WARM_UP + ticks; tick++) {
        if (tick >= WARM_UP) {
            uint32_t i = tick - WARM_UP;
            flock_image_of(flock, &image);
            without[i] = time_tick(&image, false, workspace);
            with[i] = time_tick(&image, true, workspace);
            factor[i] = with[i] / without[i];
        }
        well = flock_tick_targets(flock, workspace, &target, 1);
    }
    if (well) {
        printf("%-10s %8.1f µs without, %8.1f µs with things: %.3f times\n", model->name,
               median(without, ticks), median(with, ticks), median(factor, ticks));
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
        well = compare(flock_models[m], boids, ticks, lanes, workspace);
    }
    if (!well) {
        fputs("things: expected 1 to 1000000 boids, 1 to 1000 ticks, 0 to 16 lanes\n", stderr);
    }
    flock_workspace_destroy(workspace);
    return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
