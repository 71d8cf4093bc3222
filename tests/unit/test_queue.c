/* Events wait for a room in order, and not without end. */
#include "hub/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hub/runner_room.h"

#define EVENTS 20000u
#define PEOPLE 30u

static struct runner runner;
static struct runner_room room, stranger; /* of two creators */
static struct outbox outbox;
static bool touched[1];
static struct seat *ada, *bob, *eve;

static int begin(void **state)
{
    (void)state;
    memset(&runner, 0, sizeof runner);
    memset(&room, 0, sizeof room);
    runner.definition.shards = 1;
    runner.touched = touched;
    room.runner = &runner;
    room.people = PEOPLE;
    memset(&stranger, 0, sizeof stranger);
    stranger.runner = &runner;
    stranger.people = 1;
    room.account = account_create();
    stranger.account = account_create();
    if (room.account == NULL || stranger.account == NULL || !turns_create(&runner.turns, 2) ||
        !queue_memory_create(&runner.queues, EVENTS, 10) || !outbox_create(&outbox, 1, 10)) {
        return -1;
    }
    turns_enter(&runner.turns, &room.turn, room.account);
    turns_enter(&runner.turns, &stranger.turn, stranger.account);
    room.queue.account = room.turn.account;
    stranger.queue.account = stranger.turn.account;
    ada = seat_create(outbox_replies(&outbox, false), 0, 1, "127.0.0.1");
    bob = seat_create(outbox_replies(&outbox, false), 0, 2, "127.0.0.1");
    eve = seat_create(outbox_replies(&outbox, false), 0, 3, "127.0.0.1");
    return ada != NULL && bob != NULL && eve != NULL ? 0 : -1;
}

static void empty(struct runner_room *of)
{
    const struct waiting *waiting;

    while ((waiting = queue_take(&of->queue, &runner.queues)) != NULL) {
        if (waiting->event.type == EVENT_MESSAGE) {
            free(waiting->event.message);
        }
    }
}

static int end(void **state)
{
    (void)state;
    empty(&room);
    empty(&stranger);
    assert_int_equal(runner.queues.taken, 0);
    assert_int_equal(runner.queues.of_trusted, 0);
    assert_int_equal(room.turn.account->events, 0);
    assert_int_equal(ada->waiting, 0);
    seat_destroy(ada);
    seat_destroy(bob);
    seat_destroy(eve);
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

static void push_message_to(struct runner_room *to, struct seat *seat)
{
    const struct event event = {.type = EVENT_MESSAGE, .message = calloc(1, sizeof *event.message)};

    assert_non_null(event.message);
    runner_room_enqueue(to, &event, seat);
}

static void push_message(struct seat *seat)
{
    push_message_to(&room, seat);
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

/* A member with an equal share of a full queue is disconnected, one who has sent less is not.
 * Neither may a session send that has not joined yet. */
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
    bob->member = 2;
    while (!ada->closed) {
        assert_true(room.queue.count < EVENTS - 1);
        push_message(ada);
    }
    assert_int_equal(room.queue.count, 4 * most);
    push_message(bob);
    assert_false(bob->closed);
    assert_int_equal(room.queue.count, 4 * most + 1);
    while (!eve->closed) {
        assert_int_equal(room.queue.count, 4 * most + 1 + eve->waiting);
        push_message(eve);
    }
    assert_in_range(eve->waiting, 1, 10);
    push_message(ada); /* has no effect */
    assert_int_equal(room.queue.count, 4 * most + 1 + eve->waiting);
    while (!bob->closed) {
        push_message(bob);
    }
    assert_int_equal(bob->waiting, 4 * most / PEOPLE);
    assert_true(touched[0]);
    assert_true(outbox_take_reply(&outbox, false, &reply));
    assert_int_equal(reply.type, HUB_CLOSED);
    assert_int_equal(reply.why, END_UNANSWERED);
}

/* Sends messages of many sessions until one is disconnected. */
static void fill(struct runner_room *of, struct seat *seat)
{
    seat->member = 1;
    of->people = EVENTS; /* the room's queue has no end of its own */
    while (!seat->closed) {
        assert_true(runner.queues.taken <= EVENTS);
        seat->waiting = 0;
        push_message_to(of, seat);
    }
    seat->waiting = 0;
}

/* The events of one creator's rooms leave others half of the rest; trusted rooms have a reserve. */
static void test_creators_have_shares_of_the_memory(void **state)
{
    const struct event leave = {.type = EVENT_LEAVE};
    const struct waiting *waiting;

    (void)state;
    fill(&stranger, eve);
    assert_in_range(stranger.queue.count, EVENTS / 5, EVENTS / 2);
    fill(&room, bob);
    assert_in_range(room.queue.count, EVENTS / 20, EVENTS / 4);
    empty(&room);
    room.turn.account->trusted = true;
    fill(&room, ada);
    assert_true(room.queue.count >= EVENTS / 2);
    runner_room_enqueue(&stranger, &leave, eve); /* is never lost */
    while (stranger.queue.count > 1) {
        waiting = queue_take(&stranger.queue, &runner.queues);
        free(waiting->event.message);
    }
    waiting = queue_take(&stranger.queue, &runner.queues);
    assert_int_equal(waiting->event.type, EVENT_LEAVE);
    empty(&room);
    room.turn.account->trusted = false; /* its place in `turns` */
    ada->waiting = bob->waiting = eve->waiting = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_creators_have_shares_of_the_memory, begin, end),
        cmocka_unit_test_setup_teardown(test_events_come_in_order, begin, end),
        cmocka_unit_test_setup_teardown(test_the_last_cursor_counts, begin, end),
        cmocka_unit_test_setup_teardown(test_a_line_has_an_end, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
