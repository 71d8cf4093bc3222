/* What the files that people.h is made of have in common; for them alone. people.c, where people
 * come and go, uses the other three, and people_shown.c uses people_find.c. */
#ifndef PEOPLE_PARTS_H
#define PEOPLE_PARTS_H

#include "scene/people.h"

/* That person is shown, who was not, and of whom there is room for one more; or is not any more. */
void people_show(struct people *people, uint32_t slot);
void people_hide(struct people *people, uint32_t slot);

/* Shows whoever moved last, or else came first, of those here and not shown, if there are any. */
void people_show_another(struct people *people);

/* Takes the name that came with a hello: a person's first, or if that may be (people_rename())
 * another one. Without any (""), a new person gets a bird's. */
void people_take_name(struct people *people, uint32_t slot, const char *name, uint64_t now);

/* Gives the person the name of those who come without one: see people_pick_name(). */
void people_give_name(struct people *people, uint32_t slot);

#endif
