/* A full room: who gives way to a newcomer. */
#include "people_room.h"

#include "room/displace.h"

enum { STRANGERS = 1, SCHOOL, OTHERS };

/* The people of a presenter's group who come in to a full room. */
enum { MOST = ROOM / 4 * 3 };

/* Lets people of that address try to join, `count` times. Returns how many come in. */
static uint32_t come(uint64_t address, uint32_t count)
{
    uint32_t in = 0, slot;
    room_member replaced;

    address_now = address;
    for (uint32_t i = 0; i < count; i++) {
        in += try_join("", NULL, 0, &slot, &replaced) == PEOPLE_OK;
    }
    return in;
}

static uint32_t count_from(uint64_t address)
{
    const struct person *person;
    uint32_t count = 0, next = 0;

    while ((person = people_each(&people, &next)) != NULL) {
        count += the_room->groups.groups[person->group].origin == address;
    }
    return count;
}

static void teach(uint64_t address)
{
    uint32_t slot;
    room_member replaced;

    address_now = address;
    assert_int_equal(try_join("Ada", NULL, 0, &slot, &replaced), PEOPLE_OK);
    members_set_role(the_room, slot, PROTO_PRESENTER);
}

static void test_a_class_gets_in_with_its_teacher(void **state)
{
    (void)state;
    teach(SCHOOL);
    assert_int_equal(come(STRANGERS, ROOM), ROOM - 1);
    assert_int_equal(come(SCHOOL, ROOM), MOST - 1);
    assert_int_equal(count_from(STRANGERS), ROOM - MOST);
    assert_int_equal(come(OTHERS, 3), 0); /* the presenter's group keeps its slots */
    assert_int_equal(people.here, ROOM);
}

/* A presenter with the key comes in to a full room, and makes it more than full. */
static void test_a_class_gets_in_after_its_teacher(void **state)
{
    const struct room_sink sink = {.tell = ignore_frame, .close = note_closed};
    struct room_definition definition = define_room();
    struct proto_hello hello = {
        .version = 1, .key = "the-key-of-this-room", .encoding_count = 1, .encodings = {"plain"}};
    struct room_end refused = {0};

    (void)state;
    room_destroy(the_room);
    snprintf(definition.key, sizeof definition.key, "%s", hello.key);
    the_room = room_create(&definition, &sink, NULL, NULL);
    assert_int_equal(come(STRANGERS, ROOM), ROOM);
    for (int i = 0; i < 3; i++) {
        assert_int_not_equal(room_join(the_room, &hello, SCHOOL, 0, &refused), 0);
    }
    assert_int_equal(people.here, ROOM + 3);
    assert_int_equal(come(SCHOOL, 30), 30); /* each for one stranger */
    assert_int_equal(people.here, ROOM + 3);
    assert_int_equal(count_from(STRANGERS), ROOM - 30);
}

/* The spotlight of a person who is alone at an address keeps no class out. */
static void test_the_spotlight_keeps_no_class_out(void **state)
{
    uint32_t slot = 0;

    (void)state;
    teach(SCHOOL);
    for (uint64_t address = 100; people.here < ROOM; address++) {
        address_now = address;
        slot = join("", 0);
    }
    people.spotlight = people.slots[slot].id;
    const uint64_t spotlit = address_now;
    assert_int_equal(come(SCHOOL, 30), 30);
    assert_int_not_equal(people.slots[slot].member, 0);
    assert_int_equal(come(spotlit, 1), 0); /* nor is it a presenter's address */
}

static void test_a_class_of_strangers_stays(void **state)
{
    (void)state;
    assert_int_equal(come(STRANGERS, ROOM_CLASS) + come(OTHERS, ROOM), ROOM);
    assert_int_equal(come(SCHOOL, 30), 0);
}

/* An address with more than a class gives way to newcomers of any other, until it has a class. */
static void test_no_address_fills_a_big_room(void **state)
{
    (void)state;
    assert_int_equal(come(STRANGERS, ROOM), ROOM);
    assert_int_equal(come(STRANGERS, 1), 0);
    assert_int_equal(come(SCHOOL, 30) + come(OTHERS, ROOM), ROOM - ROOM_CLASS);
    assert_int_equal(count_from(STRANGERS), ROOM_CLASS);
    assert_int_equal(count_from(SCHOOL), 30);
}

/* The newest person goes, but not the spotlight, and learns why. */
static void test_the_newest_goes(void **state)
{
    uint32_t slot, newest, before;
    room_member replaced;

    (void)state;
    come(STRANGERS, ROOM - 2);
    address_now = STRANGERS;
    before = join("Ben", 0);
    newest = join("Cem", 0);
    people.spotlight = people.slots[newest].id;
    address_now = SCHOOL;
    assert_int_equal(try_join("Dora", NULL, 0, &slot, &replaced), PEOPLE_OK);
    assert_int_equal(people.slots[before].member, 0);
    assert_int_not_equal(people.slots[newest].member, 0);
}

/* A person who comes back takes the own slot over, or replaces another person. */
static void test_coming_back_to_a_full_room(void **state)
{
    uint8_t token[PROTO_TOKEN_SIZE];
    uint32_t slot, id;
    room_member replaced;

    (void)state;
    address_now = SCHOOL;
    slot = join("Ada", 0);
    id = people.slots[slot].id;
    copy_token(token, slot);
    come(STRANGERS, ROOM - 1);
    address_now = SCHOOL;
    slot = rejoin("Ada", token, 0, &replaced);
    assert_int_equal(people.slots[slot].id, id);
    assert_int_equal(count_from(STRANGERS), ROOM - 1);
    copy_token(token, slot);
    leave(slot, false, 0);
    come(STRANGERS, 1);
    address_now = SCHOOL;
    slot = rejoin("Ada", token, 0, &replaced);
    assert_int_equal(people.slots[slot].id, id);
    assert_int_equal(count_from(STRANGERS), ROOM - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_class_gets_in_with_its_teacher, make, destroy),
        cmocka_unit_test_setup_teardown(test_a_class_gets_in_after_its_teacher, make, destroy),
        cmocka_unit_test_setup_teardown(test_the_spotlight_keeps_no_class_out, make, destroy),
        cmocka_unit_test_setup_teardown(test_a_class_of_strangers_stays, make, destroy),
        cmocka_unit_test_setup_teardown(test_no_address_fills_a_big_room, make, destroy),
        cmocka_unit_test_setup_teardown(test_the_newest_goes, make, destroy),
        cmocka_unit_test_setup_teardown(test_coming_back_to_a_full_room, make, destroy),
    };

    return cmocka_run_group_tests_name("room_displace", tests, NULL, NULL);
}
