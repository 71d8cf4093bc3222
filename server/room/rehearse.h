/* A rehearsal: messages applied to a copy of a room's scene. For the room's own files. */
#ifndef REHEARSE_H
#define REHEARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"

/* Whether the present scene would accept these messages of presenters, one after the other; else
 * fills *error, and *refused with the index of the refused message. Skips messages that change no
 * scene. The budget of boids is not asked. time: on the room's clock. */
bool rehearse(const struct room *room, const struct proto_client_message *messages, uint32_t count,
              uint64_t time, uint32_t *refused, struct proto_error *error);

#endif
