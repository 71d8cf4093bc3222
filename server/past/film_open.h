/* Makes a film of a recording's file: checks all of it, but plays nothing. That takes about as long
 * as loading each checkpoint, seconds in the worst case, so it must not run on a thread that ticks
 * rooms or serves clients. */
#ifndef FILM_OPEN_H
#define FILM_OPEN_H

#include "past/film.h"
#include "past/recording_check.h"

/* Takes over the bytes (malloc'ed), which may be anything. limits: of the room that will
 * play the film. Returns NULL and fills *error: PROTO_E_FULL: no memory, PROTO_E_RANGE: more than a
 * limit allows, PROTO_E_MALFORMED: all else. */
struct film *film_open(uint8_t *bytes, size_t size, const struct recording_limits *limits,
                       struct history_budget *budget, struct proto_error *error);

/* film_open() for a file whose memory was taken. Without a film it gives the memory back. */
struct film *film_open_taken(uint8_t *bytes, size_t size, const struct recording_limits *limits,
                             struct history_budget *budget, struct proto_error *error);

#endif
