#include "scene/param.h"

#include <assert.h>
#include <stdio.h>

#include "base/refusal.h"
#include "scene/cost.h"
#include "scene/inside.h"

/* A least value is not above its greatest. */
static bool agrees(const struct scene *scene, size_t index, float value, struct proto_error *error)
{
    const struct flock_model *model = flock_settings_of(scene->flock)->model;
    bool least;
    int other = flock_param_pair(model, index, &least);
    float limit = other >= 0 ? flock_param_get(scene->flock, (size_t)other) : 0.0F;

    if (other < 0 || (least ? value <= limit : value >= limit)) {
        return true;
    }
    return refuse_message(error, PROTO_E_RANGE, "value",
                          "%s: expected at %s %s, which is %g, got %g", model->params[index].name,
                          least ? "most" : "least", model->params[other].name, (double)limit,
                          (double)value);
}

/* Whether the parameter of that index may have the value, which it does not have now; else fills
 * *error. */
static bool allows(const struct scene *scene, size_t index, float value, struct proto_error *error)
{
    const struct flock_param *param = &flock_settings_of(scene->flock)->model->params[index];

    if (!(value >= param->min && value <= param->max)) {
        return refuse_message(error, PROTO_E_RANGE, "value", "%s: expected %g to %g, got %g",
                              param->name, (double)param->min, (double)param->max, (double)value);
    }
    return agrees(scene, index, value, error) && cost_allows_param(scene, index, value, error);
}

/* Returns the index of the parameter of that name; -1, with *error filled, without one. */
static int find(const struct scene *scene, const char *name, struct proto_error *error)
{
    const struct flock_model *model = flock_settings_of(scene->flock)->model;
    int index = flock_param_find(model, name);

    if (index < 0) {
        refuse_message(error, PROTO_E_RANGE, "name", "name: the model %s has no parameter %s",
                       model->name, name);
    }
    return index;
}

bool scene_allows_param(const struct scene *scene, const char *name, float value,
                        struct proto_error *error)
{
    int index = find(scene, name, error);

    return index >= 0 && (value == flock_param_get(scene->flock, (size_t)index) ||
                          allows(scene, (size_t)index, value, error));
}

bool param_set(struct scene *scene, const struct proto_param *message, struct change *change,
               struct proto_error *error)
{
    int index = find(scene, message->name, error);

    if (index < 0) {
        return false;
    }
    change->param = (uint32_t)index;
    change->number_before = (double)flock_param_get(scene->flock, (size_t)index);
    snprintf(change->before, sizeof change->before, "%g", change->number_before);
    if ((double)message->value == change->number_before) {
        change->number_after = change->number_before;
        change_after(change, change->before, false);
        return true;
    }
    if (!allows(scene, (size_t)index, message->value, error)) {
        return false;
    }
    (void)flock_param_set(scene->flock, (size_t)index, message->value);
    change->number_after = (double)flock_param_get(scene->flock, (size_t)index);
    assert(change->number_after == (double)message->value);
    snprintf(change->after, sizeof change->after, "%g", change->number_after);
    change->changed = true;
    scene->versions.params++;
    return true;
}
