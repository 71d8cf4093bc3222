/* Events: what members learn about changes. */
#include "control_room.h"

#include <math.h>

#define QUIET_TICKS 16 /* more than half a second */

static const struct proto_event *event_of(const struct client *client, uint32_t index)
{
    assert_true(index < client->event_count);
    return &client->event_log[index];
}

static void assert_event(const struct client *client, uint32_t index, const char *name,
                         const char *what, const char *from, const char *to)
{
    const struct proto_event *event = event_of(client, index);

    assert_string_equal(event->name, name);
    assert_string_equal(event->what, what);
    assert_string_equal(event->from, from);
    assert_string_equal(event->to, to);
}

/* Runs ticks, each with a snapshot. */
static void pass(int ticks)
{
    for (int i = 0; i < ticks; i++) {
        tick(1);
        publish();
    }
}

static void test_all_members_learn_who_changed_what(void **state)
{
    (void)state;
    tick(7);
    assert_true(try_type(ada, PROTO_RESET));
    set("preset", "bees");
    set("viewers", "watch");
    assert_false(try_set(bob, "preset", "original"));
    publish();
    assert_int_equal(bob->event_count, 3);
    assert_event(bob, 0, "reset", "", "", "");
    assert_int_equal(event_of(bob, 0)->by, ada->id);
    assert_string_equal(event_of(bob, 0)->who, "Ada");
    assert_int_equal(event_of(bob, 0)->tick, 7);
    assert_event(bob, 1, "set", "preset", "", "bees");
    assert_event(bob, 2, "set", "viewers", "steer", "watch");
    assert_int_equal(ada->event_count, 3);
    /* Later members get no event. */
    const struct client *cem = join("Cem");
    publish();
    assert_int_equal(cem->event_count, 0);
}

/* A model that needs an edge sets it in an open world. */
static void test_a_boundary_that_a_model_brings_makes_an_event(void **state)
{
    (void)state;
    set("model", "birds");
    publish();
    assert_event(bob, 0, "set", "boundary", "open", "wrap");
    assert_event(bob, 1, "set", "model", "swarm", "birds");
    set("model", "boids"); /* the world has an edge now */
    publish();
    assert_int_equal(bob->event_count, 3);
    assert_event(bob, 2, "set", "model", "birds", "boids");
}

static void test_a_change_without_effect_makes_no_event(void **state)
{
    (void)state;
    set("viewers", "steer");
    param("inertia", 2.0F);
    param("inertia", 1.0F);
    pass(QUIET_TICKS);
    assert_int_equal(bob->event_count, 0);
    set("model", "swarm"); /* sets its parameters to their initial values */
    publish();
    assert_event(bob, 0, "set", "model", "swarm", "swarm");
}

static void test_a_slider_that_is_dragged_is_one_event(void **state)
{
    (void)state;
    for (int i = 1; i <= 150; i++) { /* for five seconds */
        param("inertia", 1.0F + (float)i / 100);
        pass(1);
    }
    assert_int_equal(bob->event_count, 0);
    pass(QUIET_TICKS);
    assert_int_equal(bob->event_count, 1);
    assert_event(bob, 0, "param", "inertia", "1", "2.5");
    assert_string_equal(event_of(bob, 0)->who, "Ada");
}

/* Texts of values round them. */
static void test_a_drag_to_a_value_of_the_same_text_is_an_event(void **state)
{
    (void)state;
    param("inertia", 2.0F);
    param("inertia", nextafterf(1.0F, 2.0F));
    pass(QUIET_TICKS);
    assert_int_equal(bob->event_count, 1);
    assert_event(bob, 0, "param", "inertia", "1", "1");
}

static void test_an_endless_series_makes_an_event_now_and_then(void **state)
{
    (void)state;
    for (int i = 0; i < 330; i++) {
        param("inertia", i % 2 == 0 ? 2.0F : 3.0F);
        pass(1);
    }
    assert_int_equal(bob->event_count, 1);
    assert_string_equal(event_of(bob, 0)->from, "1");
}

static void test_boids_added_by_clicks_are_one_event(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        assert_true(try_add(ada, 100, 100, 10));
        pass(3);
    }
    assert_true(try_remove(ada, 20));
    pass(QUIET_TICKS);
    assert_int_equal(bob->event_count, 2);
    assert_event(bob, 0, "add", "", "12", "62");
    assert_event(bob, 1, "remove", "", "62", "42");
}

static void test_a_batch_of_parameters_is_one_event(void **state)
{
    (void)state;
    param("inertia", 2.0F);
    param("separation_max", 40.0F);
    pass(1);
    param("cohesion_max", 0.7F);
    param("inertia", 2.5F);
    pass(QUIET_TICKS);
    assert_int_equal(bob->event_count, 1);
    assert_event(bob, 0, "param", "", "", "3");
    /* Slower changes, as by hand. */
    param("inertia", 3.0F);
    pass(7);
    param("cohesion_max", 0.8F);
    pass(QUIET_TICKS);
    assert_int_equal(bob->event_count, 3);
    assert_event(bob, 1, "param", "inertia", "2.5", "3");
    assert_event(bob, 2, "param", "cohesion_max", "0.7", "0.8");
}

static void test_changes_of_two_people_are_two_events(void **state)
{
    const struct proto_client_message appoint = {.type = PROTO_APPOINT,
                                                 .appoint = {bob->id, PROTO_PRESENTER}};

    (void)state;
    assert_true(say(ada, &appoint));
    assert_true(try_param(ada, "inertia", 2.0F));
    assert_true(try_param(bob, "inertia", 3.0F));
    pass(QUIET_TICKS);
    assert_int_equal(bob->event_count, 2);
    assert_event(bob, 0, "param", "inertia", "1", "2");
    assert_event(bob, 1, "param", "inertia", "2", "3");
    assert_string_equal(event_of(bob, 1)->who, "Bob");
}

/* Events of changes before a preset come before its event. */
static void test_the_order_is_kept(void **state)
{
    (void)state;
    param("inertia", 2.0F);
    set("preset", "march");
    publish();
    assert_int_equal(bob->event_count, 2);
    assert_event(bob, 0, "param", "inertia", "1", "2");
    assert_event(bob, 1, "set", "preset", "", "march");
}

static void test_events_are_rationed(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) { /* two seconds */
        set("policy", i % 2 == 0 ? "latest" : "mean");
        set("idle", i % 2 == 0 ? "hold" : "wander");
        assert_true(try_type(ada, PROTO_RESET));
        pass(1);
    }
    assert_in_range(bob->event_count, 10, 14);
}

static void test_changes_over_http_make_events(void **state)
{
    struct proto_client_message message = {.type = PROTO_TITLE};

    (void)state;
    snprintf(message.title.title, sizeof message.title.title, "Bees");
    assert_true(room_direct(room, &message, clock_now, &error));
    publish();
    assert_event(bob, 0, "title", "", "", "Bees");
    assert_int_equal(event_of(bob, 0)->by, 0);
    assert_string_equal(event_of(bob, 0)->who, "");
}

/* Changes in an empty room, or just before, make no events. */
static void test_a_new_member_gets_no_old_events(void **state)
{
    struct proto_client_message message = {.type = PROTO_RESET};

    (void)state;
    param("inertia", 2.0F);
    leave(ada);
    leave(bob);
    assert_true(room_direct(room, &message, clock_now, &error));
    const struct client *cem = join("Cem");
    pass(QUIET_TICKS);
    assert_int_equal(cem->event_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_all_members_learn_who_changed_what),
        TEST(test_a_change_without_effect_makes_no_event),
        TEST(test_a_boundary_that_a_model_brings_makes_an_event),
        TEST(test_a_slider_that_is_dragged_is_one_event),
        TEST(test_a_drag_to_a_value_of_the_same_text_is_an_event),
        TEST(test_an_endless_series_makes_an_event_now_and_then),
        TEST(test_boids_added_by_clicks_are_one_event),
        TEST(test_a_batch_of_parameters_is_one_event),
        TEST(test_changes_of_two_people_are_two_events),
        TEST(test_the_order_is_kept),
        TEST(test_events_are_rationed),
        TEST(test_changes_over_http_make_events),
        TEST(test_a_new_member_gets_no_old_events),
    };

    return cmocka_run_group_tests_name("room, what is told", tests, NULL, NULL);
}
