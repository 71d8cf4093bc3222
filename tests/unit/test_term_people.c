/* The list of people, computed from changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/flock/people.h"

#include <stdio.h>
#include <string.h>

static struct term_people people;
static struct proto_presence presence;

/* This client is person 1, Ada. */
static int setup(void **state)
{
    const struct proto_welcome welcome = {.id = 1, .name = "Ada", .color = 0x112233};
    (void)state;
    memset(&people, 0xa5, sizeof people);
    term_people_join(&people, &welcome);
    presence = (struct proto_presence){0};
    return 0;
}

static void add(uint32_t id, const char *name, uint32_t flags)
{
    struct proto_person *person = &presence.people[presence.count++];
    *person = (struct proto_person){.id = id, .color = id, .flags = flags};
    snprintf(person->name, sizeof person->name, "%s", name);
}

static void add_flags(uint32_t id, uint32_t flags)
{
    presence.people[presence.count++] =
        (struct proto_person){.id = id, .flags = flags, .flags_only = true};
}

/* Applies the collected changes to the list with the sequence `since`. */
static void take(uint32_t since)
{
    presence.since = since;
    term_people_take(&people, &presence);
    presence = (struct proto_presence){0};
}

/* Asserts the names of all people, in order. */
static void expect(const char *names)
{
    char all[4096] = "";
    for (uint32_t i = 0; i < people.count; i++) {
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? " " : "", people.list[i].name);
    }
    assert_string_equal(all, names);
}

/* A presenter stays away until another list changes that. */
static void presenters_who_are_away_are_known(void **state)
{
    (void)state;
    add(2, "Bob", PROTO_FLAG_PRESENTER);
    take(0);
    assert_int_equal(people.away_count, 0);
    presence.has_away = true;
    presence.away_count = 1;
    presence.away[0] = (struct proto_person){.id = 2, .name = "Bob"};
    presence.left_count = 1;
    presence.left[0] = 2;
    take(1);
    expect("Ada");
    assert_int_equal(people.away_count, 1);
    assert_string_equal(people.away[0].name, "Bob");
    add(3, "Cem", 0);
    take(2); /* without a list of absent presenters */
    assert_int_equal(people.away_count, 1);
    add(3, "Cem", 0);
    take(0); /* a whole list without absent presenters */
    assert_int_equal(people.away_count, 0);
}

static void people_come_change_and_go(void **state)
{
    (void)state;
    expect("Ada");
    add(2, "Bob", 0);
    add(3, "Cleo", PROTO_FLAG_PRESENTER);
    take(0);
    expect("Ada Bob Cleo");
    assert_int_equal(term_people_role(term_people_find(&people, 3)), PROTO_PRESENTER);
    assert_int_equal(term_people_role(term_people_find(&people, 2)), PROTO_VIEWER);
    add(2, "Robert", 0);
    add(4, "Dan", PROTO_FLAG_ACTIVE);
    presence.left[presence.left_count++] = 3;
    take(1);
    expect("Ada Robert Dan");
    assert_null(term_people_find(&people, 3));
    take(2); /* nothing has changed */
    expect("Ada Robert Dan");
    add(5, "Eve", 0);
    take(0); /* the whole list: all others are forgotten */
    expect("Ada Eve");
}

static void flags_change_alone(void **state)
{
    (void)state;
    add(2, "Bob", 0);
    take(0);
    add_flags(2, PROTO_FLAG_ACTIVE | PROTO_FLAG_PRESENTER);
    add_flags(9, PROTO_FLAG_ACTIVE); /* of an unknown person */
    take(1);
    expect("Ada Bob");
    assert_int_equal(people.list[1].flags, PROTO_FLAG_ACTIVE | PROTO_FLAG_PRESENTER);
    assert_int_equal(people.list[1].color, 2);
    add_flags(2, 0);
    take(2);
    assert_int_equal(people.list[1].flags, 0);
    assert_string_equal(people.list[1].name, "Bob");
}

static void we_stay_first_in_any_list(void **state)
{
    (void)state;
    add(2, "Bob", 0);
    take(0);
    add(1, "Ada L.", PROTO_FLAG_PRESENTER);
    take(1);
    expect("Ada L. Bob");
    presence.left[presence.left_count++] = 1; /* the list no longer shows this person */
    take(2);
    expect("Ada L. Bob");
    term_people_appoint(&people, PROTO_VIEWER);
    assert_int_equal(term_people_role(&people.list[0]), PROTO_VIEWER);
    take(0);
    expect("Ada L.");
}

static void be_told(const char *name, uint32_t flags)
{
    struct proto_self self = {.flags = flags};
    snprintf(self.name, sizeof self.name, "%s", name);
    term_people_take_self(&people, &self);
}

static void expect_self(const char *name, uint32_t flags)
{
    assert_string_equal(people.list[0].name, name);
    assert_int_equal(people.list[0].flags, flags);
    assert_int_equal(people.list[0].id, 1);
}

static void a_self_message_counts_if_the_list_leaves_us_out(void **state)
{
    (void)state;
    add(2, "Bob", 0);
    take(0);
    be_told("finch-1", PROTO_FLAG_ACTIVE);
    expect_self("finch-1", PROTO_FLAG_ACTIVE);
    add(1, "Ada", PROTO_FLAG_PRESENTER);
    take(1);
    expect_self("Ada", PROTO_FLAG_PRESENTER);
    be_told("wren-1", 0); /* arrives before the list that removes this person */
    expect_self("Ada", PROTO_FLAG_PRESENTER);
    add_flags(1, PROTO_FLAG_ACTIVE);
    take(2);
    expect_self("Ada", PROTO_FLAG_ACTIVE);
    presence.left[presence.left_count++] = 1;
    take(3);
    expect_self("wren-1", 0);
    add(1, "Ada", 0);
    take(4);
    be_told("finch-1", PROTO_FLAG_ACTIVE);
    add(1, "Ada", PROTO_FLAG_PRESENTER);
    take(0); /* a whole list is newer */
    presence.left[presence.left_count++] = 1;
    take(9);
    expect_self("Ada", PROTO_FLAG_PRESENTER);
    add(1, "Ada", 0);
    take(10);
    be_told("finch-1", PROTO_FLAG_ACTIVE);
    take(0);
    expect_self("finch-1", PROTO_FLAG_ACTIVE);
}

static void the_most_that_a_server_shows_fit(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        add(100 + i, "x", 0);
    }
    take(0);
    assert_int_equal(people.count, TERM_PEOPLE_MAX);
    add(1000, "more", 0); /* beyond the limit */
    take(1);
    assert_int_equal(people.count, TERM_PEOPLE_MAX);
    assert_null(term_people_find(&people, 1000));
    add(1000, "more", 0); /* replaces person 150 */
    presence.left[presence.left_count++] = 150;
    take(2);
    assert_int_equal(people.count, TERM_PEOPLE_MAX);
    assert_non_null(term_people_find(&people, 1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(presenters_who_are_away_are_known, setup),
        cmocka_unit_test_setup(people_come_change_and_go, setup),
        cmocka_unit_test_setup(flags_change_alone, setup),
        cmocka_unit_test_setup(we_stay_first_in_any_list, setup),
        cmocka_unit_test_setup(a_self_message_counts_if_the_list_leaves_us_out, setup),
        cmocka_unit_test_setup(the_most_that_a_server_shows_fit, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
