/* A replay repeats a room's past bit for bit: at any moment, in any order, with other threads, and
 * from its file. The past is bounded, and takes no memory while nothing happens. */
#include "past/history.h"

#include "room/workspace.h"
#include "room_life.h"

#include <stdatomic.h>

#include "past/history_budget.h"
#include "past/history_parts.h"
#include "past/replay.h"
#include "room/state.h"
#include "scene/inside.h"
#include "scene/saved.h"
#include "scene/scene.h"

#define S UINT64_C(1000000)

enum { ROUNDS = 2500 };

static struct room_workspace *workspaces[2]; /* with one thread and with three */

static int make(void **state)
{
    (void)state;
    workspaces[0] = room_workspace_create(1);
    workspaces[1] = room_workspace_create(3);
    return workspaces[0] != NULL && workspaces[1] != NULL ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    room_workspace_destroy(workspaces[0]);
    room_workspace_destroy(workspaces[1]);
    return 0;
}

static struct room_definition definition_of(uint32_t seed)
{
    struct room_definition definition = room_definition_default();

    flock_settings_choose(&definition.flock.settings, flock_models[seed % 5]);
    definition.flock.settings.boundary = (enum flock_boundary)(seed % 3);
    definition.flock.boids = 40;
    definition.flock.seed = seed;
    definition.controls.policy = (enum cursor_policy)(seed % 6);
    definition.controls.idle = (enum cursor_idle)(seed % 2);
    definition.cursor_timeout = 1 * S;
    definition.rewind = 600 * S;
    return definition;
}

/* The room after each round; [0]: before the first round of its past. */
static uint64_t hashes[ROUNDS + 1];

/* Returns a hash of the scene and of who is shown. */
static uint64_t hash_shown(const struct scene *scene)
{
    const struct people *people = scene_people(scene);
    uint64_t hash = scene_hash(scene);

    for (uint32_t i = 0; i < people->shown_count; i++) {
        hash = hash * 31 + people->shown[i];
    }
    return hash;
}

static void live(struct life *life, uint32_t seed, uint32_t people)
{
    struct room_definition definition = definition_of(seed);

    *life = (struct life){.now = 7000 * S, .random = seed, .people = people};
    life_begin(life, &definition);
    hashes[0] = 0;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        life_round(life, workspaces[0]);
        hashes[round] = hash_shown(life->room->present);
    }
}

/* Seeks to that moment. */
static void go_to(struct replay *replay, struct room_workspace *workspace, uint64_t round)
{
    enum replay_result result;

    replay_seek(replay, round);
    do {
        result = replay_step(replay, workspace->engine);
    } while (result == REPLAY_MORE);
    if (result != REPLAY_THERE) {
        fail_msg("round %u: %s", (unsigned)round, replay_problem(replay));
    }
    assert_int_equal(replay_round(replay), round);
}

static void check_all(const struct recording *recording, uint32_t seed)
{
    struct replay *replay = replay_create(recording, seed % 2 == 0 ? 4 : 0);
    struct room_workspace *workspace = workspaces[1];

    assert_non_null(replay);
    for (uint64_t round = recording->parts[0].round + 1; round <= recording_end(recording);
         round++) {
        go_to(replay, workspace, round);
        if (hash_shown(replay_scene(replay)) != hashes[round]) {
            fail_msg("life %u: another room after round %u, in part %zu", seed, (unsigned)round,
                     replay_part(replay));
        }
    }
    for (uint32_t i = 0; i < 10; i++) {
        uint64_t round = 1 + (uint64_t)i * 7919 % ROUNDS;
        go_to(replay, workspace, round);
        assert_true(hash_shown(replay_scene(replay)) == hashes[round]);
    }
    for (size_t part = 0; part < recording->count; part++) {
        if (!replay_verify(replay, workspace->engine, part)) {
            fail_msg("life %u: %s", seed, replay_problem(replay));
        }
    }
    replay_destroy(replay);
}

static void any_moment_is_made_again(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 8; seed++) {
        struct life life;
        live(&life, seed, seed % 4 == 0 ? LIFE_PEOPLE : 8);
        struct recording *recording = room_hold_past(life.room);
        assert_non_null(recording);
        assert_true(recording->count > 1);
        assert_int_equal(recording->parts[0].round, 0);
        assert_int_equal(recording_end(recording), ROUNDS);
        check_all(recording, seed);
        recording_destroy(recording);
        life_end(&life);
    }
}

static void held_parts_stay_while_the_room_continues(void **state)
{
    struct life life;

    (void)state;
    live(&life, 3, 8);
    struct recording *recording = room_hold_past(life.room);
    assert_non_null(recording);
    for (uint32_t i = 0; i < 200; i++) {
        life_round(&life, workspaces[0]);
    }
    life_end(&life);
    check_all(recording, 3);
    recording_destroy(recording);
}

static void a_file_holds_all_of_it(void **state)
{
    struct life life;
    char problem[256] = "";
    size_t size;

    (void)state;
    live(&life, 6, 8);
    struct recording *held = room_hold_past(life.room);
    assert_non_null(held);
    uint8_t *bytes = recording_write(held, false, &size);
    assert_non_null(bytes);
    recording_destroy(held);
    life_end(&life);
    struct recording *recording = recording_read(bytes, size, problem, sizeof problem);
    assert_string_equal(problem, "");
    assert_string_equal(recording->version, FLOCKD_VERSION);
    check_all(recording, 6);
    recording_destroy(recording);
    free(bytes);
}

/* The room has dropped its oldest parts. Earlier versions wrote that the first part follows
 * another.
 */
static void a_file_may_begin_after_dropped_parts(void **state)
{
    struct life life;
    char problem[256] = "";
    size_t size;

    (void)state;
    live(&life, 6, 8);
    life.room->history->length = 20 * S;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        life_round(&life, workspaces[0]);
    }
    struct recording *held = room_hold_past(life.room);
    assert_true(held->parts[0].round > 0);
    for (int earlier = 0; earlier < 2; earlier++) {
        held->parts[0].follows = earlier == 1;
        uint8_t *bytes = recording_write(held, false, &size);
        struct recording *recording = recording_read(bytes, size, problem, sizeof problem);
        assert_string_equal(problem, "");
        assert_false(recording->parts[0].follows);
        recording_destroy(recording);
        free(bytes);
    }
    recording_destroy(held);
    life_end(&life);
}

/* Earlier versions did not limit cursors to the world. A replay repeats their inputs unchanged,
 * also when the world becomes smaller. */
static void recorded_cursors_beyond_the_world_stay_as_they_were(void **state)
{
    struct life life = {.now = 7000 * S, .random = 1, .people = 1};
    struct room_definition definition = definition_of(3); /* open */
    const struct proto_client_message preset = {.type = PROTO_SET,
                                                .set = {.name = "preset", .value = "original"}};
    uint8_t message[PROTO_MESSAGE_MAX];
    uint8_t inputs[4 * INPUT_MAX];
    size_t size = 0;

    (void)state;
    definition.controls.policy = CURSOR_MEAN;
    definition.flock.settings.width = 1920;
    definition.flock.settings.height = 1080;
    life_begin(&life, &definition);
    assert_true(room_tick(life.room, workspaces[0], life.now));
    struct recording *recording = room_hold_past(life.room);
    struct recording_part *part = &recording->parts[0];
    struct input_clock clock = input_clock_at(part->clock, recording->tick_rate);
    const uint64_t now = part->clock + 10000;
    const struct input happened[] = {
        {.type = INPUT_JOIN, .slot = INPUT_NEW, .time = now},
        {.type = INPUT_MOVE,
         .slot = 0,
         .time = now,
         .dx = input_difference(0, -700),
         .dy = input_difference(0, 1500)},
        {.type = INPUT_MESSAGE,
         .time = now,
         .bytes = message,
         .bytes_size = proto_encode_client(message, sizeof message, &preset)},
        {.type = INPUT_TICK, .time = now + 10000}};
    for (size_t i = 0; i < 4; i++) {
        size += input_encode(&clock, &happened[i], inputs + size);
    }
    part->inputs = inputs;
    part->input_size = size;
    part->rounds = 1;
    recording->count = 1;
    struct replay *replay = replay_create(recording, 0);
    go_to(replay, workspaces[0], part->round + 1);
    const struct scene *scene = replay_scene(replay);
    struct flock_point target;
    assert_true(flock_settings_of(scene_flock(scene))->width == 550.0F);
    assert_true(scene_target(scene, &target));
    assert_true(target.x == -700.0F && target.y == 1500.0F);
    replay_destroy(replay);
    recording_destroy(recording);
    life_end(&life);
}

/* Returns whether the history contains those bytes. */
static bool has(const uint8_t *bytes, size_t size, const void *what, size_t length)
{
    return memmem(bytes, size, what, length) != NULL;
}

static void a_file_has_names_if_asked_for_and_never_keys(void **state)
{
    struct life life = {.now = S, .random = 1, .people = 8};
    struct room_definition definition = definition_of(1);
    const char name[] = "person 5";
    size_t size;

    (void)state;
    life_begin(&life, &definition);
    life_join(&life, 5);
    for (uint32_t i = 0; i < 10; i++) {
        life_round(&life, workspaces[0]);
    }
    struct recording *held = room_hold_past(life.room);
    assert_non_null(held);
    for (unsigned names = 0; names < 2; names++) {
        uint8_t *bytes = recording_write(held, names == 1, &size);
        uint8_t digest[DIGEST_SIZE];
        assert_non_null(bytes);
        assert_true(has(bytes, size, name, strlen(name)) == (names == 1));
        assert_true(digest_of(LIFE_KEY, strlen(LIFE_KEY), digest));
        assert_false(has(bytes, size, digest, sizeof digest));
        assert_false(has(bytes, size, life.room->identities[0].token_digest, DIGEST_SIZE));
        assert_false(has(bytes, size, life.room->members[0].token, PROTO_TOKEN_SIZE));
        free(bytes);
    }
    recording_destroy(held);
    life_end(&life);
}

static void a_change_without_an_input_begins_a_part(void **state)
{
    struct life life = {.now = S, .random = 9, .people = 4};
    struct room_definition definition = definition_of(2);

    (void)state;
    life_begin(&life, &definition);
    for (uint32_t round = 1; round <= 60; round++) {
        life_round(&life, workspaces[0]);
        hashes[round] = hash_shown(life.room->present);
        if (round == 20) {
            life.room->present->steps += 3; /* a change that only a checkpoint contains */
            history_cut(life.room->history, life.room->present);
        }
    }
    struct recording *recording = room_hold_past(life.room);
    assert_int_equal(recording->count, 2);
    assert_int_equal(recording->parts[1].round, 20);
    assert_false(recording->parts[1].follows);
    struct replay *replay = replay_create(recording, 0);
    for (uint64_t round = 60; round > 0; round -= 5) {
        go_to(replay, workspaces[0], round);
        if (round != 20) {
            assert_true(hash_shown(replay_scene(replay)) == hashes[round]);
        }
    }
    replay_destroy(replay);
    recording_destroy(recording);
    life_end(&life);
}

/* Runs a round in which every person moves. */
static void move_and_tick(struct life *life)
{
    life->now += LIFE_PERIOD / 2;
    for (uint32_t who = 0; who < life->people; who++) {
        life_move(life, who);
    }
    life->now += LIFE_PERIOD / 2;
    assert_true(room_tick(life->room, workspaces[0], life->now));
}

static void cursors_are_recorded_again_after_memory_ran_out(void **state)
{
    struct history_budget budget = {.bytes_max = 1u << 20};
    struct room_definition definition = definition_of(0);
    struct life life = {.now = S, .random = 4, .people = 20};
    uint64_t hash;

    (void)state;
    definition.history_budget = &budget;
    life_begin(&life, &definition);
    for (uint32_t who = 0; who < life.people; who++) {
        life_join(&life, who);
    }
    move_and_tick(&life);
    assert_true(life.room->history->open);
    budget.bytes_max = atomic_load(&budget.bytes);
    for (uint32_t round = 0; life.room->history->open; round++) { /* until a cursor does not fit */
        assert_in_range(round, 0, 1000);
        move_and_tick(&life);
    }
    budget.bytes_max = 1u << 20;
    for (uint32_t round = 0; !life.room->history->open; round++) { /* until the next part begins */
        assert_in_range(round, 0, 1000);
        move_and_tick(&life);
    }
    move_and_tick(&life);
    hash = hash_shown(life.room->present);
    struct recording *recording = room_hold_past(life.room);
    struct replay *replay = replay_create(recording, 0);
    go_to(replay, workspaces[0], recording_end(recording));
    assert_true(hash_shown(replay_scene(replay)) == hash);
    replay_destroy(replay);
    recording_destroy(recording);
    life_end(&life);
}

/* ---- bounds ---- */

static void move_all(struct life *life)
{
    for (uint32_t who = 0; who < life->people; who++) {
        life_move(life, who);
    }
}

/* Lets people send cursors 60 times per second. */
static void steer(struct life *life, struct room_definition *definition, uint32_t seconds)
{
    life_begin(life, definition);
    for (uint32_t who = 0; who < life->people; who++) {
        life_join(life, who);
    }
    for (uint32_t round = 0; round < 30 * seconds; round++) {
        life->now += LIFE_PERIOD / 4;
        move_all(life);
        life->now += LIFE_PERIOD / 2;
        move_all(life);
        life->now += LIFE_PERIOD - LIFE_PERIOD / 4 - LIFE_PERIOD / 2;
        assert_true(room_tick(life->room, workspaces[0], life->now));
    }
}

static void ten_minutes_of_a_class_fit_into_8_mb(void **state)
{
    struct life life = {.now = S, .random = 4, .people = 30};
    struct room_definition definition = definition_of(0);

    (void)state;
    steer(&life, &definition, 620);
    struct recording *recording = room_hold_past(life.room);
    assert_true(recording_end(recording) - recording->parts[0].round >= 600 * 30);
    assert_true(history_bytes(life.room->history) <= 8u << 20);
    recording_destroy(recording);
    life_end(&life);
}

static void a_history_keeps_only_the_time_asked_for(void **state)
{
    struct life life = {.now = S, .random = 4, .people = 2};
    struct room_definition definition = definition_of(0);

    (void)state;
    definition.rewind = 60 * S;
    steer(&life, &definition, 60);
    size_t bytes = history_bytes(life.room->history);
    for (uint32_t round = 0; round < 30 * 300; round++) {
        life.now += LIFE_PERIOD;
        move_all(&life);
        assert_true(room_tick(life.room, workspaces[0], life.now));
        assert_true(history_bytes(life.room->history) < 2 * bytes);
    }
    struct recording *recording = room_hold_past(life.room);
    uint64_t rounds = recording_end(recording) - recording->parts[0].round;
    assert_true(rounds >= 60 * 30 && rounds < 100 * 30);
    recording_destroy(recording);
    life_end(&life);
}

static void all_rooms_together_are_bounded(void **state)
{
    struct life lives[3];
    struct history_budget budget = {.bytes_max = 300000};

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct room_definition definition = definition_of(0);
        lives[i] = (struct life){.now = S, .random = i, .people = 20};
        definition.history_budget = &budget;
        steer(&lives[i], &definition, 60);
        assert_true(atomic_load(&budget.bytes) <= budget.bytes_max);
    }
    struct recording *recording = room_hold_past(lives[0].room);
    assert_non_null(recording);
    for (uint32_t i = 0; i < 3; i++) {
        life_end(&lives[i]);
    }
    assert_true(atomic_load(&budget.bytes) > 0); /* the past that the reader holds still counts */
    recording_destroy(recording);
    assert_int_equal(atomic_load(&budget.bytes), 0);
}

static void the_history_of_a_quiet_room_stays_small(void **state)
{
    struct life life = {.now = S, .random = 4, .people = 1};
    struct room_definition definition = room_definition_default();

    (void)state;
    definition.rewind = 600 * S;
    life_begin(&life, &definition);
    assert_true(history_bytes(life.room->history) <= 4096);
    assert_null(room_hold_past(life.room));
    life_join(&life, 0);
    for (uint32_t round = 0; round < 30 * 700; round++) {
        life.now += LIFE_PERIOD;
        assert_true(room_tick(life.room, workspaces[0], life.now));
    }
    assert_true(history_bytes(life.room->history) <= 64u << 10);
    life_end(&life);
}

static void a_flock_that_is_too_big_has_no_history(void **state)
{
    struct life life = {.now = S, .random = 4, .people = 1};
    struct room_definition definition = room_definition_default();

    (void)state;
    definition.rewind = 600 * S;
    definition.flock.boids = 300000;
    life_begin(&life, &definition);
    life_set(&life, "run", "paused");
    for (uint32_t round = 0; round < 30; round++) {
        life.now += LIFE_PERIOD;
        assert_true(room_tick(life.room, workspaces[0], life.now));
    }
    assert_null(room_hold_past(life.room));
    life_end(&life);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_moment_is_made_again),
        cmocka_unit_test(held_parts_stay_while_the_room_continues),
        cmocka_unit_test(recorded_cursors_beyond_the_world_stay_as_they_were),
        cmocka_unit_test(a_file_holds_all_of_it),
        cmocka_unit_test(a_file_may_begin_after_dropped_parts),
        cmocka_unit_test(a_file_has_names_if_asked_for_and_never_keys),
        cmocka_unit_test(a_change_without_an_input_begins_a_part),
        cmocka_unit_test(cursors_are_recorded_again_after_memory_ran_out),
        cmocka_unit_test(ten_minutes_of_a_class_fit_into_8_mb),
        cmocka_unit_test(a_history_keeps_only_the_time_asked_for),
        cmocka_unit_test(all_rooms_together_are_bounded),
        cmocka_unit_test(the_history_of_a_quiet_room_stays_small),
        cmocka_unit_test(a_flock_that_is_too_big_has_no_history),
    };

    return cmocka_run_group_tests(tests, make, finish);
}
