/* Events wait for a room in order, and not without end. */
#include "hub/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hub/runner_room.h"

#define EVENTS 10000u
#define PEOPLE 30u

static struct runner runner;
static struct runner_room room;
static struct outbox outbox;
static bool touched[1];
static struct seat *ada, *bob;

static int begin(void **state)
{
    (void)state;
    memset(&runner, 0, sizeof runner);
    memset(&room, 0, sizeof room);
    runner.definition.shards = 1;
    runner.touched = touched;
    room.runner = &runner;
    room.people = PEOPLE;
    room.account = account_create();
    if (room.account == NULL || !turns_create(&runner.turns, 1) ||
        !queue_memory_create(&runner.queues, EVENTS) || !outbox_create(&outbox, 1, 10)) {
        return -1;
    }
    turns_enter(&runner.turns, &room.turn, room.account);
    ada = seat_create(&outbox, 0, 1, "127.0.0.1");
    bob = seat_create(&outbox, 0, 2, "127.0.0.1");
    return ada != NULL && bob != NULL ? 0 : -1;
}

static int end(void **state)
{
    const struct waiting *waiting;

    (void)state;
    while ((waiting = queue_take(&room.queue, &runner.queues)) != NULL) {
        if (waiting->event.type == EVENT_MESSAGE) {
            free(waiting->event.message);
        }
    }
    assert_int_equal(runner.queues.left, EVENTS);
    seat_destroy(ada);
    seat_destroy(bob);
    queue_memory_destroy(&runner.queues);
    turns_destroy(&runner.turns);
    outbox_destroy(&outbox);
    return 0;
}

static void push_cursor(struct seat *seat, float x)
{
    const struct event event = {.type = EVENT_CURSOR, .cursor = {.x = x}};

    runner_room_enqueue(&room, &event, seat);
}

static void push_message(struct seat *seat)
{
    const struct event event = {.type = EVENT_MESSAGE, .message = calloc(1, sizeof *event.message)};

    assert_non_null(event.message);
    runner_room_enqueue(&room, &event, seat);
}

static void test_events_come_in_order(void **state)
{
    float next = 0.0F;

    (void)state;
    for (uint32_t i = 0; i < 3 * EVENTS; i++) {
        push_cursor(ada, (float)i);
        if (i % 3 != 0) {
            assert_true(queue_take(&room.queue, &runner.queues)->event.cursor.x == next);
            next += 1.0F;
        }
        if (room.queue.count > 500) {
            while (room.queue.count > 0) {
                assert_true(queue_take(&room.queue, &runner.queues)->event.cursor.x == next);
                next += 1.0F;
            }
        }
    }
    assert_true(runner.queues.unused < 600); /* places are used again */
    assert_ptr_equal(turns_next(&runner.turns, 0), &room.turn);
}

/* In a long queue, a cursor replaces the one before, but not across another event. */
static void test_the_last_cursor_counts(void **state)
{
    const struct waiting *waiting;
    float last[3] = {0};
    size_t most;

    (void)state;
    for (uint32_t i = 0; i < EVENTS; i++) {
        push_cursor(i % 2 == 0 ? ada : bob, (float)i);
    }
    most = room.queue.count;
    assert_in_range(most, 8 * PEOPLE, EVENTS / 4 - 1);
    push_message(ada);
    push_cursor(ada, -1.0F); /* comes after the message */
    push_cursor(ada, -2.0F);
    push_cursor(bob, -3.0F);
    assert_int_equal(room.queue.count, most + 2);
    for (size_t i = 0; i < most + 2; i++) {
        waiting = queue_take(&room.queue, &runner.queues);
        if (waiting->event.type == EVENT_MESSAGE) {
            assert_int_equal(i, most);
            assert_true(last[1] == (float)(EVENTS - 2));
            free(waiting->event.message);
        } else {
            last[waiting->seat->session] = waiting->event.cursor.x;
        }
    }
    assert_true(last[1] == -2.0F);
    assert_true(last[2] == -3.0F);
    push_cursor(ada, 7.0F); /* the places of before are free */
    assert_true(queue_take(&room.queue, &runner.queues)->event.cursor.x == 7.0F);
}

/* A member whose message no longer fits is disconnected; a session that has not joined yet is not.
 */
static void test_a_line_has_an_end(void **state)
{
    struct hub_reply reply;
    size_t most;

    (void)state;
    for (uint32_t i = 0; i < EVENTS; i++) {
        push_cursor(ada, 0.0F);
    }
    most = room.queue.count;
    ada->member = 1;
    while (!ada->closed) {
        assert_true(room.queue.count < EVENTS - 1);
        push_message(ada);
    }
    assert_int_equal(room.queue.count, 4 * most);
    push_message(bob);
    assert_false(bob->closed);
    assert_true(touched[0]);
    assert_true(outbox_take_reply(&outbox, &reply));
    assert_int_equal(reply.type, HUB_CLOSED);
    assert_int_equal(reply.why, END_UNANSWERED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_events_come_in_order, begin, end),
        cmocka_unit_test_setup_teardown(test_the_last_cursor_counts, begin, end),
        cmocka_unit_test_setup_teardown(test_a_line_has_an_end, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
