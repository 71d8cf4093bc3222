#include "scene/undo_state.h"

#include <stdlib.h>
#include <string.h>

#include "scene/budget.h"
#include "scene/control.h"
#include "scene/inside.h"
#include "scene/undo_step.h"
#include "sim/things.h"

/* ---- writing ---- */

/* Returns "" for a preset that the scene no longer offers: another may have its name. */
static const char *name_of(const struct scene *scene, const struct flock_preset *preset)
{
    return presets_index(scene, preset) >= 0 ? preset->name : "";
}

static void put_step(struct saved *saved, const struct scene *scene, const struct undo_step *step)
{
    saved_map(saved, NULL);
    saved_uint(saved, "type", (uint64_t)step->type);
    saved_text(saved, "name", step->name);
    saved_text(saved, "value", step->value);
    saved_uint(saved, "by", step->by);
    saved_bool(saved, "by_viewer", step->by_viewer);
    saved_uint(saved, "foods", step->foods);
    saved_uint(saved, "last", step->last);
    saved_uint(saved, "count", step->count);
    saved_text(saved, "preset", name_of(scene, step->preset));
    saved_text(saved, "origin", name_of(scene, step->origin));
    saved_uint(saved, "herding", step->herding.ticks);
    saved_bool(saved, "herded", step->herding.done);
    saved_map(saved, "controls");
    control_put(saved, CONTROL_SETTINGS, &step->controls);
    control_put(saved, CONTROL_TIME, &step->controls);
    saved_map_end(saved);
    saved_map(saved, "settings");
    flock_settings_put(saved, &step->settings);
    flock_things_put(saved, &step->things);
    saved_map_end(saved);
    if (step->flock != NULL) {
        flock_state_put(saved, "flock", step->flock);
    }
    saved_map_end(saved);
}

void undo_put(struct saved *saved, const char *key, const struct scene *scene)
{
    const struct undo *undo = &scene->undo;

    if (undo->count == 0) {
        return;
    }
    saved_array(saved, key, undo->count);
    for (uint32_t i = 0; i < undo->count; i++) {
        put_step(saved, scene, &undo->steps[i]);
    }
}

/* ---- reading ---- */

static uint64_t read_uint(struct saved_reader *r, const msgpack_object_map *map, const char *key,
                          uint64_t max)
{
    return reader_uint(&r->reader, reader_key(&r->reader, map, key), 0, max);
}

static bool read_bool(struct saved_reader *r, const msgpack_object_map *map, const char *key)
{
    return reader_bool(&r->reader, reader_key(&r->reader, map, key));
}

/* Returns NULL for "", and for a preset that this version lacks. */
static const struct flock_preset *read_preset(struct saved_reader *r, const msgpack_object_map *map,
                                              const char *key, const struct scene *scene)
{
    char name[PROTO_VALUE_MAX + 1];
    const struct flock_preset *preset;

    saved_read_text(r, map, key, name, sizeof name);
    for (size_t i = 0; (preset = presets_at(scene, i)) != NULL; i++) {
        if (strcmp(preset->name, name) == 0) {
            return preset;
        }
    }
    return NULL;
}

static void read_change(struct saved_reader *r, const msgpack_object_map *map,
                        struct undo_step *step)
{
    const uint64_t type = read_uint(r, map, "type", PROTO_SERVER_TYPES - 1);

    step->type = (enum proto_type)type;
    saved_read_text(r, map, "name", step->name, sizeof step->name);
    saved_read_text(r, map, "value", step->value, sizeof step->value);
    if (!saved_failed(r) && (!proto_has(step->type, PROTO_UNDOABLE) ||
                             (step->type == PROTO_SET && !control_is_undoable(step->name)))) {
        saved_fail(r, "type", "a change that cannot be undone");
    }
    step->by = (uint32_t)read_uint(r, map, "by", UINT32_MAX);
    step->by_viewer = read_bool(r, map, "by_viewer");
    step->foods = (uint32_t)read_uint(r, map, "foods", FLOCK_FOOD_MAX);
    step->last = read_uint(r, map, "last", UINT64_MAX);
    step->count = (uint32_t)read_uint(r, map, "count", FLOCK_BOIDS_MAX);
}

static void read_before(struct saved_reader *r, const msgpack_object_map *map,
                        const struct scene *scene, struct undo_step *step)
{
    const msgpack_object_map *controls =
        reader_map(&r->reader, reader_key(&r->reader, map, "controls"));
    const msgpack_object_map *settings =
        reader_map(&r->reader, reader_key(&r->reader, map, "settings"));

    step->preset = read_preset(r, map, "preset", scene);
    step->origin = read_preset(r, map, "origin", scene);
    step->herding.ticks = read_uint(r, map, "herding", (uint64_t)1 << 53);
    step->herding.done = read_bool(r, map, "herded");
    control_read(r, CONTROL_SETTINGS, controls, &step->controls);
    control_read(r, CONTROL_TIME, controls, &step->controls);
    if (settings != NULL) {
        step->settings = flock_settings_read(r, settings);
        flock_things_read(r, settings, &step->things);
    }
    if (!saved_failed(r) && things_problem(&step->things) != NULL) {
        saved_fail(r, "settings", things_problem(&step->things));
    }
    if (!saved_failed(r) && step->controls.boids == 0) {
        saved_fail(r, "controls", "a flock without boids");
    }
    if (step->controls.boids > scene->definition.boids_max) {
        step->controls.boids = scene->definition.boids_max;
    }
}

static void read_flock(struct saved_reader *r, const msgpack_object *value, struct scene *scene,
                       struct undo_step *step)
{
    struct flock *flock =
        value != NULL ? flock_state_read(r, value, scene->definition.lanes) : NULL;

    if (flock != NULL && flock_count(flock) <= scene->definition.boids_max &&
        undo_make_place(scene, flock_count(flock))) {
        step->flock = flock;
        scene->undo.boids += flock_count(flock);
    } else {
        flock_destroy(flock);
    }
}

static void read_step(struct saved_reader *r, const msgpack_object *value, struct scene *scene)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);
    struct undo_step *step = &scene->undo.steps[scene->undo.count];

    *step = (struct undo_step){.flock = NULL};
    if (map == NULL) {
        return;
    }
    read_change(r, map, step);
    read_before(r, map, scene, step);
    if (!saved_failed(r)) {
        read_flock(r, reader_option(&r->reader, map, "flock"), scene, step);
        scene->undo.count++;
    }
}

static void read_steps(struct saved_reader *reader, const msgpack_object *value,
                       struct scene *scene)
{
    const msgpack_object_array *array = reader_array(&reader->reader, value, 0);

    if (array == NULL) {
        return;
    }
    if (array->size > UNDO_MAX) {
        saved_fail(reader, "undo", "too many steps");
        return;
    }
    scene->undo.steps = calloc(UNDO_MAX + 1, sizeof *scene->undo.steps);
    if (scene->undo.steps == NULL) {
        return; /* as a change without memory: it cannot be taken back */
    }
    for (uint32_t i = 0; i < array->size && !saved_failed(reader); i++) {
        read_step(reader, &array->ptr[i], scene);
    }
}

bool undo_read(struct saved_reader *reader, const msgpack_object *value, struct scene *scene,
               char *problem, size_t problem_size)
{
    if (value == NULL || saved_failed(reader) || !scene->definition.undo) {
        return true;
    }
    read_steps(reader, value, scene);
    if (!saved_failed(reader)) {
        return true;
    }
    saved_problem(reader, problem, problem_size);
    saved_forget_problem(reader);
    undo_finish(scene);
    return false;
}
