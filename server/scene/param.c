#include "scene/param.h"

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

bool param_set(struct scene *scene, const struct proto_param *message, struct change *change,
               struct proto_error *error)
{
    const struct flock_model *model = flock_settings_of(scene->flock)->model;
    int index = flock_param_find(model, message->name);

    if (index < 0) {
        return refuse_message(error, PROTO_E_RANGE, "name",
                              "name: the model %s has no parameter %s", model->name, message->name);
    }
    change->param = (uint32_t)index;
    change->number_before = (double)flock_param_get(scene->flock, (size_t)index);
    snprintf(change->before, sizeof change->before, "%g", change->number_before);
    if ((double)message->value == change->number_before) {
        change->number_after = change->number_before;
        change_after(change, change->before, false);
        return true;
    }
    const struct flock_param *param = &model->params[index];
    if (message->value >= param->min && message->value <= param->max &&
        (!agrees(scene, (size_t)index, message->value, error) ||
         !cost_allows_param(scene, (size_t)index, message->value, error))) {
        return false;
    }
    if (!flock_param_set(scene->flock, (size_t)index, message->value)) {
        return refuse_message(error, PROTO_E_RANGE, "value", "%s: expected %g to %g, got %g",
                              message->name, (double)param->min, (double)param->max,
                              (double)message->value);
    }
    change->number_after = (double)flock_param_get(scene->flock, (size_t)index);
    snprintf(change->after, sizeof change->after, "%g", change->number_after);
    change->changed = true;
    scene->versions.params++;
    return true;
}
