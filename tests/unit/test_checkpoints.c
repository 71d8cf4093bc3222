/* Checkpoints over the broker in memory: what was stored is read, also in parts; an owner that lost
 * its room cannot overwrite it; nothing is lost when answers are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <uv.h>

#include "broker_memory.h"
#include "cluster/checkpoints.h"
#include "cluster/values.h"
#include "scene/saved.h"

#define BIG      (2u * 1000u * 1000u)
#define PATIENCE 60000u /* ms */
#define ROOMS    200u   /* of strangers */
#define AT_ONCE  64u    /* rooms that are written together */

struct owner {
    struct broker *broker;
    struct cluster_counts counts;
    struct checkpoints *checkpoints;
    _Atomic uint32_t fenced, ended;
};

static struct broker_world world;
static struct owner a, b;
static _Atomic uint32_t states_given, states_released;

static void on_ended(void *argument, const char *code, uint64_t until)
{
    (void)code;
    assert_int_equal(until, 1234);
    ((struct owner *)argument)->ended++;
}

static void on_fenced(void *argument, const char *code)
{
    assert_string_equal(code, "AB2CD3");
    ((struct owner *)argument)->fenced++;
}

static void start_owner(struct owner *owner, const char *name, uint64_t grace)
{
    const struct broker_definition to = {.node = name};

    *owner = (struct owner){.broker = broker_memory_open(&world, &to)};
    const struct checkpoints_definition definition = {.broker = owner->broker,
                                                      .counts = &owner->counts,
                                                      .ended = on_ended,
                                                      .fenced = on_fenced,
                                                      .grace = grace,
                                                      .argument = owner};
    owner->checkpoints = checkpoints_create(&definition);
    assert_non_null(owner->checkpoints);
}

static void count_release(void *memory, size_t size)
{
    (void)memory;
    assert_int_not_equal(size, 0);
    states_released++;
}

static int make(void **state)
{
    (void)state;
    states_given = states_released = 0;
    broker_world_init(&world);
    start_owner(&a, "a", 0);
    start_owner(&b, "b", UINT64_MAX);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    checkpoints_destroy(a.checkpoints, 1);
    checkpoints_destroy(b.checkpoints, 1);
    broker_close(a.broker);
    broker_close(b.broker);
    broker_world_finish(&world);
    assert_int_equal(states_released, states_given); /* each once */
    return 0;
}

/* Stores a state of that size, each byte of which has that value. */
static void put_as(struct owner *owner, const char *code, bool first, size_t size, uint8_t value)
{
    struct store_room room = {.listed = true,
                              .creator = 77,
                              .first = first,
                              .size = size,
                              .state = malloc(size),
                              .release = count_release};

    assert_non_null(room.state);
    (void)snprintf(room.code, sizeof room.code, "%s", code);
    memset(room.state, value, size);
    states_given++;
    assert_true(store_put(checkpoints_store(owner->checkpoints), &room));
}

static void put(struct owner *owner, size_t size, uint8_t value)
{
    put_as(owner, "AB2CD3", false, size, value);
}

static bool written(struct owner *owner)
{
    return checkpoints_finish(owner->checkpoints, "AB2CD3", PATIENCE);
}

/* Checks that a state of that size and value is read. */
static void expect(struct owner *owner, size_t size, uint8_t value)
{
    struct store_room kept;

    assert_int_equal(checkpoints_read_terms(owner->checkpoints, "AB2CD3", &kept), BROKER_OK);
    assert_true(kept.listed);
    assert_int_equal(kept.creator, 77);
    assert_null(kept.state);
    assert_int_equal(checkpoints_read(owner->checkpoints, "AB2CD3", &kept), BROKER_OK);
    assert_string_equal(kept.code, "AB2CD3");
    assert_true(kept.listed);
    assert_int_equal(kept.creator, 77);
    assert_int_equal(kept.size, size);
    assert_int_equal(kept.state[size - 1], value); /* the head has the checksum */
    assert_int_equal(kept.state[size / 2], value);
    free(kept.state);
}

static uint32_t count_keys(void)
{
    uint32_t count = 0;

    pthread_mutex_lock(&world.lock);
    for (const struct memory_entry *at = world.entries[BROKER_CHECKS]; at != NULL; at = at->next) {
        count += !at->deleted && strcmp(at->key, "_secret") != 0;
    }
    pthread_mutex_unlock(&world.lock);
    return count;
}

static void test_the_newest_is_read(void **state)
{
    struct store_room kept;

    (void)state;
    assert_int_equal(checkpoints_read(a.checkpoints, "AB2CD3", &kept), BROKER_NONE);
    assert_true(checkpoints_own(a.checkpoints, "AB2CD3", 5));
    for (uint8_t value = 1; value < 20; value++) {
        put(&a, 1000u + value, value);
    }
    assert_true(written(&a));
    expect(&b, 1019, 19);
    assert_int_equal(count_keys(), 1);
}

/* A state that the hub stores before the code is won waits. */
static void test_an_owner_to_be(void **state)
{
    (void)state;
    put(&a, 1000, 1);
    uv_sleep(20);
    assert_int_equal(count_keys(), 0);
    assert_true(checkpoints_own(a.checkpoints, "AB2CD3", 5));
    assert_true(written(&a));
    expect(&b, 1000, 1);
    checkpoints_disown(a.checkpoints, "AB2CD3");
    put(&a, 1000, 2);
    uv_sleep(20);
    expect(&b, 1000, 1);
}

/* Big rooms are in parts, in two sets by turns, of which the head names the whole one. */
static void test_parts(void **state)
{
    (void)state;
    assert_true(checkpoints_own(a.checkpoints, "AB2CD3", 5));
    for (uint8_t value = 1; value < 4; value++) {
        put(&a, BIG, value);
        assert_true(written(&a));
        expect(&b, BIG, value);
    }
    assert_int_equal(count_keys(), 1 + 2 * 3);
    put(&a, 1000, 9); /* it has become small */
    assert_true(written(&a));
    expect(&b, 1000, 9);
    assert_true(store_end(checkpoints_store(a.checkpoints), "AB2CD3", 1234));
    while (count_keys() > 0) {
        uv_sleep(1);
    }
    assert_int_equal(a.ended, 1);
}

/* A set of parts that lacks one is not read. */
static void test_a_missing_part(void **state)
{
    struct store_room kept;

    (void)state;
    assert_true(checkpoints_own(a.checkpoints, "AB2CD3", 5));
    put(&a, BIG, 1);
    assert_true(written(&a));
    assert_int_equal(broker_drop(a.broker, BROKER_BULK, BROKER_CHECKS, "AB2CD3.5.b.1", NULL),
                     BROKER_OK);
    assert_int_equal(checkpoints_read(b.checkpoints, "AB2CD3", &kept), BROKER_NONE);
}

/* The new owner overwrites the old owner's last write; the old owner learns that it lost the room.
 */
static void test_fencing(void **state)
{
    (void)state;
    assert_true(checkpoints_own(a.checkpoints, "AB2CD3", 5));
    put(&a, BIG, 1);
    assert_true(written(&a));
    assert_true(checkpoints_own(b.checkpoints, "AB2CD3", 8));
    put(&b, 1000, 2);
    assert_true(written(&b));
    put(&a, 1000, 3);
    assert_false(checkpoints_finish(a.checkpoints, "AB2CD3", 500));
    assert_int_equal(a.fenced, 1);
    expect(&a, 1000, 2);
    put(&b, 1000, 4);
    assert_true(written(&b));
    expect(&a, 1000, 4);
    assert_int_equal(b.fenced, 0);
    assert_int_equal(count_keys(), 1); /* the old owner's parts have gone */
}

/* A write whose answer is lost is read, and not repeated against its own revision for ever. */
static void test_lost_answers(void **state)
{
    (void)state;
    assert_true(checkpoints_own(a.checkpoints, "AB2CD3", 5));
    put(&a, 1000, 1);
    assert_true(written(&a));
    pthread_mutex_lock(&world.lock);
    world.lose_answers = 1;
    pthread_mutex_unlock(&world.lock);
    put(&a, 1000, 2);
    assert_true(written(&a));
    assert_true(a.counts.checkpoints_failed >= 1);
    expect(&b, 1000, 2);
    assert_int_equal(a.fenced, 0);
}

/* Stores a state that cannot be written, and waits until a write has failed. */
static void put_in_vain(struct owner *owner)
{
    const uint64_t end = uv_hrtime() + PATIENCE * UINT64_C(1000000);
    struct store_status status;

    put(owner, 1000, 1);
    assert_false(checkpoints_finish(owner->checkpoints, "AB2CD3", 50));
    do {
        uv_sleep(1);
        store_status(checkpoints_store(owner->checkpoints), &status);
    } while (!status.failing && uv_hrtime() < end);
    assert_true(status.failing);
}

/* While NATS does not answer, the newest state waits. */
static void test_no_answers(void **state)
{
    struct store_status status;

    (void)state;
    assert_true(checkpoints_own(a.checkpoints, "AB2CD3", 5));
    pthread_mutex_lock(&world.lock);
    world.frozen[BROKER_CHECKS] = true;
    pthread_mutex_unlock(&world.lock);
    put_in_vain(&a);
    assert_true(store_failing(checkpoints_store(a.checkpoints)));
    put(&a, 1000, 2);
    pthread_mutex_lock(&world.lock);
    world.frozen[BROKER_CHECKS] = false;
    pthread_mutex_unlock(&world.lock);
    assert_true(written(&a));
    expect(&b, 1000, 2);
    store_status(checkpoints_store(a.checkpoints), &status);
    assert_false(status.failing);
    assert_int_equal(status.waiting, 0);
}

/* Stores a state of each stranger's room. */
static void put_strangers(void)
{
    char code[16];

    for (unsigned i = 0; i < ROOMS; i++) {
        (void)snprintf(code, sizeof code, "R%05u", i);
        assert_true(checkpoints_own(a.checkpoints, code, 5));
        put_as(&a, code, false, 1000, 1);
    }
}

/* Waits until that many states have been written, and none waits. */
static void wait_for_writes(uint64_t writes)
{
    const uint64_t end = uv_hrtime() + PATIENCE * UINT64_C(1000000);
    struct store_status status;

    do {
        uv_sleep(1);
        store_status(checkpoints_store(a.checkpoints), &status);
    } while ((status.writes < writes || status.waiting > 0) && uv_hrtime() < end);
    assert_int_equal(status.waiting, 0);
}

/* Returns how many strangers' rooms have been written since the lobby was. */
static unsigned written_after_the_lobby(void)
{
    uint64_t lobby = 0;
    unsigned after = 0;

    pthread_mutex_lock(&world.lock);
    for (const struct memory_entry *at = world.entries[BROKER_CHECKS]; at != NULL; at = at->next) {
        lobby = strcmp(at->key, "lobby") == 0 ? at->revision : lobby;
    }
    for (const struct memory_entry *at = world.entries[BROKER_CHECKS]; at != NULL; at = at->next) {
        after += at->key[0] == 'R' && at->revision > lobby;
    }
    pthread_mutex_unlock(&world.lock);
    return after;
}

/* The lobby waits for one write at most, also if strangers' rooms were stored before it. Without
 * the lock of the world no write ends, so that all rooms wait. */
static void test_the_lobby_is_written_first(void **state)
{
    (void)state;
    assert_true(checkpoints_own(a.checkpoints, "lobby", 5));
    for (uint8_t value = 1; value < 3; value++) {
        pthread_mutex_lock(&world.lock);
        put_strangers();
        put_as(&a, "lobby", true, 1000, value);
        pthread_mutex_unlock(&world.lock);
        wait_for_writes(value * (ROOMS + 1));
        assert_in_range(written_after_the_lobby(), ROOMS - AT_ONCE, ROOMS);
    }
}

/* A room that stops or begins to be first, while it waits, is written. */
static void test_a_waiting_room_becomes_first(void **state)
{
    (void)state;
    put_as(&a, "AB2CD3", false, 1000, 1);
    pthread_mutex_lock(&world.lock);
    put_strangers();
    assert_true(checkpoints_own(a.checkpoints, "AB2CD3", 5));
    put_as(&a, "AB2CD3", true, 1000, 2);
    put_as(&a, "AB2CD3", false, 1000, 3);
    pthread_mutex_unlock(&world.lock);
    wait_for_writes(ROOMS + 1);
    expect(&b, 1000, 3);
}

static void expect_untold_failure(struct owner *owner)
{
    assert_true(checkpoints_own(owner->checkpoints, "AB2CD3", 5));
    put_in_vain(owner);
    assert_false(store_failing(checkpoints_store(owner->checkpoints)));
}

/* The operator sees a failure at once. People would see that their room cannot be saved when NATS
 * is back, or while its servers agree on a leader, and a moment later that it can. */
static void test_people_are_told_of_lasting_failures_only(void **state)
{
    (void)state;
    broker_memory_connect(a.broker, false);
    expect_untold_failure(&a);
    broker_memory_connect(a.broker, true);
    assert_true(written(&a));
    pthread_mutex_lock(&world.lock);
    world.frozen[BROKER_CHECKS] = true;
    pthread_mutex_unlock(&world.lock);
    expect_untold_failure(&b);
    pthread_mutex_lock(&world.lock);
    world.frozen[BROKER_CHECKS] = false;
    pthread_mutex_unlock(&world.lock);
}

/* All nodes have one secret, so that a creator has the same number everywhere. */
static void test_the_secret(void **state)
{
    static const uint8_t nothing[STORE_SECRET_SIZE];
    const uint8_t *secret = store_secret(checkpoints_store(a.checkpoints));

    (void)state;
    assert_memory_equal(secret, store_secret(checkpoints_store(b.checkpoints)), STORE_SECRET_SIZE);
    assert_memory_not_equal(secret, nothing, STORE_SECRET_SIZE);
}

static uint32_t released;

static void release(void *memory)
{
    (void)memory;
    released++;
}

/* Pasts and recordings are not kept, and given back at once. */
static void test_what_is_not_kept(void **state)
{
    const struct store_recording recording = {.release = release};
    const struct store_past past = {.release = release};

    (void)state;
    released = 0;
    assert_false(store_put_recording(checkpoints_store(a.checkpoints), "AB2CD3", &recording));
    assert_false(store_put_past(checkpoints_store(a.checkpoints), "AB2CD3", &past));
    assert_int_equal(released, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_newest_is_read, make, finish),
        cmocka_unit_test_setup_teardown(test_an_owner_to_be, make, finish),
        cmocka_unit_test_setup_teardown(test_parts, make, finish),
        cmocka_unit_test_setup_teardown(test_a_missing_part, make, finish),
        cmocka_unit_test_setup_teardown(test_fencing, make, finish),
        cmocka_unit_test_setup_teardown(test_lost_answers, make, finish),
        cmocka_unit_test_setup_teardown(test_no_answers, make, finish),
        cmocka_unit_test_setup_teardown(test_the_lobby_is_written_first, make, finish),
        cmocka_unit_test_setup_teardown(test_a_waiting_room_becomes_first, make, finish),
        cmocka_unit_test_setup_teardown(test_people_are_told_of_lasting_failures_only, make,
                                        finish),
        cmocka_unit_test_setup_teardown(test_the_secret, make, finish),
        cmocka_unit_test_setup_teardown(test_what_is_not_kept, make, finish),
    };
    return cmocka_run_group_tests_name("checkpoints", tests, NULL, NULL);
}
