/* Owners: presenters who have shown the room's key. Appointed presenters can do nothing to them. */
#include "control_room.h"

#include "room/room_state.h"
#include "scene/saved.h"

#define ONLY_OWNER "id: this person has the room's key; only an owner may do this"
#define FLAGS      (PROTO_FLAG_PRESENTER | PROTO_FLAG_OWNER)

static struct client *cem; /* a viewer */

/* Ada has the key, and has appointed Bob. */
static int make_with_appointed(void **state)
{
    make_two(state);
    cem = join("Cem");
    assert_true(say_key(ada, KEY));
    assert_true(try_appoint(ada, bob->id, PROTO_PRESENTER));
    return 0;
}

static uint32_t flags_of_person(const struct client *client, uint32_t id)
{
    const struct proto_person *person = seen_by(client, id);

    assert_non_null(person);
    return person->flags & FLAGS;
}

static struct client *join_with_key(const struct proto_hello *hello)
{
    struct proto_hello with = *hello;

    snprintf(with.key, sizeof with.key, "%s", KEY);
    return join_as(&with);
}

static void test_an_appointed_presenter_cannot_remove_an_owner(void **state)
{
    (void)state;
    assert_false(try_expel(bob, ada->id));
    assert_refused(PROTO_E_ROLE, "id", ONLY_OWNER);
    assert_false(error.fatal);
    assert_int_equal(ada->closed, 0);
    assert_true(try_expel(bob, cem->id));
}

static void test_an_appointed_presenter_cannot_make_an_owner_a_viewer(void **state)
{
    (void)state;
    assert_false(try_appoint(bob, ada->id, PROTO_VIEWER));
    assert_refused(PROTO_E_ROLE, "id", ONLY_OWNER);
    leave(ada);
    assert_false(try_appoint(bob, ada->id, PROTO_VIEWER)); /* nor while away */
    assert_refused(PROTO_E_ROLE, "id", ONLY_OWNER);
    assert_true(try_appoint(bob, cem->id, PROTO_PRESENTER));
    assert_true(try_appoint(cem, bob->id, PROTO_VIEWER));
}

static void test_an_appointed_presenter_cannot_make_a_new_key(void **state)
{
    (void)state;
    assert_false(try_type(bob, PROTO_REKEY));
    assert_refused(PROTO_E_ROLE, "", "only an owner, a presenter with the room's key, may do this");
    assert_true(say_key(cem, KEY));
    assert_true(try_type(ada, PROTO_REKEY));
}

static void test_owners_may_act_on_owners(void **state)
{
    const struct proto_hello again = hello_again(cem);

    (void)state;
    assert_true(say_key(cem, KEY));
    assert_true(try_appoint(ada, cem->id, PROTO_VIEWER));
    assert_int_equal(cem->role, PROTO_VIEWER);
    assert_true(try_appoint(bob, cem->id, PROTO_PRESENTER)); /* but no owner */
    assert_true(try_appoint(bob, cem->id, PROTO_VIEWER));
    assert_true(say_key(cem, KEY));
    assert_true(try_expel(ada, cem->id));
    struct room_end refused;
    assert_null(try_join(&again, &refused)); /* without the key */
    frame_release(refused.frame);
    assert_int_equal(join_with_key(&again)->role, PROTO_PRESENTER);
}

static void test_a_removed_person_comes_back_with_the_key(void **state)
{
    const struct proto_hello again = hello_again(bob);
    uint32_t id = bob->id;

    (void)state;
    room_set_join_key(room, "bees-at-noon");
    assert_true(try_expel(ada, bob->id));
    bob = join_with_key(&again);
    assert_int_equal(bob->role, PROTO_PRESENTER);
    assert_int_not_equal(bob->id, id);
    const struct proto_hello later = hello_again(bob);
    leave(bob);
    assert_int_equal(join_as(&later)->role, PROTO_PRESENTER); /* the new token needs no key */
}

static void test_members_see_the_owners(void **state)
{
    (void)state;
    run(60);
    assert_int_equal(flags_of_person(cem, ada->id), FLAGS);
    assert_int_equal(flags_of_person(cem, bob->id), PROTO_FLAG_PRESENTER);
    assert_int_equal(flags_of_person(cem, cem->id), 0);
    assert_true(say_key(bob, KEY));
    leave(ada);
    run(60);
    assert_int_equal(flags_of_person(cem, bob->id), FLAGS);
    assert_int_equal(cem->away_count, 1);
    assert_int_equal(cem->away[0].flags, PROTO_FLAG_OWNER);
}

/* A presenter who is away must show the new key to become an owner again. */
static void test_a_new_key_ends_the_ownership_of_people_who_are_away(void **state)
{
    const struct proto_hello again = hello_again(cem);

    (void)state;
    assert_true(say_key(cem, KEY));
    leave(cem);
    assert_true(try_type(ada, PROTO_REKEY));
    forget_heard(ada);
    cem = join_as(&again);
    assert_int_equal(cem->role, PROTO_VIEWER);
    assert_true(try_appoint(ada, cem->id, PROTO_PRESENTER));
    assert_true(try_appoint(bob, cem->id, PROTO_VIEWER));
}

/* Else anyone could take an open room over for the time after it is closed. */
static void test_where_everyone_presents_a_new_key_needs_the_key(void **state)
{
    struct client *dan;

    (void)state;
    room_open_controls(room, true);
    dan = join("Dan");
    assert_true(try_expel(dan, ada->id));
    assert_false(try_type(dan, PROTO_REKEY));
    assert_refused(PROTO_E_ROLE, "", "only an owner, a presenter with the room's key, may do this");
    assert_true(say_key(dan, KEY));
    assert_true(try_type(dan, PROTO_REKEY));
}

/* ---- saved rooms ---- */

/* Replaces the room by what it is after a save and a load; `without`: a key of its state that an
 * earlier version did not write, or NULL. */
static void reload(const char *without)
{
    struct room_definition definition = definition_with_key();
    struct proto_error problem = {0};
    size_t size;
    uint8_t *state = room_save(room, clock_now, &size);

    assert_non_null(state);
    if (without != NULL) {
        uint8_t *at = memmem(state, size, without, strlen(without));
        assert_non_null(at);
        at[0] = '-';
    }
    saved_seal(state, size);
    const struct room_origin origin = {
        .state = state, .size = size, .continues = true, .vacated = true, .now = clock_now};
    forget_clients();
    room_destroy(room);
    room = room_create(&definition, &sink, &origin, &problem);
    free(state);
    if (room == NULL) {
        fail_msg("%s", problem.message);
    }
}

static void reload_and_return(const char *without)
{
    const struct proto_hello one = hello_again(ada);
    const struct proto_hello two = hello_again(bob);

    reload(without);
    ada = join_as(&one);
    bob = join_as(&two);
    assert_int_equal(ada->role, PROTO_PRESENTER);
    assert_int_equal(bob->role, PROTO_PRESENTER);
}

static void test_a_saved_room_keeps_its_owners(void **state)
{
    (void)state;
    reload_and_return(NULL);
    assert_false(try_expel(bob, ada->id));
    assert_refused(PROTO_E_ROLE, "id", ONLY_OWNER);
    assert_true(try_expel(ada, bob->id));
}

/* Its presenters may do what they could before. */
static void test_a_room_of_an_earlier_version_names_no_owners(void **state)
{
    (void)state;
    reload_and_return("owners");
    assert_true(try_type(bob, PROTO_REKEY));
    assert_true(try_expel(bob, ada->id));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_with_appointed, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_an_appointed_presenter_cannot_remove_an_owner),
        TEST(test_an_appointed_presenter_cannot_make_an_owner_a_viewer),
        TEST(test_an_appointed_presenter_cannot_make_a_new_key),
        TEST(test_owners_may_act_on_owners),
        TEST(test_where_everyone_presents_a_new_key_needs_the_key),
        TEST(test_a_removed_person_comes_back_with_the_key),
        TEST(test_members_see_the_owners),
        TEST(test_a_new_key_ends_the_ownership_of_people_who_are_away),
        TEST(test_a_saved_room_keeps_its_owners),
        TEST(test_a_room_of_an_earlier_version_names_no_owners),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, owners", tests, NULL, NULL);
}
