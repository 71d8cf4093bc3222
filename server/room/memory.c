/* The memory of a room beside its past. */
#include "past/history_budget.h"
#include "room/room_state.h"
#include "room/state.h"

uint64_t room_bytes(const struct room *room)
{
    const struct scene *shown = room->shown.scene;
    uint64_t bytes = sizeof *room + scene_bytes(room->present);

    bytes += (sizeof *room->members + sizeof *room->identities) * room->capacity;
    bytes += sizeof *room->groups.groups * room->groups.capacity;
    return bytes + (shown != NULL ? scene_bytes(shown) : 0);
}

bool room_count_memory(const struct room *room)
{
    return history_budget_set_beside(room->definition.history_budget, room_bytes(room));
}
