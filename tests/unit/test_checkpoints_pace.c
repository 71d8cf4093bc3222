/* The budget of checkpoints: the bytes and writes that a node gives NATS in a second, and the bytes
 * of each room. Threads and time are simulated; NATS answers at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../simulation/threads.h"
#include "broker_memory.h"
#include "cluster/checkpoints.h"

#define SECONDS 5u
#define IDLE    (10 * S)
#define ROUND   (250 * MS) /* between two states of each room */

static struct broker_world world;
static struct broker *broker;
static struct cluster_counts counts;
static struct checkpoints *checkpoints;

static void ignore_end(void *argument, const char *code, uint64_t until)
{
    (void)argument;
    (void)code;
    (void)until;
}

static void ignore_fence(void *argument, const char *code)
{
    (void)argument;
    (void)code;
}

static int make(void **state)
{
    const struct broker_definition to = {.node = "a"};
    struct checkpoints_definition definition = {
        .counts = &counts, .ended = ignore_end, .fenced = ignore_fence};

    (void)state;
    threads_begin(1);
    counts = (struct cluster_counts){0};
    broker_world_init(&world);
    definition.broker = broker = broker_memory_open(&world, &to);
    checkpoints = checkpoints_create(&definition);
    return checkpoints != NULL ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    checkpoints_destroy(checkpoints, 0);
    broker_close(broker);
    broker_world_finish(&world);
    return 0;
}

static bool never(void)
{
    return false;
}

/* Stores a state of that size, whose first byte has that value. */
static void store_value(const char *code, bool first, size_t size, uint8_t value)
{
    struct store_room room = {.first = first, .size = size, .state = calloc(1, size)};

    assert_non_null(room.state);
    room.state[0] = value;
    snprintf(room.code, sizeof room.code, "%s", code);
    assert_true(store_put(checkpoints_store(checkpoints), &room));
}

static void store_state(const char *code, size_t size)
{
    store_value(code, false, size, 0);
}

static uint8_t read_value(const char *code)
{
    struct store_room kept;
    uint8_t value;

    assert_int_equal(checkpoints_read(checkpoints, code, &kept), BROKER_OK);
    value = kept.state[0];
    free(kept.state);
    return value;
}

/* After some idle time, rooms of that size store a state four times in a second. */
static void store_for_seconds(uint32_t rooms, size_t size)
{
    char code[PROTO_ROOM_MAX + 1];

    threads_run(threads_now() + IDLE, never);
    for (uint32_t i = 0; i < rooms; i++) {
        snprintf(code, sizeof code, "ROOM%u", i);
        assert_true(checkpoints_own(checkpoints, code, 5));
    }
    for (uint64_t end = threads_now() + SECONDS * S; threads_now() < end;) {
        for (uint32_t i = 0; i < rooms; i++) {
            snprintf(code, sizeof code, "ROOM%u", i);
            store_state(code, size);
        }
        threads_run(threads_now() + ROUND, never);
    }
}

/* A small room's states are all written. */
static void a_small_room_is_written_each_time(void **state)
{
    (void)state;
    store_for_seconds(1, 10000);
    assert_int_equal(counts.checkpoints, SECONDS * S / ROUND);
}

/* A room takes 5 MB in a second: one of 2.5 MB is written each half second. */
static void a_big_room_is_written_less_often(void **state)
{
    (void)state;
    store_for_seconds(1, 2500000);
    assert_in_range(counts.checkpoints, 2 * SECONDS, 2 * SECONDS + 1);
}

/* All rooms together take 20 MB in a second, and as much at first. Idle time saves up no more. */
static void all_rooms_share_the_bytes(void **state)
{
    (void)state;
    store_for_seconds(40, 600000); /* offered: 96 MB in a second */
    assert_in_range(counts.checkpoint_bytes, SECONDS * CHECKPOINTS_BYTES,
                    (SECONDS + 1) * CHECKPOINTS_BYTES + 600000);
}

/* All rooms together take 500 writes in a second, and as many at first, also after idle time. */
static void all_rooms_share_the_writes(void **state)
{
    (void)state;
    store_for_seconds(400, 1000); /* offered: 1,600 in a second */
    assert_in_range(counts.checkpoints, SECONDS * CHECKPOINTS_PUTS,
                    (SECONDS + 1) * CHECKPOINTS_PUTS + 1);
}

/* Rooms of that size store a state, then the lobby does, four times in a second. */
static void expect_each_state_of_the_lobby(uint32_t rooms, size_t size)
{
    char code[PROTO_ROOM_MAX + 1];

    store_for_seconds(rooms, size);
    assert_true(checkpoints_own(checkpoints, "lobby", 5));
    for (unsigned value = 1; value < SECONDS * S / ROUND; value++) {
        for (uint32_t i = 0; i < rooms; i++) {
            snprintf(code, sizeof code, "ROOM%u", i);
            store_state(code, size);
        }
        store_value("lobby", true, 1000, (uint8_t)value);
        threads_run(threads_now() + ROUND, never);
        assert_int_equal(read_value("lobby"), value);
    }
}

/* While strangers' rooms use up the writes of each second, or its bytes, they wait and the lobby
 * does not. */
static void the_lobby_does_not_wait_for_writes(void **state)
{
    (void)state;
    expect_each_state_of_the_lobby(800, 1000);
}

static void the_lobby_does_not_wait_for_bytes(void **state)
{
    (void)state;
    expect_each_state_of_the_lobby(40, 600000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_small_room_is_written_each_time, make, finish),
        cmocka_unit_test_setup_teardown(a_big_room_is_written_less_often, make, finish),
        cmocka_unit_test_setup_teardown(all_rooms_share_the_bytes, make, finish),
        cmocka_unit_test_setup_teardown(all_rooms_share_the_writes, make, finish),
        cmocka_unit_test_setup_teardown(the_lobby_does_not_wait_for_writes, make, finish),
        cmocka_unit_test_setup_teardown(the_lobby_does_not_wait_for_bytes, make, finish),
    };
    return cmocka_run_group_tests_name("the budget of checkpoints", tests, NULL, NULL);
}
