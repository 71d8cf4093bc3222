/* Making a runner's rooms: from a definition, or from the store. Runs on the thread that asks for
 * it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "hub/runner_room.h"
#include "room/rewind.h"
#include "room/room_state.h"

/* Makes everything except the room itself. */
static struct runner_room *make_runner_room(struct runner *runner,
                                            const struct room_definition *definition, bool lasts)
{
    struct runner_room *room = calloc(1, sizeof *room);

    if (room == NULL) {
        return NULL;
    }
    room->runner = runner;
    room->number = definition->number;
    memcpy(room->code, definition->code, sizeof room->code);
    room->tries = definition->tries;
    room->tick_rate = definition->tick_rate;
    room->tick_limit = definition->tick_limit > 0 ? definition->tick_limit * 1000 : UINT64_MAX;
    room->lasts = lasts;
    room->due_index = DUE_NONE;
    room->stats = directory_stats(runner->definition.directory, room_slot(room->number));
    room->shard_members = calloc(runner->definition.shards, sizeof *room->shard_members);
    if (room->shard_members == NULL) {
        free(room);
        return NULL;
    }
    return room;
}

struct runner_room *runner_room_make(struct runner *runner,
                                     const struct room_definition *definition, bool lasts)
{
    struct runner_room *room = make_runner_room(runner, definition, lasts);
    struct room_sink to = runner_room_sink;

    if (room == NULL) {
        return NULL;
    }
    to.argument = room;
    room->room = room_create(definition, &to);
    if (room->room == NULL) {
        runner_room_drop(room);
        return NULL;
    }
    return room;
}

/* Applies the origin's changes. Returns false if a change is refused. */
static bool apply_changes(const struct runner_room *room, const struct hub_request *change,
                          uint64_t now, struct proto_error *error)
{
    for (uint32_t i = 0; change != NULL && i < change->message_count; i++) {
        if (!room_direct(room->room, &change->messages[i], now, error)) {
            return false;
        }
    }
    return true;
}

struct runner_room *runner_room_begin(struct runner *runner,
                                      const struct room_definition *definition,
                                      const struct hub_origin *origin, bool lasts,
                                      struct proto_error *error)
{
    struct runner_room *room = make_runner_room(runner, definition, lasts);
    struct room_sink to = runner_room_sink;
    uint64_t now = runner_now(runner);

    *error = (struct proto_error){.code = PROTO_E_FULL};
    snprintf(error->message, sizeof error->message, "out of memory");
    if (room == NULL) {
        return NULL;
    }
    to.argument = room;
    room->room = room_begin(definition, &to, origin->state, origin->size, now, error->message,
                            sizeof error->message);
    if (room->room == NULL ||
        (origin->film != NULL && !rewind_replay(room->room, origin->film, now)) ||
        !apply_changes(room, origin->change, now, error)) {
        runner_room_drop(room);
        return NULL;
    }
    room->tick_rate = room_definition_of(room->room)->tick_rate;
    return room;
}

struct runner_room *runner_room_restore(struct runner *runner,
                                        const struct room_definition *definition,
                                        const struct store_room *kept, struct film *film,
                                        char *what, size_t capacity)
{
    struct runner_room *room =
        make_runner_room(runner, definition, strcmp(kept->code, ROOM_LOBBY) == 0);
    struct room_sink to = runner_room_sink;

    snprintf(what, capacity, "out of memory");
    if (room == NULL) {
        return NULL;
    }
    to.argument = room;
    room->room =
        room_load(definition, &to, kept->state, kept->size, runner_now(runner), what, capacity);
    if (room->room == NULL) {
        runner_room_drop(room);
        return NULL;
    }
    room->tick_rate = room_definition_of(room->room)->tick_rate;
    room_vacate(room->room, runner_now(runner));
    room_open_controls(room->room, definition->open_controls);
    if (room->lasts) {
        room_set_key(room->room, definition->key, definition->key_made);
    }
    if (film != NULL && !rewind_replay_on(room->room, film)) {
        log_warn("the room %s no longer plays its recording", room->code);
    }
    return room;
}
