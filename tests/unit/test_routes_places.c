/* The places of nodes: which rooms get one when a node dies or ends, and who makes new rooms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routes_nodes.h"

/* A room of that node with these facts. */
static void fill(const char *code, const char *node, uint64_t incarnation, bool trusted,
                 uint32_t people, uint64_t creator)
{
    static uint64_t epoch = 10;
    struct directory_entry entry = {.trusted = trusted,
                                    .by_server = trusted,
                                    .people = people,
                                    .creator = creator,
                                    .preset = FLOCK_PRESET_NONE};

    assert_true(own(code, node, incarnation, epoch++));
    snprintf(entry.code, sizeof entry.code, "%s", code);
    routes_take_facts(routes, node, incarnation, &entry);
    if (strcmp(node, "me") == 0) {
        assert_true(routes_set_here(routes, code, ROUTES_RUNS));
    }
}

/* That many rooms, each of a creator of its own, with one person: they give way to none. */
static void fill_many(const char *prefix, uint32_t count, const char *node, uint64_t incarnation,
                      bool trusted)
{
    char code[PROTO_ROOM_MAX + 1];

    for (uint32_t i = 0; i < count; i++) {
        snprintf(code, sizeof code, "%s%u", prefix, i);
        fill(code, node, incarnation, trusted, 1, 1000 + i);
    }
}

/* Returns how many steps ask for that with a room whose code begins so. */
static uint32_t count_steps(uint32_t count, enum routes_ask ask, const char *prefix)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++) {
        found += steps[i].ask == ask && strncmp(steps[i].route.code, prefix, strlen(prefix)) == 0;
    }
    return found;
}

/* A node takes no more rooms than it may have, and does not load one again at once. Untrusted rooms
 * get none of the reserve: an eighth of 100, and the lobby's place. */
static void test_limits(void **state)
{
    (void)state;
    hear("a", 7, 0);
    declare_dead("a", 7);
    fill_many("HERE", 77, "me", 1, false);
    fill_many("FAR", 20, "a", 7, false);
    assert_int_equal(plan(0), 10);
    assert_true(own("MINE22", "me", 1, 1000));
    assert_int_equal(plan(0), 1 + 9);
    assert_int_equal(steps[0].ask, ROUTES_LOAD);
    assert_int_equal(plan(0), 9);
    lease.renewals += 2;
    assert_int_equal(plan(0), 1 + 9);
    routes_put_off(routes, "MINE22"); /* the hub was full */
    lease.renewals += 2;
    assert_int_equal(plan(0), 9);
    lease.renewals += 8;
    assert_int_equal(plan(0), 1 + 9);
}

/* The lobby comes first, and gets a place in a full node. Trusted rooms come next, even without
 * people; they get the reserve. */
static void test_the_lobby_and_trusted_rooms_first(void **state)
{
    uint32_t count;

    (void)state;
    hear("a", 7, 0);
    fill_many("HERE", 84, "me", 1, false);
    fill_many("FAR", 20, "a", 7, false);
    for (uint32_t i = 0; i < 14; i++) {
        char code[PROTO_ROOM_MAX + 1];
        snprintf(code, sizeof code, "KEY%u", i);
        fill(code, "a", 7, true, i % 2, 1);
    }
    fill(ROOM_LOBBY, "a", 7, true, 0, 0);
    declare_dead("a", 7);
    count = plan(0);
    assert_string_equal(steps[0].route.code, ROOM_LOBBY);
    for (uint32_t i = 1; i <= 14; i++) {
        assert_int_equal(strncmp(steps[i].route.code, "KEY", 3), 0);
    }
    assert_int_equal(count, 1 + 14 + 1);
    fill_many("MORE", 16, "me", 1, false);
    count = plan(0);
    assert_int_equal(count, 1);
    assert_string_equal(steps[0].route.code, ROOM_LOBBY);
}

/* In a full node idle untrusted rooms give way to trusted ones, one to each. */
static void test_idle_rooms_give_way_to_trusted_ones(void **state)
{
    uint32_t count;

    (void)state;
    hear("a", 7, 0);
    fill_many("HERE", 97, "me", 1, false);
    fill("IDLE1", "me", 1, false, 0, 1);
    fill("IDLE2", "me", 1, false, 0, 2);
    fill("EMPTY1", "me", 1, true, 0, 1);
    fill_many("KEY", 5, "a", 7, true);
    fill_many("FAR", 5, "a", 7, false);
    declare_dead("a", 7);
    count = plan(0);
    assert_int_equal(count, 2);
    assert_int_equal(count_steps(count, ROUTES_CLAIM, "KEY"), 2);
}

/* A node with a free place takes a room before a node where another room would give way. */
static void test_a_free_place_is_better(void **state)
{
    (void)state;
    hear("a", 7, 0);
    hear("c", 9, 900);
    fill_many("HERE", 99, "me", 1, false);
    fill("IDLE1", "me", 1, false, 0, 1);
    fill_many("KEY", 20, "a", 7, true);
    declare_dead("a", 7);
    assert_int_equal(plan(0), 0); /* "c" takes them all */
    lease.renewals += 4;
    assert_int_equal(plan(0), 1); /* unless it does not */
}

/* Creators get places in turn: who has rooms here comes later. */
static void test_creators_in_turn(void **state)
{
    uint32_t count;

    (void)state;
    hear("a", 7, 0);
    fill_many("HERE", 79, "me", 1, false);
    fill("OWN1", "me", 1, false, 1, 2);
    fill("OWN2", "me", 1, false, 1, 2);
    for (uint32_t i = 0; i < 20; i++) {
        char code[PROTO_ROOM_MAX + 1];
        snprintf(code, sizeof code, "MANY%u", i);
        fill(code, "a", 7, false, 1, 1);
    }
    fill("TWO1", "a", 7, false, 1, 2); /* its third room */
    fill("ONE1", "a", 7, false, 1, 3);
    fill("NIL1", "a", 7, false, 0, 4); /* without people */
    declare_dead("a", 7);
    count = plan(0);
    assert_int_equal(count, 6);
    assert_int_equal(count_steps(count, ROUTES_CLAIM, "MANY"), 4);
    assert_int_equal(count_steps(count, ROUTES_CLAIM, "TWO1"), 1);
    assert_int_equal(count_steps(count, ROUTES_CLAIM, "ONE1"), 1);
}

/* A node that has never heard of a room reads whether it is trusted, before it leaves the room
 * without a place. */
static void test_rooms_of_which_nothing_is_known(void **state)
{
    (void)state;
    hear("a", 7, 0);
    fill_many("HERE", 86, "me", 1, false);
    assert_true(own("AB2CD3", "a", 7, 1001) && own("CD2EF3", "a", 7, 1002));
    declare_dead("a", 7);
    assert_int_equal(plan(0), 1);
    assert_int_equal(steps[0].ask, ROUTES_CLAIM);
    fill("HERE86", "me", 1, false, 1, 5);
    assert_int_equal(plan(0), 2);
    assert_int_equal(steps[0].ask, ROUTES_LEARN);
    routes_learn(routes, "AB2CD3", true, 1);
    routes_learn(routes, "CD2EF3", false, 2);
    assert_int_equal(plan(0), 1);
    assert_int_equal(steps[0].ask, ROUTES_CLAIM);
    assert_string_equal(steps[0].route.code, "AB2CD3");
}

/* A node that ends gives the lobby away first, then trusted rooms, then the others: creators in
 * turn. Untrusted rooms go to no node that has only its reserve. */
static void test_the_order_at_the_end(void **state)
{
    static const char *const order[] = {ROOM_LOBBY, "KEY1", "ONE1", "ONE2", "TWO1", "TWO2"};
    struct routes_node heir;
    struct route route;

    (void)state;
    routes_begin_drain(routes); /* of a node without rooms */
    assert_false(routes_next_mine(routes, &route));
    hear("a", 7, 0);
    fill_many("THERE", 86, "a", 7, false);
    fill("THERE86", "a", 7, false, 1, 2);
    fill("TWO2", "me", 1, false, 3, 1);
    fill("ONE1", "me", 1, false, 9, 1);
    fill("TWO1", "me", 1, false, 9, 2);
    fill("ONE2", "me", 1, false, 1, 3);
    fill("KEY1", "me", 1, true, 0, 1);
    fill(ROOM_LOBBY, "me", 1, true, 0, 0);
    routes_begin_drain(routes);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        assert_true(routes_next_mine(routes, &route));
        assert_string_equal(route.code, order[i]);
        assert_int_equal(routes_heir(routes, route.code, now, &heir), i < 2);
        assert_true(own(order[i], "a", 7, 5000 + i));
        assert_true(routes_set_here(routes, order[i], ROUTES_AWAY));
    }
    assert_false(routes_next_mine(routes, &route));
}

/* A room moves to its people only if there is a free place for it. */
static void test_moves_leave_the_reserve(void **state)
{
    struct routes_node node;
    struct route route;

    (void)state;
    hear("a", 7, 0);
    fill_many("HERE", 88, "me", 1, false);
    fill("FAR1", "a", 7, false, 1, 1);
    fill("KEY1", "a", 7, true, 1, 1);
    assert_false(routes_wants(routes, "FAR1", 1, now, &node));
    assert_true(routes_wants(routes, "KEY1", 1, now, &node));
    fill_many("THERE", 87, "a", 7, false);
    (void)plan(0);
    assert_false(routes_gives(routes, "HERE1", "a", 0, now, &lease, &route, &node));
    fill("KEY2", "me", 1, true, 1, 1);
    (void)plan(0);
    assert_true(routes_gives(routes, "KEY2", "a", 0, now, &lease, &route, &node));
}

static void test_who_makes_rooms(void **state)
{
    struct routes_node peer;

    (void)state;
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_HERE);
    hear("me", 1, 800);
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_HERE); /* there is no other */
    hear("a", 7, 600);
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_HERE); /* which is busy, too */
    hear("b", 8, 100);
    assert_int_equal(routes_maker(routes, 1, now, &peer), ROUTES_THERE);
    assert_string_equal(peer.beat.name, "b");
    struct node_beat draining = beat_of("me", 1, 0);
    draining.draining = true;
    (void)routes_take_beat(routes, &draining, now);
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_THERE);
    assert_true(routes_heir(routes, "AB2CD3", now, &peer));
    assert_string_not_equal(peer.beat.name, "me");
    now += ROUTES_SILENT;
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_NOBODY);
    assert_false(routes_heir(routes, "AB2CD3", now, &peer));
}

/* A full node passes a new room to one with places. Where all are full, the node itself refuses it,
 * or makes it with the server's key. */
static void test_who_makes_rooms_when_nodes_are_full(void **state)
{
    struct routes_node peer;

    (void)state;
    hear("a", 7, 0);
    fill_many("HERE", 88, "me", 1, false);
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_THERE);
    fill_many("THERE", 88, "a", 7, false);
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_HERE);
    fill_many("KEY", 12, "me", 1, true);
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_THERE);
    fill_many("FARKEY", 12, "a", 7, true);
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_HERE);
    struct node_beat edge = beat_of("me", 1, 0);
    edge.role = NODE_EDGE;
    (void)routes_take_beat(routes, &edge, now);
    assert_int_equal(routes_maker(routes, 0, now, &peer), ROUTES_THERE);
    assert_string_equal(peer.beat.name, "a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_limits, make, finish),
        cmocka_unit_test_setup_teardown(test_the_lobby_and_trusted_rooms_first, make, finish),
        cmocka_unit_test_setup_teardown(test_idle_rooms_give_way_to_trusted_ones, make, finish),
        cmocka_unit_test_setup_teardown(test_a_free_place_is_better, make, finish),
        cmocka_unit_test_setup_teardown(test_creators_in_turn, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_of_which_nothing_is_known, make, finish),
        cmocka_unit_test_setup_teardown(test_the_order_at_the_end, make, finish),
        cmocka_unit_test_setup_teardown(test_moves_leave_the_reserve, make, finish),
        cmocka_unit_test_setup_teardown(test_who_makes_rooms_when_nodes_are_full, make, finish),
        cmocka_unit_test_setup_teardown(test_who_makes_rooms, make, finish),
    };
    return cmocka_run_group_tests_name("routes_places", tests, NULL, NULL);
}
