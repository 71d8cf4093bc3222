/* Keys that members try: the limit of wrong keys and its effects. */
#include "control_room.h"

#include "base/tries.h"

static const struct tries_limits limits = {.connection = 6, .address = 30, .all = 300};
static struct tries *tries;
static uint32_t notes;    /* number of audit notes about wrong keys */
static char changed[200]; /* the latest change in the form of the audit log */

static void note(void *argument, const struct room_note *taken)
{
    (void)argument;
    if (taken->type == ROOM_NOTE_WRONG_KEY) {
        assert_string_equal(taken->what, "presenter");
        notes++;
    } else {
        snprintf(changed, sizeof changed, "%s: %s, then %s", taken->what, taken->from, taken->to);
    }
}

/* Makes a room with that key and a budget of wrong keys, a presenter and a viewer. */
static int make_with_tries(void **state)
{
    struct room_definition definition = definition_default();
    struct room_sink noted = sink;

    make(state);
    tries = tries_create(&limits);
    snprintf(definition.key, sizeof definition.key, "%s", KEY);
    definition.tries = tries;
    noted.note = note;
    room_destroy(room);
    room = room_create(&definition, &noted, NULL, NULL);
    assert_non_null(room);
    ada = join("Ada");
    bob = join("Bob");
    assert_true(say_key(ada, KEY));
    notes = 0;
    return 0;
}

static int finish_with_tries(void **state)
{
    finish(state);
    tries_destroy(tries);
    return 0;
}

static void guess(struct client *client, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        assert_false(say_key(client, "a-guess"));
        assert_refused(PROTO_E_KEY, "key", "key: this is not the room's key");
        assert_false(error.fatal);
    }
}

/* Sends a message of a burst, which may arrive after the room closed the member. */
static void say_unheard(struct client *client, room_member member, const char *key)
{
    struct proto_client_message message = {.type = PROTO_KEY};

    (void)client;
    snprintf(message.key.key, sizeof message.key.key, "%s", key);
    room_receive(room, member, &message, clock_now);
}

static void test_the_sixth_wrong_key_closes(void **state)
{
    room_member member = bob->member;

    (void)state;
    guess(bob, 5);
    say_unheard(bob, member, "a-guess");
    assert_int_equal(bob->closed, PROTO_CLOSE_KEYS);
    const struct proto_error *why = &read_frame(bob->last)->error;
    assert_int_equal(why->code, PROTO_E_KEY);
    assert_int_equal(why->type, PROTO_KEY);
    assert_true(why->fatal);
    assert_int_equal(notes, 6);
    assert_int_equal(room_facts(room).people, 1);
    assert_int_equal(tries_refused(tries, TRIES_CONNECTION), 1);
}

/* The server does not compare keys after the sixth wrong one, even a right key. */
static void test_nothing_is_guessed_behind_the_sixth(void **state)
{
    const struct proto_hello again = hello_again(bob);
    room_member member = bob->member;

    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        say_unheard(bob, member, "a-guess");
    }
    say_unheard(bob, member, KEY);
    assert_int_equal(join_as(&again)->role, PROTO_VIEWER);
    assert_int_equal(notes, 6);
}

/* After a close for guessing, a token does not restore the role from a guessed key. */
static void test_a_guessed_key_does_not_survive_the_close(void **state)
{
    const struct proto_hello again = hello_again(bob);
    room_member member = bob->member;

    (void)state;
    guess(bob, 3);
    assert_true(say_key(bob, KEY));
    assert_int_equal(bob->role, PROTO_PRESENTER);
    for (uint32_t i = 0; i < 6; i++) {
        say_unheard(bob, member, "a-guess");
    }
    assert_int_equal(bob->closed, PROTO_CLOSE_KEYS);
    bob = join_as(&again);
    assert_int_equal(bob->role, PROTO_VIEWER);
    assert_int_equal(bob->id, 2);
}

/* Wrong keys count for the person, over all connections. A person who has tried too many can try
 * none for a minute, and uses up no tries of the address in that time. */
static void test_wrong_keys_count_for_the_person(void **state)
{
    const struct proto_hello again = hello_again(bob);
    struct proto_hello with_key = again;

    (void)state;
    guess(bob, 3);
    leave(bob);
    bob = join_as(&again);
    guess(bob, 2);
    say_unheard(bob, bob->member, "a-guess");
    assert_int_equal(bob->closed, PROTO_CLOSE_KEYS);
    const uint64_t wrong = tries_wrong(tries, TRIES_PRESENTER);
    snprintf(with_key.key, sizeof with_key.key, "%s", KEY);
    for (uint32_t i = 0; i < 2 * limits.address; i++) {
        bob = join_as(&with_key);
        assert_int_equal(bob->role, PROTO_VIEWER);
        const struct proto_error *told = &next_heard(bob)->error;
        assert_int_equal(told->code, PROTO_E_FLOOD);
        assert_int_equal(told->after, 60);
        assert_false(say_key(bob, "a-guess"));
        assert_refused(PROTO_E_FLOOD, "key",
                       "key: too many wrong keys were tried; try again in 60 s");
        assert_false(error.fatal);
        leave(bob);
    }
    assert_int_equal(tries_wrong(tries, TRIES_PRESENTER), wrong);
    assert_int_equal(tries_refused(tries, TRIES_ADDRESS), 0);
    struct client *teacher = join("Teacher");
    assert_true(say_key(teacher, KEY)); /* others at the address may */
    clock_now += 60 * SECOND;
    bob = join_as(&again);
    guess(bob, 5); /* as many as a new member has */
    assert_true(say_key(bob, KEY));
}

static void test_the_right_key_resets_the_count_of_wrong_keys(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        guess(bob, 5);
        assert_true(say_key(bob, KEY));
    }
}

/* The audit log has the values before and after, also of a change without effect. */
static void test_the_audit_log_has_both_values(void **state)
{
    (void)state;
    set("viewers", "watch");
    assert_string_equal(changed, "set viewers: steer, then watch");
    set("viewers", "watch");
    assert_string_equal(changed, "set viewers: watch, then watch");
    assert_true(say_key(bob, KEY));
    assert_string_equal(changed, "key: viewer, then presenter");
}

static void test_a_wrong_key_in_a_hello_counts(void **state)
{
    struct proto_hello hello = hello_of("Cem");
    struct client *cem;

    (void)state;
    snprintf(hello.key, sizeof hello.key, "a-guess");
    cem = join_as(&hello);
    assert_int_equal(cem->role, PROTO_VIEWER);
    assert_int_equal(next_heard(cem)->error.code, PROTO_E_KEY);
    guess(cem, 4);
    say_unheard(cem, cem->member, "a-guess");
    assert_int_equal(cem->closed, PROTO_CLOSE_KEYS);
}

/* Above the budget of its address, a key is not compared and does not count, right or wrong. */
static void test_the_budget_of_an_address(void **state)
{
    uint32_t tried = 0;

    (void)state;
    origin_now = 2;
    while (tries_refused(tries, TRIES_ADDRESS) == 0) {
        struct proto_hello hello = hello_of("Mal");
        snprintf(hello.key, sizeof hello.key, "a-guess");
        struct client *mal = join_as(&hello);
        const struct proto_error *told = &next_heard(mal)->error;
        assert_int_equal(told->code,
                         tries_refused(tries, TRIES_ADDRESS) == 0 ? PROTO_E_KEY : PROTO_E_FLOOD);
        leave(mal);
        tried++;
    }
    assert_int_equal(tried, limits.address + 1);
    struct client *teacher = join("Teacher");
    for (uint32_t i = 0; i < 2 * limits.connection; i++) {
        assert_false(say_key(teacher, KEY));
        assert_refused(PROTO_E_FLOOD, "key",
                       "key: too many wrong keys were tried; try again in 2 s");
        assert_int_equal(error.after, 2);
    }
    clock_now += 2 * SECOND;
    assert_true(say_key(teacher, KEY));
    origin_now = 1;
    assert_true(say_key(bob, KEY)); /* other addresses do not wait */
}

/* The room always compares a key that it made itself. */
static void test_a_made_key_does_not_wait(void **state)
{
    char key[PROTO_KEY_MAX + 1];

    (void)state;
    assert_true(try_type(ada, PROTO_REKEY));
    snprintf(key, sizeof key, "%s", next_heard(ada)->new_key.key);
    while (tries_refused(tries, TRIES_ADDRESS) == 0) {
        struct proto_hello hello = hello_of("Mal");
        snprintf(hello.key, sizeof hello.key, "a-guess");
        leave(join_as(&hello));
    }
    assert_true(say_key(bob, key));
    const struct proto_hello again = hello_again(bob);
    while (bob->closed != PROTO_CLOSE_KEYS) {
        clock_now += 2 * SECOND;
        say_unheard(bob, bob->member, "a-guess");
    }
    bob = join_as(&again);
    assert_int_equal(bob->role, PROTO_VIEWER);
    assert_true(say_key(bob, key)); /* nor does a person who has tried too many */
}

/* ---- join keys ---- */

static void assert_locked(const struct proto_hello *hello, const char *message)
{
    struct room_end refused;

    assert_null(try_join(hello, &refused));
    assert_int_equal(end_code(refused.why), PROTO_CLOSE_JOIN);
    const struct proto_error why = read_frame(refused.frame)->error;
    frame_release(refused.frame);
    assert_int_equal(why.code, PROTO_E_JOIN);
    assert_string_equal(why.field, "join");
    assert_string_equal(why.message, message);
    assert_int_equal(why.after, strstr(message, "try again in 2 s") != NULL ? 2 : 0);
    assert_true(why.fatal);
}

static void test_a_join_key_lets_people_in(void **state)
{
    struct proto_hello hello = hello_of("Cem");

    (void)state;
    assert_false(room_facts(room).locked);
    room_set_join_key(room, "bees-at-noon");
    assert_true(room_facts(room).locked);
    assert_locked(&hello, "join: the room needs a join key");
    snprintf(hello.join, sizeof hello.join, "bees");
    assert_locked(&hello, "join: this is not the room's join key");
    snprintf(hello.join, sizeof hello.join, "bees-at-noon");
    assert_int_equal(join_as(&hello)->role, PROTO_VIEWER);
    assert_int_equal(tries_wrong(tries, TRIES_JOIN), 1);
    room_set_join_key(room, "");
    assert_false(room_facts(room).locked);
    hello.join[0] = '\0';
    join_as(&hello);
}

/* A client with the presenter key or a token of the room needs no join key. */
static void test_people_who_need_no_join_key(void **state)
{
    struct proto_hello hello = hello_of("Dora");
    struct proto_hello again = hello_again(bob);

    (void)state;
    room_set_join_key(room, "bees-at-noon");
    snprintf(hello.key, sizeof hello.key, KEY);
    assert_int_equal(join_as(&hello)->role, PROTO_PRESENTER);
    snprintf(hello.key, sizeof hello.key, "a-guess");
    assert_locked(&hello, "join: the room needs a join key");
    leave(bob);
    bob = join_as(&again);
    assert_int_equal(bob->id, 2);
    assert_true(try_expel(ada, bob->id));
    struct room_end refused;
    assert_null(try_join(&again, &refused)); /* but not a removed person */
    frame_release(refused.frame);
}

static void test_join_keys_have_the_same_budget(void **state)
{
    struct proto_hello hello = hello_of("Mal");

    (void)state;
    room_set_join_key(room, "bees-at-noon");
    snprintf(hello.join, sizeof hello.join, "wasps");
    for (uint32_t i = 0; i < limits.address; i++) {
        assert_locked(&hello, "join: this is not the room's join key");
    }
    assert_locked(&hello, "join: too many wrong keys were tried; try again in 2 s");
    snprintf(hello.join, sizeof hello.join, "bees-at-noon");
    assert_locked(&hello, "join: too many wrong keys were tried; try again in 2 s");
    clock_now += 2 * SECOND;
    join_as(&hello);
}

/* The room is locked, and the server has not compared the presenter key: the person learns when to
 * try again, not that the join key is missing. */
static void test_an_uncompared_presenter_key_is_not_called_wrong(void **state)
{
    struct proto_hello hello = hello_of("Teacher");

    (void)state;
    room_set_join_key(room, "bees-at-noon");
    snprintf(hello.join, sizeof hello.join, "wasps");
    for (uint32_t i = 0; i < limits.address; i++) {
        assert_locked(&hello, "join: this is not the room's join key");
    }
    snprintf(hello.key, sizeof hello.key, KEY);
    assert_locked(&hello, "join: too many wrong keys were tried; try again in 2 s");
    hello.join[0] = '\0';
    assert_locked(&hello, "join: too many wrong keys were tried; try again in 2 s");
    clock_now += 2 * SECOND;
    assert_int_equal(join_as(&hello)->role, PROTO_PRESENTER);
}

/* A key that was not compared may be a wrong one: it opens no closed door. */
static void test_an_uncompared_presenter_key_opens_no_closed_door(void **state)
{
    struct proto_hello hello = hello_of("Mal");

    (void)state;
    while (tries_refused(tries, TRIES_ADDRESS) == 0) {
        snprintf(hello.key, sizeof hello.key, "a-guess");
        leave(join_as(&hello));
    }
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_DOOR}));
    assert_locked(&hello, "join: too many wrong keys were tried; try again in 2 s");
    room_set_join_key(room, "bees-at-noon");
    assert_locked(&hello, "join: too many wrong keys were tried; try again in 2 s");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_with_tries, finish_with_tries)
    const struct CMUnitTest tests[] = {
        TEST(test_the_sixth_wrong_key_closes),
        TEST(test_nothing_is_guessed_behind_the_sixth),
        TEST(test_a_guessed_key_does_not_survive_the_close),
        TEST(test_wrong_keys_count_for_the_person),
        TEST(test_the_right_key_resets_the_count_of_wrong_keys),
        TEST(test_the_audit_log_has_both_values),
        TEST(test_a_wrong_key_in_a_hello_counts),
        TEST(test_the_budget_of_an_address),
        TEST(test_a_made_key_does_not_wait),
        TEST(test_a_join_key_lets_people_in),
        TEST(test_people_who_need_no_join_key),
        TEST(test_an_uncompared_presenter_key_is_not_called_wrong),
        TEST(test_an_uncompared_presenter_key_opens_no_closed_door),
        TEST(test_join_keys_have_the_same_budget),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, keys", tests, NULL, NULL);
}
