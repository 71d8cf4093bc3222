/* A stopped tick leaves the flock unchanged, bit for bit and in the order of storage. The next tick
 * gives the result of the stopped one. */
#include "sim/flock.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* A tick with this number of boids polls its limit at least 4 times, in every model and order. */
enum { BOIDS = 4500, BOIDS_SEQUENTIAL = 600 };

/* Makes a flock in which almost every boid sees every other. */
static struct flock *crowded(size_t model, int boundary, int update)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_models[model]);
    definition.settings.boundary = (enum flock_boundary)boundary;
    definition.settings.update = (enum flock_update)update;
    definition.settings.width = 900.0f;
    definition.settings.height = 700.0f;
    definition.boids = update == FLOCK_SEQUENTIAL ? BOIDS_SEQUENTIAL : BOIDS;
    definition.seed = 7;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    for (size_t i = 0; i < definition.settings.model->param_count; i++) {
        const struct flock_param *param = &definition.settings.model->params[i];
        if (strstr(param->name, "distance") != NULL || strstr(param->name, "radius") != NULL ||
            strcmp(param->name, "separation_max") == 0) {
            assert_true(flock_param_set(flock, i, fminf(param->max, 400.0f)));
        }
    }
    const struct flock_things things = {.food_count = 1,
                                        .hunter_count = 1,
                                        .food = {{450.0f, 350.0f, 1000}},
                                        .hunters = {{300.0f, 200.0f}}};
    assert_true(flock_set_things(flock, &things));
    return flock;
}

/* All values of a flock that a tick changes. */
struct image {
    uint32_t count;
    uint32_t number[BOIDS];
    float x[BOIDS], y[BOIDS], vx[BOIDS], vy[BOIDS];
    struct flock_things things;
};

static void take_image(struct image *image, const struct flock *flock)
{
    struct flock_slots slots = flock_slots(flock);
    memset(image, 0, sizeof *image);
    image->count = flock_count(flock);
    memcpy(image->number, slots.number, image->count * sizeof *image->number);
    memcpy(image->x, slots.x, image->count * sizeof *image->x);
    memcpy(image->y, slots.y, image->count * sizeof *image->y);
    memcpy(image->vx, slots.vx, image->count * sizeof *image->vx);
    memcpy(image->vy, slots.vy, image->count * sizeof *image->vy);
    image->things = *flock_things_of(flock);
}

static const struct flock_target targets[] = {{450.0f, 350.0f, false}, {100.0f, 600.0f, true}};

/* Stops the next tick at its first poll, at its second poll, and at later polls. */
static void give_up(struct flock *flock, struct flock_workspace *workspace)
{
    static struct image before;
    static struct image after;
    take_image(&before, flock);
    for (uint32_t polls = 1; polls <= 4; polls++) {
        flock_workspace_limit(workspace, UINT64_MAX);
        workspace->limit.polls_max = polls;
        bool moved = flock_tick_targets(flock, workspace, targets, 2);
        workspace->limit.polls_max = 0;
        assert_false(moved);
        take_image(&after, flock);
        assert_memory_equal(&after, &before, sizeof after);
    }
}

static void try_all(int update, uint32_t threads)
{
    static struct image one;
    static struct image other;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            struct flock *flock = crowded(m, boundary, update);
            struct flock *twin = crowded(m, boundary, update);
            for (int tick = 0; tick < 2; tick++) {
                give_up(flock, workspace_for(flock, threads));
                tick_targets(flock, threads, targets, 2);
                tick_targets(twin, 1, targets, 2);
                take_image(&one, flock);
                take_image(&other, twin);
                assert_memory_equal(&one, &other, sizeof one);
            }
            flock_destroy(flock);
            flock_destroy(twin);
        }
    }
}

static void test_one_thread(void **state)
{
    (void)state;
    try_all(FLOCK_SYNCHRONOUS, 1);
}

static void test_several_threads(void **state)
{
    (void)state;
    try_all(FLOCK_SYNCHRONOUS, 3);
}

static void test_one_boid_after_another(void **state)
{
    (void)state;
    try_all(FLOCK_SEQUENTIAL, 1);
}

/* In a torus so small that a boid may see another from two sides, the engine computes all pairs. */
static void test_a_small_torus(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        struct flock *flock = crowded(m, FLOCK_WRAP, FLOCK_SYNCHRONOUS);
        assert_true(flock_set_world(flock, FLOCK_WRAP, 100.0f, 90.0f));
        give_up(flock, workspace_for(flock, 1));
        tick_targets(flock, 1, targets, 2);
        give_up(flock, workspace_for(flock, 1));
        flock_destroy(flock);
    }
}

/* The tick of a small flock ends before it polls its limit. */
static void test_small_flocks_do_not_poll(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        struct flock_definition definition = flock_definition_default();
        flock_settings_choose(&definition.settings, flock_models[m]);
        definition.boids = 100;
        struct flock *flock = flock_create(&definition);
        struct flock_workspace *workspace = workspace_for(flock, 1);
        flock_workspace_limit(workspace, 0);
        assert_true(flock_tick_targets(flock, workspace, targets, 2));
        assert_int_equal(atomic_load(&workspace->limit.polls), 0);
        flock_workspace_limit(workspace, UINT64_MAX);
        flock_destroy(flock);
    }
}

/* Puts as many walls as possible across a small world. */
static void wall_in(struct flock *flock)
{
    struct flock_wall walls[FLOCK_WALLS_MAX];
    for (uint32_t i = 0; i < FLOCK_WALLS_MAX; i++) {
        walls[i] = (struct flock_wall){(float)(i * 3 % 16), (float)(i * 5 % 16),
                                       (float)(i * 7 % 16) + 0.5f, (float)(i * 11 % 16) + 0.25f};
    }
    assert_true(flock_set_world(flock, FLOCK_WALLS, 16.0f, 16.0f));
    assert_true(flock_set_walls(flock, walls, FLOCK_WALLS_MAX));
}

/* Among many walls most of a tick is spent on bounces, and each takes long. */
static void test_a_tick_among_walls(void **state)
{
    static struct image before;
    static struct image after;
    (void)state;
    for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
        for (size_t m = 0; flock_models[m] != NULL; m++) {
            struct flock *flock = crowded(m, FLOCK_WALLS, update);
            struct flock *twin = crowded(m, FLOCK_WALLS, update);
            struct flock_workspace *workspace = workspace_for(flock, 1);
            wall_in(flock);
            wall_in(twin);
            give_up(flock, workspace);
            flock_workspace_limit(workspace, UINT64_MAX);
            assert_true(flock_tick_targets(twin, workspace, targets, 2));
            const uint32_t polls = atomic_load(&workspace->limit.polls);
            assert_true(polls >= flock_count(flock) / 32);
            for (uint32_t quarter = 1; quarter <= 3; quarter++) {
                take_image(&before, flock);
                flock_workspace_limit(workspace, UINT64_MAX);
                workspace->limit.polls_max = polls * quarter / 4;
                assert_false(flock_tick_targets(flock, workspace, targets, 2));
                workspace->limit.polls_max = 0;
                take_image(&after, flock);
                assert_memory_equal(&after, &before, sizeof after);
            }
            flock_destroy(flock);
            flock_destroy(twin);
        }
    }
}

static void test_a_tick_exceeds_its_time(void **state)
{
    (void)state;
    struct flock *flock = crowded(1, FLOCK_OPEN, FLOCK_SYNCHRONOUS);
    struct flock_workspace *workspace = workspace_for(flock, 1);
    flock_workspace_limit(workspace, 1000);
    assert_false(flock_tick_targets(flock, workspace, targets, 2));
    flock_workspace_limit(workspace, UINT64_C(3600000000000));
    assert_true(flock_tick_targets(flock, workspace, targets, 2));
    assert_true(atomic_load(&workspace->limit.polls) > 4);
    flock_workspace_limit(workspace, UINT64_MAX);
    assert_true(flock_tick_targets(flock, workspace, targets, 2));
    flock_destroy(flock);
}

static void test_a_stopped_workspace_makes_no_more_ticks(void **state)
{
    (void)state;
    struct flock *flock = crowded(1, FLOCK_OPEN, FLOCK_SYNCHRONOUS);
    struct flock_workspace *workspace = flock_workspace_create(1);
    assert_true(flock_workspace_reserve(workspace, BOIDS));
    assert_true(flock_tick_targets(flock, workspace, targets, 2));
    flock_workspace_stop(workspace);
    flock_workspace_limit(workspace, UINT64_MAX);
    assert_false(flock_tick_targets(flock, workspace, targets, 2));
    flock_workspace_destroy(workspace);
    flock_destroy(flock);
}

#define SECOND UINT64_C(1000000000)

/* Polls at that time after the last poll. */
static bool poll_after(struct limit *limit, uint64_t time)
{
    atomic_fetch_sub(&limit->polled_at, time);
    return limit_poll(limit);
}

static uint64_t time_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* A process that was stopped for an hour has not used up the time of its tick. */
static void test_time_without_polls_does_not_count(void **state)
{
    (void)state;
    struct limit limit = {0};
    uint32_t polls = 0;
    limit_begin(&limit, SECOND);
    assert_false(poll_after(&limit, 3600 * SECOND));
    while (!poll_after(&limit, SECOND / 10)) {
        polls++;
        assert_true(polls < 10);
    }
    assert_true(polls >= 4); /* a late poll counts for less than 0.2 s */
}

/* On a busy machine a thread waits for a processor. That is no time of its tick. */
static void test_time_in_which_one_thread_did_not_run_does_not_count(void **state)
{
    (void)state;
    struct limit limit = {.alone = true};
    struct limit shared = {.alone = false};
    limit_begin(&limit, SECOND / 50);
    limit_begin(&shared, SECOND / 50);
    uint64_t slept = time_of(CLOCK_MONOTONIC);
    usleep(30000);
    assert_false(limit_poll(&limit));
    assert_true(limit_poll(&shared) || time_of(CLOCK_MONOTONIC) - slept >= SECOND / 5);
    uint64_t began = time_of(CLOCK_THREAD_CPUTIME_ID);
    while (!limit_poll(&limit)) {
        assert_true(time_of(CLOCK_THREAD_CPUTIME_ID) - began < SECOND / 10);
    }
    assert_true(time_of(CLOCK_THREAD_CPUTIME_ID) - began > SECOND / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_several_threads),
        cmocka_unit_test(test_one_boid_after_another),
        cmocka_unit_test(test_a_small_torus),
        cmocka_unit_test(test_small_flocks_do_not_poll),
        cmocka_unit_test(test_a_tick_among_walls),
        cmocka_unit_test(test_a_tick_exceeds_its_time),
        cmocka_unit_test(test_a_stopped_workspace_makes_no_more_ticks),
        cmocka_unit_test(test_time_without_polls_does_not_count),
        cmocka_unit_test(test_time_in_which_one_thread_did_not_run_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
