/* The past of a room with the names of its people and the marks of its changes. */
#include <stdlib.h>
#include <string.h>

#include "base/refusal.h"
#include "past/earlier_past.h"
#include "past/history.h"
#include "room/state.h"

struct recording *room_hold_past(struct room *room)
{
    const struct people *people = room_people(room);
    struct recording *recording =
        room->history != NULL ? history_hold(room->history, room->present) : NULL;
    struct recording_name *names;
    size_t count = 0;
    bool added;

    if (recording == NULL) {
        return NULL;
    }
    names = calloc(people->used + 1, sizeof *names);
    for (uint32_t slot = 0; names != NULL && slot < people->used; slot++) {
        if (people->slots[slot].id > 0) {
            names[count].id = people->slots[slot].id;
            memcpy(names[count].name, room->identities[slot].name, sizeof names[count].name);
            count++;
        }
    }
    added = names != NULL && recording_add_names(recording, names, count);
    free(names);
    added = added && marks_add_all(&recording->marks, &room->marks, recording->parts[0].round);
    if (!added) {
        recording_destroy(recording);
        return NULL;
    }
    return recording;
}

struct recording *room_hold_unsaved_past(struct room *room)
{
    uint64_t rounds = scene_rounds(room->present);

    if (room->replays || rounds == room->past_saved) {
        return NULL;
    }
    room->past_saved = rounds;
    return room_hold_past(room);
}

static bool keeps_past(const struct room *room)
{
    return room->history != NULL && !room->replays;
}

uint32_t room_past_boids(const struct room *room)
{
    return keeps_past(room) ? scene_definition_of(room->present)->boids_max : 0;
}

/* Whether the past can be one of this room. */
static bool goes_with(const struct room *room, uint32_t tick_rate, struct proto_error *error)
{
    if (!keeps_past(room)) {
        return refuse_message(error, PROTO_E_STATE, "", "the room keeps no past");
    }
    return tick_rate == scene_definition_of(room->present)->tick_rate ||
           refuse_message(error, PROTO_E_MALFORMED, "", "it has another tick rate");
}

bool room_take_past(struct room *room, const struct recording *past, struct proto_error *error)
{
    const struct recording_part *last = &past->parts[past->count - 1];

    if (!goes_with(room, past->tick_rate, error)) {
        return false;
    }
    if (recording_end(past) > scene_rounds(room->present) ||
        last->tick > scene_ticks(room->present) || last->clock > room->time) {
        return refuse_message(error, PROTO_E_MALFORMED, "", "it is newer than the room");
    }
    if (!history_continue(room->history, past, room->present) ||
        !marks_add_all(&room->marks, &past->marks, past->parts[0].round)) {
        return refuse_message(error, PROTO_E_FULL, "", "out of memory, or of --rewind-memory");
    }
    return true;
}

bool room_take_earlier_past(struct room *room, struct earlier_past *past, struct proto_error *error)
{
    if (!goes_with(room, past->tick_rate, error)) {
        return false;
    }
    if (past->clock > room->time || !history_prepend(room->history, past, room->present)) {
        return refuse_message(error, PROTO_E_FULL, "",
                              "it is not earlier than the room's, or there is no memory for it "
                              "(--rewind-memory)");
    }
    /* The past has come. If memory runs out now, some of its marks are missing. */
    (void)marks_add_earlier(&room->marks, &past->marks,
                            scene_rounds(room->present) -
                                history_rounds(room->history, room->present));
    return true;
}
