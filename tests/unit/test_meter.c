/* Charges for a thread's work. */
#include "net/gate/meter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define US UINT64_C(1000) /* ns */
#define MS UINT64_C(1000000)

static uint64_t clock_now, thread_ran; /* ns */
static int thread_looks;

static uint64_t read_clock(void)
{
    return clock_now;
}

static uint64_t read_thread(void)
{
    thread_looks++;
    return thread_ran;
}

static struct meter begin(void)
{
    struct meter meter;

    clock_now = 5000 * MS;
    thread_ran = 700 * MS;
    meter_init(&meter, read_clock, read_thread);
    thread_looks = 0;
    return meter;
}

/* The thread works; others run for a part of that time. */
static void pass(uint64_t took, uint64_t ran)
{
    clock_now += took;
    thread_ran += ran;
}

static void assert_part(struct meter *meter, uint64_t took, uint64_t ran)
{
    const struct meter_part part = meter_take(meter);

    assert_int_equal(part.took, took);
    assert_int_equal(part.ran, ran);
}

/* Each short part has its time, without a system call. */
static void test_short_parts(void **state)
{
    struct meter meter = begin();

    (void)state;
    for (uint64_t i = 0; i < 10; i++) {
        pass(i * 20 * US, i * 20 * US);
        assert_part(&meter, i * 20 * US, i * 20 * US);
    }
    assert_int_equal(thread_looks, 0);
}

/* Other threads ran for 30 ms while the thread read a message. */
static void test_a_stop(void **state)
{
    struct meter meter = begin();

    (void)state;
    pass(30 * MS, 15 * US);
    assert_part(&meter, 30 * MS, 15 * US);
    pass(20 * US, 20 * US);
    assert_part(&meter, 20 * US, 20 * US);
}

/* A long part does not include the parts before it. */
static void test_a_stop_after_short_parts(void **state)
{
    struct meter meter = begin();

    (void)state;
    for (int i = 0; i < 40; i++) {
        pass(50 * US, 50 * US);
        assert_part(&meter, 50 * US, 50 * US);
    }
    pass(10 * MS, 25 * US);
    assert_part(&meter, 10 * MS, 25 * US);
    pass(4 * MS, 1 * MS);
    assert_part(&meter, 4 * MS, 1 * MS);
}

/* Long work is charged as a whole. */
static void test_long_work(void **state)
{
    struct meter meter = begin();

    (void)state;
    pass(50 * US, 50 * US);
    assert_part(&meter, 50 * US, 50 * US);
    pass(8 * MS, 8 * MS);
    assert_part(&meter, 8 * MS, 8 * MS);
}

/* Short stops before it may make a long part look shorter, never longer, and never negative. */
static void test_short_stops_before(void **state)
{
    struct meter meter = begin();

    (void)state;
    for (int i = 0; i < 40; i++) {
        pass(150 * US, 10 * US);
        assert_part(&meter, 150 * US, 150 * US);
    }
    pass(1 * MS, 900 * US);
    assert_part(&meter, 1 * MS, 0);
}

/* The thread's own clock counts its work, and not its sleep. */
static void test_the_threads_clock(void **state)
{
    const uint64_t began = meter_thread();
    uint64_t ran;

    (void)state;
    do {
        ran = meter_thread() - began;
    } while (ran < 2 * MS);
    assert_in_range(ran, 2 * MS, 50 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_parts),
        cmocka_unit_test(test_a_stop),
        cmocka_unit_test(test_a_stop_after_short_parts),
        cmocka_unit_test(test_long_work),
        cmocka_unit_test(test_short_stops_before),
        cmocka_unit_test(test_the_threads_clock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
