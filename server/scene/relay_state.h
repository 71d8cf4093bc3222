/* The shares of a relay's turns (see relay.h) as part of a scene's bytes. For scene_state.c. */
#ifndef RELAY_STATE_H
#define RELAY_STATE_H

#include <stdint.h>

#include "scene/people.h"
#include "scene/saved.h"

#define RELAY_SHARE_SIZE 12u /* bytes of a share */

/* Returns how many groups have debts or turns. */
uint32_t relay_shares(const struct people *people);

/* Writes pairs into the open map `class`; none without shares, as in earlier editions. */
void relay_put(struct saved *saved, const struct people *people);

/* Reads the pairs, after people_read(). The reader fails if they are out of range. */
void relay_read(struct saved_reader *reader, const msgpack_object_map *map, struct people *people);

#endif
