/* Whom a room forgets when PEOPLE_AWAY_MAX people are away and another one leaves. Viewers come
 * first, then expelled people, then presenters, whose role no stranger has; where all controls are
 * open, a role keeps no one. Among those, it is someone of the address with the most people: so an
 * address with more than its share pushes out only its own. Of that address people who have never
 * steered come first, then whoever left first. For the room's own files. */
#ifndef FORGET_H
#define FORGET_H

#include <stdint.h>

struct room;

/* Must be called before a person leaves at that time on the room's clock. Forgets someone unless
 * there is space. Takes time in proportion to PEOPLE_AWAY_MAX. */
void forget_before_leave(struct room *room, uint64_t time);

#endif
