/* A terminal session: joining, messages, the end, and reconnecting. */
#include "term_session.h"

#include <math.h>

/* Sends the boids of a packed snapshot to the session. */
static inline void hear_packed(struct term_session *session, const uint8_t *boids,
                               size_t boids_size, int64_t now)
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
    assert_int_equal(said.hello.boids, 0);
    assert_false(said.hello.has_token);
    assert_string_equal(said.hello.key, "");
}

/* With the key the person is a presenter from the beginning, and again after a lost connection. */
static void each_hello_has_the_key(void **state)
{
    struct term_session *session = term_session_create("lobby", "Ada", 30, "packed", "abc-1");
    (void)state;
    for (int64_t now = 0; now < 2 * SECOND; now += SECOND) {
        join(session, now);
        assert_string_equal(said.hello.key, "abc-1");
        term_session_closed(session, 0, "gone", now);
        term_session_retry(session);
    }
    term_session_destroy(session);
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
    term_session_steer(session, 1, 2, 7); /* without a world no cursor is sent */
    assert_false(session->cursor_here);
}

static void snapshots_are_played(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    hear_snapshot(session, 100 * MS);
    timeline_play(session->timeline, 100 * MS);
    assert_int_equal(timeline_boid_count(session->timeline), 1);
    assert_int_equal(session->people_count, 3);
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
    assert_true(shown.dy > 100 * fabsf(shown.dx)); /* the boid has not moved, but heads down */
    assert_int_equal(session->people_count, 4);

    packed_next(encoder, &flock, false);
    packed_next(encoder, &flock, false);
    hear_packed(session, boids, packed_put_delta(encoder, boids),
                200 * MS); /* after a missed snapshot */
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
    assert_true(last > 95); /* the latest position, not all positions */
    int64_t later = SECOND + 20 * MS;
    assert_int_equal(term_session_tick(session, later), TERM_WANT_WRITE);
    assert_true(says(session, later));
    assert_true(said.cursor.x > 99.8F);
    assert_false(says(session, later + 20 * MS) && said.type == PROTO_CURSOR);
}

static void cursor_stays_within_the_world(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    assert_true(says(session, 0)); /* a ping */
    static const float far[][4] = {
        {1e9F, -1e9F, 550, 0}, {-1e9F, 1e9F, 0, 400}, {550.5F, 200, 550, 200}};
    for (int i = 0; i < 3; i++) {
        int64_t now = (i + 1) * (100 * MS);
        term_session_steer(session, far[i][0], far[i][1], now);
        assert_true(says(session, now));
        assert_int_equal(said.type, PROTO_CURSOR);
        assert_true(said.cursor.x == far[i][2] && said.cursor.y == far[i][3]);
    }
}

static void cursor_leaves_on_request_and_when_idle(void **state)
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
    assert_false(session->cursor_unsent); /* it is sent only once */
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
        /* A pong without a ping is ignored. */
        struct proto_pong stray = {12345, 1};
        hear(session, proto_encode_pong(bytes, sizeof bytes, &stray), now + 8 * MS);
    }
    assert_in_range(pings, 5, 7);
    assert_true(term_clock_read(&session->clock, &trip, &offset));
    assert_int_equal(trip, 4 * MS);
    assert_int_equal(offset, 5 * SECOND);
}

/* A marked boid is picked and subscribed to; the next connection picks it again. */
static void a_marked_boid_is_picked(void **state)
{
    struct term_session *session = *state;
    const struct proto_why of_another = {.has_boid = true, .boid = 4};
    const struct proto_why why = {.has_boid = true, .boid = 9, .there = true};
    const struct proto_why shown = {.has_boid = true, .boid = 9, .shown = true, .by = 2};
    join(session, 0);
    term_session_pick(session, 9, SECOND);
    assert_true(says(session, SECOND));
    assert_int_equal(said.type, PROTO_PICK);
    assert_true(said.pick.boid == 9 && !said.pick.shown);
    assert_true(says(session, SECOND));
    assert_int_equal(said.type, PROTO_WANT);
    assert_int_equal(said.want.topics & PROTO_TOPIC_WHY, PROTO_TOPIC_WHY);
    hear(session, proto_encode_why(bytes, sizeof bytes, &of_another), SECOND);
    hear(session, proto_encode_why(bytes, sizeof bytes, &shown), SECOND);
    assert_false(session->why_known);
    hear(session, proto_encode_why(bytes, sizeof bytes, &why), SECOND);
    assert_true(session->why_known && session->why.boid == 9);
    term_session_closed(session, 3000, "going down", SECOND);
    int64_t now = session->retry_at;
    join(session, now);
    assert_false(session->why_known);
    assert_true(says(session, now));
    assert_int_equal(said.type, PROTO_PICK);
    const struct proto_done done = {.type = PROTO_PICK, .has_tag = true, .tag = said.tag};
    hear(session, proto_encode_done(bytes, sizeof bytes, &done), now);
    term_session_unpick(session, now);
    assert_true(says(session, now + 100 * MS));
    assert_int_equal(said.type, PROTO_UNPICK);
    assert_true(says(session, now + 200 * MS));
    assert_int_equal(said.type, PROTO_WANT);
    assert_int_equal(said.want.topics & PROTO_TOPIC_WHY, 0);
}

static void hear_pick_ended(struct term_session *session, int64_t now)
{
    const struct proto_why none = {.has_boid = false};
    hear(session, proto_encode_why(bytes, sizeof bytes, &none), now);
}

/* Sends the next pick, and returns its tag. */
static uint32_t send_pick(struct term_session *session, int64_t now)
{
    do {
        assert_true(says(session, now));
    } while (said.type != PROTO_PICK);
    return said.tag;
}

static void hear_pick_done(struct term_session *session, uint32_t tag, int64_t now)
{
    const struct proto_done done = {.type = PROTO_PICK, .has_tag = true, .tag = tag};
    hear(session, proto_encode_done(bytes, sizeof bytes, &done), now);
}

static void hear_why(struct term_session *session, uint32_t boid, int64_t now)
{
    const struct proto_why why = {.has_boid = true, .boid = boid, .there = true};
    hear(session, proto_encode_why(bytes, sizeof bytes, &why), now);
}

/* The server ends a pick when others want theirs. */
static void the_server_ends_a_pick(void **state)
{
    struct term_session *session = *state;
    const struct proto_why nothing_shown = {.shown = true};
    join(session, 0);
    term_session_pick(session, 9, SECOND);
    hear_pick_done(session, send_pick(session, SECOND), SECOND);
    hear_why(session, 9, SECOND);
    hear(session, proto_encode_why(bytes, sizeof bytes, &nothing_shown), SECOND);
    assert_true(session->picks && session->why_known);
    hear_pick_ended(session, SECOND);
    assert_false(session->picks || session->why_known);
    hear_why(session, 9, SECOND);
    assert_false(session->why_known);
    term_session_closed(session, 3000, "going down", SECOND);
    join(session, session->retry_at);
    while (says(session, 100 * SECOND)) {
        assert_int_not_equal(said.type, PROTO_PICK); /* the end stays */
    }
    term_session_pick(session, 9, 101 * SECOND);
    hear_pick_done(session, send_pick(session, 101 * SECOND), 101 * SECOND);
    hear_why(session, 9, 101 * SECOND);
    assert_true(session->picks && session->why_known);
}

static void the_end_of_an_earlier_pick_does_not_end_the_next_one(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    term_session_pick(session, 9, SECOND);
    const uint32_t first = send_pick(session, SECOND);
    hear_pick_done(session, first, SECOND);
    term_session_pick(session, 4, 2 * SECOND); /* it waits to be sent */
    hear_pick_ended(session, 2 * SECOND);
    assert_true(session->picks);
    const uint32_t second = send_pick(session, 2 * SECOND);
    term_session_pick(session, 4, 3 * SECOND); /* the same boid */
    const uint32_t third = send_pick(session, 3 * SECOND);
    hear_pick_done(session, second, 3 * SECOND);
    hear_pick_ended(session, 3 * SECOND);
    assert_true(session->picks);
    hear_pick_done(session, third, 3 * SECOND);
    hear_why(session, 4, 3 * SECOND);
    assert_true(session->picks && session->why_known);
    hear_pick_ended(session, 4 * SECOND);
    assert_false(session->picks);
}

/* A terminal that shows measures subscribes to the clusters, and one that hides them does not. */
static void clusters_are_asked_for_while_they_are_shown(void **state)
{
    struct term_session *session = *state;
    const struct proto_clusters clusters = {.count = 4, .boids = 90};
    const uint32_t others = PROTO_TOPIC_LEADS + PROTO_TOPIC_MARKS + PROTO_TOPIC_THINGS +
                            PROTO_TOPIC_PUSHES + PROTO_TOPIC_SWEPT;
    join(session, 0);
    assert_int_equal(said.hello.topics, others);
    term_session_count(session, true);
    assert_true(says(session, SECOND));
    assert_int_equal(said.type, PROTO_WANT);
    assert_true(said.want.has_topics);
    assert_int_equal(said.want.topics, others + PROTO_TOPIC_CLUSTERS);
    hear(session, proto_encode_clusters(bytes, sizeof bytes, &clusters), SECOND);
    assert_true(session->clusters_known);
    assert_int_equal(session->clusters.count, 4);
    term_session_closed(session, 3000, "going down", SECOND);
    int64_t now = session->retry_at;
    join(session, now);
    assert_int_equal(said.hello.topics, others + PROTO_TOPIC_CLUSTERS);
    assert_false(session->clusters_known);
    term_session_count(session, false);
    assert_true(says(session, now + 100 * MS));
    assert_int_equal(said.type, PROTO_WANT);
    assert_int_equal(said.want.topics, others);
}

static void two_seconds_without_a_snapshot_are_a_stall(void **state)
{
    struct term_session *session = *state;
    const struct proto_stream slow = {.rate = 0.5F, .stride = 1, .slow = true};
    assert_false(term_session_stalled(session, 10 * SECOND)); /* it is not in a room */
    join(session, 0);
    hear_snapshot(session, SECOND);
    assert_false(term_session_stalled(session, 3 * SECOND));
    assert_true(term_session_stalled(session, 3 * SECOND + 1));
    hear_snapshot(session, 4 * SECOND);
    assert_false(term_session_stalled(session, 5 * SECOND));
    hear(session, proto_encode_stream(bytes, sizeof bytes, &slow), 5 * SECOND);
    assert_false(term_session_stalled(session, 10 * SECOND)); /* three snapshots in six seconds */
    assert_true(term_session_stalled(session, 10 * SECOND + 1));
    term_session_awake(session, 60 * SECOND);
    assert_false(term_session_stalled(session, 61 * SECOND));
}

static void another_address_has_its_own_time(void **state)
{
    struct term_session *session = *state;
    assert_int_equal(term_session_tick(session, 0), TERM_WANT_CONNECT);
    term_session_trying(session, 4 * SECOND);
    assert_int_equal(term_session_tick(session, 13 * SECOND), TERM_WANT_NOTHING);
    assert_int_equal(term_session_tick(session, 15 * SECOND), TERM_WANT_DROP);
}

static void a_server_without_topics_gets_no_subscription(void **state)
{
    struct term_session *session = *state;
    join(session, 0);
    session->welcome.capability_count = 0;
    term_session_count(session, true);
    assert_true(says(session, SECOND));
    assert_int_equal(said.type, PROTO_WANT);
    assert_false(said.want.has_topics);
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
    assert_true(says(session, now + 100 * MS)); /* the cursor is sent again */
    assert_int_equal(said.type, PROTO_CURSOR);
    assert_float_equal(said.cursor.y, 20, 0.01F);
}

static void pauses_grow_up_to_15_seconds_and_start_again(void **state)
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

static void a_goodbye_says_when_to_come_back(void **state)
{
    struct term_session *session = *state;
    struct proto_goodbye goodbye = {.code = 3000, .has_after = true, .after = 2345};
    join(session, 0);
    hear(session, proto_encode_goodbye(bytes, sizeof bytes, &goodbye), SECOND);
    assert_int_equal(session->phase, TERM_LIVE); /* the close follows */
    term_session_closed(session, 3000, "shutting down", SECOND);
    assert_int_equal(session->retry_at, SECOND + 2345 * MS);
    join(session, session->retry_at);
    int64_t now = 10 * SECOND; /* the time counts for this reconnection only */
    term_session_closed(session, 3002, "stalled", now);
    assert_in_range(session->retry_at - now, 250 * MS, 500 * MS);
}

static void no_server_makes_a_terminal_wait_longer_than_ten_minutes(void **state)
{
    struct term_session *session = *state;
    struct proto_goodbye goodbye = {.code = 3000, .has_after = true, .after = UINT32_MAX};
    join(session, 0);
    hear(session, proto_encode_goodbye(bytes, sizeof bytes, &goodbye), SECOND);
    term_session_closed(session, 3000, "shutting down", SECOND);
    assert_int_equal(session->retry_at, 601 * SECOND);
}

/* Also before a welcome, when the server is full. */
static void a_goodbye_replaces_a_lost_close(void **state)
{
    static const struct proto_goodbye full = {.code = 3001, .has_after = true, .after = 100};
    static const struct proto_goodbye ended = {.code = 3506};
    struct term_session *session = *state;
    term_session_tick(session, 0);
    term_session_opened(session, 0);
    hear(session, proto_encode_goodbye(bytes, sizeof bytes, &full), 0);
    term_session_closed(session, 0, "", 0);
    assert_int_equal(session->phase, TERM_WAITING);
    assert_int_equal(session->retry_at, 100 * MS);
    assert_int_equal(session->close_code, 3001);
    join(session, 100 * MS);
    hear(session, proto_encode_goodbye(bytes, sizeof bytes, &ended), SECOND);
    term_session_closed(session, 0, "", SECOND);
    assert_int_equal(session->phase, TERM_ENDED);
    assert_true(term_session_over(session));
}

static void an_ended_room_ends_the_session(void **state)
{
    static const int codes[] = {3500, 3501, 3502, 3503, 3504, 3505, 3506, 3507};
    struct term_session *session = *state;
    join(session, 0);
    assert_false(term_session_over(session));
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        bool over = codes[i] == 3502 || codes[i] == 3506 || codes[i] == 3507;
        term_session_closed(session, codes[i], "no", 0);
        assert_int_equal(session->phase, TERM_ENDED);
        assert_int_equal(term_session_over(session), over);
        term_session_retry(session);
    }
    term_session_closed(session, 3000, "", 0);
    assert_false(term_session_over(session));
}

static void final_close_waits_for_the_user(void **state)
{
    static const int codes[] = {3500, 3501, 3502, 3503, 3504, 3505, 3506, 3507};
    struct term_session *session = *state;
    int64_t now = 0;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        join(session, now);
        assert_false(said.hello.has_token); /* a retry joins as a new person */
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
    term_session_awake(session, 11 * SECOND); /* but not if this machine slept */
    assert_int_not_equal(term_session_tick(session, 11 * SECOND), TERM_WANT_DROP);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hello_says_who_and_where),
        cmocka_unit_test(each_hello_has_the_key),
        cmocka_unit_test(plain_snapshots_can_be_asked_for),
        TEST(nothing_counts_before_the_welcome),
        TEST(snapshots_are_played),
        TEST(packed_snapshots_are_played),
        TEST(cursor_is_sent_at_most_60_times_a_second),
        TEST(cursor_stays_within_the_world),
        TEST(cursor_leaves_on_request_and_when_idle),
        TEST(pings_give_the_latency),
        TEST(a_marked_boid_is_picked),
        TEST(the_server_ends_a_pick),
        TEST(the_end_of_an_earlier_pick_does_not_end_the_next_one),
        TEST(clusters_are_asked_for_while_they_are_shown),
        TEST(two_seconds_without_a_snapshot_are_a_stall),
        TEST(another_address_has_its_own_time),
        TEST(a_server_without_topics_gets_no_subscription),
        TEST(lost_connection_is_taken_up_again_as_the_same_person),
        TEST(pauses_grow_up_to_15_seconds_and_start_again),
        TEST(a_goodbye_says_when_to_come_back),
        TEST(no_server_makes_a_terminal_wait_longer_than_ten_minutes),
        TEST(a_goodbye_replaces_a_lost_close),
        TEST(an_ended_room_ends_the_session),
        TEST(final_close_waits_for_the_user),
        TEST(silence_is_a_lost_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
