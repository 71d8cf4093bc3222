/* A recording that a room plays: its file's bytes, and what its end is like. It is checked before a
 * room gets it (film_open.h), immutable from then on, and counted: by the history that it is the
 * beginning of, and by those who hold that. Any thread. */
#ifndef FILM_H
#define FILM_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "room/recording.h"
#include "room/room.h"

struct film {
    atomic_uint holders;
    struct recording *recording; /* lies in the bytes */
    uint8_t *bytes;
    size_t size;
    struct history_budget *budget; /* that the bytes were taken from; NULL: none */
    uint64_t clock;                /* µs on the recorded room's clock, at its end */
    uint64_t ticks;                /* of the flock, made by then at most */
    uint32_t boids;                /* that it begins with */
    uint32_t last_id;              /* nobody in it has a greater one */
};

/* Takes over the recording and the bytes (malloc'ed), whose size has been taken from the budget.
 * NULL, and both are as they were, when memory runs out. */
struct film *film_create(struct recording *recording, uint8_t *bytes, size_t size,
                         struct history_budget *budget);

struct film *film_hold(struct film *film);

/* Takes NULL. The last one frees it. */
void film_release(struct film *film);

/* Bytes of what the pasts of all rooms may have (budget NULL: any number). False: there are not so
 * many left. */
bool history_budget_take(struct history_budget *budget, size_t bytes);
void history_budget_give(struct history_budget *budget, size_t bytes);

#endif
