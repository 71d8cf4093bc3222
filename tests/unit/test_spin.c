/* A shard whose loop turns without waiting searches for a socket that libwebsockets does not read.
 */
#include "net/gate/spin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)
#define US UINT64_C(1000)

/* A shard whose turns and searches take that long. */
struct shard {
    struct spin spin;
    uint64_t now, idle, turn, search;
    uint32_t searches;
};

static void run_turn(struct shard *shard, uint64_t waited)
{
    const uint64_t began = shard->now += shard->turn + waited;

    shard->idle += waited;
    if (spin_turn(&shard->spin, shard->idle, began)) {
        shard->now += shard->search;
        shard->searches++;
        spin_searched(&shard->spin, began, shard->now);
    }
}

static void run_until(struct shard *shard, uint64_t end)
{
    while (shard->now < end) {
        run_turn(shard, 0);
    }
}

static void test_waiting(void **state)
{
    struct shard shard = {.turn = 5 * US};

    (void)state;
    for (uint32_t i = 0; i < 100 * SPIN_TURNS; i++) {
        run_turn(&shard, i % SPIN_TURNS == 0 ? 1 : 0);
    }
    assert_int_equal(shard.searches, 0);
}

/* Two searches find such a socket: the second sees that nothing was read. */
static void test_spinning(void **state)
{
    struct shard shard = {.turn = 5 * US, .search = 10 * US};

    (void)state;
    run_until(&shard, 12 * MS);
    assert_in_range(shard.searches, 2, 3);
}

/* Searches among many connections take a small part of the time. */
static void test_cost(void **state)
{
    struct shard shard = {.turn = 100 * US, .search = 2 * MS};

    (void)state;
    run_until(&shard, 4000 * MS);
    assert_in_range(shard.searches, 2, 4000 / 400 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_spinning),
        cmocka_unit_test(test_cost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
