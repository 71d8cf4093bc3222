/* Members coming, going, and getting roles. For the room's own files; room.h has what is for its
 * users. */
#ifndef MEMBERS_H
#define MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"

/* Compares a key with the room's presenter key, and makes the person in that slot a presenter if it
 * is right. Returns false, with *error filled, if not; the error is fatal after too many keys. */
bool members_try_key(struct room *room, uint32_t slot, const char *key, uint64_t now,
                     struct proto_error *error);

/* Ends the connection of a person who has tried too many keys, and takes the role away that a key
 * gave. */
void members_stop_guessing(struct room *room, uint32_t slot, const struct proto_error *error,
                           uint64_t now);

/* Gives a role to the person in that slot, here or away. */
void members_set_role(struct room *room, uint32_t slot, enum proto_role role);

/* Gives a role to the person in that slot, and tells the person, if here. */
void members_appoint(struct room *room, uint32_t slot, enum proto_role role);

/* Removes the person, who may not come back for a while. */
void members_expel(struct room *room, uint32_t slot, uint64_t now);

#endif
