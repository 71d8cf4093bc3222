#include "sim/why.h"

#include "sim/plain.h"
#include "sim/workspace.h"

#include <assert.h>

const char *flock_cause_name(enum flock_cause cause)
{
    static const char *const names[CAUSE_COUNT] = {
        [CAUSE_SEPARATION] = "separation",
        [CAUSE_ALIGNMENT] = "alignment",
        [CAUSE_COHESION] = "cohesion",
        [CAUSE_SEEK] = "seek",
        [CAUSE_FOOD] = "food",
        [CAUSE_FLEE] = "flee",
        [CAUSE_INERTIA] = "inertia",
        [CAUSE_LIMITS] = "limits",
        [CAUSE_NOISE] = "noise",
        [CAUSE_WALLS] = "walls",
    };
    assert(cause < CAUSE_COUNT);
    return names[cause];
}

static struct flock_point point_of(struct vec v)
{
    return (struct flock_point){(float)v.x, (float)v.y};
}

/* Returns the bits of the causes that can act with the flock's settings and things. */
static uint32_t causes_of(const struct flock *flock)
{
    const struct flock_settings *settings = &flock->definition.settings;
    const struct flock_model *model = settings->model;
    uint32_t causes = model->rules->causes | 1u << CAUSE_SEEK;
    if (flock_things_of(flock)->food_count > 0) {
        causes |= 1u << CAUSE_FOOD;
    }
    if (common_param(model, FLOCK_FLEE_WEIGHT, settings->params) > 0.0f) {
        causes |= 1u << CAUSE_FLEE;
    }
    if (common_param(model, FLOCK_NOISE, settings->params) > 0.0f) {
        causes |= 1u << CAUSE_NOISE;
    }
    if (settings->boundary == FLOCK_WALLS) {
        causes |= 1u << CAUSE_WALLS;
    }
    return causes;
}

static void describe_neighbours(struct flock_why *why, const struct parts *parts)
{
    why->seen = parts->seen;
    why->crowding = parts->crowding;
    why->listed = parts->listed;
    for (uint32_t i = 0; i < parts->listed; i++) {
        const struct parts_neighbour *near = &parts->nearest[i];
        why->neighbours[i] = (struct flock_neighbour){near->number, point_of(near->d), near->close};
    }
}

static void describe_boid(struct flock_why *why, const struct plain_boid *boid, uint32_t causes)
{
    const struct parts *parts = &boid->parts;
    *why = (struct flock_why){.boid = boid->number,
                              .position = point_of(boid->before.p),
                              .velocity = point_of(boid->before.v),
                              .after = point_of(boid->after.v),
                              .causes = causes,
                              .view = parts->view,
                              .close = parts->close};
    for (size_t cause = 0; cause < CAUSE_COUNT; cause++) {
        why->push[cause] = point_of(parts->push[cause]);
        if (parts->push[cause].x != 0.0 || parts->push[cause].y != 0.0) {
            why->causes |= 1u << cause;
        }
    }
    describe_neighbours(why, parts);
}

bool flock_explain(const struct flock *flock, struct flock_workspace *workspace,
                   const struct flock_target *targets, size_t target_count, float clearance,
                   struct flock_why *why, uint32_t count)
{
    struct plain_boid boids[WHY_BOIDS];
    assert(count <= WHY_BOIDS);
    if (!flock_workspace_reserve(workspace, flock->count)) {
        return false;
    }
    struct aim aim;
    aim_take(&aim, &flock->definition.settings, flock_things_of(flock), targets, target_count,
             clearance);
    for (uint32_t i = 0; i < count; i++) {
        boids[i].number = why[i].boid;
    }
    struct plain plain;
    struct arena arena = workspace_arena(workspace);
    plain_take(&plain, &arena, flock->count);
    plain_load(&plain, flock);
    limit_start_work(&workspace->limit);
    /* The centroid is the one that the fast engine reads. */
    const struct plain_question question = {flock_centroid(flock), boids, count};
    if (!plain_explain(&plain, flock, &aim, &workspace->limit, &question)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        describe_boid(&why[i], &boids[i], causes_of(flock));
    }
    return true;
}
