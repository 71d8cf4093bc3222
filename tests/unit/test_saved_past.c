/* The last minutes of a room's past outlive the process: every moment is the same bit for bit, and
 * what a disk may have damaged is left out. */
#include "past/saved_past.h"

#include "room_life.h"

#include "past/earlier_past.h"
#include "past/history.h"
#include "past/history_budget.h"
#include "past/replay.h"
#include "room/room_state.h"
#include "room/state.h"
#include "scene/inside.h"
#include "scene/saved.h"
#include "scene/scene.h"
#include "test_workspace.h"

#define S UINT64_C(1000000)

enum { ROUNDS = 900, LIVES = 3, MINUTES = 11, RATE = 30 };

static struct history_budget budget = {.bytes_max = 512u << 20};
/* Of the room and of its flock after each round. */
static uint64_t hashes[LIVES * ROUNDS + 1], flocks[LIVES * ROUNDS + 1];

static struct room_definition definition_of(uint32_t seed)
{
    struct room_definition definition = room_definition_default();

    flock_settings_choose(&definition.flock.settings, flock_models[seed % 5]);
    definition.flock.settings.boundary = (enum flock_boundary)(seed % 3);
    definition.flock.boids = 40;
    definition.flock.seed = seed;
    definition.controls.policy = (enum cursor_policy)(seed % 6);
    definition.cursor_timeout = 1 * S;
    definition.rewind = 600 * S;
    definition.history_budget = &budget;
    return definition;
}

static void begin(struct life *life, uint32_t seed)
{
    struct room_definition definition = definition_of(seed);

    *life = (struct life){.now = 7000 * S, .random = seed, .people = 8};
    life_begin(life, &definition);
}

static uint64_t hash_boids(const struct flock *flock)
{
    static float values[2][SCENE_BOIDS_MAX];
    uint64_t hash = 1;

    flock_positions(flock, values[0], values[1]);
    for (uint32_t i = 0; i < flock_count(flock); i++) {
        uint32_t bits[2];
        memcpy(&bits[0], &values[0][i], sizeof bits[0]);
        memcpy(&bits[1], &values[1][i], sizeof bits[1]);
        hash = (hash * 31 + bits[0]) * 31 + bits[1];
    }
    return hash;
}

static void live(struct life *life, uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        life_round(life, workspace);
        const struct scene *scene = life->room->present;
        if (scene_rounds(scene) <= LIVES * ROUNDS) {
            hashes[scene_rounds(scene)] = scene_hash(scene);
            flocks[scene_rounds(scene)] = hash_boids(scene_flock(scene));
        }
    }
}

/* A saved room and its past. */
struct saved_room {
    uint8_t *state, *past;
    size_t state_size, past_size;
};

static struct saved_room save(const struct life *life)
{
    struct saved_room saved;
    struct recording *recording = room_hold_unsaved_past(life->room);

    assert_non_null(recording);
    assert_null(room_hold_unsaved_past(life->room)); /* nothing has changed since */
    saved.past = saved_past_write(recording, &saved_past_stored, &saved.past_size);
    assert_non_null(saved.past);
    recording_destroy(recording);
    saved.state = room_save(life->room, life->now, &saved.state_size);
    assert_non_null(saved.state);
    saved_seal(saved.state, saved.state_size);
    return saved;
}

/* The next process: without its people, with another clock. */
static void restore(struct life *life, uint32_t seed, const struct saved_room *saved)
{
    struct room_definition definition = definition_of(seed);
    const struct room_sink sink = {.tell = life_hear, .close = life_closed, .argument = life};
    struct proto_error error = {0};

    life->now = 3 * S;
    memset(life->members, 0, sizeof life->members);
    definition.people_max = LIFE_PEOPLE;
    life->room = room_create(&definition, &sink,
                             &(struct room_origin){.state = saved->state,
                                                   .size = saved->state_size,
                                                   .continues = true,
                                                   .vacated = true,
                                                   .now = life->now},
                             &error);
    assert_string_equal(error.message, "");
    assert_non_null(life->room);
}

static void take(const struct life *life, const struct saved_room *saved)
{
    struct proto_error error = {0};
    struct recording *past =
        saved_past_read(saved->past, saved->past_size, &saved_past_stored, SCENE_BOIDS_MAX, &error);

    if (past == NULL || !room_take_past(life->room, past, &error)) {
        fail_msg("%s", error.message);
    }
    recording_destroy(past);
}

static void restart(struct life *life, uint32_t seed)
{
    struct saved_room saved = save(life);

    room_destroy(life->room);
    restore(life, seed, &saved);
    take(life, &saved);
    free(saved.state);
}

/* Returns the first moment that the room's past has. */
static uint64_t check_moments(const struct life *life)
{
    struct recording *recording = room_hold_past(life->room);
    struct replay *replay = replay_create(recording, 0);
    uint64_t first = recording->parts[0].round;

    for (uint64_t round = first + 1; round <= recording_end(recording); round++) {
        enum replay_result result;
        replay_seek(replay, round);
        while ((result = replay_step(replay, workspace->engine)) == REPLAY_MORE) {
        }
        assert_int_equal(result, REPLAY_THERE);
        if (replay_round(replay) != round ||
            hash_boids(scene_flock(replay_scene(replay))) != flocks[round] ||
            (round % ROUNDS != 0 && /* people leave when the process ends */
             scene_hash(replay_scene(replay)) != hashes[round])) {
            fail_msg("another room after round %u", (unsigned)round);
        }
    }
    replay_destroy(replay);
    recording_destroy(recording);
    return first;
}

/* People join, move cursors, change settings and class modes, and leave. */
static void every_moment_comes_back_bit_for_bit(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 8; seed++) {
        struct life life;
        begin(&life, seed);
        for (uint32_t i = 0; i < LIVES; i++) {
            live(&life, ROUNDS);
            if (i + 1 < LIVES) {
                restart(&life, seed);
            }
        }
        assert_int_equal(check_moments(&life), 0);
        life_end(&life);
        assert_int_equal(budget.bytes, 0);
    }
}

/* As after a kill: the room was saved later than its past. */
static void a_past_may_end_before_the_room(void **state)
{
    struct life life;

    (void)state;
    begin(&life, 2);
    live(&life, ROUNDS);
    struct saved_room saved = save(&life);
    live(&life, 60);
    free(saved.state);
    saved.state = room_save(life.room, life.now, &saved.state_size);
    saved_seal(saved.state, saved.state_size);
    room_destroy(life.room);
    restore(&life, 2, &saved);
    take(&life, &saved);
    live(&life, ROUNDS - 60);
    struct recording *recording = room_hold_past(life.room);
    size_t gap = recording_find(recording, ROUNDS + 59);
    assert_int_equal(recording->parts[gap].round + recording->parts[gap].rounds, ROUNDS);
    assert_int_equal(recording->parts[gap + 1].round, ROUNDS + 60);
    assert_false(recording->parts[gap + 1].follows);
    assert_int_equal(recording_end(recording), 2 * ROUNDS);
    recording_destroy(recording);
    free(saved.state);
    life_end(&life);
}

static void marks_come_back_with_their_names(void **state)
{
    struct life life;
    struct proto_client_message message = {.type = PROTO_PARAM, .param = {"flee_weight", 1.5F}};

    (void)state;
    begin(&life, 1);
    life_join(&life, 0); /* a presenter */
    for (uint32_t i = 0; i < 90; i++) {
        if (i == 30) {
            life_say(&life, 0, message);
        }
        life.now += LIFE_PERIOD;
        assert_true(room_tick(life.room, workspace, life.now));
        view_release(room_snapshot(life.room, workspace, life.now));
    }
    const struct marks *marks = &life.room->marks;
    assert_true(marks->count > 0);
    const struct mark before = marks->list[0];
    const uint32_t count = marks->count;
    restart(&life, 1);
    marks = &life.room->marks;
    assert_int_equal(marks->count, count);
    assert_int_equal(marks->list[0].round, before.round);
    assert_int_equal(marks->list[0].event.by, before.event.by);
    assert_string_equal(marks->list[0].event.who, before.event.who);
    assert_string_equal(marks->list[0].event.what, before.event.what);
    assert_string_equal(marks->list[0].event.to, before.event.to);
    life_end(&life);
}

/* A room that runs for longer than --rewind. */
static void the_last_minutes_are_saved(void **state)
{
    struct life life;
    size_t size;

    (void)state;
    begin(&life, 1);
    life.people = 1;
    live(&life, MINUTES * 60 * RATE);
    struct recording *recording = room_hold_past(life.room);
    assert_true(recording->parts[0].round > 0);
    uint8_t *bytes = saved_past_write(recording, &saved_past_stored, &size);
    assert_non_null(bytes);
    uint64_t span = recording_end(recording) - recording->parts[0].round;
    assert_in_range(span, SAVED_PAST_TIME * RATE, (SAVED_PAST_TIME + 30) * RATE);
    recording_destroy(recording);
    free(bytes);
    life_end(&life);
}

static void the_bytes_are_bounded(void **state)
{
    enum { PARTS = 24, MIB = 1 << 20 };
    struct recording recording;
    uint8_t *state_bytes = calloc(1, MIB);
    size_t size;

    (void)state;
    recording_begin(&recording, RATE, 10);
    recording.parts = calloc(PARTS, sizeof *recording.parts);
    recording.count = PARTS;
    for (size_t i = 0; i < PARTS; i++) {
        recording.parts[i] = (struct recording_part){.round = i * 30,
                                                     .rounds = 30,
                                                     .follows = i > 0,
                                                     .state = state_bytes,
                                                     .state_size = MIB,
                                                     .inputs = state_bytes};
    }
    uint8_t *bytes = saved_past_write(&recording, &saved_past_stored, &size);
    assert_non_null(bytes);
    assert_int_equal(recording.count, 15);
    assert_int_equal(recording_end(&recording), PARTS * 30); /* the newest ones */
    assert_in_range(size, 15 * MIB, SAVED_PAST_BYTES);
    free(bytes);
    free(recording.parts);
    free(state_bytes);
}

static void expect_refusal(const uint8_t *bytes, size_t size, uint32_t boids_max, const char *why)
{
    struct proto_error error = {0};
    uint8_t *copy = malloc(size);

    memcpy(copy, bytes, size);
    struct recording *past = saved_past_read(copy, size, &saved_past_stored, boids_max, &error);
    if (past != NULL || strstr(error.message, why) == NULL) {
        fail_msg("expected %s, got %s", why, past != NULL ? "a past" : error.message);
    }
}

static void a_damaged_past_is_refused(void **state)
{
    struct life life;

    (void)state;
    begin(&life, 4);
    live(&life, ROUNDS);
    struct saved_room saved = save(&life);
    for (size_t at = 0; at < saved.past_size; at += 97) {
        saved.past[at] ^= 0x10;
        expect_refusal(saved.past, saved.past_size, SCENE_BOIDS_MAX, "");
        saved.past[at] ^= 0x10;
    }
    expect_refusal(saved.past, saved.past_size - 1, SCENE_BOIDS_MAX, "");
    expect_refusal(saved.past, 5, SCENE_BOIDS_MAX, "");
    expect_refusal(saved.past, saved.past_size, 3, "boids, a room here may have 3");
    uint8_t *large = calloc(1, SAVED_PAST_BYTES + 1);
    memcpy(large, saved.past, saved.past_size);
    expect_refusal(large, SAVED_PAST_BYTES + 1, SCENE_BOIDS_MAX, "bytes");
    free(large);
    free(saved.past);
    free(saved.state);
    life_end(&life);
}

/* The bytes were changed, and so was their checksum. The past is refused, or its replay says what
 * is wrong; the room continues. */
static void a_forged_past_harms_nothing(void **state)
{
    struct life life;
    uint32_t refused = 0;

    (void)state;
    begin(&life, 5);
    live(&life, ROUNDS);
    struct saved_room saved = save(&life);
    room_destroy(life.room);
    for (size_t at = SAVED_HEAD; at < saved.past_size; at += 211) {
        struct proto_error error = {0};
        uint8_t *copy = malloc(saved.past_size);
        memcpy(copy, saved.past, saved.past_size);
        copy[at] ^= 0xff;
        saved_seal(copy, saved.past_size);
        struct recording *past =
            saved_past_read(copy, saved.past_size, &saved_past_stored, SCENE_BOIDS_MAX, &error);
        restore(&life, 5, &saved);
        if (past == NULL || !room_take_past(life.room, past, &error)) {
            refused++;
        } else {
            struct replay *replay = replay_create(past, 0);
            for (size_t part = 0; part < past->count; part++) {
                (void)replay_verify(replay, workspace->engine, part);
            }
            replay_destroy(replay);
        }
        recording_destroy(past);
        assert_true(room_tick(life.room, workspace, life.now + LIFE_PERIOD));
        room_destroy(life.room);
        assert_int_equal(budget.bytes, 0);
    }
    assert_true(refused > 10);
    life.room = NULL;
    free(saved.past);
    free(saved.state);
    life_end(&life);
}

static void a_past_that_does_not_fit_the_room_is_refused(void **state)
{
    struct life life;
    struct proto_error error = {0};

    (void)state;
    begin(&life, 2);
    live(&life, 100);
    struct saved_room early = save(&life);
    free(early.past);
    live(&life, 100);
    struct saved_room saved = save(&life);
    room_destroy(life.room);
    restore(&life, 2, &early);
    struct recording *past =
        saved_past_read(saved.past, saved.past_size, &saved_past_stored, SCENE_BOIDS_MAX, &error);
    assert_non_null(past);
    assert_false(room_take_past(life.room, past, &error));
    assert_string_equal(error.message, "it is newer than the room");
    room_destroy(life.room);
    restore(&life, 2, &saved);
    past->tick_rate = 31;
    assert_false(room_take_past(life.room, past, &error));
    assert_string_equal(error.message, "it has another tick rate");
    past->tick_rate = RATE;
    assert_true(room_take_past(life.room, past, &error));
    recording_destroy(past);
    free(early.state);
    free(saved.state);
    life_end(&life);
}

/* --rewind-memory of this start is lower than before. */
static void the_budget_limits_what_comes_back(void **state)
{
    struct life life;

    (void)state;
    begin(&life, 1);
    live(&life, 3 * ROUNDS);
    struct saved_room saved = save(&life);
    size_t bytes = history_bytes(life.room->history);
    room_destroy(life.room);
    restore(&life, 1, &saved);
    budget.bytes_max = budget.beside + bytes / 2;
    take(&life, &saved);
    assert_in_range(budget.bytes, 1, bytes / 2);
    struct recording *recording = room_hold_past(life.room);
    assert_int_equal(recording_end(recording), 3 * ROUNDS); /* the newest parts */
    assert_true(recording->parts[0].round > 0);
    recording_destroy(recording);
    budget.bytes_max = 512u << 20;
    free(saved.state);
    life_end(&life);
}

/* ---- a room that goes to another node: its past follows while it ticks ---- */

static struct recording *read_past(const struct saved_room *saved)
{
    struct proto_error error = {0};
    struct recording *past =
        saved_past_read(saved->past, saved->past_size, &saved_past_stored, SCENE_BOIDS_MAX, &error);

    if (past == NULL) {
        fail_msg("%s", error.message);
    }
    return past;
}

/* Gives the room a past as another thread does. */
static bool give_earlier(const struct life *life, const struct recording *recording,
                         struct proto_error *error)
{
    struct earlier_past *past = earlier_past_create(recording, &budget);
    const bool taken = past != NULL && room_take_earlier_past(life->room, past, error);

    earlier_past_destroy(past);
    return taken;
}

static void an_earlier_past_follows_while_the_room_ticks(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 5; seed++) {
        struct proto_error error = {0};
        struct life life;
        begin(&life, seed);
        live(&life, ROUNDS);
        struct saved_room saved = save(&life);
        room_destroy(life.room);
        restore(&life, seed, &saved);
        live(&life, 100);
        struct recording *past = read_past(&saved);
        assert_true(give_earlier(&life, past, &error));
        assert_int_equal(history_rounds(life.room->history, life.room->present), ROUNDS + 100);
        assert_false(give_earlier(&life, past, &error)); /* twice */
        assert_int_equal(history_rounds(life.room->history, life.room->present), ROUNDS + 100);
        recording_destroy(past);
        free(saved.state);
        live(&life, ROUNDS);
        assert_int_equal(check_moments(&life), 0);
        life_end(&life);
        assert_int_equal(budget.bytes, 0);
    }
}

/* A past of a later moment would mix with what the room has made here. */
static void a_later_past_is_refused(void **state)
{
    struct proto_error error = {0};
    struct life life;

    (void)state;
    begin(&life, 2);
    live(&life, 300);
    struct saved_room early = save(&life);
    free(early.past);
    live(&life, 100);
    struct saved_room saved = save(&life);
    free(saved.state);
    room_destroy(life.room);
    restore(&life, 2, &early);
    live(&life, 200);
    struct recording *past = read_past(&saved);
    assert_false(give_earlier(&life, past, &error));
    past->parts[past->count - 1].rounds -= 100; /* it ends in time, and says so wrongly */
    past->parts[past->count - 1].clock = UINT64_MAX;
    assert_false(give_earlier(&life, past, &error));
    assert_int_equal(history_rounds(life.room->history, life.room->present), 200);
    recording_destroy(past);
    free(early.state);
    life_end(&life);
    assert_int_equal(budget.bytes, 0);
}

/* The newest parts of the earlier past come, and no part of this room gives way to them. */
static void the_budget_limits_an_earlier_past(void **state)
{
    struct proto_error error = {0};
    struct life life;

    (void)state;
    begin(&life, 1);
    live(&life, 2 * ROUNDS);
    struct saved_room saved = save(&life);
    room_destroy(life.room);
    restore(&life, 1, &saved);
    live(&life, 300);
    struct recording *past = read_past(&saved);
    assert_true(past->count > 1);
    const uint64_t bytes = budget.bytes;
    budget.bytes_max = budget.bytes + budget.beside + past->parts[past->count - 1].state_size +
                       past->parts[past->count - 1].input_size + 1024;
    assert_true(give_earlier(&life, past, &error));
    assert_in_range(budget.bytes, bytes + 1, budget.bytes_max);
    assert_int_equal(history_rounds(life.room->history, life.room->present),
                     2 * ROUNDS + 300 - past->parts[past->count - 1].round);
    recording_destroy(past);
    free(saved.state);
    life_end(&life);
    budget.bytes_max = 512u << 20;
    assert_int_equal(budget.bytes, 0);
}

/* Others take all memory between the copies and their arrival at the room: all copies come, and
 * nothing of the room's own past goes. The room's thread copies nothing. */
static void memory_that_others_take_meanwhile(void **state)
{
    enum { PARTS = 30 };
    static uint8_t bytes[PARTS][1u << 16];
    struct recording_part parts[PARTS];
    struct proto_error error = {0};
    struct life life;

    (void)state;
    begin(&life, 1);
    live(&life, 60);
    struct saved_room saved = save(&life);
    room_destroy(life.room);
    restore(&life, 1, &saved);
    live(&life, 30);
    const uint64_t own = history_rounds(life.room->history, life.room->present);
    struct recording *past = read_past(&saved);
    struct recording forged = *past;
    for (uint32_t i = 0; i < PARTS; i++) {
        parts[i] = past->parts[0];
        parts[i].round = parts[i].tick = i;
        parts[i].rounds = 1;
        parts[i].follows = i > 0;
        parts[i].state = bytes[i];
        parts[i].state_size = sizeof bytes[i] - 1000;
    }
    forged.parts = parts;
    forged.count = PARTS;
    budget.bytes_max = budget.bytes + budget.beside + 20 * (1u << 16);
    struct earlier_past *made = earlier_past_create(&forged, &budget);
    assert_non_null(made);
    assert_in_range(budget.bytes + budget.beside, 1, budget.bytes_max);
    const uint64_t rest = budget.bytes_max - budget.bytes - budget.beside;
    assert_true(rest < 1u << 16);
    assert_true(history_budget_take(&budget, rest)); /* another room */
    assert_true(room_take_earlier_past(life.room, made, &error));
    assert_null(made->parts.first);
    earlier_past_destroy(made);
    struct recording *got = room_hold_past(life.room);
    assert_non_null(got);
    const uint64_t first = got->parts[0].round;
    const size_t count = PARTS - first;
    assert_in_range(count, 19, 20);
    assert_memory_equal(got->parts[0].state, bytes[first], sizeof bytes[0] - 1000);
    for (size_t i = 0; i + 1 < count; i++) { /* without a hole */
        assert_int_equal(got->parts[i].round + got->parts[i].rounds, got->parts[i + 1].round);
        assert_int_equal(got->parts[i].follows, i > 0);
    }
    assert_int_equal(scene_rounds(life.room->present) - got->parts[count].round, own);
    recording_destroy(got);
    recording_destroy(past);
    free(saved.state);
    life_end(&life);
    history_budget_give(&budget, rest);
    budget.bytes_max = 512u << 20;
    assert_int_equal(budget.bytes, 0);
}

/* A room of another budget would give back bytes that it has not taken. */
static void a_past_of_another_budget_is_refused(void **state)
{
    struct history_budget other = {.bytes_max = 512u << 20};
    struct proto_error error = {0};
    struct life life;

    (void)state;
    begin(&life, 1);
    live(&life, 60);
    struct saved_room saved = save(&life);
    room_destroy(life.room);
    restore(&life, 1, &saved);
    struct recording *recording = read_past(&saved);
    struct earlier_past *past = earlier_past_create(recording, &other);
    assert_non_null(past);
    assert_false(room_take_earlier_past(life.room, past, &error));
    earlier_past_destroy(past);
    assert_int_equal(other.bytes, 0);
    recording_destroy(recording);
    free(saved.state);
    life_end(&life);
    assert_int_equal(budget.bytes, 0);
}

static void marks_of_an_earlier_past(void **state)
{
    struct marks old = {0};
    struct marks marks = {0};

    (void)state;
    for (uint64_t i = 0; i < PROTO_MARKS_MAX; i++) {
        assert_true(marks_add(&old, &(struct mark){.round = i}));
    }
    assert_true(marks_add(&marks, &(struct mark){.round = PROTO_MARKS_MAX}));
    assert_true(marks_add_earlier(&marks, &old, 10));
    assert_int_equal(marks.count, PROTO_MARKS_MAX - 9);
    assert_int_equal(marks.list[0].round, 10);
    marks_finish(&marks);
    assert_true(marks_add(&marks, &(struct mark){.round = PROTO_MARKS_MAX}));
    assert_true(marks_add(&marks, &(struct mark){.round = PROTO_MARKS_MAX + 1}));
    assert_true(marks_add_earlier(&marks, &old, 0));
    assert_int_equal(marks.count, PROTO_MARKS_MAX);
    assert_int_equal(marks.list[0].round, 2); /* the newest fit */
    assert_int_equal(marks.list[PROTO_MARKS_MAX - 1].round, PROTO_MARKS_MAX + 1);
    marks_finish(&marks);
    marks_finish(&old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_moment_comes_back_bit_for_bit),
        cmocka_unit_test(a_past_may_end_before_the_room),
        cmocka_unit_test(marks_come_back_with_their_names),
        cmocka_unit_test(the_last_minutes_are_saved),
        cmocka_unit_test(the_bytes_are_bounded),
        cmocka_unit_test(a_damaged_past_is_refused),
        cmocka_unit_test(a_forged_past_harms_nothing),
        cmocka_unit_test(a_past_that_does_not_fit_the_room_is_refused),
        cmocka_unit_test(the_budget_limits_what_comes_back),
        cmocka_unit_test(an_earlier_past_follows_while_the_room_ticks),
        cmocka_unit_test(a_later_past_is_refused),
        cmocka_unit_test(the_budget_limits_an_earlier_past),
        cmocka_unit_test(memory_that_others_take_meanwhile),
        cmocka_unit_test(a_past_of_another_budget_is_refused),
        cmocka_unit_test(marks_of_an_earlier_past),
    };

    return cmocka_run_group_tests(tests, make_workspace, end_workspace);
}
