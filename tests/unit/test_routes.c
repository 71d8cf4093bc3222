/* Owners of rooms, and nodes that take rooms over. */
#include "cluster/routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S UINT64_C(1000000)

static struct routes *routes;
static struct lease lease;
static uint64_t now;
static struct routes_step steps[ROUTES_AT_ONCE];
static uint32_t most; /* rooms of each node */

static uint64_t one(void *argument)
{
    (void)argument;
    return 1;
}

/* A node that is heard of now. */
static struct node_beat beat_of(const char *name, uint64_t incarnation, uint32_t load)
{
    struct node_beat beat = {.incarnation = incarnation,
                             .revision = 100 + incarnation,
                             .role = NODE_SIM,
                             .load = load,
                             .rooms_max = most};

    snprintf(beat.name, sizeof beat.name, "%s", name);
    snprintf(beat.http, sizeof beat.http, "%s:80", name);
    return beat;
}

static void hear(const char *name, uint64_t incarnation, uint32_t load)
{
    const struct node_beat beat = beat_of(name, incarnation, load);

    (void)routes_take_beat(routes, &beat, now);
    lease_take_beat(&lease, &beat);
}

static int make(void **state)
{
    struct lease_step step;

    (void)state;
    now = 100 * S;
    most = 100;
    routes = routes_create("me");
    lease_init(&lease, "me", NODE_SIM, 1, one, NULL);
    lease_next(&lease, now, &step);
    lease_answered(&lease, &step, BROKER_NONE, 0, NULL, now);
    lease_next(&lease, now, &step);
    lease_answered(&lease, &step, BROKER_OK, 1, NULL, now);
    routes_begin(routes, 1);
    hear("me", 1, 0);
    return routes == NULL;
}

static int finish(void **state)
{
    (void)state;
    routes_destroy(routes);
    lease_finish(&lease);
    return 0;
}

static bool own(const char *code, const char *owner, uint64_t incarnation, uint64_t epoch)
{
    struct route_value value = {.incarnation = incarnation};
    struct route route;

    snprintf(value.owner, sizeof value.owner, "%s", owner);
    return routes_take_key(routes, code, &value, epoch, &route);
}

static bool end(const char *code, uint64_t until, uint64_t epoch)
{
    const struct route_value value = {.ended = true, .until = until};
    struct route route;

    return routes_take_key(routes, code, &value, epoch, &route);
}

static uint32_t plan(uint64_t seconds)
{
    return routes_plan(routes, &lease, now, seconds, steps);
}

static void declare_dead(const char *node, uint64_t incarnation)
{
    const struct node_lease dead = {.dead = true, .incarnation = incarnation, .role = NODE_SIM};

    lease_take_key(&lease, node, &dead, 1000 + incarnation);
}

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
        cmocka_unit_test_setup_teardown(test_rooms_to_wait_for, make, finish),
        cmocka_unit_test_setup_teardown(test_ways, make, finish),
        cmocka_unit_test_setup_teardown(test_facts, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_with_people_first, make, finish),
        cmocka_unit_test_setup_teardown(test_shares, make, finish),
        cmocka_unit_test_setup_teardown(test_an_owner_that_starts_again, make, finish),
        cmocka_unit_test_setup_teardown(test_strange_owners, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_here, make, finish),
        cmocka_unit_test_setup_teardown(test_limits, make, finish),
        cmocka_unit_test_setup_teardown(test_the_lobby_and_trusted_rooms_first, make, finish),
        cmocka_unit_test_setup_teardown(test_idle_rooms_give_way_to_trusted_ones, make, finish),
        cmocka_unit_test_setup_teardown(test_a_free_place_is_better, make, finish),
        cmocka_unit_test_setup_teardown(test_creators_in_turn, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_of_which_nothing_is_known, make, finish),
        cmocka_unit_test_setup_teardown(test_the_order_at_the_end, make, finish),
        cmocka_unit_test_setup_teardown(test_moves_leave_the_reserve, make, finish),
        cmocka_unit_test_setup_teardown(test_who_makes_rooms_when_nodes_are_full, make, finish),
        cmocka_unit_test_setup_teardown(test_codes_that_rest, make, finish),
        cmocka_unit_test_setup_teardown(test_who_makes_rooms, make, finish),
        cmocka_unit_test_setup_teardown(test_earlier_releases_take_no_rooms, make, finish),
        cmocka_unit_test_setup_teardown(test_earlier_releases_delay_nobody, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_to_ask_for, make, finish),
        cmocka_unit_test_setup_teardown(test_rooms_to_give, make, finish),
        cmocka_unit_test_setup_teardown(test_nodes, make, finish),
        cmocka_unit_test_setup_teardown(test_many_rooms, make, finish),
    };
    return cmocka_run_group_tests_name("routes", tests, NULL, NULL);
}
