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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_quarter_of_the_time_is_spare),
        cmocka_unit_test(test_each_turn_counts_for_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
