/* Measures the packed encoding: bytes per boid and snapshot, and the time to encode and decode
 * them. The flocks chase a moving target, with a snapshot after every tick. Prints a table in
 * Markdown after about ten seconds.
 *
 *   make bench-packed */
#include "packed.h"
#include "protocol.h"
#include "sim/flock.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WARM_TICKS 300u
#define QUANTUM    0.125f

struct scene {
    const char *model;
    uint32_t boids;
    float neighbours; /* mean at the start; 0: the world of the preset original */
    uint32_t snapshots;
};

static const struct scene scenes[] = {
    {"boids", 10000, 20.0f, 300},
    {"swarm", 12, 0.0f, 20000},
    {"swarm", 300, 0.0f, 2000},
    {"swarm", 10000, 0.0f, 200},
};

struct run {
    uint32_t count, snapshots; /* boids; the first snapshot is not measured */
    uint16_t period[2];
    uint8_t *positions, *headings; /* positions: of all snapshots; headings: of one */
    uint8_t *frames;
    size_t *sizes;
    struct packed_encoder *encoder;
    struct packed_decoder *decoder;
};

static _Noreturn void fail(const char *what)
{
    (void)fprintf(stderr, "bench-packed: %s\n", what);
    exit(EXIT_FAILURE);
}

static double now(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static struct flock *make_flock(const struct scene *scene)
{
    struct flock_definition definition = flock_definition_default();

    flock_settings_choose(&definition.settings, flock_model_find(scene->model));
    definition.settings.boundary = definition.settings.model->boundary;
    definition.boids = scene->boids;
    definition.seed = 5;
    if (scene->neighbours > 0.0f) {
        struct flock *flock = flock_create(&definition);
        if (flock == NULL) {
            return NULL;
        }
        const float side =
            sqrtf((float)scene->boids * 3.14159f / scene->neighbours) * flock_reach(flock);
        flock_destroy(flock);
        definition.settings.width = side;
        definition.settings.height = side;
    }
    return flock_create(&definition);
}

/* Moves the target on a curve at the speed of a hand, and ticks the flock. */
static void tick(struct flock *flock, struct flock_workspace *workspace, uint32_t number)
{
    const struct flock_settings *world = &flock_definition_of(flock)->settings;
    const float phase = 0.01f * (float)number;
    const struct flock_point target = {world->width * (0.5f + 0.35f * sinf(phase * 1.3f)),
                                       world->height * (0.5f + 0.35f * sinf(phase * 1.7f + 1.0f))};

    if (!flock_tick(flock, workspace, &target)) {
        fail("out of memory");
    }
}

static void record(struct run *run, const struct scene *scene)
{
    struct flock *flock = make_flock(scene);
    struct flock_workspace *workspace = flock_workspace_create(1);
    float *x = malloc(run->count * sizeof *x);
    float *y = malloc(run->count * sizeof *y);
    uint8_t *to = run->positions;

    if (!flock || !x || !y || !workspace ||
        !flock_workspace_reserve(workspace, flock_count(flock))) {
        fail("out of memory");
    }
    const struct flock_settings *world = &flock_definition_of(flock)->settings;
    if (world->boundary == FLOCK_WRAP) {
        run->period[0] = (uint16_t)lrintf(world->width / QUANTUM);
        run->period[1] = (uint16_t)lrintf(world->height / QUANTUM);
    }
    for (uint32_t n = 0; n < WARM_TICKS; n++) {
        tick(flock, workspace, n);
    }
    for (uint32_t n = 0; n < run->snapshots; n++) {
        tick(flock, workspace, WARM_TICKS + n);
        flock_positions(flock, x, y);
        for (uint32_t i = 0; i < run->count; i++, to += PROTO_BOID_SIZE) {
            proto_put_position(to, proto_quantise(x[i], world->width, QUANTUM),
                               proto_quantise(y[i], world->height, QUANTUM));
        }
    }
    flock_workspace_destroy(workspace);
    flock_destroy(flock);
    free(x);
    free(y);
}

/* Returns the snapshot with that number for the encoder. */
static struct packed_boids next(struct run *run, uint32_t number)
{
    const struct packed_boids boids = {
        .positions = run->positions + (size_t)number * run->count * PROTO_BOID_SIZE,
        .headings = run->headings,
        .count = run->count,
        .period_x = run->period[0],
        .period_y = run->period[1],
    };

    packed_next(run->encoder, &boids, false);
    return boids;
}

static void measure(struct run *run, const char *model)
{
    const double boids = (double)(run->snapshots - 1) * (double)run->count;
    uint8_t *at = run->frames;
    const struct packed_boids first = next(run, 0);
    const size_t key = packed_put_key(run->encoder, &first, at);
    enum packed_result result = packed_decode(run->decoder, at, key);

    const double start = now();
    for (uint32_t i = 1; i < run->snapshots; i++) {
        (void)next(run, i);
        run->sizes[i] = packed_put_delta(run->encoder, at);
        at += run->sizes[i];
    }
    const double encoded = now();
    const size_t size = (size_t)(at - run->frames);
    at = run->frames;
    for (uint32_t i = 1; i < run->snapshots && result == PACKED_OK; i++) {
        result = packed_decode(run->decoder, at, run->sizes[i]);
        at += run->sizes[i];
    }
    const double decoded = now();
    if (result != PACKED_OK) {
        fail("a snapshot was not decoded");
    }
    printf("| `%s` | %u | %.2f | %.1f | %.1f |\n", model, run->count, (double)size / boids,
           (encoded - start) / boids, (decoded - encoded) / boids);
}

static void run_scene(const struct scene *scene)
{
    const size_t n = scene->boids;
    const size_t snapshots = scene->snapshots + 1;
    struct run run = {
        .count = scene->boids,
        .snapshots = scene->snapshots + 1,
        .positions = malloc(snapshots * n * PROTO_BOID_SIZE),
        .headings = calloc(n, 1),
        .frames = malloc(snapshots * packed_bound(scene->boids)),
        .sizes = calloc(snapshots, sizeof(size_t)),
        .encoder = packed_encoder_create(scene->boids),
        .decoder = packed_decoder_create(),
    };

    if (!run.positions || !run.headings || !run.frames || !run.sizes || !run.encoder ||
        !run.decoder) {
        fail("out of memory");
    }
    memset(
        run.frames, 1,
        snapshots *
            packed_bound(scene->boids)); /* lets the kernel map the pages before the measurement */
    record(&run, scene);
    measure(&run, scene->model);
    free(run.positions);
    free(run.headings);
    free(run.frames);
    free(run.sizes);
    packed_encoder_destroy(run.encoder);
    packed_decoder_destroy(run.decoder);
}

int main(void)
{
    puts("| model | boids | bytes a boid | ns to encode | ns to decode |");
    puts("| --- | ---: | ---: | ---: | ---: |");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        run_scene(&scenes[i]);
        (void)fflush(stdout);
    }
    return EXIT_SUCCESS;
}
