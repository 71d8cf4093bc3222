#include "room/groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "scene/people.h"

void groups_finish(struct groups *groups)
{
    free(groups->groups);
    *groups = (struct groups){0};
}

/* Makes memory for that number. */
static bool reserve(struct groups *groups, uint32_t number)
{
    struct group *grown;

    if (number >= groups->capacity) {
        grown = grow_array(groups->groups, &groups->capacity, (size_t)number + 1,
                           PEOPLE_GROUP_MAX + 1, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        groups->groups = grown;
    }
    if (number >= groups->used) {
        memset(groups->groups + groups->used, 0,
               (number + 1 - groups->used) * sizeof *groups->groups);
        groups->used = number + 1;
    }
    return true;
}

uint32_t groups_find(const struct groups *groups, uint64_t origin)
{
    for (uint32_t i = 1; i < groups->used; i++) {
        const struct group *group = &groups->groups[i];
        if (group->people > 0 && !group->unknown && group->origin == origin) {
            return i;
        }
    }
    return 0;
}

uint32_t groups_enter(struct groups *groups, uint64_t origin)
{
    uint32_t number = groups_find(groups, origin);

    if (number > 0) {
        groups->groups[number].people++;
        return number;
    }
    number = 1;
    while (number < groups->used && groups->groups[number].people > 0) {
        number++;
    }
    if (!reserve(groups, number)) {
        return 0;
    }
    groups->groups[number] = (struct group){.origin = origin, .people = 1};
    return number;
}

bool groups_restore(struct groups *groups, uint32_t number)
{
    if (number > 0 && !reserve(groups, number)) {
        return false;
    }
    if (number > 0) {
        groups->groups[number].people++;
        groups->groups[number].unknown = true;
    }
    return true;
}

void groups_leave(struct groups *groups, uint32_t number)
{
    if (number == 0) {
        return;
    }
    assert(number < groups->used && groups->groups[number].people > 0);
    groups->groups[number].people--;
    while (groups->used > 0 && groups->groups[groups->used - 1].people == 0) {
        groups->used--;
    }
}
