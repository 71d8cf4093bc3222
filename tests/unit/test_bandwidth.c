/* The effect of --client-bandwidth and --total-bandwidth, in simulated time. */
#include "net/gate/bandwidth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "net/gate/share.h"

#define S      UINT64_C(1000000) /* µs */
#define SECOND 1                 /* between two turns */

static void test_no_limit(void **state)
{
    struct bandwidth bandwidth;

    (void)state;
    bandwidth_init(&bandwidth, 0, 0, 0);
    bandwidth_turn(&bandwidth, &(struct bandwidth_use){{500, 500}, UINT64_C(1) << 50, 7}, 1 * S);
    bandwidth_answered(&bandwidth, SIZE_MAX / 2);
    assert_int_equal(bandwidth_share(&bandwidth, BANDWIDTH_OTHERS, 100), 0);
    assert_int_equal(bandwidth_share(&bandwidth, BANDWIDTH_SERVERS, 1), 0);
    assert_true(bandwidth_joins(&bandwidth));
    assert_true(bandwidth_answers(&bandwidth, 0));
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
        bandwidth_turn(&bandwidth, &(struct bandwidth_use){{0, cases[i].clients}, 0, 0}, 1 * S);
        assert_int_equal(bandwidth_share(&bandwidth, BANDWIDTH_SERVERS, 1), cases[i].share);
    }
}

/* The clients of a class. */
struct demand {
    uint32_t weight, clients;
    uint64_t wanted; /* bytes per second, for each client */
};

/* Sends to the clients for 30 s. Stores the bytes that each class gets in the last second. */
static void serve(uint64_t total, const struct demand demands[BANDWIDTH_CLASSES],
                  uint64_t got[BANDWIDTH_CLASSES])
{
    struct bandwidth bandwidth;
    struct bandwidth_use use = {{demands[0].weight, demands[1].weight}, 0, 0};

    bandwidth_init(&bandwidth, 0, total, 0);
    for (uint64_t second = SECOND; second <= 30; second++) {
        bandwidth_turn(&bandwidth, &use, second * S);
        for (uint32_t class = 0; class < BANDWIDTH_CLASSES; class ++) {
            const struct demand *demand = &demands[class];
            const double crowd = demand->weight > 0 ? (double)demand->clients / demand->weight : 1;
            const uint64_t share = bandwidth_share(&bandwidth, class, crowd);
            got[class] = demand->clients * (share < demand->wanted ? share : demand->wanted);
            use.sent += got[class];
            use.servers += class == BANDWIDTH_SERVERS ? got[class] : 0;
        }
    }
    assert_true(got[0] + got[1] <= total - total / 8);
}

/* Thousands of clients in strangers' rooms leave a class in the lobby what it wants. */
static void test_strangers_take_what_is_left(void **state)
{
    static const struct demand crowds[] = {{256, 4000, 100000}, {4000, 4000, 100000}};
    uint64_t got[BANDWIDTH_CLASSES];

    (void)state;
    for (size_t i = 0; i < sizeof crowds / sizeof crowds[0]; i++) {
        serve(10000000, (struct demand[]){crowds[i], {31, 31, 5000}}, got);
        assert_int_equal(got[BANDWIDTH_SERVERS], 31 * 5000);
        assert_true(got[BANDWIDTH_OTHERS] > 8500000);
    }
    serve(10000000, (struct demand[]){crowds[0], {200, 200, 1000000}}, got);
    assert_in_range(got[BANDWIDTH_SERVERS], 6500000, 6562500); /* three quarters */
    assert_in_range(got[BANDWIDTH_OTHERS], 2100000, 2187500);  /* a quarter */
}

/* Three people in the lobby leave a class in a stranger's room most of the total. */
static void test_few_in_the_lobby(void **state)
{
    uint64_t got[BANDWIDTH_CLASSES];
    struct bandwidth bandwidth;

    (void)state;
    serve(1000000, (struct demand[]){{30, 30, 300000}, {3, 3, 300000}}, got);
    assert_in_range(got[BANDWIDTH_SERVERS], 300000, 3 * 4 * 875000 / 33);
    assert_true(got[BANDWIDTH_OTHERS] > 550000);
    /* The lobby has used all, and the first stranger comes between two turns. */
    bandwidth_init(&bandwidth, 0, 1000000, 0);
    bandwidth_turn(&bandwidth, &(struct bandwidth_use){{0, 3}, 875000, 875000}, 1 * S);
    assert_int_equal(bandwidth_share(&bandwidth, BANDWIDTH_OTHERS, 1), 875000 / 4);
    /* The first client of the lobby comes between two turns. */
    bandwidth_init(&bandwidth, 0, 10000000, 0);
    bandwidth_turn(&bandwidth, &(struct bandwidth_use){{256, 0}, 9000000, 0}, 1 * S);
    assert_in_range(bandwidth_share(&bandwidth, BANDWIDTH_SERVERS, 1), 100000, 140000);
}

/* A crowd in the lobby itself gets as much as a class. */
static void test_a_crowd_gets_what_a_class_gets(void **state)
{
    struct bandwidth bandwidth;

    (void)state;
    bandwidth_init(&bandwidth, 0, 800000, 0);
    bandwidth_turn(&bandwidth, &(struct bandwidth_use){{0, 64 + 6}, 0, 0}, 1 * S);
    assert_int_equal(bandwidth_share(&bandwidth, BANDWIDTH_SERVERS, 1), 10000);
    assert_int_equal(bandwidth_share(&bandwidth, BANDWIDTH_SERVERS, 640.0 / 64), 1000);
    assert_int_equal(bandwidth_share(&bandwidth, BANDWIDTH_SERVERS, 1e9), 1); /* 0: no limit */
}

/* Many in the server's rooms do not lose their part to a few others, nor these theirs. */
static void test_few_others(void **state)
{
    uint64_t got[BANDWIDTH_CLASSES];

    (void)state;
    serve(8000000, (struct demand[]){{1, 1, 100000}, {999, 999, 100000}}, got);
    assert_in_range(got[BANDWIDTH_SERVERS], 990 * 7000, 999 * 7000);
    assert_in_range(got[BANDWIDTH_OTHERS], 7000, 14000);
    serve(8000000, (struct demand[]){{350, 350, 20000}, {0, 0, 0}}, got); /* no others */
    assert_int_equal(got[BANDWIDTH_OTHERS], 350 * 20000);
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
        bandwidth_turn(&bandwidth, &(struct bandwidth_use){{0, 2}, sent, sent}, second * S);
        assert_true(bandwidth_joins(&bandwidth));
    }
    sent += 6000;
    bandwidth_turn(&bandwidth, &(struct bandwidth_use){{0, 2}, sent, sent}, 11 * S);
    for (uint64_t second = 12; !bandwidth_joins(&bandwidth); second++) {
        bandwidth_turn(&bandwidth, &(struct bandwidth_use){{0, 2}, sent, sent}, second * S);
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
        assert_true(bandwidth_answers(&bandwidth, 0));
        bandwidth_answered(&bandwidth, 60000);
    }
    for (uint64_t second = 1; second <= 600; second++) {
        bandwidth_turn(&bandwidth, &(struct bandwidth_use){{0, 2}, 0, 0}, second * S);
        while (bandwidth_answers(&bandwidth, 0)) {
            bandwidth_answered(&bandwidth, 60000);
            answered += 60000;
        }
    }
    assert_in_range(answered, 600 * 90000, 660 * 100000);
    assert_true(bandwidth_joins(&bandwidth)); /* this does not lock out clients */
}

/* While others use up the pages' credit, who has had little is answered: the less it has had, the
 * longer. */
static void test_pages_for_the_others(void **state)
{
    static const double lefts[] = {0.25, 0.5, 1};
    struct bandwidth bandwidth;
    uint64_t debt = 0;

    (void)state;
    bandwidth_init(&bandwidth, 0, 10000000, 0);
    assert_int_equal(bandwidth_little(&bandwidth), 2000000);
    while (bandwidth_answers(&bandwidth, 0)) {
        bandwidth_answered(&bandwidth, 60000);
    }
    for (size_t i = 0; i < sizeof lefts / sizeof lefts[0]; i++) {
        for (; bandwidth_answers(&bandwidth, lefts[i]); debt += 60000) {
            bandwidth_answered(&bandwidth, 60000);
        }
        assert_true((double)debt > lefts[i] * 60 * 1250000 - 120000);
        assert_true((double)debt < lefts[i] * 60 * 1250000 + 120000);
        assert_false(bandwidth_answers(&bandwidth, -1));
    }
    bandwidth_turn(&bandwidth, &(struct bandwidth_use){{0, 2}, 0, 0}, 1 * S);
    assert_true(bandwidth_answers(&bandwidth, 1));
    assert_false(bandwidth_answers(&bandwidth, 0.5));
    bandwidth_init(&bandwidth, 0, 1, 0);
    assert_int_equal(bandwidth_little(&bandwidth), 1); /* 0: no limit */
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
        cmocka_unit_test(test_no_limit),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_clients),
        cmocka_unit_test(test_joins),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_strangers_take_what_is_left),
        cmocka_unit_test(test_few_in_the_lobby),
        cmocka_unit_test(test_a_crowd_gets_what_a_class_gets),
        cmocka_unit_test(test_few_others),
        cmocka_unit_test(test_pages_for_the_others),
    };

    return cmocka_run_group_tests_name("bandwidth", tests, NULL, NULL);
}
