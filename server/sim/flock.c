#include "sim/flock.h"

#include "sim/crowd.h"
#include "sim/plain.h"
#include "sim/rng.h"
#include "sim/swarm.h"
#include "sim/things.h"
#include "sim/wide/kernel.h"
#include "sim/workspace.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The clearance, of the world's shorter side at least and at most, and between them in units times
 * the square root of the number of boids. So every preset keeps the looks of
 * tests/unit/test_presets.c around a target that wanders, and follows as in test_follow.c. */
#define CLEARANCE_MIN   0.14f
#define CLEARANCE_MAX   0.22f
#define CLEARANCE_BOIDS 3.2f

#define MODEL_ADDRESS(name) &name##_model,
const struct flock_model *const flock_models[] = {MODELS(MODEL_ADDRESS) NULL};

_Static_assert(sizeof flock_models / sizeof flock_models[0] <= FLOCK_MODELS_MAX,
               "all models, and the NULL behind them");

const struct flock_word flock_boundaries[] = {
    [FLOCK_OPEN] = {"open", "no edge"},
    [FLOCK_WRAP] = {"wrap", "a boid that leaves on one side enters on the other"},
    [FLOCK_WALLS] = {"walls", "the edges reflect"},
    {NULL, NULL},
};

const struct flock_word flock_updates[] = {
    [FLOCK_SYNCHRONOUS] = {"synchronous", "all at once: each boid sees the flock before the tick"},
    [FLOCK_SEQUENTIAL] = {"sequential",
                          "one after another: each boid sees where earlier boids have moved"},
    {NULL, NULL},
};

const char *flock_model_name(size_t index)
{
    return flock_models[index] != NULL ? flock_models[index]->name : NULL;
}

const char *flock_boundary_name(size_t index)
{
    return flock_boundaries[index].name;
}

const char *flock_update_name(size_t index)
{
    return flock_updates[index].name;
}

const struct flock_model *flock_model_find(const char *name)
{
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        if (strcmp((*model)->name, name) == 0) {
            return *model;
        }
    }
    return NULL;
}

uint32_t flock_model_index(const struct flock_model *model)
{
    uint32_t index = 0;

    while (flock_models[index] != model) {
        assert(flock_models[index] != NULL);
        index++;
    }
    return index;
}

float flock_param_before(const struct flock_model *model, size_t index)
{
    const struct flock_param *param = &model->params[index];

    for (const struct flock_setting *s = model->before; s != NULL && s->name != NULL; s++) {
        if (strcmp(s->name, param->name) == 0) {
            return s->value;
        }
    }
    return param->initial;
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

/* Returns the position of that word in the name, or NULL if the name does not contain it. */
static const char *find_word(const char *name, const char *word)
{
    const char *at = strstr(name, word);

    if (at == NULL || (at > name && at[-1] != '_') ||
        (at[strlen(word)] != '\0' && at[strlen(word)] != '_')) {
        return NULL;
    }
    return at;
}

int flock_param_pair(const struct flock_model *model, size_t index, bool *least)
{
    char other[64];
    const char *name = model->params[index].name;
    const char *at = find_word(name, "min");

    *least = at != NULL;
    at = at != NULL ? at : find_word(name, "max");
    if (at == NULL) {
        return -1;
    }
    snprintf(other, sizeof other, "%.*s%s%s", (int)(at - name), name, *least ? "max" : "min",
             at + 3);
    return flock_param_find(model, other);
}

int flock_params_contradict(const struct flock_model *model, const float *params)
{
    for (size_t i = 0; i < model->param_count; i++) {
        bool least;
        int other = flock_param_pair(model, i, &least);
        if (other >= 0 && least && params[i] > params[other]) {
            return (int)i;
        }
    }
    return -1;
}

struct flock_definition flock_definition_default(void)
{
    struct flock_definition definition = {
        .settings = {.boundary = swarm_model.boundary,
                     .width = 550.0f,
                     .height = 400.0f,
                     .update = FLOCK_SYNCHRONOUS},
        .boids = 12,
        .seed = 1,
        .lanes = 0,
    };

    flock_settings_choose(&definition.settings, &swarm_model);
    return definition;
}

void flock_admit(struct flock *flock, uint32_t slot)
{
    walls_admit(&flock->walls, &flock->definition.settings, &flock->x[slot], &flock->y[slot]);
}

void flock_hatch(struct flock *flock, uint32_t slot, uint32_t id)
{
    struct rng rng = rng_of_boid(flock->definition.seed, id);
    flock->id[slot] = id;
    flock->x[slot] = on_lattice(rng_unit(&rng) * flock->definition.settings.width);
    flock->y[slot] = on_lattice(rng_unit(&rng) * flock->definition.settings.height);
    flock->vx[slot] = rng_unit(&rng) * 2.0f - 1.0f;
    flock->vy[slot] = rng_unit(&rng) * 2.0f - 1.0f;
    for (int place = 0; place < PLACE_COUNT; place++) {
        flock->place[place][id] = rng_unit(&rng);
    }
    flock_admit(flock, slot);
}

enum { ARRAYS = 4 + PLACE_COUNT };

static void list_arrays(struct flock *flock, float **arrays[ARRAYS])
{
    float **all[ARRAYS] = {&flock->x,        &flock->y,        &flock->vx,      &flock->vy,
                           &flock->place[0], &flock->place[1], &flock->place[2]};
    memcpy(arrays, all, sizeof all);
}

static void take_arrays(struct flock *flock, struct arena *arena, uint32_t capacity)
{
    float **arrays[ARRAYS];
    list_arrays(flock, arrays);
    for (int i = 0; i < ARRAYS; i++) {
        *arrays[i] = arena_take(arena, (size_t)capacity + FLOCK_SLACK, sizeof **arrays[i]);
    }
    flock->id = arena_take(arena, capacity, sizeof *flock->id);
}

bool flock_resize(struct flock *flock, uint32_t capacity)
{
    assert(capacity >= flock->count);
    struct flock resized = *flock;
    struct arena arena = {0};
    take_arrays(&resized, &arena, capacity);
    resized.memory = aligned_alloc(ARENA_LINE, arena.used);
    if (resized.memory == NULL) {
        return false;
    }
    arena = (struct arena){.memory = resized.memory};
    take_arrays(&resized, &arena, capacity);
    resized.capacity = capacity;
    if (flock->count > 0) {
        float **from[ARRAYS];
        float **to[ARRAYS];
        list_arrays(flock, from);
        list_arrays(&resized, to);
        for (int i = 0; i < ARRAYS; i++) {
            memcpy(*to[i], *from[i], flock->count * sizeof **to[i]);
        }
        memcpy(resized.id, flock->id, flock->count * sizeof *resized.id);
    }
    free(flock->memory);
    *flock = resized;
    return true;
}

void flock_set_count(struct flock *flock, uint32_t count)
{
    assert(count <= flock->capacity);
    flock->count = count;
    flock->definition.boids = count;
}

static void sequential_tick(struct flock *flock, struct flock_workspace *workspace,
                            const struct aim *aim)
{
    struct plain plain;
    struct arena arena = workspace_arena(workspace);
    plain_take(&plain, &arena, flock->count);
    plain_load(&plain, flock);
    plain_tick(&plain, flock, aim, &workspace->limit);
    if (limit_is_exceeded(&workspace->limit)) {
        return;
    }
    if (flock->things != NULL) {
        *flock->things = plain.things;
    }
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        const struct body *body = &plain.bodies[flock->id[slot]];
        flock->x[slot] = (float)body->p.x;
        flock->y[slot] = (float)body->p.y;
        flock->vx[slot] = (float)body->v.x;
        flock->vy[slot] = (float)body->v.y;
        flock_admit(flock,
                    slot); /* a float's rounding may have put the boid on the edge of a torus */
    }
}

float flock_clearance(const struct flock *flock, size_t targets)
{
    const struct flock_settings *settings = &flock->definition.settings;

    if (settings->model->rules->tick == TICK_SWARM || targets == 0) {
        return 0.0f;
    }
    float side = fminf(settings->width, settings->height);
    float room = CLEARANCE_BOIDS * sqrtf((float)flock->count);
    return fminf(fmaxf(room, CLEARANCE_MIN * side), CLEARANCE_MAX * side) / sqrtf((float)targets);
}

bool flock_tick_targets(struct flock *flock, struct flock_workspace *workspace,
                        const struct flock_target *targets, size_t count)
{
    return flock_tick_clear(flock, workspace, targets, count, 0.0f);
}

static void move_boids(struct flock *flock, struct flock_workspace *workspace,
                       const struct aim *aim, struct bites *bites)
{
    switch (flock->definition.settings.model->rules->tick) {
    case TICK_CROWD:
        crowd_tick(flock, workspace, aim, bites);
        break;
    case TICK_SWARM:
        swarm_tick(flock, workspace, aim, bites);
        break;
    }
}

static void synchronous_tick(struct flock *flock, struct flock_workspace *workspace,
                             struct aim *aim)
{
    struct bites bites;
    struct flock_things things;
    if (flock->definition.settings.boundary == FLOCK_WRAP) {
        aim_wrap(aim, flock_torus(flock));
    }
    aim_round(aim);
    if (flock->things != NULL) {
        things_begin(flock, &things, &bites);
    }
    move_boids(flock, workspace, aim, &bites);
    if (flock->things != NULL && !limit_is_exceeded(&workspace->limit)) {
        things_end(flock, &things, &bites);
    }
}

bool flock_tick_clear(struct flock *flock, struct flock_workspace *workspace,
                      const struct flock_target *targets, size_t count, float clearance)
{
    if (flock->count > workspace->boids) {
        return false;
    }
    struct aim aim;
    aim_take(&aim, &flock->definition.settings, flock_things_of(flock), targets, count, clearance);
    limit_start_work(&workspace->limit);
    if (flock->definition.settings.update == FLOCK_SEQUENTIAL) {
        sequential_tick(flock, workspace, &aim);
    } else {
        synchronous_tick(flock, workspace, &aim);
    }
    bool moved = !limit_is_exceeded(&workspace->limit);
    flock->ticks += moved;
    return moved;
}

bool flock_tick(struct flock *flock, struct flock_workspace *workspace,
                const struct flock_point *target)
{
    struct flock_target only = {0};
    if (target != NULL) {
        only = (struct flock_target){target->x, target->y, false};
    }
    return flock_tick_targets(flock, workspace, &only, target != NULL);
}

uint32_t flock_count(const struct flock *flock)
{
    return flock->count;
}

size_t flock_bytes(const struct flock *flock)
{
    struct flock counted = *flock;
    struct arena arena = {0};

    take_arrays(&counted, &arena, flock->capacity);
    return sizeof *flock + arena.used + (flock->things != NULL ? sizeof *flock->things : 0);
}

uint32_t flock_lanes(const struct flock *flock)
{
    return flock->kernel->lanes;
}

const struct flock_definition *flock_definition_of(const struct flock *flock)
{
    return &flock->definition;
}

const struct flock_settings *flock_settings_of(const struct flock *flock)
{
    return &flock->definition.settings;
}

uint32_t flock_epoch(const struct flock *flock)
{
    return flock->epoch;
}

uint64_t flock_ticks(const struct flock *flock)
{
    return flock->ticks;
}

uint32_t flock_followers(const struct flock *flock, uint32_t numbers)
{
    const struct flock_settings *settings = &flock->definition.settings;
    return informed_below(numbers, common_param(settings->model, FLOCK_INFORMED, settings->params));
}

struct flock_slots flock_slots(const struct flock *flock)
{
    return (struct flock_slots){flock->id, flock->x, flock->y, flock->vx, flock->vy};
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
    if (!flock->definition.settings.model->rules->own) {
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
    return flock->definition.settings.params[index];
}

bool flock_param_set(struct flock *flock, size_t index, float value)
{
    const struct flock_model *model = flock->definition.settings.model;
    if (index >= model->param_count ||
        !(value >= model->params[index].min && value <= model->params[index].max)) {
        return false;
    }
    flock->definition.settings.params[index] = value;
    return true;
}
