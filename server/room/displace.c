#include "room/displace.h"

#include "room/presenters.h"
#include "room/state.h"

static void mark_presenters(struct room *room)
{
    struct groups *groups = &room->groups;
    const struct person *person;
    uint32_t next = 0;

    for (uint32_t i = 0; i < groups->used; i++) {
        groups->groups[i].presents = false;
    }
    while ((person = people_each(room_people(room), &next)) != NULL) {
        if (person->group > 0 && presenters_has(room, room_slot_of(room, person))) {
            groups->groups[person->group].presents = true;
        }
    }
}

/* Returns the group of which the person in the spotlight, who does not give way, is the only one;
 * 0: none. */
static uint32_t find_spotlight(const struct room *room)
{
    const uint32_t slot = people_find_id(room_people(room), room_people(room)->spotlight);
    const uint32_t group = slot != PEOPLE_NONE ? room_person_at(room, slot)->group : 0;

    return group > 0 && room->groups.groups[group].people == 1 ? group : 0;
}

/* Returns the number of the group with the most people that gives way, other than `own`; 0: none.
 */
static uint32_t find_most(const struct room *room, uint32_t own)
{
    const struct groups *groups = &room->groups;
    const uint32_t spotlight = find_spotlight(room);
    uint32_t most = 0;

    for (uint32_t i = 1; i < groups->used; i++) {
        const struct group *group = &groups->groups[i];
        if (i != own && i != spotlight && group->people > 0 && !group->presents &&
            (most == 0 || group->people >= groups->groups[most].people)) {
            most = i;
        }
    }
    return most;
}

/* Returns true if a newcomer of that group, which may be 0, replaces a person of the group `most`.
 */
static bool must_yield(const struct room *room, uint32_t most, uint32_t own)
{
    const struct group *groups = room->groups.groups;
    const uint32_t own_people = own > 0 ? groups[own].people : 0;

    if (own > 0 && groups[own].presents && own_people < room->definition.people_max / 4 * 3) {
        return true;
    }
    return groups[most].people > ROOM_CLASS && groups[most].people > own_people + 1;
}

uint32_t displace_find(struct room *room, uint64_t origin)
{
    const uint32_t own = groups_find(&room->groups, origin);
    const struct person *person;
    const struct person *newest = NULL;
    uint32_t next = 0, most;

    mark_presenters(room);
    most = find_most(room, own);
    if (most == 0 || !must_yield(room, most, own)) {
        return PEOPLE_NONE;
    }
    while ((person = people_each(room_people(room), &next)) != NULL) {
        if (person->group == most && person->id != room_people(room)->spotlight &&
            (newest == NULL || person->id > newest->id)) {
            newest = person;
        }
    }
    return newest != NULL ? room_slot_of(room, newest) : PEOPLE_NONE;
}
