/* Functions that the files of people.h share. For these files alone: people.c uses the others,
 * people_shown.c uses people_find.c and people_groups.c, and people_state.c and relay_state.c use
 * people_groups.c. */
#ifndef PEOPLE_PARTS_H
#define PEOPLE_PARTS_H

#include "scene/people.h"

/* Shows the person, where fewer than PROTO_PEOPLE_MAX are shown; hides a shown person. */
void people_show(struct people *people, uint32_t slot);
void people_hide(struct people *people, uint32_t slot);

/* Shows the person who is here if there is space, or if someone has to give way: see people.h.
 * Returns whether the person is shown. */
bool people_claim(struct people *people, uint32_t slot);

/* Shows another person who is here, if any: a presenter; or of the group with the fewest shown
 * people the one who moved last, or else came first. */
void people_show_another(struct people *people);

/* Whether people.h keeps the person shown as a presenter. */
bool people_is_kept(const struct person *person);

/* Makes memory to count a group, up to PEOPLE_GROUP_MAX. Must be called before anyone is in it.
 * Returns false if memory runs out. */
bool people_reserve_group(struct people *people, uint32_t group);

/* Return and change how many people of that group are shown. */
uint32_t people_group_shown(const struct people *people, uint32_t group);
void people_count_shown(struct people *people, uint32_t group);
void people_discount_shown(struct people *people, uint32_t group);

#endif
