/* A person's stay in a room, against messages made with the codec that the server uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../clients/term/session.h"

#include <math.h>
#include <string.h>

#define MS     INT64_C(1000)
#define SECOND (1000 * MS)

static uint8_t bytes[PROTO_STATE_MAX];
static struct proto_client_message said;

static int setup(void **state)
{
    *state = term_session_create("lobby", "Ada", 30, "packed", "");
    return *state == NULL;
}

static int teardown(void **state)
{
    term_session_destroy(*state);
    return 0;
}

/* Decodes what the session says next into `said`; false when it says nothing. */
static bool says(struct term_session *session, int64_t now)
{
    struct proto_error error;
    struct proto_decoder *decoder = proto_decoder_create();
    size_t size = term_session_next(session, bytes, now);
    if (size > 0) {
        assert_int_equal(proto_decode_client(decoder, bytes, size, &said, &error), PROTO_OK);
    }
    proto_decoder_destroy(decoder);
    return size > 0;
}

static void hear(struct term_session *session, size_t size, int64_t now)
{
    assert_true(size > 0);
    term_session_received(session, bytes, size, now);
}

static struct proto_room lobby(void)
{
    struct proto_room room = {.name = "lobby", .model = "swarm", .boundary = "open"};
    room.width = 550;
    room.height = 400;
    room.quantum = 1.0F / 16;
    room.tick_rate = room.snapshot_rate = 30;
    strcpy(room.policy, "mean");
    strcpy(room.idle, "wander");
    return room;
}

static void hear_welcome_as(struct term_session *session, enum proto_role role, int64_t now)
{
    struct proto_welcome welcome = {
        .version = 1, .server = "test 1", .id = 7, .color = 0xff8000, .rate = 30};
    welcome.role = role;
    strcpy(welcome.name, "Ada");
    strcpy(welcome.encoding, "plain");
    memset(welcome.token, 0x42, sizeof welcome.token);
    welcome.room = lobby();
    hear(session, proto_encode_welcome(bytes, sizeof bytes, &welcome), now);
}

static void hear_welcome(struct term_session *session, int64_t now)
{
    hear_welcome_as(session, PROTO_VIEWER, now);
}

/* Connects, says hello and is welcome. */
static void join(struct term_session *session, int64_t now)
{
    assert_int_equal(term_session_tick(session, now), TERM_WANT_CONNECT);
    term_session_opened(session, now);
    assert_int_equal(term_session_tick(session, now), TERM_WANT_WRITE);
    assert_true(says(session, now));
    assert_int_equal(said.type, PROTO_HELLO);
    hear_welcome(session, now);
    assert_int_equal(session->phase, TERM_LIVE);
}

static void hear_snapshot(struct term_session *session, int64_t now)
{
    uint8_t boid[PROTO_BOID_SIZE] = {0};
    struct proto_snapshot snapshot = {
        .epoch = 1, .tick = 1, .time = (uint64_t)now, .people = 3, .boid_count = 1, .boids = boid};
    hear(session, proto_encode_snapshot(bytes, sizeof bytes, &snapshot), now);
}

/* The boids of a packed snapshot. */
static void hear_packed(struct term_session *session, const uint8_t *boids, size_t boids_size,
                        int64_t now)
{
    struct proto_snapshot snapshot = {.epoch = 1,
                                      .time = (uint64_t)now,
                                      .people = 4,
                                      .packed = true,
                                      .boids = boids,
                                      .packed_size = boids_size};
    hear(session, proto_encode_snapshot(bytes, sizeof bytes, &snapshot), now);
}

static void hello_says_who_and_where(void **state)
{
    struct term_session *session = *state;
    assert_int_equal(session->phase, TERM_CONNECTING);
    assert_false(says(session, 0));
    join(session, 10);
    assert_int_equal(said.hello.version, 1);
    assert_string_equal(said.hello.room, "lobby");
    assert_string_equal(said.hello.name, "Ada");
    assert_int_equal(said.hello.rate, 30);
    assert_int_equal(said.hello.encoding_count, 2);
    assert_string_equal(said.hello.encodings[0], "packed");
    assert_string_equal(said.hello.encodings[1], "plain");
    assert_false(said.hello.has_token);
}

static void plain_snapshots_can_be_asked_for(void **state)
{
    struct term_session *session = term_session_create("lobby", "Ada", 0, "plain", "");
    (void)state;
    join(session, 0);
    assert_int_equal(said.hello.encoding_count, 1);
    assert_string_equal(said.hello.encodings[0], "plain");
    assert_int_equal(said.hello.rate, 0);
    term_session_destroy(session);
}

static void nothing_counts_before_the_welcome(void **state)
{
    struct term_session *session = *state;
    term_session_tick(session, 0);
    term_session_opened(session, 0);
    hear_snapshot(session, 5);
    timeline_play(session->timeline, 6);
    assert_int_equal(timeline_boid_count(session->timeline), 0);
    term_session_steer(session, 1, 2, 7); /* no world to steer in */
    assert_false(session->cursor_here);
}

static void snapshots_are_played(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    hear_snapshot(session, 100 * MS);
    timeline_play(session->timeline, 100 * MS);
    assert_int_equal(timeline_boid_count(session->timeline), 1);
    assert_int_equal(session->people, 3);
}

static void packed_snapshots_are_played(void **state)
{
    struct term_session *session = *state;
    struct packed_encoder *encoder = packed_encoder_create(1);
    uint8_t place[PROTO_BOID_SIZE];
    uint8_t heading = 64; /* down */
    uint8_t boids[64];
    struct packed_boids flock = {place, &heading, 1, 0, 0};
    struct timeline_boid shown;
    join(session, 0);
    assert_true(says(session, 0)); /* a ping */
    proto_put_position(place, 160, -16);
    packed_next(encoder, &flock, true);
    hear_packed(session, boids, packed_put_key(encoder, &flock, boids), 100 * MS);
    timeline_play(session->timeline, 100 * MS);
    assert_int_equal(timeline_boids(session->timeline, 0, 1, &shown), 1);
    assert_float_equal(shown.x, 275 + 10, 0);
    assert_float_equal(shown.y, 200 - 1, 0);
    assert_true(shown.dy > 100 * fabsf(shown.dx)); /* it has not moved, but heads down */
    assert_int_equal(session->people, 4);

    packed_next(encoder, &flock, false);
    packed_next(encoder, &flock, false);
    hear_packed(session, boids, packed_put_delta(encoder, boids), 200 * MS); /* one was missed */
    assert_string_equal(session->notice, "");
    assert_int_equal(term_session_tick(session, 200 * MS), TERM_WANT_WRITE);
    assert_true(says(session, 200 * MS));
    assert_int_equal(said.type, PROTO_WANT);
    assert_int_equal(said.want.rate, 30);
    assert_false(says(session, 201 * MS) && said.type == PROTO_WANT);

    hear_packed(session, boids, 3, 300 * MS);
    assert_non_null(strstr(session->notice, "malformed message from the server: boids"));
    packed_encoder_destroy(encoder);
}

/* The server skips more than half of them, until it is asked for fewer. */
static void less_is_asked_for_when_snapshots_are_skipped(void **state)
{
    struct term_session *session = *state;
    bool wanted = false;
    join(session, 0);
    for (int64_t now = 0; now < 10 * SECOND && !wanted; now += 100 * MS) {
        uint8_t boid[PROTO_BOID_SIZE] = {0};
        struct proto_snapshot snapshot = {.epoch = 1,
                                          .tick = (uint64_t)(now / (SECOND / 30)),
                                          .time = (uint64_t)now,
                                          .boid_count = 1,
                                          .boids = boid};
        hear(session, proto_encode_snapshot(bytes, sizeof bytes, &snapshot), now);
        term_session_tick(session, now);
        while (says(session, now)) {
            wanted = wanted || said.type == PROTO_WANT;
        }
    }
    assert_true(wanted);
    assert_int_equal(said.want.rate, 15);
    assert_int_equal(said.want.boids, 0);
    struct proto_stream answer = {.rate = 15};
    hear(session, proto_encode_stream(bytes, sizeof bytes, &answer), 11 * SECOND);
    assert_float_equal(session->stream.pace.granted, 15, 0);
    term_session_closed(session, 3002, "", 11 * SECOND);
    term_session_retry(session);
    join(session, 11 * SECOND);
    assert_int_equal(said.hello.rate, 15); /* the next connection begins with it */
}

static void cursor_is_sent_at_most_60_times_a_second(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    int sent = 0;
    float last = 0;
    for (int64_t now = 0; now < SECOND; now += MS) {
        term_session_steer(session, (float)now / 10000, 50, now);
        while (says(session, now)) {
            if (said.type == PROTO_CURSOR) {
                sent++;
                last = said.cursor.x;
            }
        }
    }
    assert_in_range(sent, 50, 60);
    assert_true(last > 95); /* the latest, not a queue */
    int64_t later = SECOND + 20 * MS;
    assert_int_equal(term_session_tick(session, later), TERM_WANT_WRITE);
    assert_true(says(session, later));
    assert_true(said.cursor.x > 99.8F);
    assert_false(says(session, later + 20 * MS) && said.type == PROTO_CURSOR);
}

static void cursor_is_kept_within_what_positions_reach(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    assert_true(says(session, 0)); /* a ping */
    static const float far[][2] = {{1e9F, -1e9F}, {-1e9F, 1e9F}};
    for (int i = 0; i < 2; i++) {
        int64_t now = (i + 1) * (100 * MS);
        term_session_steer(session, far[i][0], far[i][1], now);
        assert_true(says(session, now));
        assert_int_equal(said.type, PROTO_CURSOR);
        assert_true(said.cursor.x >= 275 - 2048 && said.cursor.x <= 275 + 2047.9375F);
        assert_true(said.cursor.y >= 200 - 2048 && said.cursor.y <= 200 + 2047.9375F);
    }
}

static void cursor_leaves_when_told_and_when_idle(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    says(session, 0);
    term_session_steer(session, 10, 10, 100 * MS);
    assert_true(says(session, 100 * MS));
    term_session_leave(session);
    assert_true(says(session, 200 * MS));
    assert_int_equal(said.type, PROTO_AWAY);
    term_session_leave(session);
    assert_false(session->cursor_unsent); /* once is enough */
    term_session_steer(session, 10, 10, 300 * MS);
    assert_true(says(session, 300 * MS));
    assert_int_equal(said.type, PROTO_CURSOR);
    term_session_tick(session, 300 * MS + TERM_SESSION_IDLE);
    assert_true(session->cursor_here);
    term_session_tick(session, 301 * MS + TERM_SESSION_IDLE);
    assert_false(session->cursor_here);
    assert_true(says(session, 301 * MS + TERM_SESSION_IDLE));
    assert_int_equal(said.type, PROTO_AWAY);
}

static void pings_give_the_latency(void **state)
{
    struct term_session *session = *state;
    int64_t trip = 0;
    int64_t offset = 0;
    int pings = 0;
    join(session, 0);
    for (int64_t now = 0; now < 3 * SECOND; now += 16 * MS) {
        if (says(session, now)) {
            assert_int_equal(said.type, PROTO_PING);
            pings++;
            struct proto_pong pong = {said.ping.t, (uint64_t)(now + 5 * SECOND + 2 * MS)};
            size_t size = proto_encode_pong(bytes, sizeof bytes, &pong);
            hear(session, size, now + 4 * MS);
        }
        /* An answer to nothing that was asked is not one. */
        struct proto_pong stray = {12345, 1};
        hear(session, proto_encode_pong(bytes, sizeof bytes, &stray), now + 8 * MS);
    }
    assert_in_range(pings, 5, 7);
    assert_true(term_clock_read(&session->clock, &trip, &offset));
    assert_int_equal(trip, 4 * MS);
    assert_int_equal(offset, 5 * SECOND);
}

static void lost_connection_is_taken_up_again_as_the_same_person(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    term_session_steer(session, 10, 20, 0);
    term_session_closed(session, 3000, "going down", SECOND);
    assert_int_equal(session->phase, TERM_WAITING);
    assert_string_equal(session->reason, "going down");
    assert_int_equal(term_session_tick(session, session->retry_at - 1), TERM_WANT_NOTHING);
    int64_t now = session->retry_at;
    join(session, now);
    assert_true(said.hello.has_token);
    assert_int_equal(said.hello.token[15], 0x42);
    assert_true(says(session, now + 100 * MS)); /* and the cursor is where it was */
    assert_int_equal(said.type, PROTO_CURSOR);
    assert_float_equal(said.cursor.y, 20, 0.01F);
}

static void pauses_grow_up_to_15_seconds_and_start_anew(void **state)
{
    static const int64_t bounds[] = {500 * MS,   SECOND,     2 * SECOND,
                                     4 * SECOND, 8 * SECOND, 15 * SECOND};
    struct term_session *session = *state;
    int64_t now = 0;
    for (int i = 0; i < 40; i++) {
        assert_int_equal(term_session_tick(session, now), TERM_WANT_CONNECT);
        term_session_closed(session, 0, "refused", now);
        int64_t pause = session->retry_at - now;
        int64_t bound = bounds[i < 5 ? i : 5];
        assert_in_range(pause, bound / 2, bound);
        now = session->retry_at;
    }
    join(session, now);
    now += 6 * SECOND;
    term_session_closed(session, 0, "", now);
    assert_in_range(session->retry_at - now, 250 * MS, 500 * MS);
}

static void final_close_waits_for_the_user(void **state)
{
    static const int codes[] = {3500, 3501, 3502, 3503, 3504, 3505};
    struct term_session *session = *state;
    int64_t now = 0;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        join(session, now);
        assert_false(said.hello.has_token); /* a retry is somebody new */
        term_session_closed(session, codes[i], "no", now);
        assert_int_equal(session->phase, TERM_ENDED);
        now += 3600 * SECOND;
        assert_int_equal(term_session_tick(session, now), TERM_WANT_NOTHING);
        term_session_retry(session);
    }
    static const int temporary[] = {0, 1000, 1003, 1006, 1009, 1011, 3000, 3001, 3002, 3499};
    for (size_t i = 0; i < sizeof temporary / sizeof temporary[0]; i++) {
        term_session_tick(session, now);
        term_session_closed(session, temporary[i], "", now);
        assert_int_equal(session->phase, TERM_WAITING);
        term_session_retry(session);
    }
}

static void silence_is_a_lost_connection(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    assert_int_not_equal(term_session_tick(session, 9 * SECOND), TERM_WANT_DROP);
    assert_int_equal(term_session_tick(session, 11 * SECOND), TERM_WANT_DROP);
    term_session_awake(session, 11 * SECOND); /* but not when it was us who slept */
    assert_int_not_equal(term_session_tick(session, 11 * SECOND), TERM_WANT_DROP);
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
    hear(session, proto_encode_room(bytes, sizeof bytes, &room), 101 * MS);
    timeline_play(session->timeline, 102 * MS);
    assert_int_equal(timeline_boid_count(session->timeline), 1); /* same world: the flock stays */
    struct proto_params params = {.count = 3, .values = {4, 5, 6}};
    hear(session, proto_encode_params(bytes, sizeof bytes, &params), 103 * MS);
    assert_string_equal(session->welcome.room.policy, "latest");
    assert_float_equal(session->welcome.room.params[1].value, 5, 0);
    strcpy(room.boundary, "wrap");
    hear(session, proto_encode_room(bytes, sizeof bytes, &room), 104 * MS);
    timeline_play(session->timeline, 105 * MS);
    assert_int_equal(timeline_boid_count(session->timeline), 0); /* positions mean something else */
}

static void errors_are_shown(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    struct proto_error error = {.code = "range", .field = "x", .message = "too far"};
    hear(session, proto_encode_error(bytes, sizeof bytes, &error), 9);
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
            garbage[1] = (uint8_t)(16 + garbage[1] % 10);
        }
        term_session_received(session, garbage, size, 200 * MS);
        timeline_play(session->timeline, 200 * MS + i);
    }
    assert_int_equal(session->phase, TERM_LIVE);
    assert_string_equal(session->welcome.room.name, "lobby");
    assert_non_null(strstr(session->notice, "malformed"));
}

static void a_key_is_sent_after_each_welcome_as_a_viewer(void **state)
{
    struct term_session *session = term_session_create("lobby", "Ada", 30, "packed", "abc-1");
    (void)state;
    for (int64_t now = 0; now < 2 * SECOND; now += SECOND) {
        join(session, now);
        assert_int_equal(term_session_tick(session, now), TERM_WANT_WRITE);
        assert_true(says(session, now));
        assert_int_equal(said.type, PROTO_KEY);
        assert_string_equal(said.key.key, "abc-1");
        assert_false(says(session, now) && said.type == PROTO_KEY); /* once */
        assert_int_equal(session->welcome.role, PROTO_VIEWER);
        hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_PRESENTER), now);
        assert_int_equal(session->welcome.role, PROTO_PRESENTER);
        assert_non_null(strstr(session->notice, "presenter"));
        term_session_closed(session, 0, "gone", now);
        assert_string_equal(session->reason, "gone"); /* what we were told is no explanation */
        term_session_retry(session);
    }
    int64_t later = 3 * SECOND;
    term_session_tick(session, later);
    term_session_opened(session, later);
    assert_true(says(session, later));
    hear_welcome_as(session, PROTO_PRESENTER, later); /* by the token */
    assert_true(says(session, later));
    assert_int_equal(said.type, PROTO_PING);
    term_session_destroy(session);
}

static void a_refused_key_leaves_a_viewer(void **state)
{
    struct term_session *session = term_session_create("lobby", "Ada", 30, "packed", "abc-1");
    struct proto_error error = {.code = "key", .field = "key", .message = "key: not the room's"};
    (void)state;
    join(session, 0);
    assert_true(says(session, 0));
    hear(session, proto_encode_error(bytes, sizeof bytes, &error), MS);
    assert_string_equal(session->notice, "the key was refused: you are a viewer");
    assert_int_equal(session->phase, TERM_LIVE);
    assert_int_equal(session->welcome.role, PROTO_VIEWER);
    term_session_destroy(session);
}

static void another_model_or_preset_is_told_of(void **state)
{
    struct term_session *session = *state;
    struct proto_room room = lobby();
    room.control_count = 2;
    room.boids_max = 100;
    strcpy(room.controls[0].name, "preset");
    strcpy(room.controls[1].name, "model");
    for (int i = 0; i < 2; i++) {
        room.controls[i].choice_count = 1;
        strcpy(room.controls[i].choices[0].text, "what it is");
    }
    strcpy(room.controls[0].choices[0].value, "bees");
    strcpy(room.controls[1].choices[0].value, "boids");
    join(session, 0);
    hear(session, proto_encode_room(bytes, sizeof bytes, &room), MS);
    assert_string_equal(session->notice, ""); /* neither has a value */
    strcpy(room.controls[1].value, "boids");
    hear(session, proto_encode_room(bytes, sizeof bytes, &room), MS);
    assert_string_equal(session->notice, "model boids: what it is");
    strcpy(room.controls[0].value, "bees");
    hear(session, proto_encode_room(bytes, sizeof bytes, &room), 2 * MS);
    assert_string_equal(session->notice, "preset bees: what it is");
    session->notice[0] = '\0';
    hear(session, proto_encode_room(bytes, sizeof bytes, &room), 3 * MS);
    assert_string_equal(session->notice, ""); /* as it was */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hello_says_who_and_where, setup, teardown),
        cmocka_unit_test(plain_snapshots_can_be_asked_for),
        cmocka_unit_test_setup_teardown(nothing_counts_before_the_welcome, setup, teardown),
        cmocka_unit_test_setup_teardown(snapshots_are_played, setup, teardown),
        cmocka_unit_test_setup_teardown(packed_snapshots_are_played, setup, teardown),
        cmocka_unit_test_setup_teardown(less_is_asked_for_when_snapshots_are_skipped, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(cursor_is_sent_at_most_60_times_a_second, setup, teardown),
        cmocka_unit_test_setup_teardown(cursor_is_kept_within_what_positions_reach, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(cursor_leaves_when_told_and_when_idle, setup, teardown),
        cmocka_unit_test_setup_teardown(pings_give_the_latency, setup, teardown),
        cmocka_unit_test_setup_teardown(lost_connection_is_taken_up_again_as_the_same_person, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(pauses_grow_up_to_15_seconds_and_start_anew, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(final_close_waits_for_the_user, setup, teardown),
        cmocka_unit_test_setup_teardown(silence_is_a_lost_connection, setup, teardown),
        cmocka_unit_test_setup_teardown(changes_of_the_room_are_followed, setup, teardown),
        cmocka_unit_test_setup_teardown(errors_are_shown, setup, teardown),
        cmocka_unit_test_setup_teardown(garbage_changes_nothing, setup, teardown),
        cmocka_unit_test(a_key_is_sent_after_each_welcome_as_a_viewer),
        cmocka_unit_test(a_refused_key_leaves_a_viewer),
        cmocka_unit_test_setup_teardown(another_model_or_preset_is_told_of, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
