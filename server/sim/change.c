/* Changes of a running flock: its model, its world, its boids. */
#include "sim/rng.h"
#include "sim/state.h"
#include "sim/trig.h"

#include <string.h>

static void admit_all(struct flock *flock)
{
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        flock_admit(flock, slot);
    }
}

bool flock_set_model(struct flock *flock, const struct flock_model *model)
{
    if (model == NULL) {
        return false;
    }
    flock->definition.model = model;
    for (size_t i = 0; i < model->param_count; i++) {
        flock->params[i] = model->params[i].initial;
    }
    return true;
}

bool flock_set_world(struct flock *flock, enum flock_boundary boundary, float width, float height)
{
    if (!flock_world_valid(boundary, width, height)) {
        return false;
    }
    flock->definition.boundary = boundary;
    flock->definition.width = width;
    flock->definition.height = height;
    walls_build(&flock->walls, width, height, flock->walls.wall, flock->walls.count);
    admit_all(flock);
    return true;
}

bool flock_set_walls(struct flock *flock, const struct flock_wall *walls, size_t count)
{
    if (count > FLOCK_WALLS_MAX) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const float at[] = {walls[i].x1, walls[i].y1, walls[i].x2, walls[i].y2};
        for (int k = 0; k < 4; k++) {
            if (!(fabsf(at[k]) <= FLOCK_WORLD_MAX)) {
                return false;
            }
        }
        if (at[0] == at[2] && at[1] == at[3]) {
            return false;
        }
    }
    walls_build(&flock->walls, flock->definition.width, flock->definition.height, walls,
                (uint32_t)count);
    admit_all(flock);
    return true;
}

const struct flock_wall *flock_walls(const struct flock *flock, size_t *count)
{
    *count = flock->walls.count;
    return flock->walls.wall;
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
        if (!flock_reserve(flock, room > FLOCK_BOIDS_MAX ? FLOCK_BOIDS_MAX : room)) {
            return false;
        }
    }
    for (uint32_t i = flock->count; i < total; i++) {
        flock_hatch(flock, i, i);
        /* A sunflower's head: evenly dense, the first in the middle. */
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
    flock->epoch++;
    return removed;
}

void flock_reset(struct flock *flock)
{
    for (uint32_t i = 0; i < flock->count; i++) {
        flock_hatch(flock, i, i);
    }
    flock->epoch++;
}

/* Each boid's place within a range; false if a value is outside it. */
static bool places_of(const struct flock *flock, size_t place, const float *values, uint32_t count,
                      float *places)
{
    float low = flock->params[2 * place];
    float high = flock->params[2 * place + 1];
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
        if (own[place] != NULL && (flock->definition.model != &swarm_model ||
                                   !places_of(flock, place, own[place], count, NULL))) {
            return false;
        }
    }
    return true;
}

bool flock_replace(struct flock *flock, const struct flock_state *state, uint32_t count)
{
    if (count < 1 || count > FLOCK_BOIDS_MAX || !state_valid(flock, state, count) ||
        (count > flock->capacity && !flock_reserve(flock, count))) {
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
    memcpy(flock->x, state->x, count * sizeof *flock->x);
    memcpy(flock->y, state->y, count * sizeof *flock->y);
    memcpy(flock->vx, state->vx, count * sizeof *flock->vx);
    memcpy(flock->vy, state->vy, count * sizeof *flock->vy);
    flock_set_count(flock, count);
    admit_all(flock);
    flock->epoch++;
    return true;
}
