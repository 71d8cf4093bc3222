/* Compares the number of clusters with its definition: looks at all pairs of boids. */
#include "sim/state.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BOIDS_MOST = FLOCK_EXACT + 1 };

static float x[BOIDS_MOST], y[BOIDS_MOST];
static const float none[BOIDS_MOST];

static struct flock *make(const struct flock_model *model, enum flock_boundary boundary,
                          float width, float height, uint32_t boids)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, model);
    definition.settings.boundary = boundary;
    definition.settings.width = width;
    definition.settings.height = height;
    definition.boids = boids;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

static void set_distance(struct flock *flock, float distance)
{
    const struct flock_model *model = flock_settings_of(flock)->model;
    assert_true(flock_param_set(flock, model->neighbour, distance));
}

static bool are_neighbours(const struct flock *flock, uint32_t i, uint32_t j)
{
    struct vec torus = flock_torus(flock);
    double most = (double)flock_param_get(flock, flock_settings_of(flock)->model->neighbour);
    struct vec d = {nearest_image((double)flock->x[j] - (double)flock->x[i], torus.x),
                    nearest_image((double)flock->y[j] - (double)flock->y[i], torus.y)};
    return vec_dot(d, d) < most * most;
}

/* Counts the clusters of the boids whose number is a multiple of the stride: spreads from each boid
 * over its neighbours. */
static struct flock_clusters count_all_pairs(const struct flock *flock, uint32_t stride)
{
    struct flock_clusters clusters = {0};
    uint32_t *left = malloc(flock->count * sizeof *left); /* slots of no group yet */
    uint32_t *group = malloc(flock->count * sizeof *group);
    uint32_t left_count = 0;
    assert_true(left != NULL && group != NULL);
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        if (flock->id[slot] % stride == 0) {
            left[left_count++] = slot;
        }
    }
    clusters.boids = left_count;
    while (left_count > 0) {
        uint32_t size = 1;
        group[0] = left[--left_count];
        for (uint32_t done = 0; done < size; done++) {
            for (uint32_t k = 0; k < left_count;) {
                if (are_neighbours(flock, group[done], left[k])) {
                    group[size++] = left[k];
                    left[k] = left[--left_count];
                } else {
                    k++;
                }
            }
        }
        clusters.count += size >= 3;
    }
    free(left);
    free(group);
    return clusters;
}

static uint32_t check(const struct flock *flock, const char *what)
{
    struct flock_clusters wanted = count_all_pairs(flock, 1);
    struct flock_clusters got;
    assert_true(flock_count_clusters(flock, workspace_for(flock, 1), &got));
    if (got.count != wanted.count || got.boids != wanted.boids) {
        const struct flock_settings *world = flock_settings_of(flock);
        fail_msg("%s, %s, boundary %d, %gx%g, %u boids, distance %g: %u clusters of %u boids, not "
                 "%u of %u",
                 what, world->model->name, (int)world->boundary, (double)world->width,
                 (double)world->height, flock->count,
                 (double)flock_param_get(flock, world->model->neighbour), got.count, got.boids,
                 wanted.count, wanted.boids);
    }
    return got.count;
}

static void test_models_and_boundaries(void **state)
{
    const uint32_t sizes[] = {1, 2, 3, 17, 150, 1000};

    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                struct flock *flock = make(flock_models[m], (enum flock_boundary)boundary, 2500.0f,
                                           1800.0f, sizes[s]);
                for (int tick = 0; tick < 30; tick++) {
                    if (tick % 6 == 0) {
                        check(flock, "moving");
                    }
                    tick_flock(flock, NULL);
                }
                flock_destroy(flock);
            }
        }
    }
}

/* From no neighbours to one cluster, in worlds of few cells and of many. */
static void test_any_distance(void **state)
{
    const float distances[] = {0.0f,  1e-38f, 0.001f, 0.5f,  3.0f,   8.0f,   12.0f,
                               16.0f, 20.0f,  33.0f,  60.0f, 150.0f, 1000.0f};
    const float worlds[][2] = {{16.0f, 16.0f},    {100.0f, 40.0f},  {900.0f, 700.0f},
                               {65536.0f, 20.0f}, {20.0f, 9000.0f}, {3000.0f, 3000.0f}};
    uint32_t found = 0;

    (void)state;
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
        for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w++) {
            struct flock *flock =
                make(&boids_model, (enum flock_boundary)boundary, worlds[w][0], worlds[w][1], 400);
            for (size_t k = 0; k < sizeof distances / sizeof *distances; k++) {
                set_distance(flock, distances[k]);
                found += check(flock, "spread");
            }
            flock_destroy(flock);
        }
    }
    assert_true(found > 500);
}

static void place(struct flock *flock, uint32_t boids)
{
    struct flock_state given = {.x = x, .y = y, .vx = none, .vy = none};
    assert_true(flock_replace(flock, &given, boids));
}

/* Crowds around random points, some of them at negative coordinates, and boids at one place. */
static void test_crowds(void **state)
{
    enum { BOIDS = 1200 };
    uint64_t seed = 4;

    (void)state;
    for (int round = 0; round < 60; round++) {
        float spread = 5.0f + 2.0f * (float)round;
        for (uint32_t i = 0; i < BOIDS; i++) {
            uint64_t bits = (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 20;
            float far = (float)(i % 23) * 97.0f - (round % 2 == 0 ? 1100.0f : 0.0f);
            x[i] = far + spread * (float)(bits % 1024) / 1024.0f;
            y[i] = fmodf(far * 3.7f, 1000.0f) + spread * (float)(bits / 1024 % 1024) / 1024.0f;
            if (i % 50 == 0 && i > 0) {
                x[i] = x[i - 1];
                y[i] = y[i - 1];
            }
        }
        struct flock *flock = make(round % 4 < 2 ? &swarm_model : &birds_model,
                                   (enum flock_boundary)(round % 3), 2300.0f, 1100.0f, BOIDS);
        set_distance(flock, 2.0f + (float)(round % 30));
        place(flock, BOIDS);
        check(flock, "crowds");
        flock_destroy(flock);
    }
}

/* Boids exactly at the distance are no neighbours. Two boids are no cluster, three are. */
static void test_a_row(void **state)
{
    struct flock *flock = make(&boids_model, FLOCK_OPEN, 500.0f, 500.0f, 7);

    (void)state;
    for (int i = 0; i < 7; i++) {
        x[i] = 50.0f * (float)i;
        y[i] = 0.0f;
    }
    place(flock, 7);
    set_distance(flock, 50.0f);
    assert_int_equal(check(flock, "row"), 0);
    set_distance(flock, 50.01f);
    assert_int_equal(check(flock, "row"), 1);
    x[3] = 1000.0f; /* three on either side */
    place(flock, 7);
    assert_int_equal(check(flock, "row"), 2);
    x[2] = 2000.0f;
    place(flock, 7);
    assert_int_equal(check(flock, "row"), 1);
    flock_destroy(flock);
}

/* Two boids on either edge of a torus, and one on the other edges. */
static void test_around_the_edges(void **state)
{
    const float at[5][2] = {{1, 50}, {499, 50}, {5, 40}, {250, 1}, {250, 499}};

    (void)state;
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
        struct flock *flock = make(&vision_model, (enum flock_boundary)boundary, 500.0f, 500.0f, 5);
        for (int i = 0; i < 5; i++) {
            x[i] = at[i][0];
            y[i] = at[i][1];
        }
        place(flock, 5);
        set_distance(flock, 20.0f);
        assert_int_equal(check(flock, "edges"), boundary == FLOCK_WRAP);
        flock_destroy(flock);
    }
}

/* A bigger flock is counted by every second boid, every fourth and so on. */
static void test_a_sample(void **state)
{
    struct flock *flock = make(&boids_model, FLOCK_WRAP, 9000.0f, 9000.0f, FLOCK_EXACT);
    struct flock_clusters got;

    (void)state;
    assert_true(flock_count_clusters(flock, workspace_for(flock, 1), &got));
    assert_int_equal(got.boids, FLOCK_EXACT);
    assert_true(flock_add(flock, 4000.0f, 4000.0f, 1));
    assert_true(flock_count_clusters(flock, workspace_for(flock, 1), &got));
    struct flock_clusters wanted = count_all_pairs(flock, 2);
    assert_int_equal(got.boids, FLOCK_EXACT / 2 + 1);
    assert_int_equal(got.boids, wanted.boids);
    assert_int_equal(got.count, wanted.count);
    assert_true(got.count > 100);
    set_distance(flock, 0.0f);
    assert_true(flock_count_clusters(flock, workspace_for(flock, 1), &got));
    assert_int_equal(got.boids, FLOCK_EXACT / 2 + 1);
    assert_int_equal(got.count, 0);
    flock_destroy(flock);
}

/* Two crowds whose boids are all just too far from each other, although each of one crowd is near
 * enough to the box around the other. So all pairs are compared. */
static void test_a_count_that_takes_too_long_is_stopped(void **state)
{
    enum { BOIDS = 5000 };
    struct flock *flock = make(&boids_model, FLOCK_OPEN, 500.0f, 500.0f, BOIDS);
    struct flock_workspace *workspace = workspace_for(flock, 1);
    struct flock_clusters got = {.count = 7};

    (void)state;
    for (int i = 0; i < BOIDS; i++) {
        x[i] = i % 2 == 0 ? 0.0f : 57.0f;
        y[i] = i % 2 == 0 ? 35.0f : 112.0f;
    }
    x[1] = 112.0f; /* the other corner of a box whose nearest corner is at 57, 57 */
    y[1] = 57.0f;
    place(flock, BOIDS);
    set_distance(flock, 80.0f);
    flock_workspace_limit(workspace, UINT64_MAX);
    assert_int_equal(check(flock, "crowds apart"), 2);
    const uint32_t polls = atomic_load(&workspace->limit.polls);
    assert_true(polls >= BOIDS * (BOIDS / 4) / LIMIT_WORK / 2);
    for (uint32_t poll = 1; poll <= polls; poll += polls / 4) {
        flock_workspace_limit(workspace, UINT64_MAX);
        workspace->limit.polls_max = poll;
        assert_false(flock_count_clusters(flock, workspace, &got));
        workspace->limit.polls_max = 0;
    }
    assert_int_equal(got.count, 7);
    flock_destroy(flock);
}

static void test_the_neighbour_distance_of_each_model(void **state)
{
    const char *const names[] = {"separation_max", "neighbor_distance", "view_radius",
                                 "view_distance", "neighbor_distance"};

    (void)state;
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        const struct flock_model *model = flock_models[m];
        assert_string_equal(model->params[model->neighbour].name, names[m]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_and_boundaries),
        cmocka_unit_test(test_any_distance),
        cmocka_unit_test(test_crowds),
        cmocka_unit_test(test_a_row),
        cmocka_unit_test(test_around_the_edges),
        cmocka_unit_test(test_a_sample),
        cmocka_unit_test(test_a_count_that_takes_too_long_is_stopped),
        cmocka_unit_test(test_the_neighbour_distance_of_each_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
