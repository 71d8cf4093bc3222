/* The names of the people of a room, and the tokens with which they return. Names are unique to
 * readers: no viewer's name looks like a presenter's. For the room's own files. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "scene/people_state.h"

#define IDENTITY_NAME_TIME 3000000u /* µs between two names of a person */

struct room;

/* Makes memory for the identities of `slots` people. Returns false, with nothing changed, if it
 * runs out. */
bool identity_reserve(struct room *room, uint32_t slots);

/* Returns the slot of the person with the token in the hello; PEOPLE_NONE without one who is
 * remembered. */
uint32_t identity_find(const struct room *room, const struct proto_hello *hello, uint64_t time);

/* Makes 96 random bits for a new person's token. Returns false if there is no randomness. */
bool identity_make_token(uint8_t token[PROTO_TOKEN_SIZE]);

/* Gives a new person in that slot a token of these bits. Without memory for its digest the person
 * cannot come back. */
void identity_give_token(struct room *room, uint32_t slot, const uint8_t bits[PROTO_TOKEN_SIZE]);

/* Gives the person the name in a hello: the first name, or another if identity_rename() allows it.
 * A new person without a name gets the name of a bird. */
void identity_take_name(struct room *room, uint32_t slot, const char *name, uint64_t time);

/* Gives the person a name, which is not blank. A person may have another name every
 * IDENTITY_NAME_TIME: returns the µs to wait, 0 if the person has the name now. */
uint64_t identity_rename(struct room *room, uint32_t slot, const char *name, uint64_t time);

/* Gives the person a name on behalf of a presenter, whenever the last one was given. */
void identity_call(struct room *room, uint32_t slot, const char *name, uint64_t time);

/* Whether readers take the name for that of a presenter, here or away, in another slot. */
bool identity_is_presenters(const struct room *room, const char *name, uint32_t slot);

/* Gives other names to viewers whose names readers take for a presenter's: to the person in that
 * slot if a viewer, or to all who have a name like that presenter's. */
void identity_part_names(struct room *room, uint32_t slot);

#endif
