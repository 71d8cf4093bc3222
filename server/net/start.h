/* From the configuration to the room that it asks for. */
#ifndef START_H
#define START_H

#include <stdbool.h>
#include <stdio.h>

#include "config/config.h"
#include "past/film.h"
#include "room/room.h"

/* Fills *room, the lobby, from the configuration, and makes a presenter's key if none was given.
 * False, with one line on `errors`, when --set or --max-boids does not go with the flock, or no
 * random key can be had. */
bool start_room(const struct config *config, struct room_definition *room, FILE *errors);

/* Reads the recording that the lobby is to play. False, with one line on `errors`, if it cannot be
 * played; *film is NULL if there is none. */
bool start_replay(const struct config *config, struct film **film, FILE *errors);

/* A hash of what the options say of the flock and the use of cursors, and of the film that the
 * lobby plays (or NULL): a saved lobby goes on only if it is the same as when it was saved. */
uint64_t start_fingerprint(const struct room_definition *room, const struct film *film);

/* Whether a room can be made of such bytes, as room_save() makes them, or they are a whole
 * recording; if not, `what` says why. */
bool start_sound(const uint8_t *bytes, size_t size, char *what, size_t capacity);

#endif
