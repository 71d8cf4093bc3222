/* Connections beyond the rate of their address enter only while the shard has time to spare. */
#include "net/gate/spare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

struct shard {
    struct spare spare;
    uint64_t now, idle;
};

static bool work_and_wait(struct shard *shard, uint64_t worked, uint64_t waited)
{
    shard->now += worked + waited;
    shard->idle += waited;
    return spare_turn(&shard->spare, shard->idle, shard->now);
}

static void test_a_quarter_of_the_time_is_spare(void **state)
{
    struct shard shard = {0};

    (void)state;
    assert_true(work_and_wait(&shard, 0, 20 * MS));
    assert_true(work_and_wait(&shard, 15 * MS, 5 * MS));
    assert_false(work_and_wait(&shard, 15 * MS, 5 * MS - 1));
    assert_false(work_and_wait(&shard, 20 * MS, 0));
}

/* A quiet minute does not count for the next moment, and a busy one does not either. */
static void test_each_turn_counts_for_itself(void **state)
{
    struct shard shard = {0};

    (void)state;
    assert_true(work_and_wait(&shard, 0, 60000 * MS));
    assert_false(work_and_wait(&shard, 20 * MS, 1 * MS));
    assert_false(work_and_wait(&shard, 60000 * MS, 0));
    assert_true(work_and_wait(&shard, 10 * MS, 10 * MS));
}

/* Between two turns the result stays, however often a connection asks. */
static void test_the_result_of_the_last_moment(void **state)
{
    struct spare spare = {0};
    const uint64_t second = 1000 * MS;

    (void)state;
    assert_true(spare_now(&spare, 0, 100 * second)); /* the clock does not begin with flockd */
    spare = (struct spare){.at = MS};
    assert_true(spare_now(&spare, second / 2, second));
    for (uint64_t ms = 1; ms < 10; ms++) {
        assert_true(spare_now(&spare, second / 2, second + ms * MS)); /* it works without a break */
    }
    assert_false(spare_now(&spare, second / 2, second + 10 * MS));
    assert_false(spare_now(&spare, second / 2 + 9 * MS, second + 19 * MS));
    assert_true(spare_now(&spare, second / 2 + 9 * MS, second + 20 * MS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_quarter_of_the_time_is_spare),
        cmocka_unit_test(test_each_turn_counts_for_itself),
        cmocka_unit_test(test_the_result_of_the_last_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
