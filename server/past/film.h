/* A film: a recording that a room plays. film_open.h checks it before a room gets it; afterwards it
 * is immutable. It is reference-counted: the history that begins with it holds it, and so does each
 * holder of that history. Any thread. */
#ifndef FILM_H
#define FILM_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "past/recording.h"

struct film {
    atomic_uint holders;
    struct recording *recording; /* lies in the bytes */
    uint8_t *bytes;
    size_t size;
    struct history_budget *budget; /* held: the bytes were taken from it; NULL: none */
    struct keyframes *keyframes;   /* film_index.h makes them while the film plays */
    uint64_t clock;                /* µs on the recorded scene's clock, at its end */
    uint64_t ticks;                /* of the flock at its end, at most */
    uint32_t boids;                /* at its beginning */
    uint32_t last_id;              /* the greatest id of a person in it */
};

/* Takes over the recording and the bytes (malloc'ed), whose size has been taken from the budget;
 * keyframes take from it, too. Returns NULL, with both still the caller's, when memory runs out. */
struct film *film_create(struct recording *recording, uint8_t *bytes, size_t size,
                         struct history_budget *budget);

/* Takes the bytes of the film and of its future keyframes from that budget in place of the one
 * before, even beyond its limit. Must be called before anything else holds the film. */
void film_charge(struct film *film, struct history_budget *budget);

struct film *film_hold(struct film *film);

/* Takes NULL. The last release frees the film. */
void film_release(struct film *film);

#endif
