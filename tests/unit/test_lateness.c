/* How long data may have waited for an event loop. */
#include "net/gate/lateness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MS UINT64_C(1000) /* µs */

/* An idle loop finds data when it arrives, however long it has waited before. */
static void test_idle(void **state)
{
    struct lateness lateness = {0};

    (void)state;
    lateness_look(&lateness, 7);
    lateness_find(&lateness, 5000 * MS, 5000000007);
    assert_int_equal(lateness_at(&lateness, 5000 * MS), 0);
    assert_int_equal(lateness_at(&lateness, 5003 * MS), 3 * MS); /* handled third */
    lateness_finish(&lateness, 5000 * MS);
    lateness_look(&lateness, 5000000007);
    lateness_find(&lateness, 5100 * MS, 5096000007);
    assert_int_equal(lateness_at(&lateness, 5100 * MS), 0);
}

/* After a long turn a loop finds data at once: it may have arrived since the turn began. Another
 * process may have delayed the loop, too. */
static void test_busy(void **state)
{
    struct lateness lateness = {0};

    (void)state;
    lateness_look(&lateness, 0);
    lateness_find(&lateness, 100 * MS, 90);
    lateness_finish(&lateness, 100 * MS);
    assert_int_equal(lateness_at(&lateness, 350 * MS), 250 * MS);
    lateness_look(&lateness, 90); /* at 400 ms */
    lateness_find(&lateness, 430 * MS, 90);
    assert_int_equal(lateness_at(&lateness, 431 * MS), 331 * MS);
    lateness_find(&lateness, 440 * MS, 95); /* more of the same turn */
    assert_int_equal(lateness_at(&lateness, 441 * MS), 341 * MS);
    lateness_finish(&lateness, 440 * MS);
    assert_int_equal(lateness_at(&lateness, 442 * MS), 2 * MS);
}

/* A loop that looks for events and finds none has looked: later data is not as old. */
static void test_looking(void **state)
{
    struct lateness lateness = {0};

    (void)state;
    lateness_look(&lateness, 0);
    assert_true(lateness_looked(&lateness));
    lateness_finish(&lateness, 100 * MS); /* nothing was found */
    assert_false(lateness_looked(&lateness));
    lateness_look(&lateness, 0);
    lateness_find(&lateness, 150 * MS, 0);
    assert_int_equal(lateness_at(&lateness, 150 * MS), 50 * MS);
}

/* The loop's clock counts whole ms and may be behind. */
static void test_clocks(void **state)
{
    struct lateness lateness = {0};

    (void)state;
    lateness_finish(&lateness, 100 * MS);
    lateness_look(&lateness, 0);
    lateness_find(&lateness, 99 * MS, 1);
    lateness_finish(&lateness, 99 * MS);
    assert_int_equal(lateness_at(&lateness, 101 * MS), 1 * MS);
    assert_int_equal(lateness_at(&lateness, 99 * MS), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_looking),
        cmocka_unit_test(test_clocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
