/* The turns of a relay whose people come from several addresses. */
#include "room/state.h" /* before what calls a variable `room` */

#include "control_room.h"
#include "load_room.h"
#include "scene/inside.h"
#include "scene/scene_state.h"

enum { SCHOOL = 1, ELSEWHERE = 7, CROWD = 666, HOMES = 1000 };

/* How often clients of the test have led, by their number. */
static uint32_t led[CLIENTS_MAX];

/* Lets people of that address join and move. Returns the number of the first. */
static uint32_t come(uint64_t address, uint32_t count)
{
    const uint32_t first = client_count;

    origin_now = address;
    for (uint32_t i = 0; i < count; i++) {
        move(join(""), 100, 100.0F + (float)i);
    }
    return first;
}

/* Lets a person of each of `count` addresses join and move. Returns the number of the first. */
static uint32_t come_from_homes(uint32_t count)
{
    const uint32_t first = client_count;

    for (uint32_t i = 0; i < count; i++) {
        (void)come(HOMES + i, 1);
    }
    return first;
}

/* Begins the next turn. Returns the number of the person who leads. */
static uint32_t skip_turn(void)
{
    const uint32_t next = relay_next(room->present);
    struct proto_turn turn;
    uint32_t i = 0;

    assert_true(try_type(ada, PROTO_SKIP));
    assert_true(scene_turn(room->present, &turn));
    assert_true(turn.id == next || next == 0);
    while (i < client_count && (clients[i].member == 0 || clients[i].id != turn.id)) {
        i++;
    }
    assert_in_range(i, 0, client_count - 1);
    return i;
}

static void skip_turns(uint32_t turns)
{
    memset(led, 0, sizeof led);
    for (uint32_t i = 0; i < turns; i++) {
        led[skip_turn()]++;
    }
}

static uint32_t sum_led(uint32_t first, uint32_t count)
{
    uint32_t sum = 0;

    for (uint32_t i = first; i < first + count; i++) {
        sum += led[i];
    }
    return sum;
}

/* Asserts that each of these people has led so often. */
static void assert_each_led(uint32_t first, uint32_t count, uint32_t least, uint32_t most)
{
    for (uint32_t i = first; i < first + count; i++) {
        assert_in_range(led[i], least, most);
    }
}

static int make_relay(void **state)
{
    origin_now = SCHOOL;
    if (make_two(state) != 0) {
        return -1;
    }
    set("policy", "relay");
    return 0;
}

/* A crowd at one address and a class at the address of its presenter lead in turn. */
static void a_class_has_each_second_turn_beside_a_crowd(void **state)
{
    (void)state;
    const uint32_t crowd = come(CROWD, 200);
    const uint32_t class = come(SCHOOL, 30);
    for (uint32_t i = 0; i < 30; i++) {
        skip_turns(2);
        assert_int_equal(sum_led(class, 30), 1);
        assert_int_equal(sum_led(crowd, 200), 1);
    }
    skip_turns(60);
    assert_each_led(class, 30, 1, 1);
    assert_each_led(crowd, 200, 0, 1);
}

/* Without a presenter at its address a class has as many turns as a crowd of 32. */
static void a_class_elsewhere_has_a_fair_share_beside_a_crowd(void **state)
{
    (void)state;
    (void)come(CROWD, 200);
    const uint32_t class = come(ELSEWHERE, 30);
    skip_turns(310);
    assert_in_range(sum_led(class, 30), 149, 151);
    assert_each_led(class, 30, 4, 6);
}

static void strangers_of_many_addresses_leave_a_class_half(void **state)
{
    (void)state;
    const uint32_t class = come(SCHOOL, 30);
    (void)come_from_homes(100);
    for (uint32_t i = 0; i < 30; i++) {
        skip_turns(2);
        assert_int_equal(sum_led(class, 30), 1);
    }
    (void)come(CROWD, 100); /* now there are others of weight 132 beside 4 x 30 */
    skip_turns(252);
    assert_in_range(sum_led(class, 30), 119, 121);
}

/* Pupils in the classroom and at home lead equally often, one after another. */
static void a_class_and_people_at_home_lead_equally_often(void **state)
{
    (void)state;
    const uint32_t class = come(SCHOOL, 30);
    const uint32_t homes = come_from_homes(10);
    skip_turns(400);
    assert_each_led(class, 30, 9, 11);
    assert_each_led(homes, 10, 9, 11);
    for (uint32_t i = 0; i < 10; i++) {
        skip_turns(8);
        assert_in_range(sum_led(homes, 10), 1, 3);
    }
}

/* A class whose presenter is at home leads as often as people at home. */
static void a_class_without_its_presenter_leads_as_often_as_homes(void **state)
{
    (void)state;
    const uint32_t class = come(ELSEWHERE, 30);
    const uint32_t homes = come_from_homes(10);
    skip_turns(400);
    assert_each_led(class, 30, 9, 11);
    assert_each_led(homes, 10, 9, 11);
}

/* A viewer at the presenter's home leads four times as often as each of a class, and no more. */
static void few_viewers_at_the_presenters_address_do_not_have_half(void **state)
{
    (void)state;
    const uint32_t child = come(SCHOOL, 1);
    const uint32_t class = come(ELSEWHERE, 30);
    skip_turns(340);
    assert_in_range(led[child], 39, 41);
    assert_each_led(class, 30, 9, 11);
}

static void only_a_presenter_gives_an_address_more_turns(void **state)
{
    (void)state;
    const uint32_t class = come(ELSEWHERE, 2);
    (void)come_from_homes(8);
    assert_true(try_appoint(ada, clients[class].id, PROTO_PRESENTER));
    assert_true(try_appoint(ada, clients[class].id, PROTO_VIEWER));
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_SPOTLIGHT,
                                                        .spotlight = {clients[class].id}}));
    skip_turns(100);
    assert_in_range(sum_led(class, 2), 19, 21);
    assert_true(try_appoint(ada, clients[class].id, PROTO_PRESENTER));
    skip_turns(120); /* the presenter does not lead, so there is one viewer for four */
    assert_in_range(led[class + 1], 39, 41);
}

/* Where everyone is a presenter, no address has more turns than its people. */
static void presenters_share_turns_by_address(void **state)
{
    (void)state;
    room->definition.open_controls = true;
    const uint32_t class = come(ELSEWHERE, 8);
    const uint32_t crowd = come(CROWD, 100);
    skip_turns(200);
    assert_in_range(sum_led(class, 8), 39, 41);
    assert_in_range(sum_led(crowd, 100), 159, 161);
}

/* A person who joins, comes back, or comes back from another address, does not lead again and again
 * to catch up, and does not wait longer than others. */
static void a_late_person_starts_with_the_address(void **state)
{
    (void)state;
    (void)come(CROWD, 20);
    const uint32_t class = come(SCHOOL, 5);
    const uint32_t home = come(HOMES, 1);
    const struct proto_hello again = hello_again(&clients[class]);
    const struct proto_hello moved = hello_again(&clients[home]);
    skip_turns(100);
    leave(&clients[class]);
    leave(&clients[home]);
    skip_turns(100);
    origin_now = SCHOOL;
    move(join_as(&again), 300, 100);
    move(join_as(&moved), 300, 200);
    (void)come(SCHOOL, 1);
    skip_turns(200);
    assert_each_led(class + 1, 4, 13, 16); /* 100 turns for seven */
    assert_each_led(client_count - 3, 3, 13, 16);
    assert_int_equal(sum_led(class + 1, 4) + sum_led(client_count - 3, 3), 100);
}

/* Saves the scene, loads it, and skips turns in both: they stay the same bit for bit. */
static void a_saved_relay_continues_with_its_shares(void **state)
{
    char problem[160];
    uint64_t clock;
    size_t size;

    (void)state;
    (void)come(CROWD, 40);
    (void)come(SCHOOL, 7);
    (void)come_from_homes(6);
    skip_turns(77);
    for (uint32_t turn = 0; turn < 60; turn++) {
        const struct proto_client_message message = {.type = PROTO_SKIP};
        const struct input input = {.type = INPUT_MESSAGE, .message = &message};
        uint8_t *bytes = scene_save(room->present, room->time, &size);
        assert_non_null(bytes);
        saved_seal(bytes, size);
        struct scene *loaded = scene_load(scene_definition_of(room->present), bytes, size, &clock,
                                          problem, sizeof problem);
        free(bytes);
        if (loaded == NULL) {
            fail_msg("%s", problem);
        }
        for (uint32_t i = 0; i < 30; i++) {
            struct change change;
            assert_true(scene_apply(loaded, &input, &change, &error));
        }
        const uint32_t then = loaded->people.leader;
        const uint64_t hash = scene_hash(loaded);
        scene_destroy(loaded);
        if (turn % 30 == 0) {
            skip_turns(30);
            assert_int_equal(room_people(room)->leader, then);
            assert_true(scene_hash(room->present) == hash);
        } else {
            skip_turns(1);
        }
    }
}

/* Recordings of earlier editions have one order for all people. */
static void turns_of_an_earlier_edition_have_no_shares(void **state)
{
    (void)state;
    room->present->edition = 5;
    const uint32_t crowd = come(CROWD, 50);
    const uint32_t class = come(SCHOOL, 10);
    for (uint32_t again = 0; again < 3; again++) {
        for (uint32_t i = 0; i < 50; i++) {
            assert_int_equal(skip_turn(), crowd + i);
        }
        for (uint32_t i = 0; i < 10; i++) {
            assert_int_equal(skip_turn(), class + i);
        }
    }
    assert_int_equal(room_people(room)->turns, 2);
}

/* A room of an earlier edition continues without making anyone catch up. */
static void a_relay_of_an_earlier_edition_continues(void **state)
{
    (void)state;
    room->present->edition = 5;
    const uint32_t class = come(SCHOOL, 10);
    const struct proto_hello again = hello_again(&clients[class]);
    skip_turns(55);
    assert_int_equal(room_people(room)->turns, 5);
    leave(&clients[class]);
    scene_modernize(room->present);
    origin_now = SCHOOL;
    move(join_as(&again), 300, 100);
    (void)come(SCHOOL, 1);
    for (uint32_t i = 5; i < 10; i++) {
        assert_int_equal(skip_turn(), class + i); /* have led five times */
    }
    assert_int_equal(skip_turn(), client_count - 1);
    assert_int_equal(skip_turn(), client_count - 2);
    for (uint32_t i = 1; i < 10; i++) {
        assert_int_equal(skip_turn(), class + i);
    }
}

static struct scene *load_with(const uint32_t *words, size_t count, char problem[160])
{
    struct scene *scene;
    uint64_t clock;
    size_t size;

    skip_turns(3);
    uint8_t *bytes = scene_save(room->present, room->time, &size);
    assert_non_null(bytes);
    uint8_t *found = memmem(bytes, size, "shares", strlen("shares"));
    assert_non_null(found);
    assert_int_equal(found[6], 0xc4);
    assert_true(found[7] >= count * 4);
    memcpy(found + 8, words, count * 4);
    saved_seal(bytes, size);
    scene = scene_load(scene_definition_of(room->present), bytes, size, &clock, problem, 160);
    free(bytes);
    return scene;
}

static void damaged_shares_are_refused(void **state)
{
    static const uint32_t right[] = {1, RELAY_UNIT, UINT32_MAX, PEOPLE_GROUP_MAX, 0, 1};
    static const uint32_t wrong[][6] = {
        {1, 1, 1, PEOPLE_GROUP_MAX + 1, 1, 1}, /* an unknown group */
        {1, RELAY_UNIT + 1, 0, 2, 1, 1},       /* a debt beyond all turns */
        {1, 1, 1, 2, 0, 0},                    /* a group with no share */
        {2, 1, 1, 2, 1, 1},                    /* a group twice */
    };
    char problem[160];

    (void)state;
    (void)come(SCHOOL, 2);
    (void)come(CROWD, 2);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_null(load_with(wrong[i], 6, problem));
        assert_non_null(strstr(problem, "shares"));
    }
    struct scene *scene = load_with(right, 6, problem);
    assert_non_null(scene);
    scene_destroy(scene);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_relay, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_class_has_each_second_turn_beside_a_crowd),
        TEST(a_class_elsewhere_has_a_fair_share_beside_a_crowd),
        TEST(strangers_of_many_addresses_leave_a_class_half),
        TEST(a_class_and_people_at_home_lead_equally_often),
        TEST(a_class_without_its_presenter_leads_as_often_as_homes),
        TEST(few_viewers_at_the_presenters_address_do_not_have_half),
        TEST(only_a_presenter_gives_an_address_more_turns),
        TEST(presenters_share_turns_by_address),
        TEST(a_late_person_starts_with_the_address),
        TEST(a_saved_relay_continues_with_its_shares),
        TEST(turns_of_an_earlier_edition_have_no_shares),
        TEST(a_relay_of_an_earlier_edition_continues),
        TEST(damaged_shares_are_refused),
    };

    return cmocka_run_group_tests_name("relay", tests, NULL, NULL);
}
