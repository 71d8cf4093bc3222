/* Compares the measures of a flock with their definitions, computed in double precision. */
#include "sim/wide/kernel.h"

#include "sanitized.h"
#include "sim_tick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const double turn = 6.28318530717958648;

static struct flock *make_flock(const struct flock_model *model, enum flock_boundary boundary,
                                uint32_t boids, uint32_t lanes)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, model);
    definition.settings.boundary = boundary;
    definition.settings.width = 900.0f;
    definition.settings.height = 300.0f;
    definition.boids = boids;
    definition.lanes = lanes;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

static double square_between(const struct flock *flock, uint32_t i, uint32_t j)
{
    struct vec torus = flock_torus(flock);
    struct vec d = {nearest_image((double)flock->x[j] - (double)flock->x[i], torus.x),
                    nearest_image((double)flock->y[j] - (double)flock->y[i], torus.y)};
    return vec_dot(d, d);
}

static double nearest_of(const struct flock *flock, uint32_t slot)
{
    double best = INFINITY;
    for (uint32_t other = 0; other < flock->count; other++) {
        double square = square_between(flock, slot, other);
        best = other != slot && square < best ? square : best;
    }
    return sqrt(best);
}

/* Compares the mean distance to the nearest boid with its definition. */
static void check_nearest(const struct flock *flock, const char *what)
{
    double sum = 0.0;
    float got;
    for (uint32_t i = 0; i < flock->count; i++) {
        sum += nearest_of(flock, i);
    }
    double wanted = sum / flock->count;
    assert_true(flock_nearest(flock, workspace_for(flock, 1), &got));
    if (!(fabs((double)got - wanted) <= 3e-7 * wanted + 1e-5)) {
        fail_msg("%s, %u boids with %u lanes: %.9g, not %.9g", what, flock->count,
                 flock->kernel->lanes, (double)got, wanted);
    }
}

static void test_nearest(void **state)
{
    (void)state;
    const uint32_t sizes[] = {2, 3, 15, 16, 17, 63, 130, 700, 2049, 4200};
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                uint32_t lanes = 4u << (s + m) % 3;
                if (sizes[s] > 2000 && ((int)(m % 3) != boundary || SANITIZED)) {
                    continue; /* the comparison computes all pairs, which is slow */
                }
                struct flock *flock =
                    make_flock(flock_models[m], (enum flock_boundary)boundary, sizes[s], lanes);
                check_nearest(flock, "not yet moved");
                for (int tick = 0; tick < 5; tick++) {
                    tick_flock(flock, NULL);
                }
                check_nearest(flock, flock_models[m]->name);
                flock_destroy(flock);
            }
        }
    }
}

/* Boids at one place, in pairs far from all others, at opposite edges of a torus, and in a column
 * and a row. */
static void test_nearest_of_odd_flocks(void **state)
{
    (void)state;
    enum { COUNT = 700 };
    static float x[COUNT];
    static float y[COUNT];
    static const float v[COUNT];
    for (uint32_t lanes = 4; lanes <= 16; lanes *= 2) {
        for (int kind = 0; kind < 5; kind++) {
            for (int i = 0; i < COUNT; i++) {
                const int pair = i / 2;
                const float place[5][2] = {
                    {450.0f, 150.0f},
                    {-1e6f + 5000.0f * (float)pair, i % 2 == 0 ? 0.0f : 1.0f},
                    {i % 2 == 0 ? 0.25f : 899.75f, 0.4f * (float)i},
                    {300.0f, 0.4f * (float)i * (float)(i % 3)},
                    {1.2f * (float)i, 250.0f}};
                x[i] = place[kind][0];
                y[i] = place[kind][1];
            }
            struct flock *flock =
                make_flock(&boids_model, kind == 1 ? FLOCK_OPEN : FLOCK_WRAP, COUNT, lanes);
            struct flock_state odd = {.x = x, .y = y, .vx = v, .vy = v};
            assert_true(flock_replace(flock, &odd, COUNT));
            check_nearest(flock, "odd");
            flock_destroy(flock);
        }
    }
}

static double mean_on_circle(const float *at, uint32_t count, double size)
{
    double sine = 0.0;
    double cosine = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sine += sin((double)at[i] / size * turn);
        cosine += cos((double)at[i] / size * turn);
    }
    double mean = atan2(sine, cosine) / turn * size;
    return mean < 0.0 ? mean + size : mean;
}

static double mean_of(const float *at, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)at[i];
    }
    return sum / count;
}

static void check(const struct flock *flock, const char *name, float got, double wanted,
                  double margin)
{
    if (!(fabs((double)got - wanted) <= margin)) {
        fail_msg("%s of %u %s, boundary %d: %.9g, not %.9g", name, flock->count,
                 flock->definition.settings.model->name, (int)flock->definition.settings.boundary,
                 (double)got, wanted);
    }
}

static void check_measures(const struct flock *flock)
{
    struct flock_measures got = flock_measure(flock);
    struct vec torus = flock_torus(flock);
    struct vec centroid = {torus.x > 0.0 ? mean_on_circle(flock->x, flock->count, torus.x)
                                         : mean_of(flock->x, flock->count),
                           torus.y > 0.0 ? mean_on_circle(flock->y, flock->count, torus.y)
                                         : mean_of(flock->y, flock->count)};
    struct vec heading = {0};
    double spin = 0.0;
    double square = 0.0;
    double speed = 0.0;
    for (uint32_t i = 0; i < flock->count; i++) {
        struct vec v = {(double)flock->vx[i], (double)flock->vy[i]};
        struct vec r = {nearest_image((double)flock->x[i] - centroid.x, torus.x),
                        nearest_image((double)flock->y[i] - centroid.y, torus.y)};
        heading = vec_add(heading, vec_unit(v));
        spin += vec_cross(vec_unit(r), vec_unit(v));
        square += vec_dot(r, r);
        speed += vec_length(v);
    }
    double count = flock->count;
    check(flock, "centroid_x", got.centroid_x, centroid.x, 0.01);
    check(flock, "centroid_y", got.centroid_y, centroid.y, 0.01);
    check(flock, "polarization", got.polarization, vec_length(heading) / count, 1e-4);
    check(flock, "milling", got.milling, fabs(spin) / count, 1e-3);
    check(flock, "gyration", got.gyration, sqrt(square / count), 0.01);
    check(flock, "speed", got.speed, speed / count, 1e-4);
}

static void test_measures_are_as_defined(void **state)
{
    (void)state;
    const uint32_t sizes[] = {2, 7, 8, 50, 999, 3000};
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                struct flock *flock =
                    make_flock(flock_models[m], (enum flock_boundary)boundary, sizes[s], 0);
                for (int tick = 0; tick < 10; tick++) {
                    check_measures(flock);
                    tick_flock(flock, NULL);
                }
                flock_destroy(flock);
            }
        }
    }
}

/* Of a big flock, the mean is that of boids whose number is a multiple of a power of two. */
static void test_nearest_of_a_sample(void **state)
{
    (void)state;
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
        struct flock *flock =
            make_flock(&swarm_model, (enum flock_boundary)boundary, FLOCK_EXACT + 1, 0);
        double sum = 0.0;
        uint32_t sample = 0;
        float got;
        for (uint32_t slot = 0; slot < flock->count; slot++) {
            if (flock->id[slot] % 16 == 0) {
                sum += nearest_of(flock, slot);
                sample++;
            }
        }
        assert_in_range(sample, FLOCK_SAMPLE, 2 * FLOCK_SAMPLE);
        assert_true(flock_nearest(flock, workspace_for(flock, 1), &got));
        check(flock, "nearest", got, sum / sample, 1e-4);
        flock_destroy(flock);
    }
}

/* The order of the boids in memory does not matter, and a workspace gets the memory that it
 * lacks. */
static void test_nearest_on_a_lattice(void **state)
{
    (void)state;
    enum { SIDE = 70 };
    static float x[SIDE * SIDE];
    static float y[SIDE * SIDE];
    static const float v[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        int k = i * 37 % (SIDE * SIDE); /* in no order */
        int row = i / SIDE;
        x[k] = 3.0f * (float)(i % SIDE);
        y[k] = 4.0f * (float)row;
    }
    struct flock *flock = make_flock(&swarm_model, FLOCK_OPEN, 1, 0);
    struct flock_state lattice = {.x = x, .y = y, .vx = v, .vy = v};
    struct flock_workspace *workspace = flock_workspace_create(1);
    float nearest = 1.0f;
    assert_true(flock_nearest(flock, workspace, &nearest));
    assert_true(nearest == 0.0f); /* one boid */
    assert_true(flock_replace(flock, &lattice, SIDE * SIDE));
    assert_true(flock_nearest(flock, workspace, &nearest));
    assert_true(nearest == 3.0f);
    flock_workspace_destroy(workspace);
    flock_destroy(flock);
}

/* All boids lie across the line that the search follows, so it looks at all pairs. */
static void test_a_search_that_takes_too_long_is_stopped(void **state)
{
    enum { BOIDS = 3000 };
    static float x[BOIDS];
    static float y[BOIDS];
    static const float v[BOIDS];
    struct flock *flock = make_flock(&swarm_model, FLOCK_OPEN, 1, 0);
    struct flock_workspace *workspace;
    float nearest = 7.0f;

    (void)state;
    for (int i = 0; i < BOIDS; i++) {
        y[i] = 0.125f * (float)i;
    }
    x[0] = 30000.0f;
    const struct flock_state column = {.x = x, .y = y, .vx = v, .vy = v};
    assert_true(flock_replace(flock, &column, BOIDS));
    workspace = workspace_for(flock, 1);
    flock_workspace_limit(workspace, UINT64_MAX);
    assert_true(flock_nearest(flock, workspace, &nearest));
    const uint32_t polls = atomic_load(&workspace->limit.polls);
    assert_true(polls >= BOIDS * BOIDS / LIMIT_WORK / 2);
    for (uint32_t poll = 1; poll <= polls; poll += polls / 4) {
        float unchanged = 7.0f;
        flock_workspace_limit(workspace, UINT64_MAX);
        workspace->limit.polls_max = poll;
        assert_false(flock_nearest(flock, workspace, &unchanged));
        workspace->limit.polls_max = 0;
        assert_true(unchanged == 7.0f);
    }
    flock_destroy(flock);
}

static void test_same_for_any_lanes(void **state)
{
    (void)state;
    struct flock_measures all[3];
    float nearest[3];
    for (uint32_t k = 0; k < 3; k++) {
        struct flock *flock = make_flock(&boids_model, FLOCK_WRAP, 2500, 4u << k);
        tick_flock(flock, NULL);
        all[k] = flock_measure(flock);
        assert_true(flock_nearest(flock, workspace_for(flock, 1), &nearest[k]));
        flock_destroy(flock);
        assert_memory_equal(&all[k], &all[0], sizeof all[k]);
        assert_memory_equal(&nearest[k], &nearest[0], sizeof nearest[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_nearest_of_odd_flocks),
        cmocka_unit_test(test_measures_are_as_defined),
        cmocka_unit_test(test_nearest_of_a_sample),
        cmocka_unit_test(test_nearest_on_a_lattice),
        cmocka_unit_test(test_a_search_that_takes_too_long_is_stopped),
        cmocka_unit_test(test_same_for_any_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
