/* A recording that a room plays: its file's bytes, and what its end is like. It is checked before a
 * room gets it (film_open.h), immutable from then on, and counted: by the history that it is the
 * beginning of, and by those who hold that. Any thread. */
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
    struct history_budget *budget; /* that the bytes were taken from; NULL: none */
    struct keyframes *keyframes;   /* that are made meanwhile: film_index.h */
    uint64_t clock;                /* µs on the recorded room's clock, at its end */
    uint64_t ticks;                /* of the flock, made by then at most */
    uint32_t boids;                /* that it begins with */
    uint32_t last_id;              /* nobody in it has a greater one */
};

/* budget: see struct film; keyframes take from it, too.
 *
 * Takes over the recording and the bytes (malloc'ed), whose size has been taken from the budget.
 * NULL, and both are as they were, when memory runs out. */
struct film *film_create(struct recording *recording, uint8_t *bytes, size_t size,
                         struct history_budget *budget);

/* Takes the bytes of the film, and of its keyframes to come, from that budget, even beyond its
 * limit. Before anybody else has the film. */
void film_charge(struct film *film, struct history_budget *budget);

struct film *film_hold(struct film *film);

/* Takes NULL. The last one frees it. */
void film_release(struct film *film);

#endif
