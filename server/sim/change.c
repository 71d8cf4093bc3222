/* Making a flock, and changing its model, its world and its boids. */
#include "sim/rng.h"
#include "sim/state.h"
#include "sim/things.h"
#include "sim/trig.h"
#include "sim/wide/kernel.h"

#include <stdlib.h>
#include <string.h>

/* Returns true if any boid was moved. */
static bool admit_all(struct flock *flock)
{
    bool moved = false;
    things_admit(flock);
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        float x = flock->x[slot];
        float y = flock->y[slot];
        flock_admit(flock, slot);
        moved = moved || x != flock->x[slot] || y != flock->y[slot];
    }
    return moved;
}

static void build_walls(struct flock *flock)
{
    const struct flock_settings *settings = &flock->definition.settings;

    walls_build(&flock->walls, settings->width, settings->height, settings->walls,
                settings->wall_count);
}

bool flock_set_model(struct flock *flock, const struct flock_model *model)
{
    if (model == NULL) {
        return false;
    }
    flock_settings_choose(&flock->definition.settings, model);
    return true;
}

bool flock_set_world(struct flock *flock, enum flock_boundary boundary, float width, float height)
{
    if (!flock_world_valid(boundary, width, height)) {
        return false;
    }
    flock->definition.settings.boundary = boundary;
    flock->definition.settings.width = width;
    flock->definition.settings.height = height;
    build_walls(flock);
    flock->epoch += admit_all(flock);
    return true;
}

bool flock_set_update(struct flock *flock, enum flock_update update)
{
    if (update > FLOCK_SEQUENTIAL) {
        return false;
    }
    flock->definition.settings.update = update;
    return true;
}

bool flock_reserve_walls(struct flock *flock)
{
    if (flock->walls.map == NULL) {
        flock->walls.map = malloc(sizeof *flock->walls.map);
    }
    return flock->walls.map != NULL;
}

bool flock_set_walls(struct flock *flock, const struct flock_wall *walls, size_t count)
{
    if (!flock_walls_valid(walls, count)) {
        return false;
    }
    if (count > 0 && !flock_reserve_walls(flock)) {
        return false;
    }
    flock->definition.settings.wall_count = (uint32_t)count;
    if (count > 0) {
        memmove(flock->definition.settings.walls, walls, count * sizeof *walls);
    }
    build_walls(flock);
    if (count == 0) {
        free(flock->walls.map);
        flock->walls.map = NULL;
    }
    admit_all(flock); /* moves boids off the new walls by a tenth of a unit; the epoch stays */
    return true;
}

bool flock_set_settings(struct flock *flock, const struct flock_settings *settings)
{
    if (flock_settings_problem(settings) != NULL ||
        (settings->wall_count > 0 && !flock_reserve_walls(flock))) {
        return false;
    }
    /* The old walls move no boid, and the new world does before the new walls. */
    flock->definition.settings.wall_count = 0;
    build_walls(flock);
    flock_set_world(flock, settings->boundary, settings->width, settings->height);
    flock_set_update(flock, settings->update);
    flock_set_model(flock, settings->model);
    memcpy(flock->definition.settings.params, settings->params, sizeof settings->params);
    return flock_set_walls(flock, settings->walls, settings->wall_count);
}

bool flock_change(struct flock *flock, const struct flock_settings *settings, uint32_t boids)
{
    if ((boids > flock->capacity && !flock_resize(flock, boids)) ||
        !flock_set_settings(flock, settings)) {
        return false;
    }
    if (flock->count > boids) {
        flock_remove(flock, flock->count - boids);
    }
    for (uint32_t i = flock->count; i < boids; i++) {
        flock_hatch(flock, i, i);
    }
    flock_set_count(flock, boids);
    return true;
}

bool flock_add(struct flock *flock, float x, float y, uint32_t count)
{
    if (!(fabsf(x) <= FLOCK_FAR) || !(fabsf(y) <= FLOCK_FAR) ||
        count > FLOCK_BOIDS_MAX - flock->count) {
        return false;
    }
    uint32_t total = flock->count + count;
    if (total > flock->capacity) {
        uint32_t room = flock->capacity + flock->capacity / 2;
        room = room < total ? total : room;
        if (!flock_resize(flock, room > FLOCK_BOIDS_MAX ? FLOCK_BOIDS_MAX : room)) {
            return false;
        }
    }
    for (uint32_t i = flock->count; i < total; i++) {
        flock_hatch(flock, i, i);
        /* The pattern of a sunflower's head: evenly dense, with the first boid in the middle. */
        double sine;
        double cosine;
        trig_sincos((i - flock->count) * 2.39996322972865332, &sine, &cosine);
        double far = 4.0 * sqrt(i - flock->count);
        flock->x[i] = on_lattice(x + (float)(far * cosine));
        flock->y[i] = on_lattice(y + (float)(far * sine));
        flock_admit(flock, i);
    }
    flock_set_count(flock, total);
    return true;
}

uint32_t flock_remove(struct flock *flock, uint32_t count)
{
    uint32_t left = flock->count > count ? flock->count - count : 1;
    uint32_t removed = flock->count - left;
    if (removed == 0) {
        return 0;
    }
    uint32_t to = 0;
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        if (flock->id[slot] >= left) {
            continue;
        }
        flock->id[to] = flock->id[slot];
        flock->x[to] = flock->x[slot];
        flock->y[to] = flock->y[slot];
        flock->vx[to] = flock->vx[slot];
        flock->vy[to] = flock->vy[slot];
        to++;
    }
    flock_set_count(flock, left);
    if (left < flock->capacity / 4) {
        (void)flock_resize(
            flock, left); /* without memory for a smaller copy, the flock keeps its memory */
    }
    flock->epoch++;
    return removed;
}

void flock_reset(struct flock *flock)
{
    for (uint32_t i = 0; i < flock->count; i++) {
        flock_hatch(flock, i, i);
    }
    flock->own_places = false;
    free(flock->things);
    flock->things = NULL;
    flock->ticks = 0;
    flock->epoch++;
}

/* Computes each boid's place within a range. Returns false if a value is outside the range. */
static bool places_of(const struct flock *flock, size_t place, const float *values, uint32_t count,
                      float *places)
{
    float low = flock->definition.settings.params[2 * place];
    float high = flock->definition.settings.params[2 * place + 1];
    for (uint32_t i = 0; i < count; i++) {
        if (!(values[i] >= fminf(low, high) && values[i] <= fmaxf(low, high))) {
            return false;
        }
        if (places != NULL) {
            places[i] = low == high ? 0.0f : (values[i] - low) / (high - low);
        }
    }
    return true;
}

static bool state_valid(const struct flock *flock, const struct flock_state *state, uint32_t count)
{
    const float *far[] = {state->x, state->y, state->vx, state->vy};
    const float *own[PLACE_COUNT] = {state->separation, state->alignment, state->cohesion};
    for (int k = 0; k < 4; k++) {
        for (uint32_t i = 0; i < count; i++) {
            if (!(fabsf(far[k][i]) <= FLOCK_FAR)) {
                return false;
            }
        }
    }
    for (size_t place = 0; place < PLACE_COUNT; place++) {
        if (own[place] != NULL && (!flock->definition.settings.model->rules->own ||
                                   !places_of(flock, place, own[place], count, NULL))) {
            return false;
        }
    }
    return true;
}

bool flock_replace(struct flock *flock, const struct flock_state *state, uint32_t count)
{
    if (count < 1 || count > FLOCK_BOIDS_MAX || !state_valid(flock, state, count) ||
        (count > flock->capacity && !flock_resize(flock, count))) {
        return false;
    }
    const float *own[PLACE_COUNT] = {state->separation, state->alignment, state->cohesion};
    for (uint32_t i = 0; i < count; i++) {
        flock_hatch(flock, i, i);
    }
    for (size_t place = 0; place < PLACE_COUNT; place++) {
        if (own[place] != NULL) {
            places_of(flock, place, own[place], count, flock->place[place]);
        }
    }
    flock->own_places = own[0] != NULL || own[1] != NULL || own[2] != NULL;
    memcpy(flock->x, state->x, count * sizeof *flock->x);
    memcpy(flock->y, state->y, count * sizeof *flock->y);
    memcpy(flock->vx, state->vx, count * sizeof *flock->vx);
    memcpy(flock->vy, state->vy, count * sizeof *flock->vy);
    flock_set_count(flock, count);
    admit_all(flock);
    flock->epoch++;
    return true;
}

struct flock *flock_create(const struct flock_definition *definition)
{
    if (definition->boids < 1 || definition->boids > FLOCK_BOIDS_MAX ||
        flock_settings_problem(&definition->settings) != NULL) {
        return NULL;
    }
    struct flock *flock = calloc(1, sizeof *flock);
    if (flock == NULL) {
        return NULL;
    }
    flock->definition = *definition;
    flock->kernel = kernel_choose(definition->lanes);
    flock->definition.settings.wall_count = 0; /* until the boids are there */
    if (!flock_resize(flock, definition->boids)) {
        flock_destroy(flock);
        return NULL;
    }
    build_walls(flock);
    flock_set_count(flock, definition->boids);
    flock_reset(flock);
    flock->epoch = 0;
    if (!flock_set_walls(flock, definition->settings.walls, definition->settings.wall_count)) {
        flock_destroy(flock);
        return NULL;
    }
    return flock;
}

void flock_destroy(struct flock *flock)
{
    if (flock != NULL) {
        free(flock->memory);
        free(flock->walls.map);
        free(flock->things);
        free(flock);
    }
}
