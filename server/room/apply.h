/* Applying inputs to the room's scene, and recording them. For the room's own files. */
#ifndef APPLY_H
#define APPLY_H

#include <stdbool.h>

#include "room/room.h"
#include "scene/scene.h"

/* Applies the input to the present scene, records it, and raises the versions of what has changed
 * in the view. input->time is on the room's clock. Returns false, with *error filled and nothing
 * changed, if the scene refuses it. */
bool apply_input(struct room *room, const struct input *input, struct change *change,
                 struct proto_error *error);

/* Applies an input that a scene never refuses. */
void apply_surely(struct room *room, const struct input *input);

/* Shows the person in that slot, who has just come in, if the person is in the spotlight. */
void apply_spotlight(struct room *room, uint32_t slot, uint64_t time);

/* Withdraws the cursors beyond the world, which has become smaller. */
void apply_world(struct room *room);

#endif
