#include "scene/boids.h"

#include "base/refusal.h"
#include "scene/budget.h"
#include "scene/cost.h"
#include "scene/inside.h"

#define STEPS_MAX 1000u /* asked for and not yet made */

/* Takes that many boids more from the budget of all rooms. field: of the message that asks for
 * them; what: how its error begins. */
static bool take(struct scene *scene, uint32_t more, const char *field, const char *what,
                 struct proto_error *error)
{
    uint32_t left = 0;

    if (budget_take(scene->definition.budget, more, &left)) {
        return true;
    }
    budget_count_refusal(scene->definition.budget);
    return refuse_message(error, PROTO_E_FULL, field,
                          "%s: %s together have %u boids left, the change needs %u", what,
                          budget_whose(scene->definition.budget), left, more);
}

bool boids_add(struct scene *scene, const struct proto_add *message, struct proto_error *error)
{
    const uint32_t most = scene->definition.boids_max;
    const uint32_t count = flock_count(scene->flock);
    const uint32_t left = count < most ? most - count : 0;

    if (!cursor_reaches(flock_settings_of(scene->flock), message->x, message->y, error)) {
        return false;
    }
    if (message->count > left) {
        budget_count_refusal(scene->definition.budget);
        return refuse_message(error, PROTO_E_FULL, "count",
                              "count: the room may have %u more boids, got %u", left,
                              message->count);
    }
    if (!cost_allows_count(scene, count + message->count, "count", "count", error) ||
        !cost_allows_add(scene, message, error) ||
        !take(scene, message->count, "count", "count", error)) {
        return false;
    }
    if (!flock_add(scene->flock, message->x, message->y, message->count)) {
        budget_give(scene->definition.budget, message->count);
        return refuse_message(error, PROTO_E_FULL, "", "add: out of memory");
    }
    return true;
}

void boids_remove(struct scene *scene, const struct proto_remove *message)
{
    budget_give(scene->definition.budget, flock_remove(scene->flock, message->count));
}

static bool fill_up(struct scene *scene, uint32_t more, struct proto_error *error)
{
    const struct flock_settings *settings = flock_settings_of(scene->flock);

    if (!take(scene, more, "", "reset", error)) {
        return false;
    }
    if (!flock_add(scene->flock, settings->width / 2.0F, settings->height / 2.0F, more)) {
        budget_give(scene->definition.budget, more);
        return refuse_message(error, PROTO_E_FULL, "", "reset: out of memory");
    }
    return true;
}

bool boids_reset(struct scene *scene, struct proto_error *error)
{
    uint32_t count = flock_count(scene->flock);
    uint32_t most = scene->definition.boids_max; /* a loaded scene may have begun with more */
    uint32_t boids = scene->controls.boids < most ? scene->controls.boids : most;

    if (!cost_allows_count(scene, boids, "", "reset", error) ||
        !cost_allows_reset(scene, boids, error)) {
        return false;
    }
    if (count < boids && !fill_up(scene, boids - count, error)) {
        return false;
    }
    if (count > boids) {
        budget_give(scene->definition.budget, flock_remove(scene->flock, count - boids));
    }
    flock_reset(scene->flock);
    scene->herding = (struct herding){0};
    return true;
}

bool boids_preset(struct scene *scene, const struct flock_preset *preset, struct proto_error *error)
{
    const struct flock_settings settings = edition_settings(scene, preset);
    uint32_t most = scene->definition.boids_max;
    uint32_t boids = preset->boids < most ? preset->boids : most;
    uint32_t count = flock_count(scene->flock);
    uint32_t more = boids > count ? boids - count : 0;

    if (!cost_allows_preset(scene, &settings, boids, error) ||
        !take(scene, more, "value", "preset", error)) {
        return false;
    }
    if (!flock_change(scene->flock, &settings, boids)) {
        budget_give(scene->definition.budget, more);
        return refuse_message(error, PROTO_E_FULL, "", "preset: out of memory");
    }
    budget_give(scene->definition.budget, count > boids ? count - boids : 0);
    flock_reset(scene->flock); /* to the beginning that the preset is made for */
    scene->herding = (struct herding){0};
    scene->controls.boids = boids;
    scene->controls.clearance = scene->edition > 1;
    return true;
}

void scene_frighten(struct scene *scene)
{
    bool scared =
        scene->controls.cursors == CURSORS_SCARE || flock_things_of(scene->flock)->hunter_count > 0;

    if (scene->edition > 3 && scared) {
        scene->versions.params += flock_frighten(scene->flock);
    }
}

bool boids_step(struct scene *scene, struct proto_error *error)
{
    if (scene->controls.run != RUN_PAUSED) {
        return refuse_message(error, PROTO_E_STATE, "",
                              "step: the flock is running; pause it first");
    }
    if (scene->steps == STEPS_MAX) {
        return refuse_message(error, PROTO_E_FULL, "", "step: %u earlier steps are not done yet",
                              STEPS_MAX);
    }
    if (!cost_allows_ticks(scene, "", "step", error)) {
        return false;
    }
    scene->steps++;
    return true;
}
