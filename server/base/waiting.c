#include "base/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void waiting_finish(struct waiting *waiting)
{
    free(waiting->groups);
    *waiting = (struct waiting){0};
}

/* Returns the index of the first group whose keys are not smaller. */
static uint32_t index_of(const struct waiting *waiting, uint64_t keys)
{
    uint32_t low = 0;
    uint32_t high = waiting->group_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (waiting->groups[middle].keys < keys) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct waiting_group *waiting_find(const struct waiting *waiting, uint64_t keys)
{
    const uint32_t index = index_of(waiting, keys);

    return index < waiting->group_count && waiting->groups[index].keys == keys
               ? &waiting->groups[index]
               : NULL;
}

uint64_t waiting_credit(const struct waiting_group *group, uint64_t now)
{
    const uint64_t passed = now > group->at ? now - group->at : 0;

    return group->credit + passed * (group->count - group->known);
}

/* Must be called before the group's count changes. */
static void settle_credit(struct waiting_group *group, uint64_t now)
{
    group->credit = waiting_credit(group, now);
    group->at = now > group->at ? now : group->at;
}

static struct waiting_group *add_group(struct waiting *waiting, uint64_t keys, uint64_t now)
{
    const uint32_t index = index_of(waiting, keys);
    struct waiting_group *groups = grow_array(
        waiting->groups, &waiting->capacity, waiting->group_count + 1, WAITING_MAX, sizeof *groups);

    if (groups == NULL) {
        return NULL;
    }
    waiting->groups = groups;
    memmove(&groups[index + 1], &groups[index], (waiting->group_count - index) * sizeof *groups);
    groups[index] = (struct waiting_group){.keys = keys, .number = waiting->begun++, .at = now};
    waiting->group_count++;
    return &groups[index];
}

struct waiting_group *waiting_enter(struct waiting *waiting, uint64_t keys, uint64_t now)
{
    struct waiting_group *group = waiting_find(waiting, keys);

    if (group == NULL) {
        group = add_group(waiting, keys, now);
    }
    if (group != NULL) {
        settle_credit(group, now);
        group->count++;
    }
    return group;
}

/* The next call of waiting_is_first() finds another group. */
static void forget_first(struct waiting *waiting, uint64_t keys)
{
    waiting->has_first = waiting->has_first && waiting->first != keys;
}

static void remove_group(struct waiting *waiting, struct waiting_group *group)
{
    const size_t index = (size_t)(group - waiting->groups);

    forget_first(waiting, group->keys);
    waiting->group_count--;
    memmove(group, group + 1, (waiting->group_count - index) * sizeof *group);
    if (waiting->group_count == 0) {
        free(waiting->groups);
        waiting->groups = NULL;
        waiting->capacity = 0;
    }
}

void waiting_leave(struct waiting *waiting, struct waiting_group *group, uint64_t now)
{
    settle_credit(group, now);
    group->count--;
    group->known = group->known < group->count ? group->known : group->count;
    if (group->count == 0) {
        remove_group(waiting, group);
    }
}

void waiting_answer(struct waiting *waiting, uint64_t keys, uint64_t now)
{
    struct waiting_group *group = waiting_find(waiting, keys);

    forget_first(waiting, keys);
    if (group != NULL) {
        settle_credit(group, now);
        group->credit = 0;
        group->known = group->count;
    }
}

static bool is_before(const struct waiting_group *a, const struct waiting_group *b, uint64_t now)
{
    const uint64_t of_a = waiting_credit(a, now);
    const uint64_t of_b = waiting_credit(b, now);

    return of_a != of_b ? of_a > of_b : a->number < b->number;
}

uint32_t waiting_before(const struct waiting *waiting, const struct waiting_group *group,
                        uint64_t now)
{
    uint32_t before = 0;

    for (uint32_t i = 0; i < waiting->group_count; i++) {
        before += is_before(&waiting->groups[i], group, now);
    }
    return before;
}

bool waiting_is_first(struct waiting *waiting, const struct waiting_group *group, uint64_t now)
{
    if (!waiting->has_first) {
        const struct waiting_group *first = &waiting->groups[0];
        for (uint32_t i = 1; i < waiting->group_count; i++) {
            first = is_before(&waiting->groups[i], first, now) ? &waiting->groups[i] : first;
        }
        waiting->first = first->keys;
        waiting->has_first = true;
    }
    return waiting->first == group->keys;
}
