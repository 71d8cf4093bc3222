#include "room/film.h"

#include <stdlib.h>

bool history_budget_take(struct history_budget *budget, size_t bytes)
{
    if (budget == NULL) {
        return true;
    }
    if (atomic_fetch_add(&budget->bytes, bytes) + bytes > budget->bytes_max) {
        atomic_fetch_sub(&budget->bytes, bytes);
        return false;
    }
    return true;
}

void history_budget_give(struct history_budget *budget, size_t bytes)
{
    if (budget != NULL) {
        atomic_fetch_sub(&budget->bytes, bytes);
    }
}

struct film *film_create(struct recording *recording, uint8_t *bytes, size_t size,
                         struct history_budget *budget)
{
    struct film *film = calloc(1, sizeof *film);

    if (film != NULL) {
        atomic_init(&film->holders, 1);
        film->recording = recording;
        film->bytes = bytes;
        film->size = size;
        film->budget = budget;
    }
    return film;
}

struct film *film_hold(struct film *film)
{
    atomic_fetch_add(&film->holders, 1);
    return film;
}

void film_release(struct film *film)
{
    if (film != NULL && atomic_fetch_sub(&film->holders, 1) == 1) {
        history_budget_give(film->budget, film->size);
        recording_destroy(film->recording);
        free(film->bytes);
        free(film);
    }
}
