/* The flock's position in an open plane, its direction and the numbers of its boids must not affect
 * its motion. A tick must not allocate memory. */
#include "sim/flock.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BOIDS = 600, TICKS = 3 };

/* The sanitizers have their own malloc(). */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1

static unsigned long allocations;

extern void *__libc_malloc(size_t size); /* NOLINT(bugprone-reserved-identifier): glibc's */
extern void *__libc_calloc(size_t count, size_t size); /* NOLINT(bugprone-reserved-identifier) */
extern void *__libc_realloc(void *old, size_t size);   /* NOLINT(bugprone-reserved-identifier) */
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t nmemb, size_t size)
{
    allocations++;
    return __libc_calloc(nmemb, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __libc_memalign(alignment, size);
}

void *realloc(void *ptr, size_t size)
{
    allocations++;
    return __libc_realloc(ptr, size);
}
#endif

struct state {
    float x[BOIDS], y[BOIDS], vx[BOIDS], vy[BOIDS];
};

static struct state start, one, two;

/* Runs an open flock whose boids have equal coefficients, so that boids can swap their numbers. */
static void run(const char *model, const struct state *from, struct state *to,
                struct flock_point target, int ticks)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_model_find(model));
    definition.boids = BOIDS;
    struct flock *flock = flock_create(&definition);
    if (strcmp(model, "swarm") == 0) {
        for (size_t i = 0; i < 6; i += 2) {
            assert_true(flock_param_set(flock, i + 1, flock_param_get(flock, i)));
        }
    }
    struct flock_state given = {.x = from->x, .y = from->y, .vx = from->vx, .vy = from->vy};
    assert_true(flock_replace(flock, &given, BOIDS));
    for (int i = 0; i < ticks; i++) {
        tick_flock(flock, &target);
    }
    flock_positions(flock, to->x, to->y);
    flock_velocities(flock, to->vx, to->vy);
    flock_destroy(flock);
}

/* Positions on a lattice of 1/64, so that they can be moved and turned without rounding. */
static void scatter(void)
{
    uint32_t seed = 5;
    float *const to[] = {start.x, start.y, start.vx, start.vy};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < BOIDS; i++) {
            seed = seed * 1664525u + 1013904223u;
            to[k][i] = (float)(int32_t)(seed >> 16) / (k < 2 ? 256.0f : 32768.0f);
        }
    }
}

/* Asserts that almost all boids are where they should be. Rounding can change boids at the edge of
 * another boid's sight. */
static void assert_alike(const char *model, const struct state *wanted, const struct state *got,
                         const char *what)
{
    int off = 0;
    for (int i = 0; i < BOIDS; i++) {
        off += hypotf(wanted->x[i] - got->x[i], wanted->y[i] - got->y[i]) > 5e-3f;
    }
    if (off > BOIDS / 100) {
        fail_msg("%s: %s puts %d of %d boids elsewhere", model, what, off, BOIDS);
    }
}

static const struct flock_point target = {100.0f, 40.0f};

static void test_the_slot_does_not_matter(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        const char *model = flock_models[m]->name;
        scatter();
        run(model, &start, &one, target, TICKS);
        for (int i = 0; i < BOIDS; i++) {
            start.x[i] += 512.0f;
            start.y[i] -= 256.0f;
            one.x[i] += 512.0f;
            one.y[i] -= 256.0f;
        }
        run(model, &start, &two, (struct flock_point){target.x + 512.0f, target.y - 256.0f}, TICKS);
        assert_alike(model, &one, &two, "moving everything");
    }
}

static void turn(struct state *s)
{
    for (int i = 0; i < BOIDS; i++) {
        float x = s->x[i];
        float vx = s->vx[i];
        s->x[i] = -s->y[i];
        s->y[i] = x;
        s->vx[i] = -s->vy[i];
        s->vy[i] = vx;
    }
}

static void test_direction_does_not_matter(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        const char *model = flock_models[m]->name;
        scatter();
        run(model, &start, &one, target, TICKS);
        turn(&start);
        turn(&one);
        run(model, &start, &two, (struct flock_point){-target.y, target.x}, TICKS);
        assert_alike(model, &one, &two, "turning everything by 90 degrees");
    }
}

static void test_numbers_do_not_matter(void **state)
{
    (void)state;
    static struct state shuffled;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        const char *model = flock_models[m]->name;
        scatter();
        run(model, &start, &one, target, TICKS);
        for (int i = 0; i < BOIDS; i++) {
            int other = i * 7 % BOIDS; /* 7 and 600 share no factor */
            shuffled.x[other] = start.x[i];
            shuffled.y[other] = start.y[i];
            shuffled.vx[other] = start.vx[i];
            shuffled.vy[other] = start.vy[i];
        }
        run(model, &shuffled, &two, target, TICKS);
        for (int i = 0; i < BOIDS; i++) {
            shuffled.x[i] = two.x[i * 7 % BOIDS];
            shuffled.y[i] = two.y[i * 7 % BOIDS];
        }
        assert_alike(model, &one, &shuffled, "renumbering");
    }
}

/* Two boids with equal separation push each other apart equally, so their centre does not move. */
static void test_pushes_cancel(void **state)
{
    (void)state;
    struct flock_definition definition = flock_definition_default();
    definition.boids = 2;
    struct flock *flock = flock_create(&definition);
    for (size_t i = 0; i < 6; i += 2) {
        assert_true(flock_param_set(flock, i + 1, flock_param_get(flock, i)));
    }
    const float x[] = {10.0f, 16.0f};
    const float y[] = {5.0f, 13.0f};
    const float zero[] = {0.0f, 0.0f};
    struct flock_state given = {.x = x, .y = y, .vx = zero, .vy = zero};
    assert_true(flock_replace(flock, &given, 2));
    for (int tick = 0; tick < 50; tick++) {
        float px[2];
        float py[2];
        tick_flock(flock, NULL);
        flock_positions(flock, px, py);
        assert_true(fabsf(px[0] + px[1] - 26.0f) < 1e-2f && fabsf(py[0] + py[1] - 18.0f) < 1e-2f);
        assert_true(hypotf(px[0] - px[1], py[0] - py[1]) > 8.0f);
    }
    flock_destroy(flock);
}

#ifdef COUNTS_ALLOCATIONS
static void test_a_tick_allocates_nothing(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
                struct flock_definition definition = flock_definition_default();
                flock_settings_choose(&definition.settings, flock_models[m]);
                definition.settings.boundary = (enum flock_boundary)boundary;
                definition.settings.update = (enum flock_update)update;
                definition.boids = 200;
                struct flock *flock = flock_create(&definition);
                struct flock_workspace *workspace = workspace_for(flock, 2);
                unsigned long before = allocations;
                assert_true(before > 0);
                for (int tick = 0; tick < 5; tick++) {
                    assert_true(flock_tick(flock, workspace, &target));
                }
                assert_int_equal(allocations, before);
                flock_destroy(flock);
            }
        }
    }
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_slot_does_not_matter),
        cmocka_unit_test(test_direction_does_not_matter),
        cmocka_unit_test(test_numbers_do_not_matter),
        cmocka_unit_test(test_pushes_cancel),
#ifdef COUNTS_ALLOCATIONS
        cmocka_unit_test(test_a_tick_allocates_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
