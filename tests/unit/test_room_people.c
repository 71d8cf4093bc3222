/* The people in a room: replaced connections, roles, removals and keys, and the answer to each
 * message. */
#include "control_room.h"

#include "scene/names.h"

/* Asserts that the room refuses the hello with this code. Frees *refused. */
static void assert_not_let_in(const struct proto_hello *hello, enum proto_code code,
                              const char *field, enum proto_close close)
{
    struct room_end refused;

    assert_null(try_join(hello, &refused));
    assert_int_equal(end_code(refused.why), close);
    assert_true(strlen(end_text(refused.why)) > 0);
    const struct proto_error *why = &read_frame(refused.frame)->error;
    assert_int_equal(why->code, code);
    assert_int_equal(why->type, PROTO_HELLO);
    assert_string_equal(why->field, field);
    assert_true(why->fatal && strlen(why->message) > 0);
    frame_release(refused.frame);
}

static const char *shown_value(const char *name)
{
    static char value[PROTO_VALUE_MAX + 1];

    snprintf(value, sizeof value, "%s", control(name)->value);
    return value;
}

/* ---- coming and going ---- */

static void test_a_full_room_admits_no_one(void **state)
{
    struct room_definition definition = definition_with_key();
    const struct proto_hello hello = hello_of("Cem");

    (void)state;
    definition.people_max = 2;
    make_two_as(&definition);
    assert_not_let_in(&hello, PROTO_E_FULL, "room", PROTO_CLOSE_FULL);
    assert_int_equal(room_facts(room).people, 2);
    leave(bob);
    assert_int_equal(room_facts(room).people, 1);
    join("Cem");
}

static void test_an_unknown_encoding_is_not_let_in(void **state)
{
    struct proto_hello hello = hello_of("Cem");

    (void)state;
    snprintf(hello.encodings[0], sizeof hello.encodings[0], "brotli");
    assert_not_let_in(&hello, PROTO_E_ENCODING, "encodings", PROTO_CLOSE_VERSION);
    assert_int_equal(room_facts(room).people, 2);
}

/* A person joins with the token from another connection: the old connection ends, and the person is
 * the same. */
static void test_taking_over(void **state)
{
    const struct proto_hello hello = hello_again(ada);
    const room_member old = ada->member;
    struct client *again;

    (void)state;
    move(ada, 100, 100);
    again = join_as(&hello);
    assert_int_equal(ada->closed, PROTO_CLOSE_REPLACED);
    assert_true(again->member != old);
    assert_int_equal(again->id, ada->id);
    assert_int_equal(again->role, PROTO_PRESENTER);
    assert_string_equal(again->name, "Ada");
    assert_int_equal(room_facts(room).people, 2);
    /* Messages with the old handle have no effect. */
    room_receive(room, old, &(struct proto_client_message){.type = PROTO_RESET}, clock_now);
    room_ease(room, old, &(struct room_ease){.line = 3});
    room_welcome(room, old, clock_now);
    room_leave(room, old, clock_now);
    assert_int_equal(room_facts(room).people, 2);
    run(2);
    assert_int_equal(again->event_count, 0);
    assert_int_equal(again->snapshots, 2);
}

static void test_the_end_of_a_room_closes_everyone(void **state)
{
    (void)state;
    room_end(room, END_BY_PRESENTER);
    assert_int_equal(ada->closed, PROTO_CLOSE_ENDED);
    assert_int_equal(bob->closed, PROTO_CLOSE_ENDED);
    assert_null(ada->last);
    assert_int_equal(room_facts(room).people, 0);
    room_leave(room, 1, clock_now);
    publish();
}

/* Shown people leave last. Otherwise the room would look for a replacement for each of them. */
static void test_the_end_of_a_full_room_is_quick(void **state)
{
    uint32_t first_shown = UINT32_MAX;
    uint32_t last_hidden = 0;

    (void)state;
    while (client_count < CLIENTS_MAX) {
        join("");
    }
    room_end(room, END_BY_PRESENTER);
    assert_int_equal(room_facts(room).people, 0);
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        assert_int_equal(clients[i].closed, PROTO_CLOSE_ENDED);
        if (i < PROTO_PEOPLE_MAX) {
            first_shown = clients[i].closed_as < first_shown ? clients[i].closed_as : first_shown;
        } else {
            last_hidden = clients[i].closed_as > last_hidden ? clients[i].closed_as : last_hidden;
        }
    }
    assert_true(last_hidden < first_shown);
}

/* ---- answers ---- */

static void test_answers_come_in_order_with_tags(void **state)
{
    static const enum proto_type types[] = {PROTO_RESET, PROTO_STEP, PROTO_REMOVE};

    (void)state;
    forget_heard(ada);
    for (uint32_t i = 0; i < 3; i++) {
        const struct proto_client_message message = {
            .type = types[i], .has_tag = i != 1, .tag = UINT32_MAX - i, .remove = {1}};
        room_receive(room, ada->member, &message, clock_now);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const struct proto_server_message *answer = next_heard(ada);
        assert_int_equal(answer->type, i == 1 ? PROTO_ERROR : PROTO_DONE);
        if (i == 1) {
            assert_int_equal(answer->error.type, PROTO_STEP);
            assert_false(answer->error.has_tag);
        } else {
            assert_int_equal(answer->done.type, types[i]);
            assert_true(answer->done.has_tag);
            assert_int_equal(answer->done.tag, UINT32_MAX - i);
        }
    }
    assert_null(next_heard(ada));
}

static void test_an_error_names_the_control(void **state)
{
    (void)state;
    assert_false(try_set(ada, "policy", "loudest"));
    assert_string_equal(error.name, "policy");
    assert_false(try_param(ada, "inertia", -1e9F));
    assert_string_equal(error.name, "inertia");
    assert_false(try_set(bob, "policy", "mean")); /* also if the sender may not send it */
    assert_string_equal(error.name, "policy");
    assert_false(try_type(bob, PROTO_RESET));
    assert_string_equal(error.name, "");
}

static void test_names_and_cursors_are_answered(void **state)
{
    (void)state;
    assert_true(try_name(bob, "Robert"));
    move(bob, 1, 1);
    assert_true(try_type(bob, PROTO_AWAY));
    assert_null(next_heard(bob)); /* no further message for either */
}

static void test_messages_for_the_session_are_refused(void **state)
{
    (void)state;
    assert_false(try_type(bob, PROTO_HELLO));
    assert_int_equal(error.code, PROTO_E_STATE);
    assert_false(try_type(bob, PROTO_PING));
    assert_int_equal(error.code, PROTO_E_STATE);
}

/* ---- names ---- */

static void assert_name_refused(struct client *client, const char *name, enum proto_code code,
                                const char *message)
{
    assert_false(try_name(client, name));
    assert_refused(code, "name", message);
}

static void test_a_name_every_three_seconds(void **state)
{
    struct proto_hello hello = hello_again(bob);

    (void)state;
    assert_true(try_name(bob, "Robert")); /* at once: the first name was no change */
    assert_true(try_name(bob, "Robert")); /* unchanged */
    assert_name_refused(bob, "Rob", PROTO_E_STATE,
                        "name: one change every 3 seconds; try again in 3.0 s");
    assert_int_equal(error.after, 3);
    clock_now += SECOND;
    assert_name_refused(bob, "Rob", PROTO_E_STATE,
                        "name: one change every 3 seconds; try again in 2.0 s");
    assert_int_equal(error.after, 2);
    leave(bob);
    snprintf(hello.name, sizeof hello.name, "Rob");
    bob = join_as(&hello); /* reconnecting does not avoid the limit */
    assert_string_equal(bob->name, "Robert");
    clock_now += 2 * SECOND;
    assert_true(try_name(bob, "Rob"));
    clock_now += 3 * SECOND;
    snprintf(hello.name, sizeof hello.name, "Bobby");
    assert_string_equal(join_as(&hello)->name, "Bobby");
}

/* Asserts a name of the server's choice, such as "wren-4". */
static void assert_picked(const char *name, uint32_t id)
{
    char end[16];
    size_t size = (size_t)snprintf(end, sizeof end, "-%u", id);

    assert_true(strlen(name) > size);
    assert_string_equal(name + strlen(name) - size, end);
}

static void test_names_and_titles_can_be_seen(void **state)
{
    static const char *const blank[] = {" ", "\u200b", "\u3164\u00a0", "\u2800"};

    (void)state;
    for (size_t i = 0; i < sizeof blank / sizeof blank[0]; i++) {
        assert_name_refused(bob, blank[i], PROTO_E_RANGE,
                            "name: expected at least one visible character");
        assert_false(try_title(ada, blank[i]));
        assert_refused(PROTO_E_RANGE, "title", "title: expected at least one visible character");
        const struct client *unseen = join(blank[i]);
        assert_picked(unseen->name, unseen->id);
    }
}

static void test_no_viewer_is_called_like_a_presenter(void **state)
{
    struct proto_hello hello = hello_of("ada");

    (void)state;
    assert_name_refused(bob, "ADA", PROTO_E_RANGE,
                        "name: a presenter has this name; choose another one");
    assert_name_refused(bob, " Ａ d\u200bａ", PROTO_E_RANGE,
                        "name: a presenter has this name; choose another one");
    struct client *cem = join_as(&hello);
    assert_picked(cem->name, cem->id);
    assert_true(try_name(cem, "Adam"));
    /* Also while Ada is away. */
    struct proto_hello again = hello_again(ada);
    leave(ada);
    assert_name_refused(bob, "Ada", PROTO_E_RANGE,
                        "name: a presenter has this name; choose another one");
    ada = join_as(&again);
    assert_string_equal(ada->name, "Ada");
    /* Presenters may have equal names. */
    snprintf(hello.key, sizeof hello.key, KEY);
    assert_string_equal(join_as(&hello)->name, "ada");
}

/* When a presenter joins or is appointed, a viewer of the same name gets another name. */
static void test_presenters_keep_their_names(void **state)
{
    struct proto_hello hello = hello_of("Ms Miller");
    struct client *impostor = join("MsMiller");

    (void)state;
    snprintf(hello.key, sizeof hello.key, KEY);
    assert_string_equal(join_as(&hello)->name, "Ms Miller");
    run(31);
    assert_picked(seen_by(ada, impostor->id)->name, impostor->id);
    struct client *other = join("bob");
    assert_true(try_appoint(ada, bob->id, PROTO_PRESENTER));
    run(31);
    assert_string_equal(seen_by(ada, bob->id)->name, "Bob");
    assert_picked(seen_by(ada, other->id)->name, other->id);
    assert_true(try_name(other, "Cem"));
    assert_true(try_name(ada, "cem")); /* a presenter's new name counts as well */
    run(31);
    assert_picked(seen_by(ada, other->id)->name, other->id);
}

/* Rooms compare names by hashes first. These two names have the same one. */
static void test_a_name_with_a_presenters_hash(void **state)
{
    (void)state;
    assert_int_equal(names_hash("guest 162990"), names_hash("guest 291649"));
    assert_true(try_name(ada, "guest 162990"));
    assert_true(try_name(bob, "guest 291649"));
    run(31);
    assert_string_equal(seen_by(ada, bob->id)->name, "guest 291649");
    assert_false(try_name(bob, "guest 162990"));
}

/* ---- roles ---- */

static void test_presenters_appoint(void **state)
{
    (void)state;
    assert_true(try_appoint(ada, bob->id, PROTO_PRESENTER));
    assert_int_equal(bob->role, PROTO_PRESENTER); /* Bob got the event */
    run(1);
    assert_int_equal(seen_by(ada, bob->id)->flags, PROTO_FLAG_PRESENTER);
    assert_true(try_set(bob, "run", "paused"));
    assert_true(try_appoint(ada, ada->id, PROTO_VIEWER)); /* presenters may become viewers */
    assert_int_equal(ada->role, PROTO_VIEWER);
    assert_false(try_set(ada, "run", "running"));
    assert_int_equal(error.code, PROTO_E_ROLE);
    assert_false(try_appoint(bob, 12345, PROTO_VIEWER));
    assert_refused(PROTO_E_RANGE, "id", "id: expected the id of a person in the room, got 12345");
    /* An absent person is not in the room. */
    leave(ada);
    assert_false(try_appoint(bob, ada->id, PROTO_PRESENTER));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_true(try_appoint(bob, bob->id, PROTO_VIEWER)); /* presenters may become viewers */
    assert_int_equal(bob->role, PROTO_VIEWER);
}

/* A dismissed presenter is a viewer also after reconnecting. */
static void test_an_appointment_is_remembered(void **state)
{
    struct proto_hello hello = hello_again(bob);

    (void)state;
    assert_true(try_appoint(ada, bob->id, PROTO_PRESENTER));
    leave(bob);
    bob = join_as(&hello);
    assert_int_equal(bob->role, PROTO_PRESENTER);
    assert_true(try_appoint(ada, bob->id, PROTO_VIEWER));
    leave(bob);
    assert_int_equal(join_as(&hello)->role, PROTO_VIEWER);
}

static void test_presenters_who_are_away_can_be_made_viewers(void **state)
{
    struct proto_hello hello = hello_again(bob);

    (void)state;
    assert_true(try_appoint(ada, bob->id, PROTO_PRESENTER));
    leave(bob);
    assert_false(try_appoint(ada, bob->id, PROTO_PRESENTER)); /* but is not made a presenter */
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_true(try_appoint(ada, bob->id, PROTO_VIEWER));
    bob = join_as(&hello);
    assert_int_equal(bob->role, PROTO_VIEWER);
    /* A new key takes the role from absent presenters only. */
    assert_true(try_appoint(ada, bob->id, PROTO_PRESENTER));
    leave(bob);
    assert_true(try_type(ada, PROTO_REKEY));
    assert_int_equal(join_as(&hello)->role, PROTO_VIEWER);
    assert_true(try_set(ada, "run", "paused"));
}

static void test_presenters_expel(void **state)
{
    const struct proto_hello hello = hello_again(bob);

    (void)state;
    move(bob, 100, 100);
    run(1);
    assert_int_equal(ada->snapshot.cursor_count, 1);
    assert_true(try_expel(ada, bob->id));
    assert_int_equal(bob->closed, PROTO_CLOSE_REMOVED);
    const struct proto_error *why = &read_frame(bob->last)->error;
    assert_int_equal(why->code, PROTO_E_REMOVED);
    assert_true(why->fatal);
    assert_int_equal(room_facts(room).people, 1);
    run(31);
    assert_int_equal(ada->snapshot.cursor_count, 0);
    assert_null(seen_by(ada, bob->id));

    clock_now += 9 * 60 * SECOND;
    assert_not_let_in(&hello, PROTO_E_REMOVED, "token", PROTO_CLOSE_REMOVED);
    clock_now += 60 * SECOND;
    assert_int_not_equal(join_as(&hello)->id, bob->id);
}

static void test_people_whom_no_one_can_remove(void **state)
{
    (void)state;
    assert_false(try_expel(ada, ada->id));
    assert_refused(PROTO_E_RANGE, "id", "id: expected the id of another person, got your own");
    assert_false(try_expel(ada, 777));
    assert_refused(PROTO_E_RANGE, "id", "id: expected the id of a person in the room, got 777");
    assert_int_equal(room_facts(room).people, 2);
    assert_int_equal(ada->closed, 0);
}

/* ---- keys and titles ---- */

static void test_a_new_key(void **state)
{
    char keys[2][PROTO_KEY_MAX + 1];

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_true(try_type(ada, PROTO_REKEY));
        const struct proto_server_message *told = next_heard(ada);
        assert_int_equal(told->type, PROTO_NEW_KEY);
        snprintf(keys[i], sizeof keys[i], "%s", told->new_key.key);
        assert_int_equal(strlen(keys[i]), 24);
        assert_int_equal(strspn(keys[i], "abcdefghijkmnpqrstuvwxyz23456789"), 24);
        assert_null(next_heard(bob));
    }
    assert_string_not_equal(keys[0], keys[1]);
    assert_false(say_key(bob, KEY));
    assert_false(say_key(bob, keys[0]));
    assert_int_equal(bob->role, PROTO_VIEWER);
    assert_true(say_key(bob, keys[1]));
    assert_true(try_set(ada, "run", "paused")); /* presenters stay */
}

static void test_a_title(void **state)
{
    uint32_t changes = room_facts(room).changes;

    (void)state;
    assert_string_equal(described()->title, "");
    assert_true(try_title(ada, "Physics 101"));
    assert_string_equal(described()->title, "Physics 101");
    assert_string_equal(room_facts(room).title, "Physics 101");
    assert_int_equal(room_facts(room).changes, changes + 1);
    uint32_t version = ada->versions[VIEW_ROOM];
    assert_true(try_title(ada, "Physics 101"));
    publish();
    assert_int_equal(ada->versions[VIEW_ROOM], version); /* no event */
}

static void test_facts_follow_the_room(void **state)
{
    uint32_t changes = room_facts(room).changes;

    (void)state;
    set("policy", "latest");
    param("inertia", 1.5F);
    assert_int_equal(room_facts(room).changes, changes);
    set("model", "boids");
    assert_int_equal(room_facts(room).changes, changes + 1);
    assert_string_equal(flock_model_name(room_facts(room).model), "boids");
    set("preset", "bees");
    assert_int_equal(room_facts(room).changes, changes + 2);
    assert_string_equal(flock_preset_name(room_facts(room).preset), "bees");
    assert_int_equal(room_facts(room).boids, 400);
    set("boundary", "wrap");
    assert_int_equal(room_facts(room).changes, changes + 3);
    assert_int_equal(room_facts(room).preset, FLOCK_PRESET_NONE);
}

/* ---- requests without a member ---- */

static bool direct(const struct proto_client_message *message)
{
    return room_direct(room, message, clock_now, &error);
}

static void test_requests_without_a_member(void **state)
{
    struct proto_client_message message = {.type = PROTO_SET, .set = {"run", "paused"}};

    (void)state;
    forget_heard(ada);
    assert_true(direct(&message));
    assert_string_equal(shown_value("run"), "paused");
    message = (struct proto_client_message){.type = PROTO_RESET};
    assert_true(direct(&message));
    publish();
    assert_string_equal(ada->event_log[1].name, "reset");
    assert_int_equal(ada->event_log[1].by, 0);
    message = (struct proto_client_message){.type = PROTO_SET, .set = {"run", "backwards"}};
    assert_false(direct(&message));
    assert_refused(PROTO_E_RANGE, "value", "run: expected one of running, paused, got backwards");
    assert_int_equal(error.type, PROTO_SET);
    assert_string_equal(error.name, "run");
    message = (struct proto_client_message){.type = PROTO_EXPEL, .expel = {bob->id}};
    assert_true(direct(&message));
    assert_int_equal(bob->closed, PROTO_CLOSE_REMOVED);
    assert_null(next_heard(ada)); /* no member gets an answer */
}

static void test_requests_for_members_only(void **state)
{
    static const enum proto_type types[] = {PROTO_HELLO, PROTO_CURSOR, PROTO_AWAY, PROTO_PING,
                                            PROTO_NAME,  PROTO_WANT,   PROTO_KEY,  PROTO_REKEY};

    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        assert_false(direct(&(struct proto_client_message){.type = types[i]}));
        assert_true(error.code == PROTO_E_TYPE || types[i] == PROTO_REKEY);
        assert_int_equal(error.type, types[i]);
    }
    assert_true(say_key(bob, KEY)); /* the key is unchanged */
}

/* ---- messages for presenters ---- */

static void test_presenters_are_warned_of_dropped_ticks(void **state)
{
    (void)state;
    forget_heard(ada);
    forget_heard(bob);
    room_warn_slow(room, true, 37, 300);
    const struct proto_server_message *told = next_heard(ada);
    assert_int_equal(told->type, PROTO_EVENT);
    assert_string_equal(told->event.name, "slow");
    assert_string_equal(told->event.what, "");
    assert_string_equal(told->event.to, "12");
    assert_int_equal(told->event.by, 0);
    room_warn_slow(room, false, 300, 300);
    told = next_heard(ada);
    assert_string_equal(told->event.what, "server");
    assert_string_equal(told->event.to, "100");
    assert_null(next_heard(bob));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_full_room_admits_no_one),
        TEST(test_an_unknown_encoding_is_not_let_in),
        TEST(test_taking_over),
        TEST(test_the_end_of_a_room_closes_everyone),
        TEST(test_the_end_of_a_full_room_is_quick),
        TEST(test_answers_come_in_order_with_tags),
        TEST(test_an_error_names_the_control),
        TEST(test_names_and_cursors_are_answered),
        TEST(test_messages_for_the_session_are_refused),
        TEST(test_a_name_every_three_seconds),
        TEST(test_names_and_titles_can_be_seen),
        TEST(test_no_viewer_is_called_like_a_presenter),
        TEST(test_presenters_keep_their_names),
        TEST(test_a_name_with_a_presenters_hash),
        TEST(test_presenters_appoint),
        TEST(test_presenters_who_are_away_can_be_made_viewers),
        TEST(test_an_appointment_is_remembered),
        TEST(test_presenters_expel),
        TEST(test_people_whom_no_one_can_remove),
        TEST(test_a_new_key),
        TEST(test_a_title),
        TEST(test_facts_follow_the_room),
        TEST(test_requests_without_a_member),
        TEST(test_requests_for_members_only),
        TEST(test_presenters_are_warned_of_dropped_ticks),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, people", tests, NULL, NULL);
}
