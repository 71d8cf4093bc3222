/* How many people of each group are shown. */
#include <assert.h>
#include <string.h>

#include "base/grow.h"
#include "scene/people_parts.h"

bool people_reserve_group(struct people *people, uint32_t group)
{
    size_t before = people->group_capacity;
    struct people_group *groups;

    if (group < before) {
        return true;
    }
    groups = grow_array(people->groups, &people->group_capacity, (size_t)group + 1,
                        PEOPLE_GROUP_MAX + 1, sizeof *groups);
    if (groups == NULL) {
        return false;
    }
    memset(groups + before, 0, (people->group_capacity - before) * sizeof *groups);
    people->groups = groups;
    return true;
}

uint32_t people_group_shown(const struct people *people, uint32_t group)
{
    assert(group < people->group_capacity);
    return people->groups[group].shown;
}

void people_count_shown(struct people *people, uint32_t group)
{
    assert(group < people->group_capacity);
    uint32_t count = people->groups[group].shown++;

    people->group_sizes[count] -= count > 0;
    people->group_sizes[count + 1]++;
    if (people->largest <= count) {
        people->largest = count + 1;
    }
}

void people_discount_shown(struct people *people, uint32_t group)
{
    assert(group < people->group_capacity && people->groups[group].shown > 0);
    uint32_t count = people->groups[group].shown--;

    people->group_sizes[count]--;
    people->group_sizes[count - 1] += count > 1;
    if (people->group_sizes[count] == 0 && people->largest == count) {
        people->largest = count - 1;
    }
}
