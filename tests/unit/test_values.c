/* The readers of leases, routes, heads, beats and facts return the written values, and refuse
 * damaged bytes. */
#include "cluster/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/key.h"
#include "sim/flock.h"

static uint8_t bytes[VALUES_MAX], again[VALUES_MAX];

static void test_leases(void **state)
{
    const struct node_lease lease = {
        .dead = true, .incarnation = UINT64_MAX, .role = NODE_BOTH, .version = 7};
    const size_t size = values_write_lease(&lease, bytes);
    struct node_lease read;

    (void)state;
    assert_true(values_read_lease(bytes, size, &read));
    assert_true(read.dead);
    assert_int_equal(read.incarnation, lease.incarnation);
    assert_int_equal(read.role, NODE_BOTH);
    assert_int_equal(read.version, 7);
    assert_false(values_read_lease(bytes, size - 1, &read));
    bytes[1]++; /* a later version */
    assert_false(values_read_lease(bytes, size, &read));
}

static void test_routes(void **state)
{
    const struct route_value owned = {.owner = "sim-1", .incarnation = 42};
    const struct route_value ended = {.ended = true, .until = 1234567890123};
    struct route_value read;
    size_t size = values_write_route(&owned, bytes);

    (void)state;
    assert_true(values_read_route(bytes, size, &read));
    assert_string_equal(read.owner, "sim-1");
    assert_int_equal(read.incarnation, 42);
    bytes[4] = 'S'; /* no node has such a name */
    assert_false(values_read_route(bytes, size, &read));
    size = values_write_route(&ended, bytes);
    assert_true(values_read_route(bytes, size, &read));
    assert_true(read.ended);
    assert_int_equal(read.until, ended.until);
}

static void test_taking(void **state)
{
    const struct room_take take = {
        .code = "AB2CD3", .revision = 9, .route = {.owner = "b", .incarnation = 3}};
    const size_t size = values_write_take(&take, bytes);
    struct room_take read;

    (void)state;
    assert_true(values_read_take(bytes, size, &read));
    assert_string_equal(read.code, take.code);
    assert_int_equal(read.revision, 9);
    assert_string_equal(read.route.owner, "b");
    bytes[3] = 'a'; /* no room has such a code */
    assert_false(values_read_take(bytes, size, &read));
}

static const struct room_parcel a_parcel = {.code = "AB2CD3",
                                            .node = "a",
                                            .number = 1,
                                            .epoch = 2,
                                            .is_film = true,
                                            .trusted = true,
                                            .creator = 3,
                                            .size = 4};

static void test_parcels(void **state)
{
    const struct parcel_answer answer = {
        .node = "b", .number = 5, .result = PARCEL_BROKEN, .index = 300};
    const struct parcel_part part = {.number = 6, .index = 7};
    struct room_parcel parcel;
    struct parcel_answer answered;
    struct parcel_part found;
    size_t used;
    size_t size = values_write_parcel(&a_parcel, bytes);

    (void)state;
    assert_true(values_read_parcel(bytes, size, &parcel));
    assert_int_equal(values_write_parcel(&parcel, again), size);
    assert_memory_equal(again, bytes, size);
    assert_false(values_read_answer(bytes, size, &answered)); /* it is no other kind */
    assert_false(values_read_parcel(bytes, size - 1, &parcel));
    size = values_write_answer(&answer, bytes);
    assert_true(values_read_answer(bytes, size, &answered));
    assert_string_equal(answered.node, "b");
    assert_int_equal(answered.number, 5);
    assert_int_equal(answered.result, PARCEL_BROKEN);
    assert_int_equal(answered.index, 300);
    assert_false(values_read_answer(bytes, size - 1, &answered));
    bytes[size - 5]++; /* no such result */
    assert_false(values_read_answer(bytes, size, &answered));
    size = values_write_part(&part, bytes);
    assert_true(values_read_part(bytes, size + 100, &found, &used));
    assert_int_equal(used, size);
    assert_int_equal(found.number, 6);
    assert_int_equal(found.index, 7);
    assert_false(values_read_part(bytes, size - 1, &found, &used));
}

static void test_heads(void **state)
{
    const struct check_head head = {.epoch = 77,
                                    .parts = 3,
                                    .turn = true,
                                    .size = 2000000,
                                    .listed = true,
                                    .saved_at = 5,
                                    .fingerprint = 6,
                                    .creator = 8};
    const size_t size = values_write_head(&head, bytes);
    struct check_head read;
    size_t used;

    (void)state;
    assert_true(values_read_head(bytes, size, &read, &used));
    assert_int_equal(used, size);
    assert_int_equal(values_write_head(&read, again), size);
    assert_memory_equal(again, bytes, size);
    assert_int_equal(read.size, head.size);
}

static void test_beats(void **state)
{
    const struct node_beat beat = {.name = "sim-1",
                                   .incarnation = 1,
                                   .revision = 2,
                                   .role = NODE_SIM,
                                   .version = 3,
                                   .draining = true,
                                   .load = 4,
                                   .rooms = 5,
                                   .rooms_max = 6,
                                   .boids_left = 7,
                                   .http = "[::1]:8081",
                                   .http_key = "0123456789abcdef0123456789abcdef"};
    const size_t size = values_write_beat(&beat, bytes);
    struct node_beat read;

    (void)state;
    assert_true(values_read_beat(bytes, size, &read));
    assert_int_equal(values_write_beat(&read, again), size);
    assert_memory_equal(again, bytes, size);
    assert_string_equal(read.http, beat.http);
    assert_int_equal(read.boids_left, 7);
}

static struct directory_entry taken[4];
static uint64_t epochs[4];
static uint32_t taken_count;

static void take(void *argument, const struct directory_entry *entry, uint64_t epoch)
{
    (void)argument;
    assert_true(taken_count < 4);
    epochs[taken_count] = epoch;
    taken[taken_count++] = *entry;
}

static void test_facts(void **state)
{
    static struct facts_writer writer;
    struct directory_entry entries[2] = {
        {.code = "lobby", .title = "Flöck", .model = 2, .preset = 3, .people = 4, .listed = true},
        {.code = "AB2CD3", .preset = FLOCK_PRESET_NONE, .locked = true, .creator = 5}};
    uint64_t incarnation;

    (void)state;
    snprintf(entries[0].key, sizeof entries[0].key, "secret");
    entries[0].key_made = true;
    snprintf(entries[1].key, sizeof entries[1].key, "chosen");
    values_begin_facts(&writer, 99);
    assert_true(values_add_facts(&writer, &entries[0], 7));
    assert_true(values_add_facts(&writer, &entries[1], 0));
    taken_count = 0;
    assert_true(values_read_facts(writer.bytes, writer.size, &incarnation, take, NULL));
    assert_int_equal(incarnation, 99);
    assert_int_equal(taken_count, 2);
    assert_true(key_same(taken[0].key, "secret")); /* its digest has come */
    assert_int_not_equal(taken[0].key[0], 's');
    assert_string_equal(taken[0].title, "Flöck");
    assert_int_equal(taken[0].model, 2);
    assert_int_equal(taken[0].preset, 3);
    assert_int_equal(taken[0].people, 4);
    assert_true(taken[0].listed && !taken[0].locked);
    assert_string_equal(taken[1].code, "AB2CD3");
    assert_string_equal(taken[1].key, ""); /* the digest of a chosen key stays */
    assert_int_equal(taken[1].preset, FLOCK_PRESET_NONE);
    assert_true(taken[1].locked && !taken[1].listed);
    assert_int_equal(taken[1].creator, 5);
    assert_int_equal(epochs[0], 7);
    assert_int_equal(epochs[1], 0);
    while (values_add_facts(&writer, &entries[0], 7)) {
        assert_true(writer.size <= VALUES_FACTS_MAX);
    }
}

/* Fields that a later release appends are skipped, also in front of a room's bytes and between
 * facts. */
static void test_later_releases(void **state)
{
    static struct facts_writer writer;
    const struct directory_entry entry = {.code = "lobby", .preset = FLOCK_PRESET_NONE};
    const struct check_head whole = {.epoch = 77, .size = 10}, parts = {.epoch = 77, .parts = 3};
    struct room_take room = {.code = "AB2CD3", .route = {.owner = "b"}};
    struct node_lease lease = {.role = NODE_SIM};
    struct node_beat beat = {.name = "a", .role = NODE_SIM};
    struct route_value route = {.owner = "b"};
    struct check_head head;
    uint64_t incarnation;
    size_t used;

    (void)state;
    memset(bytes, 0xee, sizeof bytes);
    assert_true(values_read_lease(bytes, values_write_lease(&lease, bytes) + 3, &lease));
    assert_true(values_read_route(bytes, values_write_route(&route, bytes) + 3, &route));
    assert_true(values_read_take(bytes, values_write_take(&room, bytes) + 3, &room));
    assert_true(values_read_beat(bytes, values_write_beat(&beat, bytes) + 3, &beat));
    struct room_parcel parcel;
    assert_true(values_read_parcel(bytes, values_write_parcel(&a_parcel, bytes) + 3, &parcel));
    const size_t size = values_write_head(&whole, bytes);
    assert_true(values_read_head(bytes, size + 3 + 10, &head, &used));
    assert_int_equal(used, size + 3);
    assert_true(values_read_head(bytes, values_write_head(&parts, bytes) + 3, &head, &used));
    assert_int_equal(used, size + 3);
    values_begin_facts(&writer, 99);
    for (uint32_t i = 0; i < 2; i++) {
        const size_t before = writer.size;
        assert_true(values_add_facts(&writer, &entry, 8));
        writer.bytes[before] += 3; /* the entry's size */
        writer.size += 3;
    }
    taken_count = 0;
    assert_true(values_read_facts(writer.bytes, writer.size, &incarnation, take, NULL));
    assert_int_equal(taken_count, 2);
    assert_string_equal(taken[1].code, "lobby");
}

/* Reads any bytes as everything. */
static void read_all(const uint8_t *any, size_t size)
{
    struct node_lease lease;
    struct route_value route;
    struct room_take room;
    struct check_head head;
    struct node_beat beat;
    struct room_parcel parcel;
    struct parcel_answer answer;
    struct parcel_part part;
    uint64_t incarnation;
    size_t used;

    taken_count = 0;
    (void)values_read_answer(any, size, &answer);
    (void)values_read_part(any, size, &part, &used);
    if (values_read_parcel(any, size, &parcel)) {
        assert_true(node_name_is_valid(parcel.node) && parcel.code[0] != '\0');
    }
    (void)values_read_lease(any, size, &lease);
    (void)values_read_route(any, size, &route);
    (void)values_read_take(any, size, &room);
    (void)values_read_head(any, size, &head, &used);
    (void)values_read_facts(any, size, &incarnation, take, NULL);
    if (values_read_beat(any, size, &beat)) {
        assert_true(node_name_is_valid(beat.name));
    }
}

/* Every byte of everything takes every value, and everything is cut everywhere. */
static void test_any_bytes(void **state)
{
    static struct facts_writer writer;
    const struct directory_entry entry = {.code = "lobby", .preset = FLOCK_PRESET_NONE};
    const struct node_beat beat = {.name = "a", .role = NODE_SIM};

    (void)state;
    values_begin_facts(&writer, 1);
    assert_true(values_add_facts(&writer, &entry, 8));
    const size_t parcel_size = values_write_parcel(&a_parcel, again);
    for (size_t at = 0; at < parcel_size; at++) {
        for (unsigned value = 0; value < 256; value++) {
            const uint8_t before = again[at];
            again[at] = (uint8_t)value;
            read_all(again, parcel_size);
            again[at] = before;
        }
    }
    const size_t beat_size = values_write_beat(&beat, bytes);
    for (size_t cut = 0; cut <= writer.size; cut++) {
        uint8_t *copy = malloc(cut + 1); /* so that sanitizers see every byte too many */
        memcpy(copy, writer.bytes, cut);
        read_all(copy, cut);
        free(copy);
    }
    for (size_t at = 0; at < writer.size; at++) {
        for (unsigned value = 0; value < 256; value++) {
            const uint8_t before = writer.bytes[at];
            writer.bytes[at] = (uint8_t)value;
            read_all(writer.bytes, writer.size);
            writer.bytes[at] = before;
        }
    }
    for (size_t at = 0; at < beat_size; at++) {
        for (unsigned value = 0; value < 256; value++) {
            const uint8_t before = bytes[at];
            bytes[at] = (uint8_t)value;
            read_all(bytes, beat_size);
            bytes[at] = before;
        }
    }
}

static void test_names_of_nodes(void **state)
{
    (void)state;
    assert_true(node_name_is_valid("sim-1"));
    assert_false(node_name_is_valid(""));
    assert_false(node_name_is_valid("Sim"));
    assert_false(node_name_is_valid("a.b"));
    assert_false(node_name_is_valid("a b"));
    assert_false(node_name_is_valid(">"));
    assert_true(node_name_is_valid("a2345678901234567890123456789012"));
    assert_false(node_name_is_valid("a23456789012345678901234567890123"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leases),         cmocka_unit_test(test_routes),
        cmocka_unit_test(test_taking),         cmocka_unit_test(test_heads),
        cmocka_unit_test(test_beats),          cmocka_unit_test(test_facts),
        cmocka_unit_test(test_any_bytes),      cmocka_unit_test(test_names_of_nodes),
        cmocka_unit_test(test_later_releases), cmocka_unit_test(test_parcels),
    };
    return cmocka_run_group_tests_name("values of a cluster", tests, NULL, NULL);
}
