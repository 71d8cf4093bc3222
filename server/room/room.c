#include "room/room.h"

#include "room/room_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "past/history.h"
#include "past/history_budget.h"
#include "room/apply.h"
#include "room/moves.h"
#include "room/rewind.h"
#include "room/state.h"
#include "room/sweeps.h"
#include "room/tell.h"
#include "room/workspace.h"
#include "scene/presets.h"

#define COUNT_ROUNDS 32u /* rounds between two counts of the memory */

/* ---- life ---- */

void room_destroy(struct room *room)
{
    if (room == NULL) {
        return;
    }
    (void)history_budget_set_beside(room->definition.history_budget, 0);
    rewind_destroy(room->rewind);
    history_destroy(room->history);
    scene_destroy(room->present);
    free(room->members);
    free(room->identities);
    streams_finish(&room->streams);
    presence_finish(&room->presence);
    topics_finish(&room->topics);
    picks_finish(&room->picks);
    news_finish(&room->news);
    moves_finish(&room->moves);
    free(room->sweep);
    free(room->draws);
    marks_finish(&room->marks);
    groups_finish(&room->groups);
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
    room->versions[VIEW_ROOM]++;
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
        .model = flock_model_index(flock_settings_of(scene_flock(kept))->model),
        .preset = flock_preset_index(presets_built_in(scene_preset(kept))),
        .locked = room->definition.join_key[0] != '\0',
        .key = room->definition.key,
        .key_made = room->definition.key_made,
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

    if ((scene_rounds(room->present) + room->rewound) % COUNT_ROUNDS == 0) {
        (void)room_count_memory(room);
    }
    moves_apply(room);
    if (room->rewind != NULL) {
        rewind_turn(room, workspace);
        return true;
    }
    sweeps_advance(room, time);
    if (history_tick(room->history, room->present, workspace->engine, time) ==
        SCENE_TICK_GIVEN_UP) {
        return false;
    }
    sweeps_measure(room, workspace->engine);
    return true;
}

bool room_shows_past(const struct room *room)
{
    return room->rewind != NULL;
}

bool room_seek(struct room *room, struct room_workspace *workspace)
{
    return rewind_seek(room, workspace);
}

void room_pause_costly(struct room *room, uint64_t limit)
{
    char value[PROTO_WORD_MAX + 1];

    apply_surely(room, &(struct input){.type = INPUT_PAUSE});
    snprintf(value, sizeof value, "%.0f", (double)limit / 1e3);
    tell_presenters_event(room, "abandoned", "", value);
}

bool room_snapshot_due(const struct room *room)
{
    uint64_t snapshots = room->definition.snapshot_rate;
    uint64_t ticks = scene_definition_of(room->present)->tick_rate;
    uint64_t rounds = scene_rounds(room->present) + room->rewound;

    return rounds * snapshots / ticks != (rounds - 1) * snapshots / ticks;
}
