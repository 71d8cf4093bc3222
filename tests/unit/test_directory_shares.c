/* The shares of creators in the directory's places, boids and memory, and the rooms that give way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/counter.h"

#include "directory_rooms.h"

static int make_narrow(void **state)
{
    (void)state;
    return make_of(8, 100);
}

enum { PLACES = 1000, RESERVE = 125 };

static int make_wide(void **state)
{
    (void)state;
    return make_of(PLACES, 100000);
}

static uint64_t gave_way; /* the room that the last create() ends; 0: none */

static enum directory_result create_at(const char *address, bool trusted, bool joined, uint64_t now)
{
    const struct directory_creator creator = {
        .address = address, .number = number_of(address), .trusted = trusted};
    const struct room_facts facts = {.title = "", .people = 1};
    struct directory_entry entry = {.trusted = trusted};
    struct directory_added added;
    enum directory_result result = directory_add(directory, NULL, &creator, now, &entry, &added);

    gave_way = added.gives_way;
    if (result == DIRECTORY_OK) {
        directory_open(directory, &entry);
    }
    if (result == DIRECTORY_OK && joined) {
        directory_update(directory, entry.number, &facts);
    }
    return result;
}

static enum directory_result create(const char *address, bool trusted, bool joined)
{
    return create_at(address, trusted, joined, 0);
}

static uint32_t create_all(const char *address, bool trusted, bool joined)
{
    uint32_t count = 0;

    while (create(address, trusted, joined) == DIRECTORY_OK) {
        count++;
        if (gave_way != 0) {
            directory_remove(directory, gave_way, 0);
        }
        assert_in_range(count, 0, PLACES);
    }
    return count;
}

/* Seventeen addresses take all places but the reserve, each at most half of what is free. */
static void test_one_address_gets_half_of_what_is_free(void **state)
{
    uint32_t before = PLACES;
    uint32_t all = 0;
    char address[NETWORK_ADDRESS_MAX];

    (void)state;
    add(ROOM_LOBBY, true);
    for (uint32_t i = 0; i < 17; i++) {
        uint32_t free = PLACES - RESERVE - 1 - all;
        snprintf(address, sizeof address, "10.0.0.%u", i);
        uint32_t count = create_all(address, false, true);
        assert_int_equal(count, (free + 1) / 2);
        assert_int_equal(create(address, false, true), free > 1 ? DIRECTORY_SHARE : DIRECTORY_FULL);
        assert_true(count <= before);
        before = count;
        all += count;
    }
    assert_int_equal(create("2001:db8::1", true, true), DIRECTORY_OK);
    assert_int_equal(create_all("10.0.0.1", true, true), RESERVE - 1);
    assert_int_equal(directory_count(directory), PLACES);
}

/* Networks of IPv6 are one address. */
static void test_a_network_has_one_share(void **state)
{
    (void)state;
    add(ROOM_LOBBY, true);
    uint32_t half = create_all("2001:db8:1:2::1", false, true);
    assert_int_equal(half, (PLACES - RESERVE) / 2);
    assert_int_equal(create("2001:db8:1:3::7", false, true), DIRECTORY_SHARE);
    assert_int_equal(create("2001:db8:2:2::7", false, true), DIRECTORY_OK);
}

/* Rooms that no client ever joined give way to rooms of others, the oldest first. Rooms of trusted
 * creators and the lobby never give way. */
static void test_rooms_that_nobody_joined_give_way(void **state)
{
    const struct room_facts gone = {.title = "", .people = 0};
    struct directory_entry entries[PLACES];
    uint32_t next = 0;

    (void)state;
    add(ROOM_LOBBY, true);
    for (uint32_t i = 0; i < RESERVE; i++) {
        assert_int_equal(create("10.0.0.9", true, false), DIRECTORY_OK);
    }
    uint32_t half = create_all("10.0.0.1", false, false);
    assert_int_equal(create_all("10.0.0.2", false, false), half);
    assert_int_equal(directory_count(directory), PLACES);
    for (uint32_t i = 0; i < half; i++) {
        assert_int_equal(create("10.0.0.3", false, true), DIRECTORY_OK);
        /* by age; but an address keeps its only room while others have more */
        assert_int_equal(room_slot(gave_way), 1 + RESERVE + i + (i == half - 1));
        directory_remove(directory, gave_way, 0);
    }
    assert_int_equal(create("10.0.0.3", false, true), DIRECTORY_SHARE);
    assert_int_equal(directory_count(directory), PLACES);
    /* A trusted creator gets the places of empty rooms, too. */
    assert_int_equal(create_all("10.0.0.9", true, true), half);
    assert_int_equal(create("10.0.0.9", true, true), DIRECTORY_FULL);
    while (directory_read(directory, false, &next, entries, 1) == 1) {
        directory_update(directory, entries[0].number, &gone);
    }
    assert_int_equal(create("10.0.0.9", true, true), DIRECTORY_OK);
    assert_true(gave_way != 0);
    directory_stay(directory, gave_way); /* a client has just joined it */
    assert_int_equal(directory_count(directory), PLACES + 1);
    /* However many stay, their number has an end. */
    uint32_t stays = 1;
    while (create("10.0.0.9", true, true) == DIRECTORY_OK) {
        directory_stay(directory, gave_way);
        stays++;
    }
    assert_int_equal(stays, DIRECTORY_GIVING);
    assert_int_equal(directory_count(directory), PLACES + DIRECTORY_GIVING);
    assert_int_equal(create("10.0.0.4", false, true), DIRECTORY_FULL);
}

/* All members of all rooms leave. */
static void empty_all(void)
{
    const struct room_facts gone = {.title = "", .people = 0};
    struct directory_entry entry;
    uint32_t next = 0;

    while (directory_read(directory, false, &next, &entry, 1) == 1) {
        directory_update(directory, entry.number, &gone);
    }
}

/* Ten addresses fill all places with rooms that a bot joined once. Another address still gets an
 * equal share: the address with most rooms loses the room that was idle longest. */
static void test_idle_rooms_of_a_few_keep_no_one_out(void **state)
{
    char address[NETWORK_ADDRESS_MAX];
    struct directory_entry lobby = add(ROOM_LOBBY, true);

    (void)state;
    for (uint32_t i = 0; i < 10; i++) {
        snprintf(address, sizeof address, "10.0.0.%u", i);
        create_all(address, false, true);
    }
    assert_int_equal(directory_count(directory), PLACES - RESERVE);
    assert_int_equal(create("10.0.1.1", false, true), DIRECTORY_FULL); /* people are in all */
    empty_all();
    for (uint32_t i = 0; i < 30; i++) {
        snprintf(address, sizeof address, "10.0.1.%u", i);
        assert_int_equal(create(address, false, true), DIRECTORY_OK);
        assert_int_equal(room_slot(gave_way), room_slot(lobby.number) + 1 + i);
        directory_remove(directory, gave_way, 0);
    }
    /* One address takes rooms only from addresses with more rooms than its share. */
    const uint32_t share = create_all("10.0.2.1", false, true);
    assert_in_range(share, 200, 210);
    assert_int_equal(create("10.0.2.1", false, true), DIRECTORY_FULL);
    empty_all();
    assert_int_equal(create("10.0.2.1", false, true), DIRECTORY_FULL); /* its own are the most */
    assert_int_equal(create("10.0.1.1", false, true), DIRECTORY_OK);
    assert_int_equal(directory_count(directory), PLACES - RESERVE);
}

/* Adds a room that comes from another node. Returns the result; gave_way as after create(). */
static enum directory_result arrive(const char *code, bool trusted)
{
    const struct directory_creator creator = {.number = 1, .trusted = trusted, .arrives = true};
    struct directory_entry entry = {.trusted = trusted};
    struct directory_added added;
    const enum directory_result result =
        directory_add(directory, code, &creator, 0, &entry, &added);

    gave_way = added.gives_way;
    if (result == DIRECTORY_OK) {
        directory_open(directory, &entry);
    }
    return result;
}

/* Rooms of another node get places as new ones do: untrusted ones none of the reserve. While the
 * lobby is elsewhere, one more place is left for it. */
static void test_rooms_of_another_node_leave_the_reserve(void **state)
{
    char code[PROTO_ROOM_MAX + 1];

    (void)state;
    for (uint32_t i = 0; i < PLACES - RESERVE - 1; i++) {
        snprintf(code, sizeof code, "ROOM%u", i);
        assert_int_equal(arrive(code, false), DIRECTORY_OK);
    }
    assert_int_equal(arrive("MORE22", false), DIRECTORY_FULL);
    for (uint32_t i = 0; i < RESERVE; i++) {
        snprintf(code, sizeof code, "KEY%u", i);
        assert_int_equal(arrive(code, true), DIRECTORY_OK);
        assert_int_equal(gave_way, 0);
    }
    assert_int_equal(arrive(ROOM_LOBBY, true), DIRECTORY_OK);
    assert_int_equal(gave_way, 0);
    assert_int_equal(directory_count(directory), PLACES);
    assert_int_equal(arrive("MORE22", false), DIRECTORY_FULL);
    assert_int_equal(arrive("KEY0", true), DIRECTORY_TAKEN);
}

/* In a full node, an idle room gives way to a trusted room of another node. Without idle rooms,
 * only the lobby still gets a place. */
static void test_the_lobby_always_gets_a_place(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PLACES - RESERVE - 2; i++) {
        assert_int_equal(create("10.0.0.9", true, true), DIRECTORY_OK);
    }
    assert_int_equal(create("10.0.0.1", false, true), DIRECTORY_OK);
    empty_all();
    while (directory_count(directory) < PLACES) {
        assert_int_equal(create("10.0.0.9", true, true), DIRECTORY_OK);
    }
    assert_int_equal(arrive("KEY1", true), DIRECTORY_OK);
    assert_int_not_equal(gave_way, 0);
    directory_remove(directory, gave_way, 0);
    assert_int_equal(arrive("KEY2", true), DIRECTORY_FULL);
    assert_int_equal(arrive(ROOM_LOBBY, true), DIRECTORY_OK);
    assert_int_equal(directory_count(directory), PLACES + 1);
    assert_int_equal(arrive("KEY2", true), DIRECTORY_FULL);
}

/* Returns the number of the first room of that address that is not `other`. */
static uint64_t room_of(const char *address, uint64_t other)
{
    struct directory_entry entry;
    uint32_t next = 0;

    while (directory_read(directory, false, &next, &entry, 1) == 1) {
        if (entry.creator == number_of(address) && entry.number != other) {
            return entry.number;
        }
    }
    return 0;
}

static void use(uint64_t number, uint64_t now)
{
    counter_set(&directory_stats(directory, room_slot(number))->used, now);
}

/* A few addresses fill all places, and a bot stays in each room without a move. The first room of
 * another address replaces the room of the address with the most that was used longest ago. */
static void test_rooms_that_nobody_uses_give_way(void **state)
{
    char address[NETWORK_ADDRESS_MAX];

    (void)state;
    add(ROOM_LOBBY, true);
    for (uint32_t i = 0; i < 10; i++) {
        snprintf(address, sizeof address, "10.0.0.%u", i);
        create_all(address, false, true);
    }
    const uint64_t first = room_of("10.0.0.0", 0);
    const uint64_t second = room_of("10.0.0.0", first);
    assert_int_equal(create_at("10.0.1.1", false, true, UNUSED - 1), DIRECTORY_FULL);
    use(first, 1);
    assert_int_equal(create_at("10.0.1.1", false, true, UNUSED), DIRECTORY_OK);
    assert_int_equal(gave_way, second);
    directory_remove(directory, gave_way, 0);
    assert_int_equal(create_at("10.0.1.1", false, true, UNUSED), DIRECTORY_FULL); /* it has one */
    /* Rooms without people go first, also of addresses with fewer rooms. */
    const uint64_t empty = room_of("10.0.0.5", 0);
    directory_update(directory, empty, &(struct room_facts){.title = ""});
    assert_int_equal(create_at("10.0.1.2", false, true, UNUSED), DIRECTORY_OK);
    assert_int_equal(gave_way, empty);
    directory_remove(directory, gave_way, 0);
    /* Newcomers get a room each until no address has two rooms that are not used. */
    const uint32_t others = PLACES - RESERVE - 1 - 10 - 2;
    uint32_t count = 0;
    for (; count <= others; count++) {
        snprintf(address, sizeof address, "10.1.%u.%u", count / 256, count % 256);
        if (create_at(address, false, true, UNUSED + 1) != DIRECTORY_OK) {
            break;
        }
        directory_remove(directory, gave_way, 0);
    }
    assert_int_equal(count, others);
    assert_int_equal(directory_count(directory), PLACES - RESERVE);
}

/* Fills the places: three addresses have rooms with people, and 10.0.1.1 has just made its first
 * room. Returns that room. */
static uint64_t fill_beside_a_new_room(void)
{
    add(ROOM_LOBBY, true);
    assert_int_equal(create_all("10.0.0.1", false, true), 3);
    assert_int_equal(create_all("10.0.0.2", false, true), 2);
    assert_int_equal(create_all("10.0.0.3", false, true), 1);
    assert_int_equal(create_at("10.0.1.1", false, false, UNUSED), DIRECTORY_OK);
    directory_remove(directory, gave_way, 0);
    return room_of("10.0.1.1", 0);
}

/* The only room of an address ends last, also before its first client has joined. */
static void test_a_first_room_that_waits_for_people_goes_last(void **state)
{
    const char *const newcomers[] = {"10.0.1.2", "10.0.1.3"};

    (void)state;
    const uint64_t waits = fill_beside_a_new_room();
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(create_at(newcomers[i], false, true, UNUSED), DIRECTORY_OK);
        assert_true(gave_way != 0 && gave_way != waits);
        directory_remove(directory, gave_way, 0);
    }
    assert_int_equal(create_at("10.0.1.4", false, true, UNUSED), DIRECTORY_OK);
    assert_int_equal(gave_way, waits); /* all others have one room, too */
}

/* An address's only room that no client has joined for a while goes before rooms with people. */
static void test_a_first_room_waits_for_a_moment(void **state)
{
    const uint64_t late = UNUSED + 15000000;

    (void)state;
    const uint64_t waits = fill_beside_a_new_room();
    assert_int_equal(create_at("10.0.1.2", false, true, late - 1), DIRECTORY_OK);
    assert_true(gave_way != 0 && gave_way != waits);
    directory_remove(directory, gave_way, 0);
    assert_int_equal(create_at("10.0.1.3", false, true, late), DIRECTORY_OK);
    assert_int_equal(gave_way, waits);
}

/* Rooms that people use, rooms of trusted creators, the lobby and restored rooms of no one never
 * give way with people in them; nor does any room of an address that has as many as the newcomer
 * will have. */
static void test_rooms_with_people_that_stay(void **state)
{
    const struct room_facts crowd = {.title = "", .people = 1};
    const uint64_t late = 2 * UNUSED;

    (void)state;
    const struct directory_entry lobby = add(ROOM_LOBBY, true);
    directory_update(directory, lobby.number, &crowd);
    assert_int_equal(create_all("10.0.0.9", true, true), 7);
    assert_int_equal(directory_count(directory), 8);
    assert_int_equal(create_at("10.0.0.1", false, true, late), DIRECTORY_FULL);
    directory_remove(directory, room_of("10.0.0.9", 0), 0);
    assert_int_equal(create("10.0.0.1", false, true), DIRECTORY_OK);
    assert_int_equal(create_at("10.0.0.2", false, true, late), DIRECTORY_FULL); /* an only room */
    directory_remove(directory, room_of("10.0.0.9", 0), 0);
    const struct directory_entry restored = add(NULL, false);
    directory_update(directory, restored.number, &crowd);
    assert_int_equal(create_at("10.0.0.2", false, true, late), DIRECTORY_FULL);
    directory_remove(directory, restored.number, 0);
    directory_remove(directory, room_of("10.0.0.9", 0), 0);
    assert_int_equal(create("10.0.0.1", false, true), DIRECTORY_OK);
    assert_int_equal(create("10.0.0.3", false, true), DIRECTORY_OK);
    const uint64_t first = room_of("10.0.0.1", 0);
    const uint64_t second = room_of("10.0.0.1", first);
    use(first, late);
    use(second, late);
    assert_int_equal(create_at("10.0.0.2", false, true, late), DIRECTORY_FULL); /* both are used */
    use(second, late - UNUSED);
    directory_update(directory, second, &(struct room_facts){.title = "", .people = 2});
    assert_int_equal(create_at("10.0.0.2", false, true, late),
                     DIRECTORY_FULL); /* a class listens */
    directory_update(directory, second, &crowd);
    assert_int_equal(create_at("10.0.0.2", false, true, late), DIRECTORY_OK);
    assert_int_equal(gave_way, second);
}

/* Adds a room with that many boids, and without people. Returns its number. */
static uint64_t add_idle(const char *address, bool trusted, uint32_t boids)
{
    const struct directory_creator creator = {
        .address = address, .number = number_of(address), .trusted = trusted};
    const struct room_facts facts = {.title = "", .boids = boids};
    struct directory_entry entry = {.trusted = trusted};
    struct directory_added added;

    assert_int_equal(directory_add(directory, NULL, &creator, 0, &entry, &added), DIRECTORY_OK);
    directory_open(directory, &entry);
    directory_update(directory, entry.number, &facts);
    return entry.number;
}

/* Idle rooms give way to boids: of creators who keep as much as the newcomer gets, or to a trusted
 * creator. */
static void test_idle_rooms_give_way_for_boids(void **state)
{
    struct directory_need need = {
        .what = DIRECTORY_BOIDS, .amount = 10, .creator = number_of("10.0.0.9"), .mine = 10};
    const struct room_facts crowd = {.title = "", .boids = 40, .people = 1};
    struct directory_way way;

    (void)state;
    add(ROOM_LOBBY, true);
    const uint64_t trusted = add_idle("10.0.0.1", true, 100);
    const uint64_t joined = add_idle("10.0.0.2", false, 40);
    const uint64_t first = add_idle("10.0.0.2", false, 10);
    const uint64_t second = add_idle("10.0.0.2", false, 10);
    const uint64_t alone = add_idle("10.0.0.3", false, 20);
    directory_update(directory, joined, &crowd);
    assert_true(directory_make_way(directory, &need, &way));
    assert_int_equal(way.count, 1);
    assert_int_equal(way.rooms[0], first);
    directory_remove(directory, first, 0);
    need.amount = 21; /* the second room and nothing else would give way */
    assert_false(directory_make_way(directory, &need, &way));
    assert_int_equal(directory_count(directory), 5);
    need.trusted = true;
    assert_true(directory_make_way(directory, &need, &way));
    assert_int_equal(way.count, 2);
    assert_int_equal(way.rooms[0], second);
    assert_int_equal(way.rooms[1], alone);
    assert_int_equal(directory_count(directory), 3);
    directory_stay(directory, alone);
    directory_remove(directory, second, 0);
    need.amount = 21;
    assert_false(directory_make_way(directory, &need, &way));
    directory_remove(directory, trusted, 0);
}

/* Memory is what the runner counted last. */
static void test_idle_rooms_give_way_for_memory(void **state)
{
    const struct directory_need need = {.what = DIRECTORY_BYTES, .amount = 5000, .trusted = true};
    struct directory_way way;

    (void)state;
    const uint64_t small = add_idle("10.0.0.1", false, 0);
    const uint64_t large = add_idle("10.0.0.2", false, 0);
    const uint64_t none = add_idle("10.0.0.3", false, 0);
    counter_set(&directory_stats(directory, room_slot(small))->bytes, 1000);
    counter_set(&directory_stats(directory, room_slot(large))->bytes, 4000);
    assert_true(directory_make_way(directory, &need, &way));
    assert_int_equal(way.count, 2);
    assert_int_equal(way.rooms[0], small);
    assert_int_equal(way.rooms[1], large);
    assert_true(directory_runner(directory, none, &way.runners[0]));
    assert_int_equal(directory_count(directory), 1);
}

/* A room of a creator who is not known gives way to no stranger. */
static void test_restored_rooms_of_no_one_stay(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PLACES - RESERVE; i++) {
        add(NULL, false);
    }
    assert_int_equal(create("10.0.0.1", false, false), DIRECTORY_FULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_address_gets_half_of_what_is_free, make_wide,
                                        finish),
        cmocka_unit_test_setup_teardown(test_a_network_has_one_share, make_wide, finish),
        cmocka_unit_test_setup_teardown(test_rooms_that_nobody_joined_give_way, make_wide, finish),
        cmocka_unit_test_setup_teardown(test_idle_rooms_of_a_few_keep_no_one_out, make_wide,
                                        finish),
        cmocka_unit_test_setup_teardown(test_rooms_that_nobody_uses_give_way, make_wide, finish),
        cmocka_unit_test_setup_teardown(test_a_first_room_that_waits_for_people_goes_last,
                                        make_narrow, finish),
        cmocka_unit_test_setup_teardown(test_a_first_room_waits_for_a_moment, make_narrow, finish),
        cmocka_unit_test_setup_teardown(test_rooms_with_people_that_stay, make_narrow, finish),
        cmocka_unit_test_setup_teardown(test_restored_rooms_of_no_one_stay, make_wide, finish),
        cmocka_unit_test_setup_teardown(test_rooms_of_another_node_leave_the_reserve, make_wide,
                                        finish),
        cmocka_unit_test_setup_teardown(test_the_lobby_always_gets_a_place, make_wide, finish),
        cmocka_unit_test_setup_teardown(test_idle_rooms_give_way_for_boids, make_wide, finish),
        cmocka_unit_test_setup_teardown(test_idle_rooms_give_way_for_memory, make_wide, finish),
    };
    return cmocka_run_group_tests_name("directory_shares", tests, NULL, NULL);
}
