/* flockd --cluster-status: what is printed of nodes, leases and rooms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <uv.h>

#include "broker_memory.h"
#include "cluster/status.h"
#include "cluster/values.h"

static struct broker_world world;
static struct broker *node, *viewer;
static char text[4096];

static int set_up(void **state)
{
    (void)state;
    broker_world_init(&world);
    node = broker_memory_open(&world, &(struct broker_definition){.node = "sim-1"});
    viewer = broker_memory_open(&world, &(struct broker_definition){.node = "status"});
    return node == NULL || viewer == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    broker_close(node);
    broker_world_finish(&world);
    return 0;
}

static uint64_t put(enum broker_bucket bucket, const char *key, const uint8_t *bytes, size_t size)
{
    uint64_t revision;

    assert_int_equal(broker_put(node, BROKER_CONTROL, bucket, key, bytes, size, &revision),
                     BROKER_OK);
    return revision;
}

static void put_lease(const char *name, bool dead)
{
    const struct node_lease lease = {
        .dead = dead, .incarnation = 5, .role = NODE_SIM, .version = 1};
    uint8_t bytes[VALUES_MAX];

    (void)put(BROKER_NODES, name, bytes, values_write_lease(&lease, bytes));
}

static void put_route(const char *code, const char *owner, bool ended)
{
    struct route_value route = {.ended = ended, .until = 9, .incarnation = 5};
    uint8_t bytes[VALUES_MAX];

    snprintf(route.owner, sizeof route.owner, "%s", owner);
    (void)put(BROKER_ROOMS, code, bytes, values_write_route(&route, bytes));
}

static void put_check(const char *code, uint64_t saved_at)
{
    const struct check_head head = {.epoch = 1, .saved_at = saved_at};
    uint8_t bytes[VALUES_MAX];

    (void)put(BROKER_CHECKS, code, bytes, values_write_head(&head, bytes));
}

static void beat(const char *name, enum node_role role, bool draining)
{
    struct node_beat said = {.incarnation = 5,
                             .revision = 1,
                             .role = role,
                             .version = 1,
                             .draining = draining,
                             .load = 125,
                             .rooms = 3,
                             .rooms_max = 100,
                             .http = "10.0.0.3:8081"};
    char subject[BROKER_SUBJECT_MAX];
    uint8_t bytes[VALUES_MAX];

    snprintf(said.name, sizeof said.name, "%s", name);
    snprintf(subject, sizeof subject, "beat.%s", name);
    assert_true(broker_publish(node, BROKER_CONTROL, subject, NULL, bytes,
                               values_write_beat(&said, bytes)));
}

static void tell_facts(const char *code, uint32_t people)
{
    static struct facts_writer writer;
    struct directory_entry entry = {.people = people, .boids = 300};

    snprintf(entry.code, sizeof entry.code, "%s", code);
    values_begin_facts(&writer, 5);
    assert_true(values_add_facts(&writer, &entry, 0));
    assert_true(
        broker_publish(node, BROKER_CONTROL, "facts.sim-1", NULL, writer.bytes, writer.size));
}

/* Stores what is printed in `text`. */
static void print_status(struct status *status)
{
    FILE *out = fmemopen(text, sizeof text, "w");

    assert_non_null(out);
    broker_memory_run(&world);
    status_end(status);
    status_print(status, uv_hrtime() / 1000, 1000, out);
    (void)fclose(out);
    broker_close(viewer);
    status_free(status);
}

static bool says(const char *line)
{
    return strstr(text, line) != NULL;
}

static void test_nodes(void **state)
{
    struct status *status = status_begin(viewer);

    (void)state;
    assert_non_null(status);
    put_lease("sim-1", false);
    put_lease("sim-2", false);
    put_lease("sim-3", true);
    beat("sim-1", NODE_SIM, true);
    beat("edge-1", NODE_EDGE, false);
    print_status(status);
    assert_true(says("4 nodes\n"));
    assert_true(says("\nedge-1               edge  alive              -  0.0 s   12 %    3 of 100  "
                     "10.0.0.3:8081\n"));
    assert_true(says("\nsim-1                sim   draining           1 "));
    assert_true(says("\nsim-2                sim   silent             2 "));
    assert_true(says("\nsim-3                sim   dead               - "));
    assert_true(strstr(text, "edge-1") < strstr(text, "sim-1"));
}

static void test_rooms(void **state)
{
    struct status *status = status_begin(viewer);

    (void)state;
    put_lease("sim-1", false);
    put_route("lobby", "sim-1", false);
    put_route("FK72MX", "sim-1", false);
    put_route("ENDED2", "", true);
    put_check("lobby", 993);
    beat("sim-1", NODE_SIM, false);
    broker_memory_run(&world);
    tell_facts("lobby", 12);
    print_status(status);
    assert_true(says("\n2 rooms\n"));
    assert_true(says("\nlobby    sim-1                         1     12      300  7 s ago\n"));
    assert_true(says("\nFK72MX   sim-1                         2      0        0  -\n"));
    assert_false(says("ENDED2"));
    assert_true(strstr(text, "FK72MX") < strstr(text, "lobby"));
}

/* Bytes of a broken or hostile node. */
static void test_garbage(void **state)
{
    static const uint8_t garbage[] = {255, 254, 1, 2, 3};
    struct status *status = status_begin(viewer);

    (void)state;
    (void)put(BROKER_NODES, "sim-1", garbage, sizeof garbage);
    (void)put(BROKER_NODES, "no name!", garbage, sizeof garbage);
    (void)put(BROKER_ROOMS, "lobby", garbage, sizeof garbage);
    assert_true(broker_publish(node, BROKER_CONTROL, "beat.x", NULL, garbage, sizeof garbage));
    assert_true(broker_publish(node, BROKER_CONTROL, "facts.x", NULL, garbage, sizeof garbage));
    print_status(status);
    assert_true(says("1 nodes\n"));
    assert_true(says("\nsim-1                both  dead"));
    assert_true(says("\n0 rooms\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_nodes), TEST(test_rooms), TEST(test_garbage)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
