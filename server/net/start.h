/* The lobby that the configuration asks for. */
#ifndef START_H
#define START_H

#include <stdbool.h>
#include <stdio.h>

#include "config/config.h"
#include "past/film.h"
#include "room/room.h"

/* Fills *room, the lobby, from the configuration, and makes a presenter's key if none was given.
 * Returns false with one line on `errors` if --set or --max-boids does not fit the flock, or
 * randomness runs out. */
bool start_room(const struct config *config, struct room_definition *room, FILE *errors);

/* Reads the recording that the lobby plays; *film is NULL if there is none. Returns false with one
 * line on `errors` if it cannot be played. */
bool start_replay(const struct config *config, struct film **film, FILE *errors);

/* Returns a hash of the options of the flock and the cursors, and of the lobby's film (or NULL). A
 * stored lobby is restored only if the hash is unchanged. */
uint64_t start_fingerprint(const struct room_definition *room, const struct film *film);

/* Returns true if the bytes are a valid room of room_save(), or a complete recording; else `what`
 * says what is wrong. */
bool start_sound(const uint8_t *bytes, size_t size, char *what, size_t capacity);

#endif
