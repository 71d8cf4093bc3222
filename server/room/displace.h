/* The person who gives way to a newcomer in a full room, as net/gate/place.h has it for the
 * server's slots. A newcomer of a presenter's group replaces a viewer of another group, until its
 * group has three quarters of the slots. So a class gets in behind the address of its teacher
 * although strangers filled the room first. Any other newcomer replaces only a viewer of a group
 * that has more people than ROOM_CLASS, and at least two more than its own. A group with a
 * presenter never gives way. */
#ifndef DISPLACE_H
#define DISPLACE_H

#include <stdint.h>

#include "room/room.h"

/* Returns the slot of the person who gives way to a newcomer of that origin: of the group with the
 * most people, the newest. Returns PEOPLE_NONE if no one does. */
uint32_t displace_find(struct room *room, uint64_t origin);

#endif
