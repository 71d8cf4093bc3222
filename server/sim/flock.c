#include "sim/flock.h"

#include "sim/crowd.h"
#include "sim/grid.h"
#include "sim/plain.h"
#include "sim/pool.h"
#include "sim/rng.h"
#include "sim/state.h"
#include "sim/wide/kernel.h"

#include <stdlib.h>
#include <string.h>

const struct flock_model *const flock_models[] = {&swarm_model, &boids_model,    &vision_model,
                                                  &birds_model, &steering_model, NULL};

const struct flock_boundary_name flock_boundaries[] = {
    [FLOCK_OPEN] = {"open", "no edge"},
    [FLOCK_WRAP] = {"wrap", "who leaves on one side comes in on the other"},
    [FLOCK_WALLS] = {"walls", "the edges reflect"},
    {NULL, NULL},
};

const struct flock_model *flock_model_find(const char *name)
{
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        if (strcmp((*model)->name, name) == 0) {
            return *model;
        }
    }
    return NULL;
}

int flock_param_find(const struct flock_model *model, const char *name)
{
    for (size_t i = 0; i < model->param_count; i++) {
        if (strcmp(model->params[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
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
        .update = FLOCK_SYNCHRONOUS,
        .threads = 1,
        .lanes = 0,
    };
}

bool flock_world_valid(enum flock_boundary boundary, float width, float height)
{
    return boundary <= FLOCK_WALLS && width >= FLOCK_WORLD_MIN && width <= FLOCK_WORLD_MAX &&
           height >= FLOCK_WORLD_MIN && height <= FLOCK_WORLD_MAX;
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

static float clamp_far(float value)
{
    value = value > -FLOCK_FAR ? value : -FLOCK_FAR;
    return value < FLOCK_FAR ? value : FLOCK_FAR;
}

void flock_admit(struct flock *flock, uint32_t slot)
{
    float *x = &flock->x[slot];
    float *y = &flock->y[slot];
    switch (flock->definition.boundary) {
    case FLOCK_OPEN:
        *x = clamp_far(*x);
        *y = clamp_far(*y);
        break;
    case FLOCK_WRAP:
        *x = wrap(*x, flock->definition.width);
        *y = wrap(*y, flock->definition.height);
        break;
    case FLOCK_WALLS:
        walls_free(&flock->walls, x, y);
        break;
    }
}

void flock_hatch(struct flock *flock, uint32_t slot, uint32_t id)
{
    struct rng rng = rng_of_boid(flock->definition.seed, id);
    flock->id[slot] = id;
    flock->x[slot] = on_lattice(rng_unit(&rng) * flock->definition.width);
    flock->y[slot] = on_lattice(rng_unit(&rng) * flock->definition.height);
    flock->vx[slot] = rng_unit(&rng) * 2.0f - 1.0f;
    flock->vy[slot] = rng_unit(&rng) * 2.0f - 1.0f;
    for (int place = 0; place < PLACE_COUNT; place++) {
        flock->place[place][id] = rng_unit(&rng);
    }
    flock_admit(flock, slot);
}

enum { ARRAYS = 7 + PLACE_COUNT };

static void list_arrays(struct flock *flock, float **arrays[ARRAYS])
{
    float **all[ARRAYS] = {&flock->x,        &flock->y,        &flock->vx,       &flock->vy,
                           &flock->place[0], &flock->place[1], &flock->place[2], &flock->sum_x,
                           &flock->sum_y,    &flock->counted};
    memcpy(arrays, all, sizeof all);
}

static void free_arrays(struct flock *flock)
{
    float **arrays[ARRAYS];
    list_arrays(flock, arrays);
    for (int i = 0; i < ARRAYS; i++) {
        free(*arrays[i]);
    }
    free(flock->id);
    disc_destroy(flock->disc);
    plain_destroy(flock->plain);
    grid_destroy(flock->grid);
}

bool flock_reserve(struct flock *flock, uint32_t capacity)
{
    struct flock grown = *flock;
    float **from[ARRAYS];
    float **to[ARRAYS];
    list_arrays(flock, from);
    list_arrays(&grown, to);
    bool complete = true;
    for (int i = 0; i < ARRAYS; i++) {
        *to[i] = malloc((capacity + FLOCK_SLACK) * sizeof **to[i]);
        complete = complete && *to[i] != NULL;
    }
    grown.id = malloc(capacity * sizeof *grown.id);
    grown.disc = disc_create(capacity, true);
    grown.plain = plain_create(capacity);
    grown.grid = grid_create(capacity, flock->definition.threads);
    if (!complete || grown.id == NULL || grown.disc == NULL || grown.plain == NULL ||
        grown.grid == NULL) {
        free_arrays(&grown);
        return false;
    }
    if (flock->count > 0) {
        for (int i = 0; i < ARRAYS; i++) {
            memcpy(*to[i], *from[i], flock->count * sizeof **to[i]);
        }
        memcpy(grown.id, flock->id, flock->count * sizeof *grown.id);
    }
    free_arrays(flock);
    grown.capacity = capacity;
    *flock = grown;
    return true;
}

void flock_set_count(struct flock *flock, uint32_t count)
{
    flock->count = count;
    flock->definition.boids = count;
}

struct flock *flock_create(const struct flock_definition *definition)
{
    if (definition->model == NULL || definition->boids < 1 || definition->boids > FLOCK_BOIDS_MAX ||
        definition->update > FLOCK_SEQUENTIAL || definition->threads < 1 ||
        definition->threads > FLOCK_THREADS_MAX ||
        !flock_world_valid(definition->boundary, definition->width, definition->height)) {
        return NULL;
    }
    struct flock *flock = calloc(1, sizeof *flock);
    if (flock == NULL) {
        return NULL;
    }
    flock->definition = *definition;
    flock->kernel = kernel_choose(definition->lanes);
    flock->pool = pool_create(definition->threads);
    if (flock->pool == NULL || !flock_reserve(flock, definition->boids)) {
        flock_destroy(flock);
        return NULL;
    }
    walls_build(&flock->walls, definition->width, definition->height, NULL, 0);
    flock_set_model(flock, definition->model);
    flock_set_count(flock, definition->boids);
    flock_reset(flock);
    flock->epoch = 0;
    return flock;
}

void flock_destroy(struct flock *flock)
{
    if (flock != NULL) {
        free_arrays(flock);
        pool_destroy(flock->pool);
        free(flock);
    }
}

void flock_tick_targets(struct flock *flock, const struct flock_target *targets, size_t count)
{
    struct aim aim;
    aim_take(&aim, targets, count);
    if (flock->definition.update == FLOCK_SYNCHRONOUS) {
        if (flock->definition.model == &swarm_model) {
            swarm_tick(flock, &aim);
        } else {
            crowd_tick(flock, &aim);
        }
        return;
    }
    plain_load(flock->plain, flock);
    plain_tick(flock->plain, flock, &aim, false);
    const struct body *bodies = plain_bodies(flock->plain);
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        const struct body *body = &bodies[flock->id[slot]];
        flock->x[slot] = (float)body->p.x;
        flock->y[slot] = (float)body->p.y;
        flock->vx[slot] = (float)body->v.x;
        flock->vy[slot] = (float)body->v.y;
        flock_admit(flock, slot); /* a float's rounding may have put it on the edge of a torus */
    }
}

void flock_tick(struct flock *flock, const struct flock_point *target)
{
    struct flock_target only = {0};
    if (target != NULL) {
        only = (struct flock_target){target->x, target->y, false};
    }
    flock_tick_targets(flock, &only, target != NULL);
}

uint32_t flock_count(const struct flock *flock)
{
    return flock->count;
}

uint32_t flock_lanes(const struct flock *flock)
{
    return flock->kernel->lanes;
}

const struct flock_definition *flock_definition_of(const struct flock *flock)
{
    return &flock->definition;
}

uint32_t flock_epoch(const struct flock *flock)
{
    return flock->epoch;
}

static void copy_by_id(const struct flock *flock, const float *from, float *to)
{
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        to[flock->id[slot]] = from[slot];
    }
}

void flock_positions(const struct flock *flock, float *x, float *y)
{
    copy_by_id(flock, flock->x, x);
    copy_by_id(flock, flock->y, y);
}

void flock_velocities(const struct flock *flock, float *vx, float *vy)
{
    copy_by_id(flock, flock->vx, vx);
    copy_by_id(flock, flock->vy, vy);
}

bool flock_coefficients(const struct flock *flock, float *separation, float *alignment,
                        float *cohesion)
{
    if (flock->definition.model != &swarm_model) {
        return false;
    }
    float *to[PLACE_COUNT] = {separation, alignment, cohesion};
    for (size_t place = 0; place < PLACE_COUNT; place++) {
        for (uint32_t slot = 0; slot < flock->count; slot++) {
            to[place][flock->id[slot]] =
                flock_own_value(flock, place, flock->place[place][flock->id[slot]]);
        }
    }
    return true;
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
