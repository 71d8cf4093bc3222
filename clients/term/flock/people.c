#include "term/flock/people.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct proto_person *find_person(struct term_people *people, uint32_t id)
{
    for (uint32_t i = 0; i < people->count; i++) {
        if (people->list[i].id == id) {
            return &people->list[i];
        }
    }
    return NULL;
}

const struct proto_person *term_people_find(const struct term_people *people, uint32_t id)
{
    for (uint32_t i = 0; i < people->count; i++) {
        if (people->list[i].id == id) {
            return &people->list[i];
        }
    }
    return NULL;
}

void term_people_then(struct term_people *people, const struct proto_person *then, uint32_t count)
{
    people->then_count = count < PROTO_PEOPLE_MAX ? count : PROTO_PEOPLE_MAX;
    memcpy(people->then, then, people->then_count * sizeof people->then[0]);
}

const struct proto_person *term_people_find_cursor(const struct term_people *people, uint32_t id)
{
    const struct proto_person *person = term_people_find(people, id);

    for (uint32_t i = 0; person == NULL && i < people->then_count; i++) {
        person = people->then[i].id == id ? &people->then[i] : NULL;
    }
    return person;
}

void term_people_join(struct term_people *people, const struct proto_welcome *welcome)
{
    struct proto_person *self = &people->list[0];
    *self = (struct proto_person){.id = welcome->id, .color = welcome->color};
    snprintf(self->name, sizeof self->name, "%s", welcome->name);
    people->count = 1;
    people->away_count = people->then_count = 0;
    people->listed = people->has_self = false;
    term_people_appoint(people, welcome->role);
}

static void remove_other(struct term_people *people, uint32_t id)
{
    for (uint32_t i = 1; i < people->count; i++) {
        if (people->list[i].id == id) {
            people->count--;
            memmove(&people->list[i], &people->list[i + 1],
                    (people->count - i) * sizeof people->list[0]);
            return;
        }
    }
}

static void put_person(struct term_people *people, const struct proto_person *person)
{
    struct proto_person *known = find_person(people, person->id);
    if (known != NULL && person->flags_only) {
        known->flags = person->flags;
    } else if (known != NULL) {
        *known = *person;
    } else if (!person->flags_only && people->count < TERM_PEOPLE_MAX) {
        people->list[people->count++] = *person;
    }
}

static bool is_in(const struct proto_presence *presence, uint32_t id)
{
    for (uint32_t i = 0; i < presence->count; i++) {
        if (presence->people[i].id == id) {
            return true;
        }
    }
    return false;
}

static bool has_left(const struct proto_presence *presence, uint32_t id)
{
    for (uint32_t i = 0; i < presence->left_count; i++) {
        if (presence->left[i] == id) {
            return true;
        }
    }
    return false;
}

/* If the server's list leaves us out, uses the name and flags of the last self message. */
static void apply_self(struct term_people *people)
{
    if (people->has_self && !people->listed && people->count > 0) {
        memcpy(people->list[0].name, people->self.name, sizeof people->list[0].name);
        people->list[0].flags = people->self.flags;
        people->has_self = false;
    }
}

void term_people_take_self(struct term_people *people, const struct proto_self *self)
{
    people->self = *self;
    people->has_self = true;
    apply_self(people);
}

static void look_for_us(struct term_people *people, const struct proto_presence *presence)
{
    const uint32_t id = people->list[0].id;
    const bool whole = presence->since == 0;

    if (is_in(presence, id)) {
        people->listed = true;
        people->has_self = people->has_self && !whole; /* a whole list is newer */
    } else if (whole || has_left(presence, id)) {
        people->listed = false;
    }
    apply_self(people);
}

void term_people_take(struct term_people *people, const struct proto_presence *presence)
{
    if (presence->since == 0 && people->count > 1) {
        people->count = 1;
    }
    if (presence->has_away || presence->since == 0) {
        people->away_count = presence->away_count;
        memcpy(people->away, presence->away, sizeof people->away);
    }
    /* Before the others, to make room for them. */
    for (uint32_t i = 0; i < presence->left_count; i++) {
        remove_other(people, presence->left[i]);
    }
    for (uint32_t i = 0; i < presence->count; i++) {
        put_person(people, &presence->people[i]);
    }
    look_for_us(people, presence);
    assert(people->count <= TERM_PEOPLE_MAX && people->away_count <= PROTO_AWAY_MAX);
}

void term_people_appoint(struct term_people *people, enum proto_role role)
{
    if (people->count > 0) {
        people->list[0].flags &= ~PROTO_FLAG_PRESENTER;
        people->list[0].flags |= role == PROTO_PRESENTER ? PROTO_FLAG_PRESENTER : 0;
    }
}

enum proto_role term_people_role(const struct proto_person *person)
{
    return (person->flags & PROTO_FLAG_PRESENTER) != 0 ? PROTO_PRESENTER : PROTO_VIEWER;
}
