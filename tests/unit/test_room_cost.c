/* The cost of a room's ticks has a limit: the room refuses changes that exceed it. A tick that
 * takes too long nevertheless stops and leaves the flock unchanged. */
#include "control_room.h"

/* If each boid reaches all others, 40,000 boids are too expensive and 30,000 are not. */
static struct room_definition costly_definition(uint32_t boids)
{
    struct room_definition definition = definition_with_key();

    definition.tick_limit = SECOND;
    flock_settings_choose(&definition.flock.settings, flock_model_find("birds"));
    definition.flock.boids = boids;
    return definition;
}

/* Makes the room with Ada as presenter, who gets some of the boids. */
static void make_costly_as(const struct room_definition *definition)
{
    make_two_as(definition);
    assert_true(say_key(ada, KEY));
    assert_true(try_want(ada, 0, 100));
}

static void make_costly(uint32_t boids)
{
    const struct room_definition definition = costly_definition(boids);

    make_costly_as(&definition);
}

static bool ended_with(const char *text, const char *end)
{
    size_t size = strlen(text);
    size_t of_end = strlen(end);

    return size >= of_end && strcmp(text + size - of_end, end) == 0;
}

/* Asserts that the last message was refused as too expensive and changed nothing. */
static void assert_too_costly(const char *field, const char *begin)
{
    assert_int_equal(error.code, PROTO_E_FULL);
    assert_string_equal(error.field, field);
    if (strncmp(error.message, begin, strlen(begin)) != 0 ||
        !ended_with(error.message, "; use fewer boids or a shorter view distance")) {
        fail_msg("%s", error.message);
    }
    assert_unchanged();
}

static void test_an_expensive_parameter_is_refused(void **state)
{
    (void)state;
    make_costly(40000);
    publish();
    take_image(&before);
    assert_false(try_param(ada, "view_distance", 1000));
    assert_too_costly("value", "view_distance: 40000 boids would have about 40000 neighbours each, "
                               "but a tick can compute only 25000 each");
    assert_false(try_param(ada, "view_distance", 1001)); /* out of range comes first */
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_true(try_param(ada, "view_distance", 90));
    assert_true(try_param(ada, "view_distance", 20));
    assert_true(try_param(ada, "max_speed", 9)); /* has no influence on the cost */
}

static void test_too_many_boids_are_refused(void **state)
{
    (void)state;
    make_costly(30000);
    param("view_distance", 1000);
    publish();
    take_image(&before);
    assert_false(try_add(ada, 275, 200, 10000));
    assert_too_costly("count", "count: 40000 boids would have about 40000 neighbours each");
    assert_true(try_add(ada, 275, 200, 1000));
    param("view_distance", 20);
    assert_true(try_add(ada, 275, 200, 10000)); /* they see few of the others */
    publish();
    take_image(&before);
    assert_false(try_param(ada, "view_distance", 1000));
    assert_too_costly("value", "view_distance: 41000 boids");
}

/* Boids that are added far from the others see only each other. */
static void test_boids_that_are_far_away_are_cheap(void **state)
{
    (void)state;
    make_costly(30000);
    param("view_distance", 600);
    assert_false(try_add(ada, 275, 200, 10000));
    assert_int_equal(error.code, PROTO_E_FULL);
    assert_true(try_add(ada, 4000, 4000, 10000));
}

static void test_an_expensive_model_is_refused(void **state)
{
    struct room_definition definition = definition_with_key();

    (void)state;
    definition.tick_limit = SECOND;
    definition.flock.boids = 120000;
    make_costly_as(&definition);
    publish();
    take_image(&before);
    assert_false(try_set(ada, "model", "vision"));
    assert_too_costly("value", "model: 120000 boids would have about ");
    assert_true(try_remove(ada, 90000));
    set("model", "vision");
}

/* With little time for a tick, a reset or a preset may be too expensive. */
static void test_presets_and_resets(void **state)
{
    struct room_definition definition = costly_definition(4000);

    (void)state;
    definition.tick_limit = 10; /* 10,000 pairs */
    definition.flock.settings.width = definition.flock.settings.height = 100;
    make_costly_as(&definition);
    set("run", "paused");
    assert_true(try_remove(ada, 3000));
    publish();
    take_image(&before);
    assert_false(try_set(ada, "run", "running"));
    assert_too_costly("value", "run: 1000 boids would have about ");
    assert_false(try_type(ada, PROTO_STEP));
    assert_too_costly("", "step: 1000 boids");
    assert_false(try_type(ada, PROTO_RESET)); /* 4,000 boids again */
    assert_too_costly("", "reset: 4000 boids");
    assert_true(try_remove(ada, 900));
    publish();
    take_image(&before);
    assert_false(try_set(ada, "preset", "sardines"));
    assert_too_costly("value", "preset: 1500 boids");
    set("preset", "march");
    set("run", "running");
}

/* Each preset costs less than 1/100 of the limit for a tick of 1 s. */
static void test_presets_are_cheap(void **state)
{
    (void)state;
    for (const struct flock_preset *preset = flock_presets; preset->name != NULL; preset++) {
        const struct flock_settings settings = flock_preset_settings(preset);
        const struct flock_rule rule = {settings.model, settings.update,
                                        flock_reach_of(settings.model, settings.params)};
        double cost = flock_pairs_spread(&rule, preset->boids, settings.width, settings.height) *
                      flock_pair_cost(settings.update);
        assert_true(cost > 10 && cost < 1e7);
    }
}

/* ---- stopped ticks ---- */

/* Returns the client's only event. */
static struct proto_event heard_event(struct client *client)
{
    const struct proto_server_message *heard = next_heard(client);

    assert_non_null(heard);
    assert_int_equal(heard->type, PROTO_EVENT);
    return heard->event;
}

static void test_a_stopped_tick(void **state)
{
    struct proto_event event;

    (void)state;
    make_costly(5000);
    param("view_distance", 1000);
    tick(2);
    publish();
    forget_heard(ada);
    forget_heard(bob);
    take_image(&before);
    room_workspace_limit(workspace, 0);
    assert_false(room_tick(room, workspace, clock_now));
    room_workspace_limit(workspace, UINT64_MAX);
    assert_unchanged();
    assert_string_equal(control("run")->value, "running");
    room_pause_costly(room, 1000000);
    assert_string_equal(control("run")->value, "paused");
    event = heard_event(ada);
    assert_string_equal(event.name, "abandoned");
    assert_string_equal(event.to, "1000");
    assert_int_equal(event.by, 0);
    assert_null(next_heard(bob)); /* viewers get no event */
    uint64_t ticks = snapshot()->tick;
    tick(3);
    assert_int_equal(snapshot()->tick, ticks);
    set("run", "running"); /* a presenter may try again */
    tick(1);
    assert_int_equal(snapshot()->tick, ticks + 1);
}

/* A stopped step has no effect. */
static void test_a_stopped_step(void **state)
{
    (void)state;
    make_costly(5000);
    param("view_distance", 1000);
    set("run", "paused");
    assert_true(try_type(ada, PROTO_STEP));
    uint64_t ticks = snapshot()->tick;
    room_workspace_limit(workspace, 0);
    assert_false(room_tick(room, workspace, clock_now));
    assert_false(room_tick(room, workspace, clock_now));
    room_workspace_limit(workspace, UINT64_MAX);
    assert_int_equal(snapshot()->tick, ticks);
    tick(2);
    assert_int_equal(snapshot()->tick, ticks + 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_an_expensive_parameter_is_refused),
        TEST(test_too_many_boids_are_refused),
        TEST(test_boids_that_are_far_away_are_cheap),
        TEST(test_an_expensive_model_is_refused),
        TEST(test_presets_and_resets),
        TEST(test_presets_are_cheap),
        TEST(test_a_stopped_tick),
        TEST(test_a_stopped_step),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, what ticks cost", tests, NULL, NULL);
}
