/* Counters and histograms: what goes in which bucket, and that who reads along sees whole numbers.
 */
#include "base/counter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <uv.h>

#include <cmocka.h>

#define TURNS 1000000u

static void test_a_bucket_has_its_bound(void **state)
{
    struct histogram histogram;
    uint64_t sum = 0;

    (void)state;
    memset(&histogram, 0, sizeof histogram);
    for (size_t i = 0; i < HISTOGRAM_BOUNDS; i++) {
        assert_true(i == 0 || histogram_bounds[i] > histogram_bounds[i - 1]);
        histogram_add(&histogram, histogram_bounds[i]);
        histogram_add(&histogram, histogram_bounds[i] + 1);
        sum += 2 * histogram_bounds[i] + 1;
    }
    assert_int_equal(counter_read(&histogram.buckets[0]), 1);
    for (size_t i = 1; i < HISTOGRAM_BOUNDS; i++) {
        assert_int_equal(counter_read(&histogram.buckets[i]), 2);
    }
    assert_int_equal(counter_read(&histogram.buckets[HISTOGRAM_BOUNDS]), 1);
    assert_int_equal(counter_read(&histogram.sum), sum);
}

static void test_no_time_is_out_of_range(void **state)
{
    struct histogram histogram;

    (void)state;
    memset(&histogram, 0, sizeof histogram);
    histogram_add(&histogram, 0);
    histogram_add(&histogram, UINT64_MAX);
    assert_int_equal(counter_read(&histogram.buckets[0]), 1);
    assert_int_equal(counter_read(&histogram.buckets[HISTOGRAM_BOUNDS]), 1);
}

/* Adds values that change both halves of the counter at once. */
static void count(void *argument)
{
    for (unsigned i = 0; i < TURNS; i++) {
        counter_add(argument, (UINT64_C(1) << 32) + 1);
    }
}

static void test_a_reader_sees_whole_numbers(void **state)
{
    _Atomic uint64_t counter;
    uint64_t last = 0;
    uv_thread_t thread;

    (void)state;
    counter_set(&counter, 0);
    assert_int_equal(uv_thread_create(&thread, count, &counter), 0);
    while (last >> 32 < TURNS) {
        uint64_t now = counter_read(&counter);
        assert_int_equal(now >> 32, now & UINT32_MAX);
        assert_true(now >= last);
        last = now;
    }
    uv_thread_join(&thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_bucket_has_its_bound),
        cmocka_unit_test(test_no_time_is_out_of_range),
        cmocka_unit_test(test_a_reader_sees_whole_numbers),
    };
    return cmocka_run_group_tests_name("counter", tests, NULL, NULL);
}
