/* The list of people in the room, built from the server's presence messages. This client's person
 * comes first and is always listed, although the server may leave it out of its list in a room with
 * more than PROTO_PEOPLE_MAX people.
 *
 * Pure; the caller owns the list. All zero: empty. */
#ifndef TERM_PEOPLE_H
#define TERM_PEOPLE_H

#include "protocol.h"

#include <stdbool.h>
#include <stdint.h>

#define TERM_PEOPLE_MAX (PROTO_PEOPLE_MAX + 1u)

struct term_people {
    uint32_t count;
    bool listed;   /* the server's list contains our person */
    bool has_self; /* `self` holds from when the list leaves us out */
    struct proto_self self;
    struct proto_person list[TERM_PEOPLE_MAX]; /* our person, then the others in order of arrival */
    uint32_t away_count;
    struct proto_person away[PROTO_AWAY_MAX]; /* presenters who have left and may come back */
    uint32_t then_count;
    struct proto_person then[PROTO_PEOPLE_MAX]; /* people of the past that the room shows */
};

/* Starts the list with our person alone. */
void term_people_join(struct term_people *people, const struct proto_welcome *welcome);

/* Takes a presence message: people have come, changed or left. */
void term_people_take(struct term_people *people, const struct proto_presence *presence);

/* Takes our own name and flags, for a list without us. They may arrive before that list and hold
 * from then on. */
void term_people_take_self(struct term_people *people, const struct proto_self *self);

/* Changes our own role. */
void term_people_appoint(struct term_people *people, enum proto_role role);

/* Returns the listed person with that id, or NULL. */
const struct proto_person *term_people_find(const struct term_people *people, uint32_t id);

/* Stores the people of the moment of the past that the room shows; count 0: the present. */
void term_people_then(struct term_people *people, const struct proto_person *then, uint32_t count);

/* Returns the person of a cursor, now or in the past that the room shows, or NULL. A person of the
 * past may have the name "". */
const struct proto_person *term_people_find_cursor(const struct term_people *people, uint32_t id);

enum proto_role term_people_role(const struct proto_person *person);

#endif
