#include "room/people.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Twelve colours that can be told apart on a dark background, the first ones the farthest apart. */
static const uint32_t palette[] = {0xffb000, 0x4cc9f0, 0xff6b9d, 0x8ce563, 0xb794f6, 0xff8552,
                                   0x2ee6c5, 0xf4e04d, 0x6f9bff, 0xff5d5d, 0xd0f26b, 0xf28bf0};

static const char *const birds[] = {
    "finch",  "heron",  "kestrel", "swift",   "wren",   "plover", "lapwing", "starling",
    "dunlin", "linnet", "martin",  "redpoll", "siskin", "curlew", "swallow", "knot",
    "egret",  "avocet", "dipper",  "osprey",  "pipit",  "serin",  "tern",    "jackdaw"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

bool people_create(struct people *people, uint32_t connected_max)
{
    memset(people, 0, sizeof *people);
    people->capacity = connected_max + PEOPLE_AWAY_MAX;
    people->slots = calloc(people->capacity, sizeof *people->slots);
    return people->slots != NULL;
}

void people_destroy(struct people *people)
{
    free(people->slots);
    people->slots = NULL;
}

static uint32_t find_token(const struct people *people, const uint8_t *token)
{
    for (uint32_t slot = 0; slot < people->used; slot++) {
        const struct person *person = &people->slots[slot];
        if (person->id != 0 && memcmp(person->token, token, PROTO_TOKEN_SIZE) == 0) {
            return slot;
        }
    }
    return PEOPLE_NONE;
}

/* A slot for a new person: a free one, else that of whoever left first. People who left too long
 * ago, or too many others ago, are forgotten on the way. */
static uint32_t free_slot(struct people *people, uint64_t now)
{
    uint32_t oldest = PEOPLE_NONE;
    uint32_t found = PEOPLE_NONE;
    uint32_t away = 0;

    for (uint32_t slot = 0; slot < people->used; slot++) {
        struct person *person = &people->slots[slot];
        if (person->id != 0 && person->session == 0) {
            if (now > person->left_at + PEOPLE_AWAY_TIME) {
                person->id = 0;
            } else {
                away++;
                if (oldest == PEOPLE_NONE || person->left_at < people->slots[oldest].left_at) {
                    oldest = slot;
                }
            }
        }
        if (person->id == 0 && found == PEOPLE_NONE) {
            found = slot;
        }
    }
    if (away >= PEOPLE_AWAY_MAX) {
        return oldest;
    }
    if (found != PEOPLE_NONE) {
        return found;
    }
    return people->used < people->capacity ? people->used++ : oldest;
}

/* The colour that the fewest connected people have. */
static uint32_t choose_color(const struct people *people)
{
    uint32_t counts[COUNT(palette)] = {0};
    size_t best = 0;

    for (uint32_t slot = 0; slot < people->used; slot++) {
        for (size_t i = 0; i < COUNT(palette); i++) {
            counts[i] +=
                people->slots[slot].session != 0 && people->slots[slot].color == palette[i];
        }
    }
    for (size_t i = 1; i < COUNT(palette); i++) {
        best = counts[i] < counts[best] ? i : best;
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

uint32_t people_join(struct people *people, const struct proto_hello *hello, uint64_t session,
                     uint64_t now, uint64_t *replaced)
{
    uint32_t slot = hello->has_token ? find_token(people, hello->token) : PEOPLE_NONE;
    struct person *person;

    *replaced = 0;
    if (slot == PEOPLE_NONE) {
        uint8_t token[PROTO_TOKEN_SIZE];
        slot = free_slot(people, now);
        if (slot == PEOPLE_NONE || getrandom(token, sizeof token, 0) != sizeof token) {
            return PEOPLE_NONE;
        }
        person = &people->slots[slot];
        memset(person, 0, sizeof *person);
        person->color = choose_color(people);
        person->id = ++people->last_id;
        memcpy(person->token, token, sizeof token);
    } else {
        person = &people->slots[slot];
        *replaced = person->session;
    }
    if (*replaced == 0) {
        people->connected++;
    }
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
    hide(people, slot);
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
