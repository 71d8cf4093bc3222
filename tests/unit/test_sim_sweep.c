/* Sweeps: their values, their samples, and the standard error of their means. */
#include "sim/sweep.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct flock *make_flock(void)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_models[1]);
    definition.settings.boundary = FLOCK_WRAP;
    definition.boids = 60;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

static void test_values_are_evenly_spaced_and_end_exactly(void **state)
{
    (void)state;
    const struct sweep_plan up = {
        .from = 0.1F, .to = 0.7F, .steps = 7, .warm_up = 0, .ticks = 2, .every = 1};
    const struct sweep_plan down = {
        .from = 3.0F, .to = -1.0F, .steps = 3, .warm_up = 0, .ticks = 2, .every = 1};
    for (uint32_t step = 0; step < 7; step++) {
        assert_true(fabs((double)sweep_value(&up, step) - (0.1 + 0.1 * step)) < 1e-6);
    }
    assert_true(sweep_value(&up, 0) == 0.1F && sweep_value(&up, 6) == 0.7F);
    assert_true(sweep_value(&down, 0) == 3.0F && sweep_value(&down, 1) == 1.0F &&
                sweep_value(&down, 2) == -1.0F);
}

/* The mean and the error of numbers 0 to n - 1 in ten batches, written out. */
static void test_error_is_of_the_means_of_batches(void **state)
{
    (void)state;
    struct sweep_sums sums = {.counts = {0}};
    struct sweep_point point;
    for (uint32_t i = 0; i < 40; i++) {
        sums.counts[i / 4]++;
        sums.sums[i / 4][SWEEP_SPEED] += i;
        sums.sums[i / 4][SWEEP_CLUSTERS] += 3.0;
    }
    sweep_summarize(&sums, 0.25F, &point);
    assert_true(point.value == 0.25F);
    assert_int_equal(point.samples, 40);
    assert_true(point.mean[SWEEP_SPEED] == 19.5F);
    /* The batches' means are 1.5, 5.5, … 37.5: their variance is 16 * 82.5 / 9. */
    assert_true(fabs((double)point.error[SWEEP_SPEED] - sqrt(16.0 * 82.5 / 9.0 / 10.0)) < 1e-5);
    assert_true(point.mean[SWEEP_CLUSTERS] == 3.0F && point.error[SWEEP_CLUSTERS] == 0.0F);
    assert_true(point.mean[SWEEP_MILLING] == 0.0F && point.error[SWEEP_MILLING] == 0.0F);
}

static void test_batches_of_different_length_count_by_their_length(void **state)
{
    (void)state;
    const struct sweep_sums sums = {.counts = {3, 1}, .sums = {{6.0}, {6.0}}};
    const struct sweep_sums one = {.counts = {4}, .sums = {{6.0}}};
    const struct sweep_sums none = {.counts = {0}};
    struct sweep_point point;
    sweep_summarize(&sums, 0.0F, &point);
    /* Means 2 and 6, of all 3: (3 * 1 + 1 * 9) / (4 * 1). */
    assert_true(point.mean[0] == 3.0F);
    assert_true(fabs((double)point.error[0] - sqrt(3.0)) < 1e-6);
    sweep_summarize(&one, 0.0F, &point);
    assert_true(point.samples == 4 && point.mean[0] == 1.5F && point.error[0] == 0.0F);
    sweep_summarize(&none, 0.0F, &point);
    assert_true(point.samples == 0 && point.mean[0] == 0.0F && point.error[0] == 0.0F);
}

/* A noisy course with a memory of about 20 samples (the next value is 0.95 of the last one, and a
 * random part) has a mean whose error is known. The error of 2,000 samples must be about that, and
 * not the four to six times smaller one of independent samples. */
static void test_error_of_a_correlated_course(void **state)
{
    (void)state;
    enum { SAMPLES = 2000, RUNS = 200 };
    const double memory = 0.95;
    double errors = 0.0;
    double means = 0.0;
    uint64_t random = 12345;
    for (int run = 0; run < RUNS; run++) {
        struct sweep_sums sums = {.counts = {0}};
        struct sweep_point point;
        double value = 0.0;
        for (int i = -200; i < SAMPLES; i++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            value = memory * value + (double)(random >> 40) / 0x1p24 - 0.5;
            if (i >= 0) {
                sums.counts[i / (SAMPLES / 10)]++;
                sums.sums[i / (SAMPLES / 10)][0] += value;
            }
        }
        sweep_summarize(&sums, 0.0F, &point);
        errors += (double)point.error[0] * (double)point.error[0] / RUNS;
        means += (double)point.mean[0] * (double)point.mean[0] / RUNS;
    }
    const double known = sqrt(1.0 / 12.0) / (1.0 - memory) / sqrt(SAMPLES);
    assert_true(sqrt(means) > 0.85 * known && sqrt(means) < 1.15 * known);
    assert_true(sqrt(errors) > 0.8 * known && sqrt(errors) < 1.1 * known);
}

static void set_noise(struct flock *flock, float value)
{
    assert_true(
        flock_param_set(flock, flock_settings_of(flock)->model->common[FLOCK_NOISE], value));
}

/* A sweep of a flock agrees with samples that are taken by hand from the same flock. */
static void test_points_have_the_samples_after_the_warm_up(void **state)
{
    (void)state;
    const struct sweep_plan plan = {
        .from = 0.0F, .to = 2.0F, .steps = 3, .warm_up = 7, .ticks = 23, .every = 4};
    struct flock *swept = make_flock();
    struct flock *plain = make_flock();
    struct sweep sweep;
    sweep_begin(&sweep, &plan);
    for (uint32_t step = 0; step < 3; step++) {
        double speed = 0.0;
        double nearest = 0.0;
        double clusters = 0.0;
        set_noise(swept, sweep_value(&plan, step));
        set_noise(plain, (float)step);
        for (uint32_t tick = 1; tick <= 30; tick++) {
            tick_flock(swept, NULL);
            tick_flock(plain, NULL);
            assert_int_equal(sweep_tick(&sweep, swept, workspace_for(swept, 1)), tick == 30);
            if (tick > 7 && (tick - 7) % 4 == 0) { /* 11, 15, 19, 23, 27 */
                float distance;
                struct flock_clusters found;
                assert_true(flock_nearest(plain, workspace_for(plain, 1), &distance));
                assert_true(flock_count_clusters(plain, workspace_for(plain, 1), &found));
                speed += (double)flock_measure(plain).speed / 5.0;
                nearest += (double)distance / 5.0;
                clusters += found.count / 5.0;
            }
        }
        assert_int_equal(sweep.count, step + 1);
        const struct sweep_point *point = &sweep.points[step];
        assert_true(point->value == (float)step);
        assert_int_equal(point->samples, 5);
        assert_true(fabs((double)point->mean[SWEEP_SPEED] - speed) < 1e-5);
        assert_true(fabs((double)point->mean[SWEEP_NEAREST] - nearest) < 1e-4);
        assert_true(fabs((double)point->mean[SWEEP_CLUSTERS] - clusters) < 1e-5);
        assert_true(point->error[SWEEP_NEAREST] > 0.0F);
    }
    assert_true(sweep_is_complete(&sweep));
    flock_destroy(swept);
    flock_destroy(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_evenly_spaced_and_end_exactly),
        cmocka_unit_test(test_error_is_of_the_means_of_batches),
        cmocka_unit_test(test_batches_of_different_length_count_by_their_length),
        cmocka_unit_test(test_error_of_a_correlated_course),
        cmocka_unit_test(test_points_have_the_samples_after_the_warm_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
