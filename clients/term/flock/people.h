/* Who is in the room, put together from the changes that the server tells of. We ourselves come
 * first and are always there: in a room with more than PROTO_PEOPLE_MAX people the server may not
 * show us.
 *
 * Pure; the caller owns the list. All zero: nobody. */
#ifndef TERM_PEOPLE_H
#define TERM_PEOPLE_H

#include "protocol.h"

#include <stdbool.h>
#include <stdint.h>

#define TERM_PEOPLE_MAX (PROTO_PEOPLE_MAX + 1u)

struct term_people {
    uint32_t count;
    bool listed;   /* we ourselves are in the server's list */
    bool has_self; /* self counts as soon as the list leaves us out */
    struct proto_self self;
    struct proto_person list[TERM_PEOPLE_MAX]; /* we ourselves, then the others as they came */
    uint32_t away_count;
    struct proto_person away[PROTO_AWAY_MAX]; /* presenters who have left and may come back */
    uint32_t then_count;
    struct proto_person then[PROTO_PEOPLE_MAX]; /* who was in the past that the room shows */
};

/* We have come in; others are not known yet. */
void term_people_join(struct term_people *people, const struct proto_welcome *welcome);

/* Others have come, changed or gone. */
void term_people_take(struct term_people *people, const struct proto_presence *presence);

/* Our own name and flags, for a list that leaves us out. They may come before that list, and count
 * from it on. */
void term_people_told(struct term_people *people, const struct proto_self *self);

/* Our own role is another one. */
void term_people_appoint(struct term_people *people, enum proto_role role);

/* NULL when nobody shown has that id. */
const struct proto_person *term_people_find(const struct term_people *people, uint32_t id);

/* The room shows a moment of its past, in which these were; nobody: the present. */
void term_people_then(struct term_people *people, const struct proto_person *then, uint32_t count);

/* Whose cursor has that id, now or in the past that the room shows; NULL: it is not known. The name
 * of one in the past may be "". */
const struct proto_person *term_people_find_cursor(const struct term_people *people, uint32_t id);

enum proto_role term_people_role(const struct proto_person *person);

#endif
