/* Whom a room forgets when more than PEOPLE_AWAY_MAX people have left. */
#include "people_room.h"

enum { CLASS = 30, STRANGERS = PEOPLE_AWAY_MAX + 76, ADDRESSES = 4 };

/* A person who left. */
struct gone {
    uint8_t token[PROTO_TOKEN_SIZE];
    uint32_t id;
};

static uint64_t now;

static uint32_t join_from(uint64_t address)
{
    address_now = address;
    return join("", ++now);
}

static struct gone leave_now(uint32_t slot)
{
    struct gone gone = {.id = people.slots[slot].id};

    copy_token(gone.token, slot);
    leave(slot, false, ++now);
    return gone;
}

/* Returns the slot of the person who left and has come back; PEOPLE_NONE if the room has forgotten
 * the person. */
static uint32_t back(const struct gone *gone)
{
    room_member replaced;
    uint32_t slot = rejoin("", gone->token, ++now, &replaced);

    return people.slots[slot].id == gone->id ? slot : PEOPLE_NONE;
}

/* Strangers of that many addresses join and leave; they steer or not. */
static void flood(uint32_t strangers, uint32_t addresses, bool steer)
{
    for (uint32_t i = 0; i < strangers; i++) {
        uint32_t slot = join_from(1000 + i % addresses);
        if (steer) {
            move(slot, ++now);
        }
        leave(slot, false, ++now);
    }
}

static void leave_class(struct gone gone[CLASS])
{
    for (uint32_t i = 0; i < CLASS; i++) {
        gone[i] = leave_now(join_from(7));
    }
}

static uint32_t count_back(const struct gone gone[CLASS])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < CLASS; i++) {
        count += back(&gone[i]) != PEOPLE_NONE;
    }
    return count;
}

static void test_strangers_push_out_no_presenter(void **state)
{
    uint32_t slot = join_from(1000); /* a stranger has the same address */

    (void)state;
    members_appoint(the_room, slot, PROTO_PRESENTER);
    const struct gone presenter = leave_now(slot);
    flood(STRANGERS, ADDRESSES, true);
    slot = back(&presenter);
    assert_int_not_equal(slot, PEOPLE_NONE);
    assert_int_equal(people.slots[slot].role, PROTO_PRESENTER);
    assert_in_range(people.used, 1, PEOPLE_AWAY_MAX + 1);
}

static void test_strangers_push_out_no_class(void **state)
{
    struct gone class[CLASS];

    (void)state;
    leave_class(class);
    flood(STRANGERS, ADDRESSES, false);
    assert_int_equal(count_back(class), CLASS);
}

/* A cursor is quickly moved, so it does not count beside other addresses. */
static void test_strangers_who_steer_push_out_no_class(void **state)
{
    struct gone class[CLASS];

    (void)state;
    leave_class(class);
    flood(STRANGERS, ADDRESSES, true);
    assert_int_equal(count_back(class), CLASS);
}

/* 40 addresses have 25 or 26 people each, and so has the class. */
static void test_many_addresses_leave_a_class_its_share(void **state)
{
    struct gone class[CLASS];

    (void)state;
    leave_class(class);
    flood(STRANGERS, 40, true);
    assert_in_range(count_back(class), PEOPLE_AWAY_MAX / 41, CLASS);
}

static void test_the_steering_outlast_others_of_their_address(void **state)
{
    uint32_t slot = join_from(1000);

    (void)state;
    move(slot, ++now);
    const struct gone gone = leave_now(slot);
    const struct gone idle = leave_now(join_from(1000));
    flood(STRANGERS, 1, false);
    assert_int_not_equal(back(&gone), PEOPLE_NONE);
    assert_int_equal(back(&idle), PEOPLE_NONE);
}

/* Lets a presenter join from that address. */
static uint32_t teach(uint64_t address)
{
    uint32_t slot = join_from(address);

    members_appoint(the_room, slot, PROTO_PRESENTER);
    return slot;
}

/* Returns how many of the class come back after strangers of 200 addresses have left. */
static uint32_t count_back_beside_many(void)
{
    struct gone class[CLASS];

    leave_class(class);
    flood(STRANGERS, 200, true);
    return count_back(class);
}

static void test_a_class_at_a_presenters_address_comes_back(void **state)
{
    (void)state;
    (void)teach(7);
    assert_int_equal(count_back_beside_many(), CLASS);
}

/* The presenter of the address has left, too, and the room remembers the presenter. */
static void test_a_class_comes_back_before_its_presenter(void **state)
{
    (void)state;
    leave(teach(7), false, ++now);
    assert_int_equal(count_back_beside_many(), CLASS);
}

static void test_a_former_presenter_keeps_no_class(void **state)
{
    (void)state;
    members_appoint(the_room, teach(7), PROTO_VIEWER);
    leave(teach(7), true, ++now); /* another presenter has removed this one */
    assert_in_range(count_back_beside_many(), 0, 6);
}

static void test_the_spotlight_keeps_no_class(void **state)
{
    const uint32_t slot = join_from(7);

    (void)state;
    people.spotlight = people.slots[slot].id;
    assert_in_range(count_back_beside_many(), 0, 6);
}

/* Viewers at the addresses of presenters keep three quarters of the places. Beyond, the address
 * with the most people away gives way. */
static void test_a_class_keeps_three_quarters(void **state)
{
    enum { MOST = PEOPLE_AWAY_MAX / 4 * 3 };
    uint32_t away[2] = {0};

    (void)state;
    (void)teach(7);
    (void)teach(8);
    for (uint32_t i = 0; i < MOST + 60; i++) {
        leave(join_from(i < MOST ? 7 : 8), false, ++now);
    }
    flood(STRANGERS, 300, false);
    for (uint32_t slot = people.away_first; slot != PEOPLE_NONE; slot = people.slots[slot].next) {
        const uint64_t origin = the_room->members[slot].origin;
        away[0] += origin == 7;
        away[1] += origin == 8;
    }
    assert_int_equal(away[1], 60);
    assert_int_equal(away[0] + away[1], MOST);
}

/* In a room with open controls everyone is a presenter; the people with its key keep a class. */
static void test_the_key_keeps_a_class_with_open_controls(void **state)
{
    (void)state;
    the_room->definition.open_controls = true;
    (void)teach(7);
    for (uint64_t address = 1000; address < 1200; address++) {
        (void)teach(address);
    }
    assert_in_range(count_back_beside_many(), 0, 6);
    while (people.here > 0) {
        uint32_t next = 0;
        leave((uint32_t)(people_each(&people, &next) - people.slots), false, ++now);
    }
    now += PEOPLE_AWAY_TIME + 1;
    the_room->identities[teach(7)].owner = true;
    assert_int_equal(count_back_beside_many(), CLASS);
}

/* In a room with open controls everyone is a presenter, and that keeps no one. */
static void test_open_controls(void **state)
{
    struct gone class[CLASS];
    uint8_t token[PROTO_TOKEN_SIZE];
    room_member replaced;
    uint32_t slot = join_from(7);

    (void)state;
    the_room->definition.open_controls = true;
    copy_token(token, slot);
    leave(slot, true, ++now);
    leave_class(class);
    flood(STRANGERS, ADDRESSES, true);
    assert_int_equal(count_back(class), CLASS);
    assert_int_equal(try_join("", token, ++now, &slot, &replaced), PEOPLE_REMOVED);
}

/* A room that was saved does not know the addresses, and forgets the people who left first. */
static void test_unknown_addresses(void **state)
{
    struct gone class[CLASS];

    (void)state;
    leave_class(class);
    for (uint32_t i = 0; i < people.used; i++) {
        the_room->members[i].origin = 0;
    }
    for (uint32_t i = 0; i < PEOPLE_AWAY_MAX - CLASS + 1; i++) {
        leave(join_from(0), false, ++now);
    }
    assert_int_equal(back(&class[0]), PEOPLE_NONE);
    assert_int_not_equal(back(&class[1]), PEOPLE_NONE);
}

static void test_a_room_forgets_only_people_who_are_away(void **state)
{
    const uint32_t slots[] = {join_from(1), people.used + 1};
    struct proto_error error;
    struct change change;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        const struct input input = {.type = INPUT_FORGET, .slot = slots[i]};
        assert_false(scene_apply(the_room->present, &input, &change, &error));
        assert_string_equal(error.message, "a person was forgotten who was not away");
    }
    leave(slots[0], false, ++now);
    const struct input input = {.type = INPUT_FORGET, .slot = slots[0]};
    assert_true(scene_apply(the_room->present, &input, &change, &error));
    assert_int_equal(people.away_count, 0);
    assert_false(scene_apply(the_room->present, &input, &change, &error));
}

static void test_a_recording_tells_whom_a_room_forgot(void **state)
{
    const struct input input = {.type = INPUT_FORGET, .slot = 200};
    struct input_clock clock = input_clock_at(SECOND, 60);
    struct input_reader reader = {.clock = clock};
    struct input copy;
    uint8_t bytes[INPUT_MAX];

    (void)state;
    reader.at = bytes;
    reader.end = bytes + input_encode(&clock, &input, bytes);
    assert_int_equal(input_next(&reader, &copy), INPUT_READ);
    assert_int_equal(copy.type, INPUT_FORGET);
    assert_int_equal(copy.slot, 200);
    assert_int_equal(input_next(&reader, &copy), INPUT_END);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_strangers_push_out_no_presenter),
        TEST(test_strangers_push_out_no_class),
        TEST(test_strangers_who_steer_push_out_no_class),
        TEST(test_many_addresses_leave_a_class_its_share),
        TEST(test_the_steering_outlast_others_of_their_address),
        TEST(test_a_class_at_a_presenters_address_comes_back),
        TEST(test_a_class_comes_back_before_its_presenter),
        TEST(test_a_former_presenter_keeps_no_class),
        TEST(test_the_spotlight_keeps_no_class),
        TEST(test_a_class_keeps_three_quarters),
        TEST(test_the_key_keeps_a_class_with_open_controls),
        TEST(test_open_controls),
        TEST(test_unknown_addresses),
        TEST(test_a_room_forgets_only_people_who_are_away),
        TEST(test_a_recording_tells_whom_a_room_forgot),
    };
    return cmocka_run_group_tests_name("people_away", tests, NULL, NULL);
}
