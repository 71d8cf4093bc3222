/* Changes of a running flock, and the values that stay. */
#include "sim/flock.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 5000 };

static float x[2][MOST], y[2][MOST], vx[2][MOST], vy[2][MOST];

static void look(const struct flock *flock, int which)
{
    flock_positions(flock, x[which], y[which]);
    flock_velocities(flock, vx[which], vy[which]);
}

static void assert_same(uint32_t count)
{
    assert_memory_equal(x[0], x[1], count * sizeof(float));
    assert_memory_equal(y[0], y[1], count * sizeof(float));
    assert_memory_equal(vx[0], vx[1], count * sizeof(float));
    assert_memory_equal(vy[0], vy[1], count * sizeof(float));
}

static struct flock *running(const char *model, uint32_t boids)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_model_find(model));
    definition.settings.boundary = definition.settings.model->boundary;
    definition.boids = boids;
    struct flock *flock = flock_create(&definition);
    struct flock_point target = {200.0f, 200.0f};
    for (int i = 0; i < 20; i++) {
        tick_flock(flock, &target);
    }
    return flock;
}

static void test_switching_model_keeps_boids(void **state)
{
    (void)state;
    struct flock *flock = running("boids", 100);
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        look(flock, 0);
        assert_true(flock_set_model(flock, *model));
        look(flock, 1);
        assert_same(100);
        assert_ptr_equal(flock_settings_of(flock)->model, *model);
        assert_true(flock_param_get(flock, 0) == (*model)->params[0].initial);
        tick_flock(flock, NULL);
    }
    assert_false(flock_set_model(flock, NULL));
    flock_destroy(flock);
}

static void test_switching_world_keeps_boids(void **state)
{
    (void)state;
    struct flock *flock = running("boids", 300);
    look(flock, 0);
    assert_true(flock_set_world(flock, FLOCK_OPEN, 600.0f, 450.0f));
    assert_true(flock_set_world(flock, FLOCK_WALLS, 600.0f, 450.0f));
    look(flock, 1);
    assert_same(300);
    assert_true(flock_set_world(flock, FLOCK_WALLS, 100.0f, 450.0f));
    look(flock, 1);
    for (int i = 0; i < 300; i++) {
        assert_true(x[1][i] == fminf(x[0][i], 100.0f) && y[1][i] == y[0][i]);
    }
    assert_false(flock_set_world(flock, FLOCK_WALLS, 0.0f, 450.0f));
    assert_false(flock_set_world(flock, (enum flock_boundary)7, 100.0f, 450.0f));
    assert_true(flock_settings_of(flock)->width == 100.0f);
    flock_destroy(flock);
}

/* The epoch changes when a change of the world moves boids, because they did not fly. */
static void test_a_world_that_moves_boids_begins_an_epoch(void **state)
{
    (void)state;
    struct flock *flock = running("boids", 300);
    uint32_t epoch = flock_epoch(flock);
    assert_true(flock_set_world(flock, FLOCK_WALLS, 550.0f, 400.0f));
    assert_true(flock_set_world(flock, FLOCK_OPEN, 550.0f, 400.0f));
    assert_true(flock_set_world(flock, FLOCK_OPEN, 100.0f, 100.0f));
    assert_true(flock_set_world(flock, FLOCK_WRAP, 700.0f, 500.0f));
    assert_int_equal(flock_epoch(flock), epoch);
    assert_true(flock_set_world(flock, FLOCK_WRAP, 300.0f, 500.0f));
    assert_int_not_equal(flock_epoch(flock), epoch);
    epoch = flock_epoch(flock);
    assert_true(flock_set_world(flock, FLOCK_WALLS, 300.0f, 200.0f));
    assert_int_not_equal(flock_epoch(flock), epoch);
    epoch = flock_epoch(flock);
    assert_false(flock_set_world(flock, FLOCK_WALLS, 0.0f, 200.0f));
    assert_int_equal(flock_epoch(flock), epoch);
    flock_destroy(flock);

    /* The edge belongs to a world with walls, but not to a torus. */
    flock = running("boids", 1);
    x[0][0] = 550.0f;
    y[0][0] = 200.0f;
    vx[0][0] = vy[0][0] = 0.0f;
    assert_true(flock_set_world(flock, FLOCK_WALLS, 550.0f, 400.0f));
    struct flock_state given = {.x = x[0], .y = y[0], .vx = vx[0], .vy = vy[0]};
    assert_true(flock_replace(flock, &given, 1));
    epoch = flock_epoch(flock);
    assert_true(flock_set_world(flock, FLOCK_WRAP, 550.0f, 400.0f));
    assert_int_not_equal(flock_epoch(flock), epoch);
    flock_destroy(flock);
}

static void test_adding_and_removing(void **state)
{
    (void)state;
    struct flock *flock = running("birds", 30);
    uint32_t epoch = flock_epoch(flock);
    look(flock, 0);
    assert_true(flock_add(flock, 123.0f, 45.0f, 1));
    assert_int_equal(flock_count(flock), 31);
    assert_int_equal(flock_definition_of(flock)->boids, 31);
    look(flock, 1);
    assert_same(30);
    assert_true(x[1][30] == 123.0f && y[1][30] == 45.0f);
    assert_true(flock_add(flock, 123.0f, 45.0f, 2000));
    look(flock, 1);
    assert_same(30);
    for (int i = 31; i < 2031; i++) {
        assert_true(x[1][i] >= 0.0f && x[1][i] < 550.0f && y[1][i] >= 0.0f && y[1][i] < 400.0f);
    }
    assert_int_equal(flock_epoch(flock), epoch);
    tick_flock(flock, NULL);
    look(flock, 0);
    assert_int_equal(flock_remove(flock, 2011), 2011);
    look(flock, 1);
    assert_same(20);
    assert_int_not_equal(flock_epoch(flock), epoch);
    tick_flock(flock, NULL);
    assert_int_equal(flock_remove(flock, 1000), 19);
    assert_int_equal(flock_remove(flock, 1), 0);
    assert_int_equal(flock_count(flock), 1);
    assert_false(flock_add(flock, NAN, 0.0f, 1));
    assert_false(flock_add(flock, 0.0f, 2e6f, 1));
    assert_false(flock_add(flock, 0.0f, 0.0f, FLOCK_BOIDS_MAX));
    assert_int_equal(flock_count(flock), 1);
    flock_destroy(flock);
}

static void test_a_boid_keeps_its_place_in_a_range(void **state)
{
    (void)state;
    static float own[2][3][50];
    struct flock *flock = running("swarm", 50);
    assert_true(flock_coefficients(flock, own[0][0], own[0][1], own[0][2]));
    const float ranges[3][2] = {{20.0f, 30.0f}, {0.1f, 0.3f}, {0.3f, 0.5f}};
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 50; i++) {
            assert_true(own[0][c][i] >= ranges[c][0] && own[0][c][i] < ranges[c][1]);
        }
    }
    assert_true(flock_param_set(flock, 0, 100.0f));
    assert_true(flock_param_set(flock, 1, 120.0f));
    assert_true(flock_coefficients(flock, own[1][0], own[1][1], own[1][2]));
    for (int i = 0; i < 50; i++) {
        assert_true(fabsf(own[1][0][i] - (100.0f + 2.0f * (own[0][0][i] - 20.0f))) < 1e-3f);
    }
    assert_true(flock_set_model(flock, flock_model_find("boids")));
    assert_false(flock_coefficients(flock, own[1][0], own[1][1], own[1][2]));
    assert_true(flock_set_model(flock, flock_model_find("swarm")));
    assert_true(flock_coefficients(flock, own[1][0], own[1][1], own[1][2]));
    assert_memory_equal(own[0], own[1], sizeof own[0]);
    flock_destroy(flock);
}

static void test_reset_is_the_beginning(void **state)
{
    (void)state;
    struct flock_definition definition = flock_definition_default();
    struct flock *flock = flock_create(&definition);
    look(flock, 0);
    for (int i = 0; i < 10; i++) {
        tick_flock(flock, NULL);
    }
    look(flock, 1);
    assert_memory_not_equal(x[0], x[1], 12 * sizeof(float));
    uint32_t epoch = flock_epoch(flock);
    flock_reset(flock);
    look(flock, 1);
    assert_same(12);
    assert_int_not_equal(flock_epoch(flock), epoch);
    flock_destroy(flock);
}

static void test_replacing(void **state)
{
    (void)state;
    struct flock *flock = running("swarm", 5);
    for (int i = 0; i < 100; i++) {
        x[0][i] = (float)i;
        y[0][i] = (float)(2 * i);
        vx[0][i] = 0.5f;
        vy[0][i] = -0.25f * (float)i;
    }
    struct flock_state given = {.x = x[0], .y = y[0], .vx = vx[0], .vy = vy[0]};
    assert_true(flock_replace(flock, &given, 100));
    look(flock, 1);
    assert_same(100);
    assert_int_equal(flock_count(flock), 100);
    assert_false(flock_replace(flock, &given, 0));
    vx[0][99] = INFINITY;
    assert_false(flock_replace(flock, &given, 100));
    vx[0][99] = 0.5f;
    float separation[2] = {20.0f, 30.5f};
    given.separation = separation;
    assert_false(flock_replace(flock, &given, 2));
    assert_int_equal(flock_count(flock), 100);
    look(flock, 1);
    assert_same(100);
    flock_destroy(flock);
}

/* A preset is the same after any other preset. All its parameters exist in its model. */
static void test_presets(void **state)
{
    (void)state;
    struct flock *flock = running("vision", 700);
    size_t presets = 0;
    for (const struct flock_preset *preset = flock_presets; preset->name != NULL; preset++) {
        assert_ptr_equal(flock_preset_find(preset->name), preset);
        const struct flock_settings settings = flock_preset_settings(preset);
        assert_null(flock_settings_problem(&settings));
        assert_true(flock_change(flock, &settings, preset->boids));
        assert_true(flock_settings_same(flock_settings_of(flock), &settings));
        assert_int_equal(flock_count(flock), preset->boids);
        for (const struct flock_setting *s = preset->params; s->name != NULL; s++) {
            int index = flock_param_find(settings.model, s->name);
            assert_true(index >= 0 && flock_param_get(flock, (size_t)index) == s->value);
        }
        for (int i = 0; i < 3; i++) {
            tick_flock(flock, NULL);
        }
        presets++;
    }
    const char *const wanted[] = {"original", "bees",        "sardines", "sheep",
                                  "march",    "murmuration", "billiards"};
    for (size_t i = 0; i < 7; i++) {
        assert_non_null(flock_preset_find(wanted[i]));
    }
    assert_null(flock_preset_find("nothing"));
    assert_true(presets >= 7);
    flock_destroy(flock);
}

/* A predator at the edge of a herd: with flee_weight boids fly away, without it they stay. */
static void test_boids_flee_from_predators_only(void **state)
{
    (void)state;
    const char *const models[] = {"swarm", "boids", "vision", "birds", "steering"};
    for (int m = 0; m < 5; m++) {
        double mean[2];
        for (int afraid = 0; afraid < 2; afraid++) {
            struct flock *flock = running(models[m], 60);
            int weight = flock_param_find(flock_settings_of(flock)->model, "flee_weight");
            assert_true(flock_param_get(flock, (size_t)weight) == 0.0f);
            assert_true(flock_param_set(flock, (size_t)weight, afraid ? 5.0f : 0.0f));
            struct flock_target wolf = {200.0f, 200.0f, true};
            for (int i = 0; i < 60; i++) {
                tick_targets(flock, 1, &wolf, 1);
            }
            look(flock, 0);
            mean[afraid] = 0.0;
            for (int i = 0; i < 60; i++) {
                mean[afraid] += (double)fminf(hypotf(x[0][i] - 200.0f, y[0][i] - 200.0f), 150.0f);
            }
            flock_destroy(flock);
        }
        if (mean[1] < mean[0] * 1.05) {
            fail_msg("%s: %g from the predator, %g without fear", models[m], mean[1] / 60.0,
                     mean[0] / 60.0);
        }
    }
}

static void test_each_boid_seeks_the_nearest_target(void **state)
{
    (void)state;
    struct flock *flock = running("birds", 2);
    x[0][0] = 100.0f;
    x[0][1] = 400.0f;
    y[0][0] = y[0][1] = 200.0f;
    vx[0][0] = vx[0][1] = 0.0f;
    vy[0][0] = vy[0][1] = 2.0f;
    struct flock_state given = {.x = x[0], .y = y[0], .vx = vx[0], .vy = vy[0]};
    assert_true(flock_replace(flock, &given, 2));
    const struct flock_target targets[] = {{40.0f, 200.0f, false}, {480.0f, 200.0f, false}};
    for (int i = 0; i < 20; i++) {
        tick_targets(flock, 1, targets, 2);
    }
    look(flock, 1);
    assert_true(x[1][0] < 99.0f && x[1][1] > 401.0f);
    flock_destroy(flock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switching_model_keeps_boids),
        cmocka_unit_test(test_switching_world_keeps_boids),
        cmocka_unit_test(test_a_world_that_moves_boids_begins_an_epoch),
        cmocka_unit_test(test_adding_and_removing),
        cmocka_unit_test(test_a_boid_keeps_its_place_in_a_range),
        cmocka_unit_test(test_reset_is_the_beginning),
        cmocka_unit_test(test_replacing),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_boids_flee_from_predators_only),
        cmocka_unit_test(test_each_boid_seeks_the_nearest_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
