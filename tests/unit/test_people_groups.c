/* The shown people when people of several addresses share the entries of presence. */
#include "people_room.h"

#include "load_room.h"
#include "room/room_state.h"
#include "scene/saved.h"

enum { CLASS = 20, LATE = 10, BOTS = 1000 };

/* A class and bots. Each bot of an address moves 30 times a second, the pupils once in 5 s. */
struct crowd {
    uint32_t bots[PROTO_PEOPLE_MAX], bot_count;
    uint32_t pupils[CLASS + LATE], pupil_count;
    uint32_t teacher;
};

static uint32_t join_from(uint64_t address, uint64_t now)
{
    address_now = address;
    return join("", now);
}

static bool is_shown(uint32_t slot)
{
    return people.slots[slot].shown;
}

static uint32_t group_of(uint32_t slot)
{
    return people.slots[slot].group;
}

static void send_bots(struct crowd *crowd, uint32_t addresses, uint64_t now)
{
    while (crowd->bot_count < PROTO_PEOPLE_MAX) {
        crowd->bots[crowd->bot_count] = join_from(BOTS + crowd->bot_count % addresses, now);
        move(crowd->bots[crowd->bot_count++], now);
    }
}

static void send_pupils(struct crowd *crowd, uint32_t count, uint64_t now)
{
    for (uint32_t i = 0; i < count; i++) {
        crowd->pupils[crowd->pupil_count++] = join_from(1, now);
    }
}

/* Lets `seconds` pass, and returns the time. The late pupils never move. */
static uint64_t pass(const struct crowd *crowd, uint64_t now, uint64_t seconds)
{
    const uint64_t end = now + seconds * SECOND;

    for (uint32_t i = 0; now < end; i++, now += SECOND / 30) {
        for (uint32_t j = 0; j < crowd->bot_count; j++) {
            move(crowd->bots[j], now);
        }
        for (uint32_t j = 0; j < crowd->pupil_count && j < CLASS; j++) {
            if (i % 150 == j) {
                move(crowd->pupils[j], now);
            }
        }
    }
    return end;
}

static uint32_t count_shown(const uint32_t *slots, uint32_t count)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; i < count; i++) {
        shown += is_shown(slots[i]);
    }
    return shown;
}

/* Lets a class come to bots of that many addresses, and asserts that the teacher is shown. Returns
 * how many pupils are shown in the end. */
static uint32_t meet(uint32_t addresses, bool bots_first)
{
    struct crowd crowd = {.bot_count = 0};
    uint64_t now = SECOND;

    if (bots_first) {
        send_bots(&crowd, addresses, now);
        now = pass(&crowd, now, 2);
    }
    crowd.teacher = join_from(1, now);
    members_appoint(the_room, crowd.teacher, PROTO_PRESENTER);
    send_pupils(&crowd, CLASS, now);
    now = pass(&crowd, now, 30);
    send_bots(&crowd, addresses, now);
    now = pass(&crowd, now, 60);
    send_pupils(&crowd, LATE, now);
    (void)pass(&crowd, now, 120);
    assert_true(is_shown(crowd.teacher));
    assert_int_equal(people.shown_count, PROTO_PEOPLE_MAX);
    return count_shown(crowd.pupils, crowd.pupil_count);
}

static void test_bots_of_one_address_take_no_entry_of_a_class(void **state)
{
    (void)state;
    assert_int_equal(meet(1, true), CLASS + LATE);
}

static void test_bots_that_come_later_take_none_either(void **state)
{
    (void)state;
    assert_int_equal(meet(1, false), CLASS + LATE);
}

/* 9 addresses share 128 entries. The teacher is in one of the class's. */
static void test_bots_of_eight_addresses_leave_a_class_its_share(void **state)
{
    (void)state;
    assert_in_range(meet(8, true), PROTO_PEOPLE_MAX / 9 - 1, CLASS + LATE);
}

static void test_later_bots_of_eight_addresses_do_so_too(void **state)
{
    (void)state;
    assert_in_range(meet(8, false), PROTO_PEOPLE_MAX / 9 - 1, CLASS + LATE);
}

/* A newcomer below the share of the address is shown without a movement. */
static void test_a_newcomer_is_shown_at_once(void **state)
{
    struct crowd crowd = {.bot_count = 0};
    uint32_t version;

    (void)state;
    send_bots(&crowd, 1, SECOND);
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX / 2; i++) {
        assert_true(is_shown(join_from(1, SECOND)));
    }
    assert_int_equal(count_shown(crowd.bots, crowd.bot_count), PROTO_PEOPLE_MAX / 2);
    version = people.version;
    assert_false(is_shown(join_from(1, SECOND)));
    (void)pass(&crowd, 2 * SECOND, 5); /* then no one takes an entry of equals */
    assert_int_equal(people.version, version);
}

/* Among addresses of one person each, a person who steered in the last minute stays. */
static void test_who_steered_in_the_last_minute_stays(void **state)
{
    uint32_t slots[PROTO_PEOPLE_MAX];
    uint32_t bot;

    (void)state;
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        slots[i] = join_from(1 + i, SECOND);
        move(slots[i], SECOND + i);
    }
    bot = join_from(BOTS, SECOND);
    for (uint64_t now = 2 * SECOND; now <= 60 * SECOND; now += SECOND) {
        move(bot, now);
        assert_false(is_shown(bot));
    }
    move(bot, 61 * SECOND);
    assert_true(is_shown(bot));
    assert_false(is_shown(slots[0]));
}

/* Presenters and the spotlight stay, however long they rest. */
static void test_presenters_and_the_spotlight_stay(void **state)
{
    struct crowd crowd = {.bot_count = 0};
    uint32_t marked;

    (void)state;
    crowd.teacher = join_from(BOTS, SECOND); /* at the address of the bots */
    members_appoint(the_room, crowd.teacher, PROTO_PRESENTER);
    marked = join_from(BOTS, SECOND);
    people_spotlight(&people, marked);
    send_bots(&crowd, 1, SECOND);
    (void)pass(&crowd, 2 * SECOND, 120);
    assert_true(is_shown(crowd.teacher) && is_shown(marked));
    assert_int_equal(count_shown(crowd.bots, crowd.bot_count), PROTO_PEOPLE_MAX - 2);
}

/* A person who rested in the spotlight, led the relay or presented gives way as soon as that ends.
 */
static void test_what_kept_someone_ends(void **state)
{
    for (uint32_t i = 0; i < 3; i++) {
        struct crowd crowd = {.bot_count = 0};
        uint32_t kept, waiting;
        make(state);
        kept = join_from(BOTS, SECOND);
        people.spotlight = i == 0 ? people.slots[kept].id : 0;
        people.leader = i == 1 ? people.slots[kept].id : 0;
        people_appoint(&people, kept, i == 2 ? PROTO_PRESENTER : PROTO_VIEWER);
        send_bots(&crowd, 1, SECOND);
        waiting = crowd.bots[PROTO_PEOPLE_MAX - 1];
        (void)pass(&crowd, 2 * SECOND, 30);
        assert_true(is_shown(kept));
        assert_false(is_shown(waiting));
        people.spotlight = people.leader = 0;
        people_appoint(&people, kept, PROTO_VIEWER);
        move(waiting, 32 * SECOND);
        assert_true(is_shown(waiting));
        assert_false(is_shown(kept));
        destroy(state);
    }
}

/* With open controls everyone is a presenter: then addresses share, and no one is left out. */
static void test_many_presenters_share(void **state)
{
    struct crowd crowd = {.bot_count = 0};

    (void)state;
    the_room->definition.open_controls = true;
    send_bots(&crowd, 1, SECOND);
    send_pupils(&crowd, CLASS, SECOND);
    assert_int_equal(count_shown(crowd.pupils, crowd.pupil_count), CLASS);
    people_spotlight(&people, join_from(BOTS, SECOND));
    assert_int_equal(people.shown_count, PROTO_PEOPLE_MAX);
    assert_true(people.slots[people_find_id(&people, people.spotlight)].shown);
}

/* An entry that becomes free goes to the address with the fewest. */
static void test_a_free_entry_goes_to_the_smallest_group(void **state)
{
    struct crowd crowd = {.bot_count = 0};
    uint32_t waiting, bot;

    (void)state;
    send_bots(&crowd, 1, SECOND);
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX / 2; i++) {
        waiting = join_from(1, SECOND);
    }
    waiting = join_from(1, SECOND);
    bot = join_from(BOTS, SECOND);
    move(bot, 2 * SECOND);
    assert_false(is_shown(waiting) || is_shown(bot));
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        if (people.slots[people.shown[i]].group == group_of(waiting)) {
            leave(people.shown[i], false, 2 * SECOND);
            break;
        }
    }
    assert_true(is_shown(waiting));
    assert_false(is_shown(bot));
}

/* Someone who comes back from another address counts there. */
static void test_a_return_from_another_address(void **state)
{
    uint8_t token[PROTO_TOKEN_SIZE];
    room_member replaced;
    uint32_t slot = join_from(5, SECOND);

    (void)state;
    copy_token(token, slot);
    const uint32_t group = group_of(slot);
    address_now = 6;
    assert_int_equal(rejoin("", token, 2 * SECOND, &replaced), slot);
    assert_int_not_equal(replaced, 0);
    assert_int_not_equal(group_of(slot), group);
    assert_int_equal(people.groups[group].shown, 0);
    assert_int_equal(people.groups[group_of(slot)].shown, 1);
    assert_int_equal(group_of(join_from(7, 3 * SECOND)), group); /* it is free again */
}

/* Numbers are small, however many addresses come and go. */
static void test_numbers_are_used_again(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t slot = join_from(1 + i, SECOND);
        assert_int_equal(group_of(slot), 1);
        leave(slot, false, SECOND);
        assert_int_equal(group_of(slot), 0);
    }
}

/* The same people are shown, in the same order. */
static void assert_same_shown(struct room *a, struct room *b)
{
    uint32_t shown[PROTO_PEOPLE_MAX];
    struct room *saved = the_room;

    the_room = a;
    memcpy(shown, people.shown, sizeof shown);
    const uint32_t count = people.shown_count;
    const uint32_t largest = people.largest;
    the_room = b;
    assert_int_equal(people.shown_count, count);
    assert_memory_equal(people.shown, shown, count * sizeof shown[0]);
    assert_int_equal(people.largest, largest);
    the_room = saved;
}

static struct room *load(const uint8_t *bytes, size_t size, char *problem, size_t problem_size)
{
    static const struct room_sink sink = {.tell = ignore_frame, .close = note_closed};
    const struct room_definition definition = define_room();

    return load_room(&definition, &sink, bytes, size, 10 * SECOND, problem, problem_size);
}

/* A saved room has the groups, and gives their numbers to no one else. */
static void test_a_saved_room_has_groups(void **state)
{
    struct crowd crowd = {.bot_count = 0};
    char problem[PROTO_TEXT_MAX];
    size_t size = 0;

    (void)state;
    send_bots(&crowd, 3, SECOND);
    send_pupils(&crowd, CLASS, SECOND);
    uint8_t *bytes = room_save(the_room, 10 * SECOND, &size);
    assert_non_null(bytes);
    saved_seal(bytes, size);
    struct room *loaded = load(bytes, size, problem, sizeof problem);
    free(bytes);
    assert_string_equal(problem, "");
    assert_same_shown(the_room, loaded);
    assert_true(scene_hash(the_room->present) == scene_hash(loaded->present));
    struct room *saved = the_room;
    the_room = loaded;
    assert_int_equal(group_of(join_from(1, 11 * SECOND)), 5);
    room_vacate(the_room, 12 * SECOND);
    assert_int_equal(group_of(join_from(2, 13 * SECOND)), 1);
    the_room = saved;
    room_destroy(loaded);
}

static void test_a_saved_group_beyond_the_largest_is_refused(void **state)
{
    char problem[PROTO_TEXT_MAX];
    size_t size = 0;
    uint32_t slot = join_from(1, SECOND);

    (void)state;
    people.slots[slot].group = PEOPLE_GROUP_MAX + 1;
    uint8_t *bytes = room_save(the_room, 10 * SECOND, &size);
    people.slots[slot].group = 1;
    assert_non_null(bytes);
    saved_seal(bytes, size);
    assert_null(load(bytes, size, problem, sizeof problem));
    free(bytes);
    assert_string_equal(problem, "group: expected 0 to 131072, got 131073");
}

static void test_a_join_beyond_the_largest_is_refused(void **state)
{
    const struct input input = {
        .type = INPUT_JOIN, .slot = INPUT_NEW, .time = SECOND, .group = PEOPLE_GROUP_MAX + 1};
    struct proto_error error;
    struct change change;

    (void)state;
    assert_false(scene_apply(the_room->present, &input, &change, &error));
    assert_string_equal(error.message, "a person joined with group 131073, expected 0 to 131072");
    assert_int_equal(people.here, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_bots_of_one_address_take_no_entry_of_a_class),
        TEST(test_bots_that_come_later_take_none_either),
        TEST(test_bots_of_eight_addresses_leave_a_class_its_share),
        TEST(test_later_bots_of_eight_addresses_do_so_too),
        TEST(test_a_newcomer_is_shown_at_once),
        TEST(test_who_steered_in_the_last_minute_stays),
        TEST(test_presenters_and_the_spotlight_stay),
        cmocka_unit_test(test_what_kept_someone_ends),
        TEST(test_many_presenters_share),
        TEST(test_a_free_entry_goes_to_the_smallest_group),
        TEST(test_a_return_from_another_address),
        TEST(test_numbers_are_used_again),
        TEST(test_a_saved_room_has_groups),
        TEST(test_a_saved_group_beyond_the_largest_is_refused),
        TEST(test_a_join_beyond_the_largest_is_refused),
    };
    return cmocka_run_group_tests_name("people_groups", tests, NULL, NULL);
}
