/* The clock of another node, as clients see it: close to that node's, and without jumps. */
#include "cluster/far_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MS    INT64_C(1000)
#define S     UINT64_C(1000000)
#define BEGIN UINT64_C(5000000)
#define AHEAD INT64_C(700000) /* of the other clock */

static struct far_clock clock_under_test;
static uint64_t now;

static int make(void **state)
{
    (void)state;
    clock_under_test = (struct far_clock){0};
    now = BEGIN;
    return 0;
}

/* Probes the other node: there and back take that long. The answer comes at `now`. */
static void probe(uint64_t there, uint64_t back)
{
    const uint64_t begun = now;
    const uint64_t time = (uint64_t)((int64_t)(now + there) + AHEAD);

    now += there + back;
    far_clock_measure(&clock_under_test, begun, time, now);
}

static int64_t error(void)
{
    return llabs(clock_under_test.ahead - AHEAD);
}

/* Any message tells the clock, until the first answer measures it. */
static void test_the_first_answer(void **state)
{
    (void)state;
    far_clock_hear(&clock_under_test, (uint64_t)((int64_t)now + AHEAD - 20 * MS), now);
    assert_int_equal(error(), 20 * MS);
    probe(1000, 3000);
    assert_int_equal(error(), 1 * MS); /* half of the difference between the ways */
    far_clock_hear(&clock_under_test, 0, now);
    assert_int_equal(error(), 1 * MS);
}

/* The clock moves by at most 1 ms in a second, however far it is off. */
static void test_no_jumps(void **state)
{
    (void)state;
    probe(100 * 1000, 0);
    assert_int_equal(error(), 50 * MS);
    for (int second = 1; second <= 20; second++) {
        const int64_t before = clock_under_test.ahead;
        now += S - 200;
        probe(100, 100);
        assert_in_range(llabs(clock_under_test.ahead - before), 1, 1 * MS);
    }
    assert_in_range(error(), 29 * MS, 31 * MS);
    for (int second = 1; second <= 40; second++) {
        now += S - 200;
        probe(100, 100);
    }
    assert_int_equal(error(), 0);
}

/* Of the last eight answers, that with the shortest way counts. */
static void test_the_shortest_way(void **state)
{
    (void)state;
    probe(200, 200);
    for (int i = 0; i < 7; i++) {
        now += S;
        probe(90 * 1000, 10 * 1000);
        assert_int_equal(error(), 0);
    }
    now += S;
    probe(90 * 1000, 10 * 1000); /* the eighth: the good one is forgotten */
    assert_in_range(error(), 1, 2 * MS);
}

/* Answers that no probe can have change nothing. */
static void test_false_answers(void **state)
{
    (void)state;
    probe(200, 200);
    far_clock_measure(&clock_under_test, now + 1, now, now);
    far_clock_measure(&clock_under_test, 0, now, FAR_CLOCK_OLDEST + S);
    far_clock_measure(&clock_under_test, now, UINT64_MAX, now);
    assert_int_equal(clock_under_test.samples, 1);
    assert_int_equal(error(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_first_answer, make),
        cmocka_unit_test_setup(test_no_jumps, make),
        cmocka_unit_test_setup(test_the_shortest_way, make),
        cmocka_unit_test_setup(test_false_answers, make),
    };
    return cmocka_run_group_tests_name("the clock of another node", tests, NULL, NULL);
}
