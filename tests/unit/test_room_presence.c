/* Presence: the shown people and their changes, at most once a second. */
#include "control_room.h"

/* Asserts that the client knows all shown people with their current values. */
static void assert_knows(const struct client *client, uint32_t count)
{
    assert_int_equal(client->people_count, count);
    for (uint32_t i = 0; i < client_count; i++) {
        const struct client *other = &clients[i];
        const struct proto_person *person = seen_by(client, other->id);
        if (person != NULL && other->member != 0) {
            assert_int_equal((person->flags & PROTO_FLAG_PRESENTER) != 0,
                             other->role == PROTO_PRESENTER);
        }
        assert_true(person == NULL || other->member != 0);
    }
}

static void test_the_first_change_is_sent_at_once(void **state)
{
    const struct client *cem;

    (void)state;
    publish();
    assert_int_equal(ada->presences, 1);
    assert_knows(ada, 2);
    assert_string_equal(seen_by(ada, bob->id)->name, "Bob");
    run(60); /* nothing has changed */
    assert_int_equal(ada->presences, 1);
    cem = join("Cem");
    run(1);
    assert_int_equal(ada->presences, 2);
    assert_knows(ada, 3);
    assert_knows(cem, 3);
    assert_int_equal(cem->presences, 1);
}

/* Many joins at once, and people with many changes, are sent once per second. */
static void test_changes_are_sent_together(void **state)
{
    uint32_t before_them;

    (void)state;
    run(60);
    before_them = ada->presences;
    for (uint32_t i = 0; i < 90; i++) { /* three seconds */
        join("");
        leave(join(""));
        bool renamed = try_name(bob, i % 2 == 0 ? "Bob" : "Robert"); /* only the first time */
        assert_true(renamed == (i == 0 || i % 2 == 1));
        run(1);
    }
    assert_in_range(ada->presences - before_them, 3, 4);
    run(30);
    assert_knows(ada, 92);
    assert_string_equal(seen_by(ada, bob->id)->name, "Robert");
}

static void test_a_person_who_joins_and_leaves_between_two_lists_is_in_neither(void **state)
{
    uint32_t before_them;

    (void)state;
    run(1);
    before_them = ada->presences;
    leave(join("Cem"));
    run(60);
    assert_int_equal(ada->presences, before_them);
    assert_knows(ada, 2);
}

/* Changes of cursors and roles are sent without names. */
static void test_flags_travel_alone(void **state)
{
    uint64_t bytes;

    (void)state;
    run(60);
    bytes = ada->presence_bytes;
    move(bob, 10, 10);
    run(1);
    assert_int_equal(seen_by(ada, bob->id)->flags, PROTO_FLAG_ACTIVE);
    assert_string_equal(seen_by(ada, bob->id)->name, "Bob");
    assert_in_range(ada->presence_bytes - bytes, 1, 12);
    run(30 * 11); /* the cursor no longer counts */
    assert_int_equal(seen_by(ada, bob->id)->flags, 0);
    assert_in_range(ada->presence_bytes - bytes, 2, 24);
    assert_int_equal(seen_by(ada, ada->id)->flags, PROTO_FLAG_PRESENTER | PROTO_FLAG_OWNER);
}

static void test_viewers_who_may_only_watch_are_not_active(void **state)
{
    (void)state;
    run(60);
    move(bob, 10, 10);
    move(ada, 20, 20);
    run(31);
    assert_int_equal(ada->snapshot.cursor_count, 2);
    set("viewers", "watch");
    run(31);
    assert_int_equal(seen_by(bob, bob->id)->flags, 0);
    assert_int_equal(seen_by(bob, ada->id)->flags,
                     PROTO_FLAG_PRESENTER | PROTO_FLAG_OWNER | PROTO_FLAG_ACTIVE);
}

/* A client that missed some changes gets these changes; a client that missed more gets the whole
 * list. */
static void test_a_client_that_missed_changes_catches_up(void **state)
{
    struct client *slow = join("Slow");
    room_member member;

    (void)state;
    for (uint32_t missed = 1; missed <= 2 * VIEW_PRESENCES; missed++) {
        run(60);
        uint32_t had = slow->presences;
        member = slow->member;
        slow->member = 0; /* takes no views */
        for (uint32_t i = 0; i < missed; i++) {
            assert_true(try_name(bob, i % 2 == 0 ? "Robert" : "Bob"));
            leave(join(""));
            join("");
            run(91); /* a name every three seconds */
        }
        slow->member = member;
        run(1);
        assert_int_equal(slow->presences - had, missed <= VIEW_PRESENCES ? missed : 1);
        assert_knows(slow, ada->people_count);
        assert_string_equal(seen_by(slow, bob->id)->name, seen_by(ada, bob->id)->name);
    }
}

static void test_more_people_than_are_shown(void **state)
{
    uint32_t before_them;

    (void)state;
    for (uint32_t i = 0; i < 198; i++) {
        join("");
    }
    run(1);
    assert_knows(ada, PROTO_PEOPLE_MAX);
    run(60);
    before_them = ada->presences;
    assert_null(seen_by(ada, clients[199].id));
    assert_true(try_name(&clients[199], "somebody else")); /* this person is not shown */
    leave(&clients[198]);
    run(60);
    assert_int_equal(ada->presences, before_them);
    /* When a person leaves, the latest mover who is not shown takes the entry at once. */
    for (uint32_t i = 0; i < 128; i++) {
        send_cursor(&clients[i], 1, 1);
    }
    send_cursor(&clients[199], 5, 5);
    send_cursor(&clients[150], 5, 5);
    clock_now++;
    send_cursor(&clients[177], 5, 5);
    leave(&clients[50]);
    run(60);
    assert_knows(ada, PROTO_PEOPLE_MAX);
    assert_non_null(seen_by(ada, clients[177].id));
    assert_null(seen_by(ada, clients[150].id));
    assert_null(seen_by(ada, clients[50].id));
}

/* Asserts what the client knows about itself (PROTOCOL.md). */
static void assert_knows_itself(const struct client *client, const char *name, uint32_t flags)
{
    const struct proto_person *listed = seen_by(client, client->id);

    if (listed == NULL && client->selves == 0) { /* from the welcome */
        assert_string_equal(client->name, name);
        assert_int_equal(client->role == PROTO_PRESENTER ? PROTO_FLAG_PRESENTER : 0, flags);
    } else {
        assert_string_equal(listed != NULL ? listed->name : client->self.name, name);
        assert_int_equal(listed != NULL ? listed->flags : client->self.flags, flags);
    }
}

/* Fills the list with people who move and so stay shown. Returns one more person. */
static struct client *join_a_crowd(void)
{
    while (client_count < PROTO_PEOPLE_MAX) {
        join("");
    }
    for (uint32_t i = 0; i < client_count; i++) {
        send_cursor(&clients[i], 1, 1);
    }
    return join("Cem");
}

/* A person who is not shown learns about itself and about no one else. */
static void test_a_person_outside_the_list_knows_how_it_is_shown(void **state)
{
    struct client *cem = join_a_crowd();

    (void)state;
    run(60);
    assert_null(seen_by(cem, cem->id));
    assert_int_equal(cem->selves, 0); /* the welcome had all values */
    assert_knows_itself(cem, "Cem", 0);
    send_cursor(cem, 5, 5);
    run(60);
    assert_null(seen_by(cem, cem->id));
    assert_knows_itself(cem, "Cem", PROTO_FLAG_ACTIVE);
    assert_int_equal(cem->selves, 1);
    assert_true(try_name(cem, "Cemal"));
    run(60);
    assert_knows_itself(cem, "Cemal", PROTO_FLAG_ACTIVE);
    set("viewers", "watch");
    run(60);
    assert_knows_itself(cem, "Cemal", 0);
    assert_int_equal(cem->selves, 3);
    assert_int_equal(bob->selves, 0); /* for shown people the list has the values */
    run(60);
    assert_int_equal(cem->selves, 3);
}

/* A new presenter gets an entry of the list, without a movement. */
static void test_a_presenter_is_in_the_list(void **state)
{
    struct client *cem = join_a_crowd();

    (void)state;
    run(60);
    assert_null(seen_by(bob, cem->id));
    assert_true(try_appoint(ada, cem->id, PROTO_PRESENTER));
    run(60);
    assert_non_null(seen_by(bob, cem->id));
    assert_knows_itself(cem, "Cem", PROTO_FLAG_PRESENTER);
}

/* The same for a person who leaves the list, returns to it and leaves it again. */
static void test_a_person_who_left_the_list_knows_how_it_is_shown(void **state)
{
    struct client *cem = join_a_crowd();

    (void)state;
    send_cursor(ada, 2, 2);
    run(60);
    assert_non_null(seen_by(bob, bob->id));
    assert_true(try_name(bob, "Robert"));
    run(60);
    for (uint32_t i = 0; i < 8; i++) { /* all except Bob move for longer than the cursor timeout */
        clock_now += 2 * SECOND;
        for (uint32_t j = 0; j < client_count; j++) {
            if (&clients[j] != bob) {
                send_cursor(&clients[j], (float)(10 + i), 3);
            }
        }
        run(1);
    }
    run(60);
    assert_non_null(seen_by(cem, cem->id)); /* instead of Bob */
    assert_null(seen_by(bob, bob->id));
    assert_knows_itself(bob, "Robert", 0);
    assert_int_equal(bob->selves, 1);
    leave(cem);
    run(60);
    assert_non_null(seen_by(bob, bob->id));
    assert_knows_itself(bob, "Robert", 0);
}

/* Bob asks for another name ten times a second. Returns whether he got one. */
static bool rename_often(uint32_t round)
{
    char name[PROTO_NAME_MAX + 1];

    snprintf(name, sizeof name, "Bob the %uth", round);
    return round % 3 == 0 && try_name(bob, name);
}

/* Compares the bytes of presence for a client with its smallest stream. 150 people move, and one of
 * them often takes a new name. */
static void test_a_lively_crowd_is_cheap(void **state)
{
    struct client *viewer;
    uint32_t names = 0;
    uint64_t presence_bytes;
    uint64_t snapshot_bytes;

    (void)state;
    for (uint32_t i = 0; i < 147; i++) {
        join("");
    }
    viewer = join("viewer");
    run(60);
    presence_bytes = viewer->presence_bytes;
    snapshot_bytes = viewer->snapshot_bytes;
    const uint32_t messages = viewer->presences;
    for (uint32_t round = 0; round < 30 * 30; round++) {
        for (uint32_t i = 0; i < client_count; i++) {
            send_cursor(&clients[i], (float)(round % 500), (float)i);
        }
        names += rename_often(round);
        run(1);
    }
    presence_bytes = viewer->presence_bytes - presence_bytes;
    snapshot_bytes = viewer->snapshot_bytes - snapshot_bytes;
    print_message("bytes a second: presence %.0f, snapshots %.0f\n", (double)presence_bytes / 30,
                  (double)snapshot_bytes / 30);
    assert_int_equal(names, 10); /* one in three seconds */
    assert_in_range(viewer->presences - messages, 10, 11);
    assert_null(seen_by(viewer, viewer->id)); /* so this client also gets messages about itself */
    assert_true(presence_bytes * 5 <= snapshot_bytes);
    assert_in_range(presence_bytes / 30, 1, 100);
}

/* A stream without moving cursors is even smaller. */
static void test_a_renaming_costs_a_few_bytes(void **state)
{
    uint32_t names = 0;
    uint64_t presence_bytes;
    uint64_t snapshot_bytes;

    (void)state;
    for (uint32_t i = 0; i < 148; i++) {
        join("");
    }
    run(60);
    presence_bytes = ada->presence_bytes;
    snapshot_bytes = ada->snapshot_bytes;
    for (uint32_t round = 0; round < 30 * 30; round++) {
        names += rename_often(round);
        run(1);
    }
    presence_bytes = ada->presence_bytes - presence_bytes;
    snapshot_bytes = ada->snapshot_bytes - snapshot_bytes;
    assert_int_equal(names, 10);
    assert_true(presence_bytes * 5 <= snapshot_bytes);
}

/* ---- presenters who are away ---- */

static void assert_away(const struct client *client, uint32_t count, const struct client *first)
{
    assert_int_equal(client->away_count, count);
    if (first != NULL) {
        assert_int_equal(client->away[0].id, first->id);
        assert_string_equal(client->away[0].name, first->name);
    }
}

static void test_presenters_who_leave_are_away_until_they_come_back(void **state)
{
    struct proto_hello again = hello_again(ada);

    (void)state;
    run(60);
    assert_away(bob, 0, NULL);
    const uint64_t bytes = bob->presence_bytes;
    leave(ada);
    run(60);
    assert_away(bob, 1, ada);
    assert_in_range(bob->presence_bytes - bytes, 1, 32);
    assert_null(seen_by(bob, ada->id));
    struct client *late = join("Late");
    run(60);
    assert_away(late, 1, ada);
    ada = join_as(&again);
    assert_int_equal(ada->role, PROTO_PRESENTER);
    run(60);
    assert_away(bob, 0, NULL);
    assert_away(ada, 0, NULL);
    assert_true(try_appoint(ada, late->id, PROTO_PRESENTER));
    leave(late);
    run(60);
    assert_away(bob, 1, late);
    again = hello_again(late);
    leave(ada); /* in the same second, so the number of absent presenters stays */
    late = join_as(&again);
    run(60);
    assert_away(bob, 1, ada);
    assert_true(try_appoint(late, late->id, PROTO_VIEWER));
    again = hello_again(ada);
    ada = join_as(&again);
    leave(late); /* absent viewers are not listed */
    run(60);
    assert_away(bob, 0, NULL);
}

static void test_a_presenter_who_cannot_return_is_not_away(void **state)
{
    (void)state;
    struct client *eve = join("Eve");
    struct client *dan = join("Dan");
    assert_true(try_appoint(ada, bob->id, PROTO_PRESENTER));
    assert_true(try_appoint(ada, eve->id, PROTO_PRESENTER));
    run(60);
    assert_true(try_expel(ada, eve->id)); /* removed */
    leave(bob);
    run(60);
    assert_away(dan, 1, bob);
    assert_true(try_appoint(ada, bob->id, PROTO_VIEWER)); /* no longer a presenter */
    run(60);
    assert_away(dan, 0, NULL);
    assert_true(say_key(dan, KEY));
    leave(ada);
    run(60);
    assert_away(dan, 1, ada);
    assert_true(try_type(dan, PROTO_REKEY)); /* absent presenters come back as viewers */
    run(60);
    assert_away(dan, 0, NULL);
}

static void test_a_forgotten_presenter_is_not_away(void **state)
{
    (void)state;
    leave(ada);
    run(60);
    assert_away(bob, 1, ada);
    clock_now += 590 * SECOND;
    run(1);
    assert_away(bob, 1, ada);
    clock_now += 10 * SECOND;
    run(1);
    assert_away(bob, 0, NULL);
}

static void test_the_last_16_presenters_who_left_are_away(void **state)
{
    struct client *last = NULL;

    (void)state;
    for (uint32_t i = 0; i < 40; i++) {
        last = join("");
        assert_true(say_key(last, KEY));
        run(1);
        leave(last);
    }
    run(60);
    assert_away(bob, PROTO_AWAY_MAX, last);
}

/* If all members are presenters, the list of absent presenters is empty. */
static void test_with_open_controls_no_one_is_away(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.open_controls = true;
    make_two_as(&definition);
    assert_int_equal(ada->role, PROTO_PRESENTER);
    leave(ada);
    run(60);
    assert_away(bob, 0, NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_the_first_change_is_sent_at_once),
        TEST(test_changes_are_sent_together),
        TEST(test_a_person_who_joins_and_leaves_between_two_lists_is_in_neither),
        TEST(test_flags_travel_alone),
        TEST(test_viewers_who_may_only_watch_are_not_active),
        TEST(test_a_client_that_missed_changes_catches_up),
        TEST(test_more_people_than_are_shown),
        TEST(test_a_person_outside_the_list_knows_how_it_is_shown),
        TEST(test_a_presenter_is_in_the_list),
        TEST(test_a_person_who_left_the_list_knows_how_it_is_shown),
        TEST(test_a_lively_crowd_is_cheap),
        TEST(test_a_renaming_costs_a_few_bytes),
        TEST(test_presenters_who_leave_are_away_until_they_come_back),
        TEST(test_a_presenter_who_cannot_return_is_not_away),
        TEST(test_a_forgotten_presenter_is_not_away),
        TEST(test_the_last_16_presenters_who_left_are_away),
        TEST(test_with_open_controls_no_one_is_away),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, presence", tests, NULL, NULL);
}
