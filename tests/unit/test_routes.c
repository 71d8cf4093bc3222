/* Owners of rooms, and nodes that take rooms over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routes_nodes.h"

static void test_older_keys_change_nothing(void **state)
{
    struct route route;

    (void)state;
    assert_false(routes_find(routes, "AB2CD3", &route));
    assert_true(own("AB2CD3", "a", 7, 10));
    assert_true(own("AB2CD3", "b", 8, 12));
    assert_false(own("AB2CD3", "a", 7, 10));
    assert_false(own("AB2CD3", "c", 9, 12));
    assert_true(routes_find(routes, "AB2CD3", &route));
    assert_string_equal(route.owner, "b");
    assert_int_equal(route.epoch, 12);
    assert_false(route.mine);
    assert_int_equal(routes_count(routes), 1);
    assert_true(routes_take_key(routes, "AB2CD3", NULL, 13, &route));
    assert_false(routes_find(routes, "AB2CD3", &route));
    assert_int_equal(routes_count(routes), 0);
}

/* A room's past may come from its last owner only. */
static void test_where_a_room_came_from(void **state)
{
    (void)state;
    assert_true(own("AB2CD3", "a", 7, 10));
    assert_false(routes_came_from(routes, "AB2CD3", "a", 10)); /* it is still there */
    assert_true(own("AB2CD3", "me", 1, 11));
    assert_true(routes_came_from(routes, "AB2CD3", "a", 11));
    assert_false(routes_came_from(routes, "AB2CD3", "a", 10));
    assert_false(routes_came_from(routes, "AB2CD3", "b", 11));
    assert_false(routes_came_from(routes, "AB2CD3", "", 11));
    assert_false(routes_came_from(routes, "NOSUCH", "a", 11));
    assert_true(own("AB2CD3", "b", 2, 12));
    assert_false(routes_came_from(routes, "AB2CD3", "me", 12));
    assert_true(end("AB2CD3", 0, 13) && own("AB2CD3", "me", 1, 14)); /* a new room */
    assert_false(routes_came_from(routes, "AB2CD3", "b", 14));
    assert_false(routes_came_from(routes, "AB2CD3", "", 14));
}

static void test_nodes_that_run_rooms(void **state)
{
    (void)state;
    hear("a", 7, 0);
    assert_true(routes_runs_rooms(routes, "a", 7, now));
    assert_false(routes_runs_rooms(routes, "a", 8, now)); /* another run */
    assert_false(routes_runs_rooms(routes, "b", 7, now));
    now += ROUTES_SILENT;
    assert_false(routes_runs_rooms(routes, "a", 7, now));
}

/* A session may wait for a room whose owner is dead, and for the lobby before it has an owner. */
static void test_rooms_to_wait_for(void **state)
{
    (void)state;
    assert_true(routes_awaited(routes, ROOM_LOBBY));
    assert_false(routes_awaited(routes, "AB2CD3"));
    assert_true(own("AB2CD3", "a", 7, 10) && own("MINE22", "me", 1, 11) && end("ENDED2", 0, 12));
    assert_true(routes_awaited(routes, "AB2CD3"));
    assert_true(routes_awaited(routes, "MINE22"));
    assert_false(routes_awaited(routes, "ENDED2"));
}

static void test_ways(void **state)
{
    struct routes_node peer;

    (void)state;
    hear("a", 7, 0);
    assert_true(own("HERE22", "me", 1, 1) && own("THERE2", "a", 7, 2) && own("GONE22", "b", 1, 3) &&
                own("OLD222", "a", 6, 4) && end("ENDED2", 0, 5));
    assert_int_equal(routes_way(routes, "HERE22", now, &peer), ROUTES_NOBODY); /* not loaded */
    assert_true(routes_set_here(routes, "HERE22", ROUTES_RUNS));
    assert_int_equal(routes_way(routes, "HERE22", now, &peer), ROUTES_HERE);
    assert_int_equal(routes_way(routes, "THERE2", now, &peer), ROUTES_THERE);
    assert_string_equal(peer.beat.http, "a:80");
    assert_int_equal(routes_way(routes, "GONE22", now, &peer), ROUTES_NOBODY);
    assert_int_equal(routes_way(routes, "OLD222", now, &peer), ROUTES_NOBODY);
    assert_int_equal(routes_way(routes, "ENDED2", now, &peer), ROUTES_UNKNOWN);
    assert_int_equal(routes_way(routes, "NOSUCH", now, &peer), ROUTES_UNKNOWN);
    now += ROUTES_SILENT;
    assert_int_equal(routes_way(routes, "THERE2", now, &peer), ROUTES_NOBODY);
}

/* Facts come from the owner alone. */
static void test_facts(void **state)
{
    struct directory_entry entry = {
        .code = "AB2CD3", .title = "Birds", .people = 3, .listed = true};
    struct directory_entry found;
    uint32_t next = 0;
    uint64_t version;

    (void)state;
    assert_true(own("AB2CD3", "a", 7, 10));
    assert_int_equal(routes_read(routes, true, &next, &found, 1), 0);
    routes_take_facts(routes, "b", 7, &entry);
    routes_take_facts(routes, "a", 6, &entry);
    assert_true(routes_entry(routes, "AB2CD3", &found));
    assert_string_equal(found.title, "");
    version = routes_version(routes);
    routes_take_facts(routes, "a", 7, &entry);
    assert_int_not_equal(routes_version(routes), version);
    version = routes_version(routes);
    routes_take_facts(routes, "a", 7, &entry);
    assert_int_equal(routes_version(routes), version); /* nothing has changed */
    next = 0;
    assert_int_equal(routes_read(routes, true, &next, &found, 1), 1);
    assert_int_equal(found.people, 3);
    assert_true(end("AB2CD3", 0, 11));
    assert_int_not_equal(routes_version(routes), version);
    next = 0;
    assert_int_equal(routes_read(routes, true, &next, &found, 1), 0);
}

/* Rooms with people come first, 32 at a time. */
static void test_rooms_with_people_first(void **state)
{
    char code[PROTO_ROOM_MAX + 1];

    (void)state;
    hear("a", 7, 0);
    for (uint32_t i = 0; i < 100; i++) {
        struct directory_entry entry = {.people = i >= 90 ? i : 0};
        snprintf(code, sizeof code, "ROOM%u", i);
        assert_true(own(code, "a", 7, 10 + i));
        snprintf(entry.code, sizeof entry.code, "%s", code);
        routes_take_facts(routes, "a", 7, &entry);
    }
    assert_int_equal(plan(0), 0);
    declare_dead("a", 7);
    assert_int_equal(plan(0), ROUTES_AT_ONCE);
    for (uint32_t i = 0; i < ROUTES_AT_ONCE; i++) {
        assert_int_equal(steps[i].ask, ROUTES_CLAIM);
        assert_int_equal(strlen(steps[i].route.code) == 6 && steps[i].route.code[4] == '9', i < 10);
    }
}

/* Each room of a dead node is taken by one of the others, by some more than by a busy one; the
 * next in rank follows when the first does not. */
static void test_shares(void **state)
{
    uint32_t mine = 0;
    char code[PROTO_ROOM_MAX + 1];

    (void)state;
    most = 10000;
    hear("me", 1, 0);
    hear("a", 7, 0);
    hear("idle", 3, 0);
    hear("busy", 4, 900);
    declare_dead("a", 7);
    for (uint32_t i = 0; i < 1000; i++) {
        snprintf(code, sizeof code, "ROOM%u", i);
        assert_true(own(code, "a", 7, 10 + i));
        mine += plan(0) == 1;
        assert_true(own(code, "idle", 3, 2000 + i)); /* another node takes it */
    }
    assert_in_range(mine, 1000 * 10 / 21 - 60, 1000 * 10 / 21 + 60);
    for (uint32_t i = 0; i < 1000 && mine > 0; i++) {
        snprintf(code, sizeof code, "LATE%u", i);
        assert_true(own(code, "a", 7, 4000 + i));
        if (plan(0) == 0) { /* another node's, which does not take it */
            lease.renewals += 2 * 4;
            assert_int_equal(plan(0), 1);
            return;
        }
        assert_true(own(code, "idle", 3, 8000 + i));
    }
    fail();
}

/* A node that has started again takes its rooms itself. */
static void test_an_owner_that_starts_again(void **state)
{
    (void)state;
    hear("a", 7, 0);
    assert_true(own("AB2CD3", "a", 7, 10));
    declare_dead("a", 7);
    assert_int_equal(plan(0), 1);
    hear("a", 8, 0);
    const struct node_lease again = {.incarnation = 8, .role = NODE_SIM};
    lease_take_key(&lease, "a", &again, 2000);
    assert_int_equal(plan(0), 0);
    lease.renewals += 4;
    assert_int_equal(plan(0), 1);             /* unless it does not */
    assert_true(own("MINE22", "me", 99, 11)); /* of an earlier run of this node */
    assert_int_equal(plan(0), 2);
    assert_string_equal(steps[1].route.code, "MINE22");
}

/* After five renewals, the node reads the key of an unknown owner. */
static void test_strange_owners(void **state)
{
    (void)state;
    assert_true(own("AB2CD3", "a", 7, 10));
    assert_int_equal(plan(0), 0);
    lease.renewals += LEASE_PATIENCE;
    assert_int_equal(plan(0), 1);
    assert_int_equal(steps[0].ask, ROUTES_LOOK);
    lease_look(&lease, "a", 7, BROKER_NONE, NULL, 0);
    assert_int_equal(plan(0), 1);
    assert_int_equal(steps[0].ask, ROUTES_CLAIM);
}

static void test_rooms_here(void **state)
{
    struct route route;

    (void)state;
    assert_true(own("AB2CD3", "me", 1, 10));
    assert_int_equal(plan(0), 1);
    assert_int_equal(steps[0].ask, ROUTES_LOAD);
    assert_true(routes_set_here(routes, "AB2CD3", ROUTES_MAKING));
    assert_int_equal(plan(0), 0);
    assert_true(routes_set_here(routes, "AB2CD3", ROUTES_RUNS));
    assert_int_equal(plan(0), 0);
    assert_true(routes_next_mine(routes, &route));
    assert_string_equal(route.code, "AB2CD3");
    assert_true(own("AB2CD3", "a", 7, 11));
    assert_int_equal(routes_won(routes, "AB2CD3"), 10);
    assert_int_equal(plan(0), 1);
    assert_int_equal(steps[0].ask, ROUTES_DROP);
    assert_true(own("CD2EF3", "me", 1, 12));
    assert_true(routes_set_here(routes, "CD2EF3", ROUTES_RUNS));
    routes_begin(routes, 2); /* its lease was lost: it owns nothing */
    assert_int_equal(plan(0), 2);
    assert_int_equal(steps[1].ask, ROUTES_DROP);
    assert_false(routes_next_mine(routes, &route));
}

/* The key of an ended room goes when its code has rested. */
static void test_codes_that_rest(void **state)
{
    (void)state;
    assert_true(end("AB2CD3", 5000, 10));
    assert_int_equal(plan(5000), 0);
    assert_int_equal(plan(5061), 1);
    assert_int_equal(steps[0].ask, ROUTES_REST);
}

/* Notes that the node is of that release, and heard of now. */
static void hear_version(const char *name, uint64_t incarnation, uint32_t version)
{
    struct node_beat beat = beat_of(name, incarnation, 0);

    beat.version = version;
    (void)routes_take_beat(routes, &beat, now);
    lease_take_beat(&lease, &beat);
}

/* A room never goes to a node of an earlier release, which may not be able to read it. */
static void test_earlier_releases_take_no_rooms(void **state)
{
    struct routes_node heir;

    (void)state;
    hear_version("me", 1, 2);
    hear_version("a", 7, 3);
    hear_version("b", 8, 1);
    assert_true(own("AB2CD3", "a", 7, 10) && own("CD2EF3", "b", 8, 11));
    declare_dead("a", 7);
    declare_dead("b", 8);
    lease.renewals += 100;
    assert_int_equal(plan(0), 1);
    assert_string_equal(steps[0].route.code, "CD2EF3");
    now += ROUTES_SILENT;
    hear_version("me", 1, 2);
    hear_version("c", 9, 1);
    assert_false(routes_heir(routes, "MINE22", now, &heir));
    hear_version("d", 10, 2);
    assert_true(routes_heir(routes, "MINE22", now, &heir));
    assert_string_equal(heir.beat.name, "d");
    hear_version("me", 1, 3);
    (void)plan(0);
    lease.renewals += 100; /* "d" has not taken it */
    assert_int_equal(plan(0), 2);
}

/* Such a node has no turn before others: they take all rooms at once. */
static void test_earlier_releases_delay_nobody(void **state)
{
    char code[PROTO_ROOM_MAX + 1];

    (void)state;
    hear_version("me", 1, 2);
    hear_version("a", 7, 2);
    hear_version("earlier", 3, 1);
    declare_dead("a", 7);
    for (uint32_t i = 0; i < 20; i++) {
        snprintf(code, sizeof code, "ROOM%u", i);
        assert_true(own(code, "a", 7, 10 + i));
        assert_int_equal(plan(0), 1);
        assert_true(own(code, "earlier", 3, 2000 + i)); /* nothing is left to plan */
    }
}

/* A node asks for a room whose people, as far as it knows, are all its own, if it is not busy and
 * reads what the owner stores. */
static void test_rooms_to_ask_for(void **state)
{
    struct directory_entry entry = {.code = "AB2CD3", .people = 2, .preset = FLOCK_PRESET_NONE};
    struct routes_node owner;

    (void)state;
    hear("a", 7, 0);
    assert_false(routes_wants(routes, "AB2CD3", 2, now, &owner));
    assert_true(own("AB2CD3", "a", 7, 10) && own("MINE22", "me", 1, 11));
    routes_take_facts(routes, "a", 7, &entry);
    assert_true(routes_wants(routes, "AB2CD3", 2, now, &owner));
    assert_string_equal(owner.beat.name, "a");
    assert_false(routes_wants(routes, "AB2CD3", 1, now, &owner));
    assert_false(routes_wants(routes, "MINE22", 2, now, &owner));
    hear("me", 1, 900);
    assert_false(routes_wants(routes, "AB2CD3", 2, now, &owner));
    hear("me", 1, 0);
    hear_version("a", 7, 1);
    assert_false(routes_wants(routes, "AB2CD3", 2, now, &owner));
}

/* A node gives away a room that has run here for long enough, to a node that takes rooms and reads
 * what this one stores. */
static void test_rooms_to_give(void **state)
{
    struct route route;
    struct routes_node heir;

    (void)state;
    hear("a", 7, 0);
    assert_true(own("MINE22", "me", 1, 11) && own("AB2CD3", "a", 7, 10));
    assert_true(routes_set_here(routes, "MINE22", ROUTES_RUNS));
    assert_false(routes_gives(routes, "MINE22", "a", 0, now, &lease, &route, &heir));
    (void)plan(0); /* it begins to count */
    assert_true(routes_gives(routes, "MINE22", "a", 0, now, &lease, &route, &heir));
    assert_string_equal(route.code, "MINE22");
    assert_string_equal(heir.beat.name, "a");
    assert_false(routes_gives(routes, "MINE22", "a", 4, now, &lease, &route, &heir));
    lease.renewals += 4;
    assert_true(routes_gives(routes, "MINE22", "a", 4, now, &lease, &route, &heir));
    assert_false(routes_gives(routes, "AB2CD3", "a", 0, now, &lease, &route, &heir));
    assert_false(routes_gives(routes, "MINE22", "me", 0, now, &lease, &route, &heir));
    assert_false(routes_gives(routes, "MINE22", "nobody", 0, now, &lease, &route, &heir));
    assert_true(routes_set_here(routes, "MINE22", ROUTES_GIVING));
    assert_true(routes_set_here(routes, "MINE22", ROUTES_RUNS)); /* it was not bare */
    (void)plan(0);
    assert_false(routes_gives(routes, "MINE22", "a", 4, now, &lease, &route, &heir));
    assert_true(routes_gives(routes, "MINE22", "a", 0, now, &lease, &route, &heir));
    hear_version("me", 1, 1);
    assert_false(routes_gives(routes, "MINE22", "a", 0, now, &lease, &route, &heir));
}

static void test_nodes(void **state)
{
    struct routes_node nodes[3];

    (void)state;
    hear("a", 7, 0);
    now += 2 * S;
    hear("b", 8, 0);
    now += 2 * S;
    assert_int_equal(routes_nodes(routes, now, nodes, 3), 3);
    assert_string_equal(nodes[0].beat.name, "me");
    assert_true(nodes[1].silent);
    assert_false(nodes[2].silent);
    assert_int_equal(routes_nodes(routes, now, nodes, 2), 2);
}

/* Many rooms are found, and forgotten. */
static void test_many_rooms(void **state)
{
    char code[PROTO_ROOM_MAX + 1];
    struct route route;

    (void)state;
    for (uint64_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 5000; i++) {
            snprintf(code, sizeof code, "ROOM%u", i);
            assert_true(own(code, "a", 7, round * 20000 + 1 + i));
        }
        assert_int_equal(routes_count(routes), 5000);
        for (uint32_t i = 0; i < 5000; i++) {
            snprintf(code, sizeof code, "ROOM%u", i);
            assert_true(routes_find(routes, code, &route));
            assert_true(routes_take_key(routes, code, NULL, round * 20000 + 10000 + i, &route));
        }
        assert_int_equal(routes_count(routes), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_older_keys_change_nothing, make, finish),
        cmocka_unit_test_setup_teardown(test_where_a_room_came_from, make, finish),
        cmocka_unit_test_setup_teardown(test_nodes_that_run_rooms, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_to_wait_for, make, finish),
        cmocka_unit_test_setup_teardown(test_ways, make, finish),
        cmocka_unit_test_setup_teardown(test_facts, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_with_people_first, make, finish),
        cmocka_unit_test_setup_teardown(test_shares, make, finish),
        cmocka_unit_test_setup_teardown(test_an_owner_that_starts_again, make, finish),
        cmocka_unit_test_setup_teardown(test_strange_owners, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_here, make, finish),
        cmocka_unit_test_setup_teardown(test_codes_that_rest, make, finish),
        cmocka_unit_test_setup_teardown(test_earlier_releases_take_no_rooms, make, finish),
        cmocka_unit_test_setup_teardown(test_earlier_releases_delay_nobody, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_to_ask_for, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_to_give, make, finish),
        cmocka_unit_test_setup_teardown(test_nodes, make, finish),
        cmocka_unit_test_setup_teardown(test_many_rooms, make, finish),
    };
    return cmocka_run_group_tests_name("routes", tests, NULL, NULL);
}
