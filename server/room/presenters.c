#include "room/presenters.h"

#include "room/state.h"

bool presenters_has(const struct room *room, uint32_t slot)
{
    const struct person *person = room_person_at(room, slot);

    return person->role == PROTO_PRESENTER && !person->expelled &&
           (!room->definition.open_controls || room->identities[slot].owner);
}

uint32_t presenters_each(const struct room *room, uint32_t *next)
{
    const struct people *people = room_people(room);

    while (*next < people->shown_count) { /* presenters are shown */
        const uint32_t slot = people->shown[(*next)++];
        if (presenters_has(room, slot)) {
            return slot;
        }
    }
    return PEOPLE_NONE;
}

bool presenters_are_at(const struct room *room, uint64_t origin)
{
    uint32_t next = 0, slot;

    while ((slot = presenters_each(room, &next)) != PEOPLE_NONE) {
        if (origin != 0 && room->members[slot].origin == origin) {
            return true;
        }
    }
    return false;
}
