/* The directory of rooms: codes that people can read aloud, unknown codes, numbers that are never
 * reused, and limits with waiting times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/counter.h"

#include "directory_rooms.h"

#define HOUR UINT64_C(3600000000)
#define DAY  (24 * HOUR)

static int make(void **state)
{
    (void)state;
    return make_of(1000, 60);
}

static int make_small(void **state)
{
    (void)state;
    return make_of(3, 2);
}

static int make_few(void **state)
{
    (void)state;
    return make_of(4, 2);
}

static int make_strict(void **state)
{
    (void)state;
    return make_of(1000, 2);
}

static enum directory_result ask(const char *address, uint64_t now, uint32_t *retry_after)
{
    const struct directory_creator creator = {.address = address, .number = number_of(address)};
    struct directory_entry entry = {.model = 0};
    struct directory_added added;
    enum directory_result result = directory_add(directory, NULL, &creator, now, &entry, &added);

    *retry_after = added.retry_after != 0 ? added.retry_after : *retry_after;

    if (result == DIRECTORY_OK) {
        directory_open(directory, &entry);
    }
    return result;
}

/* A code has six characters that do not look or sound alike. All codes differ. */
static void test_codes(void **state)
{
    char codes[500][PROTO_ROOM_MAX + 1];

    (void)state;
    for (size_t i = 0; i < 500; i++) {
        struct directory_entry entry = add(NULL, false);
        assert_int_equal(strlen(entry.code), 6);
        assert_int_equal(strspn(entry.code, "2346789FKLMRWXY"), 6);
        memcpy(codes[i], entry.code, sizeof codes[i]);
        for (size_t before = 0; before < i; before++) {
            assert_string_not_equal(codes[i], codes[before]);
        }
    }
}

static void test_found_when_open(void **state)
{
    struct directory_entry entry = {.model = 2, .runner = 3, .boids = 120};
    struct directory_entry found;
    struct directory_added added;
    uint32_t runner = 0;

    (void)state;
    assert_false(directory_find(directory, "lobby", &found));
    assert_int_equal(directory_add(directory, "lobby", &server, 0, &entry, &added), DIRECTORY_OK);
    assert_false(directory_find(directory, "lobby", &found));
    strcpy(entry.title, "Starlings");
    directory_open(directory, &entry);
    assert_true(directory_find(directory, "lobby", &found));
    assert_string_equal(found.title, "Starlings");
    assert_int_equal(found.model, 2);
    assert_int_equal(found.boids, 120);
    assert_true(found.number == entry.number);
    assert_true(directory_runner(directory, entry.number, &runner));
    assert_int_equal(runner, 3);
    assert_false(directory_find(directory, "LOBBY", &found));
    assert_false(directory_find(directory, "lobb", &found));
}

/* An update of a room shows; an update of an ended room changes nothing. */
/* A runner may end a room between its making and its opening. */
static void test_a_room_that_ended_does_not_open(void **state)
{
    struct directory_entry entry = {.model = 0};
    struct directory_added added;

    (void)state;
    assert_int_equal(directory_add(directory, NULL, &server, 0, &entry, &added), DIRECTORY_OK);
    directory_remove(directory, entry.number, 0);
    directory_open(directory, &entry);
    assert_false(directory_find(directory, entry.code, &entry));
}

static void test_updates(void **state)
{
    struct directory_entry entry = add("lobby", false);
    struct room_facts facts = {.title = "A longer title", .people = 7, .boids = 12};
    struct directory_entry found;

    (void)state;
    facts.model = 1;
    facts.preset = 3;
    directory_update(directory, entry.number, &facts);
    facts.title = "Short";
    directory_update(directory, entry.number, &facts);
    directory_list_room(directory, entry.number, true);
    assert_true(directory_find(directory, "lobby", &found));
    assert_string_equal(found.title, "Short");
    assert_int_equal(found.people, 7);
    assert_int_equal(found.boids, 12);
    assert_int_equal(found.model, 1);
    assert_int_equal(found.preset, 3);
    assert_true(found.listed);
    directory_remove(directory, entry.number, 0);
    struct directory_entry other = add(NULL, false);
    assert_int_equal(room_slot(other.number), room_slot(entry.number));
    directory_update(directory, entry.number, &facts);
    directory_list_room(directory, entry.number, true);
    assert_true(directory_find(directory, other.code, &found));
    assert_string_equal(found.title, "");
    assert_false(found.listed);
}

/* A number never names another room. The figures of a slot begin at 0 with each room. */
static void test_numbers_are_not_used_again(void **state)
{
    struct directory_entry first = add(NULL, false);
    struct room_stats *stats = directory_stats(directory, room_slot(first.number));
    uint32_t runner;

    (void)state;
    counter_add(&stats->ticks, 5);
    directory_remove(directory, first.number, 0);
    assert_int_equal(directory_count(directory), 0);
    assert_false(directory_runner(directory, first.number, &runner));
    struct directory_entry second = add(NULL, false);
    assert_int_equal(room_slot(second.number), room_slot(first.number));
    assert_true(second.number != first.number);
    assert_ptr_equal(directory_stats(directory, room_slot(second.number)), stats);
    assert_int_equal(counter_read(&stats->ticks), 0);
    directory_remove(directory, first.number, 0); /* the room has ended: no effect */
    assert_int_equal(directory_count(directory), 1);
}

/* The code of an ended room is unknown, and no new room gets it for a day. */
static void test_a_code_is_reserved_for_a_day(void **state)
{
    struct directory_entry entry = add("FK72MX", false);
    struct directory_entry found;
    struct directory_added added;

    (void)state;
    directory_remove(directory, entry.number, HOUR);
    assert_false(directory_find(directory, "FK72MX", &found));
    struct directory_entry again = {.model = 0};
    assert_int_equal(directory_add(directory, "FK72MX", &server, HOUR + DAY - 1, &again, &added),
                     DIRECTORY_TAKEN);
    assert_int_equal(directory_add(directory, "FK72MX", &server, HOUR + DAY, &again, &added),
                     DIRECTORY_OK);
}

/* A room that could not be made leaves no entry. */
static void test_removed_before_open(void **state)
{
    struct directory_entry entry = {.model = 0};
    struct directory_entry again = {.model = 0};
    struct directory_added added;

    (void)state;
    assert_int_equal(directory_add(directory, "FK72MX", &server, 0, &entry, &added), DIRECTORY_OK);
    directory_remove(directory, entry.number, 0);
    assert_int_equal(directory_count(directory), 0);
    assert_int_equal(directory_add(directory, "FK72MX", &server, 0, &again, &added), DIRECTORY_OK);
}

static void test_full(void **state)
{
    uint32_t retry_after;
    struct directory_entry one;

    (void)state;
    add(ROOM_LOBBY, true);
    one = add(NULL, false);
    add(NULL, false);
    assert_int_equal(ask("10.0.0.1", 0, &retry_after), DIRECTORY_FULL);
    directory_remove(directory, one.number, 0);
    assert_int_equal(ask("10.0.0.1", 0, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("10.0.0.1", 0, &retry_after), DIRECTORY_FULL);
}

/* With two rooms per hour, a third room from the same address is refused until the announced time.
 * A room that was refused for another reason does not count. */
static void test_rooms_an_hour(void **state)
{
    struct directory_entry entry;
    uint32_t next = 0;
    uint32_t retry_after = 0;

    (void)state;
    assert_int_equal(ask("10.0.0.1", 0, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("10.0.0.1", 0, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("10.0.0.1", 0, &retry_after), DIRECTORY_TOO_MANY);
    assert_in_range(retry_after, 1800000, 1800001);
    assert_int_equal(ask("10.0.0.2", 0, &retry_after), DIRECTORY_OK);
    while (directory_read(directory, false, &next, &entry, 1) == 1) {
        directory_remove(directory, entry.number, 0);
    }
    assert_int_equal(ask("10.0.0.1", HOUR / 2 - 1000000, &retry_after), DIRECTORY_TOO_MANY);
    assert_in_range(retry_after, 999, 1001);
    assert_int_equal(ask("10.0.0.1", HOUR / 2, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("10.0.0.1", HOUR / 2, &retry_after), DIRECTORY_TOO_MANY);
}

/* The addresses of an IPv6 network count as one. */
static void test_addresses_of_one_network_count_as_one(void **state)
{
    uint32_t retry_after;

    (void)state;
    assert_int_equal(ask("2001:db8:1:2::1", 0, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("2001:db8:1:9:3:4:5:6", 0, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("2001:db8:1:7::7", 0, &retry_after), DIRECTORY_TOO_MANY);
    assert_int_equal(ask("2001:db8:2:3::1", 0, &retry_after), DIRECTORY_OK);
}

/* IPv4 addresses in the form of IPv6 count separately. */
static void test_ipv4_within_ipv6(void **state)
{
    uint32_t retry_after;

    (void)state;
    assert_int_equal(ask("::ffff:10.0.0.1", 0, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("::ffff:10.0.0.1", 0, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("::ffff:10.0.0.1", 0, &retry_after), DIRECTORY_TOO_MANY);
    assert_int_equal(ask("::ffff:10.0.0.2", 0, &retry_after), DIRECTORY_OK);
}

/* Of two threads at almost the same time, the thread that read the clock first may call second. */
static void test_rooms_an_hour_for_two_at_once(void **state)
{
    uint32_t retry_after;

    (void)state;
    assert_int_equal(ask("10.0.0.1", HOUR, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("10.0.0.1", HOUR - 1, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask("10.0.0.1", HOUR - 2, &retry_after), DIRECTORY_TOO_MANY);
}

/* Memory stays bounded with many addresses, and refused addresses stay refused. */
static void test_many_addresses(void **state)
{
    uint32_t retry_after;
    char address[NETWORK_ADDRESS_MAX];
    struct directory_entry entry;

    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t next = 0;
        snprintf(address, sizeof address, "10.%u.%u.%u", i >> 16, i >> 8 & 255, i & 255);
        assert_int_equal(ask(address, i * UINT64_C(1000000), &retry_after), DIRECTORY_OK);
        assert_int_equal(directory_read(directory, false, &next, &entry, 1), 1);
        directory_remove(directory, entry.number, i * UINT64_C(1000000));
    }
    assert_int_equal(ask(address, UINT64_C(20000) * 1000000, &retry_after), DIRECTORY_OK);
    assert_int_equal(ask(address, UINT64_C(20000) * 1000000, &retry_after), DIRECTORY_TOO_MANY);
}

/* Reads only listed rooms, or all rooms, in parts of any size. */
static void test_reading(void **state)
{
    struct directory_entry entries[4];
    uint32_t next = 0;
    uint32_t all = 0;
    uint32_t listed = 0;

    (void)state;
    for (unsigned i = 0; i < 30; i++) {
        add(NULL, i % 3 == 0);
    }
    for (uint32_t count = 1; count > 0; all += count) {
        count = directory_read(directory, false, &next, entries, 4);
    }
    next = 0;
    for (uint32_t count = 1; count > 0; listed += count) {
        count = directory_read(directory, true, &next, entries, 4);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(entries[i].listed);
        }
    }
    assert_int_equal(all, 30);
    assert_int_equal(listed, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_codes, make, finish),
        cmocka_unit_test_setup_teardown(test_found_when_open, make, finish),
        cmocka_unit_test_setup_teardown(test_a_room_that_ended_does_not_open, make, finish),
        cmocka_unit_test_setup_teardown(test_updates, make, finish),
        cmocka_unit_test_setup_teardown(test_numbers_are_not_used_again, make, finish),
        cmocka_unit_test_setup_teardown(test_a_code_is_reserved_for_a_day, make, finish),
        cmocka_unit_test_setup_teardown(test_removed_before_open, make, finish),
        cmocka_unit_test_setup_teardown(test_full, make_small, finish),
        cmocka_unit_test_setup_teardown(test_rooms_an_hour, make_strict, finish),
        cmocka_unit_test_setup_teardown(test_rooms_an_hour_for_two_at_once, make_strict, finish),
        cmocka_unit_test_setup_teardown(test_addresses_of_one_network_count_as_one, make_strict,
                                        finish),
        cmocka_unit_test_setup_teardown(test_ipv4_within_ipv6, make_strict, finish),
        cmocka_unit_test_setup_teardown(test_many_addresses, make_few, finish),
        cmocka_unit_test_setup_teardown(test_reading, make, finish),
    };
    return cmocka_run_group_tests_name("directory", tests, NULL, NULL);
}
