/* A terminal session's handling of the server's messages: the room, its people, answers and
 * refusals. */
#include "term/ui/keys.h"
#include "term_session.h"

#include <stdio.h>

static void hear_room(struct term_session *session, const struct proto_room *room, int64_t now)
{
    hear(session, proto_encode_room(bytes, sizeof bytes, room), now);
}

static void hear_error(struct term_session *session, const struct proto_error *error, int64_t now)
{
    hear(session, proto_encode_error(bytes, sizeof bytes, error), now);
}

/* Lets Bob join. */
static void hear_bob(struct term_session *session, int64_t now)
{
    static const struct proto_presence bob = {
        .sequence = 1, .count = 1, .people = {{.id = 9, .name = "Bob", .color = 0xff}}};
    hear(session, proto_encode_presence(bytes, sizeof bytes, &bob), now);
}

/* Adds a control with one choice. value: the value in force; may be empty. */
static void add_control(struct proto_room *room, const char *name, const char *value)
{
    struct proto_control *control = &room->controls[room->control_count++];
    snprintf(control->name, sizeof control->name, "%s", name);
    control->choice_count = 1;
    snprintf(control->choices[0].value, sizeof control->choices[0].value, "%s", value);
    strcpy(control->choices[0].text, "what it is");
}

static void changes_of_the_room_are_followed(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    hear_snapshot(session, 100 * MS);
    struct proto_room room = lobby();
    strcpy(room.policy, "latest");
    room.param_count = 2;
    strcpy(room.params[0].name, "speed");
    strcpy(room.params[1].name, "turn");
    hear_room(session, &room, 101 * MS);
    timeline_play(session->timeline, 102 * MS);
    assert_int_equal(timeline_boid_count(session->timeline), 1); /* same world: the flock stays */
    struct proto_params params = {.count = 3, .values = {4, 5, 6}};
    hear(session, proto_encode_params(bytes, sizeof bytes, &params), 103 * MS);
    assert_string_equal(session->welcome.room.policy, "latest");
    assert_float_equal(session->welcome.room.params[1].value, 5, 0);
    room.width = 600;
    hear_room(session, &room, 104 * MS);
    timeline_play(session->timeline, 105 * MS);
    assert_int_equal(timeline_boid_count(session->timeline),
                     0); /* earlier positions are invalid in this world */
}

/* For example after the room moved to another machine. */
static void another_instance_starts_the_clock_again(void **state)
{
    struct term_session *session = *state;
    struct proto_room room = lobby();
    int64_t trip = 0;
    int64_t offset = 0;
    join(session, 0);
    assert_true(says(session, 0));
    struct proto_pong pong = {said.ping.t, 1000 * (uint64_t)SECOND};
    hear(session, proto_encode_pong(bytes, sizeof bytes, &pong), 4 * MS);
    hear_snapshot(session, 100 * MS);
    timeline_play(session->timeline, 100 * MS);
    assert_true(term_clock_read(&session->clock, &trip, &offset));
    hear_room(session, &room, 101 * MS);
    assert_true(term_clock_read(&session->clock, &trip, &offset)); /* the same clock */
    room.instance++;
    hear_room(session, &room, 102 * MS);
    assert_false(term_clock_read(&session->clock, &trip, &offset));
    timeline_play(session->timeline, 102 * MS);
    assert_int_equal(timeline_boid_count(session->timeline), 0);
    assert_true(says(session, 102 * MS)); /* the session sends a ping at once */
    assert_int_equal(said.type, PROTO_PING);
}

static void hear_reach(struct term_session *session, bool there, int64_t now)
{
    const struct proto_reach reach = {.there = there};
    hear(session, proto_encode_reach(bytes, sizeof bytes, &reach), now);
}

/* Another server of the cluster continues the room. */
static void another_welcome_begins_again(void **state)
{
    struct term_session *session = *state;
    struct proto_client_message title = {.type = PROTO_TITLE};
    int64_t trip = 0;
    int64_t offset = 0;
    snprintf(title.title.title, sizeof title.title.title, "ours");
    join(session, 0);
    assert_true(says(session, 0));
    struct proto_pong pong = {said.ping.t, 1000 * (uint64_t)SECOND};
    hear(session, proto_encode_pong(bytes, sizeof bytes, &pong), 4 * MS);
    assert_true(term_clock_read(&session->clock, &trip, &offset));
    term_session_ask(session, &title, 5 * MS);
    session->welcome.room.instance = 4; /* another than the next welcome's */
    hear_welcome(session, 6 * MS);
    assert_int_equal(session->phase, TERM_LIVE);
    assert_false(term_clock_read(&session->clock, &trip, &offset));
    assert_null(term_changes_title(&session->changes));
    assert_string_equal(session->notice, "Another server continues this room; "
                                         "the past and undo begin again");
    assert_true(says(session, 6 * MS));
    assert_int_equal(said.type, PROTO_WANT); /* with the topics */
    assert_int_equal(said.want.topics, session->hello.topics);
    hear_welcome(session, 7 * MS);
    assert_string_equal(session->notice, ""); /* the same server says it again: nothing is new */
}

static void a_room_out_of_reach_closes_nothing(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    assert_true(says(session, 0));
    hear_reach(session, false, MS);
    assert_int_equal(session->phase, TERM_STRANDED);
    term_session_steer(session, 1, 1, 2 * MS);
    assert_int_equal(term_session_tick(session, 3 * MS), TERM_WANT_NOTHING); /* no cursor */
    for (int64_t now = SECOND; now < 60 * SECOND; now += SECOND) {
        enum term_want want = term_session_tick(session, now);
        if (want == TERM_WANT_WRITE) {
            assert_true(says(session, now));
            assert_int_equal(said.type, PROTO_PING);
            const struct proto_pong pong = {said.ping.t, (uint64_t)now};
            hear(session, proto_encode_pong(bytes, sizeof bytes, &pong), now);
        } else {
            assert_int_equal(want, TERM_WANT_NOTHING); /* pongs are enough */
        }
    }
    hear_reach(session, true, 60 * SECOND);
    assert_int_equal(session->phase, TERM_LIVE);
    hear_reach(session, false, 61 * SECOND);
    hear_welcome(session, 62 * SECOND);
    assert_int_equal(session->phase, TERM_LIVE);
    hear_reach(session, false, 63 * SECOND);
    assert_int_equal(term_session_tick(session, 75 * SECOND), TERM_WANT_DROP); /* silence */
}

/* The server has forgotten what was on its way, so nothing waits for its answer. */
static void what_was_lost_out_of_reach_is_not_shown_and_topics_are_asked_for_again(void **state)
{
    struct term_session *session = *state;
    struct proto_client_message title = {.type = PROTO_TITLE};
    snprintf(title.title.title, sizeof title.title.title, "ours");
    join(session, 0);
    assert_true(says(session, 0));
    term_session_ask(session, &title, SECOND);
    assert_true(says(session, SECOND));
    assert_int_equal(said.type, PROTO_TITLE);
    hear_reach(session, false, 2 * SECOND);
    assert_non_null(term_changes_title(&session->changes));
    hear_reach(session, true, 3 * SECOND);
    assert_null(term_changes_title(&session->changes));
    assert_true(says(session, 3 * SECOND));
    assert_int_equal(said.type, PROTO_WANT);
    assert_int_equal(said.want.topics, session->hello.topics);
}

static void hear_role(struct term_session *session, enum proto_role role, int64_t now)
{
    hear(session, proto_encode_role(bytes, sizeof bytes, role), now);
}

static void a_wrong_key_is_not_kept_when_a_presenter_appoints_us(void **state)
{
    struct term_session *session = *state;
    const struct proto_error wrong = {.code = PROTO_E_KEY, .type = PROTO_KEY, .message = "no"};
    join(session, 0);
    term_session_present(session, "wrong", 0);
    hear_error(session, &wrong, MS);
    hear_role(session, PROTO_PRESENTER, 2 * MS);
    assert_false(session->key_accepted);
    assert_string_equal(session->hello.key, "");
}

static void a_right_key_of_an_appointed_presenter_is_kept(void **state)
{
    struct term_session *session = *state;
    const struct proto_done done = {.type = PROTO_KEY};
    join(session, 0);
    hear_role(session, PROTO_PRESENTER, MS);
    term_session_present(session, "right", 2 * MS);
    assert_false(session->key_accepted);
    hear(session, proto_encode_done(bytes, sizeof bytes, &done), 3 * MS);
    assert_true(session->key_accepted);
    assert_string_equal(session->hello.key, "right");
}

static void a_stranger_cannot_be_out_of_reach(void **state)
{
    struct term_session *session = *state;
    assert_int_equal(term_session_tick(session, 0), TERM_WANT_CONNECT);
    term_session_opened(session, 0);
    hear_reach(session, true, 0);
    assert_int_equal(session->phase, TERM_JOINING);
}

static void we_are_always_among_the_people(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    assert_int_equal(session->people.count, 1);
    assert_string_equal(session->people.list[0].name, "Ada");
    assert_int_equal(session->people.list[0].color, 0xff8000);
    hear_bob(session, MS); /* a list without us */
    assert_int_equal(session->people.count, 2);
    assert_int_equal(session->people.list[0].id, 7);
    assert_string_equal(term_people_find(&session->people, 9)->name, "Bob");
    hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_PRESENTER), 2 * MS);
    assert_int_equal(term_people_role(&session->people.list[0]), PROTO_PRESENTER);
    term_session_closed(session, 0, "", 3 * MS);
    term_session_retry(session);
    join(session, 4 * MS);
    assert_int_equal(session->people.count, 1); /* other people are not known yet */
}

static void errors_are_shown(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    const struct proto_error error = {
        .code = PROTO_E_RANGE, .type = PROTO_CURSOR, .field = "x", .message = "too far"};
    hear_error(session, &error, 9);
    assert_string_equal(session->notice, "too far");
    assert_int_equal(session->notice_at, 9);
    term_session_closed(session, 3500, "broken", 10);
    assert_string_equal(session->reason, "broken: too far");
}

static void garbage_changes_nothing(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    hear_snapshot(session, 100 * MS);
    uint32_t random = 1;
    for (int i = 0; i < 20000; i++) {
        uint8_t garbage[64];
        size_t size = (size_t)i % sizeof garbage;
        for (size_t k = 0; k < size; k++) {
            random = random * 1664525 + 1013904223;
            garbage[k] = (uint8_t)(random >> 24);
        }
        if (size > 1) {
            garbage[0] = 0x90 | (garbage[0] & 15);
            garbage[1] = (uint8_t)(PROTO_WELCOME + garbage[1] % 14);
        }
        term_hear(session, garbage, size, 200 * MS);
        timeline_play(session->timeline, 200 * MS + i);
    }
    assert_int_equal(session->phase, TERM_LIVE);
    assert_string_equal(session->welcome.room.code, "lobby");
    assert_non_null(strstr(session->notice, "malformed"));
}

/* The session reads the type and code of the error, not its text. */
static void a_refused_key_leaves_a_viewer(void **state)
{
    struct term_session *session = *state;
    const struct proto_error refused = {
        .code = PROTO_E_KEY, .type = PROTO_HELLO, .field = "key", .message = "no"};
    const struct proto_error other = {.code = PROTO_E_KEY, .type = PROTO_KEY, .message = "no"};
    join(session, 0);
    hear_error(session, &refused, MS);
    assert_string_equal(session->notice, "the key was refused: you are a viewer");
    assert_int_equal(session->phase, TERM_LIVE);
    assert_int_equal(session->welcome.role, PROTO_VIEWER);
    hear_error(session, &other, MS);
    assert_string_equal(session->notice, "no");
    term_session_closed(session, 0, "", MS);
    term_session_retry(session);
    term_session_tick(session, 2 * MS);
    term_session_opened(session, 2 * MS);
    says(session, 2 * MS);
    hear_welcome_as(session, PROTO_PRESENTER, 2 * MS); /* by the token */
    hear_error(session, &refused, 3 * MS);
    assert_string_equal(session->notice, "the key was refused");
}

/* After too many wrong keys the server compares no key, so this key may be right. */
static void an_uncompared_key_is_not_called_wrong(void **state)
{
    struct term_session *session = *state;
    const struct proto_error error = {
        .code = PROTO_E_FLOOD, .type = PROTO_HELLO, .field = "key", .message = "no", .after = 7};
    join(session, 0);
    hear_error(session, &error, MS);
    assert_string_equal(session->notice, "too many wrong keys: the server did not compare yours; "
                                         "try again in 7 s; you are a viewer");
    assert_int_equal(session->phase, TERM_LIVE);
}

static void a_locked_room_says_when_a_key_is_compared_again(void **state)
{
    struct term_session *session = *state;
    struct proto_error error = {
        .code = PROTO_E_JOIN, .type = PROTO_HELLO, .field = "join", .fatal = true, .after = 7};
    for (int i = 0; i < 2; i++) {
        term_session_tick(session, i * SECOND);
        term_session_opened(session, i * SECOND);
        says(session, i * SECOND);
        hear_error(session, &error, i * SECOND);
        term_session_closed(session, PROTO_CLOSE_JOIN, "locked", i * SECOND);
        assert_int_equal(session->phase, TERM_ENDED);
        assert_false(term_session_over(session)); /* the user may type a key */
        assert_int_equal(session->join_wait,
                         error.after); /* for this connection, not for the last one */
        error.after = 0;
        term_session_retry(session);
    }
}

static void the_user_learns_of_a_new_role(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_PRESENTER), MS);
    assert_int_equal(session->welcome.role, PROTO_PRESENTER);
    assert_non_null(strstr(session->notice, "you are a presenter"));
    hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_VIEWER), MS);
    assert_string_equal(session->notice, "you are a viewer");
    term_session_closed(session, 0, "gone", MS);
    assert_string_equal(session->reason, "gone"); /* news does not replace the reason */
    for (int i = 0; i < 2; i++) {                 /* with a key, the role is in the welcome */
        term_session_retry(session);
        term_session_tick(session, MS);
        term_session_opened(session, MS);
        hear_welcome_as(session, PROTO_PRESENTER, MS);
        assert_string_equal(session->notice,
                            i == 0 ? "you are a presenter: p opens the controls" : "");
        term_session_closed(session, 0, "gone", MS);
    }
}

static void reconnecting_uses_the_new_key(void **state)
{
    struct term_session *session = *state;
    const struct proto_key key = {"abcdefghjkmnpqrstuvwxyz2"};
    join(session, 0);
    hear(session, proto_encode_new_key(bytes, sizeof bytes, &key), MS);
    assert_string_equal(session->new_key, key.key);
    assert_non_null(strstr(session->notice, "new presenter key"));
    assert_null(strstr(session->notice, key.key)); /* other people may see the screen */
    term_session_closed(session, 0, "", MS);
    term_session_retry(session);
    join(session, 2 * MS);
    assert_string_equal(said.hello.key, key.key);
    hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_VIEWER), 3 * MS);
    assert_string_equal(session->new_key, ""); /* viewers do not see the key */
}

static void assert_news(struct term_session *session, const struct proto_event *event,
                        const char *text)
{
    session->notice[0] = '\0';
    hear(session, proto_encode_event(bytes, sizeof bytes, event), MS);
    assert_string_equal(session->notice, text);
}

/* The texts are in clients/vectors/events.json. */
static void events_become_notices(void **state)
{
    struct term_session *session = *state;
    struct proto_event event = {.by = 9, .who = "Bob", .name = "reset"};
    join(session, 0);
    assert_news(session, &event, "Bob started the flock again");
    assert_int_equal(session->notice_kind, TERM_NEWS);
    event.by = session->welcome.id;
    assert_news(session, &event, "You started the flock again");
    event = (struct proto_event){.by = 9, .who = "Bob", .name = "dance", .to = "1"};
    assert_news(session, &event, "");
    event = (struct proto_event){.name = "slow", .to = "12"};
    assert_news(session, &event, "The server drops 12 % of the ticks; use fewer boids");
    event = (struct proto_event){.name = "slow", .what = "server", .to = "12"};
    assert_news(session, &event, "The server drops 12 % of the ticks; the server is busy");
}

static void a_renamed_person_returns_with_that_name(void **state)
{
    struct term_session *session = *state;
    struct proto_event event = {
        .by = 9, .who = "Bob", .name = "rename", .what = "7", .from = "Ada", .to = "Adele"};
    join(session, 0);
    assert_news(session, &event, "Bob renamed Ada to Adele");
    assert_string_equal(session->welcome.name, "Adele");
    term_session_closed(session, 0, "", MS);
    term_session_retry(session);
    join(session, 2 * MS);
    assert_string_equal(said.hello.name, "Adele");
}

static void hear_viewers(struct term_session *session, const char *value)
{
    struct proto_event event = {.by = 9, .who = "Bob", .name = "set", .what = "viewers"};
    snprintf(event.to, sizeof event.to, "%s", value);
    hear(session, proto_encode_event(bytes, sizeof bytes, &event), MS);
}

/* Joins a room. viewers: the value of the control that locks viewers' cursors. */
static struct proto_room join_room(struct term_session *session, const char *viewers)
{
    struct proto_room room = lobby();
    add_control(&room, "viewers", "watch");
    snprintf(room.controls[0].value, sizeof room.controls[0].value, "%s", viewers);
    join(session, 0);
    hear_room(session, &room, 0);
    assert_true(says(session, 0)); /* a ping */
    return room;
}

static void a_locked_cursor_leaves_and_stays_away(void **state)
{
    struct term_session *session = *state;
    struct proto_room room = join_room(session, "steer");
    assert_false(term_session_watches(session));
    term_session_steer(session, 10, 10, 100 * MS);
    assert_true(says(session, 100 * MS));
    strcpy(room.controls[0].value, "watch");
    hear_room(session, &room, 200 * MS);
    hear_viewers(session, "watch");
    assert_string_equal(session->notice, "Bob: viewers watch; what it is");
    assert_true(term_session_watches(session));
    assert_false(session->cursor_here);
    assert_true(says(session, 200 * MS));
    assert_int_equal(said.type, PROTO_AWAY);
    term_session_steer(session, 20, 20, 300 * MS);
    assert_false(session->cursor_here);
    assert_false(session->cursor_unsent);
    hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_PRESENTER), 400 * MS);
    assert_false(term_session_watches(session));
    term_session_steer(session, 20, 20, 400 * MS);
    assert_true(session->cursor_here);
    hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_VIEWER), 500 * MS);
    assert_false(session->cursor_here);
    strcpy(room.controls[0].value, "steer");
    hear_room(session, &room, 600 * MS);
    hear_viewers(session, "steer");
    assert_string_equal(session->notice, "Bob: viewers steer");
    term_session_steer(session, 20, 20, 700 * MS);
    assert_true(session->cursor_here);
}

/* Draws five frames per second until the session asks for less. */
static void ask_for_less(struct term_session *session, int64_t now)
{
    bool wanted = false;
    for (int64_t end = now + 10 * SECOND; now < end && !wanted; now += 33 * MS) {
        hear_snapshot(session, now);
        term_session_drawn(session, 200 * MS);
        term_session_tick(session, now);
        while (says(session, now)) {
            wanted = wanted || said.type == PROTO_WANT;
        }
    }
    assert_true(wanted);
}

static void a_presenter_learns_that_the_store_fails(void **state)
{
    struct term_session *session = *state;
    struct proto_room room = lobby();
    join(session, 0);
    room.store_failing = true;
    session->notice[0] = '\0';
    hear_room(session, &room, 1);
    assert_string_equal(session->notice, ""); /* viewers get no notice */
    hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_PRESENTER), 2);
    assert_non_null(strstr(session->notice, "cannot save this room"));
    session->notice[0] = '\0';
    hear_room(session, &room, 3);
    assert_string_equal(session->notice, ""); /* only once */
    room.store_failing = false;
    hear_room(session, &room, 4);
    assert_string_equal(session->notice, "The server saves this room again");
}

static void less_is_asked_for_when_the_terminal_is_slow(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    ask_for_less(session, 0);
    assert_int_equal(said.want.rate, 8);
    assert_int_equal(said.want.boids, 0);
    assert_true(session->stream.pace.asked);
    const struct proto_stream granted = {.rate = 15, .stride = 2, .slow = true};
    hear(session, proto_encode_stream(bytes, sizeof bytes, &granted), 11 * SECOND);
    assert_true(session->stream.pace.asked); /* the server sent this grant without a want */
    assert_float_equal(session->stream.pace.granted.rate, 15, 0);
    assert_int_equal(session->stream.pace.granted.stride, 2);
    assert_true(session->stream.pace.granted.slow);
    const struct proto_done done = {.type = PROTO_WANT};
    hear(session, proto_encode_done(bytes, sizeof bytes, &done), 11 * SECOND);
    assert_false(session->stream.pace.asked);
    term_session_closed(session, 3002, "", 11 * SECOND);
    term_session_retry(session);
    join(session, 11 * SECOND);
    assert_int_equal(said.hello.rate, 8); /* the next hello has this want */
}

static void a_refused_want_is_no_end(void **state)
{
    struct term_session *session = *state;
    const struct proto_error error = {.code = PROTO_E_FLOOD, .type = PROTO_WANT, .message = "no"};
    join(session, 0);
    ask_for_less(session, 0);
    hear_error(session, &error, 10 * SECOND);
    ask_for_less(session, 11 * SECOND);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    term_keys_init();
    const struct CMUnitTest tests[] = {
        TEST(changes_of_the_room_are_followed),
        TEST(another_instance_starts_the_clock_again),
        TEST(another_welcome_begins_again),
        TEST(a_room_out_of_reach_closes_nothing),
        TEST(what_was_lost_out_of_reach_is_not_shown_and_topics_are_asked_for_again),
        TEST(a_wrong_key_is_not_kept_when_a_presenter_appoints_us),
        TEST(a_right_key_of_an_appointed_presenter_is_kept),
        TEST(a_stranger_cannot_be_out_of_reach),
        TEST(we_are_always_among_the_people),
        TEST(errors_are_shown),
        TEST(garbage_changes_nothing),
        TEST(a_refused_key_leaves_a_viewer),
        TEST(an_uncompared_key_is_not_called_wrong),
        TEST(a_locked_room_says_when_a_key_is_compared_again),
        TEST(the_user_learns_of_a_new_role),
        TEST(reconnecting_uses_the_new_key),
        TEST(events_become_notices),
        TEST(a_renamed_person_returns_with_that_name),
        TEST(a_locked_cursor_leaves_and_stays_away),
        TEST(a_presenter_learns_that_the_store_fails),
        TEST(less_is_asked_for_when_the_terminal_is_slow),
        TEST(a_refused_want_is_no_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
