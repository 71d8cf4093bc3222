/* The past of a room with a large flock, whose checkpoints are far apart. Moments between
 * checkpoints are computed quickly and correctly. */
#include "past/history.h"

#include "room_life.h"

#include <stdatomic.h>

#include "past/history_budget.h"
#include "past/keyframes.h"
#include "past/replay.h"
#include "room/state.h"
#include "scene/scene.h"
#include "test_workspace.h"

#define S UINT64_C(1000000)

enum {
    ROUNDS = 230,
    BOIDS = 5000,
    APART = 500000 / BOIDS, /* rounds, which take about 0.05 s to compute */
    CHANGE = 70,            /* rounds from one change of a parameter to the next */
};

/* After each round: a hash of the room, and the number of changes of its parameters. */
static uint64_t hashes[ROUNDS + 1];
static uint32_t changes[ROUNDS + 1];

/* Makes a room with an hour of past. */
static void begin(struct life *life, struct history_budget *budget)
{
    struct room_definition definition = room_definition_default();

    definition.flock.boids = BOIDS;
    definition.flock.settings.boundary = FLOCK_WRAP;
    definition.flock.settings.width = 12000;
    definition.flock.settings.height = 12000;
    flock_settings_choose(&definition.flock.settings, flock_model_find("boids"));
    definition.rewind = 3600 * S;
    definition.history_budget = budget;
    *life = (struct life){.now = 7000 * S, .random = 1, .people = 3};
    life_begin(life, &definition);
}

/* Lets a person steer and move a slider. */
static void live(struct life *life, struct history_budget *budget)
{
    struct proto_client_message slider = {.type = PROTO_PARAM};
    const struct flock_param *param = &flock_model_find("boids")->params[0];

    snprintf(slider.param.name, sizeof slider.param.name, "%s", param->name);
    slider.param.value = param->min;
    begin(life, budget);
    life_join(life, 0);
    life_join(life, 1);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        struct proto_error error;
        life->now += LIFE_PERIOD / 2;
        life_move(life, 1);
        if (round % CHANGE == 0) {
            slider.param.value = param->min + param->max - slider.param.value;
            assert_true(room_direct(life->room, &slider, life->now, &error));
        }
        life->now += LIFE_PERIOD - LIFE_PERIOD / 2;
        assert_true(room_tick(life->room, workspace, life->now));
        hashes[round] = scene_hash(life->room->present);
        changes[round] = round / CHANGE;
    }
}

/* Seeks to that moment. Returns the number of steps. */
static uint32_t steps_to(struct replay *replay, uint64_t round)
{
    enum replay_result result;
    uint32_t steps = 0;

    replay_seek(replay, round);
    do {
        result = replay_step(replay, workspace->engine);
        steps++;
    } while (result == REPLAY_MORE);
    if (result == REPLAY_FAILED) {
        fail_msg("round %u: %s", (unsigned)round, replay_problem(replay));
    }
    assert_int_equal(replay_round(replay), round);
    assert_true(scene_hash(replay_scene(replay)) == hashes[round]);
    return steps;
}

/* A seek takes at most the ticks between two keyframes. Moments with the same parameters have the
 * same version. */
static void any_moment_is_near(void **state)
{
    struct life life;

    (void)state;
    live(&life, NULL);
    struct recording *recording = room_hold_past(life.room);
    assert_non_null(recording);
    assert_int_equal(recording->count, 1);
    struct replay *replay = replay_create(recording, 0);
    assert_non_null(replay);
    uint64_t before = 1;
    (void)steps_to(replay, before);
    uint32_t version = scene_versions(replay_scene(replay)).params;
    for (uint64_t i = 1; i < 9; i++) {
        uint64_t round = 1 + i * 7919 % ROUNDS;
        assert_in_range(steps_to(replay, round), 1, APART + 2);
        uint32_t is = scene_versions(replay_scene(replay)).params;
        assert_true(changes[round] == changes[before] || is != version);
        version = is;
        before = round;
    }
    replay_destroy(replay);
    recording_destroy(recording);
    life_end(&life);
}

/* All kinds of changes, also changes that begin another part. */
static void any_life_is_made_again(void **state)
{
    struct life life;

    (void)state;
    begin(&life, NULL);
    life_join(&life, 0);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        if (round % 8 == 0) {
            life_round(&life, workspace);
        } else {
            life.now += LIFE_PERIOD;
            assert_true(room_tick(life.room, workspace, life.now));
        }
        hashes[round] = scene_hash(life.room->present);
    }
    struct recording *recording = room_hold_past(life.room);
    assert_non_null(recording);
    struct replay *replay = replay_create(recording, 0);
    for (uint64_t i = 1; i < 9; i++) {
        (void)steps_to(replay, 1 + i * 7919 % ROUNDS);
    }
    replay_destroy(replay);
    recording_destroy(recording);
    life_end(&life);
}

/* Keyframes count toward the memory of all pasts, but files do not contain them. */
static void keyframes_take_memory_but_of_no_file(void **state)
{
    struct history_budget budget = {.bytes_max = 512u << 20};
    struct life life;
    size_t size = 0;

    (void)state;
    live(&life, &budget);
    struct recording *recording = room_hold_past(life.room);
    assert_non_null(recording);
    const struct recording_part *part = &recording->parts[0];
    assert_int_equal(keyframes_count(part->keyframes), ROUNDS / APART);
    assert_true(atomic_load(&budget.bytes) >= (ROUNDS / APART + 1) * part->state_size * 9 / 10);
    assert_true(history_bytes(life.room->history) >= atomic_load(&budget.bytes));
    uint8_t *bytes = recording_write(recording, false, &size);
    assert_non_null(bytes);
    assert_true(size < part->state_size * 3 / 2);
    free(bytes);
    life_end(&life);
    struct replay *replay =
        replay_create(recording, 0); /* the replay holds the keyframes longer than the room lives */
    assert_in_range(steps_to(replay, ROUNDS), 1, APART + 2);
    replay_destroy(replay);
    recording_destroy(recording);
    assert_int_equal(atomic_load(&budget.bytes), 0);
}

/* Without memory for keyframes, a replay still computes each moment. A flock that does not move
 * needs no keyframes. */
static void no_keyframes_without_memory_or_need(void **state)
{
    struct history_budget budget = {.bytes_max = 512u << 20};
    struct life life;

    (void)state;
    atomic_store(&budget.bytes, budget.bytes_max / 2);
    begin(&life, &budget);
    life_join(&life, 0);
    for (uint32_t round = 1; round < 4 * APART; round++) {
        life.now += LIFE_PERIOD;
        assert_true(room_tick(life.room, workspace, life.now));
        if (round == APART + APART / 2) {
            hashes[round] = scene_hash(life.room->present);
            life_set(&life, "run", "paused");
            atomic_store(&budget.bytes, 200000);
        }
    }
    struct recording *recording = room_hold_past(life.room);
    assert_non_null(recording);
    assert_int_equal(keyframes_count(recording->parts[0].keyframes), 0);
    struct replay *replay = replay_create(recording, 0);
    assert_in_range(steps_to(replay, APART + APART / 2), APART, ROUNDS);
    replay_destroy(replay);
    recording_destroy(recording);
    life_end(&life);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_moment_is_near),
        cmocka_unit_test(any_life_is_made_again),
        cmocka_unit_test(keyframes_take_memory_but_of_no_file),
        cmocka_unit_test(no_keyframes_without_memory_or_need),
    };

    return cmocka_run_group_tests(tests, make_workspace, end_workspace);
}
