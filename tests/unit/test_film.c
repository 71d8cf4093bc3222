/* Films, the recordings that rooms play: the film of a file, refused files, and equal moments from
 * all keyframes. */
#include "past/film_open.h"

#include "../attack/failing.h"
#include "room_life.h"

#include "past/film_index.h"
#include "past/history.h"
#include "past/history_budget.h"
#include "past/keyframes.h"
#include "past/replay.h"
#include "room/room_state.h"
#include "room/state.h"
#include "scene/inputs.h"
#include "scene/inside.h"
#include "scene/saved.h"
#include "scene/scene.h"
#include "test_workspace.h"

#define S UINT64_C(1000000)

enum { ROUNDS = 1200, BOIDS = 40, APART = 70 };

static uint32_t first_boids; /* of recorded rooms after a reset; 0: as many as they begin with */
static uint32_t crowd;       /* people who left recorded rooms before they began */
static uint64_t hashes[ROUNDS + 1]; /* of the room after each round */

/* The crowd comes, and leaves. */
static void pass_through(struct people *people)
{
    for (uint32_t i = 0; i < crowd; i++) {
        uint32_t slot = PEOPLE_NONE;
        assert_int_equal(people_admit(people, 0, 0, &slot), PEOPLE_OK);
    }
    for (uint32_t slot = crowd; slot > 0; slot--) { /* the shown ones last */
        people_leave(people, slot - 1, false, 0);
    }
}

/* Returns a recording of a room with people. last_id: the largest id of an earlier person. */
static struct recording *live(uint32_t seed, uint32_t last_id)
{
    struct room_definition definition = room_definition_default();
    struct life life = {.now = 7000 * S, .random = seed, .people = 8};

    flock_settings_choose(&definition.flock.settings, flock_models[seed % 5]);
    definition.flock.boids = BOIDS;
    definition.flock.seed = seed;
    definition.rewind = 600 * S;
    life_begin(&life, &definition);
    life.room->present->people.last_id = last_id;
    if (first_boids > 0) {
        life.room->present->controls.boids = first_boids;
    }
    pass_through(&life.room->present->people);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        life_round(&life, workspace);
        hashes[round] = scene_hash(life.room->present);
    }
    struct recording *recording = room_hold_past(life.room);
    assert_non_null(recording);
    life_end(&life);
    return recording;
}

static uint8_t *write_and_destroy(struct recording *recording, size_t *size)
{
    uint8_t *bytes = recording_write(recording, false, size);

    assert_non_null(bytes);
    recording_destroy(recording);
    return bytes;
}

static uint8_t *record(uint32_t seed, size_t *size)
{
    return write_and_destroy(live(seed, 0), size);
}

static struct film *film_of(uint32_t seed, struct history_budget *budget)
{
    struct proto_error error = {0};
    size_t size;
    uint8_t *bytes = record(seed, &size);
    struct film *film =
        film_open(bytes, size, &(struct recording_limits){.boids = 10000}, budget, &error);

    assert_string_equal(error.message, "");
    assert_non_null(film);
    return film;
}

static void go_to(struct replay *replay, uint64_t round)
{
    replay_seek(replay, round);
    while (replay_step(replay, workspace->engine) == REPLAY_MORE) {
    }
    assert_int_equal(replay_round(replay), round);
    assert_true(scene_hash(replay_scene(replay)) == hashes[round]);
}

static void a_moment_is_the_same_from_any_keyframe(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 5; seed++) {
        struct film *film = film_of(seed, NULL);
        struct replay *replay = replay_create(film->recording, 0);
        for (uint64_t round = 1; round <= ROUNDS; round++) {
            go_to(replay, round);
            if (round % APART == 0) {
                assert_true(replay_note(replay, film->keyframes));
            }
        }
        assert_int_equal(keyframes_count(film->keyframes), ROUNDS / APART);
        for (uint64_t i = 1; i < 200; i++) {
            go_to(replay, 1 + i * 7919 % ROUNDS);
        }
        replay_destroy(replay);
        film_release(film);
    }
}

static uint32_t steps_to(struct replay *replay, uint64_t round)
{
    uint32_t steps = 1;

    replay_seek(replay, round);
    while (replay_step(replay, workspace->engine) == REPLAY_MORE) {
        steps++;
    }
    assert_int_equal(replay_round(replay), round);
    return steps;
}

/* The way from a keyframe to a moment is at most the distance between two keyframes. */
static void keyframes_are_near(void **state)
{
    struct film *film = film_of(1, NULL);
    struct replay *replay = replay_create(film->recording, 0);

    (void)state;
    for (uint64_t round = APART; round <= ROUNDS; round += APART) {
        go_to(replay, round);
        assert_true(replay_note(replay, film->keyframes));
    }
    go_to(replay, 1);
    for (uint64_t i = 1; i < 100; i++) {
        assert_true(steps_to(replay, i * 641 % ROUNDS) <= APART + 1);
    }
    replay_destroy(replay);
    film_release(film);
}

/* A part begins with a checkpoint, so a seek to it does not compute the part before. */
static void a_part_begins_at_its_checkpoint(void **state)
{
    struct film *film = film_of(1, NULL);
    struct replay *replay = replay_create(film->recording, 0);
    const struct recording_part *part = &film->recording->parts[1];

    (void)state;
    assert_true(film->recording->count > 1 && part->follows && part->round > 100);
    go_to(replay, 1);
    assert_int_equal(steps_to(replay, part->round), 1);
    go_to(replay, part->round - 1);
    assert_int_equal(steps_to(replay, part->round), 1); /* the round, without a checkpoint */
    assert_int_equal(replay_part(replay), 0);
    replay_destroy(replay);
    film_release(film);
}

/* A film of the recording with repeated inputs before the first round. */
static struct film *film_with(struct recording *recording, uint32_t round, uint32_t count,
                              struct input more, struct proto_error *error)
{
    struct recording_part *part = &recording->parts[0];
    struct input_reader reader = {.clock = input_clock_at(part->clock, 30),
                                  .at = part->inputs,
                                  .end = part->inputs + part->input_size};
    uint8_t *inputs = malloc(part->input_size + (size_t)count * 32);
    struct input input;
    size_t before;
    size_t size;

    assert_non_null(inputs);
    for (uint32_t made = 0; made < round;) {
        assert_int_equal(input_next(&reader, &input), INPUT_READ);
        made += input.type == INPUT_TICK || input.type == INPUT_STILL;
    }
    before = size = (size_t)(reader.at - part->inputs);
    memcpy(inputs, part->inputs, before);
    more.time += reader.clock.time;
    for (uint32_t i = 0; i < count; i++) {
        size += input_encode(&reader.clock, &more, inputs + size);
    }
    memcpy(inputs + size, reader.at, part->input_size - before);
    part->inputs = inputs;
    part->input_size += size - before;
    uint8_t *bytes = write_and_destroy(recording, &size);
    free(inputs);
    return film_open(bytes, size, &(struct recording_limits){.boids = 10000}, NULL, error);
}

/* A step is short for any number of inputs between two ticks. A moment that is computed in part
 * does not count as the moment before. */
static void a_step_is_bounded(void **state)
{
    const struct input nothing = {.type = INPUT_AWAY, .slot = 100000};
    struct proto_error error = {0};
    struct film *film = film_with(live(1, 0), 400, 200000, nothing, &error);
    struct replay *replay = replay_create(film->recording, 0);
    uint32_t steps = 0;

    (void)state;
    go_to(replay, 400);
    replay_seek(replay, 402);
    for (enum replay_result result = REPLAY_MORE; result == REPLAY_MORE; steps++) {
        uint64_t before = replay_work(replay);
        result = replay_step(replay, workspace->engine);
        assert_in_range(replay_work(replay) - before, 1, 25000);
    }
    assert_in_range(steps, 150, 300);
    assert_true(scene_hash(replay_scene(replay)) == hashes[402]);
    go_to(replay, 399);
    replay_seek(replay, 401);
    assert_int_equal(replay_step(replay, workspace->engine), REPLAY_MORE);
    assert_int_equal(replay_step(replay, workspace->engine), REPLAY_MORE);
    assert_int_equal(replay_round(replay), 400);
    replay_seek(replay, 400);
    assert_int_equal(replay_step(replay, workspace->engine),
                     REPLAY_MORE); /* begins at the checkpoint */
    assert_int_equal(replay_round(replay), 0);
    replay_destroy(replay);
    film_release(film);
}

static void crowds_beyond_all_bounds_are_refused(void **state)
{
    const struct input somebody = {.type = INPUT_JOIN, .slot = INPUT_NEW, .role = PROTO_VIEWER};
    struct proto_error error = {0};
    struct film *film = film_with(live(1, 0), 400, 140000, somebody, &error);
    struct replay *replay = replay_create(film->recording, 0);
    enum replay_result result = REPLAY_MORE;

    (void)state;
    replay_seek(replay, 401);
    while (result == REPLAY_MORE) {
        result = replay_step(replay, workspace->engine);
    }
    assert_int_equal(result, REPLAY_FAILED);
    assert_string_equal(replay_problem(replay), "part 1: a person could not join");
    replay_destroy(replay);
    film_release(film);
    assert_null(film_with(live(1, UINT32_MAX / 2), 400, 1, somebody, &error));
    assert_string_equal(error.message,
                        "the recording: part 1: it has more people than a room can have");
}

static void groups_beyond_the_largest_are_refused(void **state)
{
    struct input somebody = {
        .type = INPUT_JOIN, .slot = INPUT_NEW, .role = PROTO_VIEWER, .group = PEOPLE_GROUP_MAX};
    struct proto_error error = {0};
    struct film *film = film_with(live(1, 0), 400, 1, somebody, &error);

    (void)state;
    assert_non_null(film);
    film_release(film);
    for (uint32_t i = 0; i < 2; i++) {
        somebody.group = i == 0 ? PEOPLE_GROUP_MAX + 1 : UINT32_MAX / 2;
        char expected[PROTO_TEXT_MAX];
        assert_null(film_with(live(1, 0), 400, 1, somebody, &error));
        snprintf(expected, sizeof expected,
                 "the recording: part 1: a person joined with group %u, expected 0 to 131072",
                 somebody.group);
        assert_string_equal(error.message, expected);
    }
}

static void times_that_no_client_reads_are_refused(void **state)
{
    const struct input late = {
        .type = INPUT_JOIN, .slot = INPUT_NEW, .time = UINT64_C(1) << 53, .role = PROTO_VIEWER};
    struct proto_error error = {0};

    (void)state;
    assert_null(film_with(live(1, 0), 400, 1, late, &error));
    assert_string_equal(error.message, "the recording: part 1: its clock is out of range");
}

static bool goes_on(void *argument)
{
    unsigned *rounds = argument;

    return (*rounds)-- > 0;
}

/* Returns whether the index is complete. */
static bool make_index(struct film *film, unsigned *questions)
{
    struct film_index *index = film_index_begin(film);
    bool complete;

    assert_non_null(index);
    complete = film_index_work(index, workspace->engine, goes_on, questions);
    film_index_end(index);
    return complete;
}

static void an_index_is_made_until_somebody_says_no(void **state)
{
    struct film *film = film_of(2, NULL);
    unsigned rounds = 50;

    (void)state;
    assert_false(make_index(film, &rounds));
    assert_int_equal(rounds, UINT32_MAX);
    rounds = 2 * ROUNDS;
    assert_true(make_index(film, &rounds));
    /* One question a round, and one more after a checkpoint was loaded. */
    assert_in_range(2 * ROUNDS - rounds, ROUNDS, ROUNDS + film->recording->count);
    film_release(film);
}

/* film_index_work() asks between two steps of a round, too, so thousands of inputs do not delay the
 * end.
 */
static void an_index_ends_within_a_round(void **state)
{
    const struct input nothing = {.type = INPUT_AWAY, .slot = 100000};
    struct proto_error error = {0};
    struct film *film = film_with(live(1, 0), 0, 200000, nothing, &error);
    unsigned questions = 100;

    (void)state;
    assert_false(make_index(film, &questions));
    assert_int_equal(questions, UINT32_MAX);
    assert_int_equal(keyframes_count(film->keyframes), 0);
    questions = 100000;
    assert_true(make_index(film, &questions));
    assert_in_range(100000 - questions, ROUNDS + 100, ROUNDS + 1000); /* the first round has 200 */
    film_release(film);
}

static void its_bytes_are_counted(void **state)
{
    struct history_budget budget = {.bytes_max = 1u << 20};
    struct film *film = film_of(3, &budget);
    struct proto_error error = {0};
    size_t size;

    (void)state;
    assert_int_equal(budget.bytes, film->size);
    film_release(film_hold(film));
    assert_int_equal(budget.bytes, film->size);
    film_release(film);
    assert_int_equal(budget.bytes, 0);
    uint8_t *bytes = record(3, &size);
    budget.bytes_max = size - 1;
    assert_null(
        film_open(bytes, size, &(struct recording_limits){.boids = 10000}, &budget, &error));
    assert_int_equal(error.code, PROTO_E_FULL);
    assert_int_equal(budget.bytes, 0);
}

static void too_many_boids_are_refused(void **state)
{
    struct proto_error error = {0};
    size_t size;
    uint8_t *bytes = record(4, &size);

    (void)state;
    assert_null(
        film_open(bytes, size, &(struct recording_limits){.boids = BOIDS - 1}, NULL, &error));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_string_equal(error.message,
                        "the recording: part 1: it has 40 boids, a room here may have 39 "
                        "(--room-boids)");
}

/* A recording is small, and a reset after its checkpoint makes as many boids as its settings say.
 */
static void a_reset_to_too_many_boids_is_refused(void **state)
{
    struct proto_error error = {0};
    size_t size;

    (void)state;
    first_boids = 1000000;
    uint8_t *bytes = record(4, &size);
    first_boids = 0;
    assert_null(film_open(bytes, size, &(struct recording_limits){.boids = 5000}, NULL, &error));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_string_equal(error.message, "the recording: part 1: a reset makes 1000000 boids, a room "
                                       "here may have 5000 (--room-boids)");
}

static void ignore(void *argument, room_member member, struct frame *frame,
                   const struct room_grant *grant)
{
    (void)argument;
    (void)member;
    (void)grant;
    frame_release(frame);
}

static void close_nobody(void *argument, room_member member, const struct room_end *end)
{
    (void)argument;
    (void)member;
    (void)end;
    fail();
}

/* A room that was saved under a larger --room-boids keeps its boids, and a reset makes no more. */
static void a_restored_room_resets_within_its_limit(void **state)
{
    const struct proto_client_message reset = {.type = PROTO_RESET};
    const struct room_sink sink = {.tell = ignore, .close = close_nobody};
    struct room_definition definition = room_definition_default();
    struct boid_budget budget = {.boids_max = 2000000};
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    struct proto_error error = {0};
    struct room_origin origin = {.continues = true, .vacated = true};

    (void)state;
    room->present->controls.boids = 1000000;
    uint8_t *bytes = room_save(room, 0, &origin.size);
    assert_non_null(bytes);
    saved_seal(bytes, origin.size);
    origin.state = bytes;
    room_destroy(room);
    definition.budget = &budget;
    definition.boids_max = 100;
    room = room_create(&definition, &sink, &origin, &error);
    assert_string_equal(error.message, "");
    assert_non_null(room);
    assert_true(room_direct(room, &reset, 0, &error));
    assert_int_equal(flock_count(scene_flock(room->present)), 100);
    assert_int_equal(budget.boids, 100);
    room_destroy(room);
    free(bytes);
}

/* Slots of people who left take memory, too. */
static void too_many_slots_for_people_are_refused(void **state)
{
    const struct recording_limits limits = {.boids = 5000, .people = 100};
    struct proto_error error = {0};
    size_t size;

    (void)state;
    crowd = 2000;
    uint8_t *bytes = record(4, &size);
    assert_null(film_open(bytes, size, &limits, NULL, &error));
    assert_string_equal(error.message,
                        "the recording: part 1: people: slots for 2000 people, a room here may "
                        "have 1124: --max-clients, and 1024 who left");
    crowd = 100000;
    bytes = record(4, &size);
    assert_null(film_open(bytes, size, &limits, NULL, &error));
    assert_non_null(strstr(error.message, "one value too many for 100 people (--max-clients)"));
    crowd = 1000;
    bytes = record(4, &size);
    crowd = 0;
    struct film *film = film_open(bytes, size, &limits, NULL, &error);
    assert_non_null(film);
    film_release(film);
}

/* A file with one changed byte is refused or still valid. */
static void damaged_files_are_refused(void **state)
{
    size_t size;
    uint8_t *bytes = record(5, &size);

    (void)state;
    for (size_t i = 0; i < 300; i++) {
        struct proto_error error = {0};
        uint8_t *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        copy[i * 7919 % size] ^= (uint8_t)(1u << i % 8);
        if (i % 2 == 0) {
            saved_seal(copy, size);
        }
        struct film *film =
            film_open(copy, size, &(struct recording_limits){.boids = 10000}, NULL, &error);
        assert_true((film == NULL) == (error.message[0] != '\0'));
        film_release(film);
    }
    free(bytes);
}

/* Of a refused film no byte stays counted. */
static void a_film_for_which_memory_runs_out_is_refused(void **state)
{
    const struct recording_limits limits = {.boids = 10000};
    struct history_budget budget = {.bytes_max = 1 << 20};
    struct failing_plan *plan = failing_plan();
    struct film *film = NULL;
    size_t size;
    uint8_t *bytes = record(1, &size);

    (void)state;
    for (uint64_t number = 1; film == NULL; number++) {
        struct proto_error error = {0};
        uint8_t *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        assert_int_equal(history_budget_taken(&budget), 0);
        plan->from = plan->count + number;
        plan->until = UINT64_MAX;
        film = film_open(copy, size, &limits, &budget, &error);
        plan->from = 0;
        assert_true(film != NULL || strstr(error.message, "memory") != NULL);
    }
    film_release(film);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moment_is_the_same_from_any_keyframe),
        cmocka_unit_test(keyframes_are_near),
        cmocka_unit_test(a_part_begins_at_its_checkpoint),
        cmocka_unit_test(a_step_is_bounded),
        cmocka_unit_test(crowds_beyond_all_bounds_are_refused),
        cmocka_unit_test(groups_beyond_the_largest_are_refused),
        cmocka_unit_test(times_that_no_client_reads_are_refused),
        cmocka_unit_test(an_index_is_made_until_somebody_says_no),
        cmocka_unit_test(an_index_ends_within_a_round),
        cmocka_unit_test(its_bytes_are_counted),
        cmocka_unit_test(too_many_boids_are_refused),
        cmocka_unit_test(a_reset_to_too_many_boids_is_refused),
        cmocka_unit_test(a_restored_room_resets_within_its_limit),
        cmocka_unit_test(too_many_slots_for_people_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(a_film_for_which_memory_runs_out_is_refused),
    };

    return cmocka_run_group_tests(tests, make_workspace, end_workspace);
}
