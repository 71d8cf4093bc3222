/* Noise turns velocities by random angles of the seed, the tick and the boid's number. Uninformed
 * boids ignore targets. */
#include "sim/flock.h"
#include "sim/noise.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { BOIDS = 300 };

static float x[2][BOIDS], y[2][BOIDS], vx[2][BOIDS], vy[2][BOIDS];

static struct flock *make(const struct flock_model *model, enum flock_boundary boundary,
                          enum flock_update update)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, model);
    definition.settings.boundary = boundary;
    definition.settings.update = update;
    definition.boids = BOIDS;
    definition.seed = 5;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

static void set(struct flock *flock, enum flock_common common, float value)
{
    size_t index = flock_settings_of(flock)->model->common[common];
    assert_true(flock_param_set(flock, index, value));
}

static void look(const struct flock *flock, int into)
{
    flock_positions(flock, x[into], y[into]);
    flock_velocities(flock, vx[into], vy[into]);
}

/* The published vectors of Threefry-2x32 with 20 rounds (kat_vectors of Random123). */
static void test_known_words(void **state)
{
    const struct {
        uint32_t counter[2], key[2], word;
    } known[] = {
        {{0, 0}, {0, 0}, 0x6b200159u},
        {{0xffffffffu, 0xffffffffu}, {0xffffffffu, 0xffffffffu}, 0x1cb996fcu},
        {{0x243f6a88u, 0x85a308d3u}, {0x13198a2eu, 0x03707344u}, 0xc4923a9cu},
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t seed = (uint64_t)known[i].key[1] << 32 | known[i].key[0];
        struct noise noise = noise_of(seed, known[i].counter[1], 360.0f);
        assert_int_equal(noise_word(&noise, known[i].counter[0]), known[i].word);
    }
}

/* Returns the chi-square of 64 equally frequent ranges of `count` shares. */
static double unevenness(const uint32_t counts[64], uint32_t count)
{
    double expected = count / 64.0;
    double sum = 0.0;
    for (int i = 0; i < 64; i++) {
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return sum;
}

/* Shares are even, over the boids of a tick, over the ticks of a boid and over seeds. A chi-square
 * with 63 degrees of freedom is above 120 once in 60,000 times. */
static void test_shares_are_even(void **state)
{
    enum { DRAWS = 1 << 16 };

    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        uint32_t counts[64] = {0};
        double sum = 0.0;
        for (uint32_t i = 0; i < DRAWS; i++) {
            struct noise noise = noise_of(kind == 2   ? i
                                          : kind == 3 ? (uint64_t)i << 40
                                                      : 9,
                                          kind == 1 ? i : 77, 360.0f);
            float share = noise_share(&noise, kind == 0 ? i : 3);
            assert_true(share >= -0.5f && share < 0.5f);
            counts[(int)((share + 0.5f) * 64.0f)]++;
            sum += (double)share;
        }
        assert_true(unevenness(counts, DRAWS) < 120.0);
        assert_true(fabs(sum / DRAWS) < 0.005); /* 4.4 standard deviations */
    }
}

/* Two ticks more than 2^32 apart have different noise. */
static void test_many_ticks(void **state)
{
    struct noise early = noise_of(1, 5, 90.0f);
    struct noise late = noise_of(1, 5 + (UINT64_C(1) << 32), 90.0f);

    (void)state;
    assert_true(noise_share(&early, 0) != noise_share(&late, 0));
}

/* Noise turns the new velocity by at most half its range, keeps the speed, and moves the boid by
 * the turned velocity. */
static void test_noise_turns_the_velocity(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
            double most = 0.0;
            float from[2][BOIDS];
            struct flock *flocks[2];
            for (int i = 0; i < 2; i++) {
                flocks[i] = make(flock_models[m], FLOCK_OPEN, (enum flock_update)update);
                set(flocks[i], FLOCK_NOISE, i == 0 ? 0.0f : 40.0f);
                flock_positions(flocks[i], from[0], from[1]);
                tick_flock(flocks[i], NULL);
                look(flocks[i], i);
                flock_destroy(flocks[i]);
            }
            for (int i = 0; i < (update == FLOCK_SYNCHRONOUS ? BOIDS : 1); i++) {
                double plain = hypot((double)vx[0][i], (double)vy[0][i]);
                double noisy = hypot((double)vx[1][i], (double)vy[1][i]);
                double cross =
                    (double)vx[0][i] * (double)vy[1][i] - (double)vy[0][i] * (double)vx[1][i];
                double turn = fabs(asin(cross / (plain * noisy))) * (180.0 / TRIG_PI);
                assert_true(fabs(plain - noisy) <= 1e-5 * plain);
                assert_true(turn <= 20.001);
                assert_true(fabsf(x[1][i] - from[0][i] - vx[1][i]) < 1e-3f);
                assert_true(fabsf(y[1][i] - from[1][i] - vy[1][i]) < 1e-3f);
                most = fmax(most, turn);
            }
            assert_true(most > (update == FLOCK_SYNCHRONOUS ? 19.0 : 0.0));
        }
    }
}

/* A flock that is reset moves as it did from its beginning, with its noise. */
static void test_a_reset_repeats_the_noise(void **state)
{
    struct flock *flock = make(flock_models[1], FLOCK_WRAP, FLOCK_SYNCHRONOUS);

    (void)state;
    set(flock, FLOCK_NOISE, 100.0f);
    for (int run = 0; run < 2; run++) {
        for (int tick = 0; tick < 5; tick++) {
            assert_int_equal(flock_ticks(flock), tick);
            tick_flock(flock, NULL);
        }
        look(flock, run);
        flock_reset(flock);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(y[0], y[1], sizeof y[0]);
    flock_destroy(flock);
}

/* The informed boids are the whole part of n times the share, spread over the numbers. */
static void test_number_of_informed_boids(void **state)
{
    const float shares[] = {0.0f, 0.01f, 0.1f, 0.25f, 0.5f, 0.7f, 0.999f, 1.0f};

    (void)state;
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        uint32_t informed = 0;
        for (uint32_t i = 0; i < 10000; i++) {
            informed += is_informed(i, shares[k]);
            assert_int_equal(informed, (uint32_t)((i + 1.0) * (double)shares[k]));
        }
    }
    assert_true(is_informed(FLOCK_BOIDS_MAX - 1, 1.0f));
}

/* Returns the flock after one tick. */
static void tick_once(const struct flock_model *model, int boundary, int update, float informed,
                      size_t targets, int into)
{
    struct flock_target target[30];
    struct flock *flock = make(model, (enum flock_boundary)boundary, (enum flock_update)update);
    for (int i = 0; i < 30; i++) {
        target[i] = (struct flock_target){30.0f + 7.0f * (float)i, 300.0f, false};
    }
    set(flock, FLOCK_INFORMED, informed);
    tick_targets(flock, 1, target, targets);
    look(flock, into);
    flock_destroy(flock);
}

static bool is_same(int i)
{
    return vx[0][i] == vx[1][i] && vy[0][i] == vy[1][i];
}

/* An uninformed boid moves as if there were no target, an informed one as if all were informed: one
 * target and many, in all models, boundaries and, for the first boid, orders. */
static void test_uninformed_boids_ignore_targets(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int kind = 0; kind < 12; kind++) {
            int boundary = kind % 3;
            int update = kind / 3 % 2;
            size_t targets = kind < 6 ? 1 : 30;
            int compared = update == FLOCK_SYNCHRONOUS ? BOIDS : 1;
            int followed = 0;
            tick_once(flock_models[m], boundary, update, 0.3f, targets, 0);
            tick_once(flock_models[m], boundary, update, 1.0f, 0, 1);
            for (int i = 0; i < compared; i++) {
                followed += !is_same(i);
                assert_true(is_informed((uint32_t)i, 0.3f) || is_same(i));
            }
            assert_true(followed > (compared == BOIDS ? 8 : -1)); /* vision turns little */
            tick_once(flock_models[m], boundary, update, 1.0f, targets, 1);
            for (int i = 0; i < compared; i++) {
                assert_true(!is_informed((uint32_t)i, 0.3f) || is_same(i));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_words),
        cmocka_unit_test(test_shares_are_even),
        cmocka_unit_test(test_many_ticks),
        cmocka_unit_test(test_noise_turns_the_velocity),
        cmocka_unit_test(test_a_reset_repeats_the_noise),
        cmocka_unit_test(test_number_of_informed_boids),
        cmocka_unit_test(test_uninformed_boids_ignore_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
