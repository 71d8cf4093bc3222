#include "scene/scene_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/refusal.h"
#include "scene/budget.h"
#include "scene/flock_state.h"
#include "scene/inside.h"
#include "scene/presets_state.h"
#include "scene/relay_state.h"
#include "scene/undo_state.h"

_Static_assert(SCENE_VALUES_MAX >= FLOCK_STATE_VALUES + PRESETS_VALUES + UNDO_VALUES +
                                       19u * PEOPLE_HERE_MAX + 14u * PEOPLE_AWAY_MAX + 128u,
               "a scene with as many people as may be here can be read");

/* MessagePack values of a slot, at most, and of all else. */
#define VALUES_SLOT   20u
#define VALUES_BESIDE (FLOCK_STATE_VALUES + PRESETS_VALUES + 128u)

/* ---- writing ---- */

/* Returns "" for a saved preset, which says itself that it is in force, and without a preset. */
static const char *built_in_name(const struct flock_preset *preset)
{
    return presets_built_in(preset) != NULL ? preset->name : "";
}

void scene_put_settings(struct saved *saved, const struct scene *scene, const struct scene *shown)
{
    saved_text(saved, "title", scene->definition.title);
    saved_uint(saved, "tick_rate", scene->definition.tick_rate);
    saved_uint(saved, "cursor_timeout", scene->definition.cursor_timeout);
    control_put(saved, CONTROL_SETTINGS, &shown->controls);
    saved_text(saved, "preset", built_in_name(shown->preset));
    saved_text(saved, "origin", built_in_name(shown->origin));
    if (scene->people.spotlight > 0) {
        saved_uint(saved, "spotlight", scene->people.spotlight);
    }
}

static void put_time(struct saved *saved, const struct scene *scene, const struct scene *shown,
                     uint64_t time)
{
    saved_map(saved, "time");
    saved_uint(saved, "clock", time);
    saved_uint(saved, "ticks", scene->ticks);
    saved_uint(saved, "rounds", scene->rounds);
    saved_uint(saved, "steps", shown->steps);
    control_put(saved, CONTROL_TIME, &shown->controls);
    saved_bool(saved, "has_target", shown->has_target);
    saved_float(saved, "target_x", shown->target.x);
    saved_float(saved, "target_y", shown->target.y);
    saved_map_end(saved);
}

/* Writes teams and relay, unless there are none. */
static void put_class(struct saved *saved, const struct scene *scene)
{
    if (scene->teams.count == 0 && scene->people.leader == 0 && scene->people.turns == 0 &&
        relay_shares(&scene->people) == 0) {
        return;
    }
    saved_map(saved, "class");
    saved_uint(saved, "leader", scene->people.leader);
    saved_uint(saved, "turns", scene->people.turns);
    saved_uint(saved, "turn_left", scene->turn_left);
    saved_uint(saved, "teams", scene->teams.count);
    saved_bin(saved, "targets", scene->teams.targets, sizeof scene->teams.targets);
    relay_put(saved, &scene->people);
    saved_map_end(saved);
}

/* Writes how long the boids have been driven into the pen, unless there was none. */
static void put_herding(struct saved *saved, const struct scene *scene)
{
    if (scene->herding.ticks == 0) {
        return;
    }
    saved_map(saved, "herding");
    saved_uint(saved, "ticks", scene->herding.ticks);
    saved_bool(saved, "done", scene->herding.done);
    saved_map_end(saved);
}

void scene_put(struct saved *saved, const struct scene *scene, const struct scene *shown,
               uint64_t time, const struct person_identity *identities)
{
    presets_put(saved, "presets", shown);
    put_time(saved, scene, shown, time);
    people_put(saved, "people", &scene->people, identities);
    put_class(saved, scene);
    put_herding(saved, shown);
    flock_state_put(saved, "flock", shown->flock);
}

size_t scene_save_size(const struct scene *scene)
{
    return flock_state_size(scene->flock) + people_state_size(&scene->people) +
           presets_size(scene) + (size_t)relay_shares(&scene->people) * RELAY_SHARE_SIZE + 2048;
}

uint8_t *scene_save(const struct scene *scene, uint64_t time, size_t *size)
{
    struct saved saved;

    saved_begin(&saved, SAVED_ROOM, scene_save_size(scene));
    saved_map(&saved, NULL);
    saved_map(&saved, "settings");
    scene_put_settings(&saved, scene, scene);
    if (scene->edition > 1) {
        saved_uint(&saved, "edition", scene->edition);
    }
    saved_map_end(&saved);
    scene_put(&saved, scene, scene, time, NULL);
    saved_map_end(&saved);
    return saved_end(&saved, size);
}

/* ---- reading ---- */

static bool read_bool(struct saved_reader *r, const msgpack_object_map *map, const char *key)
{
    return reader_bool(&r->reader, reader_key(&r->reader, map, key));
}

static uint64_t read_uint(struct saved_reader *r, const msgpack_object_map *map, const char *key,
                          uint64_t min, uint64_t max)
{
    return reader_uint(&r->reader, reader_key(&r->reader, map, key), min, max);
}

static void read_settings(struct saved_reader *r, const msgpack_object *value, struct scene *scene)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);
    struct scene_definition *definition = &scene->definition;
    char preset[PROTO_WORD_MAX + 1];

    saved_read_text(r, map, "title", definition->title, sizeof definition->title);
    definition->tick_rate = (uint32_t)read_uint(r, map, "tick_rate", 1, PROTO_RATE_MAX);
    definition->cursor_timeout = read_uint(r, map, "cursor_timeout", 1, UINT64_MAX);
    scene->edition = 1;
    scene->controls.clearance = 0;
    if (map != NULL && reader_option(&r->reader, map, "edition") != NULL) {
        scene->edition = (uint32_t)read_uint(r, map, "edition", 1, SCENE_EDITION);
    }
    control_read(r, CONTROL_SETTINGS, map, &scene->controls);
    saved_read_text(r, map, "preset", preset, sizeof preset);
    scene->preset = flock_preset_find(preset); /* NULL for one that this version lacks */
    if (reader_option(&r->reader, map, "origin") != NULL) { /* else that of the preset itself */
        saved_read_text(r, map, "origin", preset, sizeof preset);
    }
    scene->origin = flock_preset_find(preset);
    if (map != NULL && reader_option(&r->reader, map, "spotlight") != NULL) {
        scene->people.spotlight = (uint32_t)read_uint(r, map, "spotlight", 1, UINT32_MAX);
    }
}

static void read_time(struct saved_reader *r, const msgpack_object *value, struct scene *scene,
                      uint64_t *clock)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);
    const double far = (double)FLOCK_FAR;

    *clock = read_uint(r, map, "clock", 0, UINT64_MAX);
    scene->ticks = read_uint(r, map, "ticks", 0, (uint64_t)1 << 53);
    scene->rounds = read_uint(r, map, "rounds", 0, (uint64_t)1 << 53);
    scene->steps = (uint32_t)read_uint(r, map, "steps", 0, UINT32_MAX);
    control_read(r, CONTROL_TIME, map, &scene->controls);
    scene->has_target = read_bool(r, map, "has_target");
    scene->target.x = reader_number(&r->reader, reader_key(&r->reader, map, "target_x"), -far, far);
    scene->target.y = reader_number(&r->reader, reader_key(&r->reader, map, "target_y"), -far, far);
}

static void read_targets(struct saved_reader *r, const msgpack_object_map *map,
                         struct team_target targets[PROTO_TEAMS_MAX])
{
    const size_t size = PROTO_TEAMS_MAX * sizeof targets[0];
    const void *words = saved_read_words(r, map, "targets", size / 4);

    if (words == NULL) {
        return;
    }
    memcpy(targets, words, size);
    for (uint32_t i = 0; i < PROTO_TEAMS_MAX; i++) {
        if (!(fabsf(targets[i].x) <= FLOCK_FAR) || !(fabsf(targets[i].y) <= FLOCK_FAR)) {
            saved_fail(r, "targets", "a team's target beyond the world");
        }
    }
}

static void read_class(struct saved_reader *r, const msgpack_object *value, struct scene *scene)
{
    const msgpack_object_map *map = value != NULL ? reader_map(&r->reader, value) : NULL;

    if (map != NULL) {
        scene->people.leader = (uint32_t)read_uint(r, map, "leader", 0, UINT32_MAX);
        scene->people.turns = (uint32_t)read_uint(r, map, "turns", 0, UINT32_MAX);
        scene->turn_left = (uint32_t)read_uint(r, map, "turn_left", 0, UINT32_MAX);
        scene->teams.count = (uint32_t)read_uint(r, map, "teams", 0, PROTO_TEAMS_MAX);
        read_targets(r, map, scene->teams.targets);
        relay_read(r, map, &scene->people);
    }
}

static void read_herding(struct saved_reader *r, const msgpack_object *value, struct scene *scene)
{
    const msgpack_object_map *map = value != NULL ? reader_map(&r->reader, value) : NULL;

    if (map != NULL) {
        scene->herding.ticks = read_uint(r, map, "ticks", 0, (uint64_t)1 << 53);
        scene->herding.done = read_bool(r, map, "done");
    }
}

/* Replaces the flock that the scene was made with, within the budget. */
static void take_flock(struct saved_reader *r, struct scene *scene, struct flock *flock,
                       const struct scene_definition *definition)
{
    struct boid_budget *budget = definition->budget;
    const struct flock_settings *settings = flock_settings_of(flock);
    uint32_t count = flock_count(flock);
    uint32_t left = 0;

    r->reader.field = "";
    flock_destroy(scene->flock);
    scene->flock = flock;
    if (settings->update == FLOCK_SEQUENTIAL && count > SCENE_SEQUENTIAL_MAX) {
        reader_fail(&r->reader, PROTO_E_RANGE,
                    "%u boids in the sequential order, which allows at most %u", count,
                    SCENE_SEQUENTIAL_MAX);
        return;
    }
    if (scene->origin != NULL && scene->origin->settings.model != settings->model) {
        scene->origin = NULL;
    }
    if (definition->forced) {
        budget_force(budget, count);
    } else if (definition->continues ? !budget_take_again(budget, count, &left)
                                     : !budget_take(budget, count, &left)) {
        reader_fail(&r->reader, PROTO_E_FULL, "%s together have %u boids left, the scene has %u",
                    definition->continues ? "all rooms" : budget_whose(budget), left, count);
        return;
    }
    scene->definition.budget = budget;
    if (scene->definition.boids_max < count) {
        scene->definition.boids_max = count;
    }
}

struct scene *scene_read(struct saved_reader *r, const msgpack_object_map *map,
                         const struct scene_definition *definition, uint64_t *clock,
                         struct person_identity **identities)
{
    struct scene_definition empty = *definition;
    struct flock_definition first = flock_definition_default();
    struct scene *scene;
    struct flock *flock;

    first.boids = 1; /* until the flock is known */
    empty.budget = NULL;
    empty.preset = NULL;
    scene = scene_create(&empty, &first);
    if (scene == NULL) {
        saved_fail(r, "", "out of memory");
        return NULL;
    }
    read_settings(r, reader_key(&r->reader, map, "settings"), scene);
    presets_read(r, reader_option(&r->reader, map, "presets"), scene);
    read_time(r, reader_key(&r->reader, map, "time"), scene, clock);
    people_read(r, reader_key(&r->reader, map, "people"), &scene->people, identities);
    read_class(r, reader_option(&r->reader, map, "class"), scene);
    read_herding(r, reader_option(&r->reader, map, "herding"), scene);
    flock = flock_state_read(r, reader_key(&r->reader, map, "flock"), definition->lanes);
    if (flock != NULL) {
        take_flock(r, scene, flock, definition);
    }
    if (saved_failed(r)) {
        scene_destroy(scene);
        return NULL;
    }
    return scene;
}

/* Returns the largest number of MessagePack values of a scene with people_max people. */
static uint32_t values_max(const struct scene_definition *definition)
{
    const uint64_t slots = (uint64_t)definition->people_max + PEOPLE_AWAY_MAX;
    const uint64_t values = VALUES_BESIDE + slots * VALUES_SLOT;

    return definition->people_max == 0 || values > SCENE_VALUES_MAX ? SCENE_VALUES_MAX
                                                                    : (uint32_t)values;
}

struct scene *scene_load(const struct scene_definition *definition, const uint8_t *bytes,
                         size_t size, uint64_t *clock, char *problem, size_t problem_size)
{
    struct saved_reader reader;
    const msgpack_object_map *map =
        saved_open(&reader, SAVED_ROOM, bytes, size, values_max(definition));
    struct scene *scene = map != NULL ? scene_read(&reader, map, definition, clock, NULL) : NULL;

    if (scene == NULL) {
        saved_problem(&reader, problem, problem_size);
    }
    if (map == NULL && strstr(problem, "too many") != NULL && definition->people_max > 0) {
        size_t used = strlen(problem);
        snprintf(problem + used, problem_size - used, " for %u people (--max-clients)",
                 definition->people_max);
    }
    saved_close(&reader);
    return scene;
}

uint32_t scene_saved_boids(const uint8_t *bytes, size_t size)
{
    struct saved_reader r;
    const msgpack_object_map *map = saved_open(&r, SAVED_ROOM, bytes, size, SCENE_VALUES_MAX);
    const msgpack_object_map *flock =
        map != NULL ? reader_map(&r.reader, reader_key(&r.reader, map, "flock")) : NULL;
    const uint64_t boids =
        flock != NULL
            ? reader_uint(&r.reader, reader_key(&r.reader, flock, "boids"), 1, FLOCK_BOIDS_MAX)
            : 0;
    const bool failed = saved_failed(&r);

    saved_close(&r);
    return failed ? 0 : (uint32_t)boids;
}
