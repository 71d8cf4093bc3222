/* The outlet's next message, and its counts. */
#include "net/session/outlet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "outlet_room.h"

#define MS UINT64_C(1000) /* µs */

/* A session's outlet, its room's view, and a socket that may be full. */
struct scene {
    struct outlet outlet;
    struct counts counts;
    struct room_view *view;
    struct outlet_turn turn;
    size_t unsent, asked;
};

static struct scene scene;

static size_t unsent(void *line)
{
    struct scene *of = line;

    of->asked++;
    return of->unsent;
}

static void grant_from(uint32_t stream, uint32_t sequence, bool joined)
{
    struct room_grant grant = {.stream = stream, .sequence = sequence, .joined = joined};

    if (joined) {
        grant.versions[VIEW_ROOM] = scene.view->versions[VIEW_ROOM];
        grant.versions[VIEW_PARAMS] = scene.view->versions[VIEW_PARAMS];
        grant.events = scene.view->events;
    }
    outlet_grant(&scene.outlet, &grant, scene.view, &scene.counts, scene.turn.now);
}

/* Makes a welcomed session with a known short round trip. */
static int join(void **state)
{
    struct outlet_item item;

    (void)state;
    scene = (struct scene){.view = make_view()};
    scene.turn = (struct outlet_turn){.view = scene.view,
                                      .counts = &scene.counts,
                                      .now = 1000 * MS,
                                      .unsent = unsent,
                                      .line = &scene};
    outlet_init(&scene.outlet, 0, scene.turn.now);
    item = outlet_next(&scene.outlet, &scene.turn);
    assert_int_equal(item.type, OUTLET_PING);
    outlet_sent(&scene.outlet, &scene.turn, &item, 0);
    assert_int_equal(outlet_next(&scene.outlet, &scene.turn).type, OUTLET_NOTHING);
    outlet_pong(&scene.outlet, (uint32_t)item.number, scene.turn.now, 0);
    grant_from(OUTLET_STREAM, 0, true);
    return 0;
}

static int leave(void **state)
{
    (void)state;
    outlet_end(&scene.outlet, &scene.counts);
    outlet_finish(&scene.outlet);
    view_release(scene.view);
    assert_int_equal(scene.counts.offered, scene.counts.sent + scene.counts.skipped);
    return 0;
}

/* Sends the next message and returns it. Answers pings at once, and does not return them. */
static struct outlet_item send_next(void)
{
    struct outlet_item item = outlet_next(&scene.outlet, &scene.turn);

    while (item.type == OUTLET_PING) {
        outlet_sent(&scene.outlet, &scene.turn, &item, 0);
        outlet_pong(&scene.outlet, (uint32_t)item.number, scene.turn.now, 0);
        item = outlet_next(&scene.outlet, &scene.turn);
    }
    if (item.type != OUTLET_NOTHING) {
        outlet_sent(&scene.outlet, &scene.turn, &item, item.size);
    }
    return item;
}

static void assert_next(enum outlet_type type, uint64_t number)
{
    struct outlet_item item = send_next();

    assert_int_equal(item.type, type);
    assert_int_equal(item.number, number);
}

static void assert_nothing(void)
{
    assert_int_equal(send_next().type, OUTLET_NOTHING);
}

/* Makes the room's next snapshot and passes it to the outlet. */
static void snapshot(size_t delta, size_t key)
{
    scene.turn.now += 33 * MS;
    add_snapshot(scene.view, delta, key);
    outlet_view(&scene.outlet, &scene.turn);
}

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

/* ---- parts, people and events ---- */

static void put_part(enum view_part part, uint32_t version)
{
    put_frame(&scene.view->frames[part], sized_frame(50));
    scene.view->versions[part] = version;
}

static void test_parts(void **state)
{
    struct outlet_item item;

    (void)state;
    put_part(VIEW_ROOM, 3);
    put_part(VIEW_PARAMS, 5);
    grant_from(OUTLET_STREAM, 0, true); /* the welcome contained these parts */
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    put_part(VIEW_PARAMS, 6);
    put_part(VIEW_ROOM, 4);
    snapshot(100, 0);
    item = send_next();
    assert_int_equal(item.type, OUTLET_PART);
    assert_int_equal(item.part, VIEW_ROOM);
    assert_int_equal(item.number, 4);
    assert_next(OUTLET_PART, 6);
    assert_next(OUTLET_DELTA, 2);
    assert_nothing();
}

/* A params names no parameters: the client takes them from the last room. */
static void test_params_come_after_their_room(void **state)
{
    (void)state;
    put_part(VIEW_ROOM, 3);
    assert_next(OUTLET_PART, 3);
    put_part(VIEW_ROOM, 4); /* another model: it waits, because the client has had no snapshot */
    put_part(VIEW_PARAMS, 6);
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    assert_next(OUTLET_PART, 4);
    assert_next(OUTLET_PART, 6);
}

static void put_topic(uint32_t version)
{
    scene.view->topic_versions[VIEW_LEADS] = version;
    put_frame(&scene.view->topics[VIEW_LEADS], sized_frame(30));
}

/* A topic follows a snapshot, the newest version alone, and only for subscribers. */
static void test_topics(void **state)
{
    (void)state;
    put_topic(1);
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    assert_nothing();
    outlet_subscribe(&scene.outlet, PROTO_TOPIC_LEADS | 6);
    assert_next(OUTLET_TOPIC, 1);
    assert_nothing();
    put_topic(2);
    put_topic(3);
    assert_nothing(); /* no snapshot since the last one */
    snapshot(100, 0);
    assert_next(OUTLET_DELTA, 2);
    assert_next(OUTLET_TOPIC, 3);
    snapshot(100, 0);
    assert_next(OUTLET_DELTA, 3);
    assert_nothing(); /* it has not changed */
    outlet_subscribe(&scene.outlet, PROTO_TOPIC_LEADS);
    snapshot(100, 0);
    assert_next(OUTLET_DELTA, 4);
    assert_nothing(); /* subscribed as before */
    outlet_subscribe(&scene.outlet, 0);
    outlet_subscribe(&scene.outlet, PROTO_TOPIC_LEADS);
    snapshot(100, 0);
    assert_next(OUTLET_DELTA, 5);
    assert_next(OUTLET_TOPIC, 3);                                /* again */
    for (uint32_t version = 65534; version < 65540; version++) { /* beyond 16 bits */
        put_topic(version);
        snapshot(100, 0);
        assert_int_equal(send_next().type, OUTLET_DELTA);
        assert_int_equal(send_next().type, OUTLET_TOPIC);
        assert_nothing();
    }
}

static void test_a_slow_client_gets_the_newest_topic(void **state)
{
    (void)state;
    outlet_subscribe(&scene.outlet, PROTO_TOPIC_LEADS);
    put_topic(1);
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    assert_next(OUTLET_TOPIC, 1);
    scene.unsent = 1000000;
    for (uint32_t version = 2; version < 20; version++) {
        put_topic(version);
        snapshot(20000, 60000);
        while (send_next().type != OUTLET_NOTHING) {
        }
    }
    assert_true(scene.outlet.topic_versions[VIEW_LEADS] < 19);
    scene.unsent = 0;
    put_topic(20);
    snapshot(20000, 60000);
    struct outlet_item item = send_next();
    while (item.type == OUTLET_KEYFRAME || item.type == OUTLET_DELTA) {
        item = send_next();
    }
    assert_int_equal(item.type, OUTLET_TOPIC);
    assert_int_equal(item.number, 20);
    assert_nothing();
}

/* After another welcome all topics come again. */
static void test_topics_after_a_welcome(void **state)
{
    (void)state;
    outlet_subscribe(&scene.outlet, PROTO_TOPIC_LEADS);
    put_topic(5);
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    assert_next(OUTLET_TOPIC, 5);
    grant_from(OUTLET_STREAM, 1, true);
    assert_nothing();
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 2);
    assert_next(OUTLET_TOPIC, 5);
}

static void put_pick(uint32_t at, uint32_t boid, uint32_t version)
{
    struct view_pick *pick = &scene.view->picks[at];

    scene.view->pick_count = at + 1;
    pick->boid = boid;
    pick->version = version;
    put_frame(&pick->frame, sized_frame(30));
}

static void assert_why(uint32_t version)
{
    snapshot(100, 400);
    while (scene.outlet.settled != scene.outlet.offered) {
        (void)send_next();
    }
    assert_next(OUTLET_TOPIC, version);
    assert_nothing();
}

/* Of the picked boids a client gets its own. */
static void test_the_own_pick(void **state)
{
    (void)state;
    put_pick(0, 4, 1);
    put_pick(1, 9, 2);
    outlet_subscribe(&scene.outlet, PROTO_TOPIC_WHY);
    snapshot(100, 400);
    assert_next(OUTLET_KEYFRAME, 1);
    assert_nothing();
    outlet_pick(&scene.outlet, 9);
    assert_why(2);
    outlet_pick(&scene.outlet, 4);
    assert_why(1);
    put_pick(0, 4, 3);
    put_pick(1, 9, 4);
    assert_why(3);
    outlet_pick(&scene.outlet, 9);
    outlet_pick(&scene.outlet, 4);
    assert_why(3); /* picked again */
    outlet_pick(&scene.outlet, OUTLET_NO_PICK);
    snapshot(100, 400);
    assert_next(OUTLET_DELTA, scene.outlet.offered);
    assert_nothing();
}

/* After another welcome a part that has changed since goes before the first snapshot. */
static void test_a_part_after_another_welcome(void **state)
{
    (void)state;
    put_part(VIEW_ROOM, 3);
    assert_next(OUTLET_PART, 3);
    grant_from(OUTLET_STREAM, 0, true);
    put_part(VIEW_ROOM, 4);
    snapshot(100, 400);
    assert_next(OUTLET_PART, 4);
    assert_next(OUTLET_KEYFRAME, 1);
}

/* Adds the list of people with that sequence, whole and as changes. */
static void put_presence(uint32_t sequence)
{
    scene.view->presence = sequence;
    put_frame(&scene.view->presence_whole, sized_frame(500));
    put_frame(&scene.view->presence_changes[sequence % VIEW_PRESENCES], sized_frame(30));
}

static void test_presence(void **state)
{
    (void)state;
    put_presence(1);
    put_presence(2);
    assert_nothing(); /* not without a snapshot */
    snapshot(100, 400);
    assert_ptr_equal(outlet_next(&scene.outlet, &scene.turn).frame, scene.view->presence_whole);
    assert_next(OUTLET_PRESENCE, 2);
    assert_next(OUTLET_KEYFRAME, 1);
    put_presence(3);
    put_presence(4);
    assert_nothing();
    snapshot(100, 0);
    assert_ptr_equal(outlet_next(&scene.outlet, &scene.turn).frame,
                     scene.view->presence_changes[3 % VIEW_PRESENCES]);
    assert_next(OUTLET_PRESENCE, 3);
    assert_next(OUTLET_DELTA, 2);
    assert_nothing(); /* one with each snapshot */
    snapshot(100, 0);
    assert_next(OUTLET_PRESENCE, 4);
    assert_next(OUTLET_DELTA, 3);
    for (uint32_t sequence = 5; sequence <= 4 + VIEW_PRESENCES + 1; sequence++) {
        put_presence(sequence);
    }
    snapshot(100, 0);
    assert_ptr_equal(outlet_next(&scene.outlet, &scene.turn).frame, scene.view->presence_whole);
    assert_next(OUTLET_PRESENCE, 4 + VIEW_PRESENCES + 1);
    assert_next(OUTLET_DELTA, 4);
}

/* After the first list, a client gets changes: a room of 30 does not send the whole list for
 * each new person. */
static void test_presence_after_the_first_list(void **state)
{
    (void)state;
    put_presence(1);
    snapshot(100, 400);
    assert_next(OUTLET_PRESENCE, 1);
    assert_next(OUTLET_KEYFRAME, 1);
    put_presence(2);
    snapshot(100, 0);
    assert_ptr_equal(outlet_next(&scene.outlet, &scene.turn).frame,
                     scene.view->presence_changes[2 % VIEW_PRESENCES]);
    assert_next(OUTLET_PRESENCE, 2);
}

/* A client without snapshots gets no list of people. */
static void test_presence_waits(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        snapshot(100, i == 0 ? 400 : 0);
        send_next();
    }
    scene.unsent = 10000;
    put_presence(1);
    snapshot(100, 0);
    assert_nothing();
    put_presence(2);
    snapshot(100, 0);
    assert_nothing();
    scene.unsent = 0;
    assert_next(OUTLET_PRESENCE, 2);
    put_presence(3); /* only one list until a snapshot was sent */
    assert_next(OUTLET_DELTA, 9);
    assert_next(OUTLET_PRESENCE, 3);
    assert_next(OUTLET_DELTA, 10);
    assert_nothing();
}

static void put_event(void)
{
    scene.view->events++;
    put_frame(&scene.view->event_frames[scene.view->events % VIEW_EVENTS], sized_frame(40));
}

static void test_events(void **state)
{
    (void)state;
    put_event();
    grant_from(OUTLET_STREAM, 0, true); /* that event is older than the session */
    assert_nothing();
    put_event();
    put_event();
    assert_next(OUTLET_EVENT, 2); /* at once, also without a snapshot */
    assert_next(OUTLET_EVENT, 3);
    assert_nothing();
    for (uint32_t i = 0; i < VIEW_EVENTS + 2; i++) {
        put_event();
    }
    for (uint32_t i = 0; i < VIEW_EVENTS; i++) {
        assert_next(OUTLET_EVENT, 6 + i); /* of the kept events */
    }
    assert_nothing();
}

#define OUTLET_TEST(test) cmocka_unit_test_setup_teardown(test, join, leave)

/* ---- a limited share of the bandwidth ---- */

/* Snapshots wait until the share has bytes. Lists of people are sent at once and charged to the
 * share. A snapshot that needs more than two seconds of the share waits for a stream with fewer
 * boids. */
static void test_a_small_share(void **state)
{
    (void)state;
    share_set(&scene.outlet.line.share, 1000, outlet_ms(scene.turn.now));
    scene.view->presence = 1;
    put_frame(&scene.view->presence_whole, sized_frame(9000));
    snapshot(0, 400);
    assert_next(OUTLET_PRESENCE, 1);
    assert_nothing();
    assert_int_equal(scene.counts.withheld, 1);
    scene.turn.now += 7900 * MS;
    assert_nothing();
    scene.turn.now += 200 * MS;
    assert_next(OUTLET_KEYFRAME, 1);
    scene.turn.now += 2000 * MS;
    snapshot(0, 2001);
    assert_nothing();
    assert_int_equal(scene.counts.withheld, 2);
    snapshot(0, 2000);
    assert_next(OUTLET_KEYFRAME, 3);
    snapshot(0, 100);
    assert_nothing();
    share_set(&scene.outlet.line.share, 0, outlet_ms(scene.turn.now));
    assert_next(OUTLET_KEYFRAME, 4);
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
        OUTLET_TEST(test_same_stream),
        OUTLET_TEST(test_same_stream_often),
        OUTLET_TEST(test_stream_of_its_own),
        OUTLET_TEST(test_end),
        OUTLET_TEST(test_full_socket),
        OUTLET_TEST(test_unanswered),
        OUTLET_TEST(test_beginning),
        OUTLET_TEST(test_blocked),
        OUTLET_TEST(test_pending),
        OUTLET_TEST(test_pending_bounds),
        OUTLET_TEST(test_pending_at_end),
        OUTLET_TEST(test_pong),
        OUTLET_TEST(test_parts),
        OUTLET_TEST(test_params_come_after_their_room),
        OUTLET_TEST(test_topics),
        OUTLET_TEST(test_a_slow_client_gets_the_newest_topic),
        OUTLET_TEST(test_topics_after_a_welcome),
        OUTLET_TEST(test_the_own_pick),

        OUTLET_TEST(test_a_part_after_another_welcome),
        OUTLET_TEST(test_presence),
        OUTLET_TEST(test_presence_after_the_first_list),
        OUTLET_TEST(test_presence_waits),
        OUTLET_TEST(test_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
