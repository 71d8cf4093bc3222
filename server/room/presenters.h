/* The presenters whose addresses have more rights than others: viewers there are likely to be their
 * class. With open controls everyone is a presenter, so there only people with the room's key
 * count. The spotlight gives its address no rights. For the room's own files. */
#ifndef PRESENTERS_H
#define PRESENTERS_H

#include <stdbool.h>
#include <stdint.h>

struct room;

/* Whether the person in that slot, here or away, is such a presenter. A removed person is none. */
bool presenters_has(const struct room *room, uint32_t slot);

/* Whether such a presenter is here and has that address: see tries_origin(); 0: unknown. */
bool presenters_are_at(const struct room *room, uint64_t origin);

/* Returns the slot of each such presenter who is here, then PEOPLE_NONE. *next is 0 at first. Of
 * more than PROTO_PEOPLE_MAX presenters, it returns the ones whom presence has. */
uint32_t presenters_each(const struct room *room, uint32_t *next);

#endif
