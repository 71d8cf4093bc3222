/* A tick that is given up, whenever that is, leaves the flock as it was, bit for bit and in the
 * order in which it is stored; and the next tick makes what it would have made. */
#include "sim/flock.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* So many that each tick asks a few times at least, in every model and order. */
enum { BOIDS = 4500, BOIDS_SEQUENTIAL = 600 };

static _Atomic int questions;
static _Atomic int patience; /* questions that are answered with "go on" */

static bool enough(void *argument)
{
    (void)argument;
    return atomic_fetch_add(&questions, 1) >= atomic_load(&patience);
}

/* A flock in which everybody sees everybody, or nearly so. */
static struct flock *crowded(size_t model, int boundary, int update)
{
    struct flock_definition definition = flock_definition_default();
    definition.model = flock_models[model];
    definition.boundary = (enum flock_boundary)boundary;
    definition.update = (enum flock_update)update;
    definition.width = 900.0f;
    definition.height = 700.0f;
    definition.boids = update == FLOCK_SEQUENTIAL ? BOIDS_SEQUENTIAL : BOIDS;
    definition.seed = 7;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    for (size_t i = 0; i < definition.model->param_count; i++) {
        const struct flock_param *param = &definition.model->params[i];
        if (strstr(param->name, "distance") != NULL || strstr(param->name, "radius") != NULL ||
            strcmp(param->name, "separation_max") == 0) {
            assert_true(flock_param_set(flock, i, fminf(param->max, 400.0f)));
        }
    }
    return flock;
}

/* Everything of the flock that a tick changes. */
struct image {
    uint32_t count;
    uint32_t number[BOIDS];
    float x[BOIDS], y[BOIDS], vx[BOIDS], vy[BOIDS];
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
}

static const struct flock_target targets[] = {{450.0f, 350.0f, false}, {100.0f, 600.0f, true}};

/* Gives up the next tick at its first question, at its second, and later ones. */
static void give_up(struct flock *flock, struct flock_workspace *workspace)
{
    static struct image before;
    static struct image after;
    take_image(&before, flock);
    for (int after_questions = 0; after_questions < 4; after_questions++) {
        atomic_store(&questions, 0);
        atomic_store(&patience, after_questions);
        flock_workspace_abandon_if(workspace, enough, NULL);
        bool moved = flock_tick_targets(flock, workspace, targets, 2);
        flock_workspace_abandon_if(workspace, NULL, NULL);
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

/* In a torus so small that a boid may meet another from two sides, all pairs are looked at. */
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

/* Nobody is asked about a flock that is soon done. */
static void test_small_flocks_do_not_ask(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        struct flock_definition definition = flock_definition_default();
        definition.model = flock_models[m];
        definition.boids = 100;
        struct flock *flock = flock_create(&definition);
        struct flock_workspace *workspace = workspace_for(flock, 1);
        atomic_store(&questions, 0);
        atomic_store(&patience, 0);
        flock_workspace_abandon_if(workspace, enough, NULL);
        assert_true(flock_tick_targets(flock, workspace, targets, 2));
        flock_workspace_abandon_if(workspace, NULL, NULL);
        assert_int_equal(atomic_load(&questions), 0);
        flock_destroy(flock);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_several_threads),
        cmocka_unit_test(test_one_boid_after_another),
        cmocka_unit_test(test_a_small_torus),
        cmocka_unit_test(test_small_flocks_do_not_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
