/* The limits of a client's messages (PROTOCOL.md, Limits) in simulated time. */
#include "net/session/intake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define BEGIN (UINT32_MAX - 5000u) /* the clock wraps during the test */

/* Sends a number of messages at once. Returns how many were read. *told and *ended count the
 * others.
 */
static uint32_t send(struct intake *intake, uint32_t count, uint32_t now, uint32_t *told,
                     uint32_t *ended)
{
    uint32_t read = 0;

    for (uint32_t i = 0; i < count; i++) {
        enum intake_verdict verdict = intake_message(intake, now);
        read += verdict == INTAKE_READ;
        *told += verdict == INTAKE_TELL;
        *ended += verdict == INTAKE_END;
    }
    return read;
}

static void test_rate(void **state)
{
    uint32_t told = 0, ended = 0, read = 0;
    struct intake intake;

    (void)state;
    intake_init(&intake, BEGIN);
    assert_int_equal(send(&intake, 480, BEGIN, &told, &ended), 480);
    for (uint32_t ms = 1; ms <= 60000; ms++) { /* 240 per second, which are all read */
        read += ms * 240 / 1000 != (ms - 1) * 240 / 1000 &&
                send(&intake, 1, BEGIN + ms, &told, &ended) == 1;
    }
    assert_in_range(read, 240 * 60 - 2, 240 * 60); /* within rounding */
    assert_int_equal(ended, 0);
    assert_int_equal(send(&intake, 480, BEGIN + 62100, &told, &ended), 480); /* after two seconds */
}

/* A short burst of too many messages gets only one error in ten seconds. */
static void test_told(void **state)
{
    uint32_t told = 0, ended = 0;
    struct intake intake;

    (void)state;
    intake_init(&intake, BEGIN);
    assert_int_equal(send(&intake, 1000, BEGIN, &told, &ended), 480);
    assert_int_equal(told, 1);
    send(&intake, 1000, BEGIN + 9999, &told, &ended);
    assert_int_equal(told, 1);
    send(&intake, 1000, BEGIN + 10000, &told, &ended);
    assert_int_equal(told, 2);
    assert_int_equal(ended, 0);
}

/* Old ignored messages do not count: only a client that continues is closed. */
static void test_ignored(void **state)
{
    uint32_t told = 0, ended = 0;
    struct intake intake;

    (void)state;
    intake_init(&intake, BEGIN);
    for (uint32_t minute = 0; minute < 600; minute++) {
        send(&intake, 480 + 1000, BEGIN + minute * 60000, &told, &ended);
    }
    assert_int_equal(ended, 0);
    intake_init(&intake, BEGIN);
    assert_int_equal(send(&intake, 480 + 2000, BEGIN, &told, &ended), 480);
    assert_int_equal(ended, 0);
    send(&intake, 1, BEGIN, &told, &ended);
    assert_int_equal(ended, 1);
    intake_init(&intake, BEGIN);
    for (uint32_t second = 0; ended == 1 && second < 100; second++) { /* 300 a second */
        for (uint32_t ms = 0; ms < 1000; ms += 10) {
            send(&intake, 3, BEGIN + second * 1000 + ms, &told, &ended);
        }
        assert_true(second > 30 || ended == 1);
    }
    assert_true(ended > 1);
}

static void test_errors(void **state)
{
    struct intake intake;

    (void)state;
    intake_init(&intake, BEGIN);
    for (uint32_t i = 0; i < 32; i++) {
        assert_true(intake_error(&intake, BEGIN));
    }
    for (uint32_t i = 1; i < 100; i++) { /* four a second */
        assert_true(intake_error(&intake, BEGIN + 250 * i));
    }
    assert_false(intake_error(&intake, BEGIN + 250 * 99));
}

static void test_besides(void **state)
{
    struct intake intake;

    (void)state;
    intake_init(&intake, BEGIN);
    assert_true(intake_besides(&intake, 16384, BEGIN));
    for (uint32_t second = 1; second < 100; second++) {
        assert_true(intake_besides(&intake, 4096, BEGIN + 1000 * second));
    }
    assert_true(intake_besides(&intake, -10000, BEGIN + 99000)); /* these bytes were messages */
    assert_true(intake_besides(&intake, 10000, BEGIN + 99000));
    assert_false(intake_besides(&intake, 1, BEGIN + 99000));
    assert_true(intake_besides(&intake, -1000000,
                               BEGIN + 99000)); /* but unused allowance does not add up */
    assert_false(intake_besides(&intake, 16385, BEGIN + 99000));
}

/* When a stopped server continues, all waiting messages of clients come at once. */
static void test_standstill(void **state)
{
    uint32_t told = 0, ended = 0;
    struct intake intake;

    (void)state;
    intake_init(&intake, BEGIN);
    send(&intake, 480, BEGIN, &told, &ended);
    intake_skip(&intake, 38000);
    assert_int_equal(send(&intake, 38 * 120, BEGIN + 38000, &told, &ended), 38 * 120);
    assert_true(intake_besides(&intake, 38 * 100, BEGIN + 38000));
    assert_int_equal(told + ended, 0);
    send(&intake, 38 * 120 + 10000, BEGIN + 39000, &told, &ended);
    assert_true(ended > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),    cmocka_unit_test(test_told),
        cmocka_unit_test(test_ignored), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_besides), cmocka_unit_test(test_standstill),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
