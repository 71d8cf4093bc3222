/* The leader, in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/flock/leads.h"

#include <stdio.h>
#include <string.h>

static struct term_people people;
static struct proto_room room;
static struct proto_leads leads;

static void add_control(const char *name, const char *value)
{
    struct proto_control *control = &room.controls[room.control_count++];
    snprintf(control->name, sizeof control->name, "%s", name);
    snprintf(control->value, sizeof control->value, "%s", value);
}

/* The reader is person 1, Ada; person 2 is Bo. */
static int setup(void **state)
{
    static const struct proto_welcome welcome = {.id = 1, .name = "Ada"};
    struct proto_presence presence = {.sequence = 1, .count = 1, .people = {{.id = 2}}};
    (void)state;
    strcpy(presence.people[0].name, "Bo");
    term_people_join(&people, &welcome);
    term_people_take(&people, &presence);
    leads = (struct proto_leads){0};
    memset(&room, 0, sizeof room);
    return 0;
}

static void assert_line(const char *policy, uint32_t passed, const char *expected)
{
    char line[160];
    snprintf(room.policy, sizeof room.policy, "%s", policy);
    assert_true(leads_line(line, sizeof line, &leads, passed, &room, &people));
    assert_string_equal(line, expected);
}

static void nearest_counts_the_readers_boids(void **state)
{
    (void)state;
    assert_line("nearest", 0, "move: the boids near you follow");
    leads = (struct proto_leads){.count = 2, .leaders = {{.who = 2, .boids = 5}, {.who = 1}}};
    assert_line("nearest", 0, "0 boids follow you");
    leads.leaders[1].boids = 1;
    assert_line("nearest", 0, "1 boid follows you");
    leads.leaders[1].boids = 17;
    assert_line("nearest", 0, "17 boids follow you");
}

static void teams_have_their_counts(void **state)
{
    (void)state;
    add_control("teams", "3");
    people.list[0].flags = 2U << PROTO_TEAM_SHIFT;
    leads = (struct proto_leads){.count = 2,
                                 .leaders = {{.who = 1, .boids = 170}, {.who = 2, .boids = 130}}};
    assert_line("teams", 0, "red 170, blue 130 (your team), yellow 0");
    people.list[0].flags = 0;
    strcpy(room.controls[0].value, "99");
    assert_line("teams", 0, "red 170, blue 130, yellow 0, green 0");
}

static void a_relay_counts_down(void **state)
{
    (void)state;
    assert_line("relay", 0, "move: you lead the flock");
    leads = (struct proto_leads){.has_turn = true, .turn = {.id = 2, .seconds = 7, .next = 1}};
    assert_line("relay", 0, "Bo leads, 7 s, next: you");
    assert_line("relay", 3, "Bo leads, 4 s, next: you");
    assert_line("relay", 8, "Bo leads, 0 s, next: you");
    leads.turn = (struct proto_turn){.id = 1, .seconds = 10, .next = 2};
    assert_line("relay", 0, "you lead, 10 s, next: Bo");
    leads.turn.next = 0;
    assert_line("relay", 0, "you lead, 10 s");
    leads.turn.id = 3;
    assert_line("relay", 0, "someone leads, 10 s");
}

static void other_modes_have_no_leaders(void **state)
{
    char line[160] = "";
    (void)state;
    strcpy(room.policy, "mean");
    assert_false(leads_line(line, sizeof line, &leads, 0, &room, &people));
    strcpy(room.policy, "nearest");
    add_control("cursors", "scare");
    assert_false(leads_line(line, sizeof line, &leads, 0, &room, &people));
    assert_string_equal(line, "");
}

static void a_long_name_is_cut(void **state)
{
    char line[24];
    (void)state;
    memset(people.list[1].name, 'x', sizeof people.list[1].name - 1);
    strcpy(room.policy, "relay");
    leads = (struct proto_leads){.has_turn = true, .turn = {.id = 2, .seconds = 7, .next = 1}};
    assert_true(leads_line(line, sizeof line, &leads, 0, &room, &people));
    assert_int_equal(strlen(line), sizeof line - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nearest_counts_the_readers_boids, setup),
        cmocka_unit_test_setup(teams_have_their_counts, setup),
        cmocka_unit_test_setup(a_relay_counts_down, setup),
        cmocka_unit_test_setup(other_modes_have_no_leaders, setup),
        cmocka_unit_test_setup(a_long_name_is_cut, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
