/* The mailbox between threads: it is bounded, keeps the order, and loses no item. */
#include "hub/mailbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_order_over_many_rounds(void **state)
{
    struct mailbox mailbox;
    uint64_t pushed = 0;
    uint64_t taken = 0;
    uint64_t item;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof item, 7));
    assert_int_equal(mailbox_take(&mailbox, &item, 1), 0);
    for (unsigned round = 0; round < 100; round++) {
        for (unsigned i = 0; i <= round % 7; i++, pushed++) {
            assert_true(mailbox_push(&mailbox, &pushed, false));
        }
        while (mailbox_take(&mailbox, &item, 1) == 1) {
            assert_int_equal(item, taken);
            taken++;
        }
        assert_int_equal(taken, pushed);
    }
    mailbox_destroy(&mailbox);
}

static void test_bounded(void **state)
{
    struct mailbox mailbox;
    int item = 0;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof item, 3));
    for (; item < 3; item++) {
        assert_true(mailbox_push(&mailbox, &item, false));
    }
    assert_false(mailbox_push(&mailbox, &item, false));
    assert_int_equal(mailbox_take(&mailbox, &item, 1), 1);
    assert_int_equal(item, 0);
    item = 9;
    assert_true(mailbox_push(&mailbox, &item, false));
    assert_false(mailbox_push(&mailbox, &item, false));
    for (int expected = 1; expected <= 3; expected++) {
        assert_int_equal(mailbox_take(&mailbox, &item, 1), 1);
        assert_int_equal(item, expected < 3 ? expected : 9);
    }
    assert_int_equal(mailbox_take(&mailbox, &item, 1), 0);
    mailbox_destroy(&mailbox);
}

/* A message with a reserved slot fits even into a full mailbox. Other messages do not get this
 * slot. */
static void test_reserved_places(void **state)
{
    struct mailbox mailbox;
    int item = 1;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof item, 5));
    assert_true(mailbox_reserve(&mailbox, 2));
    assert_false(mailbox_reserve(&mailbox, 4));
    for (; item <= 3; item++) {
        assert_true(mailbox_push(&mailbox, &item, false));
    }
    assert_false(mailbox_push(&mailbox, &item, false));
    for (; item <= 5; item++) {
        mailbox_push_reserved(&mailbox, &item, false);
    }
    assert_false(mailbox_reserve(&mailbox, 1));
    for (int expected = 1; expected <= 5; expected++) {
        assert_int_equal(mailbox_take(&mailbox, &item, 1), 1);
        assert_int_equal(item, expected);
    }
    assert_true(mailbox_reserve(&mailbox, 5));
    assert_false(mailbox_push(&mailbox, &item, false));
    mailbox_unreserve(&mailbox, 1);
    assert_true(mailbox_push(&mailbox, &item, false));
    mailbox_destroy(&mailbox);
}

/* The order stays, at any position of the first item and any number of items taken at once. */
static void test_many_at_once(void **state)
{
    struct mailbox mailbox;
    int items[8];
    int pushed = 0;
    int taken = 0;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof pushed, 1000));
    for (; pushed < 12; pushed++) {
        assert_true(mailbox_push(&mailbox, &pushed, false));
    }
    for (size_t got = 1; got > 0;) {
        for (int i = 0; i < 20 && pushed < 900; i++, pushed++) {
            assert_true(mailbox_push(&mailbox, &pushed, false));
        }
        got = mailbox_take(&mailbox, items, 8);
        assert_true(got == 8 || taken + (int)got == 900);
        for (size_t i = 0; i < got; i++) {
            assert_int_equal(items[i], taken++);
        }
    }
    assert_int_equal(taken, 900);
    mailbox_destroy(&mailbox);
}

static void test_items_of_any_size(void **state)
{
    struct {
        char bytes[37];
    } item = {"thirty-seven bytes, whole, each time"};
    struct mailbox mailbox;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof item, 4));
    for (int i = 0; i < 10; i++) {
        assert_true(mailbox_push(&mailbox, &item, false));
        item.bytes[0] = '\0';
        assert_int_equal(mailbox_take(&mailbox, &item, 1), 1);
        assert_string_equal(item.bytes, "thirty-seven bytes, whole, each time");
    }
    mailbox_destroy(&mailbox);
}

/* Items that may be lost leave slots to others. */
static void test_spare_slots(void **state)
{
    struct mailbox mailbox;
    int item = 1;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof item, 16));
    while (mailbox_push_spare(&mailbox, &item, 4, false)) {
    }
    assert_int_equal(mailbox.count, 12);
    while (mailbox_push_spare(&mailbox, &item, 8, false)) {
    }
    assert_int_equal(mailbox.count, 14);
    assert_true(mailbox_push(&mailbox, &item, false));
    mailbox_destroy(&mailbox);
}

#define FAR (uv_hrtime() + UINT64_C(3600000000000)) /* an hour from now */

/* Without a wake, these waits would last longer than the test's deadline. */
static void test_wait_ends_when_woken(void **state)
{
    struct mailbox mailbox;
    int item = 1;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof item, 4));
    mailbox_wake(&mailbox);
    mailbox_wait(&mailbox, FAR);
    assert_true(mailbox_push(&mailbox, &item, true));
    mailbox_wait(&mailbox, FAR);
    mailbox_wait(&mailbox, uv_hrtime() - 1);
    mailbox_wait(&mailbox, 0);
    mailbox_destroy(&mailbox);
}

static void test_wait_ends_when_a_quarter_is_full(void **state)
{
    struct mailbox mailbox;
    int item = 1;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof item, 8));
    assert_true(mailbox_push(&mailbox, &item, false));
    assert_true(mailbox_push(&mailbox, &item, false));
    mailbox_wait(&mailbox, FAR);
    mailbox_destroy(&mailbox);
}

static void test_wait_lasts_to_the_deadline(void **state)
{
    struct mailbox mailbox;
    uint64_t deadline = uv_hrtime() + 20000000;
    int item = 1;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof item, 1000));
    /* A push without a wake does not end a wait, because cursors wait for the tick. Single waits
     * may end without a reason. */
    while (uv_hrtime() < deadline) {
        mailbox_push(&mailbox, &item, false);
        mailbox_wait(&mailbox, deadline);
    }
    assert_true(mailbox.count < 1000);
    mailbox_destroy(&mailbox);
}

/* ---- threads */

enum { PRODUCERS = 3, ITEMS = 20000 };

struct item {
    unsigned producer, number;
};

struct producer {
    struct mailbox *mailbox;
    unsigned number;
    unsigned refused;
};

static void produce(void *argument)
{
    struct producer *producer = argument;

    for (unsigned i = 0; i < ITEMS; i++) {
        struct item item = {producer->number, i};
        while (!mailbox_push(producer->mailbox, &item, true)) {
            producer->refused++;
            uv_sleep(0);
        }
    }
}

/* Each item arrives once and in its producer's order, although the queue is much too small for all
 * items. */
static void test_conservation_between_threads(void **state)
{
    struct mailbox mailbox;
    struct producer producers[PRODUCERS];
    uv_thread_t threads[PRODUCERS];
    unsigned next[PRODUCERS] = {0};
    struct item item;

    (void)state;
    assert_true(mailbox_create(&mailbox, sizeof item, 16));
    for (unsigned i = 0; i < PRODUCERS; i++) {
        producers[i] = (struct producer){&mailbox, i, 0};
        assert_int_equal(uv_thread_create(&threads[i], produce, &producers[i]), 0);
    }
    for (unsigned taken = 0; taken < PRODUCERS * ITEMS;) {
        mailbox_wait(&mailbox, uv_hrtime() + 1000000);
        while (mailbox_take(&mailbox, &item, 1) == 1) {
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
    assert_int_equal(mailbox_take(&mailbox, &item, 1), 0);
    mailbox_destroy(&mailbox);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_over_many_rounds),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_reserved_places),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_spare_slots),
        cmocka_unit_test(test_items_of_any_size),
        cmocka_unit_test(test_wait_ends_when_woken),
        cmocka_unit_test(test_wait_ends_when_a_quarter_is_full),
        cmocka_unit_test(test_wait_lasts_to_the_deadline),
        cmocka_unit_test(test_conservation_between_threads),
    };
    return cmocka_run_group_tests_name("mailbox", tests, NULL, NULL);
}
