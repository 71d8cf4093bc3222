#include "past/recording_check.h"

#include "base/refusal.h"
#include "past/replay.h"

static void note_end(struct recording_summary *summary, const struct scene *scene,
                     const struct replay_scan *scan)
{
    const struct people *people = scene_people(scene);

    summary->clock = scan->clock;
    summary->ticks = scene_ticks(scene) + scan->ticks;
    summary->last_id =
        scan->joins < UINT32_MAX - people->last_id ? people->last_id + scan->joins : UINT32_MAX;
}

/* Checks that the checkpoint of that part, and a reset after it, are within the limits. */
static bool check_limits(const struct scene *scene, size_t part,
                         const struct recording_limits *limits, struct proto_error *error)
{
    const uint32_t boids = flock_count(scene_flock(scene));
    const uint32_t first = scene_controls_of(scene)->boids;
    const char *option = limits->option != NULL ? limits->option : "--room-boids";

    if (boids > limits->boids) {
        return refuse_message(error, PROTO_E_RANGE, "",
                              "the recording: part %zu: it has %u boids, a room here may have %u "
                              "(%s)",
                              part + 1, boids, limits->boids, option);
    }
    return first <= limits->boids ||
           refuse_message(error, PROTO_E_RANGE, "",
                          "the recording: part %zu: a reset makes %u boids, a room here may have "
                          "%u (%s)",
                          part + 1, first, limits->boids, option);
}

/* Looks at all parts, the last one last. */
static bool check_parts(const struct recording *recording, struct replay *replay,
                        const struct recording_limits *limits, struct recording_summary *summary,
                        struct proto_error *error)
{
    struct replay_scan scan = {0};

    for (size_t part = 0; part < recording->count; part++) {
        if (!replay_check(replay, part, &scan)) {
            return refuse_message(error, PROTO_E_MALFORMED, "", "the recording: %s",
                                  replay_problem(replay));
        }
        if (part == 0) {
            summary->boids = flock_count(scene_flock(replay_scene(replay)));
        }
        if (!check_limits(replay_scene(replay), part, limits, error)) {
            return false;
        }
    }
    note_end(summary, replay_scene(replay), &scan);
    return true;
}

bool recording_check(struct recording *recording, const struct recording_limits *limits,
                     struct recording_summary *summary, struct proto_error *error)
{
    struct replay *replay;
    bool sound;

    if (recording->boids_max > limits->boids) {
        recording->boids_max = limits->boids;
    }
    recording->people_max = limits->people;
    replay = replay_create(recording, 0);
    if (replay == NULL) {
        return refuse_message(error, PROTO_E_FULL, "", "out of memory");
    }
    *summary = (struct recording_summary){0};
    sound = check_parts(recording, replay, limits, summary, error);
    replay_destroy(replay);
    return sound;
}
