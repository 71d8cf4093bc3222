/* Makes a film of a recording's file: all of it is looked at, but nothing is played. That takes
 * about as long as loading each of its checkpoints, seconds in the worst case: never on a thread
 * that ticks rooms or serves clients. */
#ifndef FILM_OPEN_H
#define FILM_OPEN_H

#include "past/film.h"

/* Takes over the bytes (malloc'ed), which may be anything. boids_max: that the room which plays it
 * may have. NULL: *error says what is wrong with them, and where; PROTO_E_FULL: the server has no
 * place for them, PROTO_E_RANGE: it has more boids than there may be, PROTO_E_MALFORMED: all else.
 */
struct film *film_open(uint8_t *bytes, size_t size, uint32_t boids_max,
                       struct history_budget *budget, struct proto_error *error);

#endif
