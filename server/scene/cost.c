#include "scene/cost.h"

#include <string.h>

#include "base/refusal.h"
#include "scene/budget.h"
#include "scene/inside.h"

#define PAIRS_PER_US 1000.0

/* The change to judge: field of the message, begin of the error's text, and the update order after
 * it. */
struct asked {
    const char *field, *what;
    enum flock_update update;
};

static enum flock_update update_of(const struct scene *scene)
{
    return flock_settings_of(scene->flock)->update;
}

/* The pairs that a tick may look at in that order; 0: any number. */
static double pairs_max(const struct scene *scene, enum flock_update update)
{
    return PAIRS_PER_US * (double)scene->definition.tick_limit / flock_pair_cost(update);
}

/* Whether that number of boids is cheap enough even if each looks at each other one. */
static bool always_cheap(const struct scene *scene, const struct asked *asked, double boids)
{
    return scene->definition.tick_limit == 0 || boids * boids <= pairs_max(scene, asked->update);
}

static struct flock_rule rule_of(const struct flock_settings *settings)
{
    return (struct flock_rule){settings->model, settings->update,
                               flock_reach_of(settings->model, settings->params)};
}

static double pairs_now(const struct scene *scene)
{
    const struct flock_rule rule = rule_of(flock_settings_of(scene->flock));

    return flock_pairs(scene->flock, &rule);
}

static bool refuse(const struct scene *scene, const struct asked *asked, uint32_t boids,
                   double pairs, struct proto_error *error)
{
    budget_count_refusal(scene->definition.budget);
    return refuse_message(
        error, PROTO_E_FULL, asked->field,
        "%s: %u boids would have about %.0f neighbours each, but a tick can compute only %.0f "
        "each; use fewer boids or a shorter view distance",
        asked->what, boids, pairs / boids, pairs_max(scene, asked->update) / boids);
}

/* Whether a tick of `boids` boids may look at `pairs` pairs. */
static bool allows(const struct scene *scene, const struct asked *asked, uint32_t boids,
                   double pairs, struct proto_error *error)
{
    if (pairs <= pairs_max(scene, asked->update) ||
        pairs * flock_pair_cost(asked->update) <=
            pairs_now(scene) * flock_pair_cost(update_of(scene))) {
        return true;
    }
    return refuse(scene, asked, boids, pairs, error);
}

bool cost_allows_add(const struct scene *scene, const struct proto_add *message,
                     struct proto_error *error)
{
    const struct asked asked = {"count", "count", update_of(scene)};
    uint32_t boids = flock_count(scene->flock) + message->count;

    return always_cheap(scene, &asked, boids) ||
           allows(scene, &asked, boids,
                  flock_pairs_with(scene->flock, message->x, message->y, message->count), error);
}

bool cost_allows_param(const struct scene *scene, size_t index, float value,
                       struct proto_error *error)
{
    const struct flock_model *model = flock_settings_of(scene->flock)->model;
    const struct asked asked = {"value", model->params[index].name, update_of(scene)};
    struct flock_rule rule = {model, asked.update, 0.0F};
    uint32_t boids = flock_count(scene->flock);
    struct flock_settings settings;

    if (always_cheap(scene, &asked, boids)) {
        return true;
    }
    settings = *flock_settings_of(scene->flock);
    settings.params[index] = value;
    rule.reach = flock_reach_of(model, settings.params);
    return rule.reach <= flock_reach(scene->flock) ||
           allows(scene, &asked, boids, flock_pairs(scene->flock, &rule), error);
}

bool cost_allows_model(const struct scene *scene, const struct flock_model *model,
                       struct proto_error *error)
{
    const struct asked asked = {"value", "model", update_of(scene)};
    uint32_t boids = flock_count(scene->flock);
    struct flock_settings settings;

    flock_settings_choose(&settings, model);
    const struct flock_rule rule = {model, asked.update, flock_reach_of(model, settings.params)};
    return always_cheap(scene, &asked, boids) ||
           allows(scene, &asked, boids, flock_pairs(scene->flock, &rule), error);
}

/* Whether that number of boids may be moved in the sequential order. */
static bool allows_sequential(const char *field, const char *what, uint32_t boids,
                              struct proto_error *error)
{
    return boids <= SCENE_SEQUENTIAL_MAX ||
           refuse_message(error, PROTO_E_FULL, field,
                          "%s: the sequential update order allows at most %u boids, got %u", what,
                          SCENE_SEQUENTIAL_MAX, boids);
}

bool cost_allows_update(const struct scene *scene, enum flock_update update,
                        struct proto_error *error)
{
    const struct asked asked = {"value", "update", update};
    const struct flock_rule rule = {flock_settings_of(scene->flock)->model, update,
                                    flock_reach(scene->flock)};
    uint32_t boids = flock_count(scene->flock);

    if (update == FLOCK_SEQUENTIAL && !allows_sequential("value", "update", boids, error)) {
        return false;
    }
    return always_cheap(scene, &asked, boids) ||
           allows(scene, &asked, boids, flock_pairs(scene->flock, &rule), error);
}

bool cost_allows_count(const struct scene *scene, uint32_t boids, const char *field,
                       const char *what, struct proto_error *error)
{
    return update_of(scene) != FLOCK_SEQUENTIAL || allows_sequential(field, what, boids, error);
}

bool cost_allows_undo(const struct scene *scene, const struct flock *flock,
                      const struct flock_settings *settings, struct proto_error *error)
{
    const struct asked asked = {"", "undo", settings->update};
    const struct flock_rule rule = rule_of(settings);
    uint32_t boids = flock_count(flock);

    if (settings->update == FLOCK_SEQUENTIAL && !allows_sequential("", "undo", boids, error)) {
        return false;
    }
    return always_cheap(scene, &asked, boids) ||
           allows(scene, &asked, boids, flock_pairs(flock, &rule), error);
}

bool cost_allows_reset(const struct scene *scene, uint32_t boids, struct proto_error *error)
{
    const struct flock_settings *settings = flock_settings_of(scene->flock);
    const struct asked asked = {"", "reset", settings->update};
    const struct flock_rule rule = rule_of(settings);

    return always_cheap(scene, &asked, boids) ||
           allows(scene, &asked, boids,
                  flock_pairs_spread(&rule, boids, settings->width, settings->height), error);
}

bool cost_allows_preset(const struct scene *scene, const struct flock_settings *settings,
                        uint32_t boids, struct proto_error *error)
{
    const struct asked asked = {"value", "preset", settings->update};
    const struct flock_rule rule = rule_of(settings);

    return always_cheap(scene, &asked, boids) ||
           allows(scene, &asked, boids,
                  flock_pairs_spread(&rule, boids, settings->width, settings->height), error);
}

bool cost_allows_ticks(const struct scene *scene, const char *field, const char *what,
                       struct proto_error *error)
{
    const struct asked asked = {field, what, update_of(scene)};
    uint32_t boids = flock_count(scene->flock);
    double pairs;

    if (always_cheap(scene, &asked, boids)) {
        return true;
    }
    pairs = pairs_now(scene);
    return pairs <= pairs_max(scene, asked.update) || refuse(scene, &asked, boids, pairs, error);
}
