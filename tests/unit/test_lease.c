/* A node's lease, one step at a time. */
#include "cluster/lease.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS UINT64_C(1000)
#define S  UINT64_C(1000000)

static struct lease lease;
static struct lease_step step;
static uint64_t now, randoms, revision;

static uint64_t count_randoms(void *argument)
{
    (void)argument;
    return ++randoms;
}

static int make(void **state)
{
    (void)state;
    now = 100 * S;
    randoms = revision = 0;
    lease_init(&lease, "me", NODE_SIM, 1, count_randoms, NULL);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    lease_finish(&lease);
    return 0;
}

static void next(enum lease_ask ask)
{
    lease_next(&lease, now, &step);
    assert_int_equal(step.ask, ask);
}

static void answer(enum broker_result result, uint64_t at, const struct node_lease *value)
{
    lease_answered(&lease, &step, result, at, value, now);
}

/* Writes the lease. */
static void renew(void)
{
    now += LEASE_PERIOD;
    next(LEASE_SET);
    assert_string_equal(step.node, "me");
    assert_int_equal(step.revision, revision);
    answer(BROKER_OK, ++revision, NULL);
}

/* Takes a new lease. */
static void join(void)
{
    next(LEASE_READ);
    assert_false(lease_stands(&lease, now));
    answer(BROKER_NONE, 0, NULL);
    now -= LEASE_PERIOD;
    renew();
    assert_true(lease_stands(&lease, now));
}

static struct node_lease value_of(uint64_t incarnation, bool dead)
{
    return (struct node_lease){.incarnation = incarnation, .dead = dead, .role = NODE_SIM};
}

static void test_renewals(void **state)
{
    (void)state;
    join();
    next(LEASE_WAIT);
    assert_int_equal(step.until, now + LEASE_PERIOD);
    renew();
    renew();
}

/* Without an answer, the node goes on for 10 s. */
static void test_no_answer(void **state)
{
    const uint64_t begun = (now = 100 * S);

    (void)state;
    join();
    while (now < begun + 9 * S) {
        now += LEASE_PERIOD;
        next(LEASE_SET);
        answer(BROKER_UNKNOWN, 0, NULL);
        assert_true(lease_stands(&lease, now));
    }
    now = begun + LEASE_STAND;
    assert_false(lease_stands(&lease, now));
    next(LEASE_SET);
    answer(BROKER_OK, ++revision, NULL); /* it was not declared dead, and goes on */
    assert_true(lease_stands(&lease, now));
    assert_int_equal(lease.losses, 0);
}

/* A renewal was done, and its answer lost: the key has this incarnation. */
static void test_a_lost_answer(void **state)
{
    (void)state;
    join();
    now += LEASE_PERIOD;
    next(LEASE_SET);
    answer(BROKER_UNKNOWN, 0, NULL);
    revision++;
    now += LEASE_PERIOD;
    next(LEASE_SET);
    answer(BROKER_CONFLICT, 0, NULL);
    next(LEASE_READ);
    const struct node_lease mine = value_of(lease.value.incarnation, false);
    answer(BROKER_OK, revision, &mine);
    assert_true(lease_stands(&lease, now));
    renew();
}

/* A node that was declared dead stands still until it has dropped its rooms, as another one. */
static void test_being_declared_dead(void **state)
{
    uint64_t before;

    (void)state;
    join();
    before = lease.value.incarnation;
    now += LEASE_PERIOD;
    next(LEASE_SET);
    answer(BROKER_CONFLICT, 0, NULL);
    next(LEASE_READ);
    const struct node_lease dead = value_of(before, true);
    answer(BROKER_OK, revision = 9, &dead);
    assert_int_not_equal(lease.value.incarnation, before);
    assert_int_equal(lease.losses, 1);
    next(LEASE_SET);
    assert_int_equal(step.revision, 9);
    answer(BROKER_OK, ++revision, NULL);
    assert_false(lease_stands(&lease, now));
    lease_dropped(&lease);
    assert_true(lease_stands(&lease, now));
    assert_true(lease_is_dead(&lease, "me", before));
    assert_false(lease_is_dead(&lease, "me", lease.value.incarnation));
}

/* The node takes the lease of its earlier run, which is not renewed. */
static void test_an_earlier_run(void **state)
{
    const struct node_lease earlier = value_of(77, false);

    (void)state;
    next(LEASE_READ);
    answer(BROKER_OK, 5, &earlier);
    next(LEASE_WAIT);
    now += LEASE_NAMESAKE;
    next(LEASE_READ);
    answer(BROKER_OK, 5, &earlier);
    next(LEASE_SET);
    assert_int_equal(step.revision, 5);
    assert_false(lease.namesake);
}

/* The node never takes a lease of its name that another process renews. */
static void test_a_namesake(void **state)
{
    const struct node_lease other = value_of(77, false);

    (void)state;
    for (revision = 5; revision < 20; revision++) {
        next(LEASE_READ);
        answer(BROKER_OK, revision, &other);
        next(LEASE_WAIT);
        now += LEASE_NAMESAKE;
    }
    assert_true(lease.namesake);
}

/* Lets other nodes be heard of once. */
static void hear(const char *name, uint64_t incarnation, uint64_t at)
{
    struct node_beat beat = {.incarnation = incarnation, .revision = at, .role = NODE_SIM};

    strcpy(beat.name, name);
    lease_take_beat(&lease, &beat);
}

/* The other node is silent for five renewals of this one's lease. */
static void make_suspect(void)
{
    join();
    hear("other", 7, 1000);
    for (int i = 0; i < 5; i++) {
        renew();
    }
}

/* After five own renewals without a word a node is declared dead, by its revision. */
static void test_a_silent_node(void **state)
{
    (void)state;
    join();
    hear("other", 7, 1000);
    for (int i = 0; i < 4; i++) {
        renew();
        next(LEASE_WAIT);
    }
    renew();
    next(LEASE_SET);
    assert_string_equal(step.node, "other");
    assert_int_equal(step.revision, 1000);
    assert_true(step.value.dead);
    assert_int_equal(step.value.incarnation, 7);
    assert_false(lease_is_dead(&lease, "other", 7));
    answer(BROKER_OK, 1001, NULL);
    assert_true(lease_is_dead(&lease, "other", 7));
    next(LEASE_WAIT);
    hear("other", 8, 1002); /* it has begun again */
    assert_true(lease_is_dead(&lease, "other", 7));
    assert_false(lease_is_dead(&lease, "other", 8));
}

/* While this node cannot renew, no node becomes suspect. */
static void test_time_is_counted_in_renewals(void **state)
{
    (void)state;
    join();
    hear("other", 7, 1000);
    for (int i = 0; i < 30; i++) {
        now += LEASE_PERIOD;
        next(LEASE_SET);
        assert_string_equal(step.node, "me");
        answer(BROKER_UNKNOWN, 0, NULL);
        next(LEASE_WAIT);
    }
}

/* A suspect that has renewed its lease is alive. */
static void test_a_suspect_that_lives(void **state)
{
    const struct node_lease alive = value_of(7, false);

    (void)state;
    make_suspect();
    next(LEASE_SET);
    answer(BROKER_CONFLICT, 0, NULL);
    next(LEASE_READ);
    assert_string_equal(step.node, "other");
    answer(BROKER_OK, 1005, &alive);
    next(LEASE_WAIT);
    assert_false(lease_is_dead(&lease, "other", 7));
    for (int i = 0; i < 5; i++) {
        renew();
    }
    next(LEASE_SET);
    assert_int_equal(step.revision, 1005);
}

/* Without an answer, the suspect's key is read before it is tried again. */
static void test_a_declaration_in_doubt(void **state)
{
    const struct node_lease dead = value_of(7, true);

    (void)state;
    make_suspect();
    next(LEASE_SET);
    answer(BROKER_UNKNOWN, 0, NULL);
    next(LEASE_WAIT);
    renew();
    next(LEASE_READ);
    answer(BROKER_OK, 1001, &dead);
    assert_true(lease_is_dead(&lease, "other", 7));
}

/* The key of an unknown owner tells whether it is alive. */
static void test_a_strange_owner(void **state)
{
    const struct node_lease now_there = value_of(9, false);

    (void)state;
    join();
    assert_false(lease_knows(&lease, "other", 7));
    lease_look(&lease, "other", 7, BROKER_OK, &now_there, 50);
    assert_true(lease_is_dead(&lease, "other", 7));
    assert_false(lease_is_dead(&lease, "other", 9));
    assert_true(lease_knows(&lease, "other", 9));
    lease_look(&lease, "third", 5, BROKER_NONE, NULL, 0);
    assert_true(lease_is_dead(&lease, "third", 5));
}

/* Dead nodes give way when there are too many. */
static void test_many_nodes(void **state)
{
    const struct node_lease dead = value_of(1, true);
    char name[NODE_NAME_MAX + 1];

    (void)state;
    join();
    for (unsigned i = 0; i < 3 * NODES_MAX; i++) {
        snprintf(name, sizeof name, "node-%u", i);
        lease_take_key(&lease, name, &dead, i + 1);
        assert_true(lease_is_dead(&lease, name, 1));
    }
    assert_int_equal(lease.other_count, NODES_MAX);
}

static void test_giving_up(void **state)
{
    (void)state;
    join();
    lease_give_up(&lease);
    assert_false(lease_stands(&lease, now));
    next(LEASE_SET);
    assert_true(step.value.dead);
    answer(BROKER_OK, ++revision, NULL);
    next(LEASE_WAIT);
}

static void test_an_edge_has_no_lease(void **state)
{
    (void)state;
    lease_finish(&lease);
    lease_init(&lease, "me", NODE_EDGE, 1, count_randoms, NULL);
    for (int i = 0; i < 5; i++) {
        next(LEASE_WAIT);
        now = step.until;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_renewals, make, finish),
        cmocka_unit_test_setup_teardown(test_no_answer, make, finish),
        cmocka_unit_test_setup_teardown(test_a_lost_answer, make, finish),
        cmocka_unit_test_setup_teardown(test_being_declared_dead, make, finish),
        cmocka_unit_test_setup_teardown(test_an_earlier_run, make, finish),
        cmocka_unit_test_setup_teardown(test_a_namesake, make, finish),
        cmocka_unit_test_setup_teardown(test_a_silent_node, make, finish),
        cmocka_unit_test_setup_teardown(test_time_is_counted_in_renewals, make, finish),
        cmocka_unit_test_setup_teardown(test_a_suspect_that_lives, make, finish),
        cmocka_unit_test_setup_teardown(test_a_declaration_in_doubt, make, finish),
        cmocka_unit_test_setup_teardown(test_a_strange_owner, make, finish),
        cmocka_unit_test_setup_teardown(test_many_nodes, make, finish),
        cmocka_unit_test_setup_teardown(test_giving_up, make, finish),
        cmocka_unit_test_setup_teardown(test_an_edge_has_no_lease, make, finish),
    };
    return cmocka_run_group_tests_name("leases", tests, NULL, NULL);
}
