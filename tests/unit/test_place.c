/* Which client gets a slot, and which client loses its slot for it. */
#include "net/gate/place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CLIENTS 30u
#define CROWD   2600u /* slots of a big server */
#define SHARDS  3u

enum { SCHOOL = 1, STRANGERS, OTHERS, HOME };

struct client {
    struct place place;
    uint32_t from;
    bool displaced; /* its shard has closed it */
};

static struct places *places;
static struct client clients[2 * CROWD];
static uint32_t count;

static void make_for(uint32_t clients_max, uint32_t displaced_max)
{
    places = places_create(clients_max, displaced_max);
    assert_non_null(places);
    memset(clients, 0, sizeof clients);
    count = 0;
}

static void make(uint32_t displaced_max)
{
    make_for(CLIENTS, displaced_max);
}

static int begin(void **state)
{
    (void)state;
    make(PLACE_DISPLACED_MAX);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < count; i++) {
        place_give(places, &clients[i].place);
    }
    places_destroy(places);
    return 0;
}

static struct ip network(uint32_t number)
{
    return (struct ip){{0x20, 0x01, 0x0d, 0xb8, (uint8_t)(number >> 8), (uint8_t)number}};
}

/* Returns a client that got a slot, or NULL. Clients alternate between the shards. */
static struct client *come_with(uint32_t from, bool has_key, bool trusted)
{
    struct client *client = &clients[count];
    const struct place_claim claim = {
        .network = network(from), .shard = count % SHARDS, .has_key = has_key, .trusted = trusted};
    uint32_t displaced;

    assert_true(count < sizeof clients / sizeof clients[0]);
    client->from = from;
    if (place_take(places, &client->place, &claim, &displaced) == PLACE_NONE) {
        assert_int_equal(displaced, PLACE_NO_SHARD);
        return NULL;
    }
    count++;
    return client;
}

/* Lets clients come from that network. Returns how many get a slot. */
static uint32_t come(uint32_t from, uint32_t number)
{
    uint32_t inside = 0;

    while (number-- > 0) {
        inside += come_with(from, false, true) != NULL;
    }
    return inside;
}

static struct client *teacher_comes(uint32_t from)
{
    struct client *teacher = come_with(from, true, true);

    assert_non_null(teacher);
    place_present(places, &teacher->place, true);
    return teacher;
}

static void leave(struct client *client)
{
    place_give(places, &client->place);
}

/* Lets every shard close its displaced clients. Returns how many of them are from that network. */
static uint32_t close_displaced(uint32_t from)
{
    uint32_t number = 0;
    struct place *place;

    for (uint32_t shard = 0; shard < SHARDS; shard++) {
        while ((place = place_displaced(places, shard)) != NULL) {
            assert_int_equal(((struct client *)(void *)place - clients) % SHARDS, shard);
            ((struct client *)(void *)place)->displaced = true;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        number += clients[i].displaced && clients[i].from == from;
    }
    return number;
}

static void test_a_class_with_its_teacher_gets_in(void **state)
{
    (void)state;
    assert_int_equal(come(STRANGERS, CLIENTS), CLIENTS);
    assert_true(places_full(places));
    assert_int_equal(come(SCHOOL, 1), 0); /* without a presenter yet */
    teacher_comes(SCHOOL);
    assert_int_equal(close_displaced(STRANGERS), 0);
    assert_int_equal(come(SCHOOL, CLIENTS + 1), CLIENTS);
    assert_int_equal(close_displaced(STRANGERS), CLIENTS);
    assert_int_equal(close_displaced(SCHOOL), 0);
    assert_int_equal(come(STRANGERS, 100), 0);
    assert_int_equal(places_count(places), CLIENTS + 1);
}

static void test_a_class_gets_in_beside_strangers_of_many_addresses(void **state)
{
    (void)state;
    for (uint32_t from = 100; from < 117; from++) {
        assert_int_equal(come(from, 2), from < 115 ? 2 : 0);
    }
    teacher_comes(SCHOOL);
    assert_int_equal(come(SCHOOL, CLIENTS), CLIENTS);
}

/* The protection ends with the last presenter of a network, not before. */
static void test_the_last_presenter(void **state)
{
    struct client *one;
    struct client *two;

    (void)state;
    come(STRANGERS, CLIENTS);
    one = teacher_comes(SCHOOL);
    two = teacher_comes(SCHOOL);
    assert_int_equal(come(SCHOOL, 1), 1);
    leave(one);
    assert_int_equal(come(SCHOOL, 1), 1);
    place_present(places, &two->place, false);
    assert_int_equal(come(SCHOOL, 1), 0);
    place_present(places, &two->place, true);
    assert_int_equal(come(SCHOOL, 1), 1);
}

static void test_strangers_displace_no_client(void **state)
{
    struct client *untrusted;

    (void)state;
    come(SCHOOL, CLIENTS);
    for (uint32_t from = 100; from < 1000; from++) {
        assert_int_equal(come(from, 1), 0);
    }
    untrusted = come_with(OTHERS, true, false);
    assert_non_null(untrusted);
    assert_int_equal(come(OTHERS, 1), 0);
    assert_int_equal(close_displaced(SCHOOL), 0);
}

/* Of a big server that one network fills, anyone may take slots until the network has a class. */
static void test_one_network_does_not_fill_a_big_server(void **state)
{
    uint32_t in = 0, displaced = 0;

    (void)state;
    places_destroy(places);
    make_for(CROWD, PLACE_DISPLACED_MAX);
    assert_int_equal(come(STRANGERS, CROWD), CROWD);
    assert_int_equal(come(STRANGERS, 1), 0);
    for (uint32_t i = 0; i < CROWD; i++) {
        in += come(SCHOOL + 1000 + i % 100, 1);
        displaced = close_displaced(STRANGERS);
    }
    assert_int_equal(in, CROWD - PLACE_CLASS);
    assert_int_equal(displaced, CROWD - PLACE_CLASS);
    assert_int_equal(come(STRANGERS, 1), 0);
}

/* Nor do twelve, each with as many clients as twelve classes have. */
static void test_twelve_networks_do_not_fill_a_big_server(void **state)
{
    enum { EACH = 300 };

    (void)state;
    places_destroy(places);
    make_for(12u * EACH, PLACE_DISPLACED_MAX);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(come(2000 + i, EACH), EACH);
    }
    assert_int_equal(come(SCHOOL, 30), 30);
    assert_int_equal(close_displaced(SCHOOL), 0);
}

/* Nor do two, each with half of the slots. A newcomer's network gets no more than they have. */
static void test_two_networks_do_not_fill_a_big_server(void **state)
{
    enum { OF_THREE = 1100 };
    uint32_t in = 0, displaced = 0;

    (void)state;
    places_destroy(places);
    make_for(3 * OF_THREE, PLACE_DISPLACED_MAX);
    come(STRANGERS, 3 * OF_THREE / 2);
    come(OTHERS, 3 * OF_THREE / 2);
    for (uint32_t i = 0; i < 3 * OF_THREE / 2; i++) {
        in += come(SCHOOL, 1);
        displaced = close_displaced(STRANGERS) + close_displaced(OTHERS);
    }
    assert_int_equal(in, OF_THREE);
    assert_int_equal(displaced, OF_THREE);
    assert_int_equal(come(STRANGERS, 1) + come(OTHERS, 1), 0);
}

/* A thousand people may sit behind one address, on a smaller server. */
static void test_strangers_displace_no_class_of_a_small_server(void **state)
{
    (void)state;
    places_destroy(places);
    make_for(PLACE_CLASS, PLACE_DISPLACED_MAX);
    assert_int_equal(come(SCHOOL, PLACE_CLASS), PLACE_CLASS);
    assert_int_equal(come(STRANGERS, 1), 0);
}

static void test_presenters_do_not_displace_one_another(void **state)
{
    struct client *other;

    (void)state;
    come(SCHOOL, CLIENTS / 2);
    come(OTHERS, CLIENTS / 2);
    teacher_comes(SCHOOL);
    other = teacher_comes(OTHERS);
    assert_int_equal(come(SCHOOL, 1), 0);
    place_present(places, &other->place, false);
    assert_int_equal(come(SCHOOL, 1), 1);
}

/* A network is trusted while a trusted presenter of the network has a slot of any type. */
static void test_a_network_is_trusted(void **state)
{
    const struct ip school = network(SCHOOL), other = network(OTHERS);
    struct client *two;
    struct client *one;

    (void)state;
    come(OTHERS, 1);
    come(SCHOOL, 1);
    assert_false(places_trust(places, &school));
    one = teacher_comes(SCHOOL);
    two = teacher_comes(SCHOOL);
    assert_true(places_trust(places, &school));
    assert_false(places_trust(places, &other));
    leave(one);
    assert_true(places_trust(places, &school));
    place_present(places, &two->place, false);
    assert_false(places_trust(places, &school));
    place_present(places, &two->place, true);
    leave(two);
    assert_false(places_trust(places, &school));
}

/* The clients of a trusted presenter's network are pupils, unless they are more than a class. */
static void test_pupils(void **state)
{
    const struct ip school = network(SCHOOL), other = network(OTHERS);
    struct client *teacher;

    (void)state;
    places_destroy(places);
    make_for(CROWD, PLACE_DISPLACED_MAX);
    come(OTHERS, 1);
    come(SCHOOL, PLACE_CLASS - 1);
    assert_false(places_teach(places, &school));
    teacher = teacher_comes(SCHOOL);
    assert_true(places_teach(places, &school));
    assert_false(places_teach(places, &other));
    come(SCHOOL, 1);
    assert_false(places_teach(places, &school));
    assert_true(places_trust(places, &school));
    leave(teacher);
    assert_false(places_teach(places, &school));
}

/* The network with the most clients loses its newest client first. Of equal networks, the newest
 * client of all is lost. */
static void test_the_network_with_most_clients_loses_first(void **state)
{
    (void)state;
    come(HOME, 2);
    come(STRANGERS, 20);
    come(OTHERS, 8);
    teacher_comes(SCHOOL);
    assert_int_equal(come(SCHOOL, 12), 12);
    assert_int_equal(close_displaced(STRANGERS), 12);
    assert_int_equal(come(SCHOOL, 2), 2);
    assert_int_equal(close_displaced(OTHERS), 1);
    assert_int_equal(close_displaced(STRANGERS), 13);
    assert_int_equal(come(SCHOOL, 10), 10);
    assert_int_equal(close_displaced(HOME), 0); /* this network has the fewest clients */
    assert_int_equal(close_displaced(OTHERS), 6);
    assert_int_equal(close_displaced(STRANGERS), 18);
    for (uint32_t i = 2; i < 22; i++) { /* the strangers, the oldest first */
        assert_int_equal(clients[i].displaced, i >= 4);
    }
}

static void test_presenters_have_reserved_slots(void **state)
{
    struct client *first;

    (void)state;
    come(SCHOOL, CLIENTS);
    first = come_with(SCHOOL, true, true);
    for (uint32_t i = 1; i < PLACE_PRESENTERS; i++) {
        assert_non_null(come_with(SCHOOL, true, true));
    }
    assert_null(come_with(SCHOOL, true, true));
    leave(first);
    assert_int_equal(come(SCHOOL, 1), 0); /* without a key */
    assert_non_null(come_with(HOME, true, true));
    assert_null(come_with(SCHOOL, true, true));
}

/* Strangers can have keys of rooms that anyone may create. */
static void test_strangers_with_keys_leave_slots_for_teachers(void **state)
{
    (void)state;
    come(STRANGERS, CLIENTS);
    for (uint32_t i = 0; i < PLACE_PRESENTERS / 2; i++) {
        assert_non_null(come_with(STRANGERS, true, false));
    }
    assert_null(come_with(OTHERS, true, false));
    for (uint32_t i = 0; i < PLACE_PRESENTERS / 2; i++) {
        assert_non_null(come_with(HOME, true, true));
    }
    assert_null(come_with(HOME, true, true));
}

/* A teacher who joined first leaves one more slot to the class. */
static void test_a_presenter_takes_no_slot_of_its_class(void **state)
{
    (void)state;
    teacher_comes(SCHOOL);
    assert_int_equal(come(SCHOOL, CLIENTS + 1), CLIENTS);
    for (uint32_t i = 1; i <= CLIENTS; i++) { /* all of them become presenters */
        place_present(places, &clients[i].place, true);
    }
    assert_int_equal(come(HOME, CLIENTS), PLACE_PRESENTERS - 1);
}

/* A displaced client that leaves before its shard closes it frees no other slot. */
static void test_a_displaced_client_leaves_by_itself(void **state)
{
    (void)state;
    come(STRANGERS, CLIENTS);
    teacher_comes(SCHOOL);
    assert_int_equal(come(SCHOOL, 2), 2);
    leave(&clients[CLIENTS - 1]);
    assert_int_equal(close_displaced(STRANGERS), 1);
    assert_true(places_full(places));
    leave(&clients[CLIENTS - 1]);
    leave(&clients[CLIENTS - 2]);
    assert_true(places_full(places));
}

static void test_few_clients_are_displaced_at_a_time(void **state)
{
    (void)state;
    places_destroy(places);
    make(20);
    come(STRANGERS, CLIENTS);
    teacher_comes(SCHOOL);
    assert_int_equal(come(SCHOOL, CLIENTS), 20);
    assert_int_equal(close_displaced(STRANGERS), 20);
    assert_int_equal(come(SCHOOL, CLIENTS), CLIENTS - 20);
}

static void test_networks_that_come_and_go_leave_nothing(void **state)
{
    (void)state;
    for (uint32_t round = 1; round < 100; round++) {
        for (uint32_t i = 0; i < CLIENTS; i++) {
            assert_int_equal(come(100 * round + i, 1), 1);
        }
        teacher_comes(SCHOOL);
        assert_int_equal(come(SCHOOL, 1), 1);
        assert_int_equal(close_displaced(100 * round + CLIENTS - 1), 1);
        while (count > 0) {
            leave(&clients[--count]);
            clients[count].displaced = false;
        }
        assert_int_equal(places_count(places), 0);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_class_with_its_teacher_gets_in),
        TEST(test_a_class_gets_in_beside_strangers_of_many_addresses),
        TEST(test_the_last_presenter),
        TEST(test_a_network_is_trusted),
        TEST(test_strangers_displace_no_client),
        TEST(test_one_network_does_not_fill_a_big_server),
        TEST(test_twelve_networks_do_not_fill_a_big_server),
        TEST(test_two_networks_do_not_fill_a_big_server),
        TEST(test_strangers_displace_no_class_of_a_small_server),
        TEST(test_presenters_do_not_displace_one_another),
        TEST(test_pupils),
        TEST(test_the_network_with_most_clients_loses_first),
        TEST(test_presenters_have_reserved_slots),
        TEST(test_strangers_with_keys_leave_slots_for_teachers),
        TEST(test_a_presenter_takes_no_slot_of_its_class),
        TEST(test_a_displaced_client_leaves_by_itself),
        TEST(test_few_clients_are_displaced_at_a_time),
        TEST(test_networks_that_come_and_go_leave_nothing),
    };
#undef TEST
    return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
