/* The shown cursors when a room has more people than it can show. */
#include "people_room.h"

static void fill(uint32_t slots[PROTO_PEOPLE_MAX])
{
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        slots[i] = join("", 0);
    }
}

static bool is_shown(uint32_t slot)
{
    bool listed = false;

    for (uint32_t i = 0; i < people.shown_count; i++) {
        listed |= people.shown[i] == slot;
    }
    assert_true(listed == people.slots[slot].shown);
    return listed;
}

static void test_the_129th_is_shown_when_moving(void **state)
{
    uint32_t slots[PROTO_PEOPLE_MAX];
    uint32_t extra;

    (void)state;
    fill(slots);
    move(slots[40], SECOND); /* the first person who stops moving */
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        if (i != 40) {
            move(slots[i], SECOND + i + 1);
        }
    }
    extra = join("late", 2 * SECOND);
    assert_int_equal(people.here, PROTO_PEOPLE_MAX + 1);
    assert_false(is_shown(extra));
    assert_int_equal(people.shown_count, PROTO_PEOPLE_MAX);

    /* While all shown people are active, none is replaced. */
    uint32_t version = people.version;
    for (uint64_t now = 3 * SECOND; now < SECOND + TIMEOUT; now += SECOND / 30) {
        move(extra, now);
        assert_false(is_shown(extra));
    }
    assert_int_equal(people.version, version);

    move(extra, SECOND + TIMEOUT);
    assert_int_not_equal(people.version, version);
    assert_true(is_shown(extra));
    assert_false(is_shown(slots[40]));
    assert_int_equal(people.shown_count, PROTO_PEOPLE_MAX);

    /* The replaced person is shown again after a movement. */
    move(slots[40], SECOND + TIMEOUT + 1);
    assert_true(is_shown(slots[40]));
    assert_int_equal(people.shown_count, PROTO_PEOPLE_MAX);
}

static void test_a_withdrawn_cursor_frees_its_slot(void **state)
{
    uint32_t slots[PROTO_PEOPLE_MAX];
    uint32_t extra;

    (void)state;
    fill(slots);
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        move(slots[i], SECOND);
    }
    extra = join("late", SECOND);
    move(extra, SECOND);
    assert_false(is_shown(extra));
    people_withdraw(&people, slots[7]);
    move(extra, SECOND);
    assert_true(is_shown(extra));
    assert_false(is_shown(slots[7]));
}

/* When a person leaves, the latest mover who is not shown takes the entry at once. */
static void test_a_slot_that_is_free_is_filled_at_once(void **state)
{
    uint32_t slots[PROTO_PEOPLE_MAX];
    uint32_t extra[4];

    (void)state;
    fill(slots);
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        move(slots[i], SECOND);
    }
    for (uint32_t i = 0; i < 4; i++) {
        extra[i] = join("late", SECOND);
    }
    move(extra[1], SECOND + 1);
    move(extra[2], SECOND + 2);
    leave(slots[0], false, SECOND);
    assert_true(is_shown(extra[2]));
    leave(slots[1], false, SECOND);
    assert_true(is_shown(extra[1]));
    leave(slots[2], false, SECOND);
    assert_true(is_shown(extra[0])); /* of people who never moved, the first to join */
    assert_int_equal(people.shown_count, PROTO_PEOPLE_MAX);
}

/* A person who moves replaces the one who has not moved for the longest time. The replaced person
 * returns without a movement when an entry is free. */
static void test_people_who_stop_moving_return(void **state)
{
    uint32_t slots[PROTO_PEOPLE_MAX];
    uint32_t extra;

    (void)state;
    fill(slots);
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        move(slots[i], SECOND + i);
    }
    extra = join("late", SECOND);
    move(extra, 3600 * SECOND);
    assert_true(is_shown(extra));
    assert_false(is_shown(slots[0]));
    leave(slots[5], false, 3601 * SECOND);
    assert_true(is_shown(slots[0]));
    assert_int_equal(people.shown_count, PROTO_PEOPLE_MAX);
}

static void test_those_not_shown_change_nothing(void **state)
{
    uint32_t slots[PROTO_PEOPLE_MAX];
    uint32_t extra;

    (void)state;
    fill(slots);
    uint32_t version = people.version;
    uint32_t names = the_room->names;
    extra = join("late", 0);
    identity_rename(the_room, extra, "later", 1);
    leave(extra, false, 1);
    assert_int_equal(people.version, version);
    assert_int_equal(the_room->names, names);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_the_129th_is_shown_when_moving),
        TEST(test_a_withdrawn_cursor_frees_its_slot),
        TEST(test_a_slot_that_is_free_is_filled_at_once),
        TEST(test_people_who_stop_moving_return),
        TEST(test_those_not_shown_change_nothing),
    };
    return cmocka_run_group_tests_name("people_shown", tests, NULL, NULL);
}
