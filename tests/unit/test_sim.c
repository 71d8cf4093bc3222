/* The flock's interface: definitions, refused values, and values that stay the same. */
#include "sim/flock.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct flock *make(uint32_t boids, enum flock_boundary boundary, float width, float height)
{
    struct flock_definition definition = flock_definition_default();
    definition.boids = boids;
    definition.settings.boundary = boundary;
    definition.settings.width = width;
    definition.settings.height = height;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

static void test_default_is_the_original(void **state)
{
    (void)state;
    struct flock_definition definition = flock_definition_default();
    assert_string_equal(definition.settings.model->name, "swarm");
    assert_int_equal(definition.boids, 12);
    assert_int_equal(definition.settings.boundary, FLOCK_OPEN);
    assert_true(definition.settings.width == 550.0f && definition.settings.height == 400.0f);
    assert_ptr_equal(flock_model_find("swarm"), definition.settings.model);
    assert_null(flock_model_find("swarms"));
}

static void test_bad_definitions_make_no_flock(void **state)
{
    (void)state;
    struct flock_definition bad[9];
    for (size_t i = 0; i < 9; i++) {
        bad[i] = flock_definition_default();
    }
    bad[0].settings.model = NULL;
    bad[1].boids = 0;
    bad[2].boids = FLOCK_BOIDS_MAX + 1;
    bad[3].settings.width = NAN;
    bad[4].settings.height = 15.0f;
    bad[5].settings.width = 65537.0f;
    bad[6].settings.height = -550.0f;
    bad[7].settings.boundary = (enum flock_boundary)3;
    bad[8].settings.update = (enum flock_update)2;
    for (size_t i = 0; i < 9; i++) {
        assert_null(flock_create(&bad[i]));
    }
    flock_destroy(NULL);
}

static void test_common_parameters_are_found_in_every_model(void **state)
{
    (void)state;
    static const char *const names[FLOCK_COMMON_COUNT] = {[FLOCK_FLEE_WEIGHT] = "flee_weight",
                                                          [FLOCK_FLEE_DISTANCE] = "flee_distance",
                                                          [FLOCK_NOISE] = "noise",
                                                          [FLOCK_INFORMED] = "informed"};
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (size_t i = 0; i < FLOCK_COMMON_COUNT; i++) {
            size_t index = flock_models[m]->common[i];
            assert_in_range(index, 0, flock_models[m]->param_count - 1);
            assert_string_equal(flock_models[m]->params[index].name, names[i]);
        }
    }
}

static void test_parameters_hold_their_range(void **state)
{
    (void)state;
    struct flock *flock = make(1, FLOCK_OPEN, 100.0f, 100.0f);
    const struct flock_model *model = flock_settings_of(flock)->model;
    for (size_t i = 0; i < model->param_count; i++) {
        const struct flock_param *p = &model->params[i];
        assert_true(flock_param_get(flock, i) == p->initial);
        assert_true(flock_param_set(flock, i, p->max));
        assert_false(flock_param_set(flock, i, nextafterf(p->max, INFINITY)));
        assert_false(flock_param_set(flock, i, nextafterf(p->min, -INFINITY)));
        assert_false(flock_param_set(flock, i, NAN));
        assert_true(flock_param_get(flock, i) == p->max);
        assert_true(flock_param_set(flock, i, p->min));
    }
    assert_false(flock_param_set(flock, model->param_count, 0.0f));
    flock_destroy(flock);
}

static void test_same_seed_same_flock(void **state)
{
    (void)state;
    enum { BOIDS = 500 };
    float a[2][BOIDS];
    float b[2][BOIDS];
    struct flock *one = make(BOIDS, FLOCK_OPEN, 550.0f, 400.0f);
    struct flock *two = make(BOIDS, FLOCK_OPEN, 550.0f, 400.0f);
    struct flock_point target = {400.0f, 100.0f};
    for (int tick = 0; tick < 50; tick++) {
        tick_flock(one, &target);
        tick_flock(two, &target);
    }
    flock_positions(one, a[0], a[1]);
    flock_positions(two, b[0], b[1]);
    assert_memory_equal(a, b, sizeof a);
    flock_destroy(two);

    struct flock_definition other = *flock_definition_of(one);
    other.seed++;
    two = flock_create(&other);
    flock_positions(two, b[0], b[1]);
    assert_memory_not_equal(a, b, sizeof a);
    flock_destroy(two);
    flock_destroy(one);
}

static void test_boids_start_within_the_world(void **state)
{
    (void)state;
    enum { BOIDS = 2000 };
    static float x[BOIDS];
    static float y[BOIDS];
    struct flock *flock = make(BOIDS, FLOCK_OPEN, 640.0f, 48.0f);
    flock_positions(flock, x, y);
    int right = 0;
    int low = 0;
    for (int i = 0; i < BOIDS; i++) {
        assert_true(x[i] >= 0.0f && x[i] <= 640.0f && y[i] >= 0.0f && y[i] <= 48.0f);
        right += x[i] > 320.0f;
        low += y[i] > 24.0f;
    }
    assert_in_range(right, BOIDS * 45 / 100, BOIDS * 55 / 100);
    assert_in_range(low, BOIDS * 45 / 100, BOIDS * 55 / 100);
    flock_destroy(flock);
}

static void test_swarm_gathers_at_the_target(void **state)
{
    (void)state;
    float x[12];
    float y[12];
    struct flock *flock = make(12, FLOCK_OPEN, 550.0f, 400.0f);
    struct flock_point target = {-300.0f, 900.0f};
    for (int tick = 0; tick < 300; tick++) {
        tick_flock(flock, &target);
    }
    flock_positions(flock, x, y);
    for (int i = 0; i < 12; i++) {
        assert_true(hypotf(x[i] - target.x, y[i] - target.y) < 80.0f);
    }
    flock_destroy(flock);
}

static void test_boids_stay_finite(void **state)
{
    (void)state;
    static float x[300];
    static float y[300];
    const struct flock_point wild[] = {
        {INFINITY, 0.0f}, {-3e38f, 3e38f}, {NAN, 1.0f}, {1e-40f, -0.0f}, {3e38f, -INFINITY}};
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
        struct flock *flock = make(300, (enum flock_boundary)boundary, 550.0f, 400.0f);
        const struct flock_model *model = flock_settings_of(flock)->model;
        for (size_t p = 0; p < model->param_count; p++) {
            assert_true(flock_param_set(flock, p, model->params[p].max));
        }
        for (size_t tick = 0; tick < 200; tick++) {
            tick_flock(flock, &wild[tick / 8 % 5]);
        }
        flock_positions(flock, x, y);
        for (int i = 0; i < 300; i++) {
            assert_true(fabsf(x[i]) <= 1e6f && fabsf(y[i]) <= 1e6f);
        }
        flock_destroy(flock);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_is_the_original),
        cmocka_unit_test(test_bad_definitions_make_no_flock),
        cmocka_unit_test(test_common_parameters_are_found_in_every_model),
        cmocka_unit_test(test_parameters_hold_their_range),
        cmocka_unit_test(test_same_seed_same_flock),
        cmocka_unit_test(test_boids_start_within_the_world),
        cmocka_unit_test(test_swarm_gathers_at_the_target),
        cmocka_unit_test(test_boids_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
