#include "scene/passing.h"

#include <assert.h>

#include "scene/control.h"
#include "scene/inside.h"

/* Keeps the value before a passing one. */
static void pass(struct scene *scene, const struct change *change)
{
    struct passing *passing = &scene->passing;

    if (!passing->active) {
        passing->lasting = (float)change->number_before;
    }
    passing->active = true;
    passing->param = change->param;
    passing->value = flock_param_get(scene->flock, change->param);
}

/* Forgets a passing value that the message has replaced for good. */
static void stop_passing(struct scene *scene, const struct proto_client_message *message)
{
    struct passing *passing = &scene->passing;

    if (passing->active &&
        ((message->type == PROTO_SET && control_changes_params(message->set.name)) ||
         flock_param_get(scene->flock, passing->param) != passing->value)) {
        passing->active = false;
    }
}

void passing_follow(struct scene *scene, const struct input *input, const struct change *change)
{
    if (input->passing == INPUT_PASSES) {
        pass(scene, change);
    } else if (input->passing == INPUT_BACK) {
        scene->passing.active = false;
    } else {
        stop_passing(scene, input->message);
    }
}

bool scene_is_passing(const struct scene *scene)
{
    return scene->passing.active;
}

float scene_lasting(const struct scene *scene)
{
    assert(scene->passing.active);
    return scene->passing.lasting;
}

void scene_keep_passing(struct scene *scene)
{
    scene->passing.active = false;
}

void scene_swap_passing(struct scene *scene)
{
    struct passing *passing = &scene->passing;

    if (passing->active) {
        const float value = flock_param_get(scene->flock, passing->param);
        const bool set = flock_param_set(scene->flock, passing->param, passing->lasting);
        assert(set);
        (void)set;
        passing->lasting = value;
    }
}
