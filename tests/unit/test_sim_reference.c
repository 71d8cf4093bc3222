/* Compares each tick of the fast engine with the reference, for models, boundaries, densities and
 * sizes. Compares the reference with steps that were computed by hand. */
#include "sanitized.h"
#include "sim/flock.h"
#include "sim/reference.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TOLERANCE 1e-3 /* world units in position, and per tick in velocity */

/* More than the engine's lanes. */
enum { MOST = 4500 };

struct snapshot {
    float x[MOST], y[MOST], vx[MOST], vy[MOST];
    struct flock_things things;
};

static void take(const struct flock *flock, struct snapshot *snapshot)
{
    flock_positions(flock, snapshot->x, snapshot->y);
    flock_velocities(flock, snapshot->vx, snapshot->vy);
    snapshot->things = *flock_things_of(flock);
}

static struct flock *make(const char *model, enum flock_boundary boundary, float width,
                          float height, uint32_t boids)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_model_find(model));
    definition.settings.boundary = boundary;
    definition.settings.width = width;
    definition.settings.height = height;
    definition.boids = boids;
    definition.seed = boids;
    const uint32_t lanes[] = {0, 4, 8};
    definition.lanes = lanes[boids / 3 % 3];
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

static void set(struct flock *flock, const char *name, float value)
{
    int index = flock_param_find(flock_settings_of(flock)->model, name);
    assert_true(index >= 0);
    assert_true(flock_param_set(flock, (size_t)index, value));
}

static double apart(double a, double b, float size, bool torus)
{
    double d = fabs(a - b);
    return torus ? fmin(d, fabs((double)size - d)) : d;
}

static double error_of(const struct flock *flock, const double wanted[4], const double got[4])
{
    const struct flock_definition *world = flock_definition_of(flock);
    bool torus = world->settings.boundary == FLOCK_WRAP;
    return fmax(fmax(apart(wanted[0], got[0], world->settings.width, torus),
                     apart(wanted[1], got[1], world->settings.height, torus)),
                fmax(fabs(wanted[2] - got[2]), fabs(wanted[3] - got[3])));
}

static float clearance; /* of all ticks */

/* Returns whether the model itself jumps here: the reference moves this boid elsewhere if positions
 * differ in the last digits of a float. Causes are a boid at the edge of sight, sums that cancel,
 * or the end of a wall. An engine with floats cannot match such a step. */
static bool is_a_jump(const struct flock *flock, const struct snapshot *before, uint32_t boid,
                      const struct flock_target *targets, size_t target_count,
                      const double wanted[4])
{
    static struct snapshot moved;
    struct flock *copy = flock_create(flock_definition_of(flock));
    double worst = 0.0;
    for (unsigned attempt = 0; attempt < 8 && worst <= TOLERANCE / 4; attempt++) {
        moved = *before;
        for (uint32_t i = 0; i < flock_count(flock); i++) {
            uint32_t bits = (i * 8 + attempt) * 0x9e3779b1u ^ (i * 8 + attempt) << 13;
            moved.x[i] += (float)((int)(bits >> 8 & 0xff) - 128) * 4e-7f;
            moved.y[i] += (float)((int)(bits >> 16 & 0xff) - 128) * 4e-7f;
        }
        struct flock_state state = {.x = moved.x, .y = moved.y, .vx = moved.vx, .vy = moved.vy};
        assert_true(flock_replace(copy, &state, flock_count(flock)));
        copy->ticks = flock->ticks; /* the noise of the same tick */
        assert_true(flock_set_things(copy, &before->things));
        struct flock_reference *reference = flock_reference_create(copy);
        flock_reference_tick(reference, targets, target_count, clearance);
        double got[4];
        flock_reference_boid(reference, boid, got);
        worst = fmax(worst, error_of(flock, wanted, got));
        flock_reference_destroy(reference);
    }
    flock_destroy(copy);
    return worst > TOLERANCE / 4;
}

/* Both engines find the same prey and the same bites; they add up speeds in another way. */
static void assert_same_things(const struct flock *flock, const struct flock_reference *reference)
{
    const struct flock_settings *world = flock_settings_of(flock);
    const struct flock_things *got = flock_things_of(flock);
    const struct flock_things *wanted = flock_reference_things(reference);
    bool torus = world->boundary == FLOCK_WRAP;
    assert_int_equal(got->food_count, wanted->food_count);
    assert_int_equal(got->hunter_count, wanted->hunter_count);
    assert_memory_equal(got->food, wanted->food, got->food_count * sizeof got->food[0]);
    for (uint32_t i = 0; i < got->hunter_count; i++) {
        double far = fabs((double)wanted->hunters[i].x) + fabs((double)wanted->hunters[i].y);
        double tolerance = TOLERANCE + far * 0x1p-22;
        assert_true(apart((double)got->hunters[i].x, (double)wanted->hunters[i].x, world->width,
                          torus) <= tolerance);
        assert_true(apart((double)got->hunters[i].y, (double)wanted->hunters[i].y, world->height,
                          torus) <= tolerance);
    }
}

/* Ticks the flock and compares each tick with the reference. */
static void hold(struct flock *flock, const struct flock_target *targets, size_t target_count,
                 int ticks)
{
    static struct snapshot before;
    static struct snapshot after;
    struct flock_reference *reference = flock_reference_create(flock);
    assert_non_null(reference);
    const uint32_t threads = 1 + flock_count(flock) % 3;
    uint32_t jumps = 0;
    for (int tick = 0; tick < ticks; tick++) {
        take(flock, &before);
        flock_reference_load(reference);
        flock_reference_tick(reference, targets, target_count, clearance);
        tick_clear(flock, threads, targets, target_count, clearance);
        take(flock, &after);
        assert_same_things(flock, reference);
        for (uint32_t i = 0; i < flock_count(flock); i++) {
            double wanted[4];
            double got[4] = {(double)after.x[i], (double)after.y[i], (double)after.vx[i],
                             (double)after.vy[i]};
            flock_reference_boid(reference, i, wanted);
            /* Floats are less precise far from the origin, and a direction's last digits matter
             * more at high speed. */
            double far = fmax(fabs(wanted[0]), fabs(wanted[1])) +
                         500.0 * fmax(fabs(wanted[2]), fabs(wanted[3]));
            if (error_of(flock, wanted, got) <= TOLERANCE + far * 0x1p-23) {
                continue;
            }
            if (!is_a_jump(flock, &before, i, targets, target_count, wanted)) {
                const struct flock_definition *d = flock_definition_of(flock);
                fail_msg("%s, boundary %d, %gx%g, %u boids, update %d, tick %d: boid %u is at "
                         "%.5f,%.5f going %.5f,%.5f instead of %.5f,%.5f going %.5f,%.5f",
                         d->settings.model->name, (int)d->settings.boundary,
                         (double)d->settings.width, (double)d->settings.height, d->boids,
                         (int)d->settings.update, tick, i, got[0], got[1], got[2], got[3],
                         wanted[0], wanted[1], wanted[2], wanted[3]);
            }
            jumps++;
        }
    }
    assert_true(jumps <= 2 + flock_count(flock) * (uint32_t)ticks / 500);
    flock_reference_destroy(reference);
}

static void hold_all(enum flock_update update, const uint32_t *sizes, size_t size_count)
{
    const float worlds[][2] = {{550.0f, 400.0f}, {200.0f, 130.0f}, {3000.0f, 2500.0f}};
    const struct flock_target target = {130.0f, 90.0f, false};
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            for (size_t k = 0; k < size_count * 3; k++) {
                const float *world = worlds[k % 3];
                if (sizes[k / 3] > 1000 && k % 3 != (size_t)boundary) {
                    continue; /* the reference computes all pairs, so big flocks run in one world
                                 only */
                }
                struct flock *flock = make((*model)->name, (enum flock_boundary)boundary, world[0],
                                           world[1], sizes[k / 3]);
                assert_true(flock_set_update(flock, update));
                int ticks = sizes[k / 3] >= 500 ? 2 : 4;
                hold(flock, NULL, 0, ticks);
                hold(flock, &target, 1, ticks);
                clearance = 70.0f;
                hold(flock, &target, 1, ticks);
                clearance = 0.0f;
                flock_destroy(flock);
            }
        }
    }
}

static void test_synchronous_is_the_reference(void **state)
{
    (void)state;
    const uint32_t sizes[] = {1, 2, 3, 17, 100, 500, 1100};
    hold_all(FLOCK_SYNCHRONOUS, sizes, SANITIZED ? 5 : sizeof sizes / sizeof *sizes);
}

static void test_thousands_on_threads(void **state)
{
    (void)state;
    const struct flock_target target = {1300.0f, 900.0f, false};
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            /* The reference computes all pairs, so each model has MOST boids in one boundary only.
             */
            uint32_t boids = (int)(m % 3) == boundary && !SANITIZED ? MOST : 1200;
            struct flock *flock =
                make(flock_models[m]->name, (enum flock_boundary)boundary, 3000.0f, 2500.0f, boids);
            hold(flock, &target, 1, 1);
            flock_destroy(flock);
        }
    }
}

static void test_sequential_is_the_reference(void **state)
{
    (void)state;
    const uint32_t sizes[] = {1, 2, 33, 300};
    hold_all(FLOCK_SEQUENTIAL, sizes, sizeof sizes / sizeof *sizes);
}

/* A torus in which a boid sees all others, some of them past both edges. */
static void test_small_torus(void **state)
{
    (void)state;
    const float worlds[][2] = {{16.0f, 16.0f},  {40.0f, 90.0f},   {101.0f, 99.0f},
                               {165.0f, 30.0f}, {161.0f, 161.0f}, {322.0f, 323.0f}};
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        for (size_t k = 0; k < 6; k++) {
            struct flock *flock = make((*model)->name, FLOCK_WRAP, worlds[k][0], worlds[k][1], 300);
            hold(flock, NULL, 0, 4);
            flock_destroy(flock);
        }
    }
}

/* In a torus a boid half a world away is equally near on either side: both engines choose the same
 * side. */
static void test_half_a_world_away(void **state)
{
    (void)state;
    const float x[] = {0.0f, 0.0f, 100.0f, 50.0f};
    const float y[] = {0.0f, 75.0f, 75.0f, 20.0f};
    const float none[4] = {0.0f};
    const struct flock_state boids = {.x = x, .y = y, .vx = none, .vy = none};
    const struct flock_target target = {100.0f, 75.0f, false};
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        struct flock *flock = make((*model)->name, FLOCK_WRAP, 200.0f, 150.0f, 4);
        assert_true(flock_replace(flock, &boids, 4));
        struct flock_reference *reference = flock_reference_create(flock);
        flock_reference_tick(reference, &target, 1, 0.0f);
        tick_targets(flock, 1, &target, 1);
        float vx[4];
        float vy[4];
        flock_velocities(flock, vx, vy);
        for (uint32_t i = 0; i < 4; i++) {
            double wanted[4];
            flock_reference_boid(reference, i, wanted);
            assert_true(fabs((double)vx[i] - wanted[2]) < TOLERANCE);
            assert_true(fabs((double)vy[i] - wanted[3]) < TOLERANCE);
        }
        flock_reference_destroy(reference);
        flock_destroy(flock);
    }
}

static void test_any_radius(void **state)
{
    (void)state;
    const float radii[] = {0.0f, 0.5f, 7.0f, 130.0f, 1000.0f};
    const char *const far[][2] = {{"boids", "neighbor_distance"}, {"boids", "desired_separation"},
                                  {"vision", "view_radius"},      {"vision", "separation_radius"},
                                  {"birds", "view_distance"},     {"steering", "neighbor_distance"},
                                  {"swarm", "separation_max"}};
    for (size_t k = 0; k < 5; k++) {
        for (size_t m = 0; m < sizeof far / sizeof *far; m++) {
            for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
                struct flock *flock =
                    make(far[m][0], (enum flock_boundary)boundary, 700.0f, 300.0f, 400);
                set(flock, far[m][1], fminf(radii[k], m == 6 ? 200.0f : 1000.0f));
                hold(flock, NULL, 0, 3);
                flock_destroy(flock);
            }
        }
    }
}

/* A crowd at the edge of wide discs: each boid has many others, all on one side. */
static void test_crowd_on_the_edge(void **state)
{
    (void)state;
    static float x[MOST];
    static float y[MOST];
    static const float v[MOST];
    for (int i = 0; i < MOST; i++) {
        float far = i < 1000 ? 0.0f : 140.0f;
        float radius = 0.09f * sqrtf((float)i);
        x[i] = far + rintf(radius * cosf((float)i) * 256.0f) / 256.0f;
        y[i] = far + rintf(radius * sinf((float)i) * 256.0f) / 256.0f;
    }
    struct flock_state crowd = {.x = x, .y = y, .vx = v, .vy = v};
    for (uint32_t k = 0; k < 3; k++) {
        struct flock *flock = make("swarm", FLOCK_OPEN, 550.0f, 400.0f, 3 * k + 1);
        set(flock, "separation_min", 200.0f);
        set(flock, "separation_max", 200.0f);
        assert_true(flock_replace(flock, &crowd, MOST));
        hold(flock, NULL, 0, 1);
        flock_destroy(flock);
    }
}

/* How far boids of a model see. */
static const char *const sights[][2] = {{"boids", "neighbor_distance"},
                                        {"vision", "view_radius"},
                                        {"birds", "view_distance"},
                                        {"steering", "neighbor_distance"}};

/* A long narrow world with wide cells, and a boid that sees no other. */
static void test_thin_worlds_and_blind_boids(void **state)
{
    (void)state;
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            struct flock *flock =
                make((*model)->name, (enum flock_boundary)boundary, 30000.0f, 20.0f, 55);
            hold(flock, NULL, 0, 3);
            assert_true(flock_set_world(flock, (enum flock_boundary)boundary, 200.0f, 60000.0f));
            hold(flock, NULL, 0, 3);
            flock_destroy(flock);
        }
    }
    const struct flock_target target = {30.0f, 40.0f, false};
    for (size_t m = 0; m < 4; m++) {
        struct flock *flock = make(sights[m][0], FLOCK_WRAP, 300.0f, 200.0f, 200);
        set(flock, sights[m][1], 0.0f);
        hold(flock, &target, 1, 4);
        flock_destroy(flock);
    }
}

/* A torus with one row of cells and all boids near its corner: each boid is visible across every
 * edge, which needs the most copies. */
static void test_crowd_in_the_corner(void **state)
{
    (void)state;
    enum { BOIDS = 41 };
    static struct snapshot corner;
    const float worlds[][2] = {{1500.0f, 62.0f}, {62.0f, 1500.0f}, {62.0f, 63.0f}};
    for (size_t m = 0; m < 4; m++) {
        for (size_t k = 0; k < 3; k++) {
            struct flock *flock = make(sights[m][0], FLOCK_WRAP, worlds[k][0], worlds[k][1], BOIDS);
            set(flock, sights[m][1], 30.0f);
            take(flock, &corner);
            for (uint32_t i = 0; i < BOIDS; i++) {
                float left = i % 2 == 0 ? 0.0f : worlds[k][0] - 30.0f;
                float top = i % 4 < 2 ? 0.0f : worlds[k][1] - 30.0f;
                corner.x[i] = left + fmodf(corner.x[i], 30.0f);
                corner.y[i] = top + fmodf(corner.y[i], 30.0f);
            }
            struct flock_state given = {
                .x = corner.x, .y = corner.y, .vx = corner.vx, .vy = corner.vy};
            assert_true(flock_replace(flock, &given, BOIDS));
            hold(flock, NULL, 0, 3);
            flock_destroy(flock);
        }
    }
}

static void test_view_angles(void **state)
{
    (void)state;
    const float angles[] = {0.0f, 20.0f, 180.0f, 359.0f, 360.0f};
    for (size_t k = 0; k < 5; k++) {
        struct flock *flock = make("vision", FLOCK_WRAP, 600.0f, 500.0f, 500);
        set(flock, "view_angle", angles[k]);
        set(flock, "separation_angle", angles[4 - k]);
        hold(flock, NULL, 0, 4);
        flock_destroy(flock);
        flock = make("birds", FLOCK_OPEN, 600.0f, 500.0f, 500);
        set(flock, "view_angle", angles[k]);
        hold(flock, NULL, 0, 4);
        flock_destroy(flock);
    }
}

static void test_several_cursors_and_predators(void **state)
{
    (void)state;
    const struct flock_target targets[] = {{100.0f, 100.0f, false}, {500.0f, 300.0f, false},
                                           {250.0f, 390.0f, true},  {520.0f, 20.0f, false},
                                           {300.0f, 200.0f, true},  {NAN, 3.0f, false}};
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            struct flock *flock =
                make((*model)->name, (enum flock_boundary)boundary, 550.0f, 400.0f, 300);
            hold(flock, targets, 6, 2);
            set(flock, "flee_weight", 3.0f);
            hold(flock, targets, 6, 5);
            hold(flock, targets + 4, 1, 3);
            flock_destroy(flock);
        }
    }
}

/* Noise and uninformed boids, alone and with a class of cursors, in both orders. */
static void test_noise_and_uninformed_boids(void **state)
{
    (void)state;
    struct flock_target class[40];
    for (int i = 0; i < 40; i++) {
        class[i] =
            (struct flock_target){(float)(i * 367 % 600), (float)(i * 251 % 450), i % 9 == 0};
    }
    const float noise[] = {360.0f, 20.0f};
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
                struct flock *flock =
                    make((*model)->name, (enum flock_boundary)boundary, 550.0f, 400.0f, 301);
                assert_true(flock_set_update(flock, (enum flock_update)update));
                set(flock, "flee_weight", 2.0f);
                for (int i = 0; i < 2; i++) {
                    set(flock, "noise", noise[i]);
                    set(flock, "informed", i == 0 ? 0.4f : 0.97f);
                    hold(flock, NULL, 0, 3);
                    hold(flock, class, 1, 3);
                    hold(flock, class, 40, 3);
                }
                flock_destroy(flock);
            }
        }
    }
}

/* Food for some of the boids, hunters, cursors and walls at the same time, in both orders. */
static void test_food_and_hunters(void **state)
{
    (void)state;
    const struct flock_wall walls[] = {{100.0f, 50.0f, 220.0f, 190.0f},
                                       {300.0f, 390.0f, 310.0f, 100.0f}};
    const struct flock_target targets[] = {{100.0f, 100.0f, false}, {250.0f, 390.0f, true}};
    for (size_t k = 0; flock_models[k / 12] != NULL; k++) {
        const struct {
            uint32_t food, hunters, boids;
        } sizes[] = {{1, 1, 302}, {FLOCK_FOOD_MAX, FLOCK_HUNTERS_MAX, SANITIZED ? 305 : 500}};
        struct flock *flock = make(flock_models[k / 12]->name, (enum flock_boundary)(k % 3), 550.0f,
                                   400.0f, sizes[k / 6 % 2].boids);
        struct flock_things things = {.food_count = sizes[k / 6 % 2].food,
                                      .hunter_count = sizes[k / 6 % 2].hunters};
        for (uint32_t i = 0; i < FLOCK_FOOD_MAX; i++) {
            things.food[i] =
                (struct flock_food){(float)(i * 367 % 550), (float)(i * 251 % 400), 1 + i % 4};
            things.hunters[i / 4] = (struct flock_point){(float)(i * 67 % 550), (float)i};
        }
        assert_true(flock_set_walls(flock, walls, 2));
        assert_true(flock_set_update(flock, (enum flock_update)(k / 3 % 2)));
        set(flock, "flee_weight", 2.0f);
        for (int i = 0; i < 2; i++) {
            set(flock, "informed", i == 0 ? 1.0f : 0.6f);
            assert_true(flock_set_things(flock, &things));
            hold(flock, NULL, 0, 4);
            hold(flock, targets, 2, 4);
        }
        flock_destroy(flock);
    }
}

/* Coincident boids, all boids in one place, a line, and a few boids very far from the others. */
static void test_odd_crowds(void **state)
{
    (void)state;
    static struct snapshot odd;
    enum { BOIDS = 200 };
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        for (int crowd = 0; crowd < 5; crowd++) {
            for (uint32_t i = 0; i < BOIDS; i++) {
                uint32_t pair = i / 2;
                uint32_t group = i / 50;
                float uneven = (float)(pair * pair % 97) * 0.173f; /* otherwise sums would cancel */
                float row[5] = {100.0f, 100.0f, (float)pair + uneven, 100.0f + uneven,
                                (float)(i % 40) + uneven};
                float column[5] = {50.0f, (float)i + uneven, 50.0f, 60.0f, (float)group};
                odd.x[i] = row[crowd];
                odd.y[i] = column[crowd];
                odd.vx[i] = (float)(i % 7) - 3.0f + 0.01f * (float)(i % 11);
                odd.vy[i] = (float)(i % 5) - 2.0f + 0.01f * (float)(i % 13);
            }
            if (crowd == 3) {
                odd.x[7] = 1e6f;
                odd.y[7] = -1e6f;
                odd.x[8] = -4e5f;
                odd.x[9] = -4e5f;
                odd.y[9] = 65.0f;
            }
            for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
                struct flock *flock =
                    make((*model)->name, (enum flock_boundary)boundary, 550.0f, 400.0f, BOIDS);
                struct flock_state given = {.x = odd.x, .y = odd.y, .vx = odd.vx, .vy = odd.vy};
                assert_true(flock_replace(flock, &given, BOIDS));
                hold(flock, NULL, 0, 1);
                flock_destroy(flock);
            }
        }
    }
}

/* Clusters so far apart in an open world that one grid over all of them would be too large. */
static void test_vast_plane(void **state)
{
    (void)state;
    static struct snapshot vast;
    enum { BOIDS = 900 };
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        struct flock *flock = make((*model)->name, FLOCK_OPEN, 600.0f, 600.0f, BOIDS);
        take(flock, &vast);
        for (uint32_t i = 0; i < BOIDS; i++) {
            vast.x[i] = 0.25f * vast.x[i] + 3163.0f * (float)(i % 5) * (float)(i % 5);
            vast.y[i] = 0.25f * vast.y[i] - 2711.0f * (float)(i % 7);
        }
        struct flock_state given = {.x = vast.x, .y = vast.y, .vx = vast.vx, .vy = vast.vy};
        assert_true(flock_replace(flock, &given, BOIDS));
        hold(flock, NULL, 0, 3);
        flock_destroy(flock);
    }
}

static float draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (float)(*seed >> 40) * 0x1p-24f;
}

/* Returns a parameter's default, minimum or maximum, or a random value. */
static float draw_value(uint64_t *seed, const struct flock_param *param)
{
    float kind = 6.0f * draw(seed);
    float any = param->min + draw(seed) * (param->max - param->min);
    return kind < 1.0f ? param->min : kind < 2.0f ? param->max : kind < 3.0f ? any : param->initial;
}

static void test_random_worlds_and_parameters(void **state)
{
    (void)state;
    uint64_t seed = 20;
    for (int round = 0; round < 400; round++) {
        struct flock_definition d = flock_definition_default();
        flock_settings_choose(&d.settings, flock_models[(int)(5.0f * draw(&seed))]);
        d.settings.boundary = (enum flock_boundary)(3.0f * draw(&seed));
        d.settings.width = floorf(16.0f + powf(draw(&seed), 4.0f) * 40000.0f);
        d.settings.height = 16.0f + powf(draw(&seed), 4.0f) * 4000.0f;
        d.boids = 1 + (uint32_t)(powf(draw(&seed), 3.0f) * 500.0f);
        d.seed = seed;
        d.settings.update = (enum flock_update)(1.2f * draw(&seed));
        d.lanes = 4 * (uint32_t)(4.0f * draw(&seed)); /* 0: the maximum */
        struct flock *flock = flock_create(&d);
        for (size_t p = 0; p < d.settings.model->param_count; p++) {
            flock_param_set(flock, p, draw_value(&seed, &d.settings.model->params[p]));
        }
        struct flock_target targets[2];
        for (int i = 0; i < 2; i++) {
            targets[i] = (struct flock_target){(3.0f * draw(&seed) - 1.0f) * d.settings.width,
                                               (3.0f * draw(&seed) - 1.0f) * d.settings.height,
                                               draw(&seed) < 0.3f};
        }
        struct flock_things things = {.food_count = (uint32_t)(3.0f * draw(&seed)),
                                      .hunter_count = (uint32_t)(3.0f * draw(&seed))};
        for (int i = 0; i < 2; i++) {
            things.food[i] = (struct flock_food){targets[i].y, draw(&seed) * d.settings.height, 1};
            things.hunters[i] = (struct flock_point){targets[i].x, targets[i].y};
        }
        assert_true(flock_set_things(flock, &things));
        hold(flock, targets, (size_t)(3.0f * draw(&seed)), 2);
        flock_destroy(flock);
    }
}

/* One tick of three boids, computed by hand from the published formulas. */
struct by_hand {
    const char *model;
    const char *set[6];
    float value[6];
    double vx, vy; /* the first boid's new velocity */
};

static void check_by_hand(const struct by_hand *step, const struct flock_state *start,
                          const struct flock_point *target)
{
    for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
        struct flock_definition definition = flock_definition_default();
        flock_settings_choose(&definition.settings, flock_model_find(step->model));
        definition.settings.boundary = FLOCK_OPEN;
        definition.settings.update = (enum flock_update)update;
        struct flock *flock = flock_create(&definition);
        for (int i = 0; i < 6 && step->set[i] != NULL; i++) {
            set(flock, step->set[i], step->value[i]);
        }
        assert_true(flock_replace(flock, start, 3));
        tick_flock(flock, target);
        float vx[3];
        float vy[3];
        flock_velocities(flock, vx, vy);
        if (fabs((double)vx[0] - step->vx) > 1e-5 || fabs((double)vy[0] - step->vy) > 1e-5) {
            fail_msg("%s: %.6f,%.6f instead of %.6f,%.6f", step->model, (double)vx[0],
                     (double)vy[0], step->vx, step->vy);
        }
        flock_destroy(flock);
    }
}

static void test_steps_worked_out_by_hand(void **state)
{
    (void)state;
    /* The first flies right at 1; one is 10 ahead and flies down; one is 40 below and flies left.
     */
    const float x[] = {100.0f, 110.0f, 100.0f};
    const float y[] = {100.0f, 100.0f, 140.0f};
    const float vx[] = {1.0f, 0.0f, -2.0f};
    const float vy[] = {0.0f, 1.0f, 0.0f};
    const struct flock_state start = {.x = x, .y = y, .vx = vx, .vy = vy};
    const struct flock_point target = {100.0f, 0.0f};
    const struct by_hand steps[] = {
        /* C = (310/3, 340/3), S = (-1,0) (25 - 10), A = (T - C) 0.2, K = (C - p) 0.4 */
        {"swarm",
         {"separation_min", "separation_max", "alignment_min", "alignment_max", "cohesion_min",
          "cohesion_max"},
         {25.0f, 25.0f, 0.2f, 0.2f, 0.4f, 0.4f},
         (1.0 - 15.0 - 0.2 * 10.0 / 3.0 + 0.4 * 10.0 / 3.0) / 4.0,
         (0.0 - 0.2 * 340.0 / 3.0 + 0.4 * 40.0 / 3.0) / 4.0},
        /* Every force is longer than 0.05 and so 0.05 long: separation (-3,0) - v, alignment
         * 3 unit(-2,1) - v, cohesion 3 unit(10,40) - v, seek (0,-3) - v. */
        {"boids",
         {NULL},
         {0.0f},
         1.0 - 0.05 * (1.5 + 0.9396076583 + 0.0931848993 + 0.5 * 0.31622777),
         0.05 * (0.3422534858 + 0.9956488209 - 0.5 * 0.94868330)},
        /* All but seek is off: the heading turns by 4 degrees from (1,0) toward (0,-1). */
        {"vision",
         {"cohesion_weight", "alignment_weight", "separation_weight"},
         {0.0f, 0.0f, 0.0f},
         2.0 * 0.99756405026,
         -2.0 * 0.06975647374},
        /* Cohesion unit(5,20), alignment unit((-1,0.5) - (1,0)), separation (-1,0) * 2, seek
         * (0,-0.5), all by 1/40. */
        {"birds",
         {"min_speed"},
         {0.0f},
         1.0 + (0.2425356250 - 0.9701425001 - 2.0) / 40.0,
         (0.9701425001 + 0.2425356250 - 0.5) / 40.0},
        /* With turn_rate 1 the velocity is the sum itself: separation (-3,0) - v, alignment
         * 3 unit(-1,1) - v, cohesion 3 unit(10,40) - v, seek (0,-3) - v, each 0.1 long. */
        {"steering",
         {"turn_rate"},
         {1.0f},
         1.0 - 0.1 * (1.5 + 0.8270715536 + 0.0931848993 + 0.5 * 0.31622777),
         0.1 * (0.5620966512 + 0.9956488209 - 0.5 * 0.94868330)},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        check_by_hand(&steps[i], &start, &target);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_worked_out_by_hand),
        cmocka_unit_test(test_synchronous_is_the_reference),
        cmocka_unit_test(test_thousands_on_threads),
        cmocka_unit_test(test_sequential_is_the_reference),
        cmocka_unit_test(test_small_torus),
        cmocka_unit_test(test_half_a_world_away),
        cmocka_unit_test(test_any_radius),
        cmocka_unit_test(test_crowd_on_the_edge),
        cmocka_unit_test(test_thin_worlds_and_blind_boids),
        cmocka_unit_test(test_crowd_in_the_corner),
        cmocka_unit_test(test_view_angles),
        cmocka_unit_test(test_several_cursors_and_predators),
        cmocka_unit_test(test_noise_and_uninformed_boids),
        cmocka_unit_test(test_food_and_hunters),
        cmocka_unit_test(test_odd_crowds),
        cmocka_unit_test(test_random_worlds_and_parameters),
        cmocka_unit_test(test_vast_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
