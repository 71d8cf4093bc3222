/* Creators get equal shares of a runner, trusted rooms come first, and unused time is lost. */
#include "hub/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS     UINT64_C(1000000)
#define PERIOD (33 * MS)
#define ROOMS  64u

/* A room whose tick is due once per period, unless the last one was too late for that. */
struct test_room {
    struct turn turn;
    uint64_t cost, period;
    uint64_t ticks, longest; /* longest: ns from a deadline to its tick */
};

static struct turns turns;
static struct test_room rooms[ROOMS];
static uint32_t count;
static uint64_t now;

static int begin(void **state)
{
    (void)state;
    memset(rooms, 0, sizeof rooms);
    count = 0;
    now = 0;
    return turns_create(&turns, ROOMS) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < count; i++) {
        turns_tick_at(&turns, &rooms[i].turn, TURNS_NEVER);
        turns_leave(&turns, &rooms[i].turn);
    }
    assert_null(turns.accounts.first);
    assert_int_equal(turns_deadline(&turns), TURNS_NEVER);
    turns_destroy(&turns);
    return 0;
}

static struct test_room *add(uint64_t creator, bool trusted, uint64_t cost)
{
    struct test_room *room = &rooms[count++];
    struct account *by = account_create();

    assert_non_null(by);
    by->id = creator;
    by->trusted = trusted;
    turns_enter(&turns, &room->turn, by);
    room->cost = cost;
    room->period = PERIOD;
    turns_tick_at(&turns, &room->turn, now + count * MS / 10);
    return room;
}

/* Runs the rooms for a time, as a runner does. */
static void run(uint64_t time)
{
    uint64_t until = now + time;

    while (now < until) {
        struct test_room *room = (struct test_room *)turns_next(&turns, now);
        if (room == NULL) {
            now = turns_deadline(&turns);
            continue;
        }
        uint64_t late = now - room->turn.deadline;
        uint64_t next = room->turn.deadline + room->period;
        room->longest = late > room->longest ? late : room->longest;
        room->ticks++;
        now += room->cost;
        turns_charge(&turns, &room->turn, room->cost);
        while (next < now) {
            next += room->period; /* overdue ticks are dropped */
        }
        turns_tick_at(&turns, &room->turn, next);
    }
}

/* Runs them again from a clean count. */
static void run_again(uint64_t time)
{
    for (uint32_t i = 0; i < count; i++) {
        rooms[i].ticks = rooms[i].longest = 0;
    }
    run(time);
}

static void test_every_tick_runs_while_there_is_time(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 30; i++) {
        (void)add(i % 3, i % 7 == 0, MS);
    }
    run(330 * MS);
    run_again(3300 * MS);
    for (uint32_t i = 0; i < count; i++) {
        assert_in_range(rooms[i].ticks, 99, 101);
    }
}

/* 40 rooms of one creator get as much as one room of another. */
static void test_creators_have_equal_shares(void **state)
{
    const struct test_room *alone = add(1, false, 5 * MS);
    uint64_t many = 0;

    (void)state;
    for (int i = 0; i < 40; i++) {
        (void)add(2, false, 5 * MS);
    }
    run(1000 * MS);
    run_again(33000 * MS);
    for (uint32_t i = 1; i < count; i++) {
        many += rooms[i].ticks;
        assert_in_range(rooms[i].ticks, 100, 200); /* in turn */
    }
    assert_in_range(alone->ticks, 990, 1001); /* needs less than half */
    assert_in_range(alone->longest, 0, 10 * MS);
    assert_in_range(many * 5 * MS, 27000 * MS, 28500 * MS);
}

/* Of one creator's rooms, too, the one that needs little waits for one turn at most. */
static void test_a_creators_rooms_have_equal_shares(void **state)
{
    const struct test_room *cheap = add(1, false, MS);

    (void)state;
    for (int i = 0; i < 10; i++) {
        (void)add(1, false, 30 * MS);
    }
    run(1000 * MS);
    run_again(3300 * MS);
    assert_in_range(cheap->longest, 0, 30 * MS);
    assert_in_range(cheap->ticks, 99, 101);
    for (uint32_t i = 1; i < count; i++) {
        assert_in_range(rooms[i].ticks, 9, 12);
    }
}

static void test_two_that_want_all_get_half(void **state)
{
    struct test_room *cheap = add(1, false, 4 * MS);
    struct test_room *costly = add(2, false, 40 * MS);

    (void)state;
    cheap->period = costly->period = 4 * MS;
    run(1000 * MS);
    run_again(40000 * MS);
    assert_in_range(cheap->ticks * 4, 19000, 21000);
    assert_in_range(costly->ticks * 40, 19000, 21000);
}

/* However many rooms want the time, the lobby waits for one turn at most. */
static void test_a_trusted_room_never_waits_for_two(void **state)
{
    const struct test_room *lobby = add(0, true, 2 * MS);

    (void)state;
    for (uint64_t i = 1; i < ROOMS; i++) {
        (void)add(i, false, 10 * MS);
    }
    run(1000 * MS);
    run_again(10000 * MS);
    assert_in_range(lobby->longest, 1, 10 * MS);
    assert_in_range(lobby->ticks, 302, 304);
}

/* Nor does a class among many creators who take all they get. */
static void test_a_cheap_room_waits_for_one_turn(void **state)
{
    const struct test_room *cheap = add(1, false, MS);

    (void)state;
    for (uint64_t i = 2; i < 22; i++) {
        (void)add(i, false, 20 * MS);
    }
    run(3000 * MS);
    run_again(33000 * MS);
    assert_in_range(cheap->longest, 0, 20 * MS);
    assert_in_range(cheap->ticks, 990, 1001);
    for (uint32_t i = 1; i < count; i++) {
        assert_in_range(rooms[i].ticks, 78, 82);
    }
}

/* A lobby that takes all it gets leaves a fifth to the others. */
static void test_trusted_rooms_leave_others_a_share(void **state)
{
    struct test_room *lobby = add(0, true, 35 * MS);
    uint64_t others = 0;

    (void)state;
    lobby->period = 5 * MS;
    for (uint64_t i = 1; i <= 40; i++) {
        (void)add(i, false, 5 * MS);
    }
    run(1000 * MS);
    run_again(35000 * MS);
    for (uint32_t i = 1; i < count; i++) {
        others += rooms[i].ticks;
    }
    assert_in_range(others * 5, 6500, 7500);
    assert_in_range(lobby->ticks * 35, 27500, 28500);
}

/* A room that did not run for an hour gets no more turns than another. */
static void test_nobody_saves_up_time(void **state)
{
    struct test_room *late = add(1, false, 20 * MS);
    const struct test_room *other = add(2, false, 20 * MS);

    (void)state;
    turns_tick_at(&turns, &late->turn, TURNS_NEVER);
    run(3600 * 1000 * MS);
    turns_tick_at(&turns, &late->turn, now);
    run_again(1000 * MS);
    assert_in_range(other->ticks, 22, 26);
    assert_in_range(late->ticks, 22, 26);
}

/* An event makes a room ready before its deadline, and until none waits. */
static void test_events_make_a_room_ready(void **state)
{
    struct test_room *room = add(1, false, MS);

    (void)state;
    turns_tick_at(&turns, &room->turn, TURNS_NEVER);
    assert_null(turns_next(&turns, 1000 * MS));
    turns_wait(&turns, &room->turn, true);
    assert_int_equal(turns_deadline(&turns), 0);
    assert_ptr_equal(turns_next(&turns, 0), &room->turn);
    turns_tick_at(&turns, &room->turn, 5 * MS); /* the event was a join */
    assert_ptr_equal(turns_next(&turns, 0), &room->turn);
    turns_wait(&turns, &room->turn, false);
    assert_null(turns_next(&turns, 0));
    assert_int_equal(turns_deadline(&turns), 5 * MS);
    assert_ptr_equal(turns_next(&turns, 5 * MS), &room->turn);
}

static void test_whether_others_run(void **state)
{
    struct test_room *one = add(1, false, MS);
    struct test_room *two = add(1, false, MS);

    (void)state;
    assert_false(turns_are_shared(&turns, &one->turn));
    struct test_room *other = add(0, false, MS);
    assert_true(turns_are_shared(&turns, &two->turn));
    struct test_room *another = add(0, false, MS); /* its creator is not known either */
    turns_tick_at(&turns, &one->turn, TURNS_NEVER);
    turns_tick_at(&turns, &two->turn, TURNS_NEVER);
    assert_true(turns_are_shared(&turns, &other->turn));
    turns_tick_at(&turns, &another->turn, TURNS_NEVER);
    assert_false(turns_are_shared(&turns, &other->turn));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_tick_runs_while_there_is_time, begin, end),
        cmocka_unit_test_setup_teardown(test_creators_have_equal_shares, begin, end),
        cmocka_unit_test_setup_teardown(test_a_creators_rooms_have_equal_shares, begin, end),
        cmocka_unit_test_setup_teardown(test_two_that_want_all_get_half, begin, end),
        cmocka_unit_test_setup_teardown(test_a_trusted_room_never_waits_for_two, begin, end),
        cmocka_unit_test_setup_teardown(test_a_cheap_room_waits_for_one_turn, begin, end),
        cmocka_unit_test_setup_teardown(test_trusted_rooms_leave_others_a_share, begin, end),
        cmocka_unit_test_setup_teardown(test_nobody_saves_up_time, begin, end),
        cmocka_unit_test_setup_teardown(test_events_make_a_room_ready, begin, end),
        cmocka_unit_test_setup_teardown(test_whether_others_run, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
