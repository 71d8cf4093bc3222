#include "sim/flock.h"

#include "sim/rng.h"
#include "sim/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct flock_model *const flock_models[] = {&swarm_model, NULL};

const struct flock_model *flock_model_find(const char *name)
{
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        if (strcmp((*model)->name, name) == 0) {
            return *model;
        }
    }
    return NULL;
}

struct flock_definition flock_definition_default(void)
{
    return (struct flock_definition){
        .model = &swarm_model,
        .boundary = swarm_model.boundary,
        .width = 550.0f,
        .height = 400.0f,
        .boids = 12,
        .seed = 1,
    };
}

static bool definition_valid(const struct flock_definition *d)
{
    return d->model != NULL && d->boundary <= FLOCK_WRAP && d->boids >= 1 &&
           d->boids <= FLOCK_BOIDS_MAX && d->width >= FLOCK_WORLD_MIN &&
           d->width <= FLOCK_WORLD_MAX && d->height >= FLOCK_WORLD_MIN &&
           d->height <= FLOCK_WORLD_MAX;
}

/* A random place in the world, a slow random velocity, and a place within each coefficient's range.
 */
static void hatch(struct flock *flock, uint32_t boid)
{
    struct rng rng = rng_of_boid(flock->definition.seed, boid);
    flock->x[boid] = on_lattice(rng_unit(&rng) * flock->definition.width);
    flock->y[boid] = on_lattice(rng_unit(&rng) * flock->definition.height);
    flock->vx[boid] = rng_unit(&rng) * 2.0f - 1.0f;
    flock->vy[boid] = rng_unit(&rng) * 2.0f - 1.0f;
    for (int place = 0; place < PLACE_COUNT; place++) {
        flock->place[place][boid] = rng_unit(&rng);
    }
}

struct flock *flock_create(const struct flock_definition *definition)
{
    if (!definition_valid(definition)) {
        return NULL;
    }
    struct flock *flock = calloc(1, sizeof *flock);
    if (flock == NULL) {
        return NULL;
    }
    flock->definition = *definition;
    flock->count = definition->boids;
    float **arrays[] = {&flock->x,        &flock->y,        &flock->vx,
                        &flock->vy,       &flock->push_x,   &flock->push_y,
                        &flock->place[0], &flock->place[1], &flock->place[2]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = malloc(flock->count * sizeof **arrays[i]);
        if (*arrays[i] == NULL) {
            goto fail;
        }
    }
    flock->disc = disc_create(flock->count, definition->boundary == FLOCK_WRAP);
    if (flock->disc == NULL) {
        goto fail;
    }
    for (size_t i = 0; i < definition->model->param_count; i++) {
        flock->params[i] = definition->model->params[i].initial;
    }
    for (uint32_t i = 0; i < flock->count; i++) {
        hatch(flock, i);
    }
    return flock;

fail:
    flock_destroy(flock);
    return NULL;
}

void flock_destroy(struct flock *flock)
{
    if (flock == NULL) {
        return;
    }
    free(flock->x);
    free(flock->y);
    free(flock->vx);
    free(flock->vy);
    free(flock->push_x);
    free(flock->push_y);
    for (int place = 0; place < PLACE_COUNT; place++) {
        free(flock->place[place]);
    }
    disc_destroy(flock->disc);
    free(flock);
}

static float clamp_far(float value)
{
    return fminf(fmaxf(value, -FLOCK_FAR), FLOCK_FAR);
}

/* value into [0, size); far faster than fmodf for the usual step across an edge. */
static float wrap(float value, float size)
{
    value = value < 0.0f ? value + size : value >= size ? value - size : value;
    if (!(value >= 0.0f && value < size)) {
        value -= size * floorf(value / size);
    }
    return value >= 0.0f && value < size ? value : 0.0f;
}

static void keep_within(struct flock *flock)
{
    bool torus = flock->definition.boundary == FLOCK_WRAP;
    for (uint32_t i = 0; i < flock->count; i++) {
        flock->vx[i] = clamp_far(flock->vx[i]);
        flock->vy[i] = clamp_far(flock->vy[i]);
        flock->x[i] = torus ? wrap(flock->x[i], flock->definition.width) : clamp_far(flock->x[i]);
        flock->y[i] = torus ? wrap(flock->y[i], flock->definition.height) : clamp_far(flock->y[i]);
    }
}

void flock_tick(struct flock *flock, const struct flock_point *target)
{
    struct flock_point near;
    if (target != NULL) {
        near = (struct flock_point){clamp_far(target->x), clamp_far(target->y)};
    }
    bool steered = target != NULL && !isnan(target->x) && !isnan(target->y);
    swarm_tick(flock, steered ? &near : NULL);
    keep_within(flock);
}

uint32_t flock_count(const struct flock *flock)
{
    return flock->count;
}

const struct flock_definition *flock_definition_of(const struct flock *flock)
{
    return &flock->definition;
}

void flock_positions(const struct flock *flock, float *x, float *y)
{
    memcpy(x, flock->x, flock->count * sizeof *x);
    memcpy(y, flock->y, flock->count * sizeof *y);
}

float flock_param_get(const struct flock *flock, size_t index)
{
    return flock->params[index];
}

bool flock_param_set(struct flock *flock, size_t index, float value)
{
    const struct flock_model *model = flock->definition.model;
    if (index >= model->param_count ||
        !(value >= model->params[index].min && value <= model->params[index].max)) {
        return false;
    }
    flock->params[index] = value;
    return true;
}
