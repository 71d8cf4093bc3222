#include "past/film_open.h"

#include <stdlib.h>

#include "base/refusal.h"
#include "past/history_budget.h"
#include "past/replay.h"

/* Computes from the last part what is known of the end without playing it. */
static void note_end(struct film *film, const struct replay *replay, const struct replay_scan *scan)
{
    const struct people *people = scene_people(replay_scene(replay));

    film->clock = scan->clock;
    film->ticks = scene_ticks(replay_scene(replay)) + scan->ticks;
    film->last_id =
        scan->joins < UINT32_MAX - people->last_id ? people->last_id + scan->joins : UINT32_MAX;
}

/* Looks at all parts, the last one last. */
static bool check(struct film *film, struct replay *replay, uint32_t boids_max,
                  struct proto_error *error)
{
    struct replay_scan scan = {0};

    for (size_t part = 0; part < film->recording->count; part++) {
        uint32_t boids;
        if (!replay_check(replay, part, &scan)) {
            return refuse_message(error, PROTO_E_MALFORMED, "", "the recording: %s",
                                  replay_problem(replay));
        }
        boids = flock_count(scene_flock(replay_scene(replay)));
        film->boids = part == 0 ? boids : film->boids;
        if (boids > boids_max) {
            return refuse_message(
                error, PROTO_E_RANGE, "",
                "the recording: part %zu: it has %u boids, a room here may have %u", part + 1,
                boids, boids_max);
        }
    }
    note_end(film, replay, &scan);
    return true;
}

/* The recording in the bytes as a film; else they stay the caller's. */
static struct film *read_film(uint8_t *bytes, size_t size, uint32_t boids_max,
                              struct history_budget *budget, struct proto_error *error)
{
    char problem[REPLAY_PROBLEM_MAX];
    struct recording *recording = recording_read(bytes, size, problem, sizeof problem);
    struct film *film;

    if (recording == NULL) {
        refuse_message(error, PROTO_E_MALFORMED, "", "the recording: %s", problem);
        return NULL;
    }
    if (recording->boids_max > boids_max) {
        recording->boids_max = boids_max;
    }
    film = film_create(recording, bytes, size, budget);
    if (film == NULL) {
        recording_destroy(recording);
        refuse_message(error, PROTO_E_FULL, "", "out of memory");
    }
    return film;
}

struct film *film_open(uint8_t *bytes, size_t size, uint32_t boids_max,
                       struct history_budget *budget, struct proto_error *error)
{
    struct film *film;
    struct replay *replay;

    if (!history_budget_take(budget, size)) {
        free(bytes);
        refuse_message(error, PROTO_E_FULL, "",
                       "the pasts of all rooms have reached their memory limit (--rewind-memory)");
        return NULL;
    }
    film = read_film(bytes, size, boids_max, budget, error);
    if (film == NULL) {
        history_budget_give(budget, size);
        free(bytes);
        return NULL;
    }
    replay = replay_create(film->recording, 0);
    if (replay == NULL) {
        refuse_message(error, PROTO_E_FULL, "", "out of memory");
    }
    if (replay == NULL || !check(film, replay, boids_max, error)) {
        film_release(film);
        film = NULL;
    }
    replay_destroy(replay);
    return film;
}
