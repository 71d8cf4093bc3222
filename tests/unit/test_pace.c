/* The least rate of a transfer, in simulated time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/gate/pace.h"

/* Moves `bytes` every 100 ms. Returns the ms until the transfer is late; 0: it is never late. */
static uint32_t late_at(struct pace *pace, uint32_t began, uint32_t time, size_t bytes)
{
    for (uint32_t at = 100; at <= time; at += 100) {
        pace_move(pace, bytes, began + at);
        if (pace_late(pace, began + at)) {
            return at;
        }
    }
    return 0;
}

static void test_a_byte_at_a_time_has_ten_seconds(void **state)
{
    struct pace pace = {0};

    (void)state;
    pace_begin(&pace, UINT32_MAX - 500);
    assert_in_range(late_at(&pace, UINT32_MAX - 500, 60000, 1), 9900, 10200);
    pace_end(&pace);
    assert_false(pace_late(&pace, 100000));
}

static void test_the_least_rate_is_enough(void **state)
{
    struct pace pace = {0};

    (void)state;
    pace_begin(&pace, 7);
    assert_int_equal(late_at(&pace, 7, 600000, PACE_RATE / 10 + 1), 0);
    pace_begin(&pace, 7);
    assert_in_range(late_at(&pace, 7, 600000, PACE_RATE / 20), 19000, 21000);
}

/* Megabytes at first give no more than ten seconds of rest. */
static void test_a_fast_beginning_gives_no_long_rest(void **state)
{
    struct pace pace = {0};

    (void)state;
    pace_begin(&pace, 7);
    pace_move(&pace, 30u << 20, 1007);
    assert_in_range(late_at(&pace, 1007, 60000, 0), 9900, 10100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_byte_at_a_time_has_ten_seconds),
        cmocka_unit_test(test_the_least_rate_is_enough),
        cmocka_unit_test(test_a_fast_beginning_gives_no_long_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
