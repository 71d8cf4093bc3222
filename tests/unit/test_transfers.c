/* The limit of transfers of recordings: shares of networks, and places for requests with a key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/gate/transfers.h"

static struct ip numbered(uint8_t number)
{
    return (struct ip){.bytes = {[0] = 10, [15] = number}};
}

/* Begins as many transfers as that network can. Returns their number. */
static uint32_t begin_all(struct transfers *transfers, uint8_t number, bool reserved)
{
    const struct ip network = numbered(number);
    uint32_t count = 0;

    while (transfers_take(transfers, &network, reserved) != 0) {
        count++;
    }
    return count;
}

static void test_no_network_takes_more_than_half_of_what_is_free(void **state)
{
    static const uint32_t most[][3] = {/* in all, for one network, reserved for it */
                                       {1, 1, 0}, {2, 1, 1},  {4, 1, 1},
                                       {8, 2, 1}, {12, 3, 1}, {64, 16, 5}};

    (void)state;
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        struct transfers transfers = {.most = most[i][0]};
        assert_int_equal(begin_all(&transfers, 1, false), most[i][1]);
        assert_int_equal(begin_all(&transfers, 1, true), most[i][2]);
    }
}

/* Strangers of many networks take no reserved place. */
static void test_a_key_finds_a_place(void **state)
{
    struct transfers transfers = {.most = 8};
    const struct ip network = numbered(80);
    uint32_t taken = 0;

    (void)state;
    for (uint8_t number = 1; number <= 40; number++) {
        taken += begin_all(&transfers, number, false);
    }
    assert_int_equal(taken, 6);
    assert_int_equal(transfers_take(&transfers, &network, false), 0);
    assert_int_equal(transfers_take(&transfers, &network, true), 7);
    transfers_give(&transfers, 3);
    assert_int_equal(transfers_take(&transfers, &network, false), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_network_takes_more_than_half_of_what_is_free),
        cmocka_unit_test(test_a_key_finds_a_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
