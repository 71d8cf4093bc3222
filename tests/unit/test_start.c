/* From the command line to a room: combinations of preset, model, world, boundary, boids and --set,
 * and the line about each mistake. */
#include "net/start.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct config config;
static struct room_definition room;

/* The line that start_room() printed, or "". */
static char said[4096];

/* Returns whether these arguments make a room. They begin with the program's name and end with
 * NULL. */
static bool try_start(const char **args)
{
    int count = 0;
    char *text = NULL;
    size_t size = 0;
    FILE *errors = open_memstream(&text, &size);

    assert_non_null(errors);
    while (args[count] != NULL) {
        count++;
    }
    assert_int_equal(config_parse(&config, count, (char **)args, stdout, errors), OPTIONS_RUN);
    memset(&room, 0xa5, sizeof room);
    bool started = start_room(&config, &room, errors);
    fclose(errors);
    snprintf(said, sizeof said, "%s", text);
    free(text);
    return started;
}

#define TRY(...) try_start((const char *[]){"flockd", __VA_ARGS__, NULL})

#define START(...)                                                                                 \
    do {                                                                                           \
        if (!TRY(__VA_ARGS__)) {                                                                   \
            fail_msg("refused: %s", said);                                                         \
        }                                                                                          \
        assert_string_equal(said, "");                                                             \
    } while (0)

#define REFUSED(line, ...)                                                                         \
    do {                                                                                           \
        assert_false(TRY(__VA_ARGS__));                                                            \
        assert_string_equal(said, line "\n");                                                      \
    } while (0)

static float param(const char *name)
{
    int index = flock_param_find(room.flock.settings.model, name);

    assert_true(index >= 0);
    return room.flock.settings.params[index];
}

static void assert_flock(const char *model, enum flock_boundary boundary, float width, float height,
                         uint32_t boids)
{
    struct room_workspace *workspace = room_workspace_create(1);
    struct room *made;

    assert_string_equal(room.flock.settings.model->name, model);
    assert_int_equal(room.flock.settings.boundary, boundary);
    assert_true(room.flock.settings.width == width && room.flock.settings.height == height);
    assert_int_equal(room.flock.boids, boids);
    room.people_max = 1;
    room.boids_max = SCENE_BOIDS_MAX;
    made = room_create(&room, &(struct room_sink){0}, NULL, NULL);
    assert_non_null(made);
    room_tick(made, workspace, 1);
    room_destroy(made);
    room_workspace_destroy(workspace);
}

static void test_the_original_is_the_default(void **state)
{
    (void)state;
    START("--port=0");
    assert_flock("swarm", FLOCK_OPEN, 550, 400, 12);
    assert_null(room.preset);
    assert_string_equal(room.code, ROOM_LOBBY);
    assert_int_equal(room.tick_rate, 30);
    assert_int_equal(room.cursor_timeout, 10000000);
    assert_false(room.open_controls);
    for (size_t i = 0; i < room.flock.settings.model->param_count; i++) {
        assert_true(room.flock.settings.params[i] == room.flock.settings.model->params[i].initial);
    }
}

static void test_other_requests_pass_through(void **state)
{
    (void)state;
    START("--tick-rate=60", "--snapshot-rate=20", "--policy=nearest", "--idle=hold", "--seed=7",
          "--cursor-timeout=2.5", "--open-controls");
    assert_int_equal(room.tick_rate, 60);
    assert_int_equal(room.snapshot_rate, 20);
    assert_int_equal(room.controls.policy, CURSOR_NEAREST);
    assert_int_equal(room.controls.idle, CURSOR_HOLD);
    assert_int_equal(room.flock.seed, 7);
    assert_int_equal(room.cursor_timeout, 2500000);
    assert_true(room.open_controls);
}

static void test_every_preset(void **state)
{
    (void)state;
    for (const struct flock_preset *preset = flock_presets; preset->name != NULL; preset++) {
        START("--preset", preset->name, "--seed", "3");
        assert_ptr_equal(room.preset, preset);
        assert_flock(preset->settings.model->name, preset->settings.boundary,
                     preset->settings.width, preset->settings.height, preset->boids);
        assert_int_equal(room.flock.seed, 3);
        for (size_t i = 0; preset->params[i].name != NULL; i++) {
            assert_true(param(preset->params[i].name) == preset->params[i].value);
        }
    }
}

static void test_every_model(void **state)
{
    (void)state;
    for (size_t i = 0; flock_models[i] != NULL; i++) {
        START("--model", flock_models[i]->name);
        assert_flock(flock_models[i]->name, flock_models[i]->boundary, 550, 400, 12);
        START("--model", flock_models[i]->name, "--boundary", "walls", "--world", "100.5x16",
              "--boids", "34");
        assert_flock(flock_models[i]->name, FLOCK_WALLS, 100.5F, 16, 34);
    }
}

static void test_update_order(void **state)
{
    (void)state;
    START("--boids", "12");
    assert_int_equal(room.flock.settings.update, FLOCK_SYNCHRONOUS);
    START("--preset", "original");
    assert_int_equal(room.flock.settings.update, FLOCK_SEQUENTIAL);
    START("--update", "synchronous", "--preset", "original");
    assert_int_equal(room.flock.settings.update, FLOCK_SYNCHRONOUS);
    assert_ptr_equal(room.preset, flock_preset_find("original"));
    START("--update", "sequential", "--boids", "5000");
    assert_int_equal(room.flock.settings.update, FLOCK_SEQUENTIAL);
    REFUSED("flockd: --update: sequential allows at most 5000 boids, but the lobby has 5001",
            "--update", "sequential", "--boids", "5001");
}

/* Options override the preset, in any order. */
static void test_presets_and_what_is_said_beside_them(void **state)
{
    const struct flock_preset *sardines = flock_preset_find("sardines");

    (void)state;
    START("--boids", "100", "--preset", "sardines", "--world", "640x480", "--boundary", "open");
    assert_flock("boids", FLOCK_OPEN, 640, 480, 100);
    assert_ptr_equal(room.preset, sardines);
    assert_true(param("max_speed") == 4.5F);

    START("--preset", "sardines", "--model", "boids", "--set", "max_speed=5.5");
    assert_ptr_equal(room.preset, sardines);
    assert_true(param("max_speed") == 5.5F);
    assert_true(param("max_force") == 0.12F);

    /* Another model ends the preset: only its world and number of boids stay. */
    START("--preset", "sardines", "--model", "birds");
    assert_flock("birds", flock_model_find("birds")->boundary, sardines->settings.width,
                 sardines->settings.height, sardines->boids);
    assert_null(room.preset);
    for (size_t i = 0; i < room.flock.settings.model->param_count; i++) {
        assert_true(room.flock.settings.params[i] == room.flock.settings.model->params[i].initial);
    }
}

static void test_settings(void **state)
{
    (void)state;
    START("--set", "inertia=0.5,cohesion_min=0.4", "--set=alignment_min=1e-1", "--set",
          "inertia=3");
    assert_true(param("inertia") == 3.0F); /* the last one counts */
    assert_true(param("cohesion_min") == 0.4F && param("alignment_min") == 0.1F);
    START("--set", "inertia=+0");
    assert_true(param("inertia") == 0.0F);
    START("--set", "cohesion_min=1", "--set", "cohesion_max=1.5"); /* in any order */
    assert_true(param("cohesion_min") == 1.0F && param("cohesion_max") == 1.5F);
    REFUSED("flockd: --set: cohesion_min is 1: expected at most cohesion_max, which is 0.5",
            "--set", "cohesion_min=1");
}

static void test_invalid_settings_are_refused(void **state)
{
    (void)state;
    REFUSED("flockd: --set: 'inertia' is not KEY=VALUE; see flockd --help", "--set", "inertia");
    REFUSED("flockd: --set: '' is not KEY=VALUE; see flockd --help", "--set", "inertia=1,");
    REFUSED("flockd: --set: '' is not KEY=VALUE; see flockd --help", "--set", ",inertia=1");
    REFUSED("flockd: --set: '' is not KEY=VALUE; see flockd --help", "--set",
            "inertia=1,,inertia=2");
    REFUSED("flockd: --set: 'max_turn=1': the model boids has no such parameter; it has "
            "neighbor_distance, desired_separation, max_speed, max_force, separation_weight, "
            "alignment_weight, cohesion_weight, seek_weight, flee_weight, flee_distance, "
            "noise, informed",
            "--model", "boids", "--set", "max_turn=1");
    REFUSED("flockd: --set: '\\u001b[2J\\u000ainertia' is not KEY=VALUE; see flockd --help",
            "--set", "\x1b[2J\ninertia");
    REFUSED("flockd: --set: 'Inertia=1': the model swarm has no such parameter; it has "
            "separation_min, separation_max, alignment_min, alignment_max, cohesion_min, "
            "cohesion_max, inertia, flee_weight, flee_distance, noise, informed",
            "--set", "Inertia=1");
}

static void test_values_out_of_range(void **state)
{
    static const char *const bad[] = {"",     "3.0001", "-0.1", "nan",  "inf", "0x1",  " 1",
                                      "1 ",   "1e",     "1e99", "1=1",  "one", "1;2",  "--1",
                                      "\x1b", "1e-400", "1f",   "1.1.", ".",   "\xc3("};
    char setting[64];

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(setting, sizeof setting, "inertia=%s", bad[i]);
        assert_false(TRY("--set", setting));
        assert_non_null(strstr(said, "flockd: --set: 'inertia="));
        assert_non_null(strstr(said, "': expected a number from 0 to 3\n"));
    }
}

/* Each invalid value gives one short printable line. */
static void test_hostile_settings(void **state)
{
    char setting[FLOCK_OPTIONS_SET_MAX];

    (void)state;
    for (int c = 1; c < 256; c++) {
        for (int form = 0; form < 3; form++) {
            memset(setting, c, sizeof setting - 1);
            setting[sizeof setting - 1] = '\0';
            memcpy(setting, "inertia=", form == 2 ? 8 : 0);
            setting[500] = form == 0 ? (char)c : '=';
            assert_false(TRY("--set", setting));
            assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
            assert_in_range(strlen(said), 20, 400);
            for (const char *at = said; at[1] != '\0'; at++) {
                assert_true((unsigned char)*at >= 0x20 && (unsigned char)*at != 0x7f);
            }
        }
    }
}

/* All boids of the lobby count, from the option or from the preset. */
static void test_the_lobby_fits_into_all_boids(void **state)
{
    (void)state;
    START("--boids", "500", "--max-boids", "500");
    START("--preset", "sheep", "--max-boids", "120");
    REFUSED("flockd: --max-boids: 499 is less than the 500 boids of the lobby", "--boids", "500",
            "--max-boids", "499");
    REFUSED("flockd: --max-boids: 119 is less than the 120 boids of the lobby", "--preset", "sheep",
            "--max-boids", "119");
    REFUSED("flockd: --max-boids: 11 is less than the 12 boids of the lobby", "--max-boids", "11");
}

static void test_a_key_is_made_at_each_start(void **state)
{
    char first[PROTO_KEY_MAX + 1];

    (void)state;
    START("--port=0");
    assert_int_equal(strlen(room.key), 24);
    assert_int_equal(strspn(room.key, "abcdefghijklmnopqrstuvwxyz0123456789"), 24);
    snprintf(first, sizeof first, "%s", room.key);
    START("--port=0");
    assert_string_not_equal(room.key, first);
    START("--presenter-key", "my-own-key");
    assert_string_equal(room.key, "my-own-key");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_original_is_the_default),
        cmocka_unit_test(test_other_requests_pass_through),
        cmocka_unit_test(test_every_preset),
        cmocka_unit_test(test_every_model),
        cmocka_unit_test(test_update_order),
        cmocka_unit_test(test_presets_and_what_is_said_beside_them),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_invalid_settings_are_refused),
        cmocka_unit_test(test_values_out_of_range),
        cmocka_unit_test(test_hostile_settings),
        cmocka_unit_test(test_the_lobby_fits_into_all_boids),
        cmocka_unit_test(test_a_key_is_made_at_each_start),
    };

    return cmocka_run_group_tests_name("start", tests, NULL, NULL);
}
