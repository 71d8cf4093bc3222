/* From the configuration to the room that it asks for. */
#ifndef START_H
#define START_H

#include <stdbool.h>
#include <stdio.h>

#include "config.h"
#include "room/room.h"

/* Fills *room from the configuration: the preset, what was said beside it, each --set, and a
 * presenter's key if none was given. The room refers to the configuration, which has to outlive it.
 * Returns false and one line on `errors` when the two do not go together, or no random key can be
 * had. */
bool start_room(struct config *config, struct room_definition *room, FILE *errors);

#endif
