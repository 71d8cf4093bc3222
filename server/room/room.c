#include "room/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "past/history.h"
#include "room/apply.h"
#include "room/make.h"
#include "room/rewind.h"
#include "room/state.h"
#include "room/tell.h"
#include "room/workspace.h"
#include "scene/presets.h"

/* ---- life ---- */

struct room_definition room_definition_default(void)
{
    struct room_definition definition = {
        .number = 1,
        .code = ROOM_LOBBY,
        .flock = flock_definition_default(),
        .tick_rate = 30,
        .snapshot_rate = 30,
        .policy = CURSOR_MEAN,
        .idle = CURSOR_WANDER,
        .cursor_timeout = 10000000,
        .people_max = 1,
        .boids_max = SCENE_BOIDS_MAX,
    };

    flock_model_params(definition.flock.model, definition.params);
    return definition;
}

static bool valid(const struct room_definition *definition)
{
    return definition->boids_max <= SCENE_BOIDS_MAX &&
           definition->flock.boids <= definition->boids_max &&
           (definition->flock.update != FLOCK_SEQUENTIAL ||
            definition->flock.boids <= SCENE_SEQUENTIAL_MAX) &&
           definition->people_max >= 1 && definition->snapshot_rate >= 1 &&
           definition->snapshot_rate <= definition->tick_rate &&
           definition->capability_count <= PROTO_CAPABILITIES_MAX;
}

struct scene_definition room_scene_definition(const struct room_definition *definition)
{
    struct scene_definition scene = {
        .flock = definition->flock,
        .preset = definition->preset,
        .tick_rate = definition->tick_rate,
        .policy = definition->policy,
        .idle = definition->idle,
        .cursor_timeout = definition->cursor_timeout,
        .tick_limit = definition->tick_limit,
        .boids_max = definition->boids_max,
        .budget = definition->budget,
        .undo = true,
    };

    memcpy(scene.params, definition->params, sizeof scene.params);
    memcpy(scene.title, definition->title, sizeof scene.title);
    return scene;
}

struct room *room_create_with(const struct room_definition *definition,
                              const struct room_sink *sink, struct scene *scene)
{
    struct room *room = scene != NULL ? calloc(1, sizeof *room) : NULL;

    if (room == NULL) {
        scene_destroy(scene);
        return NULL;
    }
    room->definition = *definition;
    room->sink = *sink;
    room->present = scene;
    news_init(&room->news);
    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        room->versions[part] = 1;
    }
    room->versions[VIEW_PAST] = 0; /* there is nothing to say of it */
    if (!key_conceal(room->definition.key) || !key_conceal(room->definition.join_key) ||
        (definition->rewind > 0 && (room->history = history_create(
                                        definition->rewind, definition->history_budget)) == NULL)) {
        room_destroy(room);
        return NULL;
    }
    return room;
}

struct room *room_create(const struct room_definition *definition, const struct room_sink *sink)
{
    const struct scene_definition scene = room_scene_definition(definition);

    return valid(definition) ? room_create_with(definition, sink, scene_create(&scene)) : NULL;
}

void room_destroy(struct room *room)
{
    if (room == NULL) {
        return;
    }
    rewind_destroy(room->rewind);
    history_destroy(room->history);
    scene_destroy(room->present);
    free(room->members);
    free(room->identities);
    streams_finish(&room->streams);
    presence_finish(&room->presence);
    frame_release(room->welcome);
    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        frame_release(room->frames[part]);
    }
    for (uint32_t i = 0; i < VIEW_EVENTS; i++) {
        frame_release(room->event_frames[i]);
    }
    free(room);
}

enum tries_result room_try_key(const struct room *room, const char *key, uint64_t origin,
                               uint64_t now, uint32_t *wait)
{
    const struct tries_try try = {.kind = TRIES_PRESENTER,
                                  .key = room->definition.key,
                                  .made = room->definition.key_made,
                                  .tried = key,
                                  .origin = origin,
                                  .now = now};

    return tries_compare(room->definition.tries, &try, wait);
}

void room_set_join_key(struct room *room, const char *key)
{
    snprintf(room->definition.join_key, sizeof room->definition.join_key, "%s", key);
    (void)key_conceal(
        room->definition.join_key); /* without memory the key stays in memory as text */
    room->changes++;
}

void room_note_store(struct room *room, bool failing)
{
    room->versions[VIEW_ROOM] += room->store_failing != failing;
    room->store_failing = failing;
}

struct room_facts room_facts(const struct room *room)
{
    const struct scene *kept = room_kept(room);

    return (struct room_facts){
        .title = scene_title(room->present),
        .model = flock_model_index(flock_definition_of(scene_flock(kept))->model),
        .preset = flock_preset_index(presets_built_in(scene_preset(kept))),
        .locked = room->definition.join_key[0] != '\0',
        .people = room_people(room)->here,
        .boids = flock_count(scene_flock(kept)),
        .ticks = scene_ticks(room->present),
        .encoded = room->streams.frames,
        .keys = room->streams.keys,
        .changes = room->changes,
    };
}

/* ---- ticks ---- */

bool room_tick(struct room *room, struct room_workspace *workspace, uint64_t now)
{
    uint64_t time = room_time(room, now);
    enum scene_tick_result result;

    if (room->rewind != NULL) {
        rewind_turn(room, workspace, now);
        return true;
    }
    history_round(room->history, room->present, time);
    result = scene_tick(room->present, workspace->engine, time);
    history_tick(room->history, room->present, time, result == SCENE_TICK_DONE);
    return result != SCENE_TICK_GIVEN_UP;
}

bool room_shows_past(const struct room *room)
{
    return room->rewind != NULL;
}

bool room_seek(struct room *room, struct room_workspace *workspace, uint64_t now)
{
    return rewind_seek(room, workspace, now);
}

void room_pause_costly(struct room *room)
{
    char value[PROTO_WORD_MAX + 1];

    apply_surely(room, &(struct input){.type = INPUT_PAUSE});
    snprintf(value, sizeof value, "%.0f", (double)room->definition.tick_limit / 1e3);
    tell_presenters_event(room, "abandoned", "", value);
}

bool room_snapshot_due(const struct room *room)
{
    uint64_t snapshots = room->definition.snapshot_rate;
    uint64_t ticks = scene_definition_of(room->present)->tick_rate;
    uint64_t rounds = scene_rounds(room->present) + room->rewound;

    return rounds * snapshots / ticks != (rounds - 1) * snapshots / ticks;
}
