/* What the files of people.h have in common. For these files alone: people.c uses the other two,
 * and people_shown.c uses people_find.c. */
#ifndef PEOPLE_PARTS_H
#define PEOPLE_PARTS_H

#include "scene/people.h"

/* Shows the person, where fewer than PROTO_PEOPLE_MAX are shown; hides a shown person. */
void people_show(struct people *people, uint32_t slot);
void people_hide(struct people *people, uint32_t slot);

/* Shows another person who is here, if any: the one who moved last, or else came first. */
void people_show_another(struct people *people);

#endif
