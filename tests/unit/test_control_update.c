/* Further changes by presenters: the update order, the boundary that a model sets, and the initial
 * values of its parameters. */
#include "control_room.h"

/* Makes a room with that number of boids, and a limit of 10,000 boids. */
static void make_of(uint32_t boids, const char *update)
{
    struct room_definition definition = definition_with_key();

    definition.flock.boids = boids;
    definition.flock.settings.width = 2000;
    definition.flock.settings.height = 2000;
    definition.boids_max = 10000;
    make_two_as(&definition);
    assert_true(say_key(ada, KEY));
    set("update", update);
}

static void test_the_order_is_a_control(void **state)
{
    (void)state;
    assert_string_equal(control("update")->value, "synchronous");
    assert_int_equal(control("update")->choice_count, 2);
    set("preset", "sardines");
    set("update", "sequential");
    assert_string_equal(described()->update, "sequential");
    assert_string_equal(control("preset")->value, ""); /* no preset is in force after this change */
    tick(3);
    set("preset", "original");
    assert_string_equal(described()->update, "sequential");
    set("preset", "bees");
    assert_string_equal(described()->update, "synchronous");
}

/* Sequential boids are at other positions than synchronous ones. */
static void test_the_order_matters(void **state)
{
    uint32_t count;
    uint8_t *sequential;

    (void)state;
    set("preset", "original");
    tick(60);
    sequential = positions(&count);
    set("preset", "original");
    set("update", "synchronous");
    tick(60);
    assert_false(boids_unchanged(sequential, count));
    free(sequential);
}

static void test_sequential_is_for_few(void **state)
{
    (void)state;
    make_of(5001, "synchronous");
    assert_false(try_set(ada, "update", "sequential"));
    assert_refused(PROTO_E_FULL, "value",
                   "update: the sequential update order allows at most "
                   "5000 boids, got 5001");
    assert_string_equal(described()->update, "synchronous");
    assert_true(try_remove(ada, 1));
    set("update", "sequential");
}

static void test_a_sequential_flock_stays_small(void **state)
{
    (void)state;
    make_of(4900, "synchronous");
    assert_int_equal(described()->boids_max, 10000);
    set("update", "sequential");
    assert_int_equal(described()->boids_max, 5000);
    assert_false(try_add(ada, 275, 200, 101));
    assert_refused(PROTO_E_FULL, "count",
                   "count: the sequential update order allows at most "
                   "5000 boids, got 5001");
    assert_true(try_add(ada, 275, 200, 100));
    set("update", "synchronous");
    assert_true(try_add(ada, 275, 200, 1));
}

/* The flock began with more boids, in another order, than this order allows. */
static void test_a_reset_to_too_many_boids_is_refused(void **state)
{
    (void)state;
    make_of(6000, "synchronous");
    assert_true(try_remove(ada, 2000));
    set("update", "sequential");
    assert_false(try_type(ada, PROTO_RESET));
    assert_refused(PROTO_E_FULL, "",
                   "reset: the sequential update order allows at most "
                   "5000 boids, got 6000");
    set("update", "synchronous");
    assert_true(try_type(ada, PROTO_RESET));
}

/* The limit of a tick allows fewer pairs of boids in the sequential order. */
static void test_the_order_has_a_price(void **state)
{
    struct room_definition definition = definition_with_key();

    (void)state;
    definition.tick_limit = 100000; /* µs */
    definition.flock.boids = 5000;
    definition.boids_max = 5000;
    make_two_as(&definition);
    assert_true(say_key(ada, KEY));
    set("model", "birds");
    param("view_distance", 900);
    assert_false(try_set(ada, "update", "sequential"));
    assert_refused(PROTO_E_FULL, "value",
                   "update: 5000 boids would have about 5000 neighbours each, but a tick can "
                   "compute only 1250 each; use fewer boids or a shorter view distance");
    param("view_distance", 10);
    param("separation_distance", 10);
    set("update", "sequential");
    assert_false(try_param(ada, "view_distance", 900));
    assert_non_null(strstr(error.message, "compute only 1250 each"));
}

/* ---- edges ---- */

/* In an open world the flocks of all models except `swarm` would leave within a minute. */
static void test_a_model_brings_its_edge(void **state)
{
    (void)state;
    for (size_t i = 0; flock_models[i] != NULL; i++) {
        set("model", "swarm");
        set("boundary", "open");
        set("model", flock_models[i]->name);
        assert_string_equal(described()->boundary,
                            flock_boundaries[flock_models[i]->boundary].name);
        assert_true((described()->period_x > 0) == (flock_models[i]->boundary == FLOCK_WRAP));
    }
}

/* A later choice of open takes effect; an existing edge stays. */
static void test_a_chosen_boundary_stays(void **state)
{
    (void)state;
    set("model", "steering");
    assert_string_equal(described()->boundary, "walls");
    set("boundary", "open");
    assert_string_equal(described()->boundary, "open");
    set("boundary", "wrap");
    set("model", "steering");
    assert_string_equal(described()->boundary, "wrap");
    set("model", "swarm");
    assert_string_equal(described()->boundary, "wrap");
}

/* A model chosen in an open world, with no cursor for a minute: the flock is where it can be seen.
 */
static void test_the_flock_stays_in_sight(void **state)
{
    (void)state;
    set("idle", "hold");
    for (size_t i = 0; flock_models[i] != NULL; i++) {
        set("boundary", "open");
        set("model", flock_models[i]->name);
        tick(2000);
        for (uint32_t boid = 0; boid < snapshot()->boid_count; boid++) {
            int16_t x; /* steps from the middle of the world */
            int16_t y;
            position_of(ada, boid, &x, &y);
            assert_in_range(x + 3800, 0, 7600);
            assert_in_range(y + 3200, 0, 6400);
        }
    }
}

/* ---- what parameters began with ---- */

static void assert_initial(const char *preset)
{
    const struct flock_settings of = flock_preset_settings(flock_preset_find(preset));

    for (uint32_t i = 0; i < described()->param_count; i++) {
        assert_true(described()->params[i].initial == of.params[i]);
    }
}

static void test_initial_values_are_the_presets(void **state)
{
    (void)state;
    assert_true(parameter("inertia")->initial == 1.0F);
    set("preset", "bees");
    assert_initial("bees");
    param("inertia", 2.0F);
    assert_true(parameter("inertia")->initial == 2.8F);
    set("boundary", "walls"); /* no preset is in force, but the parameters are still the preset's */
    set("update", "sequential");
    assert_initial("bees");
    set("model", "swarm");
    assert_true(parameter("inertia")->initial == 1.0F);
    set("preset", "murmuration");
    assert_initial("murmuration");
}

static void test_a_look_comes_with_its_preset(void **state)
{
    (void)state;
    assert_string_equal(described()->look, "");
    set("preset", "original");
    assert_string_equal(described()->look, "blur");
    assert_true(described()->look_size == 12.0F);
    assert_int_equal(described()->click, 0);
    set("boundary", "walls");
    assert_string_equal(described()->look, "blur");
    set("preset", "js-birds");
    assert_string_equal(described()->look, "arrow");
    assert_int_equal(described()->click, 1);
    set("preset", "bees");
    assert_string_equal(described()->look, "bee");
    assert_int_equal(described()->click, 0);
    set("preset", "ue4-fish");
    set("model", "swarm");
    assert_string_equal(described()->look, "");
}

/* ---- taken back ---- */

static void undo(void)
{
    if (!try_type(ada, PROTO_UNDO)) {
        fail_msg("undo: %s", error.message);
    }
}

static void test_order_edge_and_origin_are_taken_back(void **state)
{
    (void)state;
    set("preset", "original");
    set("update", "synchronous");
    set("model", "steering");
    assert_string_equal(described()->boundary, "walls");
    undo();
    assert_string_equal(described()->model, "swarm");
    assert_string_equal(described()->boundary, "open");
    assert_string_equal(described()->look, "blur");
    undo();
    assert_string_equal(described()->update, "sequential");
    assert_string_equal(control("preset")->value, "original");
    set("preset", "bees");
    undo();
    assert_string_equal(described()->update, "sequential");
    assert_initial("original");
    /* A presenter chose open for a model that sets another boundary. */
    set("model", "steering");
    set("boundary", "open");
    set("model", "swarm");
    undo();
    assert_string_equal(described()->model, "steering");
    assert_string_equal(described()->boundary, "open");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
#define OWN(name)  cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_the_order_is_a_control),
        TEST(test_the_order_matters),
        OWN(test_sequential_is_for_few),
        OWN(test_a_sequential_flock_stays_small),
        OWN(test_a_reset_to_too_many_boids_is_refused),
        OWN(test_the_order_has_a_price),
        TEST(test_a_model_brings_its_edge),
        TEST(test_a_chosen_boundary_stays),
        TEST(test_the_flock_stays_in_sight),
        TEST(test_initial_values_are_the_presets),
        TEST(test_a_look_comes_with_its_preset),
        TEST(test_order_edge_and_origin_are_taken_back),
    };
#undef TEST
#undef OWN
    return cmocka_run_group_tests_name("room, order and origin", tests, NULL, NULL);
}
