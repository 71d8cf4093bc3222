/* Rate limits per address, in simulated time. */
#include "net/gate/rates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000) /* µs */

static struct ip network(uint32_t number)
{
    return (struct ip){
        {0x20, 0x01, 0x0d, 0xb8, (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number}};
}

static uint32_t take(struct rates *rates, enum rates_kind kind, uint32_t from, uint32_t tries,
                     uint64_t now)
{
    struct ip ip = network(from);
    uint32_t taken = 0;

    while (tries-- > 0) {
        taken += rates_take(rates, kind, &ip, now);
    }
    return taken;
}

static void test_burst_and_rate(void **state)
{
    struct rates *rates = rates_create(100, 0, 0);
    uint64_t now = 7;

    (void)state;
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 10000, now), 400);
    assert_int_equal(take(rates, RATES_CONNECTION, 2, 30, now), 30); /* another address */
    now += SECOND;
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 10000, now), 100);
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 10, now - SECOND / 2),
                     0); /* by the clock of another shard */
    now += 1000 * SECOND;
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 10000, now), 400);
    rates_destroy(rates);
}

/* Beyond the rate a few connections wait, each for its own token, and none is admitted earlier. */
static void test_reserve(void **state)
{
    struct rates *rates = rates_create(20, 0, 0);
    struct rates *unlimited = rates_create(0, 0, 0);
    struct ip ip = network(1);
    uint64_t wait = 0;
    uint32_t waiting = 0;

    (void)state;
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 80, 7), 80);
    while ((wait = rates_reserve(rates, RATES_CONNECTION, &ip, 2 * SECOND, 7)) != RATES_NEVER) {
        waiting++;
        assert_in_range(wait, waiting * SECOND / 20 - 2, waiting * SECOND / 20 + 2);
    }
    assert_int_equal(waiting, 40);
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 10, SECOND),
                     0); /* these tokens are reserved */
    ip = network(2);
    assert_int_equal(rates_reserve(rates, RATES_CONNECTION, &ip, SECOND, SECOND), 0);
    ip = network(1);
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 100, 4 * SECOND + 7), 40);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(rates_reserve(unlimited, RATES_CONNECTION, &ip, 0, 7), 0);
    }
    rates_destroy(rates);
    rates_destroy(unlimited);
}

/* Connections that do not wait for their turn take it from no one. */
static void test_a_reservation_can_be_returned(void **state)
{
    struct rates *rates = rates_create(20, 0, 0);
    struct ip ip = network(1);

    (void)state;
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 80, 7), 80);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_in_range(rates_reserve(rates, RATES_CONNECTION, &ip, SECOND, 7), SECOND / 20 - 2,
                        SECOND / 20 + 2);
        rates_return(rates, RATES_CONNECTION, &ip, 7);
    }
    rates_return(rates, RATES_CONNECTION, &ip, 7);
    assert_int_equal(rates_reserve(rates, RATES_CONNECTION, &ip, SECOND, 7), 0);
    for (uint32_t i = 0; i < 1000; i++) { /* no more than the bucket holds */
        rates_return(rates, RATES_CONNECTION, &ip, 7);
    }
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 2000, 8), 80);
    rates_destroy(rates);
}

/* Above the limit of bytes, a class still joins, and clients do not reconnect endlessly. This holds
 * also without a limit of connections. */
static void test_crowded(void **state)
{
    struct rates *rates = rates_create(0, 0, 0);

    (void)state;
    assert_int_equal(take(rates, RATES_CROWDED, 1, 1000, 1), 40);
    assert_int_equal(take(rates, RATES_CROWDED, 2, 30, 1), 30);
    assert_int_equal(take(rates, RATES_CROWDED, 1, 1000, 20 * SECOND + 1), 10);
    rates_destroy(rates);
}

/* The allowance for guests suffices for a class, also without a limit of connections. */
static void test_guests(void **state)
{
    struct rates *rates = rates_create(0, 0, 0);
    struct ip ip = network(1);

    (void)state;
    assert_int_equal(take(rates, RATES_GUEST, 1, 1000, 1), 32);
    for (uint32_t i = 0; i < 30; i++) {
        rates_return(rates, RATES_GUEST, &ip, 1);
    }
    assert_int_equal(take(rates, RATES_GUEST, 1, 1000, 1), 30);
    assert_int_equal(take(rates, RATES_GUEST, 1, 1000, 10 * SECOND + 1), 5);
    assert_int_equal(take(rates, RATES_GUEST, 2, 30, 1), 30);
    rates_destroy(rates);
}

static void test_bytes(void **state)
{
    struct rates *rates = rates_create(0, 1000, 0);
    const struct ip ip = network(1);
    const struct ip other = network(2);
    uint64_t spent = 0;

    (void)state;
    for (; rates_has(rates, RATES_BYTES, &ip, SECOND); spent += 7000) {
        rates_spend(rates, RATES_BYTES, &ip, 7000, SECOND);
    }
    assert_in_range(spent, 60000, 67000);
    assert_true(rates_has(rates, RATES_BYTES, &other, SECOND));
    assert_false(rates_has(rates, RATES_BYTES, &ip, 3 * SECOND)); /* the excess counts first */
    assert_true(rates_has(rates, RATES_BYTES, &ip, 9 * SECOND));
    assert_true(rates_left(rates, RATES_FRESH, &ip, SECOND) == 1); /* no limit */
    rates_destroy(rates);
    rates = rates_create(0, 1000, 6000);
    assert_true(rates_left(rates, RATES_FRESH, &ip, SECOND) == 1);
    rates_spend(rates, RATES_FRESH, &ip, 3000, SECOND);
    assert_true(rates_left(rates, RATES_FRESH, &ip, SECOND) == 0.5);
    rates_spend(rates, RATES_FRESH, &ip, 6000, SECOND);
    assert_true(rates_left(rates, RATES_FRESH, &ip, SECOND) == -0.5);
    assert_true(rates_left(rates, RATES_FRESH, &ip, 301 * SECOND) == 0); /* 10 bytes a second */
    assert_true(rates_left(rates, RATES_FRESH, &other, SECOND) == 1);
    rates_destroy(rates);
}

/* A script that loads the page over and over uses up no WebSockets of its address. */
static void test_websockets_have_a_rate_of_their_own(void **state)
{
    struct rates *rates = rates_create(100, 0, 0);

    (void)state;
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 10000, 7), 400);
    assert_int_equal(take(rates, RATES_UPGRADE, 1, 10000, 7), 400);
    assert_int_equal(take(rates, RATES_UPGRADE, 1, 10000, 7 + SECOND), 100);
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 10000, 7 + SECOND), 100);
    rates_destroy(rates);
}

static void test_small_and_none(void **state)
{
    struct rates *small = rates_create(1, 0, 0);
    struct rates *none = rates_create(0, 0, 0);

    (void)state;
    assert_int_equal(take(small, RATES_CONNECTION, 1, 100, 1), 4);
    assert_int_equal(take(none, RATES_CONNECTION, 1, 100000, 1), 100000);
    rates_destroy(small);
    rates_destroy(none);
}

/* A client with many networks does not use up the allowance of others, and the table does not grow.
 */
static void test_many_networks(void **state)
{
    struct rates *rates = rates_create(100, 0, 0);
    uint64_t now = 1;

    (void)state;
    for (uint32_t i = 100; i < 100000; i++) {
        assert_int_equal(take(rates, RATES_CONNECTION, i, 1, ++now), 1);
    }
    assert_int_equal(take(rates, RATES_CONNECTION, 1, 30, ++now), 30);
    rates_destroy(rates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_burst_and_rate),
        cmocka_unit_test(test_small_and_none),
        cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_a_reservation_can_be_returned),
        cmocka_unit_test(test_crowded),
        cmocka_unit_test(test_guests),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_many_networks),
        cmocka_unit_test(test_websockets_have_a_rate_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
