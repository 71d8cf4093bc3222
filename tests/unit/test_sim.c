/* The flock engine held to a plain double-precision transcription of the swarm's formulas, which
 * looks at every pair. */
#include "sim/flock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t param_index(const struct flock_model *model, const char *name)
{
    for (size_t i = 0; i < model->param_count; i++) {
        if (strcmp(model->params[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("no parameter %s", name);
    return 0;
}

static struct flock *make(uint32_t boids, enum flock_boundary boundary, float width, float height)
{
    struct flock_definition definition = flock_definition_default();
    definition.boids = boids;
    definition.boundary = boundary;
    definition.width = width;
    definition.height = height;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

static void test_default_is_the_original(void **state)
{
    (void)state;
    struct flock_definition definition = flock_definition_default();
    assert_string_equal(definition.model->name, "swarm");
    assert_int_equal(definition.boids, 12);
    assert_int_equal(definition.boundary, FLOCK_OPEN);
    assert_true(definition.width == 550.0f && definition.height == 400.0f);
    assert_ptr_equal(flock_model_find("swarm"), definition.model);
    assert_null(flock_model_find("swarms"));
}

static void test_bad_definitions_make_no_flock(void **state)
{
    (void)state;
    struct flock_definition bad[8];
    for (size_t i = 0; i < 8; i++) {
        bad[i] = flock_definition_default();
    }
    bad[0].model = NULL;
    bad[1].boids = 0;
    bad[2].boids = FLOCK_BOIDS_MAX + 1;
    bad[3].width = NAN;
    bad[4].height = 15.0f;
    bad[5].width = 65537.0f;
    bad[6].height = -550.0f;
    bad[7].boundary = (enum flock_boundary)3;
    for (size_t i = 0; i < 8; i++) {
        assert_null(flock_create(&bad[i]));
    }
    flock_destroy(NULL);
}

static void test_parameters_hold_their_range(void **state)
{
    (void)state;
    struct flock *flock = make(1, FLOCK_OPEN, 100.0f, 100.0f);
    const struct flock_model *model = flock_definition_of(flock)->model;
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
        flock_tick(one, &target);
        flock_tick(two, &target);
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
        flock_tick(flock, &target);
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
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WRAP; boundary++) {
        struct flock *flock = make(300, (enum flock_boundary)boundary, 550.0f, 400.0f);
        const struct flock_model *model = flock_definition_of(flock)->model;
        for (size_t p = 0; p < model->param_count; p++) {
            assert_true(flock_param_set(flock, p, model->params[p].max));
        }
        for (size_t tick = 0; tick < 200; tick++) {
            flock_tick(flock, &wild[tick / 8 % 5]);
        }
        flock_positions(flock, x, y);
        for (int i = 0; i < 300; i++) {
            assert_true(fabsf(x[i]) <= 1e6f && fabsf(y[i]) <= 1e6f);
        }
        flock_destroy(flock);
    }
}

static void set(struct flock *flock, const char *name, float value)
{
    const struct flock_model *model = flock_definition_of(flock)->model;
    assert_true(flock_param_set(flock, param_index(model, name), value));
}

static double image(double d, double size)
{
    return size > 0.0 ? d - size * floor(d / size + 0.5) : d;
}

static double circular_mean(const float *at, uint32_t count, double size)
{
    double sine = 0.0;
    double cosine = 0.0;
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sine += sin((double)at[i] * 2.0 * M_PI / size);
        cosine += cos((double)at[i] * 2.0 * M_PI / size);
        sum += (double)at[i];
    }
    return size > 0.0 ? atan2(sine, cosine) * size / (2.0 * M_PI) : sum / count;
}

enum { MOST = 5000 };

/* One axis-free step of the published formulas for every boid, all with s = 25, a = 0.2, k = 0.4.
 */
static void plain_tick(uint32_t n, const float *x, const float *y, double *vx, double *vy,
                       double width, double height, const struct flock_point *target)
{
    double cx = circular_mean(x, n, width);
    double cy = circular_mean(y, n, height);
    for (uint32_t i = 0; i < n; i++) {
        double sx = 0.0;
        double sy = 0.0;
        int count = 0;
        for (uint32_t j = 0; j < n; j++) {
            double dx = image((double)x[j] - (double)x[i], width);
            double dy = image((double)y[j] - (double)y[i], height);
            if (j != i && dx * dx + dy * dy < 25.0 * 25.0) {
                sx += dx;
                sy += dy;
                count++;
            }
        }
        double d = count > 0 ? hypot(sx, sy) / count : 0.0;
        double push = d > 0.0 ? -(25.0 - d) / d / count : 0.0;
        vx[i] = (vx[i] + sx * push + image((double)target->x - cx, width) * 0.2 +
                 image(cx - (double)x[i], width) * 0.4) /
                4.0;
        vy[i] = (vy[i] + sy * push + image((double)target->y - cy, height) * 0.2 +
                 image(cy - (double)y[i], height) * 0.4) /
                4.0;
    }
}

static void hold_to_plain(uint32_t n, enum flock_boundary boundary, float width, float height,
                          struct flock_point target)
{
    static float x[2][MOST];
    static float y[2][MOST];
    static double vx[MOST];
    static double vy[MOST];
    bool torus = boundary == FLOCK_WRAP;
    double w = torus ? (double)width : 0.0;
    double h = torus ? (double)height : 0.0;
    struct flock *flock = make(n, boundary, width, height);
    const char *const names[] = {"separation", "alignment", "cohesion"};
    const float values[] = {25.0f, 0.2f, 0.4f};
    for (int i = 0; i < 3; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%s_min", names[i]);
        set(flock, name, values[i]);
        (void)snprintf(name, sizeof name, "%s_max", names[i]);
        set(flock, name, values[i]);
    }
    for (int tick = 0; tick < 12; tick++) {
        flock_positions(flock, x[0], y[0]);
        plain_tick(n, x[0], y[0], vx, vy, w, h, &target);
        flock_tick(flock, &target);
        flock_positions(flock, x[1], y[1]);
        for (uint32_t i = 0; i < n; i++) {
            double ex = image((double)x[1][i] - (double)x[0][i] - vx[i], w);
            double ey = image((double)y[1][i] - (double)y[0][i] - vy[i], h);
            /* The first tick's velocities are the flock's own and are only learnt from it. */
            if (tick > 0 && hypot(ex, ey) > 1e-3) {
                fail_msg("%u boids, boundary %d, tick %d, boid %u is off by %g", n, (int)boundary,
                         tick, i, hypot(ex, ey));
            }
            vx[i] = image((double)x[1][i] - (double)x[0][i], w);
            vy[i] = image((double)y[1][i] - (double)y[0][i], h);
        }
    }
    flock_destroy(flock);
}

static void test_swarm_is_exact(void **state)
{
    (void)state;
    const uint32_t sizes[] = {1, 2, 3, 12, 100, 1000, 5000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct flock_point target = {400.0f, 100.0f};
        hold_to_plain(sizes[i], FLOCK_OPEN, 550.0f, 400.0f, target);
        hold_to_plain(sizes[i], FLOCK_WRAP, 550.0f, 400.0f, target);
        hold_to_plain(sizes[i], FLOCK_WRAP, 64.0f, 60.0f, target);
        hold_to_plain(sizes[i] < 1000 ? sizes[i] : 1000, FLOCK_WRAP, 40.0f, 90.0f, target);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_is_the_original),
        cmocka_unit_test(test_bad_definitions_make_no_flock),
        cmocka_unit_test(test_parameters_hold_their_range),
        cmocka_unit_test(test_same_seed_same_flock),
        cmocka_unit_test(test_boids_start_within_the_world),
        cmocka_unit_test(test_swarm_gathers_at_the_target),
        cmocka_unit_test(test_boids_stay_finite),
        cmocka_unit_test(test_swarm_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
