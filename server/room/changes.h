/* The changes that messages have made, in words: for the audit log (struct room_note), and as
 * events for all members. For the room's own files. */
#ifndef CHANGES_H
#define CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"
#include "scene/change.h"

/* Tells the audit log, and everyone if it is of interest to everyone, what the message has changed.
 * slot: of its sender; PEOPLE_NONE: the HTTP API. time: the room's. */
void changes_tell(struct room *room, uint32_t slot, const struct proto_client_message *message,
                  const struct change *change, uint64_t time);

#endif
