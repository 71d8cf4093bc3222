/* Sweeps of a room: their points, how they end, and what undo, pauses, the past and saved rooms
 * make of them. */
#include "room/sweeps.h"

#include "room/branch.h"
#include "room/room_state.h"
#include "room/state.h"
#include "room/workspace.h"
#include "scene/inside.h"
#include "scene/passing.h"
#include "scene/saved.h"

#include "control_room.h"

#define RATE 30u /* ticks a second */

/* Forty boids of the model `boids` that nothing steers, so that each tick follows from the one
 * before. */
static void fill(void)
{
    set("model", "boids");
    set("idle", "hold");
    set("boundary", "wrap");
    assert_true(try_add(ada, 275, 200, 28));
    param("noise", 5.0F);
    clock_now += 3 * SECOND; /* a change of the noise is no part of this one */
}

static bool try_sweep(struct client *client, const char *name, float from, float to, uint32_t steps)
{
    struct proto_client_message message = {
        .type = PROTO_SWEEP,
        .sweep = {.from = from, .to = to, .steps = steps, .warm_up = 1, .seconds = 2}};

    snprintf(message.sweep.name, sizeof message.sweep.name, "%s", name);
    return say(client, &message);
}

static void sweep_noise(void)
{
    assert_true(try_sweep(ada, "noise", 0.0F, 40.0F, 3));
}

/* Returns the newest sweep, as the topic has it. */
static const struct proto_swept *swept(void)
{
    static struct proto_swept last;
    struct frame *frame = sweeps_frame(room);

    last = read_frame(frame)->swept;
    frame_release(frame);
    return &last;
}

static float value_of(const struct scene *scene, const char *name)
{
    const struct flock *flock = scene_flock(scene);
    const int index = flock_param_find(flock_settings_of(flock)->model, name);

    assert_true(index >= 0);
    return flock_param_get(flock, (size_t)index);
}

static float noise(void)
{
    return value_of(room->present, "noise");
}

static void assert_ended(const char *state, float value)
{
    tick(1); /* after the last value, the next tick ends a sweep */
    assert_string_equal(swept()->state, state);
    assert_true(noise() == value);
    assert_false(scene_is_passing(room->present));
    const uint32_t points = swept()->count;
    tick(4 * RATE);
    assert_true(noise() == value);
    assert_int_equal(swept()->count, points);
}

static struct flock *twin_of(const struct flock *flock)
{
    struct flock_image image;
    const char *problem;

    flock_image_of(flock, &image);
    struct flock *twin = flock_create_image(&image, &problem);
    assert_non_null(twin);
    return twin;
}

/* A twin of the room's flock, which the engine sweeps without a room, has the same points bit for
 * bit. */
static void test_points_are_those_of_the_engine(void **state)
{
    const struct sweep_plan plan = {
        .from = 0.0F, .to = 40.0F, .steps = 3, .warm_up = RATE, .ticks = 2 * RATE, .every = 6};
    static struct sweep sweep;

    (void)state;
    fill();
    tick(50);
    struct flock *twin = twin_of(scene_flock(room->present));
    assert_string_equal(swept()->state, "none");
    sweep_noise();
    sweep_begin(&sweep, &plan);
    for (uint32_t step = 0; step < 3; step++) {
        const size_t index = flock_settings_of(twin)->model->common[FLOCK_NOISE];
        assert_true(flock_param_set(twin, index, 20.0F * (float)step));
        for (uint32_t i = 0; i < 3 * RATE; i++) {
            assert_int_equal(swept()->count, step);
            assert_string_equal(swept()->state, "running");
            tick(1);
            assert_true(noise() == 20.0F * (float)step);
            assert_true(flock_tick(twin, workspace->engine, NULL));
            (void)sweep_tick(&sweep, twin, workspace->engine);
        }
    }
    assert_true(sweep_is_complete(&sweep));
    assert_int_equal(swept()->count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct proto_swept_point *point = &swept()->points[i];
        assert_true(point->value == 20.0F * (float)i);
        assert_int_equal(point->samples, 10);
        assert_memory_equal(point->means, sweep.points[i].mean, sizeof point->means);
        assert_memory_equal(point->errors, sweep.points[i].error, sizeof point->errors);
        assert_true(point->means[SWEEP_SPEED] > 0.0F && point->errors[SWEEP_SPEED] > 0.0F);
    }
    assert_true(swept()->points[0].means[SWEEP_POLARIZATION] >
                swept()->points[2].means[SWEEP_POLARIZATION]);
    assert_ended("done", 5.0F);
    flock_destroy(twin);
}

/* Members who subscribe have the whole sweep, also if they come late. */
static void test_subscribers_get_the_whole_sweep(void **state)
{
    (void)state;
    fill();
    sweep_noise();
    tick(4 * RATE);
    subscribe(bob, PROTO_TOPIC_SWEPT);
    tick(1);
    struct room_view *view = room_snapshot(room, workspace, clock_now);
    const struct proto_swept *told = &read_frame(view->topics[VIEW_SWEPT])->swept;
    assert_string_equal(told->state, "running");
    assert_int_equal(told->by, ada->id);
    assert_string_equal(told->who, "Ada");
    assert_string_equal(told->name, "noise");
    assert_true(told->from == 0.0F && told->to == 40.0F && told->steps == 3 && told->warm_up == 1 &&
                told->seconds == 2);
    assert_int_equal(told->count, 1);
    view_release(view);
}

/* The longest sweep fits into a message. */
static void test_a_sweep_has_up_to_64_values(void **state)
{
    (void)state;
    fill();
    assert_true(try_sweep(ada, "noise", 0.0F, 360.0F, 64));
    tick(64 * 3 * RATE);
    assert_int_equal(swept()->count, 64);
    assert_true(swept()->points[63].value == 360.0F && swept()->points[63].samples == 10);
    assert_ended("done", 5.0F);
}

static void test_wrong_sweeps_are_refused(void **state)
{
    (void)state;
    fill();
    assert_false(try_sweep(bob, "noise", 0.0F, 40.0F, 3));
    assert_int_equal(error.code, PROTO_E_ROLE);
    assert_false(try_type(bob, PROTO_UNSWEEP));
    assert_int_equal(error.code, PROTO_E_ROLE);
    assert_false(try_sweep(ada, "nose", 0.0F, 40.0F, 3));
    assert_refused(PROTO_E_RANGE, "name", "name: the model boids has no parameter nose");
    assert_string_equal(error.name, "nose");
    assert_false(try_sweep(ada, "noise", -1.0F, 40.0F, 3));
    assert_refused(PROTO_E_RANGE, "from", "noise: expected 0 to 360, got -1");
    assert_false(try_sweep(ada, "noise", 40.0F, 361.0F, 3));
    assert_refused(PROTO_E_RANGE, "to", "noise: expected 0 to 360, got 361");
    assert_false(try_sweep(ada, "noise", 40.0F, 40.0F, 3));
    assert_refused(PROTO_E_RANGE, "to", "to: expected another value than from");
    set("model", "birds");
    assert_false(try_sweep(ada, "min_speed", 0.0F, 4.0F, 3));
    assert_refused(PROTO_E_RANGE, "to", "min_speed: expected at most max_speed, which is 3, got 4");
    set("model", "boids");
    assert_string_equal(swept()->state, "none");
    assert_true(noise() == 0.0F && !scene_is_passing(room->present));
    sweep_noise();
    assert_false(try_sweep(ada, "noise", 0.0F, 40.0F, 3));
    assert_refused(PROTO_E_STATE, "", "sweep: the room makes a sweep already; stop it first");
    assert_true(try_type(ada, PROTO_UNSWEEP));
    sweep_noise();
}

/* Returns whether Ada has heard of that event since the last call. */
static bool has_event(const char *name, const char *from, const char *to)
{
    bool found = false;

    run(RATE);
    for (uint32_t i = 0; i < ada->event_count; i++) {
        const struct proto_event *event = &ada->event_log[i];
        found |= strcmp(event->name, name) == 0 && strcmp(event->from, from) == 0 &&
                 strcmp(event->to, to) == 0;
    }
    ada->event_count = 0;
    return found;
}

static void test_each_value_is_a_change_of_the_presenter(void **state)
{
    (void)state;
    fill();
    run(RATE);
    ada->event_count = 0;
    sweep_noise();
    assert_true(has_event("param", "5", "0"));
    run(2 * RATE);
    assert_true(has_event("param", "0", "20"));
    assert_true(try_type(ada, PROTO_UNSWEEP));
    assert_true(has_event("param", "20", "5"));
    assert_ended("stopped", 5.0F);
}

/* While it runs, the sweep is the last change; afterwards nothing is left of it to undo. */
static void test_undo_ends_a_sweep(void **state)
{
    (void)state;
    fill();
    param("noise", 7.0F);
    run(3 * RATE);
    ada->event_count = 0;
    sweep_noise();
    tick(4 * RATE);
    assert_true(noise() == 20.0F && described()->can_undo);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_true(has_event("undo", "20", "7"));
    assert_ended("stopped", 7.0F);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_true(noise() == 5.0F);
}

static void test_a_sweep_can_be_undone_without_other_changes(void **state)
{
    (void)state;
    assert_false(described()->can_undo);
    assert_true(try_sweep(ada, "noise", 0.0F, 40.0F, 3));
    assert_true(described()->can_undo);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_false(described()->can_undo);
    assert_false(try_type(ada, PROTO_UNDO));
}

/* Changes that are made while a sweep runs do not keep its value for undo. */
static void test_undo_of_other_changes_knows_no_passing_value(void **state)
{
    (void)state;
    fill();
    sweep_noise();
    tick(4 * RATE);
    param("max_speed", 4.0F);
    assert_true(try_type(ada, PROTO_RESET));
    assert_string_equal(swept()->state, "running");
    assert_true(noise() == 20.0F);
    assert_true(try_type(ada, PROTO_UNSWEEP));
    assert_true(try_type(ada, PROTO_UNDO));
    assert_true(noise() == 5.0F && value_of(room->present, "max_speed") == 4.0F);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_true(noise() == 5.0F && value_of(room->present, "max_speed") == 3.0F);
}

/* The sweep goes on with the value that it had. */
static void test_a_preset_saved_in_a_sweep_has_the_value_before_it(void **state)
{
    const struct proto_client_message save = {.type = PROTO_SAVE, .save.name = "calm"};

    (void)state;
    fill();
    sweep_noise();
    tick(4 * RATE);
    assert_true(say(ada, &save));
    assert_true(noise() == 20.0F);
    assert_string_equal(swept()->state, "running");
    tick(5 * RATE + 1);
    assert_true(noise() == 5.0F);
    assert_string_equal(swept()->state, "done");
    param("noise", 7.0F);
    set("preset", "calm");
    assert_true(noise() == 5.0F);
}

/* Boids come nearer while a sweep runs, so that its value becomes too expensive. Here the limit of
 * ticks falls instead. */
static void test_a_save_ends_a_sweep_that_has_become_too_expensive(void **state)
{
    const struct proto_client_message save = {.type = PROTO_SAVE, .save.name = "calm"};

    (void)state;
    fill();
    assert_true(try_add(ada, 275, 200, 100));
    param("neighbor_distance", 20.0F);
    assert_true(try_sweep(ada, "neighbor_distance", 90.0F, 100.0F, 2));
    tick(1);
    room->present->definition.tick_limit = 1;
    assert_true(say(ada, &save));
    assert_true(value_of(room->present, "neighbor_distance") == 20.0F);
    assert_ended("refused", 5.0F);
    assert_true(value_of(room->present, "neighbor_distance") == 20.0F);
}

static void test_a_pause_stops_the_time_of_a_sweep(void **state)
{
    (void)state;
    fill();
    sweep_noise();
    tick(3 * RATE - 1);
    set("run", "paused");
    tick(10 * RATE);
    assert_int_equal(swept()->count, 0);
    assert_true(try_type(ada, PROTO_STEP));
    tick(1);
    assert_int_equal(swept()->count, 1);
    tick(1);
    assert_true(noise() == 20.0F);
    set("run", "running");
    tick(6 * RATE);
    assert_ended("done", 5.0F);
}

static void test_a_value_by_hand_ends_a_sweep_and_stays(void **state)
{
    (void)state;
    fill();
    sweep_noise();
    tick(4 * RATE);
    param("noise", 20.0F); /* it has that value */
    param("max_speed", 4.0F);
    assert_string_equal(swept()->state, "running");
    assert_false(try_param(ada, "noise", 999.0F));
    assert_string_equal(swept()->state, "running");
    param("noise", 30.0F);
    assert_ended("param", 30.0F);
    assert_int_equal(swept()->count, 1);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_true(noise() == 5.0F); /* the value before the sweep */
}

static void test_a_model_or_preset_ends_a_sweep(void **state)
{
    (void)state;
    fill();
    sweep_noise();
    tick(4 * RATE);
    set("model", "vision");
    assert_ended("preset", 0.0F);
    set("model", "boids");
    sweep_noise();
    set("preset", "march");
    assert_ended("preset", 0.0F);
    sweep_noise();
    set("preset", "march");
    assert_ended("preset", 0.0F);
    sweep_noise();
    set("boundary", "walls"); /* does not end it */
    assert_string_equal(swept()->state, "running");
}

/* A value that another change has made impossible ends the sweep. */
static void test_a_refused_value_ends_a_sweep(void **state)
{
    (void)state;
    set("model", "birds");
    assert_true(try_sweep(ada, "max_speed", 3.0F, 1.0F, 3));
    param("min_speed", 2.5F);
    tick(3 * RATE + 1);
    assert_string_equal(swept()->state, "refused");
    assert_int_equal(swept()->count, 1);
    assert_true(value_of(room->present, "max_speed") == 3.0F);
    assert_false(scene_is_passing(room->present));
}

/* The value before the sweep may be impossible at its end. Then the present one stays. */
static void test_an_impossible_value_is_not_put_back(void **state)
{
    (void)state;
    set("model", "birds");
    assert_true(try_sweep(ada, "max_speed", 4.0F, 5.0F, 3));
    param("min_speed", 3.5F);
    assert_true(try_type(ada, PROTO_UNSWEEP));
    assert_string_equal(swept()->state, "stopped");
    assert_true(value_of(room->present, "max_speed") == 4.0F);
    assert_false(scene_is_passing(room->present));
}

static bool ask_rewind(float back)
{
    return say(ada, &(struct proto_client_message){.type = PROTO_REWIND, .rewind = {back}});
}

static void test_a_rewind_ends_a_sweep(void **state)
{
    struct room_definition definition = definition_with_key();

    (void)state;
    definition.rewind = 60 * SECOND;
    make_two_as(&definition);
    assert_true(say_key(ada, KEY));
    fill();
    sweep_noise();
    run(5 * RATE);
    assert_true(noise() == 20.0F);
    assert_true(ask_rewind(1.0F));
    run(10);
    assert_string_equal(swept()->state, "past");
    assert_true(noise() == 5.0F);
    assert_true(value_of(room_shown(room), "noise") == 20.0F);
    assert_false(try_sweep(ada, "noise", 0.0F, 40.0F, 3));
    assert_int_equal(error.code, PROTO_E_STATE);
    assert_true(try_type(ada, PROTO_LIVE));
    run(4);
    assert_ended("past", 5.0F);
    /* The recording has the value that was put back. */
    assert_true(ask_rewind(1.0F));
    run(10);
    assert_true(value_of(room_shown(room), "noise") == 5.0F);
}

/* A room that was saved in a sweep has the value before it, and no sweep. So has a branch. */
static void test_saved_rooms_and_branches_have_no_sweep(void **state)
{
    struct room_definition definition = definition_with_key();
    struct room_origin origin = {.continues = true, .vacated = true};
    struct proto_error fault = {.message = ""};
    uint32_t boids;
    uint32_t model;

    (void)state;
    fill();
    sweep_noise();
    tick(4 * RATE);
    uint8_t *saved = room_save(room, clock_now, &origin.size);
    saved_seal(saved, origin.size);
    origin.state = saved;
    origin.now = clock_now;
    struct room *again = room_create(&definition, &room_sink_none, &origin, &fault);
    assert_non_null(again);
    assert_true(value_of(again->present, "noise") == 5.0F);
    assert_null(again->sweep);
    room_destroy(again);
    free(saved);
    saved = room_branch(room, clock_now, 1000, &origin.size, &boids, &model, &fault);
    assert_non_null(saved);
    origin.state = saved;
    origin.continues = origin.vacated = false;
    again = room_create(&definition, &room_sink_none, &origin, &fault);
    assert_non_null(again);
    assert_true(value_of(again->present, "noise") == 5.0F);
    room_destroy(again);
    free(saved);
    assert_true(noise() == 20.0F); /* the room itself goes on */
    tick(5 * RATE);
    assert_ended("done", 5.0F);
}

static void test_a_sweep_goes_on_without_its_presenter(void **state)
{
    (void)state;
    fill();
    sweep_noise();
    leave(ada);
    tick(3 * RATE + 1);
    assert_true(noise() == 20.0F);
    assert_true(say_key(bob, KEY));
    assert_string_equal(swept()->who, "Ada");
    assert_true(try_type(bob, PROTO_UNSWEEP));
    assert_ended("stopped", 5.0F);
    assert_true(try_type(bob, PROTO_UNSWEEP)); /* nothing runs */
    assert_string_equal(swept()->state, "stopped");
}

static void test_the_api_may_sweep(void **state)
{
    const struct proto_client_message message = {
        .type = PROTO_SWEEP,
        .sweep = {.name = "noise", .from = 0, .to = 40, .steps = 3, .warm_up = 1, .seconds = 2}};
    struct proto_error fault;

    (void)state;
    fill();
    assert_true(room_direct(room, &message, clock_now, &fault));
    assert_true(swept()->by == 0 && swept()->who[0] == '\0');
    tick(9 * RATE);
    assert_ended("done", 5.0F);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_points_are_those_of_the_engine),
        TEST(test_subscribers_get_the_whole_sweep),
        TEST(test_a_sweep_has_up_to_64_values),
        TEST(test_wrong_sweeps_are_refused),
        TEST(test_each_value_is_a_change_of_the_presenter),
        TEST(test_undo_ends_a_sweep),
        TEST(test_a_sweep_can_be_undone_without_other_changes),
        TEST(test_undo_of_other_changes_knows_no_passing_value),
        TEST(test_a_preset_saved_in_a_sweep_has_the_value_before_it),
        TEST(test_a_save_ends_a_sweep_that_has_become_too_expensive),
        TEST(test_a_pause_stops_the_time_of_a_sweep),
        TEST(test_a_value_by_hand_ends_a_sweep_and_stays),
        TEST(test_a_model_or_preset_ends_a_sweep),
        TEST(test_a_refused_value_ends_a_sweep),
        TEST(test_an_impossible_value_is_not_put_back),
        TEST(test_a_rewind_ends_a_sweep),
        TEST(test_saved_rooms_and_branches_have_no_sweep),
        TEST(test_a_sweep_goes_on_without_its_presenter),
        TEST(test_the_api_may_sweep),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
