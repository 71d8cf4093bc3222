/* Making a runner's rooms. Runs on the thread that asks for it. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/refusal.h"
#include "hub/runner_room.h"
#include "room/room_state.h"

#define EXPECT_TIME UINT64_C(15000000) /* µs in which people of a released room must come back */

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
    room->tick_limit = definition->tick_limit > 0 ? definition->tick_limit * 1000 : UINT64_MAX;
    room->lasts = lasts;
    room->joined = definition->trusted;
    room->turn.deadline = TURNS_NEVER;
    room->account = account_create();
    room->stats = directory_stats(runner->definition.directory, room_slot(room->number));
    room->shard_members = calloc(runner->definition.shards, sizeof *room->shard_members);
    if (room->shard_members == NULL || room->account == NULL) {
        free(room->shard_members);
        account_destroy(room->account);
        free(room);
        return NULL;
    }
    return room;
}

void runner_room_made_by(struct runner_room *room, uint64_t creator, bool trusted)
{
    room->made_by = room->account->id = creator;
    room->trusted = room->account->trusted = trusted;
}

void runner_room_stored(struct runner_room *room, const struct store_room *stored)
{
    room->kept = !room->renewed && stored->plays == room_plays(room->room);
    room->kept_size = stored->size;
}

/* Gives a room that continues what this start of the server decides. */
static void renew_room(struct runner_room *room, const struct room_definition *definition,
                       const struct room_origin *origin)
{
    room->renewed = room_terms_of(room->room)->open_controls != definition->open_controls;
    room_open_controls(room->room, definition->open_controls);
    if (room->lasts && room_set_key(room->room, definition->key, definition->key_made)) {
        room->renewed = true;
    }
    if (origin->film != NULL && !room_plays(room->room)) {
        log_warn("the room %s no longer plays its recording", room->code);
    }
}

struct runner_room *runner_room_make(struct runner *runner,
                                     const struct room_definition *definition, bool lasts,
                                     const struct room_origin *origin, struct proto_error *error)
{
    struct runner_room *room = make_runner_room(runner, definition, lasts);
    struct room_origin from = *origin;
    struct room_sink to = runner_room_sink;

    if (room == NULL) {
        refuse_message(error, PROTO_E_FULL, "", "out of memory");
        return NULL;
    }
    to.argument = room;
    from.now = runner_now(runner);
    room->room = room_create(definition, &to, &from, error);
    if (room->room == NULL) {
        runner_room_drop(room);
        return NULL;
    }
    room->tick_rate = room_terms_of(room->room)->tick_rate;
    room->expects_until = from.continues && !from.vacated ? from.now + EXPECT_TIME : 0;
    room->joined |= from.continues;
    if (from.continues) {
        if (error->message[0] != '\0') {
            log_warn("the room %s continues without its undo: %s", room->code, error->message);
        }
        renew_room(room, definition, &from);
    }
    return room;
}
