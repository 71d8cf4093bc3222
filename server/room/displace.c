#include "room/displace.h"

#include "room/state.h"

/* With open controls everyone is a presenter; then the people with the room's key count. */
static bool presents(const struct room *room, const struct person *person)
{
    return person->role == PROTO_PRESENTER &&
           (!room->definition.open_controls || room->identities[room_slot_of(room, person)].owner);
}

static void mark_presenters(struct room *room)
{
    struct groups *groups = &room->groups;
    const struct person *person;
    uint32_t next = 0;

    for (uint32_t i = 0; i < groups->used; i++) {
        groups->groups[i].presents = false;
    }
    while ((person = people_each(room_people(room), &next)) != NULL) {
        struct group *group = &groups->groups[person->group];
        if (person->group > 0 &&
            (presents(room, person) ||
             (group->people == 1 && person->id == room_people(room)->spotlight))) {
            group->presents = true;
        }
    }
}

static bool is_here(const struct group *group)
{
    return group->people > 0;
}

/* Returns the number of the group with the most people, without a presenter and not of that origin;
 * 0: none. */
static uint32_t find_most(const struct groups *groups, uint64_t origin)
{
    uint32_t most = 0;

    for (uint32_t i = 1; i < groups->used; i++) {
        const struct group *group = &groups->groups[i];
        if (is_here(group) && !group->presents && (group->unknown || group->origin != origin) &&
            (most == 0 || group->people >= groups->groups[most].people)) {
            most = i;
        }
    }
    return most;
}

static struct group group_of(const struct groups *groups, uint64_t origin)
{
    for (uint32_t i = 1; i < groups->used; i++) {
        const struct group *group = &groups->groups[i];
        if (is_here(group) && !group->unknown && group->origin == origin) {
            return *group;
        }
    }
    return (struct group){0};
}

uint32_t displace_find(struct room *room, uint64_t origin)
{
    const struct person *person;
    const struct person *newest = NULL;
    uint32_t next = 0, most;
    struct group own;

    mark_presenters(room);
    most = find_most(&room->groups, origin);
    own = group_of(&room->groups, origin);
    own.presents &= own.people < room->definition.people_max / 4 * 3;
    if (most == 0 || (!own.presents && (room->groups.groups[most].people <= ROOM_CLASS ||
                                        room->groups.groups[most].people <= own.people + 1))) {
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
