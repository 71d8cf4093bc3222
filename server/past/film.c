#include "past/film.h"

#include <assert.h>
#include <stdlib.h>

#include "past/history_budget.h"
#include "past/keyframes.h"

struct film *film_create(struct recording *recording, uint8_t *bytes, size_t size,
                         struct history_budget *budget)
{
    struct film *film = calloc(1, sizeof *film);

    if (film != NULL && (film->keyframes = keyframes_create(budget, KEYFRAMES_MAX)) == NULL) {
        free(film);
        return NULL;
    }
    if (film != NULL) {
        atomic_init(&film->holders, 1);
        film->recording = recording;
        film->bytes = bytes;
        film->size = size;
        film->budget = history_budget_hold(budget);
        for (size_t i = 0; i < recording->count; i++) {
            recording->parts[i].keyframes = film->keyframes;
        }
    }
    return film;
}

void film_charge(struct film *film, struct history_budget *budget)
{
    assert(atomic_load(&film->holders) == 1);
    history_budget_give(film->budget, film->size);
    history_budget_release(film->budget);
    film->budget = history_budget_hold(budget);
    history_budget_force(budget, film->size);
    keyframes_set_budget(film->keyframes, budget);
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
        keyframes_release(film->keyframes);
        recording_destroy(film->recording);
        history_budget_release(film->budget);
        free(film->bytes);
        free(film);
    }
}
