#include "scene/undo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refusal.h"
#include "scene/budget.h"
#include "scene/control.h"
#include "scene/cost.h"
#include "scene/inside.h"
#include "scene/passing.h"
#include "scene/things.h"
#include "scene/undo_step.h"

/* ---- flocks that are kept ---- */

static void forget_flock(struct scene *scene, struct undo_step *step)
{
    if (step->flock != NULL) {
        scene->undo.boids -= flock_count(step->flock);
        budget_give_kept(scene->definition.budget, flock_count(step->flock));
        flock_destroy(step->flock);
        step->flock = NULL;
    }
}

static struct flock *copy_of(const struct flock *flock, uint32_t epoch)
{
    struct flock_image image;
    const char *problem;

    flock_image_of(flock, &image);
    image.epoch = epoch;
    return flock_create_image(&image, &problem);
}

bool undo_make_place(struct scene *scene, uint32_t boids)
{
    struct undo *undo = &scene->undo;

    if (boids > UNDO_BOIDS) {
        return false;
    }
    for (uint32_t i = 0; undo->boids + boids > UNDO_BOIDS && i < undo->count; i++) {
        forget_flock(scene, &undo->steps[i]);
    }
    return budget_take_kept(scene->definition.budget, boids);
}

static void keep_flock(struct scene *scene, struct undo_step *step)
{
    uint32_t boids = flock_count(scene->flock);

    if (!undo_make_place(scene, boids)) {
        return;
    }
    step->flock = copy_of(scene->flock, 0);
    if (step->flock != NULL) {
        scene->undo.boids += boids;
    } else {
        budget_give_kept(scene->definition.budget, boids);
    }
}

/* ---- steps ---- */

/* Whether the change moves boids or takes them away. */
static bool moves_boids(const struct undo_step *step)
{
    return proto_has(step->type, PROTO_MOVES) ||
           (step->type == PROTO_SET && control_moves_boids(step->name));
}

/* Whether undo of the change replaces all food and hunters by those before it. */
static bool replaces_things(const struct undo_step *step)
{
    return step->flock != NULL || step->type == PROTO_ERASE || step->type == PROTO_CLEAR ||
           (moves_boids(step) && step->type != PROTO_REMOVE);
}

static bool can_be_undone(const struct proto_client_message *message)
{
    return proto_has(message->type, PROTO_UNDOABLE) &&
           (message->type != PROTO_SET || control_is_undoable(message->set.name));
}

/* Whether the change is one with the last step: a slider that is dragged, a batch of parameters,
 * boids that come or go click by click. */
static bool continues(const struct undo *undo, uint32_t by,
                      const struct proto_client_message *message, uint64_t now)
{
    const struct undo_step *last = undo->count > 0 ? &undo->steps[undo->count - 1] : NULL;

    if (last == NULL || last->type != message->type || last->by != by) {
        return false;
    }
    if (message->type == PROTO_PARAM) {
        return now - last->last < CHANGE_BATCH ||
               (strcmp(last->name, message->param.name) == 0 && now - last->last < UNDO_SERIES);
    }
    return proto_has(message->type, PROTO_SERIES) && now - last->last < CHANGE_QUIET;
}

static void fill(struct scene *scene, struct undo_step *step,
                 const struct proto_client_message *message)
{
    *step = (struct undo_step){.type = message->type,
                               .preset = scene->preset,
                               .origin = scene->origin,
                               .controls = scene->controls,
                               .count = flock_count(scene->flock),
                               .herding = scene->herding,
                               .settings = *flock_settings_of(scene->flock),
                               .things = *flock_things_of(scene->flock)};
    snprintf(step->name, sizeof step->name, "%s", proto_message_name(message));
    snprintf(step->value, sizeof step->value, "%s", control_value(scene, step->name));
    if (moves_boids(step)) {
        keep_flock(scene, step);
    }
}

void undo_prepare(struct scene *scene, const struct input *input)
{
    const struct proto_client_message *message = input->message;
    struct undo *undo = &scene->undo;
    struct undo_step *step;

    undo->preparing = false;
    if (!scene->definition.undo || !can_be_undone(message)) {
        return;
    }
    if (undo->steps == NULL) {
        undo->steps = calloc(UNDO_MAX + 1, sizeof *undo->steps);
    }
    if (undo->steps == NULL) {
        return;
    }
    undo->preparing = true;
    undo->continuing = continues(undo, input->by, message, input->time);
    step = &undo->steps[undo->count];
    if (undo->continuing) {
        *step = (struct undo_step){.flock = NULL};
        snprintf(step->name, sizeof step->name, "%s", proto_message_name(message));
    } else {
        scene_swap_passing(scene);
        fill(scene, step, message);
        scene_swap_passing(scene);
    }
    step->by = input->by;
    step->by_viewer = input->by_viewer;
    step->foods = message->type == PROTO_FOOD;
    step->last = input->time;
}

/* Sets the number of steps. Clients show whether there is one. */
static void count_steps(struct scene *scene, uint32_t count)
{
    struct undo *undo = &scene->undo;

    scene->versions.controls += (undo->count > 0) != (count > 0);
    undo->count = count;
}

/* Removes a step. Undo of an earlier step then takes its change back, too. */
static void remove_step(struct scene *scene, uint32_t at)
{
    struct undo *undo = &scene->undo;

    forget_flock(scene, &undo->steps[at]);
    memmove(undo->steps + at, undo->steps + at + 1, (UNDO_MAX - at) * sizeof *undo->steps);
}

/* Returns whether the step and the one before it are drawings of viewers. */
static bool draw_on(const struct undo *undo, uint32_t at)
{
    return undo->steps[at].by_viewer && undo->steps[at - 1].by_viewer;
}

/* A flock has no more pieces than FLOCK_FOOD_MAX, so undo takes back no more. */
static uint32_t add_foods(uint32_t foods, uint32_t more)
{
    return foods + more < FLOCK_FOOD_MAX ? foods + more : FLOCK_FOOD_MAX;
}

/* Frees a step when there are UNDO_MAX and a new one. */
static void free_step(struct scene *scene)
{
    struct undo *undo = &scene->undo;
    uint32_t viewers = 0;
    uint32_t at = 1;

    for (uint32_t i = 0; i <= UNDO_MAX; i++) {
        viewers += undo->steps[i].by_viewer;
    }
    while (at <= UNDO_MAX && !draw_on(undo, at)) {
        at++;
    }
    if (viewers > UNDO_VIEWERS && at <= UNDO_MAX) {
        undo->steps[at - 1].foods = add_foods(undo->steps[at - 1].foods, undo->steps[at].foods);
        remove_step(scene, at);
    } else {
        remove_step(scene, 0);
    }
}

void undo_without_hunter(struct scene *scene, uint32_t index)
{
    for (uint32_t i = scene->undo.count; i-- > 0 && !replaces_things(&scene->undo.steps[i]);) {
        struct flock_things *things = &scene->undo.steps[i].things;
        if (index < things->hunter_count) {
            things_remove_hunter(things, index);
        }
    }
}

void undo_keep(struct scene *scene)
{
    struct undo *undo = &scene->undo;

    if (!undo->preparing) {
        return;
    }
    undo->preparing = false;
    const struct undo_step *step = &undo->steps[undo->count];
    if (undo->continuing) {
        struct undo_step *last = &undo->steps[undo->count - 1];
        last->last = step->last;
        if (strcmp(last->name, step->name) != 0) {
            last->name[0] = '\0';
        }
    } else if (undo->count == UNDO_MAX) {
        free_step(scene);
    } else {
        count_steps(scene, undo->count + 1);
    }
}

void undo_drop(struct scene *scene)
{
    struct undo *undo = &scene->undo;

    if (undo->preparing) {
        undo->preparing = false;
        forget_flock(scene, &undo->steps[undo->count]);
    }
}

size_t undo_named(const struct scene *scene, const struct flock_preset *named[UNDO_NAMED_MAX])
{
    const struct undo *undo = &scene->undo;

    for (uint32_t i = 0; i < undo->count; i++) {
        named[2 * i] = undo->steps[i].preset;
        named[2 * i + 1] = undo->steps[i].origin;
    }
    return 2 * (size_t)undo->count;
}

void undo_finish(struct scene *scene)
{
    struct undo *undo = &scene->undo;

    for (uint32_t i = 0; i < undo->count; i++) {
        forget_flock(scene, &undo->steps[i]);
    }
    free(undo->steps);
    *undo = (struct undo){.steps = NULL};
}

size_t undo_bytes(const struct scene *scene)
{
    const struct undo *undo = &scene->undo;
    size_t bytes = undo->steps != NULL ? (UNDO_MAX + 1) * sizeof *undo->steps : 0;

    assert(undo->steps != NULL || undo->count == 0);
    for (uint32_t i = 0; i < undo->count; i++) {
        bytes += undo->steps[i].flock != NULL ? flock_bytes(undo->steps[i].flock) : 0;
    }
    return bytes;
}

/* ---- taking back ---- */

/* Restores the stored flock under a new epoch, because its boids have other positions. */
static bool restore_flock(struct scene *scene, const struct undo_step *step,
                          struct proto_error *error)
{
    uint32_t now = flock_count(scene->flock);
    uint32_t then = flock_count(step->flock);
    uint32_t left = 0;
    struct flock *flock;

    if (!cost_allows_undo(scene, step->flock, &step->settings, error)) {
        return false;
    }
    if (then > now && !budget_take(scene->definition.budget, then - now, &left)) {
        budget_count_refusal(scene->definition.budget);
        return refuse_message(error, PROTO_E_FULL, "",
                              "undo: %s together have %u boids left, the change needs %u",
                              budget_whose(scene->definition.budget), left, then - now);
    }
    flock = copy_of(step->flock, flock_epoch(scene->flock) + 1);
    if (flock == NULL) {
        budget_give(scene->definition.budget, then > now ? then - now : 0);
        return refuse_message(error, PROTO_E_FULL, "", "undo: out of memory");
    }
    budget_give(scene->definition.budget, now > then ? now - then : 0);
    flock_destroy(scene->flock);
    scene->flock = flock;
    scene->herding = step->herding;
    return true;
}

/* Takes back what the change has done to food and hunters. */
static bool restore_things(struct scene *scene, const struct undo_step *step,
                           struct proto_error *error)
{
    switch (step->type) {
    case PROTO_WALL: /* and, of viewers, things that followed it */
    case PROTO_FOOD:
    case PROTO_HUNTER:
        return things_take_back(scene, step->foods, &step->things, error);
    default:
        return !replaces_things(step) || things_restore(scene, &step->things, error);
    }
}

/* Restores the settings; the boids stay. */
static bool restore_settings(struct scene *scene, const struct undo_step *step,
                             struct proto_error *error)
{
    if (flock_settings_same(flock_settings_of(scene->flock), &step->settings)) {
        return true;
    }
    return cost_allows_undo(scene, scene->flock, &step->settings, error) &&
           (flock_set_settings(scene->flock, &step->settings) ||
            refuse_message(error, PROTO_E_FULL, "", "undo: out of memory"));
}

static bool restore(struct scene *scene, const struct undo_step *step, struct proto_error *error)
{
    uint32_t count = flock_count(scene->flock);

    if (step->flock != NULL) {
        return restore_flock(scene, step, error);
    }
    if (step->type == PROTO_ADD) {
        budget_give(scene->definition.budget,
                    count > step->count ? flock_remove(scene->flock, count - step->count) : 0);
        return true;
    }
    /* The settings first: they have the world that held the things. */
    return restore_settings(scene, step, error) && restore_things(scene, step, error);
}

/* ---- saying so ---- */

/* How many parameters have another value than then. */
static uint32_t count_changed(const struct scene *scene, const struct undo_step *step)
{
    uint32_t changed = 0;

    for (size_t i = 0; i < step->settings.model->param_count; i++) {
        changed += flock_param_get(scene->flock, i) != step->settings.params[i];
    }
    return changed;
}

static void report_param(const struct scene *scene, const struct undo_step *step,
                         struct change *report)
{
    int index = flock_param_find(step->settings.model, step->name);

    if (index < 0) {
        snprintf(report->after, sizeof report->after, "%u", count_changed(scene, step));
        return;
    }
    snprintf(report->before, sizeof report->before, "%g",
             (double)flock_param_get(scene->flock, (size_t)index));
    snprintf(report->after, sizeof report->after, "%g", (double)step->settings.params[index]);
}

/* Before it is taken back. */
static void describe(const struct scene *scene, const struct undo_step *step, struct change *report)
{
    report->settings_only = moves_boids(step) && step->flock == NULL;
    snprintf(report->undone, sizeof report->undone, "%s%s%.*s", proto_type_name(step->type),
             step->name[0] != '\0' ? " " : "", (int)(sizeof report->undone - 8), step->name);
    switch (step->type) {
    case PROTO_SET:
        snprintf(report->before, sizeof report->before, "%s", control_value(scene, step->name));
        snprintf(report->after, sizeof report->after, "%s", step->value);
        break;
    case PROTO_PARAM:
        report_param(scene, step, report);
        break;
    case PROTO_ADD:
    case PROTO_REMOVE:
        snprintf(report->before, sizeof report->before, "%u", flock_count(scene->flock));
        snprintf(report->after, sizeof report->after, "%u",
                 report->settings_only ? flock_count(scene->flock) : step->count);
        break;
    default:
        break;
    }
}

bool undo_last(struct scene *scene, struct change *change, struct proto_error *error)
{
    struct undo *undo = &scene->undo;
    const struct flock_model *model = flock_settings_of(scene->flock)->model;
    const struct flock_preset *preset = scene->preset;
    struct undo_step *step;

    if (undo->count == 0) {
        return refuse_message(error, PROTO_E_STATE, "", "undo: there is nothing to undo");
    }
    step = &undo->steps[undo->count - 1];
    describe(scene, step, change);
    if (!restore(scene, step, error)) {
        return false;
    }
    scene->preset = step->preset;
    scene->origin = step->origin;
    control_restore(&scene->controls, &step->controls);
    scene->versions.controls++;
    scene->versions.params++;
    scene->versions.facts +=
        scene->preset != preset || flock_settings_of(scene->flock)->model != model;
    scene->passing.active = false;
    forget_flock(scene, step);
    count_steps(scene, undo->count - 1);
    if (undo->count > 0) {
        undo->steps[undo->count - 1].last = 0; /* nothing continues it */
    }
    change->changed = true;
    return true;
}
