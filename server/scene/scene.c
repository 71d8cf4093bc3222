#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/refusal.h"
#include "scene/budget.h"
#include "scene/inside.h"

_Static_assert(FLOCK_TARGETS_MAX >= PROTO_PEOPLE_MAX, "every cursor that is shown is a target");
_Static_assert(SCENE_BOIDS_MAX <= FLOCK_BOIDS_MAX, "a flock can be as big as a scene's may be");

/* ---- life ---- */

struct scene *scene_create(const struct scene_definition *definition,
                           const struct flock_definition *flock)
{
    struct scene *scene;
    uint32_t left;

    if (!budget_take(definition->budget, flock->boids, &left)) {
        return NULL;
    }
    scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        budget_give(definition->budget, flock->boids);
        return NULL;
    }
    scene->definition = *definition;
    scene->edition = SCENE_EDITION;
    scene->preset = definition->preset;
    scene->origin = definition->origin != NULL ? definition->origin : definition->preset;
    scene->controls = definition->controls;
    scene->controls.boids = flock->boids;
    scene->controls.clearance = definition->preset != NULL;
    control_follow_preset(&scene->controls, definition->preset, definition->chosen);
    scene->versions = (struct scene_versions){.controls = 1, .params = 1};
    people_init(&scene->people);
    if (definition->people_max > 0 && definition->people_max < PEOPLE_HERE_MAX) {
        scene->people.most = definition->people_max;
    }
    scene->flock = flock_create(flock);
    if (scene->flock == NULL) {
        free(scene);
        budget_give(definition->budget, flock->boids);
        return NULL;
    }
    scene_frighten(scene);
    return scene;
}

void scene_destroy(struct scene *scene)
{
    if (scene == NULL) {
        return;
    }
    budget_give(scene->definition.budget, flock_count(scene->flock));
    undo_finish(scene);
    presets_finish(scene);
    flock_destroy(scene->flock);
    people_finish(&scene->people);
    free(scene);
}

void scene_empty(struct scene *scene, const char *title)
{
    uint32_t last_id = scene->people.last_id;

    people_finish(&scene->people);
    people_init(&scene->people);
    scene->people.last_id = last_id;
    scene->teams = (struct teams){0};
    scene->turn_left = 0;
    if (title[0] != '\0') {
        snprintf(scene->definition.title, sizeof scene->definition.title, "%s", title);
    }
}

void scene_start_at(struct scene *scene, uint64_t ticks, uint64_t rounds, uint32_t last_id)
{
    scene->ticks = ticks;
    scene->rounds = rounds;
    scene->people.last_id = last_id;
}

void scene_skip_ids(struct scene *scene, uint32_t count)
{
    uint32_t *last_id = &scene->people.last_id;

    *last_id = *last_id < UINT32_MAX - count ? *last_id + count : UINT32_MAX;
}

void scene_modernize(struct scene *scene)
{
    scene->edition = SCENE_EDITION;
    relay_modernize(&scene->people);
}

void scene_set_versions(struct scene *scene, struct scene_versions versions)
{
    scene->versions = versions;
}

/* Changes how many boids the budget counts for the scene. */
static bool change_budget(struct scene *scene, uint32_t boids, struct proto_error *error)
{
    uint32_t now = flock_count(scene->flock);
    uint32_t left = 0;

    if (boids <= now) {
        budget_give(scene->definition.budget, now - boids);
        return true;
    }
    if (budget_take(scene->definition.budget, boids - now, &left)) {
        return true;
    }
    budget_count_refusal(scene->definition.budget);
    return refuse_message(error, PROTO_E_FULL, "",
                          "resume: %s together have %u boids left, the change needs %u",
                          budget_whose(scene->definition.budget), left, boids - now);
}

bool scene_take_over(struct scene *scene, struct scene *from, struct proto_error *error)
{
    struct flock *flock = scene->flock;

    if (!change_budget(scene, flock_count(from->flock), error)) {
        return false;
    }
    undo_finish(scene); /* its steps are of the other flock */
    scene->passing.active = false;
    scene->flock = from->flock;
    from->flock = flock;
    presets_follow(scene, from);
    scene->controls = from->controls;
    scene->steps = 0;
    scene->herding = from->herding;
    scene->has_target = from->has_target;
    scene->target = from->target;
    scene->versions.controls++;
    scene->versions.params++;
    scene->versions.facts++;
    return true;
}

/* ---- cursors ---- */

bool scene_cursor_is_active(const struct scene *scene, const struct person *person, uint64_t time)
{
    return cursor_active(&person->cursor, time, scene->definition.cursor_timeout) &&
           (scene->controls.viewers == VIEWERS_STEER || person->role == PROTO_PRESENTER);
}

bool scene_steers(const struct scene *scene, const struct person *person, uint64_t time)
{
    if (!scene_cursor_is_active(scene, person, time)) {
        return false;
    }
    if (scene->edition > 3 && scene->controls.cursors == CURSORS_SCARE) {
        return true;
    }
    switch (scene->controls.policy) {
    case CURSOR_PRESENTER:
        return person->role == PROTO_PRESENTER;
    case CURSOR_RELAY:
        return person->id == scene->people.leader;
    default:
        return true;
    }
}

/* ---- reading ---- */

const struct scene_definition *scene_definition_of(const struct scene *scene)
{
    return &scene->definition;
}

const char *scene_title(const struct scene *scene)
{
    return scene->definition.title;
}

const struct flock *scene_flock(const struct scene *scene)
{
    return scene->flock;
}

const struct people *scene_people(const struct scene *scene)
{
    return &scene->people;
}

const struct flock_preset *scene_preset(const struct scene *scene)
{
    return scene->preset;
}

const struct flock_preset *scene_origin(const struct scene *scene)
{
    return scene->origin;
}

const struct flock_box *scene_pen(const struct scene *scene)
{
    const struct flock_settings *settings = flock_settings_of(scene->flock);
    bool has = scene->origin != NULL && scene->origin->pen.right > 0.0F;

    return has && settings->boundary == FLOCK_WALLS ? &scene->origin->pen : NULL;
}

struct flock_settings scene_preset_settings(const struct scene *scene,
                                            const struct flock_preset *preset)
{
    return edition_settings(scene, preset);
}

const struct scene_controls *scene_controls_of(const struct scene *scene)
{
    return &scene->controls;
}

bool scene_can_undo(const struct scene *scene)
{
    return scene->undo.count > 0;
}

float scene_quantum(const struct scene *scene)
{
    const struct flock_settings *settings = flock_settings_of(scene->flock);

    return proto_quantum(settings->width, settings->height);
}

size_t scene_bytes(const struct scene *scene)
{
    const struct people *people = &scene->people;

    return sizeof *scene + flock_bytes(scene->flock) + people->capacity * sizeof *people->slots +
           people->handle_capacity * sizeof *people->handles +
           people->group_capacity * sizeof *people->groups + undo_bytes(scene);
}

uint64_t scene_ticks(const struct scene *scene)
{
    return scene->ticks;
}

uint64_t scene_rounds(const struct scene *scene)
{
    return scene->rounds;
}

struct scene_versions scene_versions(const struct scene *scene)
{
    return scene->versions;
}

bool scene_target(const struct scene *scene, struct flock_point *target)
{
    *target = scene->target;
    return scene->has_target;
}
