/* Cursors, and whose are shown when more people are here than PROTO_PEOPLE_MAX. */
#include <assert.h>

#include "scene/people_parts.h"

void people_show(struct people *people, uint32_t slot)
{
    people->slots[slot].shown = true;
    people_count_shown(people, people->slots[slot].group);
    people->shown[people->shown_count++] = slot;
    people->version++;
    people->changes++;
}

void people_hide(struct people *people, uint32_t slot)
{
    uint32_t i = 0;

    while (people->shown[i] != slot) {
        i++;
    }
    people->shown[i] = people->shown[--people->shown_count];
    people->slots[slot].shown = false;
    people_discount_shown(people, people->slots[slot].group);
    people->version++;
    people->changes++;
    people->shown_until = 0;
}

/* 0: the person has no cursor. */
static uint64_t moved_at(const struct person *person)
{
    return person->cursor.present ? person->cursor.moved_at : 0;
}

bool people_is_kept(const struct person *person)
{
    return person->role == PROTO_PRESENTER && person->group > 0;
}

/* A claim to a free entry of presence: is_before() orders them. */
struct claim {
    bool kept;
    uint32_t shown; /* of the group */
    uint64_t moved_at;
    uint32_t id;
};

static bool is_before(const struct claim *a, const struct claim *b)
{
    if (a->kept != b->kept) {
        return a->kept;
    }
    if (a->shown != b->shown) {
        return a->shown < b->shown;
    }
    return a->moved_at != b->moved_at ? a->moved_at > b->moved_at : a->id < b->id;
}

void people_show_another(struct people *people)
{
    uint32_t slot = PEOPLE_NONE;
    const struct person *person;
    struct claim best;
    uint32_t next = 0;

    if (people->here <= people->shown_count) {
        return;
    }
    while ((person = people_each(people, &next)) != NULL) {
        const struct claim claim = {.kept = people_is_kept(person),
                                    .shown = people->groups[person->group].shown,
                                    .moved_at = moved_at(person),
                                    .id = person->id};
        if (!person->shown && (slot == PEOPLE_NONE || is_before(&claim, &best))) {
            slot = (uint32_t)(person - people->slots);
            best = claim;
        }
    }
    if (slot != PEOPLE_NONE) {
        people_show(people, slot);
    }
}

/* ---- giving way ---- */

/* Whether the shown person may give way, to a presenter or to a viewer. */
static bool may_give_way(const struct people *people, const struct person *person,
                         bool to_presenter)
{
    return person->id != people->spotlight && person->id != people->leader &&
           (to_presenter || !people_is_kept(person));
}

/* Returns the slot of the person who gives way in the largest group with at least that many shown
 * people; PEOPLE_NONE without one. */
static uint32_t find_in_largest(const struct people *people, uint32_t least, bool to_presenter)
{
    uint32_t best = PEOPLE_NONE;
    uint32_t most = 0;

    for (uint32_t i = 0; i < people->shown_count; i++) {
        const struct person *person = &people->slots[people->shown[i]];
        const uint32_t count = people_group_shown(people, person->group);
        if (count < least || !may_give_way(people, person, to_presenter)) {
            continue;
        }
        if (best == PEOPLE_NONE || count > most ||
            (count == most && moved_at(person) < moved_at(&people->slots[best]))) {
            best = people->shown[i];
            most = count;
        }
    }
    return best;
}

static void show_instead(struct people *people, uint32_t slot, uint32_t other)
{
    people_hide(people, other);
    people_show(people, slot);
}

/* Shows the person in that slot, who is here, maybe instead of another one. */
static void show_surely(struct people *people, uint32_t slot)
{
    uint32_t other;

    if (people_claim(people, slot)) {
        return;
    }
    other = find_in_largest(people, 0, false);
    other = other != PEOPLE_NONE ? other : find_in_largest(people, 0, true);
    show_instead(people, slot, other);
}

bool people_claim(struct people *people, uint32_t slot)
{
    const struct person *person = &people->slots[slot];
    const uint32_t least = people_group_shown(people, person->group) + 2;
    const bool presents = people_is_kept(person);
    uint32_t other = PEOPLE_NONE;

    if (person->shown) {
        return true;
    }
    if (people->shown_count < PROTO_PEOPLE_MAX) {
        people_show(people, slot);
        return true;
    }
    if (presents) {
        other = find_in_largest(people, 0, false);
    }
    if (other == PEOPLE_NONE && people->largest >= least) {
        other = find_in_largest(people, least, presents);
    }
    if (other != PEOPLE_NONE) {
        show_instead(people, slot, other);
    }
    return other != PEOPLE_NONE;
}

void people_spotlight(struct people *people, uint32_t slot)
{
    people->spotlight = slot != PEOPLE_NONE ? people->slots[slot].id : 0;
    if (slot != PEOPLE_NONE && people->slots[slot].member != 0) {
        show_surely(people, slot);
    }
}

void people_lead(struct people *people, uint32_t slot)
{
    assert(people->slots[slot].member != 0);
    people->leader = people->slots[slot].id;
    show_surely(people, slot);
}

/* The slots of shown people whose cursors have been still for longest. */
struct stillest {
    uint32_t any, own, larger; /* of all, of the same group, of the groups with more shown people */
};

static void keep_stiller(const struct people *people, uint32_t *stillest, uint32_t slot)
{
    if (*stillest == PEOPLE_NONE ||
        moved_at(&people->slots[slot]) < moved_at(&people->slots[*stillest])) {
        *stillest = slot;
    }
}

/* Finds whom the person may replace. */
static struct stillest find_stillest(const struct people *people, const struct person *to)
{
    const uint32_t count = people_group_shown(people, to->group);
    struct stillest found = {PEOPLE_NONE, PEOPLE_NONE, PEOPLE_NONE};

    for (uint32_t i = 0; i < people->shown_count; i++) {
        const uint32_t slot = people->shown[i];
        const struct person *person = &people->slots[slot];
        if (!may_give_way(people, person, people_is_kept(to))) {
            continue;
        }
        keep_stiller(people, &found.any, slot);
        if (person->group == to->group) {
            keep_stiller(people, &found.own, slot);
        } else if (people_group_shown(people, person->group) > count) {
            keep_stiller(people, &found.larger, slot);
        }
    }
    return found;
}

/* Returns the time at which the person will have been still for that time; UINT64_MAX of no one. */
static uint64_t still_at(const struct people *people, uint32_t slot, uint64_t limit)
{
    const struct person *person = slot != PEOPLE_NONE ? &people->slots[slot] : NULL;

    if (person == NULL) {
        return UINT64_MAX;
    }
    return person->cursor.present ? person->cursor.moved_at + limit : 0;
}

static uint64_t keep_time(uint64_t timeout)
{
    return timeout > PEOPLE_KEEP_TIME ? timeout : PEOPLE_KEEP_TIME;
}

/* Whether no one has to give way since the last time that someone like that person moved. */
static bool is_settled(struct people *people, const struct person *person, uint64_t now)
{
    const struct people_group *group = &people->groups[person->group];

    if (people->changed_spotlight != people->spotlight ||
        people->changed_leader != people->leader) {
        people->changed_spotlight = people->spotlight;
        people->changed_leader = people->leader;
        people->changes++;
    }
    return group->changes == people->changes && group->presents == people_is_kept(person) &&
           now < group->until;
}

/* Notes until when no one has to give way to people like that person. The time is bounded, so that
 * `changes` cannot come round in it. */
static void settle(struct people *people, const struct person *person, uint64_t until,
                   uint64_t most)
{
    struct people_group *group = &people->groups[person->group];

    group->presents = people_is_kept(person);
    group->changes = people->changes;
    group->until = until < most ? until : most;
}

/* Shows the person in that slot instead of one who has been still. */
static void show_instead_of_still(struct people *people, uint32_t slot, uint64_t now,
                                  uint64_t timeout)
{
    const struct person *person = &people->slots[slot];
    const struct stillest stillest = find_stillest(people, person);
    const uint64_t own = still_at(people, stillest.own, timeout);
    const uint64_t larger = still_at(people, stillest.larger, keep_time(timeout));

    if (larger <= now) {
        show_instead(people, slot, stillest.larger);
    } else if (own <= now) {
        show_instead(people, slot, stillest.own);
    } else if (person->group == 0) {
        people->shown_until = still_at(people, stillest.any, timeout);
    } else {
        settle(people, person, own < larger ? own : larger, now + keep_time(timeout));
    }
}

void people_move(struct people *people, uint32_t slot, float x, float y, uint64_t now,
                 uint64_t timeout)
{
    struct person *person = &people->slots[slot];

    if (person->cursor.present && person->cursor.x == x && person->cursor.y == y) {
        return; /* it has not moved */
    }
    person->cursor = (struct cursor){.present = true, .x = x, .y = y, .moved_at = now};
    if (person->shown || (person->group > 0 && is_settled(people, person, now)) ||
        people_claim(people, slot)) {
        return;
    }
    if (person->group > 0 || now >= people->shown_until) {
        show_instead_of_still(people, slot, now, timeout);
    }
}

void people_withdraw(struct people *people, uint32_t slot)
{
    people->slots[slot].cursor.present = false;
    people->changes++;
    people->shown_until = 0;
}
