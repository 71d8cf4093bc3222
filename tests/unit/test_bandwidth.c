/* The effect of --client-bandwidth and --total-bandwidth, in simulated time. */
#include "net/gate/bandwidth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "net/gate/share.h"

#define S UINT64_C(1000000) /* µs */

static void test_no_limit(void **state)
{
    struct bandwidth bandwidth;

    (void)state;
    bandwidth_init(&bandwidth, 0, 0, 0);
    bandwidth_turn(&bandwidth, 1000, UINT64_C(1) << 50, 1 * S);
    bandwidth_answered(&bandwidth, SIZE_MAX / 2);
    assert_int_equal(atomic_load(&bandwidth.share), 0);
    assert_true(bandwidth_joins(&bandwidth));
    assert_true(bandwidth_answers(&bandwidth));
    assert_int_equal(bandwidth_clients(&bandwidth, 10000), 10000);
}

/* All shares together never exceed the total, and no share exceeds the limit per client. */
static void test_shares(void **state)
{
    static const struct {
        uint64_t client, total;
        uint32_t clients;
        unsigned share;
    } cases[] = {
        {50000, 0, 1, 50000},           {50000, 0, 10000, 50000},        {0, 800000, 0, 700000},
        {0, 800000, 1, 700000},         {0, 800000, 100, 7000},          {50000, 800000, 1, 50000},
        {50000, 800000, 100, 7000},     {0, 800000, 350, 2000},          {0, 8000, 1000, 2000},
        {2000000000, 0, 1, 2000000000}, {0, 100000000000, 1, INT32_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bandwidth bandwidth;
        bandwidth_init(&bandwidth, cases[i].client, cases[i].total, 0);
        bandwidth_turn(&bandwidth, cases[i].clients, 0, 1 * S);
        assert_int_equal(atomic_load(&bandwidth.share), cases[i].share);
    }
}

static void test_clients(void **state)
{
    struct bandwidth bandwidth;

    (void)state;
    bandwidth_init(&bandwidth, 0, 800000, 0);
    assert_int_equal(bandwidth_clients(&bandwidth, 10000), 350);
    assert_int_equal(bandwidth_clients(&bandwidth, 30), 30);
    bandwidth_init(&bandwidth, 0, 1000, 0);
    assert_int_equal(bandwidth_clients(&bandwidth, 30), 1);
}

/* After too many bytes, joins wait until the average is below the limit. */
static void test_joins(void **state)
{
    struct bandwidth bandwidth;
    uint64_t sent = 0;
    int refused = 0;

    (void)state;
    bandwidth_init(&bandwidth, 0, 1000, 0);
    for (uint64_t second = 1; second <= 10; second++) {
        sent += 1000; /* as much as the limit allows */
        bandwidth_turn(&bandwidth, 2, sent, second * S);
        assert_true(bandwidth_joins(&bandwidth));
    }
    sent += 6000;
    bandwidth_turn(&bandwidth, 2, sent, 11 * S);
    for (uint64_t second = 12; !bandwidth_joins(&bandwidth); second++) {
        bandwidth_turn(&bandwidth, 2, sent, second * S);
        refused++;
    }
    assert_int_equal(refused, 4);
}

/* A class loads the page at the same time. An address that loads it without end gets an eighth,
 * plus one minute of that eighth at the beginning. */
static void test_pages(void **state)
{
    struct bandwidth bandwidth;
    uint64_t answered = 0;

    (void)state;
    bandwidth_init(&bandwidth, 0, 800000, 0);
    for (int i = 0; i < 60; i++) {
        assert_true(bandwidth_answers(&bandwidth));
        bandwidth_answered(&bandwidth, 60000);
    }
    for (uint64_t second = 1; second <= 600; second++) {
        bandwidth_turn(&bandwidth, 2, 0, second * S);
        while (bandwidth_answers(&bandwidth)) {
            bandwidth_answered(&bandwidth, 60000);
            answered += 60000;
        }
    }
    assert_in_range(answered, 600 * 90000, 660 * 100000);
    assert_true(bandwidth_joins(&bandwidth)); /* this does not lock out clients */
}

/* ---- the share of one client ---- */

static void test_share(void **state)
{
    struct share share = {0};
    uint32_t now = UINT32_MAX - 500; /* the clock wraps during the test */
    size_t sent = 0;

    (void)state;
    assert_true(share_takes(&share, 1, 1000000, now));
    share_sent(&share, 1000000);
    share_set(&share, 1000, now);
    for (uint32_t ms = 0; ms < 10000; ms++) {
        share_set(&share, 1000, now + ms);
        while (share_takes(&share, 2, 300, now + ms)) {
            share_sent(&share, 300);
            sent += 300;
        }
    }
    assert_in_range(sent, 10000, 11300);
    assert_true(share.held);
    now += 20000;
    assert_true(share_takes(&share, 2, 2000, now));
    assert_false(share_takes(&share, 2, 2001, now)); /* a smaller snapshot will come */
    assert_true(share_takes(&share, 0, 5000, now));  /* no smaller snapshot will come */
    share_sent(&share, 5000);
    assert_false(share_takes(&share, 0, 1, now + 3999));
    assert_true(share_takes(&share, 0, 1, now + 4001));
    share_set(&share, 0, now + 4001);
    assert_true(share_takes(&share, 2, 1000000, now + 4001));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_limit), cmocka_unit_test(test_shares),
        cmocka_unit_test(test_clients),  cmocka_unit_test(test_joins),
        cmocka_unit_test(test_pages),    cmocka_unit_test(test_share),
    };

    return cmocka_run_group_tests_name("bandwidth", tests, NULL, NULL);
}
