/* --demo: a terminal's session in a room of its own process, in simulated time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/flock/schema.h"
#include "term/net/hear.h"
#include "term/net/local.h"
#include "term/net/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND INT64_C(1000000)
#define TICK   (SECOND / 60)

/* A person's session and its room, connected as in stay.c. */
struct person {
    struct term_session *session;
    struct term_local *local;
    int64_t now;
};

static void on_opened(void *owner)
{
    struct person *person = owner;
    term_session_opened(person->session, person->now);
    term_local_wake(person->local, person->now);
}

static void on_received(void *owner, const uint8_t *data, size_t size)
{
    struct person *person = owner;
    term_hear(person->session, data, size, person->now);
}

static void on_closed(void *owner, int code, const char *reason)
{
    struct person *person = owner;
    term_session_closed(person->session, code, reason, person->now);
}

static size_t on_next(void *owner, uint8_t *buffer)
{
    struct person *person = owner;
    return term_session_next(person->session, buffer, person->now);
}

static void pass(struct person *person, int64_t time)
{
    for (int64_t end = person->now + time; person->now < end; person->now += TICK) {
        switch (term_session_tick(person->session, person->now)) {
        case TERM_WANT_CONNECT:
            term_local_connect(person->local, person->now);
            break;
        case TERM_WANT_WRITE:
            term_local_wake(person->local, person->now);
            break;
        case TERM_WANT_DROP:
            fail_msg("the session gives the connection up");
            break;
        case TERM_WANT_NOTHING:
            break;
        }
        term_local_tick(person->local, person->now);
        timeline_play(person->session->timeline, person->now);
    }
}

static int setup(void **state)
{
    struct person *person = calloc(1, sizeof *person);
    if (person == NULL) {
        return 1;
    }
    const struct term_client_events events = {.owner = person,
                                              .opened = on_opened,
                                              .received = on_received,
                                              .closed = on_closed,
                                              .next = on_next,
                                              .trying = on_opened};
    person->now = 1000 * SECOND;
    person->session = term_session_create("lobby", "Ada", 30, "packed", "");
    person->local = term_local_create(&events, person->now);
    *state = person;
    return person->session == NULL || person->local == NULL;
}

static int teardown(void **state)
{
    struct person *person = *state;
    term_local_destroy(person->local);
    term_session_destroy(person->session);
    free(person);
    return 0;
}

static void ask(struct person *person, struct proto_client_message message)
{
    term_session_ask(person->session, &message, person->now);
}

static const char *preset_of(const struct person *person)
{
    return schema_value(&person->session->welcome.room, "preset");
}

static void the_person_presents_a_flock_that_moves(void **state)
{
    struct person *person = *state;
    const struct term_session *session = person->session;
    pass(person, 2 * SECOND);
    assert_int_equal(session->phase, TERM_LIVE);
    assert_int_equal(session->welcome.role, PROTO_PRESENTER);
    assert_string_equal(session->welcome.encoding, "packed");
    assert_string_equal(preset_of(person), TERM_LOCAL_PRESET);
    assert_true(timeline_flock(session->timeline) > 1000);
    assert_in_range((int)session->snapshots_per_second, 28, 32);
    int64_t before = timeline_time(session->timeline);
    pass(person, SECOND);
    assert_in_range(timeline_time(session->timeline) - before, SECOND - 3 * TICK,
                    SECOND + 3 * TICK);
}

/* Each preset of a server fits into a demo, too. */
static void every_preset_can_be_shown(void **state)
{
    struct person *person = *state;
    pass(person, SECOND);
    const struct proto_control control = *schema_control(&person->session->welcome.room, "preset");
    assert_true(control.choice_count > 10);
    for (uint32_t i = 0; i < control.choice_count; i++) {
        struct proto_client_message message = {.type = PROTO_SET, .set = {"preset", ""}};
        memcpy(message.set.value, control.choices[i].value, sizeof message.set.value);
        ask(person, message);
        pass(person, SECOND);
        assert_string_equal(preset_of(person), control.choices[i].value);
        assert_string_not_equal(schema_value(&person->session->welcome.room, "run"), "paused");
        assert_true(timeline_boid_count(person->session->timeline) > 0);
    }
}

/* Steers at that part of the world's width for a second. Returns where the flock's middle is. */
static float middle_after(struct person *person, float cursor)
{
    const struct proto_room *room = &person->session->welcome.room;
    struct proto_measures measures;

    term_session_steer(person->session, cursor * room->width, 0.5F * room->height, person->now);
    pass(person, SECOND);
    assert_true(timeline_measures(person->session->timeline, &measures));
    return measures.centroid_x / room->width;
}

static void a_cursor_leads_the_flock(void **state)
{
    struct person *person = *state;
    int seconds = 0;

    pass(person, SECOND);
    while (middle_after(person, 0.2F) >= 0.4F) {
        assert_in_range(++seconds, 1, 12);
    }
    while (middle_after(person, 0.8F) <= 0.6F) {
        assert_in_range(++seconds, 1, 24);
    }
}

static void parameters_undo_and_the_past_work(void **state)
{
    struct person *person = *state;
    const struct proto_room *room = &person->session->welcome.room;
    struct proto_client_message message = {.type = PROTO_PARAM};
    pass(person, SECOND);
    float before = room->params[0].value;
    memcpy(message.param.name, room->params[0].name, sizeof message.param.name);
    message.param.value = before / 2;
    ask(person, message);
    pass(person, SECOND);
    assert_true(room->params[0].value == before / 2);
    ask(person, (struct proto_client_message){.type = PROTO_UNDO});
    pass(person, SECOND);
    assert_true(room->params[0].value == before);
    ask(person, (struct proto_client_message){.type = PROTO_REWIND, .rewind = {.back = 2}});
    pass(person, SECOND);
    assert_true(person->session->past.shown);
    ask(person, (struct proto_client_message){.type = PROTO_LIVE});
    pass(person, SECOND);
    assert_false(person->session->past.shown);
}

static void a_boid_says_why_it_turns(void **state)
{
    struct person *person = *state;
    pass(person, SECOND);
    term_session_pick(person->session, 7, person->now);
    pass(person, SECOND);
    assert_true(person->session->why_known);
    assert_int_equal(person->session->why.boid, 7);
    term_session_count(person->session, true);
    pass(person, 2 * SECOND);
    assert_true(person->session->clusters_known);
    assert_true(person->session->why_known); /* another subscription does not end this one */
}

/* As after ^Z and fg. */
static void a_pause_of_the_process_skips_its_ticks(void **state)
{
    struct person *person = *state;
    pass(person, SECOND);
    person->now += 3600 * SECOND;
    term_session_awake(person->session, person->now);
    pass(person, 2 * SECOND);
    assert_int_equal(person->session->phase, TERM_LIVE);
    assert_in_range((int)person->session->snapshots_per_second, 28, 32);
}

static void another_connection_continues_as_the_same_person(void **state)
{
    struct person *person = *state;
    pass(person, SECOND);
    uint32_t id = person->session->welcome.id;
    term_local_drop(person->local, person->now);
    term_session_closed(person->session, 0, "", person->now);
    term_session_retry(person->session);
    pass(person, SECOND);
    assert_int_equal(person->session->phase, TERM_LIVE);
    assert_int_equal(person->session->welcome.id, id);
}

static void malformed_messages_change_nothing(void **state)
{
    struct person *person = *state;
    pass(person, SECOND);
    ask(person, (struct proto_client_message){.type = PROTO_SET, .set = {"preset", "none such"}});
    pass(person, SECOND);
    assert_string_equal(preset_of(person), TERM_LOCAL_PRESET);
    assert_int_equal(person->session->notice_kind, TERM_ERROR);
    ask(person, (struct proto_client_message){.type = PROTO_ADD, .add = {10, 10, 1000}});
    for (int i = 0; i < 30; i++) {
        ask(person, (struct proto_client_message){.type = PROTO_ADD, .add = {10, 10, 1000}});
    }
    pass(person, 3 * SECOND);
    assert_true(timeline_flock(person->session->timeline) <= TERM_LOCAL_BOIDS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_person_presents_a_flock_that_moves, setup, teardown),
        cmocka_unit_test_setup_teardown(every_preset_can_be_shown, setup, teardown),
        cmocka_unit_test_setup_teardown(a_cursor_leads_the_flock, setup, teardown),
        cmocka_unit_test_setup_teardown(parameters_undo_and_the_past_work, setup, teardown),
        cmocka_unit_test_setup_teardown(a_boid_says_why_it_turns, setup, teardown),
        cmocka_unit_test_setup_teardown(a_pause_of_the_process_skips_its_ticks, setup, teardown),
        cmocka_unit_test_setup_teardown(another_connection_continues_as_the_same_person, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(malformed_messages_change_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
