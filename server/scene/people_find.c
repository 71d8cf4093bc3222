/* Whom a handle or an id names. */
#include "scene/people.h"

uint32_t people_find(const struct people *people, room_member member)
{
    uint32_t index = room_member_index(member);

    if (member == 0 || index >= people->handles_used ||
        people->handles[index].generation != member >> 32) {
        return PEOPLE_NONE;
    }
    return people->handles[index].slot;
}

struct person *people_each(const struct people *people, uint32_t *next)
{
    while (*next < people->handles_used) {
        const struct people_handle *handle = &people->handles[(*next)++];
        if (handle->generation != 0) {
            return &people->slots[handle->slot];
        }
    }
    return NULL;
}

struct person *people_each_leaving(const struct people *people, uint32_t *next)
{
    while (*next < 2 * people->handles_used) {
        bool shown = *next >= people->handles_used;
        const struct people_handle *handle = &people->handles[(*next)++ % people->handles_used];
        if (handle->generation != 0 && people->slots[handle->slot].shown == shown) {
            return &people->slots[handle->slot];
        }
    }
    return NULL;
}

uint32_t people_find_id(const struct people *people, uint32_t id)
{
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(people, &next)) != NULL) {
        if (person->id == id) {
            return (uint32_t)(person - people->slots);
        }
    }
    return PEOPLE_NONE;
}

uint32_t people_find_away(const struct people *people, uint32_t id)
{
    uint32_t slot = people->away_first;

    while (slot != PEOPLE_NONE && people->slots[slot].id != id) {
        slot = people->slots[slot].next;
    }
    return slot;
}
