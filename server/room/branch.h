/* A room as everybody in it sees it now, for another one that begins so. */
#ifndef BRANCH_H
#define BRANCH_H

#include <stddef.h>
#include <stdint.h>

#include "room/room.h"

/* What room_begin() makes another room of, in *size bytes, the caller's to free: the present, or
 * the moment of its past that the room shows, without names, tokens and keys; and of its flock
 * *boids and *model, a literal. NULL, with *error filled: it has more than boids_max boids, or is
 * not at any moment just now, or memory has run out. */
uint8_t *room_branch(struct room *room, uint64_t now, uint32_t boids_max, size_t *size,
                     uint32_t *boids, const char **model, struct proto_error *error);

#endif
