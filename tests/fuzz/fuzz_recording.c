/* recording_read(), replays and rooms that play a recording. A valid recording must be written as
 * the same bytes, and a replay must reach its end or an error. Other bytes must give an error text.
 * The target tries the input unchanged and with right checksums. */
#include "fuzz.h"

#include <string.h>

#include "past/film_open.h"
#include "past/recording.h"
#include "past/replay.h"
#include "room/rewind.h"
#include "room/room_state.h"
#include "room/workspace.h"
#include "scene/saved.h"

#define STEPS_MAX 200u
#define BOIDS_MAX 2000u /* larger flocks are not replayed, because they are slow */
#define TICKS     40u

static struct room_workspace *workspace;

static void replays(const struct recording *recording)
{
    struct replay *replay = replay_create(recording, 4);

    FUZZ_REQUIRE(replay != NULL);
    replay_seek(replay, recording_end(recording));
    for (unsigned i = 0; i < STEPS_MAX; i++) {
        enum replay_result result = replay_step(replay, workspace->engine);
        FUZZ_REQUIRE((result == REPLAY_FAILED) == (replay_problem(replay)[0] != '\0'));
        if (result != REPLAY_MORE || flock_count(scene_flock(replay_scene(replay))) > BOIDS_MAX) {
            break;
        }
    }
    replay_destroy(replay);
}

/* A room plays the film for some ticks, is saved, and moves to the film's end. */
static void lives(struct film *film)
{
    const struct recording_part *first = &film->recording->parts[0];
    const struct proto_client_message live = {.type = PROTO_LIVE};
    struct room_definition definition = room_definition_default();
    struct proto_error error;
    size_t size;

    definition.boids_max = BOIDS_MAX;
    definition.rewind = 600000000;
    const struct room_origin origin = {
        .state = first->state, .size = first->state_size, .film = film, .now = 1000};
    struct room *room = room_create(&definition, &room_sink_none, &origin, NULL);
    FUZZ_REQUIRE(room != NULL);
    for (uint64_t i = 1; i < TICKS; i++) {
        FUZZ_REQUIRE(room_facts(room).boids <= BOIDS_MAX);
        (void)room_tick(room, workspace, 1000 + 33333 * i);
        if (i == TICKS / 2) {
            free(room_save(room, 1000 + 33333 * i, &size));
            (void)room_direct(room, &live, 1000 + 33333 * i, &error);
        }
    }
    room_destroy(room);
}

static void opens(const uint8_t *bytes, size_t size)
{
    struct proto_error error = {0};
    uint8_t *copy = malloc(size + 1);

    FUZZ_REQUIRE(copy != NULL);
    memcpy(copy, bytes, size);
    struct film *film =
        film_open(copy, size, &(struct recording_limits){.boids = BOIDS_MAX}, NULL, &error);
    FUZZ_REQUIRE((film != NULL) == (error.message[0] == '\0'));
    if (film != NULL) {
        lives(film);
        film_release(film);
    }
}

static void try_bytes(const uint8_t *bytes, size_t size)
{
    char problem[200] = "";
    struct recording *recording = recording_read(bytes, size, problem, sizeof problem);

    FUZZ_REQUIRE((recording != NULL) == (problem[0] == '\0'));
    if (recording != NULL) {
        size_t written;
        uint8_t *again = recording_write(recording, true, &written);
        FUZZ_REQUIRE(again != NULL);
        struct recording *same = recording_read(again, written, problem, sizeof problem);
        FUZZ_REQUIRE(same != NULL && same->count == recording->count &&
                     recording_end(same) == recording_end(recording));
        recording_destroy(same);
        free(again);
        replays(recording);
        opens(bytes, size);
        recording_destroy(recording);
    }
}

/* Corrects the checksums of the checkpoints, too. */
static void seal_states(uint8_t *bytes, size_t size)
{
    char problem[200];
    struct recording *recording = recording_read(bytes, size, problem, sizeof problem);

    for (size_t i = 0; recording != NULL && i < recording->count; i++) {
        const struct recording_part *part = &recording->parts[i];
        if (part->state_size >= SAVED_HEAD) {
            saved_seal(bytes + (part->state - bytes), part->state_size);
        }
    }
    recording_destroy(recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);

    if (workspace == NULL) {
        workspace = room_workspace_create(1);
    }
    FUZZ_REQUIRE(workspace != NULL);
    try_bytes(copy, size);
    if (size >= SAVED_HEAD) {
        saved_seal(copy, size);
        seal_states(copy, size);
        saved_seal(copy, size);
        try_bytes(copy, size);
    }
    free(copy);
    return 0;
}
