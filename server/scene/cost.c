#include "scene/cost.h"

#include <string.h>

#include "room/state.h"
#include "room/tell.h"
#include "scene/budget.h"

#define PAIRS_PER_US 1000.0

/* What is asked for: field of the message, how the error begins, and the update order that there
 * would be. */
struct asked {
    const char *field, *what;
    enum flock_update update;
};

static enum flock_update update_of(const struct room *room)
{
    return flock_definition_of(room->flock)->update;
}

/* The pairs that a tick may look at in that order; 0: any number. */
static double pairs_max(const struct room *room, enum flock_update update)
{
    return PAIRS_PER_US * (double)room->definition.tick_limit / flock_pair_cost(update);
}

/* Whether so many boids are never too expensive, wherever they are and whatever they do. */
static bool always_cheap(const struct room *room, const struct asked *asked, double boids)
{
    return room->definition.tick_limit == 0 || boids * boids <= pairs_max(room, asked->update);
}

static double pairs_now(const struct room *room)
{
    const struct flock_rule rule = {flock_definition_of(room->flock)->model, update_of(room),
                                    flock_reach(room->flock)};

    return flock_pairs(room->flock, &rule);
}

static bool refuse(const struct room *room, const struct asked *asked, uint32_t boids, double pairs,
                   struct proto_error *error)
{
    budget_count_refusal(room->definition.budget);
    return tell_refuse(error, PROTO_E_FULL, asked->field,
                       "%s: each of %u boids would look at about %.0f others: too much for a tick, "
                       "which may look at %.0f each; fewer boids or a shorter reach would do",
                       asked->what, boids, pairs / boids, pairs_max(room, asked->update) / boids);
}

/* Whether a tick of so many boids may look at so many pairs. */
static bool allows(const struct room *room, const struct asked *asked, uint32_t boids, double pairs,
                   struct proto_error *error)
{
    if (pairs <= pairs_max(room, asked->update) ||
        pairs * flock_pair_cost(asked->update) <=
            pairs_now(room) * flock_pair_cost(update_of(room))) {
        return true;
    }
    return refuse(room, asked, boids, pairs, error);
}

bool cost_allows_add(const struct room *room, const struct proto_add *message,
                     struct proto_error *error)
{
    const struct asked asked = {"count", "count", update_of(room)};
    uint32_t boids = flock_count(room->flock) + message->count;

    return always_cheap(room, &asked, boids) ||
           allows(room, &asked, boids,
                  flock_pairs_with(room->flock, message->x, message->y, message->count), error);
}

bool cost_allows_param(const struct room *room, size_t index, float value,
                       struct proto_error *error)
{
    const struct flock_model *model = flock_definition_of(room->flock)->model;
    const struct asked asked = {"value", model->params[index].name, update_of(room)};
    struct flock_rule rule = {model, asked.update, 0.0F};
    uint32_t boids = flock_count(room->flock);
    float params[FLOCK_PARAMS_MAX];

    if (always_cheap(room, &asked, boids)) {
        return true;
    }
    for (size_t i = 0; i < model->param_count; i++) {
        params[i] = i == index ? value : flock_param_get(room->flock, i);
    }
    rule.reach = flock_reach_of(model, params);
    return rule.reach <= flock_reach(room->flock) ||
           allows(room, &asked, boids, flock_pairs(room->flock, &rule), error);
}

bool cost_allows_model(const struct room *room, const struct flock_model *model,
                       struct proto_error *error)
{
    const struct asked asked = {"value", "model", update_of(room)};
    uint32_t boids = flock_count(room->flock);
    float params[FLOCK_PARAMS_MAX];

    flock_model_params(model, params);
    const struct flock_rule rule = {model, asked.update, flock_reach_of(model, params)};
    return always_cheap(room, &asked, boids) ||
           allows(room, &asked, boids, flock_pairs(room->flock, &rule), error);
}

/* Whether so many boids may be moved one after another. */
static bool allows_sequential(const char *field, const char *what, uint32_t boids,
                              struct proto_error *error)
{
    return boids <= ROOM_SEQUENTIAL_MAX ||
           tell_refuse(error, PROTO_E_FULL, field,
                       "%s: the update order sequential moves one boid after another, and is for "
                       "%u boids at most, not %u",
                       what, ROOM_SEQUENTIAL_MAX, boids);
}

bool cost_allows_update(const struct room *room, enum flock_update update,
                        struct proto_error *error)
{
    const struct asked asked = {"value", "update", update};
    const struct flock_rule rule = {flock_definition_of(room->flock)->model, update,
                                    flock_reach(room->flock)};
    uint32_t boids = flock_count(room->flock);

    if (update == FLOCK_SEQUENTIAL && !allows_sequential("value", "update", boids, error)) {
        return false;
    }
    return always_cheap(room, &asked, boids) ||
           allows(room, &asked, boids, flock_pairs(room->flock, &rule), error);
}

bool cost_allows_count(const struct room *room, uint32_t boids, const char *field, const char *what,
                       struct proto_error *error)
{
    return update_of(room) != FLOCK_SEQUENTIAL || allows_sequential(field, what, boids, error);
}

bool cost_allows_undo(const struct room *room, const struct flock *flock,
                      const struct flock_definition *definition, const float *params,
                      struct proto_error *error)
{
    const struct asked asked = {"", "undo", definition->update};
    const struct flock_rule rule = {definition->model, definition->update,
                                    flock_reach_of(definition->model, params)};
    uint32_t boids = flock_count(flock);

    if (definition->update == FLOCK_SEQUENTIAL && !allows_sequential("", "undo", boids, error)) {
        return false;
    }
    return always_cheap(room, &asked, boids) ||
           allows(room, &asked, boids, flock_pairs(flock, &rule), error);
}

bool cost_allows_reset(const struct room *room, uint32_t boids, struct proto_error *error)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    const struct asked asked = {"", "reset", flock->update};
    const struct flock_rule rule = {flock->model, flock->update, flock_reach(room->flock)};

    return always_cheap(room, &asked, boids) ||
           allows(room, &asked, boids,
                  flock_pairs_spread(&rule, boids, flock->width, flock->height), error);
}

bool cost_allows_preset(const struct room *room, const struct flock_preset *preset,
                        struct proto_error *error)
{
    const struct asked asked = {"value", "preset", preset->update};
    float params[FLOCK_PARAMS_MAX];

    if (always_cheap(room, &asked, preset->boids)) {
        return true;
    }
    flock_preset_params(preset, params);
    const struct flock_rule rule = {preset->model, preset->update,
                                    flock_reach_of(preset->model, params)};
    return allows(room, &asked, preset->boids,
                  flock_pairs_spread(&rule, preset->boids, preset->width, preset->height), error);
}

bool cost_allows_ticks(const struct room *room, const char *field, const char *what,
                       struct proto_error *error)
{
    const struct asked asked = {field, what, update_of(room)};
    uint32_t boids = flock_count(room->flock);
    double pairs;

    if (always_cheap(room, &asked, boids)) {
        return true;
    }
    pairs = pairs_now(room);
    return pairs <= pairs_max(room, asked.update) || refuse(room, &asked, boids, pairs, error);
}
