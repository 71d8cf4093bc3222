/* When PEOPLE_AWAY_MAX people are away and another one leaves, the room forgets someone of the
 * lowest rank among those away.
 *
 * 1. Viewers. Where all controls are open, everyone has the role of a presenter, and is a viewer
 *    here.
 * 2. Viewers at the address of a presenter (see presenters.h) who is here or whom the room
 *    remembers. So a class comes back although strangers leave after it. If more than FORGET_CLASS
 *    of them are away, they count as 1.
 * 3. Expelled people.
 * 4. Presenters. No stranger has this role.
 *
 * Of that rank the room forgets a person of the address with the most such people, so an address
 * beyond its share pushes out only its own. Of that address it forgets people who have never
 * steered first, in the order in which they left. For the room's own files. */
#ifndef FORGET_H
#define FORGET_H

#include <stdint.h>

#include "scene/people.h"

struct room;

#define FORGET_CLASS (PEOPLE_AWAY_MAX / 4 * 3)

/* Must be called before a person leaves at that time on the room's clock. Forgets someone unless
 * there is space. Takes time in proportion to PEOPLE_AWAY_MAX. */
void forget_before_leave(struct room *room, uint64_t time);

#endif
