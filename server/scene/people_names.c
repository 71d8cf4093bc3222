/* What people are called, and which of them are presenters. */
#include <stdio.h>
#include <string.h>

#include "scene/names.h"
#include "scene/people_parts.h"

static const char *const birds[] = {
    "finch",  "heron",  "kestrel", "swift",   "wren",   "plover", "lapwing", "starling",
    "dunlin", "linnet", "martin",  "redpoll", "siskin", "curlew", "swallow", "knot",
    "egret",  "avocet", "dipper",  "osprey",  "pipit",  "serin",  "tern",    "jackdaw"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void set_name(struct people *people, uint32_t slot, const char *name)
{
    struct person *person = &people->slots[slot];

    memcpy(person->name, name, strlen(name) + 1);
    person->renamed = true;
    people->changed |= person->shown;
}

void people_pick_name(uint32_t id, char name[PROTO_NAME_MAX + 1])
{
    snprintf(name, PROTO_NAME_MAX + 1, "%s-%u", birds[id % COUNT(birds)], id);
}

void people_give_name(struct people *people, uint32_t slot)
{
    char name[PROTO_NAME_MAX + 1];

    people_pick_name(people->slots[slot].id, name);
    set_name(people, slot, name);
}

void people_take_name(struct people *people, uint32_t slot, const char *name, uint64_t now)
{
    bool blank = names_blank(name);

    if (people->slots[slot].name[0] != '\0') {
        if (!blank) {
            people_rename(people, slot, name, now);
        }
    } else if (blank) {
        people_give_name(people, slot);
    } else {
        set_name(people, slot, name);
    }
}

uint64_t people_rename(struct people *people, uint32_t slot, const char *name, uint64_t now)
{
    struct person *person = &people->slots[slot];
    uint64_t until = person->renamed_at + PEOPLE_NAME_TIME;

    if (strcmp(person->name, name) == 0) {
        return 0; /* as it is */
    }
    if (person->renamed_at > 0 && now < until) {
        return until - now;
    }
    person->renamed_at = now;
    set_name(people, slot, name);
    return 0;
}

void people_call(struct people *people, uint32_t slot, const char *name, uint64_t now)
{
    if (strcmp(people->slots[slot].name, name) != 0) {
        people->slots[slot].renamed_at = now;
        set_name(people, slot, name);
    }
}

void people_appoint(struct people *people, uint32_t slot, enum proto_role role)
{
    struct person *person = &people->slots[slot];

    people->presenters += role == PROTO_PRESENTER;
    people->presenters -= person->role == PROTO_PRESENTER;
    people->changed |= person->member == 0 && person->role != role;
    person->role = role;
}

bool people_presenter_named(const struct people *people, const char *name, uint32_t slot)
{
    uint32_t left = people->presenters;

    for (uint32_t i = 0; i < people->used && left > 0; i++) {
        const struct person *person = &people->slots[i];
        if (person->id == 0 || person->role != PROTO_PRESENTER) {
            continue;
        }
        left--;
        if (i != slot && names_alike(person->name, name)) {
            return true;
        }
    }
    return false;
}

void people_part_names(struct people *people, uint32_t slot)
{
    const struct person *person = &people->slots[slot];

    if (person->role != PROTO_PRESENTER) {
        if (people_presenter_named(people, person->name, slot)) {
            people_give_name(people, slot);
        }
        return;
    }
    for (uint32_t i = 0; i < people->used; i++) {
        const struct person *other = &people->slots[i];
        if (other->id != 0 && other->role != PROTO_PRESENTER &&
            names_alike(other->name, person->name)) {
            people_give_name(people, i);
        }
    }
}

void people_demote_away(struct people *people)
{
    for (uint32_t slot = people->away_first; slot != PEOPLE_NONE; slot = people->slots[slot].next) {
        people_appoint(people, slot, PROTO_VIEWER);
    }
}
