/* recording_read() and replays: whatever bytes are read make a recording that can be written again
 * as the same one and replayed until its end or a problem, or a problem in words. The input is
 * tried as it is, and with checksums that are right. */
#include "fuzz.h"

#include "room/recording.h"
#include "room/replay.h"
#include "room/room_state.h"
#include "state/saved.h"

#define STEPS_MAX 200u
#define BOIDS_MAX 2000u /* that are waited for */

static void replays(const struct recording *recording)
{
    static struct room_workspace *workspace;
    struct replay *replay = replay_create(recording, 4);

    if (workspace == NULL) {
        workspace = room_workspace_create(1);
    }
    FUZZ_REQUIRE(workspace != NULL && replay != NULL);
    replay_seek(replay, recording_end(recording));
    for (unsigned i = 0; i < STEPS_MAX; i++) {
        enum replay_result result = replay_step(replay, workspace);
        FUZZ_REQUIRE((result == REPLAY_FAILED) == (replay_problem(replay)[0] != '\0'));
        if (result != REPLAY_MORE || room_facts(replay_room(replay)).boids > BOIDS_MAX) {
            break;
        }
    }
    replay_destroy(replay);
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
        recording_destroy(recording);
    }
}

/* Makes the checksums of the checkpoints right, too. */
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
