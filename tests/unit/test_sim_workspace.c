/* All flocks share one workspace, which does not affect them. Between two ticks a flock takes
 * little memory. */
#include "sim/workspace.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 6000 };

/* The sanitizers have their own malloc(). */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_BYTES 1
#define PAGE         4096u /* glibc rounds the size of a large block to pages, or not */

static size_t bytes; /* allocated and not yet freed */

extern void *__libc_malloc(size_t size); /* NOLINT(bugprone-reserved-identifier): glibc's */
extern void *__libc_calloc(size_t count, size_t size); /* NOLINT(bugprone-reserved-identifier) */
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static void *counted(void *memory)
{
    bytes += malloc_usable_size(memory) + sizeof(size_t);
    return memory;
}

void *malloc(size_t size)
{
    return counted(__libc_malloc(size));
}

void *calloc(size_t nmemb, size_t size)
{
    return counted(__libc_calloc(nmemb, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return counted(__libc_memalign(alignment, size));
}

void free(void *ptr)
{
    if (ptr != NULL) {
        bytes -= malloc_usable_size(ptr) + sizeof(size_t);
    }
    __libc_free(ptr);
}
#endif

static struct flock_definition definition_of(const char *model, uint32_t boids)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_model_find(model));
    definition.settings.boundary = definition.settings.model->boundary;
    definition.boids = boids;
    return definition;
}

static struct flock *make(const char *model, uint32_t boids)
{
    struct flock_definition definition = definition_of(model, boids);
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

static struct flock_workspace *workspace_of(uint32_t threads, uint32_t boids)
{
    struct flock_workspace *workspace = flock_workspace_create(threads);
    assert_non_null(workspace);
    assert_true(flock_workspace_reserve(workspace, boids));
    return workspace;
}

struct state {
    float x[MOST], y[MOST], vx[MOST], vy[MOST];
};

static void look(const struct flock *flock, struct state *state)
{
    memset(state, 0, sizeof *state);
    flock_positions(flock, state->x, state->y);
    flock_velocities(flock, state->vx, state->vy);
}

static void assert_alike(const struct flock *one, const struct flock *two, const char *what)
{
    static struct state states[2];
    look(one, &states[0]);
    look(two, &states[1]);
    bool same = true;
    for (uint32_t i = 0; i < MOST; i++) {
        same = same && states[0].x[i] == states[1].x[i] && states[0].y[i] == states[1].y[i] &&
               states[0].vx[i] == states[1].vx[i] && states[0].vy[i] == states[1].vy[i];
    }
    if (!same) {
        const struct flock_definition *d = flock_definition_of(one);
        fail_msg("%u %s, boundary %d, update %d: %s changes the result", d->boids,
                 d->settings.model->name, (int)d->settings.boundary, (int)d->settings.update, what);
    }
}

static void test_threads_within_their_range(void **state)
{
    (void)state;
    const uint32_t good[] = {1, 2, 7, FLOCK_THREADS_MAX};
    assert_null(flock_workspace_create(0));
    assert_null(flock_workspace_create(FLOCK_THREADS_MAX + 1));
    flock_workspace_destroy(NULL);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct flock *flock = make("boids", MOST);
        struct flock *alone = make("boids", MOST);
        struct flock_workspace *workspace = workspace_of(good[i], MOST);
        struct flock_workspace *single = workspace_of(1, MOST);
        assert_int_equal(flock_workspace_threads(workspace), good[i]);
        for (int tick = 0; tick < 3; tick++) {
            assert_true(flock_tick(flock, workspace, NULL));
            assert_true(flock_tick(alone, single, NULL));
        }
        assert_alike(flock, alone, "the number of threads");
        flock_workspace_destroy(single);
        flock_workspace_destroy(workspace);
        flock_destroy(alone);
        flock_destroy(flock);
    }
}

static void test_a_small_flock_wakes_no_thread(void **state)
{
    (void)state;
    struct flock_workspace *workspace = workspace_of(30, MOST);
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        struct flock *flock = make(flock_models[m]->name, 120);
        assert_true(flock_tick(flock, workspace, NULL));
        assert_int_equal(workspace->workers, 1);
        assert_true(flock_add(flock, 0.0f, 0.0f, MOST - 120));
        assert_true(flock_tick(flock, workspace, NULL));
        assert_in_range(workspace->workers, 2, 15);
        flock_destroy(flock);
    }
    flock_workspace_destroy(workspace);
}

static void test_too_little_memory_moves_no_boid(void **state)
{
    (void)state;
    static struct state before;
    static struct state after;
    struct flock *flock = make("birds", 500);
    struct flock_workspace *workspace = flock_workspace_create(2);
    const struct flock_target target = {1.0f, 2.0f, false};
    look(flock, &before);
    assert_int_equal(flock_workspace_boids(workspace), 0);
    assert_false(flock_tick(flock, workspace, NULL));
    assert_false(flock_workspace_reserve(workspace, 0));
    assert_false(flock_workspace_reserve(workspace, FLOCK_BOIDS_MAX + 1));
    assert_true(flock_workspace_reserve(workspace, 499));
    assert_false(flock_tick(flock, workspace, NULL));
    assert_false(flock_tick_targets(flock, workspace, &target, 1));
    look(flock, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(flock_workspace_reserve(workspace, 500));
    assert_true(flock_tick(flock, workspace, NULL));
    look(flock, &after);
    assert_memory_not_equal(&before, &after, sizeof before);

    assert_true(flock_workspace_reserve(workspace, 1)); /* does not shrink it */
    assert_true(flock_tick(flock, workspace, NULL));
    flock_workspace_shrink(workspace, 1000);
    assert_true(flock_tick(flock, workspace, NULL));
    flock_workspace_shrink(workspace, 499);
    assert_false(flock_tick(flock, workspace, NULL));
    assert_int_equal(flock_remove(flock, 1), 1);
    assert_true(flock_tick(flock, workspace, NULL));
    flock_workspace_shrink(workspace, 0);
    assert_false(flock_tick(flock, workspace, NULL));
    flock_workspace_destroy(workspace);
    flock_destroy(flock);
}

/* Fills the workspace with values that a tick of another flock might leave. */
static void soil(struct flock_workspace *workspace, int tick)
{
    if (tick % 3 == 0) {
        flock_workspace_shrink(workspace, 0);
        assert_true(flock_workspace_reserve(workspace, MOST + 700 * (uint32_t)tick));
    }
#if !defined(__SANITIZE_ADDRESS__) /* it forbids writes between arrays */
    memset(workspace->memory, tick % 2 == 0 ? 0xff : 0x3c, 100000);
#endif
}

/* Flocks share one workspace. Each has a twin with its own workspace, and is compared with it. */
static void take_turns(enum flock_boundary boundary, uint32_t threads)
{
    enum { FLOCKS = 10 };
    const uint32_t sizes[FLOCKS] = {12, MOST, 1, 700, 120, 5000, 2, 33, 1500, 64};
    struct flock *flocks[FLOCKS];
    struct flock *twins[FLOCKS];
    struct flock_workspace *own[FLOCKS];
    struct flock_workspace *shared = flock_workspace_create(threads);
    const struct flock_wall wall = {100.0f, 50.0f, 220.0f, 190.0f};
    for (size_t i = 0; i < FLOCKS; i++) {
        struct flock_definition d = definition_of(flock_models[i % 5]->name, sizes[i]);
        d.settings.boundary = boundary;
        d.settings.update = sizes[i] < 2000 && i % 3 == 0 ? FLOCK_SEQUENTIAL : FLOCK_SYNCHRONOUS;
        flocks[i] = flock_create(&d);
        twins[i] = flock_create(&d);
        assert_true(flock_set_walls(flocks[i], &wall, 1) && flock_set_walls(twins[i], &wall, 1));
        own[i] = workspace_of(1, sizes[i]);
    }
    for (int tick = 0; tick < 6; tick++) {
        const struct flock_target target = {60.0f * (float)tick, 200.0f, false};
        soil(shared, tick);
        for (size_t i = 0; i < FLOCKS; i++) {
            assert_true(flock_tick_targets(flocks[i], shared, &target, 1));
            assert_true(flock_tick_targets(twins[i], own[i], &target, 1));
        }
    }
    for (size_t i = 0; i < FLOCKS; i++) {
        assert_alike(flocks[i], twins[i], "a shared workspace");
        flock_destroy(flocks[i]);
        flock_destroy(twins[i]);
        flock_workspace_destroy(own[i]);
    }
    flock_workspace_destroy(shared);
}

static void test_flocks_take_turns(void **state)
{
    (void)state;
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
        take_turns((enum flock_boundary)boundary, 1);
        take_turns((enum flock_boundary)boundary, 3);
    }
}

#ifdef COUNTS_BYTES
static void test_a_small_flock_is_small(void **state)
{
    (void)state;
    const struct flock_wall wall = {1.0f, 2.0f, 3.0f, 4.0f};
    size_t before = bytes;
    struct flock *flock = make("swarm", 12);
    size_t small = bytes - before;
    if (small > 4096) {
        fail_msg("a flock of 12 boids takes %zu bytes", small);
    }
    assert_true(flock_set_walls(flock, &wall, 1));
    assert_true(bytes - before < 16384);
    assert_true(flock_set_walls(flock, NULL, 0));
    assert_int_equal(bytes - before, small);
    assert_true(flock_add(flock, 0.0f, 0.0f, 100000));
    assert_in_range(bytes - before, 3200000, 6400000);
    assert_int_equal(flock_remove(flock, 100000), 100000);
    assert_int_equal(bytes - before, small);
    flock_destroy(flock);
    assert_int_equal(bytes, before);
}

static void test_memory_is_given_back(void **state)
{
    (void)state;
    size_t before = bytes;
    struct flock_workspace *workspace = workspace_of(1, 1000);
    size_t small = bytes - before;
    assert_true(flock_workspace_reserve(workspace, 200000));
    assert_true(bytes - before > 10 * small);
    flock_workspace_shrink(workspace, 1000);
    assert_in_range(bytes - before, small - PAGE, small + PAGE);
    flock_workspace_destroy(workspace);
    assert_int_equal(bytes, before);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_within_their_range),
        cmocka_unit_test(test_a_small_flock_wakes_no_thread),
        cmocka_unit_test(test_too_little_memory_moves_no_boid),
        cmocka_unit_test(test_flocks_take_turns),
#ifdef COUNTS_BYTES
        cmocka_unit_test(test_a_small_flock_is_small),
        cmocka_unit_test(test_memory_is_given_back),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
