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

/* Whether the person in that slot may do what owners may: an owner has shown the room's key. With
 * open controls everyone may. PEOPLE_NONE: the HTTP API, whose requests have the key. */
bool members_owns(const struct room *room, uint32_t slot);

/* Makes viewers of all people who are away. */
void members_demote_away(struct room *room);

/* Gives a role to the person in that slot, here or away. A viewer is no owner. */
void members_set_role(struct room *room, uint32_t slot, enum proto_role role);

/* Gives a role to the person in that slot, and tells the person, if here. */
void members_appoint(struct room *room, uint32_t slot, enum proto_role role);

/* Removes the person, who may not come back for a while. */
void members_expel(struct room *room, uint32_t slot, uint64_t now);

#endif
