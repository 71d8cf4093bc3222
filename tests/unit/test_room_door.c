/* The door of a room: while it is closed, only people whom the room knows may join, and presenters
 * with the key. */
#include "control_room.h"
#include "load_room.h"

#include "scene/people.h"

static bool set_door(struct client *client, bool open)
{
    struct proto_client_message message = {.type = PROTO_DOOR, .door.open = open};

    return say(client, &message);
}

static void assert_shut(const struct proto_hello *hello)
{
    struct room_end refused;

    assert_null(try_join(hello, &refused));
    assert_int_equal(end_code(refused.why), PROTO_CLOSE_DOOR);
    const struct proto_error why = read_frame(refused.frame)->error;
    frame_release(refused.frame);
    assert_int_equal(why.code, PROTO_E_DOOR);
    assert_string_equal(why.field, "room");
    assert_true(why.fatal);
}

static void test_a_closed_door_admits_no_newcomers(void **state)
{
    const struct proto_hello hello = hello_of("Cem");

    (void)state;
    assert_false(described()->door_closed);
    assert_false(set_door(bob, false));
    assert_int_equal(error.code, PROTO_E_ROLE);
    assert_true(set_door(ada, false));
    assert_true(described()->door_closed);
    assert_shut(&hello);
    assert_true(set_door(ada, true));
    assert_false(described()->door_closed);
    join_as(&hello);
}

static void test_people_of_the_room_come_back_through_a_closed_door(void **state)
{
    const struct proto_hello again = hello_again(bob);
    uint32_t id = bob->id;

    (void)state;
    assert_true(set_door(ada, false));
    leave(bob);
    bob = join_as(&again);
    assert_int_equal(bob->id, id);
    leave(bob);
    clock_now += PEOPLE_AWAY_TIME + 1;
    assert_shut(&again); /* the room no longer remembers him */
}

static void test_the_presenter_key_opens_a_closed_door(void **state)
{
    struct proto_hello hello = hello_of("Dora");

    (void)state;
    room_set_join_key(room, "bees-at-noon");
    assert_true(described()->locked);
    assert_true(set_door(ada, false));
    snprintf(hello.join, sizeof hello.join, "bees-at-noon");
    assert_shut(&hello); /* the join key does not */
    snprintf(hello.key, sizeof hello.key, "a-guess");
    assert_shut(&hello);
    snprintf(hello.key, sizeof hello.key, KEY);
    assert_int_equal(join_as(&hello)->role, PROTO_PRESENTER);
}

static void test_a_removed_person_learns_how_long(void **state)
{
    const struct proto_hello again = hello_again(bob);
    struct room_end refused;

    (void)state;
    assert_true(try_expel(ada, bob->id));
    assert_int_equal(read_frame(bob->last)->error.after, 600);
    clock_now += 100 * SECOND;
    assert_null(try_join(&again, &refused));
    assert_int_equal(read_frame(refused.frame)->error.code, PROTO_E_REMOVED);
    assert_in_range(read_frame(refused.frame)->error.after, 500, 501);
    frame_release(refused.frame);
}

static void test_a_saved_room_keeps_its_door_closed(void **state)
{
    const struct room_definition definition = definition_with_key();
    const struct proto_hello hello = hello_of("Cem");

    (void)state;
    assert_true(set_door(ada, false));
    forget_clients();
    room = restart_room(room, &definition, &sink, clock_now);
    assert_non_null(room);
    assert_shut(&hello);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_closed_door_admits_no_newcomers),
        TEST(test_people_of_the_room_come_back_through_a_closed_door),
        TEST(test_the_presenter_key_opens_a_closed_door),
        TEST(test_a_removed_person_learns_how_long),
        TEST(test_a_saved_room_keeps_its_door_closed),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, door", tests, NULL, NULL);
}
