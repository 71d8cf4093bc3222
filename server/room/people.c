#include "room/people.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Twelve colours that can be told apart on a dark background, the first ones the farthest apart. */
static const uint32_t palette[PEOPLE_COLORS] = {0xffb000, 0x4cc9f0, 0xff6b9d, 0x8ce563,
                                                0xb794f6, 0xff8552, 0x2ee6c5, 0xf4e04d,
                                                0x6f9bff, 0xff5d5d, 0xd0f26b, 0xf28bf0};

static const char *const birds[] = {
    "finch",  "heron",  "kestrel", "swift",   "wren",   "plover", "lapwing", "starling",
    "dunlin", "linnet", "martin",  "redpoll", "siskin", "curlew", "swallow", "knot",
    "egret",  "avocet", "dipper",  "osprey",  "pipit",  "serin",  "tern",    "jackdaw"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

bool people_create(struct people *people, uint32_t connected_max)
{
    memset(people, 0, sizeof *people);
    people->connected_max = connected_max;
    people->capacity = connected_max + PEOPLE_AWAY_MAX;
    people->free = people->away_first = people->away_last = PEOPLE_NONE;
    people->slots = calloc(people->capacity, sizeof *people->slots);
    return people->slots != NULL;
}

void people_destroy(struct people *people)
{
    free(people->slots);
    people->slots = NULL;
}

/* ---- those away */

static void push_away(struct people *people, uint32_t slot)
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
}

static void unlink_away(struct people *people, uint32_t slot)
{
    const struct person *person = &people->slots[slot];

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
}

/* Whoever left first is not known any more. */
static void forget_first(struct people *people)
{
    uint32_t slot = people->away_first;

    unlink_away(people, slot);
    people->slots[slot].id = 0;
    people->slots[slot].next = people->free;
    people->free = slot;
}

static void forget_old(struct people *people, uint64_t now)
{
    while (people->away_count > 0 &&
           (people->away_count > PEOPLE_AWAY_MAX ||
            now > people->slots[people->away_first].left_at + PEOPLE_AWAY_TIME)) {
        forget_first(people);
    }
}

/* ---- coming and going */

/* A token says in which slot its person is, so that a crowd that joins at once is let in at once.
 */
static void put_slot(uint8_t token[PROTO_TOKEN_SIZE], uint32_t slot)
{
    for (unsigned i = 0; i < 4; i++) {
        token[i] = (uint8_t)(slot >> 8 * i);
    }
}

static uint32_t find_token(const struct people *people, const uint8_t token[PROTO_TOKEN_SIZE])
{
    uint32_t slot = (uint32_t)token[0] | (uint32_t)token[1] << 8 | (uint32_t)token[2] << 16 |
                    (uint32_t)token[3] << 24;

    if (slot >= people->used || people->slots[slot].id == 0 ||
        memcmp(people->slots[slot].token, token, PROTO_TOKEN_SIZE) != 0) {
        return PEOPLE_NONE;
    }
    return slot;
}

static void count_color(struct people *people, uint32_t color, uint32_t by)
{
    for (size_t i = 0; i < PEOPLE_COLORS; i++) {
        people->colors[i] += palette[i] == color ? by : 0;
    }
}

/* The colour that the fewest connected people have. */
static uint32_t choose_color(const struct people *people)
{
    size_t best = 0;

    for (size_t i = 1; i < PEOPLE_COLORS; i++) {
        best = people->colors[i] < people->colors[best] ? i : best;
    }
    return palette[best];
}

static void show(struct people *people, uint32_t slot)
{
    people->slots[slot].shown = true;
    people->shown[people->shown_count++] = slot;
    people->changed = true;
}

static void hide(struct people *people, uint32_t slot)
{
    for (uint32_t i = 0; i < people->shown_count; i++) {
        if (people->shown[i] == slot) {
            people->shown[i] = people->shown[--people->shown_count];
            people->changed = true;
        }
    }
    people->slots[slot].shown = false;
}

static void set_name(struct person *person, const char *name)
{
    if (name[0] != '\0') {
        memcpy(person->name, name, strlen(name) + 1);
    } else if (person->name[0] == '\0') {
        snprintf(person->name, sizeof person->name, "%s-%u", birds[person->id % COUNT(birds)],
                 person->id);
    }
}

/* A slot with someone new in it, who is not connected yet. */
static uint32_t make_person(struct people *people)
{
    uint8_t token[PROTO_TOKEN_SIZE];
    uint32_t slot = people->free;
    struct person *person;

    if (getrandom(token, sizeof token, 0) != sizeof token) {
        return PEOPLE_NONE;
    }
    if (slot != PEOPLE_NONE) {
        people->free = people->slots[slot].next;
    } else {
        slot = people->used++;
    }
    person = &people->slots[slot];
    memset(person, 0, sizeof *person);
    person->id = ++people->last_id;
    person->color = choose_color(people);
    put_slot(token, slot);
    memcpy(person->token, token, sizeof token);
    return slot;
}

uint32_t people_join(struct people *people, const struct proto_hello *hello, uint64_t session,
                     uint64_t now, uint64_t *replaced)
{
    uint32_t slot;
    struct person *person;

    forget_old(people, now);
    slot = hello->has_token ? find_token(people, hello->token) : PEOPLE_NONE;
    *replaced = slot != PEOPLE_NONE ? people->slots[slot].session : 0;
    if (*replaced == 0) {
        if (people->connected == people->connected_max) {
            return PEOPLE_NONE;
        }
        if (slot != PEOPLE_NONE) {
            unlink_away(people, slot);
        } else if ((slot = make_person(people)) == PEOPLE_NONE) {
            return PEOPLE_NONE;
        }
        people->connected++;
        count_color(people, people->slots[slot].color, 1);
    }
    person = &people->slots[slot];
    person->session = session;
    set_name(person, hello->name);
    people->changed |= person->shown;
    if (!person->shown && people->shown_count < PROTO_PEOPLE_MAX) {
        show(people, slot);
    }
    return slot;
}

void people_leave(struct people *people, uint32_t slot, uint64_t now)
{
    struct person *person = &people->slots[slot];

    person->session = 0;
    person->left_at = now;
    person->cursor.present = false;
    people->connected--;
    count_color(people, person->color, UINT32_MAX);
    hide(people, slot);
    push_away(people, slot);
    forget_old(people, now);
}

void people_rename(struct people *people, uint32_t slot, const char *name)
{
    set_name(&people->slots[slot], name);
    people->changed |= people->slots[slot].shown;
}

static void show_instead(struct people *people, uint32_t slot, uint64_t now, uint64_t timeout)
{
    uint32_t stillest = people->shown[0];

    for (uint32_t i = 1; i < people->shown_count; i++) {
        const struct person *person = &people->slots[people->shown[i]];
        if (person->cursor.moved_at < people->slots[stillest].cursor.moved_at) {
            stillest = people->shown[i];
        }
    }
    if (!cursor_active(&people->slots[stillest].cursor, now, timeout)) {
        hide(people, stillest);
        show(people, slot);
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
        show(people, slot);
    } else {
        show_instead(people, slot, now, timeout);
    }
}

void people_presence(struct people *people, struct proto_presence *presence)
{
    people->changed = false;
    presence->count = people->shown_count;
    for (uint32_t i = 0; i < people->shown_count; i++) {
        const struct person *person = &people->slots[people->shown[i]];
        presence->people[i].id = person->id;
        presence->people[i].color = person->color;
        memcpy(presence->people[i].name, person->name, sizeof person->name);
    }
}
