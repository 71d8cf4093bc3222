/* Recordings of the models' present versions are repeated bit for bit. If a change of a model makes
 * flocks move differently, give the model another version and write the files again:
 * build/tests/test_recordings --write prints the hashes.
 */
#include "past/history.h"
#include "past/replay.h"

#include "room/state.h"
#include "room/workspace.h"
#include "room_life.h"
#include "scene/inside.h"
#include "scene/scene.h"

#define FOLDER "tests/recordings/"

enum { ROUNDS = 300 };

struct golden {
    const char *name;
    uint32_t model, seed;
    uint64_t hash; /* at the end */
};

static const struct golden goldens[] = {
    {"swarm", 0, 11, UINT64_C(0xa23ee3f90475112b)},
    {"boids", 1, 12, UINT64_C(0xa952dfbd9c84b487)},
    {"vision", 2, 13, UINT64_C(0xbc0df6d37d49683c)},
    {"birds", 3, 14, UINT64_C(0x2adf28cdb10dda1c)},
    {"steering", 4, 15, UINT64_C(0x7450749f3f4dba52)},
};

static struct recording *record(const struct golden *golden, struct life *life,
                                struct room_workspace *workspace)
{
    struct room_definition definition = room_definition_default();

    flock_settings_choose(&definition.flock.settings, flock_models[golden->model]);
    definition.flock.settings.boundary = (enum flock_boundary)(golden->seed % 3);
    definition.flock.boids = 30;
    definition.flock.seed = golden->seed;
    definition.controls.policy = (enum cursor_policy)(golden->seed % 4);
    definition.rewind = 60000000;
    *life = (struct life){.now = 1000000, .random = golden->seed, .people = 5};
    life_begin(life, &definition);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        life_round(life, workspace);
    }
    return room_hold_past(life->room);
}

static int write_all(void)
{
    struct room_workspace *workspace = room_workspace_create(1);

    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++) {
        struct life life;
        char path[200];
        size_t size = 0;
        struct recording *recording = record(&goldens[i], &life, workspace);
        uint8_t *bytes = recording != NULL ? recording_write(recording, false, &size) : NULL;
        snprintf(path, sizeof path, FOLDER "%s.flock", goldens[i].name);
        FILE *file = fopen(path, "wb");
        if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
            perror(path);
            return 1;
        }
        printf("{\"%s\", %u, %u, UINT64_C(0x%016llx)},\n", goldens[i].name, goldens[i].model,
               goldens[i].seed, (unsigned long long)scene_hash(life.room->present));
        free(bytes);
        recording_destroy(recording);
        life_end(&life);
    }
    room_workspace_destroy(workspace);
    return 0;
}

static uint8_t *read_file(const char *name, size_t *size)
{
    static const size_t most = 1u << 20;
    uint8_t *bytes = malloc(most);
    char path[200];

    snprintf(path, sizeof path, FOLDER "%s.flock", name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s cannot be read; run from the repository's root", path);
    }
    *size = fread(bytes, 1, most, file);
    fclose(file);
    return bytes;
}

static void the_golden_recordings_end_as_they_did(void **state)
{
    struct room_workspace *workspace = room_workspace_create(2);

    (void)state;
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++) {
        char problem[256] = "";
        size_t size;
        uint8_t *bytes = read_file(goldens[i].name, &size);
        struct recording *recording = recording_read(bytes, size, problem, sizeof problem);
        assert_string_equal(problem, "");
        struct replay *replay = replay_create(recording, 0);
        for (size_t part = 0; part < recording->count; part++) {
            if (!replay_verify(replay, workspace->engine, part)) {
                fail_msg("%s: %s", goldens[i].name, replay_problem(replay));
            }
        }
        if (scene_hash(replay_scene(replay)) != goldens[i].hash) {
            fail_msg("%s: ends with 0x%016llx", goldens[i].name,
                     (unsigned long long)scene_hash(replay_scene(replay)));
        }
        replay_destroy(replay);
        recording_destroy(recording);
        free(bytes);
    }
    room_workspace_destroy(workspace);
}

/* The hash that flock-sim prints for a room with noise, which is younger than the recordings. */
static void noise_has_its_hash(void **state)
{
    struct room_definition definition = room_definition_default();
    struct flock_settings *settings = &definition.flock.settings;
    struct life life = {.now = 1000000, .random = 1};

    (void)state;
    flock_settings_choose(settings, flock_models[1]);
    settings->params[settings->model->common[FLOCK_NOISE]] = 0.25F;
    definition.flock.boids = 30;
    definition.flock.seed = 1;
    life_begin(&life, &definition);
    life.room->present->edition = 5; /* a hash has the edition */
    const uint64_t hash = scene_hash(life.room->present);
    if (hash != UINT64_C(0x55ee759e58766b51)) {
        fail_msg("0x%016llx", (unsigned long long)hash);
    }
    life_end(&life);
}

static void one_of_another_version_of_a_model_says_so(void **state)
{
    struct room_workspace *workspace = room_workspace_create(1);
    char problem[256];
    size_t size;
    uint8_t *bytes = read_file("boids", &size);
    struct recording *recording = recording_read(bytes, size, problem, sizeof problem);

    (void)state;
    assert_non_null(recording);
    recording->models[1]++;
    snprintf(recording->version, sizeof recording->version, "0.0.9");
    struct replay *replay = replay_create(recording, 0);
    assert_false(replay_verify(replay, workspace->engine, 0));
    assert_string_equal(replay_problem(replay),
                        "part 1: recorded with version 2 of the model boids, by flockd 0.0.9; this "
                        "is version 1 of it");
    replay_destroy(replay);
    recording_destroy(recording);
    room_workspace_destroy(workspace);
    free(bytes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_golden_recordings_end_as_they_did),
        cmocka_unit_test(noise_has_its_hash),
        cmocka_unit_test(one_of_another_version_of_a_model_says_so),
    };

    if (argc == 2 && strcmp(argv[1], "--write") == 0) {
        return write_all();
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
