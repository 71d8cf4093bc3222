/* Presenters' changes of a flock: models, worlds, presets, boids, pause, steps, and the cursor that
 * it follows. */
#include "control_room.h"
#include "scene/scene.h"

/* ---- the flock ---- */

static void test_boids_stay_where_they_are(void **state)
{
    uint32_t count;
    uint8_t *at;

    (void)state;
    move(ada, 275, 200);
    tick(100);
    at = positions(&count);
    uint32_t epoch = snapshot()->epoch;
    for (size_t i = 0; flock_models[i] != NULL; i++) {
        set("model", flock_models[i]->name);
        assert_true(boids_unchanged(at, count));
    }
    set("boundary", "wrap");
    set("boundary", "walls");
    set("boundary", "open");
    assert_true(boids_unchanged(at, count));
    assert_int_equal(snapshot()->epoch, epoch);
    free(at);
}

static void test_presets_bring_world_and_parameters(void **state)
{
    (void)state;
    for (const struct flock_preset *preset = flock_presets; preset->name != NULL; preset++) {
        set("preset", preset->name);
        const struct proto_room *now = described();
        assert_string_equal(now->model, preset->settings.model->name);
        assert_true(now->width == preset->settings.width && now->height == preset->settings.height);
        assert_true(now->quantum == proto_quantum(preset->settings.width, preset->settings.height));
        assert_int_equal(now->wall_count, preset->settings.boundary == FLOCK_WALLS
                                              ? preset->settings.wall_count
                                              : 0);
        for (size_t i = 0; preset->params[i].name != NULL; i++) {
            assert_true(parameter(preset->params[i].name)->value == preset->params[i].value);
        }
        assert_int_equal(snapshot()->boid_count, preset->boids);
        assert_in_range(preset->boids, 1, SCENE_BOIDS_MAX);
    }
}

/* Each choice of a preset begins with the same flock. Its epoch is new, so that no client
 * interpolates from the earlier flock. */
/* The world of "bees" is 960 wide, that of "js-birds" 800; both are 600 high. */
static void test_a_cursor_outside_of_a_narrower_world_is_gone(void **state)
{
    (void)state;
    set("preset", "bees");
    move(bob, 900, 300);
    move(ada, 300, 300);
    tick(1);
    assert_int_equal(snapshot()->cursor_count, 2);
    set("preset", "js-birds");
    tick(1);
    assert_int_equal(snapshot()->cursor_count, 1);
}

static void test_a_preset_makes_a_new_flock(void **state)
{
    static const char *const presets[] = {"original", "bees", "murmuration", "original",
                                          "original"};
    uint32_t epoch = 0;
    uint8_t first[PROTO_BOID_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        set("preset", presets[i]);
        assert_true(i == 0 || snapshot()->epoch > epoch);
        epoch = snapshot()->epoch;
        if (i == 0) {
            memcpy(first, snapshot()->boids, sizeof first);
        }
    }
    assert_memory_equal(snapshot()->boids, first, sizeof first);
}

static void test_another_model_or_boundary_is_no_preset(void **state)
{
    (void)state;
    set("preset", "sardines");
    assert_string_equal(control("preset")->value, "sardines");
    set("policy", "latest");
    assert_string_equal(control("preset")->value, "sardines");
    set("boundary", "open");
    assert_string_equal(control("preset")->value, "");
    set("preset", "sardines");
    set("model", "birds");
    assert_string_equal(control("preset")->value, "");
}

static void test_walls_exist_only_with_their_boundary(void **state)
{
    (void)state;
    set("preset", "billiards");
    uint32_t walls = described()->wall_count;
    assert_in_range(walls, 1, PROTO_WALLS_MAX);
    set("boundary", "wrap");
    assert_int_equal(described()->wall_count, 0);
    set("boundary", "walls");
    assert_int_equal(described()->wall_count, walls);
    set("preset", "original");
    set("boundary", "walls");
    assert_int_equal(described()->wall_count, 0);
}

static void test_boids_come_and_go(void **state)
{
    uint32_t count;
    uint8_t *at = positions(&count);
    uint32_t epoch = snapshot()->epoch;
    uint32_t version = ada->versions[VIEW_ROOM];
    int16_t x;
    int16_t y;

    (void)state;
    assert_true(try_add(ada, 100, 300, 1));
    assert_int_equal(snapshot()->boid_count, count + 1);
    proto_get_position(snapshot()->boids + (size_t)PROTO_BOID_SIZE * count, &x, &y);
    assert_true(proto_dequantise(x, 550, 0.125F) == 100.0F);
    assert_true(proto_dequantise(y, 400, 0.125F) == 300.0F);
    assert_true(try_add(ada, 100, 300, 500));
    assert_int_equal(snapshot()->boid_count, count + 501);
    assert_int_equal(snapshot()->epoch, epoch); /* earlier boids keep their numbers */
    assert_true(try_remove(ada, 501));
    assert_true(boids_unchanged(at, count));
    assert_int_equal(snapshot()->boid_count, count);
    assert_int_not_equal(snapshot()->epoch, epoch);
    assert_true(try_remove(ada, PROTO_BOIDS_MAX));
    assert_int_equal(snapshot()->boid_count, 1);
    assert_true(boids_unchanged(at, 1));
    assert_true(try_remove(ada, 1)); /* one stays */
    assert_int_equal(snapshot()->boid_count, 1);
    /* The room is unchanged except for its boids and an undo step. */
    assert_int_equal(ada->versions[VIEW_ROOM], version + 1);
    tick(1);
    free(at);
}

static void test_presenters_see_that_the_store_fails_until_it_works(void **state)
{
    uint32_t version;

    (void)state;
    assert_false(described()->store_failing);
    room_note_store(room, true);
    assert_true(described()->store_failing);
    version = ada->versions[VIEW_ROOM];
    room_note_store(room, true);
    assert_true(described()->store_failing);
    assert_int_equal(ada->versions[VIEW_ROOM], version); /* it was sent */
    room_note_store(room, false);
    assert_false(described()->store_failing);
}

static void test_boids_are_added_where_positions_reach(void **state)
{
    (void)state;
    take_image(&before);
    assert_false(try_add(ada, 4371, 0, 1));
    assert_refused(PROTO_E_RANGE, "x", "x: expected -3821 to 4370.875, got 4371");
    assert_false(try_add(ada, 0, -3897, 1));
    assert_refused(PROTO_E_RANGE, "y", "y: expected -3896 to 4295.875, got -3897");
    assert_unchanged();
    assert_true(try_add(ada, 4370.875F, -3896, 10000));
}

static void test_a_room_has_a_limit_of_boids(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.boids_max = 500;
    definition.flock.boids = 497;
    definition.open_controls = true;
    make_two_as(&definition);
    assert_int_equal(described()->boids_max, 500);
    assert_false(try_add(ada, 0, 0, 4));
    assert_refused(PROTO_E_FULL, "count", "count: the room may have 3 more boids, got 4");
    assert_int_equal(snapshot()->boid_count, 497);
    assert_true(try_add(ada, 0, 0, 3));
    assert_int_equal(snapshot()->boid_count, 500);
    assert_false(try_add(ada, 0, 0, 1));
    assert_refused(PROTO_E_FULL, "count", "count: the room may have 0 more boids, got 1");
    set("preset", "bees");
    assert_true(try_add(ada, 0, 0, 1));
}

/* The boids of all rooms together have a limit. Removed boids no longer count. */
static void test_all_rooms_have_a_limit_of_boids(void **state)
{
    struct boid_budget budget = {.boids = 0, .boids_max = 500};
    struct room_definition definition = definition_default();

    (void)state;
    definition.budget = &budget;
    definition.open_controls = true;
    make_two_as(&definition);
    assert_true(try_add(ada, 0, 0, 88));
    assert_int_equal(budget.boids, 100);
    assert_false(try_add(ada, 0, 0, 401));
    assert_refused(PROTO_E_FULL, "count",
                   "count: all rooms together have 400 boids left, the change needs 401");
    take_image(&before);
    assert_false(try_set(ada, "preset", "sardines"));
    assert_refused(PROTO_E_FULL, "value",
                   "preset: all rooms together have 400 boids left, the change needs 1400");
    assert_unchanged();
    set("preset", "bees");
    assert_int_equal(budget.boids, 400);
    assert_true(try_remove(ada, 300));
    assert_int_equal(budget.boids, 100);
    budget.boids += 300; /* of another room */
    take_image(&before);
    assert_false(try_type(ada, PROTO_RESET));
    assert_refused(PROTO_E_FULL, "",
                   "reset: all rooms together have 100 boids left, the change needs 300");
    assert_unchanged();
    assert_int_equal(budget.refused, 3);
    set("preset", "original");
    assert_int_equal(budget.boids, 312);
    room_destroy(room);
    room = NULL;
    assert_int_equal(budget.boids, 300);
}

/* A preset with too many boids for the room makes the room's maximum. */
static void test_a_preset_fits_the_room(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.boids_max = 1000;
    definition.open_controls = true;
    make_two_as(&definition);
    set("preset", "murmuration");
    assert_string_equal(control("preset")->value, "murmuration");
    assert_int_equal(snapshot()->boid_count, 1000);
    assert_true(try_remove(ada, 500));
    assert_true(try_type(ada, PROTO_RESET));
    assert_int_equal(snapshot()->boid_count, 1000);
}

/* A minimum above its maximum is refused with a text, and the flock is unchanged. */
static void test_contradicting_pairs_are_refused(void **state)
{
    (void)state;
    assert_false(try_param(ada, "separation_min", 31.0F));
    assert_refused(PROTO_E_RANGE, "value",
                   "separation_min: expected at most separation_max, which is 30, got 31");
    assert_string_equal(error.name, "separation_min");
    assert_false(try_param(ada, "separation_max", 19.0F));
    assert_refused(PROTO_E_RANGE, "value",
                   "separation_max: expected at least separation_min, which is 20, got 19");
    param("separation_max", 50.0F); /* corrected */
    param("separation_min", 50.0F);
    set("model", "birds");
    assert_false(try_param(ada, "min_speed", 4.0F));
    assert_refused(PROTO_E_RANGE, "value",
                   "min_speed: expected at most max_speed, which is 3, got 4");
    param("max_speed", 5.0F);
    set("model", "boids"); /* this model has max_speed without min_speed */
    param("max_speed", 0.5F);
}

static void test_reset_makes_the_first_flock_again(void **state)
{
    uint32_t count;
    uint8_t *at = positions(&count);

    (void)state;
    param("inertia", 0.5F);
    for (int round = 0; round < 2; round++) { /* with added boids, then with removed boids */
        tick(30);
        assert_true(round == 0 ? try_add(ada, 1, 1, 100) : try_remove(ada, 5));
        assert_false(boids_unchanged(at, count - 5));
        uint32_t epoch = snapshot()->epoch;
        assert_true(try_type(ada, PROTO_RESET));
        assert_int_equal(snapshot()->boid_count, count);
        assert_true(boids_unchanged(at, count));
        assert_int_not_equal(snapshot()->epoch, epoch);
    }
    assert_true(parameter("inertia")->value == 0.5F);
    free(at);
    set("preset", "bees");
    assert_true(try_remove(ada, 100));
    assert_true(try_type(ada, PROTO_RESET));
    assert_int_equal(snapshot()->boid_count, flock_preset_find("bees")->boids);
}

static void test_a_paused_flock_moves_only_by_steps(void **state)
{
    uint32_t count;
    uint8_t *at;

    (void)state;
    tick(10);
    assert_false(try_type(ada, PROTO_STEP));
    assert_refused(PROTO_E_STATE, "", "step: the flock is running; pause it first");
    set("run", "paused");
    at = positions(&count);
    uint64_t ticks = room_facts(room).ticks;
    tick(10);
    assert_true(boids_unchanged(at, count));
    assert_int_equal(room_facts(room).ticks, ticks);
    assert_true(room_snapshot_due(room)); /* cursors and people change while it is paused */
    assert_true(try_type(ada, PROTO_STEP));
    assert_true(boids_unchanged(at, count));
    tick(1);
    assert_false(boids_unchanged(at, count));
    assert_int_equal(room_facts(room).ticks, ticks + 1);
    for (int i = 0; i < 3; i++) {
        assert_true(try_type(ada, PROTO_STEP));
    }
    tick(10);
    assert_int_equal(room_facts(room).ticks, ticks + 4);
    assert_int_equal(snapshot()->tick, ticks + 4);
    assert_true(try_type(ada, PROTO_STEP));
    set("run", "running"); /* the requested step is not made later */
    set("run", "paused");
    tick(10);
    assert_int_equal(room_facts(room).ticks, ticks + 4);
    set("run", "running");
    tick(10);
    assert_int_equal(room_facts(room).ticks, ticks + 14);
    free(at);
}

static void test_steps_asked_for_are_bounded(void **state)
{
    uint32_t taken = 0;

    (void)state;
    set("run", "paused");
    while (taken < 100000 && try_type(ada, PROTO_STEP)) {
        taken++;
    }
    assert_int_equal(taken, 1000);
    assert_refused(PROTO_E_FULL, "", "step: 1000 earlier steps are not done yet");
    tick(1);
    assert_true(try_type(ada, PROTO_STEP));
}

/* ---- the cursor that the flock follows ---- */

/* Returns the mean distance of the boids from a point. The world is the preset original's. */
static float distance_from(float x, float y)
{
    const struct proto_snapshot *shown = snapshot();
    float sum = 0;

    for (uint32_t i = 0; i < shown->boid_count; i++) {
        int16_t qx;
        int16_t qy;
        proto_get_position(shown->boids + (size_t)PROTO_BOID_SIZE * i, &qx, &qy);
        sum += hypotf(proto_dequantise(qx, 550, 0.125F) - x, proto_dequantise(qy, 400, 0.125F) - y);
    }
    return sum / (float)shown->boid_count;
}

static void test_presenter_steers_alone(void **state)
{
    (void)state;
    set("policy", "presenter");
    move(ada, 100, 100);
    move(bob, 500, 300);
    tick(1);
    assert_true(snapshot()->target_x == 100.0F && snapshot()->target_y == 100.0F);
    assert_true(say_key(bob, KEY));
    tick(1);
    assert_true(snapshot()->target_x == 300.0F && snapshot()->target_y == 200.0F);
    set("idle", "hold");
    assert_true(try_type(ada, PROTO_AWAY) && try_type(bob, PROTO_AWAY));
    move(join("Cem"), 1, 1); /* a viewer */
    tick(1);
    assert_false(snapshot()->has_target);
    assert_int_equal(snapshot()->cursor_count, 1); /* the viewer's cursor is visible */
}

/* The cursors of viewers who may only watch do not steer and are not visible. The viewers get no
 * error. */
static void test_viewers_may_only_watch(void **state)
{
    (void)state;
    set("idle", "hold");
    move(ada, 100, 100);
    move(bob, 300, 200);
    tick(1);
    assert_true(snapshot()->target_x == 200.0F);
    set("viewers", "watch");
    tick(1);
    assert_true(snapshot()->target_x == 100.0F && snapshot()->target_y == 100.0F);
    assert_int_equal(snapshot()->cursor_count, 1);
    move(bob, 301, 201);
    move(bob, 1e30F, 0); /* ignored, also with an invalid value */
    assert_true(try_type(ada, PROTO_AWAY));
    tick(1);
    assert_false(snapshot()->has_target);
    assert_int_equal(snapshot()->cursor_count, 0);
    set("cursors", "scare");
    tick(1);
    assert_false(snapshot()->has_target);
    set("cursors", "lead");
    set("viewers", "steer");
    move(bob, 302, 202);
    tick(1);
    assert_true(snapshot()->target_x == 302.0F);
}

/* The boid nearer to Bob goes to Bob, the other to Ada; there is no common target. */
static void test_each_boid_follows_the_nearest_cursor(void **state)
{
    (void)state;
    set("model", "boids");
    set("policy", "nearest");
    param("seek_weight", 10);
    assert_true(try_remove(ada, 1000));
    assert_true(try_add(ada, 500, 300, 1));
    move(ada, 100, 100);
    move(bob, 500, 300);
    for (int i = 0; i < 200; i++) {
        tick(1);
        move(ada, 100 + (float)(i % 2), 100);
        move(bob, 500 + (float)(i % 2), 300);
        assert_false(snapshot()->has_target);
    }
    assert_true(distance_from(100, 100) > 150 && distance_from(500, 300) > 150);
    assert_true(distance_from(300, 200) > 180);
    assert_true(try_type(ada, PROTO_AWAY) && try_type(bob, PROTO_AWAY));
    tick(1);
    assert_true(snapshot()->has_target); /* the target without cursors */
}

/* Also in a crowd each shown cursor counts: the last cursor keeps its boid. */
static void test_each_boid_follows_the_nearest_cursor_of_a_crowd(void **state)
{
    struct client *crowd[90];

    (void)state;
    for (uint32_t i = 0; i < 90; i++) {
        crowd[i] = join("");
    }
    set("model", "boids");
    set("policy", "nearest");
    param("seek_weight", 10);
    assert_true(try_remove(ada, 1000));
    assert_true(try_add(ada, 500, 300, 1));
    for (uint32_t i = 0; i < 90; i++) {
        move(crowd[i], i < 89 ? 100 : 500, i < 89 ? 100 : 300);
    }
    tick(200);
    assert_int_equal(snapshot()->cursor_count, 90);
    assert_true(distance_from(100, 100) > 150 && distance_from(500, 300) > 150);
}

/* The same cursor in the middle of the same flock leads it or scares it. */
static void test_cursors_lead_or_scare(void **state)
{
    static const char *const policies[] = {"mean", "latest", "nearest", "presenter"};

    (void)state;
    set("model", "steering");
    param("seek_weight", 10);
    param("flee_weight", 10);
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        float far[2];
        set("policy", policies[i]);
        for (int scare = 0; scare < 2; scare++) {
            set("cursors", scare ? "scare" : "lead");
            assert_true(try_type(ada, PROTO_RESET) && try_type(ada, PROTO_AWAY));
            move(ada, 275, 200);
            tick(120);
            far[scare] = distance_from(275, 200);
        }
        assert_true(far[0] < 50 && far[1] > 150);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_boids_stay_where_they_are),
        TEST(test_presets_bring_world_and_parameters),
        TEST(test_a_cursor_outside_of_a_narrower_world_is_gone),
        TEST(test_a_preset_makes_a_new_flock),
        TEST(test_another_model_or_boundary_is_no_preset),
        TEST(test_walls_exist_only_with_their_boundary),
        TEST(test_boids_come_and_go),
        TEST(test_presenters_see_that_the_store_fails_until_it_works),
        TEST(test_boids_are_added_where_positions_reach),
        TEST(test_a_room_has_a_limit_of_boids),
        TEST(test_all_rooms_have_a_limit_of_boids),
        TEST(test_a_preset_fits_the_room),
        TEST(test_contradicting_pairs_are_refused),
        TEST(test_reset_makes_the_first_flock_again),
        TEST(test_a_paused_flock_moves_only_by_steps),
        TEST(test_steps_asked_for_are_bounded),
        TEST(test_presenter_steers_alone),
        TEST(test_viewers_may_only_watch),
        TEST(test_each_boid_follows_the_nearest_cursor),
        TEST(test_each_boid_follows_the_nearest_cursor_of_a_crowd),
        TEST(test_cursors_lead_or_scare),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, a flock under control", tests, NULL, NULL);
}
