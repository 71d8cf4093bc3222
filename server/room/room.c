#include "room/room.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/key.h"
#include "past/history.h"
#include "room/rewind.h"
#include "room/state.h"
#include "room/tell.h"
#include "room/workspace.h"
#include "scene/budget.h"

_Static_assert(FLOCK_TARGETS_MAX >= PROTO_PEOPLE_MAX, "every cursor that is shown is a target");
_Static_assert(ROOM_BOIDS_MAX <= FLOCK_BOIDS_MAX, "a flock can be as big as a room's may be");

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
        .boids_max = ROOM_BOIDS_MAX,
    };

    flock_model_params(definition.flock.model, definition.params);
    return definition;
}

static bool valid(const struct room_definition *definition)
{
    return definition->boids_max <= ROOM_BOIDS_MAX &&
           definition->flock.boids <= definition->boids_max &&
           (definition->flock.update != FLOCK_SEQUENTIAL ||
            definition->flock.boids <= ROOM_SEQUENTIAL_MAX) &&
           definition->people_max >= 1 && definition->snapshot_rate >= 1 &&
           definition->snapshot_rate <= definition->tick_rate &&
           definition->capability_count <= PROTO_CAPABILITIES_MAX;
}

static bool make_flock(struct room *room)
{
    const struct room_definition *definition = &room->definition;

    room->flock = flock_create(&definition->flock);
    if (room->flock == NULL) {
        return false;
    }
    for (size_t i = 0; i < definition->flock.model->param_count; i++) {
        if (!flock_param_set(room->flock, i, definition->params[i])) {
            return false;
        }
    }
    if (definition->preset != NULL) {
        flock_set_walls(room->flock, definition->preset->walls, definition->preset->wall_count);
    }
    return true;
}

struct room *room_create(const struct room_definition *definition, const struct room_sink *sink)
{
    struct room *room;
    uint32_t left;

    if (!valid(definition) || !budget_take(definition->budget, definition->flock.boids, &left)) {
        return NULL;
    }
    room = calloc(1, sizeof *room);
    if (room == NULL) {
        goto fail;
    }
    room->definition = *definition;
    room->sink = *sink;
    room->preset = definition->preset;
    room->origin = definition->preset;
    room->boids = definition->flock.boids;
    room->quantum = proto_quantum(definition->flock.width, definition->flock.height);
    if (!key_conceal(room->definition.key) || !key_conceal(room->definition.join_key)) {
        goto fail;
    }
    people_init(&room->people, definition->people_max);
    news_init(&room->news);
    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        room->versions[part] = 1;
    }
    room->versions[VIEW_PAST] = 0; /* there is nothing to say of it */
    if (definition->rewind > 0 &&
        (room->history = history_create(definition->history_budget)) == NULL) {
        goto fail;
    }
    if (make_flock(room)) {
        return room;
    }
    flock_destroy(room->flock);
fail:
    history_destroy(room != NULL ? room->history : NULL);
    free(room);
    budget_give(definition->budget, definition->flock.boids);
    return NULL;
}

void room_destroy(struct room *room)
{
    if (room == NULL) {
        return;
    }
    budget_give(room->definition.budget, flock_count(room->flock));
    undo_finish(room);
    presets_finish(room);
    flock_destroy(room->flock);
    if (room->rewind != NULL) {
        room->definition.rewind_calls->destroy(room->rewind);
    }
    history_destroy(room->history);
    people_finish(&room->people);
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
    (void)key_conceal(room->definition.join_key); /* without memory it stays as it is */
    room->changes++;
}

void room_note_store(struct room *room, bool failing)
{
    room->versions[VIEW_ROOM] += room->store_failing != failing;
    room->store_failing = failing;
}

struct room_facts room_facts(const struct room *room)
{
    const struct room *flock = room_kept(room);

    return (struct room_facts){
        .title = room->definition.title,
        .model = flock_definition_of(flock->flock)->model,
        .preset = presets_built_in(flock->preset),
        .locked = room->definition.join_key[0] != '\0',
        .people = room->people.here,
        .boids = flock_count(flock->flock),
        .ticks = room->ticks,
        .encoded = room->streams.frames,
        .keys = room->streams.keys,
        .changes = room->changes,
    };
}

/* ---- ticks ---- */

/* Whether the person's cursor has a say in where the flock goes. */
static bool steers(const struct room *room, const struct person *person, uint64_t now)
{
    return room_cursor_active(room, person, now) &&
           (room->definition.policy != CURSOR_PRESENTER || person->role == PROTO_PRESENTER);
}

/* One target for all, or none. */
static void choose_target(struct room *room, uint64_t now)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    bool torus = flock->boundary == FLOCK_WRAP;
    struct cursor_target target = {.policy = room->definition.policy,
                                   .has_last = room->has_target,
                                   .last_x = room->target.x,
                                   .last_y = room->target.y,
                                   .width = torus ? flock->width : 0.0F,
                                   .height = torus ? flock->height : 0.0F};
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(&room->people, &next)) != NULL) {
        if (steers(room, person, now)) {
            cursor_gather(&target, &person->cursor);
        }
    }
    room->has_target = cursor_resolve(&target, &room->target.x, &room->target.y);
    if (!room->has_target && room->definition.idle == CURSOR_WANDER) {
        cursor_wander(now, flock->width, flock->height, &room->target.x, &room->target.y);
        room->has_target = true;
    }
}

/* A target for each of the shown people's active cursors. Returns how many. */
static size_t choose_targets(const struct room *room, uint64_t now,
                             struct flock_target targets[FLOCK_TARGETS_MAX])
{
    size_t count = 0;

    for (uint32_t i = 0; i < room->people.shown_count; i++) {
        const struct person *person = &room->people.slots[room->people.shown[i]];
        if (steers(room, person, now)) {
            targets[count++] = (struct flock_target){
                .x = person->cursor.x, .y = person->cursor.y, .predator = room->cursors_scare};
        }
    }
    return count;
}

/* Turns the cursors into the targets: a target for all, or those, of which it returns how many. */
static size_t aim(struct room *room, uint64_t now, struct flock_target targets[FLOCK_TARGETS_MAX])
{
    bool each = room->definition.policy == CURSOR_NEAREST || room->cursors_scare;
    size_t count = each ? choose_targets(room, room_clock(room, now), targets) : 0;

    if (count == 0) {
        choose_target(room, room_clock(room, now));
    } else {
        room->has_target = false;
    }
    room->rounds++;
    return count;
}

/* False, with the flock as it was, if the tick was given up. */
static bool move(struct room *room, struct room_workspace *workspace,
                 const struct flock_target *targets, size_t count)
{
    bool moved = count > 0 ? flock_tick_targets(room->flock, workspace->engine, targets, count)
                           : flock_tick(room->flock, workspace->engine,
                                        room->has_target ? &room->target : NULL);

    if (moved) {
        room->ticks++;
        room->steps -= room->paused;
    }
    return moved;
}

bool room_tick(struct room *room, struct room_workspace *workspace, uint64_t now)
{
    struct flock_target targets[FLOCK_TARGETS_MAX];
    bool still = room->paused && room->steps == 0;
    bool memory = true;
    bool moved = false;
    size_t count;

    if (room->rewind != NULL) {
        room->definition.rewind_calls->turn(room, workspace, now);
        return true;
    }
    history_round(room, now);
    count = aim(room, now, targets);
    if (!still) {
        memory = flock_workspace_reserve(workspace->engine, flock_count(room->flock));
        moved = memory && move(room, workspace, targets, count);
    }
    history_tick(room, now, moved || still);
    return moved || still || !memory;
}

bool room_shows_past(const struct room *room)
{
    return room->rewind != NULL;
}

bool room_seek(struct room *room, struct room_workspace *workspace, uint64_t now)
{
    return room->rewind != NULL && room->definition.rewind_calls->seek(room, workspace, now);
}

void room_tick_still(struct room *room, uint64_t now)
{
    struct flock_target targets[FLOCK_TARGETS_MAX];

    (void)aim(room, now, targets);
}

void room_pause_costly(struct room *room)
{
    char value[PROTO_WORD_MAX + 1];

    history_input(room, &(struct input){.type = INPUT_PAUSE});
    room->paused = true;
    room->steps = 0;
    room->versions[VIEW_ROOM]++;
    snprintf(value, sizeof value, "%.0f", (double)room->definition.tick_limit / 1e3);
    tell_presenters_event(room, "abandoned", "", value);
}

bool room_snapshot_due(const struct room *room)
{
    uint64_t snapshots = room->definition.snapshot_rate;
    uint64_t ticks = room->definition.tick_rate;

    uint64_t rounds = room->rounds + room->rewound;

    return rounds * snapshots / ticks != (rounds - 1) * snapshots / ticks;
}
