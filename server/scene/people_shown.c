/* Cursors, and whose are shown when more people are here than PROTO_PEOPLE_MAX. */
#include <assert.h>

#include "scene/people_parts.h"

void people_show(struct people *people, uint32_t slot)
{
    people->slots[slot].shown = true;
    people->shown[people->shown_count++] = slot;
    people->version++;
}

void people_hide(struct people *people, uint32_t slot)
{
    uint32_t i = 0;

    while (people->shown[i] != slot) {
        i++;
    }
    people->shown[i] = people->shown[--people->shown_count];
    people->slots[slot].shown = false;
    people->version++;
    people->shown_until = 0;
}

/* 0: the person has no cursor. */
static uint64_t moved_at(const struct person *person)
{
    return person->cursor.present ? person->cursor.moved_at : 0;
}

void people_show_another(struct people *people)
{
    const struct person *best = NULL;
    const struct person *person;
    uint32_t next = 0;

    if (people->here <= people->shown_count) {
        return;
    }
    while ((person = people_each(people, &next)) != NULL) {
        if (!person->shown && (best == NULL || moved_at(person) > moved_at(best) ||
                               (moved_at(person) == moved_at(best) && person->id < best->id))) {
            best = person;
        }
    }
    if (best != NULL) {
        people_show(people, (uint32_t)(best - people->slots));
    }
}

/* Returns the slot of the shown person whose cursor has been still for longest, except the
 * spotlight's and the leader's. */
static uint32_t find_stillest(const struct people *people)
{
    uint32_t stillest = PEOPLE_NONE;

    for (uint32_t i = 0; i < people->shown_count; i++) {
        const struct person *person = &people->slots[people->shown[i]];
        if (person->id != people->spotlight && person->id != people->leader &&
            (stillest == PEOPLE_NONE || moved_at(person) < moved_at(&people->slots[stillest]))) {
            stillest = people->shown[i];
        }
    }
    return stillest;
}

/* Shows the person in that slot, who is here, maybe instead of another one. */
static void show_surely(struct people *people, uint32_t slot)
{
    if (people->slots[slot].shown) {
        return;
    }
    if (people->shown_count == PROTO_PEOPLE_MAX) {
        people_hide(people, find_stillest(people));
    }
    people_show(people, slot);
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

static void show_instead(struct people *people, uint32_t slot, uint64_t now, uint64_t timeout)
{
    uint32_t stillest;
    const struct cursor *cursor;

    if (now < people->shown_until) {
        return;
    }
    stillest = find_stillest(people);
    cursor = &people->slots[stillest].cursor;
    if (cursor_active(cursor, now, timeout)) {
        people->shown_until = cursor->moved_at + timeout;
    } else {
        people_hide(people, stillest);
        people_show(people, slot);
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
    if (person->shown) {
        return;
    }
    if (people->shown_count < PROTO_PEOPLE_MAX) {
        people_show(people, slot);
    } else {
        show_instead(people, slot, now, timeout);
    }
}

void people_withdraw(struct people *people, uint32_t slot)
{
    people->slots[slot].cursor.present = false;
    people->shown_until = 0;
}
