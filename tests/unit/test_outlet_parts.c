/* The outlet: parts of the room, topics, people and events, beside the snapshots. */
#include "outlet_session.h"

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

/* The room's world or boundary has changed. */
static void put_scale(uint32_t version)
{
    put_part(VIEW_ROOM, version);
    scene.view->scale_since = version;
}

/* The client reads positions by the room that it has. */
static void test_no_snapshot_goes_before_its_room(void **state)
{
    (void)state;
    put_scale(3);
    assert_next(OUTLET_PART, 3);
    put_scale(4); /* changed again, before a snapshot was due */
    put_part(VIEW_PARAMS, 6);
    snapshot(100, 400);
    assert_next(OUTLET_PART, 4);
    assert_next(OUTLET_PART, 6);
    assert_next(OUTLET_KEYFRAME, 1);
    assert_nothing();
    put_scale(5);
    assert_next(OUTLET_PART, 5);
    put_scale(6);
    put_part(VIEW_ROOM, 7); /* its title */
    snapshot(100, 0);
    snapshot(100, 0); /* the turn came late */
    assert_next(OUTLET_PART, 7);
    assert_next(OUTLET_DELTA, 2);
    assert_next(OUTLET_DELTA, 3);
    assert_nothing();
}

static void test_a_snapshot_waits_with_its_room(void **state)
{
    struct outlet_item item;

    (void)state;
    put_scale(1);
    assert_next(OUTLET_PART, 1);
    put_scale(2);
    snapshot(100, 400);
    scene.outlet.line.written += 100000; /* unread */
    item = outlet_next(&scene.outlet, &scene.turn);
    assert_int_equal(item.type, OUTLET_PING);
    outlet_sent(&scene.outlet, &scene.turn, &item, 0);
    assert_nothing();
    outlet_pong(&scene.outlet, (uint32_t)item.number, scene.turn.now, 0);
    assert_next(OUTLET_PART, 2);
    assert_next(OUTLET_KEYFRAME, 1);
    assert_nothing();
}

/* A client that missed a delta asks for a keyframe, also before it has the newest room. */
static void test_a_lost_client_with_an_older_room(void **state)
{
    (void)state;
    put_scale(1);
    assert_next(OUTLET_PART, 1);
    put_scale(2);
    snapshot(100, 0);
    assert_next(OUTLET_WANT_KEY, 1);
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

/* Queues a message of the room for the member, and sends it. */
static void say(size_t size, const uint8_t *message)
{
    assert_true(outlet_push(&scene.outlet, frame_of(message, size)));
    assert_int_equal(send_next().type, OUTLET_PENDING);
}

static void say_done(enum proto_type type)
{
    const struct proto_done done = {.type = type, .has_tag = true, .tag = 1000};
    uint8_t message[PROTO_MESSAGE_MAX];

    say(proto_encode_done(message, sizeof message, &done), message);
}

static void say_pick_ended(void)
{
    const struct proto_why none = {.has_boid = false};
    uint8_t message[PROTO_MESSAGE_MAX];

    say(proto_encode_why(message, sizeof message, &none), message);
}

static void say_pick_refused(void)
{
    const struct proto_error error = {.code = PROTO_E_FULL, .type = PROTO_PICK};
    uint8_t message[PROTO_MESSAGE_MAX];

    say(proto_encode_error(message, sizeof message, &error), message);
}

static void pick(uint32_t boid)
{
    outlet_pick(&scene.outlet, boid);
    say_done(PROTO_PICK);
}

static void assert_no_why(void)
{
    snapshot(100, 400);
    while (scene.outlet.settled != scene.outlet.offered) {
        (void)send_next();
    }
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
    pick(9);
    assert_why(2);
    pick(4);
    assert_why(1);
    put_pick(0, 4, 3);
    put_pick(1, 9, 4);
    assert_why(3);
    pick(9);
    pick(4);
    assert_why(3); /* picked again */
    outlet_pick(&scene.outlet, OUTLET_NO_PICK);
    assert_no_why();
    say_done(PROTO_UNPICK);
    assert_no_why();
}

/* The room decides who has a pick. Other members may look at the same boid, so the view has
 * explanations of it at any time. */
static void test_a_pick_counts_when_the_room_has_done_it(void **state)
{
    (void)state;
    put_pick(0, 4, 1);
    put_pick(1, 9, 2);
    outlet_subscribe(&scene.outlet, PROTO_TOPIC_WHY);
    outlet_pick(&scene.outlet, 9);
    assert_no_why();
    say_done(PROTO_SET);
    assert_no_why();
    say_done(PROTO_PICK);
    assert_why(2);
    outlet_pick(&scene.outlet, 4);
    say_pick_refused();
    assert_no_why();
    pick(9);
    assert_why(2);
    grant_from(OUTLET_STREAM, scene.view->streams[0].sequence, true); /* another welcome */
    assert_no_why();
}

static void test_a_pick_that_gave_way(void **state)
{
    (void)state;
    put_pick(0, 4, 1);
    put_pick(1, 9, 2);
    outlet_subscribe(&scene.outlet, PROTO_TOPIC_WHY);
    pick(9);
    assert_why(2);
    say_pick_ended();
    put_pick(1, 9, 3);
    assert_no_why();
    pick(9);
    assert_why(3);
    outlet_pick(&scene.outlet, 4); /* while the end of the earlier pick is on its way */
    say_pick_ended();
    assert_no_why();
    say_done(PROTO_PICK);
    assert_why(1);
    outlet_pick(&scene.outlet, 4); /* the same boid again */
    say_pick_ended();
    say_done(PROTO_PICK);
    assert_why(1);
    outlet_pick(&scene.outlet, 9);
    outlet_pick(&scene.outlet, 4);
    say_done(PROTO_PICK); /* of the boid 9 */
    say_pick_ended();     /* the second pick is on its way */
    say_done(PROTO_PICK);
    assert_why(1);
    say_pick_ended();
    assert_no_why();
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

/* A client that has missed as many changes as a view has gets changes, and not the whole list. */
static void test_presence_of_a_late_client(void **state)
{
    (void)state;
    put_presence(1);
    snapshot(100, 400);
    assert_next(OUTLET_PRESENCE, 1);
    assert_next(OUTLET_KEYFRAME, 1);
    for (uint32_t sequence = 2; sequence <= 1 + VIEW_PRESENCES; sequence++) {
        put_presence(sequence);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        OUTLET_TEST(test_parts),
        OUTLET_TEST(test_params_come_after_their_room),
        OUTLET_TEST(test_no_snapshot_goes_before_its_room),
        OUTLET_TEST(test_a_snapshot_waits_with_its_room),
        OUTLET_TEST(test_a_lost_client_with_an_older_room),
        OUTLET_TEST(test_topics),
        OUTLET_TEST(test_a_slow_client_gets_the_newest_topic),
        OUTLET_TEST(test_topics_after_a_welcome),
        OUTLET_TEST(test_the_own_pick),
        OUTLET_TEST(test_a_pick_counts_when_the_room_has_done_it),
        OUTLET_TEST(test_a_pick_that_gave_way),
        OUTLET_TEST(test_a_part_after_another_welcome),
        OUTLET_TEST(test_presence),
        OUTLET_TEST(test_presence_after_the_first_list),
        OUTLET_TEST(test_presence_of_a_late_client),
        OUTLET_TEST(test_presence_waits),
        OUTLET_TEST(test_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
