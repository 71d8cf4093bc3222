/* The limit of transfers of recordings. A network may have a quarter of it, and at least one. */
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
static uint32_t begin_all(struct transfers *transfers, uint8_t number)
{
    const struct ip network = numbered(number);
    uint32_t count = 0;

    while (transfers_take(transfers, &network) != 0) {
        count++;
    }
    return count;
}

static void test_a_quarter_for_one_network(void **state)
{
    static const uint32_t most[][2] = {{1, 1}, {3, 1}, {4, 1}, {7, 1}, {8, 2}, {64, 16}};

    (void)state;
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        struct transfers transfers = {.most = most[i][0]};
        assert_int_equal(begin_all(&transfers, 1), most[i][1]);
    }
}

static void test_the_limit_of_all_addresses(void **state)
{
    struct transfers transfers = {.most = 7};
    const struct ip network = numbered(8);

    (void)state;
    for (uint8_t number = 1; number <= 7; number++) {
        assert_int_equal(begin_all(&transfers, number), 1);
    }
    assert_int_equal(begin_all(&transfers, 8), 0);
    transfers_give(&transfers, 3);
    assert_int_equal(transfers_take(&transfers, &network), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_quarter_for_one_network),
        cmocka_unit_test(test_the_limit_of_all_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
