/* A presenter asks a class for attention, marks a cursor, shows another room, renames a person. */
#include "control_room.h"
#include "load_room.h"
#include "room/room_state.h"
#include "scene/saved.h"

static bool attention(struct client *client, bool on, const char *text)
{
    struct proto_client_message message = {.type = PROTO_ATTENTION, .attention.on = on};

    snprintf(message.attention.text, sizeof message.attention.text, "%s", text);
    return say(client, &message);
}

static bool spotlight(struct client *client, uint32_t id)
{
    return say(client, &(struct proto_client_message){.type = PROTO_SPOTLIGHT, .spotlight.id = id});
}

static bool try_rename(struct client *client, uint32_t id, const char *name)
{
    struct proto_client_message message = {.type = PROTO_RENAME, .rename.id = id};

    snprintf(message.rename.name, sizeof message.rename.name, "%s", name);
    return say(client, &message);
}

static const struct proto_event *last_event(void)
{
    return &bob->event_log[(bob->event_count - 1) % EVENTS_MAX];
}

static void assert_last_event(const char *name, const char *from, const char *to)
{
    publish();
    assert_string_equal(last_event()->name, name);
    assert_string_equal(last_event()->from, from);
    assert_string_equal(last_event()->to, to);
    assert_int_equal(last_event()->by, ada->id);
}

static void test_everyone_is_asked_for_attention(void **state)
{
    (void)state;
    assert_false(described()->has_attention);
    assert_true(attention(ada, true, "Look at the board"));
    assert_last_event("attention", "off", "on");
    assert_true(described()->has_attention);
    assert_string_equal(described()->attention, "Look at the board");
    const struct client *cem = join("Cem"); /* a later member sees it, too */
    assert_string_equal(read_frame(cem->welcome)->welcome.room.attention, "Look at the board");
    assert_true(attention(ada, true, ""));
    assert_true(described()->has_attention);
    assert_string_equal(described()->attention, "");
    assert_true(attention(ada, false, "of no account"));
    assert_false(described()->has_attention);
    assert_last_event("attention", "on", "off");
    uint32_t version = ada->versions[VIEW_ROOM];
    assert_true(attention(ada, false, "of no account"));
    publish();
    assert_int_equal(ada->versions[VIEW_ROOM], version); /* the room message has not changed */
}

static void test_a_sentence_can_be_read(void **state)
{
    (void)state;
    assert_false(attention(ada, true, "   "));
    assert_refused(PROTO_E_RANGE, "text", "text: expected a visible character, or an empty text");
    assert_false(attention(bob, true, "me"));
    assert_int_equal(error.code, PROTO_E_ROLE);
    assert_false(described()->has_attention);
}

static void test_a_cursor_is_marked(void **state)
{
    (void)state;
    assert_true(spotlight(ada, bob->id));
    assert_int_equal(described()->spotlight, bob->id);
    assert_last_event("spotlight", "", "Bob");
    assert_false(spotlight(ada, 99));
    assert_refused(PROTO_E_RANGE, "id", "id: expected the id of a person in the room, got 99");
    assert_int_equal(described()->spotlight, bob->id);
    assert_true(spotlight(ada, 0));
    assert_int_equal(described()->spotlight, 0);
    assert_last_event("spotlight", "Bob", "");
}

static void test_a_cursor_of_the_same_name_is_marked(void **state)
{
    const struct client *other = join("Bob");
    uint32_t events;

    (void)state;
    assert_true(spotlight(ada, bob->id));
    publish();
    events = ada->event_count;
    assert_true(spotlight(ada, other->id));
    assert_last_event("spotlight", "Bob", "Bob");
    assert_int_equal(ada->event_count, events + 1);
}

static void test_a_removed_person_leaves_the_spotlight(void **state)
{
    (void)state;
    assert_true(spotlight(ada, bob->id));
    assert_true(try_expel(ada, bob->id));
    assert_int_equal(described()->spotlight, 0);
}

static void test_a_person_is_renamed(void **state)
{
    (void)state;
    assert_true(try_rename(ada, bob->id, "Bo"));
    tick(40);
    publish();
    assert_string_equal(seen_by(ada, bob->id)->name, "Bo");
    assert_last_event("rename", "Bob", "Bo");
    assert_int_equal(strtoul(last_event()->what, NULL, 10), bob->id);
    /* A presenter can rename again at once; the person only after some time. */
    assert_true(try_rename(ada, bob->id, "Bobby"));
    assert_false(try_name(bob, "xXx"));
    assert_int_equal(error.code, PROTO_E_STATE);
}

static void test_names_that_a_presenter_cannot_give(void **state)
{
    (void)state;
    assert_true(try_rename(ada, ada->id, "Bob")); /* no other person may have a presenter's name */
    run(60);
    assert_string_equal(seen_by(bob, ada->id)->name, "Bob");
    assert_string_not_equal(seen_by(ada, bob->id)->name, "Bob");
    assert_true(try_rename(ada, ada->id, "Ada"));
    assert_true(try_rename(ada, bob->id, "Bobby"));
    assert_false(try_rename(ada, bob->id, " "));
    assert_refused(PROTO_E_RANGE, "name", "name: expected at least one visible character");
    assert_false(try_rename(ada, bob->id, "ADA"));
    assert_refused(PROTO_E_RANGE, "name", "name: a presenter has this name; choose another one");
    assert_false(try_rename(ada, 99, "Bo"));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_string_equal(error.field, "id");
    assert_false(try_rename(bob, ada->id, "Bo"));
    assert_int_equal(error.code, PROTO_E_ROLE);
}

/* The person in the spotlight is shown, also if there are more people than can be shown. */
static void test_a_person_in_the_spotlight_is_shown(void **state)
{
    struct client *last = NULL;

    (void)state;
    for (uint32_t i = 2; i < PROTO_PEOPLE_MAX + 1; i++) {
        last = join("Cem");
    }
    publish();
    assert_int_equal(bob->people_count, PROTO_PEOPLE_MAX);
    assert_null(seen_by(bob, last->id));
    assert_true(spotlight(ada, last->id));
    tick(40);
    publish();
    assert_non_null(seen_by(bob, last->id));
    assert_int_equal(bob->people_count, PROTO_PEOPLE_MAX);
}

/* Others take the entries of presence while the person's connection is broken. */
static void test_a_person_who_comes_back_is_shown_in_the_spotlight(void **state)
{
    struct client *last = NULL;

    (void)state;
    for (uint32_t i = 2; i < PROTO_PEOPLE_MAX + 2; i++) {
        last = join("Cem");
    }
    assert_true(spotlight(ada, last->id));
    leave(last);
    tick(40);
    assert_null(seen_by(bob, last->id));
    const struct proto_hello hello = hello_again(last);
    const struct client *again = join_as(&hello);
    tick(40);
    publish();
    assert_int_equal(described()->spotlight, again->id);
    assert_non_null(seen_by(bob, again->id));
    assert_int_equal(bob->people_count, PROTO_PEOPLE_MAX);
}

static void test_it_outlives_a_restart(void **state)
{
    const struct room_definition definition = definition_with_key();
    size_t size;
    char problem[160];

    (void)state;
    assert_true(attention(ada, true, "Break until ten"));
    assert_true(spotlight(ada, bob->id));
    const uint32_t marked = bob->id;
    uint8_t *bytes = room_save(room, clock_now, &size);
    saved_seal(bytes, size);
    room_destroy(room);
    room = load_room(&definition, &sink, bytes, size, clock_now, problem, sizeof problem);
    free(bytes);
    assert_non_null(room);
    const struct client *cem = join("Cem");
    const struct proto_room *now = &read_frame(cem->welcome)->welcome.room;
    assert_true(now->has_attention);
    assert_string_equal(now->attention, "Break until ten");
    assert_int_equal(now->spotlight, marked);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)

static bool beside(const char *code)
{
    struct proto_client_message message = {.type = PROTO_BESIDE};

    snprintf(message.beside.code, sizeof message.beside.code, "%s", code);
    return say(ada, &message);
}

/* Returns whether the HTTP API may show that room. */
static bool direct_beside(const char *code)
{
    struct proto_client_message message = {.type = PROTO_BESIDE};

    snprintf(message.beside.code, sizeof message.beside.code, "%s", code);
    memset(&error, 0, sizeof error);
    return room_direct_all(room, &message, 1, clock_now, &error);
}

/* All clients load a page for another room. Its end, and a room that is shown already, do not
 * count. */
static void test_other_rooms_are_shown_five_times_at_once_and_then_every_ten_seconds(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        assert_true(beside(i % 2 == 0 ? "FK72MX" : "3KWYL7"));
        assert_true(beside(i % 2 == 0 ? "FK72MX" : "3KWYL7"));
    }
    assert_string_equal(described()->beside, "FK72MX");
    assert_false(beside("3KWYL7"));
    assert_refused(PROTO_E_FLOOD, "code",
                   "code: this room has shown 5 other rooms within a short time; it may show the "
                   "next in 10 s");
    assert_int_equal(error.after, 10);
    assert_false(direct_beside("3KWYL7"));
    assert_int_equal(error.code, PROTO_E_FLOOD);
    assert_true(beside("FK72MX"));
    assert_true(beside(""));
    assert_string_equal(described()->beside, "");
    assert_false(beside("FK72MX"));
    clock_now += 9900000;
    assert_false(beside("FK72MX"));
    assert_int_equal(error.after, 1);
    clock_now += 100000;
    assert_true(direct_beside("FK72MX"));
    assert_false(direct_beside("3KWYL7"));
    assert_string_equal(described()->beside, "FK72MX");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_everyone_is_asked_for_attention),
        TEST(test_a_sentence_can_be_read),
        TEST(test_a_cursor_is_marked),
        TEST(test_a_cursor_of_the_same_name_is_marked),
        TEST(test_a_removed_person_leaves_the_spotlight),
        TEST(test_a_person_is_renamed),
        TEST(test_names_that_a_presenter_cannot_give),
        TEST(test_a_person_in_the_spotlight_is_shown),
        TEST(test_a_person_who_comes_back_is_shown_in_the_spotlight),
        TEST(test_it_outlives_a_restart),
        TEST(test_other_rooms_are_shown_five_times_at_once_and_then_every_ten_seconds),
    };

    return cmocka_run_group_tests_name("room, a class", tests, NULL, NULL);
}
