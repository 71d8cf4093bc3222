/* The memory of a room beside its past. */
#include "base/refusal.h"
#include "past/history_budget.h"
#include "room/draws.h"
#include "room/room_state.h"
#include "room/state.h"
#include "room/sweeps.h"

static size_t frames_bytes(struct frame *const *frames, uint32_t count)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < count; i++) {
        bytes += frame_bytes(frames[i]);
    }
    return bytes;
}

/* Returns the bytes of the messages in a view, beside its streams. */
static size_t messages_bytes(const struct room *room)
{
    size_t bytes = frames_bytes(room->frames, VIEW_PARTS);

    bytes += frames_bytes(room->topics.frames, VIEW_TOPICS);
    bytes += frames_bytes(room->event_frames, VIEW_EVENTS);
    bytes += frames_bytes(&room->presence.whole, 1);
    bytes += frames_bytes(room->presence.changes, VIEW_PRESENCES);
    for (uint32_t i = 0; i < room->picks.framed; i++) {
        bytes += frame_bytes(room->picks.frames[i].frame);
    }
    return bytes;
}

uint64_t room_bytes(const struct room *room)
{
    const struct scene *shown = room->shown.scene;
    uint64_t bytes = sizeof *room + scene_bytes(room->present);

    bytes += (sizeof *room->members + sizeof *room->identities) * room->capacity;
    bytes += sizeof *room->groups.groups * room->groups.capacity;
    bytes += sizeof *room->presence.listed * room->presence.capacity;
    bytes += streams_bytes(&room->streams, room->copies);
    bytes += messages_bytes(room) * (1 + (uint64_t)room->copies) + frame_bytes(room->welcome);
    bytes += news_bytes(&room->news) + picks_bytes(&room->picks);
    bytes += room->moves.capacity * sizeof *room->moves.waiting;
    bytes += room->marks.capacity * sizeof *room->marks.list;
    bytes += room->draws != NULL ? sizeof *room->draws : 0;
    bytes += room->sweep != NULL ? sizeof *room->sweep : 0;
    return bytes + (shown != NULL ? scene_bytes(shown) : 0);
}

void room_set_copies(struct room *room, uint32_t copies)
{
    room->copies = copies;
}

bool room_count_memory(const struct room *room)
{
    return history_budget_set_beside(room->definition.history_budget, room_bytes(room));
}

bool room_fits(const struct room *room, struct proto_error *error)
{
    const struct history_budget *budget = room->definition.history_budget;

    if (room_count_memory(room)) {
        return true;
    }
    if (history_budget_is_exceeded(budget)) {
        return refuse_message(error, PROTO_E_FULL, "",
                              "the room takes %llu KiB, more than its limit (--room-memory)",
                              (unsigned long long)room_bytes(room) / 1024);
    }
    return refuse_message(error, PROTO_E_FULL, "",
                          "the rooms of this room's creator take more memory than their share "
                          "(--rewind-memory)");
}
