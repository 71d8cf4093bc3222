#include "scene/relay_state.h"

#include <stdlib.h>

#include "scene/people_parts.h"
#include "scene/relay.h"

/* The share of a group, as words. */
struct share {
    uint32_t group, debt, turns;
};

_Static_assert(sizeof(struct share) == RELAY_SHARE_SIZE, "three words");

static bool has_share(const struct people_group *group)
{
    return group->debt > 0 || group->turns > 0;
}

uint32_t relay_shares(const struct people *people)
{
    uint32_t count = 0;

    for (size_t i = 0; i < people->group_capacity; i++) {
        count += has_share(&people->groups[i]);
    }
    return count;
}

void relay_put(struct saved *saved, const struct people *people)
{
    const uint32_t count = relay_shares(people);
    struct share *shares = count > 0 ? calloc(count, sizeof *shares) : NULL;
    uint32_t at = 0;

    if (shares == NULL) {
        saved->failed |= count > 0;
        return;
    }
    for (uint32_t i = 0; i < people->group_capacity; i++) {
        const struct people_group *group = &people->groups[i];
        if (has_share(group)) {
            shares[at++] = (struct share){i, group->debt, group->turns};
        }
    }
    saved_uint(saved, "debt_others", people->debts[PEOPLE_OTHERS]);
    saved_uint(saved, "debt_class", people->debts[PEOPLE_CLASS]);
    saved_bin(saved, "shares", shares, count * sizeof *shares);
    free(shares);
}

static uint32_t read_debt(struct saved_reader *r, const msgpack_object_map *map, const char *key)
{
    return (uint32_t)reader_uint(&r->reader, reader_key(&r->reader, map, key), 0, RELAY_UNIT);
}

/* Whether the share may follow a share of that group, or be the first one. */
static bool is_share(const struct share *share, const struct share *before)
{
    return share->group <= PEOPLE_GROUP_MAX && share->debt <= RELAY_UNIT &&
           (share->debt > 0 || share->turns > 0) &&
           (before == NULL || share->group > before->group);
}

static void read_shares(struct saved_reader *r, const struct share *shares, size_t count,
                        struct people *people)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_share(&shares[i], i > 0 ? &shares[i - 1] : NULL)) {
            saved_fail(r, "shares", "a group, its debt or its turns are out of range");
            return;
        }
        if (!people_reserve_group(people, shares[i].group)) {
            saved_fail(r, "shares", "out of memory");
            return;
        }
        people->groups[shares[i].group].debt = shares[i].debt;
        people->groups[shares[i].group].turns = shares[i].turns;
    }
}

void relay_read(struct saved_reader *r, const msgpack_object_map *map, struct people *people)
{
    const msgpack_object *value = reader_option(&r->reader, map, "shares");
    const msgpack_object_bin *bin = value != NULL ? reader_bin(&r->reader, value) : NULL;
    const size_t count = bin != NULL ? bin->size / RELAY_SHARE_SIZE : 0;

    if (value == NULL) {
        return;
    }
    people->debts[PEOPLE_OTHERS] = read_debt(r, map, "debt_others");
    people->debts[PEOPLE_CLASS] = read_debt(r, map, "debt_class");
    if (count == 0) {
        saved_fail(r, "shares", "expected one at least");
        return;
    }
    const struct share *shares = saved_read_words(r, map, "shares", count * RELAY_SHARE_SIZE / 4);
    if (shares != NULL) {
        read_shares(r, shares, count, people);
    }
}
