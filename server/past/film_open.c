#include "past/film_open.h"

#include <stdlib.h>

#include "base/refusal.h"
#include "past/history_budget.h"
#include "past/replay.h"

/* The recording in the bytes as a film; else they stay the caller's. */
static struct film *read_film(uint8_t *bytes, size_t size, struct history_budget *budget,
                              struct proto_error *error)
{
    char problem[REPLAY_PROBLEM_MAX];
    struct recording *recording = recording_read(bytes, size, problem, sizeof problem);
    struct film *film;

    if (recording == NULL) {
        refuse_message(error, PROTO_E_MALFORMED, "", "the recording: %s", problem);
        return NULL;
    }
    film = film_create(recording, bytes, size, budget);
    if (film == NULL) {
        recording_destroy(recording);
        refuse_message(error, PROTO_E_FULL, "", "out of memory");
    }
    return film;
}

static bool take_memory(struct history_budget *budget, size_t size, struct proto_error *error)
{
    return history_budget_take(budget, size) ||
           refuse_message(error, PROTO_E_FULL, "",
                          "the recording has %zu bytes, more than the memory limit has left (%s)",
                          size, history_budget_option(budget, size));
}

struct film *film_open(uint8_t *bytes, size_t size, const struct recording_limits *limits,
                       struct history_budget *budget, struct proto_error *error)
{
    if (!take_memory(budget, size, error)) {
        free(bytes);
        return NULL;
    }
    return film_open_taken(bytes, size, limits, budget, error);
}

struct film *film_open_taken(uint8_t *bytes, size_t size, const struct recording_limits *limits,
                             struct history_budget *budget, struct proto_error *error)
{
    struct recording_summary summary;
    struct film *film;

    film = read_film(bytes, size, budget, error);
    if (film == NULL) {
        history_budget_give(budget, size);
        free(bytes);
        return NULL;
    }
    if (!recording_check(film->recording, limits, &summary, error)) {
        film_release(film);
        return NULL;
    }
    film->clock = summary.clock;
    film->ticks = summary.ticks;
    film->last_id = summary.last_id;
    film->boids = summary.boids;
    return film;
}
