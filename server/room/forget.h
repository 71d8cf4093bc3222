/* Whom a room forgets when PEOPLE_AWAY_MAX people are away and another one leaves: viewers first,
 * then expelled people, then presenters. No stranger has the role of a presenter; where all
 * controls are open, everyone has it, and counts as a viewer. The room forgets a person of the
 * address with the most such people, so an address beyond its share pushes out only its own. Of
 * that address it forgets people who have never steered first, in the order in which they left.
 * For the room's own files. */
#ifndef FORGET_H
#define FORGET_H

#include <stdint.h>

struct room;

/* Must be called before a person leaves at that time on the room's clock. Forgets someone unless
 * there is space. Takes time in proportion to PEOPLE_AWAY_MAX. */
void forget_before_leave(struct room *room, uint64_t time);

#endif
