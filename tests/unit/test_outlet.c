/* The outlet: snapshots, pending frames, slow clients, and its counts. */
#include "outlet_session.h"

/* ---- snapshots ---- */

static void test_deltas(void **state)
{
    (void)state;
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    assert_nothing();
    snapshot(100, 0);
    assert_next(OUTLET_DELTA, 2);
    /* Of two deltas that come at once, both are useful. */
    snapshot(100, 0);
    snapshot(100, 0);
    assert_next(OUTLET_DELTA, 3);
    assert_next(OUTLET_DELTA, 4);
    assert_nothing();
    assert_int_equal(scene.counts.sent, 4);
    assert_int_equal(scene.counts.keys, 1);
    assert_int_equal(scene.counts.snapshot_bytes, 700);
    assert_int_equal(scene.counts.skipped, 0);
}

static void test_plain(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= 5; i++) {
        snapshot(0, 400);
        assert_next(OUTLET_KEYFRAME, i);
        assert_nothing();
    }
    /* Of plain snapshots only the newest is useful. */
    snapshot(0, 400);
    snapshot(0, 400);
    assert_next(OUTLET_KEYFRAME, 7);
    assert_nothing();
    assert_int_equal(scene.counts.skipped, 1);
}

/* A client that missed more than the view holds needs a keyframe. The outlet requests one for each
 * snapshot without a keyframe. */
static void test_lost_thread(void **state)
{
    struct outlet_item item;

    (void)state;
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    for (uint32_t i = 0; i < VIEW_DELTAS + 1; i++) {
        snapshot(100, 0);
    }
    item = send_next();
    assert_int_equal(item.type, OUTLET_WANT_KEY);
    assert_int_equal(item.stream, OUTLET_STREAM);
    assert_nothing();
    snapshot(100, 0);
    assert_next(OUTLET_WANT_KEY, 11);
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 12);
    snapshot(100, 0);
    assert_next(OUTLET_DELTA, 13);
    assert_int_equal(scene.counts.sent, 3);
    assert_int_equal(scene.counts.skipped, 10);
}

/* An older keyframe is enough if the view has all deltas after it. */
static void test_older_keyframe(void **state)
{
    (void)state;
    snapshot(100, 400);
    snapshot(100, 0);
    snapshot(100, 0);
    assert_next(OUTLET_KEYFRAME, 1);
    assert_next(OUTLET_DELTA, 2);
    assert_next(OUTLET_DELTA, 3);
    assert_nothing();
}

static void test_other_stream(void **state)
{
    (void)state;
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    snapshot(100, 0);
    snapshot(100, 0); /* two snapshots that are never sent */
    scene.view->streams[0].id = 9;
    grant_from(9, 3, false);
    outlet_view(&scene.outlet, &scene.turn);
    assert_nothing(); /* snapshots before the grant are of another stream */
    snapshot(100, 0);
    assert_next(OUTLET_WANT_KEY, 4);
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 5);
    assert_int_equal(scene.counts.skipped, 3);
}

/* A busy shard reads a grant after a newer view. The client has seen that view in its old stream,
 * so the first snapshot of the new stream is a newer one. */
static void test_a_late_grant_repeats_no_moment(void **state)
{
    (void)state;
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    snapshot(100, 400);
    assert_next(OUTLET_DELTA, 2);
    scene.view->streams[0].id = 9;
    grant_from(9, 1, false);
    outlet_view(&scene.outlet, &scene.turn);
    assert_nothing();
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 3);
}

/* A grant of the same stream is for a client that lost the stream: it takes the next keyframe. */
static void test_same_stream(void **state)
{
    (void)state;
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    grant_from(OUTLET_STREAM, 1, false);
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 2);
    assert_int_equal(scene.counts.offered, 2);
}

/* Repeated requests bring at most one keyframe per second, and the client misses nothing. */
static void test_same_stream_often(void **state)
{
    uint64_t next = 1;

    (void)state;
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, next);
    for (uint32_t second = 0; second < 3; second++) {
        for (uint32_t i = 0; i < 7; i++) {
            scene.turn.now += 100 * MS;
            grant_from(OUTLET_STREAM, (uint32_t)next, false);
            snapshot(100, 0);
            assert_next(OUTLET_DELTA, ++next);
        }
        scene.turn.now += 100 * MS;
        snapshot(100, 0);
        assert_next(OUTLET_WANT_KEY, ++next);
        assert_next(OUTLET_DELTA, next);
        snapshot(100, 400);
        assert_next(OUTLET_KEYFRAME, ++next);
    }
    scene.turn.now += 2000 * MS; /* after a keyframe none is requested */
    snapshot(100, 0);
    assert_next(OUTLET_DELTA, ++next);
}

static void test_stream_of_its_own(void **state)
{
    (void)state;
    scene.view->streams[0].id = 8; /* the view has no snapshot of this stream yet */
    snapshot(100, 400);
    assert_nothing();
    assert_int_equal(scene.counts.offered, 0);
}

/* A busy shard sends the third of three views. A client of another stream missed nothing of them.
 */
static void test_missed_snapshots(void **state)
{
    (void)state;
    snapshot(100, 400);
    assert_int_equal(scene.counts.missed, 0);
    scene.view->streams[0].sequence += 2;
    snapshot(100, 400);
    assert_int_equal(scene.counts.offered, 4);
    assert_int_equal(scene.counts.judged, 4);
    assert_int_equal(scene.counts.missed, 2);
    scene.view->streams[0].id = 8;
    scene.view->streams[0].sequence += 2;
    snapshot(100, 400);
    assert_int_equal(scene.counts.missed, 2);
}

/* Snapshots that newcomers miss are no sign of overload. Snapshots that they get hide no overload.
 */
static void test_newcomers_are_not_judged(void **state)
{
    (void)state;
    snapshot(100, 400);
    scene.turn.fresh = true;
    scene.view->streams[0].sequence += 2;
    snapshot(100, 400);
    assert_int_equal(scene.counts.offered, 4);
    assert_int_equal(scene.counts.judged, 1);
    assert_int_equal(scene.counts.missed, 0);
}

static void test_end(void **state)
{
    (void)state;
    snapshot(100, 400);
    outlet_end(&scene.outlet, &scene.counts);
    snapshot(100, 400);
    assert_nothing();
    assert_int_equal(scene.counts.offered, 1);
    assert_int_equal(scene.counts.skipped, 1);
}

/* ---- a slow client ---- */

/* A snapshot behind unsent bytes would be old, so it waits, except behind a few deltas. The outlet
 * does not ask the kernel each time. */
static void test_full_socket(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        snapshot(100, i == 0 ? 400 : 0);
        assert_int_equal(send_next().type, i == 0 ? OUTLET_KEYFRAME : OUTLET_DELTA);
    }
    assert_int_equal(scene.asked, 0);
    scene.unsent = 10000;
    snapshot(100, 0);
    assert_nothing();
    assert_int_equal(scene.asked, 2); /* and once more after the ping */
    assert_int_equal(scene.counts.choked, 1);
    assert_nothing();
    assert_int_equal(scene.counts.choked, 1);
    scene.unsent = 1000;
    assert_next(OUTLET_DELTA, 9);
    scene.unsent = 0;
    for (uint32_t i = 0; i < 7; i++) {
        snapshot(0, 400);
        send_next();
    }
    scene.unsent = 1; /* a keyframe waits for any unsent byte */
    snapshot(0, 400);
    assert_nothing();
    assert_int_equal(scene.counts.choked, 2);
}

/* While a ping has no answer for a long time, the outlet sends no snapshots. */
static void test_unanswered(void **state)
{
    struct outlet_item item;

    (void)state;
    snapshot(100, 5000);
    assert_next(OUTLET_KEYFRAME, 1);
    item = outlet_next(&scene.outlet, &scene.turn);
    assert_int_equal(item.type, OUTLET_PING);
    outlet_sent(&scene.outlet, &scene.turn, &item, 0);
    snapshot(100, 0);
    assert_next(OUTLET_DELTA, 2);
    scene.turn.now += 500 * MS;
    snapshot(100, 0);
    assert_nothing();
    outlet_push(&scene.outlet, sized_frame(10)); /* except required messages */
    assert_next(OUTLET_PENDING, 0);
    outlet_pong(&scene.outlet, (uint32_t)item.number, scene.turn.now, 0);
    assert_next(OUTLET_DELTA, 3);
}

/* As long as the connection is unknown, the outlet sends only little. */
static void test_beginning(void **state)
{
    struct outlet_item item;

    (void)state;
    outlet_push(&scene.outlet, sized_frame(6000));
    assert_next(OUTLET_PENDING, 0);
    snapshot(0, 12000);
    item = outlet_next(&scene.outlet, &scene.turn);
    assert_int_equal(item.type, OUTLET_PING);
    outlet_sent(&scene.outlet, &scene.turn, &item, 0);
    snapshot(0, 12000);
    assert_int_equal(outlet_next(&scene.outlet, &scene.turn).type, OUTLET_NOTHING);
    assert_true(outlet_pong(&scene.outlet, (uint32_t)item.number, scene.turn.now, 0));
    assert_next(OUTLET_KEYFRAME, 2); /* the newest snapshot, not the waiting one */
    assert_int_equal(scene.counts.skipped, 1);
}

static void test_blocked(void **state)
{
    (void)state;
    snapshot(100, 400);
    outlet_blocked(&scene.outlet, &scene.turn);
    outlet_blocked(&scene.outlet, &scene.turn);
    assert_int_equal(scene.counts.choked, 1);
    assert_next(OUTLET_KEYFRAME, 1);
    outlet_blocked(&scene.outlet, &scene.turn); /* nothing is to be sent */
    assert_int_equal(scene.counts.choked, 1);
}

/* ---- pending frames ---- */

static void test_pending(void **state)
{
    struct frame *first = sized_frame(10);
    struct frame *second = sized_frame(20);

    (void)state;
    snapshot(100, 400);
    outlet_push(&scene.outlet, first);
    outlet_push(&scene.outlet, second);
    assert_true(outlet_is_pending(&scene.outlet));
    assert_ptr_equal(outlet_next(&scene.outlet, &scene.turn).frame, first);
    assert_next(OUTLET_PENDING, 0);
    assert_ptr_equal(outlet_next(&scene.outlet, &scene.turn).frame, second);
    assert_next(OUTLET_PENDING, 0);
    assert_false(outlet_is_pending(&scene.outlet));
    assert_next(OUTLET_KEYFRAME, 1);
}

/* The outlet reports a lost message, so that the client does not continue without it. */
static void test_pending_bounds(void **state)
{
    (void)state;
    assert_false(outlet_push(&scene.outlet, NULL));
    assert_false(outlet_is_pending(&scene.outlet));
    for (uint32_t i = 0; i < OUTLET_PENDING_MAX; i++) {
        assert_true(outlet_push(&scene.outlet, sized_frame(10)));
    }
    assert_false(outlet_push(&scene.outlet, sized_frame(10)));
    assert_next(OUTLET_PENDING, 0);
    assert_true(outlet_push(&scene.outlet, sized_frame(10)));
    outlet_finish(&scene.outlet);
    assert_true(outlet_push(&scene.outlet, sized_frame(OUTLET_PENDING_BYTES)));
    assert_false(outlet_push(&scene.outlet, sized_frame(1)));
}

/* At the end, pending snapshots are counted. */
static void test_pending_at_end(void **state)
{
    (void)state;
    snapshot(100, 400);
    outlet_ping(&scene.outlet, 7);
    outlet_push(&scene.outlet, sized_frame(10));
    outlet_end(&scene.outlet, &scene.counts);
    assert_next(OUTLET_PENDING, 0);
    assert_nothing();
}

static void test_pong(void **state)
{
    (void)state;
    snapshot(100, 400);
    outlet_ping(&scene.outlet, 7);
    outlet_ping(&scene.outlet, UINT64_MAX); /* the latest number counts */
    assert_next(OUTLET_PONG, UINT64_MAX);
    assert_next(OUTLET_KEYFRAME, 1);
}

/* ---- a limited share of the bandwidth ---- */

/* Snapshots wait until the share has bytes. A snapshot that needs more than two seconds of the
 * share waits for a stream with fewer boids. */
static void test_a_small_share(void **state)
{
    (void)state;
    share_set(&scene.outlet.line.share, 1000, outlet_ms(scene.turn.now));
    snapshot(0, 1500);
    assert_next(OUTLET_KEYFRAME, 1);
    snapshot(0, 400);
    assert_nothing();
    assert_int_equal(scene.counts.withheld, 1);
    scene.turn.now += 400 * MS;
    assert_nothing();
    scene.turn.now += 200 * MS;
    assert_next(OUTLET_KEYFRAME, 2);
    scene.turn.now += 2000 * MS;
    snapshot(0, 2001);
    assert_nothing();
    assert_int_equal(scene.counts.withheld, 2);
    snapshot(0, 2000);
    assert_next(OUTLET_KEYFRAME, 4);
    snapshot(0, 100);
    assert_nothing();
    share_set(&scene.outlet.line.share, 0, outlet_ms(scene.turn.now));
    assert_next(OUTLET_KEYFRAME, 5);
}

#define RATE 30u /* snapshots a second */

static void list_people(size_t size)
{
    scene.view->presence++;
    put_frame(&scene.view->presence_whole, sized_frame(size));
}

struct sent {
    uint32_t lists, rooms, frames;
};

/* Returns what a client with 6,000 bytes a second gets, while each second brings a list of people,
 * or each turn another room, of 9,000 bytes. */
static struct sent send_limited(uint32_t seconds, bool people_come, bool room_changes)
{
    struct sent sent = {0};

    outlet_share(&scene.outlet, 6000, outlet_ms(scene.turn.now));
    for (uint32_t turn = 0; turn < seconds * RATE; turn++) {
        if (room_changes) {
            scene.view->versions[VIEW_ROOM]++;
            put_frame(&scene.view->frames[VIEW_ROOM], sized_frame(9000));
        }
        if (turn % RATE == 0 && people_come) {
            list_people(9000);
        }
        if (turn % RATE == 0) {
            outlet_second(&scene.outlet);
        }
        snapshot(0, 140);
        for (enum outlet_type type; (type = send_next().type) != OUTLET_NOTHING;) {
            sent.lists += type == OUTLET_PRESENCE;
            sent.rooms += type == OUTLET_PART;
            sent.frames += type == OUTLET_KEYFRAME;
        }
    }
    return sent;
}

/* A list of people is sent at once. A quarter of the share pays for it, and the next list waits
 * until it is paid. So snapshots keep three quarters of the share, however often people come and
 * go. */
static void test_people_take_a_quarter_of_a_small_share(void **state)
{
    const struct sent sent = send_limited(60, true, false);

    (void)state;
    assert_int_equal(sent.frames, 60 * RATE);
    assert_in_range(sent.lists, 9, 11); /* 9,000 bytes at 1,500 bytes a second take 6 s */
}

/* So does a room that changes all the time, for example while people draw walls. */
static void test_a_room_takes_a_quarter_of_a_small_share(void **state)
{
    const struct sent sent = send_limited(60, false, true);

    (void)state;
    assert_int_equal(sent.frames, 60 * RATE);
    assert_in_range(sent.rooms, 9, 11);
}

static void test_lists_and_rooms_share_a_quarter_in_turn(void **state)
{
    const struct sent sent = send_limited(120, true, true);

    (void)state;
    assert_int_equal(sent.frames, 120 * RATE);
    assert_in_range(sent.rooms, 9, 11);
    assert_in_range(sent.lists, 9, 11);
}

/* Returns the seconds until the client gets a new list of people, after a list of 9,000 bytes at
 * 6,000 bytes a second: it would wait 6 s for the next. */
static uint32_t next_list_after(void (*change)(void))
{
    uint32_t seconds = 0;

    outlet_share(&scene.outlet, 6000, outlet_ms(scene.turn.now));
    list_people(9000);
    snapshot(0, 140);
    assert_int_equal(send_next().type, OUTLET_PRESENCE);
    change();
    list_people(900);
    for (; seconds < 60; seconds++) {
        for (uint32_t turn = 0; turn < RATE; turn++) {
            snapshot(0, 140);
            for (enum outlet_type sent; (sent = send_next().type) != OUTLET_NOTHING;) {
                if (sent == OUTLET_PRESENCE) {
                    return seconds;
                }
            }
        }
        outlet_second(&scene.outlet);
    }
    return seconds;
}

static void nothing_changes(void)
{
}

static void the_share_grows(void)
{
    outlet_share(&scene.outlet, 100000, outlet_ms(scene.turn.now));
}

static void the_limit_ends(void)
{
    outlet_share(&scene.outlet, 0, outlet_ms(scene.turn.now));
}

static void it_joins_another_room(void)
{
    scene.turn.now += 2000 * MS; /* the share has paid for the welcome */
    grant_from(OUTLET_STREAM, scene.view->streams[0].sequence, true);
}

static void test_the_next_list_waits(void **state)
{
    (void)state;
    assert_in_range(next_list_after(nothing_changes), 5, 7);
}

static void test_the_next_list_waits_no_longer(void **state)
{
    void (*const changes[])(void) = {the_share_grows, the_limit_ends, it_joins_another_room};

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        assert_in_range(next_list_after(changes[i]), 0, 1);
        (void)leave(state);
        (void)join(state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OUTLET_TEST(test_deltas),
        OUTLET_TEST(test_plain),
        OUTLET_TEST(test_lost_thread),
        OUTLET_TEST(test_older_keyframe),
        OUTLET_TEST(test_other_stream),
        OUTLET_TEST(test_a_late_grant_repeats_no_moment),
        OUTLET_TEST(test_a_small_share),
        OUTLET_TEST(test_people_take_a_quarter_of_a_small_share),
        OUTLET_TEST(test_a_room_takes_a_quarter_of_a_small_share),
        OUTLET_TEST(test_lists_and_rooms_share_a_quarter_in_turn),
        OUTLET_TEST(test_the_next_list_waits),
        OUTLET_TEST(test_the_next_list_waits_no_longer),
        OUTLET_TEST(test_same_stream),
        OUTLET_TEST(test_same_stream_often),
        OUTLET_TEST(test_stream_of_its_own),
        OUTLET_TEST(test_missed_snapshots),
        OUTLET_TEST(test_newcomers_are_not_judged),
        OUTLET_TEST(test_end),
        OUTLET_TEST(test_full_socket),
        OUTLET_TEST(test_unanswered),
        OUTLET_TEST(test_beginning),
        OUTLET_TEST(test_blocked),
        OUTLET_TEST(test_pending),
        OUTLET_TEST(test_pending_bounds),
        OUTLET_TEST(test_pending_at_end),
        OUTLET_TEST(test_pong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
