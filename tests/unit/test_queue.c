/* The queue between the threads: bounded, in order, and nothing lost or made up on the way. */
#include "hub/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_order_over_many_rounds(void **state)
{
    struct queue queue;
    uint64_t pushed = 0;
    uint64_t taken = 0;
    uint64_t item;

    (void)state;
    assert_true(queue_create(&queue, sizeof item, 7));
    assert_false(queue_take(&queue, &item));
    for (unsigned round = 0; round < 100; round++) {
        for (unsigned i = 0; i <= round % 7; i++, pushed++) {
            assert_true(queue_push(&queue, &pushed, 0, false));
        }
        while (queue_take(&queue, &item)) {
            assert_int_equal(item, taken);
            taken++;
        }
        assert_int_equal(taken, pushed);
    }
    queue_destroy(&queue);
}

static void test_bounded(void **state)
{
    struct queue queue;
    int item = 0;

    (void)state;
    assert_true(queue_create(&queue, sizeof item, 3));
    for (; item < 3; item++) {
        assert_true(queue_push(&queue, &item, 0, false));
    }
    assert_false(queue_push(&queue, &item, 0, false));
    assert_true(queue_take(&queue, &item));
    assert_int_equal(item, 0);
    item = 9;
    assert_true(queue_push(&queue, &item, 0, false));
    assert_false(queue_push(&queue, &item, 0, false));
    for (int expected = 1; expected <= 3; expected++) {
        assert_true(queue_take(&queue, &item));
        assert_int_equal(item, expected < 3 ? expected : 9);
    }
    assert_false(queue_take(&queue, &item));
    queue_destroy(&queue);
}

static void test_reserve_is_kept_free(void **state)
{
    struct queue queue;
    int item = 1;

    (void)state;
    assert_true(queue_create(&queue, sizeof item, 5));
    for (int i = 0; i < 3; i++) {
        assert_true(queue_push(&queue, &item, 2, false));
    }
    assert_false(queue_push(&queue, &item, 2, false));
    assert_true(queue_push(&queue, &item, 0, false));
    assert_true(queue_push(&queue, &item, 0, false));
    assert_false(queue_push(&queue, &item, 0, false));
    assert_true(queue_take(&queue, &item));
    assert_true(queue_take(&queue, &item));
    assert_false(queue_push(&queue, &item, 2, false));
    assert_true(queue_take(&queue, &item));
    assert_true(queue_push(&queue, &item, 2, false));
    queue_destroy(&queue);
}

static void test_items_of_any_size(void **state)
{
    struct {
        char bytes[37];
    } item = {"thirty-seven bytes, whole, each time"};
    struct queue queue;

    (void)state;
    assert_true(queue_create(&queue, sizeof item, 4));
    for (int i = 0; i < 10; i++) {
        assert_true(queue_push(&queue, &item, 0, false));
        item.bytes[0] = '\0';
        assert_true(queue_take(&queue, &item));
        assert_string_equal(item.bytes, "thirty-seven bytes, whole, each time");
    }
    queue_destroy(&queue);
}

#define FAR (uv_hrtime() + UINT64_C(3600000000000)) /* an hour from now */

/* None of these waits would end by itself before the test's deadline. */
static void test_wait_ends_when_woken(void **state)
{
    struct queue queue;
    int item = 1;

    (void)state;
    assert_true(queue_create(&queue, sizeof item, 4));
    queue_wake(&queue);
    queue_wait(&queue, FAR);
    assert_true(queue_push(&queue, &item, 0, true));
    queue_wait(&queue, FAR);
    queue_wait(&queue, uv_hrtime() - 1);
    queue_wait(&queue, 0);
    queue_destroy(&queue);
}

static void test_wait_lasts_to_the_deadline(void **state)
{
    struct queue queue;
    uint64_t deadline = uv_hrtime() + 20000000;
    int item = 1;

    (void)state;
    assert_true(queue_create(&queue, sizeof item, 4));
    /* A push that does not wake leaves a waiter asleep: cursors wait for the tick. Waits may end
     * without a reason, but not each time. */
    while (uv_hrtime() < deadline) {
        queue_push(&queue, &item, 0, false);
        queue_wait(&queue, deadline);
    }
    assert_true(queue.count < queue.capacity);
    queue_destroy(&queue);
}

/* ---- threads */

enum { PRODUCERS = 3, ITEMS = 20000 };

struct item {
    unsigned producer, number;
};

struct producer {
    struct queue *queue;
    unsigned number;
    unsigned refused;
};

static void produce(void *argument)
{
    struct producer *producer = argument;

    for (unsigned i = 0; i < ITEMS; i++) {
        struct item item = {producer->number, i};
        while (!queue_push(producer->queue, &item, i % 2, true)) {
            producer->refused++;
            uv_sleep(0);
        }
    }
}

/* Through a queue far too small for them, every item of every producer arrives once and in that
 * producer's order. */
static void test_conservation_between_threads(void **state)
{
    struct queue queue;
    struct producer producers[PRODUCERS];
    uv_thread_t threads[PRODUCERS];
    unsigned next[PRODUCERS] = {0};
    struct item item;

    (void)state;
    assert_true(queue_create(&queue, sizeof item, 16));
    for (unsigned i = 0; i < PRODUCERS; i++) {
        producers[i] = (struct producer){&queue, i, 0};
        assert_int_equal(uv_thread_create(&threads[i], produce, &producers[i]), 0);
    }
    for (unsigned taken = 0; taken < PRODUCERS * ITEMS;) {
        queue_wait(&queue, uv_hrtime() + 1000000);
        while (queue_take(&queue, &item)) {
            assert_in_range(item.producer, 0, PRODUCERS - 1);
            assert_int_equal(item.number, next[item.producer]);
            next[item.producer]++;
            taken++;
        }
    }
    for (unsigned i = 0; i < PRODUCERS; i++) {
        uv_thread_join(&threads[i]);
        assert_int_equal(next[i], ITEMS);
    }
    assert_false(queue_take(&queue, &item));
    queue_destroy(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_over_many_rounds),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_reserve_is_kept_free),
        cmocka_unit_test(test_items_of_any_size),
        cmocka_unit_test(test_wait_ends_when_woken),
        cmocka_unit_test(test_wait_lasts_to_the_deadline),
        cmocka_unit_test(test_conservation_between_threads),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
