/* The bytes of a parcel in the key-value store: what arrives is what was sent, or nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <uv.h>

#include "broker_memory.h"
#include "cluster/parcel.h"
#include "cluster/values.h"

#define NUMBER UINT64_C(0x1234567890)
#define SIZE   (2 * PARCEL_PART + 1000) /* three parts */
#define SOON   UINT64_C(100000000)      /* ns */
#define LATER  UINT64_C(60000000000)

static struct broker_world world;
static struct broker *broker;
static uint8_t *sent, *got;

static int make(void **state)
{
    const struct broker_definition to = {.node = "a"};

    (void)state;
    broker_world_init(&world);
    broker = broker_memory_open(&world, &to);
    sent = malloc(SIZE);
    got = malloc(SIZE);
    for (size_t i = 0; i < SIZE; i++) {
        sent[i] = (uint8_t)(i * 31 + i / 1000);
    }
    return 0;
}

static int finish(void **state)
{
    (void)state;
    free(sent);
    free(got);
    broker_close(broker);
    broker_world_finish(&world);
    return 0;
}

static void send_parcel(size_t size)
{
    assert_true(parcel_write(broker, "a", NUMBER, sent, size, uv_hrtime() + LATER));
}

static bool receive(size_t size, uint64_t patience)
{
    memset(got, 0, SIZE);
    return parcel_read(broker, "a", NUMBER, got, size, uv_hrtime() + patience);
}

/* Puts a part that says to be that one. */
static void put_part(const char *key, uint64_t number, uint32_t index, const uint8_t *bytes,
                     size_t size)
{
    uint8_t *value = malloc(VALUES_MAX + size);
    const size_t head =
        values_write_part(&(struct parcel_part){.number = number, .index = index}, value);

    memcpy(value + head, bytes, size);
    assert_int_equal(broker_put(broker, BROKER_BULK, BROKER_CHECKS, key, value, head + size, NULL),
                     BROKER_OK);
    free(value);
}

/* ---- tests ---- */

static void test_all_sizes_arrive(void **state)
{
    const size_t sizes[] = {1, 1000, PARCEL_PART - 1, PARCEL_PART, PARCEL_PART + 1, SIZE};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        send_parcel(sizes[i]);
        assert_true(receive(sizes[i], 0));
        assert_memory_equal(got, sent, sizes[i]);
    }
}

/* A message of NATS has a limit. */
static void test_parts_are_small(void **state)
{
    (void)state;
    send_parcel(SIZE);
    for (const struct memory_entry *at = world.entries[BROKER_CHECKS]; at != NULL; at = at->next) {
        assert_in_range(at->size, 1, 1000 * 1000);
    }
}

static void test_a_missing_part(void **state)
{
    (void)state;
    send_parcel(SIZE);
    assert_int_equal(broker_drop(broker, BROKER_BULK, BROKER_CHECKS, "_parcel.a.1", NULL),
                     BROKER_OK);
    assert_false(receive(SIZE, SOON));
}

static void test_parts_of_a_wrong_size(void **state)
{
    (void)state;
    send_parcel(SIZE);
    put_part("_parcel.a.1", NUMBER, 1, sent, PARCEL_PART - 1);
    assert_false(receive(SIZE, LATER)); /* at once */
    put_part("_parcel.a.1", NUMBER, 1, sent, PARCEL_PART + 1);
    assert_false(receive(SIZE, LATER));
    put_part("_parcel.a.1", NUMBER, 1, sent, PARCEL_PART);
    put_part("_parcel.a.2", NUMBER, 2, sent, 1001);
    assert_false(receive(SIZE, LATER));
    put_part("_parcel.a.2", NUMBER, 2, sent, 0);
    assert_false(receive(SIZE, LATER));
    put_part("_parcel.a.2", NUMBER, 2, sent, 1000);
    assert_true(receive(SIZE, LATER));
    assert_false(receive(SIZE - 1, LATER)); /* announced with a wrong size */
    assert_false(receive(PARCEL_PART + 1, LATER));
}

static void test_parts_in_a_wrong_order(void **state)
{
    (void)state;
    send_parcel(SIZE);
    put_part("_parcel.a.0", NUMBER, 1, sent, PARCEL_PART);
    put_part("_parcel.a.1", NUMBER, 0, sent, PARCEL_PART);
    assert_false(receive(SIZE, LATER));
}

/* The same part twice, in place of another one. */
static void test_a_part_twice(void **state)
{
    (void)state;
    send_parcel(SIZE);
    put_part("_parcel.a.1", NUMBER, 0, sent, PARCEL_PART);
    assert_false(receive(SIZE, LATER));
}

static void test_a_part_of_another_parcel(void **state)
{
    (void)state;
    send_parcel(SIZE);
    put_part("_parcel.a.1", NUMBER + 1, 1, sent, PARCEL_PART);
    assert_false(receive(SIZE, SOON));
}

static void test_parts_of_another_node(void **state)
{
    (void)state;
    send_parcel(SIZE);
    assert_false(parcel_read(broker, "b", NUMBER, got, SIZE, uv_hrtime() + SOON));
}

static void test_parts_that_are_none(void **state)
{
    static const uint8_t zeros[64];

    (void)state;
    send_parcel(1000);
    for (size_t size = 0; size <= sizeof zeros; size++) {
        assert_int_equal(
            broker_put(broker, BROKER_BULK, BROKER_CHECKS, "_parcel.a.0", zeros, size, NULL),
            BROKER_OK);
        assert_false(receive(1000, LATER));
    }
}

/* Writes the part that a server had not got. */
static void catch_up(void *argument)
{
    (void)argument;
    uv_sleep(50);
    put_part("_parcel.a.1", NUMBER, 1, sent + PARCEL_PART, PARCEL_PART);
}

/* A server of the engine that lags has the parcel before this one. */
static void test_a_server_that_lags(void **state)
{
    uv_thread_t thread;

    (void)state;
    send_parcel(SIZE);
    put_part("_parcel.a.1", NUMBER - 1, 1, sent, PARCEL_PART);
    assert_int_equal(uv_thread_create(&thread, catch_up, NULL), 0);
    assert_true(receive(SIZE, LATER));
    assert_memory_equal(got, sent, SIZE);
    uv_thread_join(&thread);
}

static void test_nats_away(void **state)
{
    (void)state;
    broker_memory_connect(broker, false);
    assert_false(parcel_write(broker, "a", NUMBER, sent, SIZE, uv_hrtime() + LATER));
    assert_false(receive(SIZE, 0));
    broker_memory_connect(broker, true);
    assert_false(parcel_write(broker, "a", NUMBER, sent, SIZE, uv_hrtime())); /* too late */
}

static void test_nothing_is_left(void **state)
{
    (void)state;
    send_parcel(SIZE);
    parcel_drop(broker, "a", SIZE);
    for (const struct memory_entry *at = world.entries[BROKER_CHECKS]; at != NULL; at = at->next) {
        assert_true(at->deleted);
    }
}

static uint32_t count_left(void)
{
    uint32_t left = 0;

    for (const struct memory_entry *at = world.entries[BROKER_CHECKS]; at != NULL; at = at->next) {
        left += !at->deleted;
    }
    return left;
}

/* A process that dies leaves parts of a big parcel behind a smaller one. The next one drops all. */
static void test_parts_of_a_dead_process(void **state)
{
    (void)state;
    parcel_drop_left(broker, "a"); /* nothing */
    send_parcel(SIZE);
    send_parcel(1000);
    put_part("_parcel.b.0", NUMBER, 0, sent, 1000);
    assert_int_equal(count_left(), 4);
    parcel_drop_left(broker, "a");
    assert_int_equal(count_left(), 1); /* of "b" */
}

/* Without NATS each call would take its time. */
static void test_drop_ends_at_the_first_failure(void **state)
{
    (void)state;
    send_parcel(SIZE);
    broker_memory_connect(broker, false);
    assert_false(parcel_drop(broker, "a", SIZE));
    broker_memory_connect(broker, true);
    assert_int_equal(count_left(), 3);
    assert_true(parcel_drop(broker, "a", SIZE));
    assert_int_equal(count_left(), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_all_sizes_arrive),
        TEST(test_parts_are_small),
        TEST(test_a_missing_part),
        TEST(test_parts_of_a_wrong_size),
        TEST(test_parts_in_a_wrong_order),
        TEST(test_a_part_twice),
        TEST(test_a_part_of_another_parcel),
        TEST(test_parts_of_another_node),
        TEST(test_parts_that_are_none),
        TEST(test_a_server_that_lags),
        TEST(test_nats_away),
        TEST(test_nothing_is_left),
        TEST(test_parts_of_a_dead_process),
        TEST(test_drop_ends_at_the_first_failure),
    };

    return cmocka_run_group_tests_name("parcels", tests, NULL, NULL);
}
