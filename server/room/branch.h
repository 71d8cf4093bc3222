/* A branch: the scene that a room shows, as bytes for a new room. */
#ifndef BRANCH_H
#define BRANCH_H

#include <stddef.h>
#include <stdint.h>

#include "room/room.h"

/* Returns the state of a struct room_origin, which the caller frees, and their *size: the present
 * scene, or the shown moment of the past, without names, tokens and keys. Stores the flock's *boids
 * and *model, its index in flock_models. Returns NULL, with *error filled, if there are more than
 * boids_max boids, if the moment is still being made, or if memory runs out. */
uint8_t *room_branch(struct room *room, uint64_t now, uint32_t boids_max, size_t *size,
                     uint32_t *boids, uint32_t *model, struct proto_error *error);

/* Returns the room's join key for its branch, which the caller frees: "": none; perhaps concealed:
 * see key.h. Returns NULL when memory runs out. */
char *room_branch_join_key(const struct room *room);

#endif
