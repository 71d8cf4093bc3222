#include "scene/people.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "scene/people_parts.h"

/* Colors that differ visibly on a dark background, the most different first: twelve, then paler and
 * darker ones. */
static const uint32_t palette[PEOPLE_COLORS] = {
    0xffb000, 0x4cc9f0, 0xff6b9d, 0x8ce563, 0xb794f6, 0xff8552, 0x2ee6c5, 0xf4e04d,
    0x6f9bff, 0xff5d5d, 0xd0f26b, 0xf28bf0, 0xffe2ad, 0xb5ebff, 0xffc0d6, 0x4fae2b,
    0xe0d4ff, 0xb9723f, 0x1ba893, 0xb3a125, 0xd23cff, 0xffb3ab, 0x93a83c, 0xc964c7};

void people_init(struct people *people)
{
    memset(people, 0, sizeof *people);
    people->most = PEOPLE_HERE_MAX;
    people->free = people->handle_free = PEOPLE_NONE;
    people->away_first = people->away_last = PEOPLE_NONE;
}

void people_finish(struct people *people)
{
    free(people->slots);
    free(people->handles);
    free(people->groups);
    people->groups = NULL;
    people->slots = NULL;
    people->handles = NULL;
}

/* ---- those away ---- */

void people_count_away(struct people *people, uint32_t slot)
{
    struct person *person = &people->slots[slot];

    person->next = PEOPLE_NONE;
    person->previous = people->away_last;
    if (people->away_last != PEOPLE_NONE) {
        people->slots[people->away_last].next = slot;
    } else {
        people->away_first = slot;
    }
    people->away_last = slot;
    people->away_count++;
    people->version += person->role == PROTO_PRESENTER;
}

static void unlink_away(struct people *people, uint32_t slot)
{
    const struct person *person = &people->slots[slot];

    assert(people->away_count > 0 && person->member == 0 && person->id != 0);
    if (person->previous != PEOPLE_NONE) {
        people->slots[person->previous].next = person->next;
    } else {
        people->away_first = person->next;
    }
    if (person->next != PEOPLE_NONE) {
        people->slots[person->next].previous = person->previous;
    } else {
        people->away_last = person->previous;
    }
    people->away_count--;
    people->version += person->role == PROTO_PRESENTER;
}

/* Returns the slot of the person to forget: the first who left, people who may return before
 * expelled ones. */
static uint32_t least_needed(const struct people *people)
{
    uint32_t slot = people->away_first;

    while (slot != PEOPLE_NONE && people->slots[slot].expelled) {
        slot = people->slots[slot].next;
    }
    return slot != PEOPLE_NONE ? slot : people->away_first;
}

void people_forget(struct people *people, uint32_t slot)
{
    unlink_away(people, slot);
    people_appoint(people, slot, PROTO_VIEWER);
    people->slots[slot].id = 0;
    people->slots[slot].next = people->free;
    people->free = slot;
}

static void forget_old(struct people *people, uint64_t now)
{
    while (people->away_count > 0 &&
           now > people->slots[people->away_first].left_at + PEOPLE_AWAY_TIME) {
        people_forget(people, people->away_first);
    }
    while (people->away_count > PEOPLE_AWAY_MAX) {
        people_forget(people, least_needed(people));
    }
}

/* ---- handles ---- */

static bool reserve_handle(struct people *people)
{
    struct people_handle *handles;

    if (people->handle_free != PEOPLE_NONE) {
        return true;
    }
    handles = grow_array(people->handles, &people->handle_capacity, people->handles_used + 1,
                         PEOPLE_SLOTS_MAX, sizeof *handles);
    people->handles = handles != NULL ? handles : people->handles;
    return handles != NULL;
}

/* After reserve_handle(). A handle is used again only after 2^32 more people have come. */
static void make_handle(struct people *people, uint32_t slot)
{
    uint32_t index = people->handle_free;
    struct people_handle *handle;

    if (index == PEOPLE_NONE) {
        index = people->handles_used++;
    } else {
        people->handle_free = people->handles[index].slot;
    }
    assert(index < people->handle_capacity);
    handle = &people->handles[index];
    people->generation += people->generation < UINT32_MAX ? 1 : 2;
    *handle = (struct people_handle){people->generation, slot};
    people->slots[slot].member = (uint64_t)people->generation << 32 | (index + 1);
}

static void free_handle(struct people *people, room_member member)
{
    struct people_handle *handle = &people->handles[room_member_index(member)];

    assert(member != 0 && handle->generation == member >> 32);
    handle->generation = 0;
    handle->slot = people->handle_free;
    people->handle_free = room_member_index(member);
}

/* ---- coming and going ---- */

static void count_color(struct people *people, uint32_t color, uint32_t by)
{
    for (size_t i = 0; i < PEOPLE_COLORS; i++) {
        people->colors[i] += palette[i] == color ? by : 0;
    }
}

/* Returns the colour that the fewest people here have. */
static uint32_t choose_color(const struct people *people)
{
    size_t best = 0;

    for (size_t i = 1; i < PEOPLE_COLORS; i++) {
        best = people->colors[i] < people->colors[best] ? i : best;
    }
    return palette[best];
}

/* Returns a free slot; PEOPLE_NONE when memory runs out. */
static uint32_t take_slot(struct people *people)
{
    uint32_t slot = people->free;
    struct person *slots;

    if (slot != PEOPLE_NONE) {
        assert(people->slots[slot].id == 0);
        people->free = people->slots[slot].next;
        return slot;
    }
    slots = grow_array(people->slots, &people->capacity, people->used + 1, PEOPLE_SLOTS_MAX,
                       sizeof *slots);
    if (slots == NULL) {
        return PEOPLE_NONE;
    }
    people->slots = slots;
    return people->used++;
}

/* Returns a slot with a new person, who is not here yet. */
static uint32_t make_person(struct people *people)
{
    uint32_t slot = take_slot(people);
    struct person *person;

    if (slot == PEOPLE_NONE) {
        return PEOPLE_NONE;
    }
    person = &people->slots[slot];
    memset(person, 0, sizeof *person);
    person->id = ++people->last_id;
    person->color = choose_color(people);
    return slot;
}

/* Brings in the person in *slot, or someone new. */
static enum people_result come(struct people *people, uint32_t *slot)
{
    if (people->here >= people->most) {
        return PEOPLE_FULL;
    }
    if (!reserve_handle(people)) {
        return PEOPLE_NO_MEMORY;
    }
    if (*slot != PEOPLE_NONE) {
        unlink_away(people, *slot);
    } else if ((*slot = make_person(people)) == PEOPLE_NONE) {
        return PEOPLE_NO_MEMORY;
    }
    people_count_here(people, *slot);
    return PEOPLE_OK;
}

void people_count_here(struct people *people, uint32_t slot)
{
    people->here++;
    count_color(people, people->slots[slot].color, 1);
}

bool people_remembers(const struct people *people, uint32_t slot, uint64_t now)
{
    const struct person *person = slot < people->used ? &people->slots[slot] : NULL;

    return person != NULL && person->id > 0 &&
           (person->member != 0 || now <= person->left_at + PEOPLE_AWAY_TIME);
}

/* Puts the person into the group, for which there is memory. */
static void enter_group(struct people *people, uint32_t slot, uint32_t group)
{
    struct person *person = &people->slots[slot];

    if (person->shown && person->group != group) {
        people_discount_shown(people, person->group);
        people_count_shown(people, group);
        people->changes++;
    }
    person->group = group;
}

enum people_result people_admit(struct people *people, uint32_t group, uint64_t now, uint32_t *slot)
{
    assert(group <= PEOPLE_GROUP_MAX);
    forget_old(people, now);
    if (*slot != PEOPLE_NONE && (*slot >= people->used || people->slots[*slot].id == 0)) {
        return PEOPLE_UNKNOWN;
    }
    if (*slot != PEOPLE_NONE && people->slots[*slot].expelled) {
        return PEOPLE_REMOVED;
    }
    if (!people_reserve_group(people, group)) {
        return PEOPLE_NO_MEMORY;
    }
    if (*slot != PEOPLE_NONE && people->slots[*slot].member != 0) {
        free_handle(people, people->slots[*slot].member);
    } else {
        enum people_result result = come(people, slot);
        if (result != PEOPLE_OK) {
            return result;
        }
    }
    make_handle(people, *slot);
    enter_group(people, *slot, group);
    (void)people_claim(people, *slot);
    return PEOPLE_OK;
}

void people_appoint(struct people *people, uint32_t slot, enum proto_role role)
{
    struct person *person = &people->slots[slot];

    people->presenters += role == PROTO_PRESENTER;
    people->presenters -= person->role == PROTO_PRESENTER;
    people->version += person->member == 0 && person->role != role;
    people->changes += person->role != role;
    person->role = role;
    if (person->member != 0 && people_is_kept(person)) {
        (void)people_claim(people, slot);
    }
}

void people_demote_away(struct people *people)
{
    for (uint32_t slot = people->away_first; slot != PEOPLE_NONE; slot = people->slots[slot].next) {
        people_appoint(people, slot, PROTO_VIEWER);
    }
}

void people_leave(struct people *people, uint32_t slot, bool expelled, uint64_t now)
{
    struct person *person = &people->slots[slot];

    free_handle(people, person->member);
    person->member = 0;
    person->left_at = now;
    person->expelled = expelled;
    person->cursor.present = false;
    assert(people->here > 0);
    people->here--;
    count_color(people, person->color, UINT32_MAX);
    if (person->shown) {
        people_hide(people, slot);
        people_show_another(people);
    }
    person->group = 0;
    people_count_away(people, slot);
    forget_old(people, now);
}
