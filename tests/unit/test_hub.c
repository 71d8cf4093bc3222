/* The hub between the network's threads and the sim thread: everyone who joins is told so, everyone
 * who leaves is told of once, and nothing is lost or leaked in between, however slow the network's
 * side is and however many shards it has. Here one thread takes what is for any of them. */
#include "hub/clock.h"
#include "hub/hub.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include <cmocka.h>

#include "sim/rng.h"

#define SESSIONS    64
#define SHARDS_MAX  3
#define DEADLINE_MS 20000
#define NS_PER_S    UINT64_C(1000000000)

static struct hub *hub;
static uint32_t shards;
static uv_sem_t woken;
static struct proto_decoder *decoder;

static void wake(void *argument, uint32_t shard)
{
    (void)shard;
    uv_sem_post(argument);
}

static int start_as(const struct room_definition *room, uint32_t sessions, uint32_t shard_count)
{
    struct hub_definition definition = {
        .room = *room,
        .shards = shard_count,
        .sessions_max = sessions,
        .wake = wake,
        .argument = &woken,
    };

    shards = shard_count;
    uv_sem_init(&woken, 0);
    decoder = proto_decoder_create();
    hub = hub_create(&definition);
    return hub != NULL && decoder != NULL ? 0 : -1;
}

static int start(uint32_t sessions, uint32_t people, uint32_t shard_count)
{
    struct room_definition room = room_definition_default();

    room.tick_rate = room.snapshot_rate = 240;
    room.people_max = people;
    return start_as(&room, sessions, shard_count);
}

static int make(void **state)
{
    (void)state;
    return start(SESSIONS, SESSIONS, 1);
}

static int make_small_room(void **state)
{
    (void)state;
    return start(4, 2, 1);
}

static int make_sharded(void **state)
{
    (void)state;
    return start(SESSIONS, SESSIONS, SHARDS_MAX);
}

static int make_large_flock(void **state)
{
    struct room_definition room = room_definition_default();

    (void)state;
    room.tick_rate = room.snapshot_rate = 240;
    room.open_controls = true;
    room.flock.boids = 100000;
    return start_as(&room, 1, 1);
}

static int finish(void **state)
{
    (void)state;
    hub_stop(hub);
    hub_destroy(hub);
    proto_decoder_destroy(decoder);
    uv_sem_destroy(&woken);
    return 0;
}

/* Sleeps until the hub has something, or fails the test after DEADLINE_MS. The semaphore has no
 * timed wait, so the hub's own state, at 240 a second, is what ends each sleep. */
static void wait_for_wake(uint64_t since)
{
    uv_sem_wait(&woken);
    if (uv_hrtime() > since + DEADLINE_MS * UINT64_C(1000000)) {
        fail_msg("the hub did not answer in %d ms", DEADLINE_MS);
    }
}

static struct hub_reply next_reply_to(uint32_t shard)
{
    uint64_t since = uv_hrtime();
    struct hub_reply reply;

    while (!hub_take_reply(hub, shard, &reply)) {
        wait_for_wake(since);
    }
    return reply;
}

static struct hub_reply next_reply(void)
{
    return next_reply_to(0);
}

static struct state *next_state_of(uint32_t shard)
{
    uint64_t since = uv_hrtime();
    struct state *taken = hub_take_state(hub, shard);

    while (taken == NULL) {
        wait_for_wake(since);
        taken = hub_take_state(hub, shard);
    }
    return taken;
}

static struct state *next_state(void)
{
    return next_state_of(0);
}

static uint64_t session_of(uint32_t generation, uint32_t index)
{
    return (uint64_t)generation << 32 | (index + 1);
}

static struct proto_hello hello_of(const char *name, uint32_t rate)
{
    struct proto_hello hello = {.version = 1, .encoding_count = 1, .rate = rate};

    snprintf(hello.room, sizeof hello.room, ROOM_LOBBY);
    snprintf(hello.name, sizeof hello.name, "%s", name);
    snprintf(hello.encodings[0], sizeof hello.encodings[0], "plain");
    return hello;
}

static void join(uint64_t session, const char *name)
{
    struct proto_hello hello = hello_of(name, 0);

    assert_true(hub_join(hub, session, &hello));
}

static bool send_cursor(uint64_t session, float x, float y)
{
    return hub_send(
        hub, session,
        &(struct proto_client_message){.type = PROTO_CURSOR, .cursor = {.x = x, .y = y}});
}

static bool send_away(uint64_t session)
{
    return hub_send(hub, session, &(struct proto_client_message){.type = PROTO_AWAY});
}

static bool send_name(uint64_t session, const struct proto_name *name)
{
    return hub_send(hub, session,
                    &(struct proto_client_message){.type = PROTO_NAME, .name = *name});
}

/* Decodes a frame of the hub's. */
static const struct proto_server_message *decode(struct frame *frame)
{
    static struct proto_server_message message;
    struct proto_error error;

    assert_non_null(frame);
    assert_int_equal(proto_decode_server(decoder, frame_data(frame), frame->size, &message, &error),
                     PROTO_OK);
    return &message;
}

/* The snapshot of the first stream, which someone is in. */
static const struct proto_snapshot *shown(const struct state *state)
{
    const struct proto_server_message *message;

    assert_true(state->stream_count > 0);
    message = decode(state->streams[0].key);
    assert_int_equal(message->type, PROTO_SNAPSHOT);
    return &message->snapshot;
}

static uint64_t shown_time(const struct state *state)
{
    return shown(state)->time;
}

/* The first state with a snapshot, or whichever follows. */
static struct state *first_shown(void)
{
    struct state *taken = next_state();

    while (taken->stream_count == 0 || taken->streams[0].key == NULL) {
        state_destroy(taken);
        taken = next_state();
    }
    return taken;
}

static struct proto_welcome next_welcome(uint64_t session)
{
    struct hub_reply reply = next_reply();
    struct proto_welcome welcome;

    assert_int_equal(reply.type, HUB_WELCOME);
    assert_int_equal(reply.session, session);
    welcome = decode(reply.frame)->welcome;
    frame_release(reply.frame);
    return welcome;
}

/* The presence of the newest state, once it has that many people. */
static struct proto_presence presence_of(uint32_t count)
{
    uint64_t since = uv_hrtime();

    for (;;) {
        struct state *taken = next_state();
        struct proto_presence presence = {.count = UINT32_MAX};
        if (taken->frames[STATE_PRESENCE] != NULL) {
            presence = decode(taken->frames[STATE_PRESENCE])->presence;
        }
        state_destroy(taken);
        if (presence.count == count) {
            return presence;
        }
        wait_for_wake(since);
    }
}

/* ---- one at a time */

static void test_join_and_leave(void **state)
{
    struct proto_welcome welcome;
    struct hub_reply reply;

    (void)state;
    join(session_of(1, 3), "Ada");
    welcome = next_welcome(session_of(1, 3));
    assert_string_equal(welcome.name, "Ada");
    assert_string_equal(welcome.room.name, ROOM_LOBBY);
    assert_int_equal(presence_of(1).people[0].id, welcome.id);
    hub_leave(hub, session_of(1, 3));
    reply = next_reply();
    assert_int_equal(reply.type, HUB_GONE);
    assert_int_equal(reply.session, session_of(1, 3));
    assert_null(reply.frame);
    presence_of(0);
    assert_false(hub_take_reply(hub, 0, &reply));
}

static void test_granted_rate(void **state)
{
    static const struct {
        uint32_t wanted;
        float rate;
    } rates[] = {{0, 240}, {240, 240}, {239, 120}, {120, 120}, {100, 80}, {10, 10}, {1, 0.9375F}};

    (void)state;
    for (uint32_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct proto_hello hello = hello_of("", rates[i].wanted);
        struct hub_reply reply;
        assert_true(hub_join(hub, session_of(1, i), &hello));
        reply = next_reply();
        assert_int_equal(reply.type, HUB_WELCOME);
        assert_true(decode(reply.frame)->welcome.rate == rates[i].rate);
        frame_release(reply.frame);
    }
}

static void test_the_cursor_reaches_the_flock(void **state)
{
    uint64_t since = uv_hrtime();
    float x = 0;

    (void)state;
    join(session_of(1, 0), "Ada");
    next_welcome(session_of(1, 0));
    send_cursor(session_of(1, 0), 300, 200);
    while (x != 300.0F) {
        struct state *taken = first_shown();
        x = shown(taken)->target_x;
        state_destroy(taken);
        wait_for_wake(since);
    }
    send_away(session_of(1, 0));
    while (x == 300.0F) { /* it wanders again */
        struct state *taken = next_state();
        x = shown(taken)->target_x;
        state_destroy(taken);
        wait_for_wake(since);
    }
}

static void test_a_cursor_out_of_range_is_refused(void **state)
{
    struct hub_reply reply;
    struct proto_error error;

    (void)state;
    join(session_of(1, 0), "Ada");
    next_welcome(session_of(1, 0));
    send_cursor(session_of(1, 0), 1, 1e6F);
    reply = next_reply();
    assert_int_equal(reply.type, HUB_ERROR);
    assert_int_equal(reply.session, session_of(1, 0));
    error = decode(reply.frame)->error;
    frame_release(reply.frame);
    assert_string_equal(error.code, "range");
    assert_string_equal(error.field, "y");
    assert_false(error.fatal);
}

static void test_renaming(void **state)
{
    struct proto_name name = {"Zoë"};
    uint64_t since = uv_hrtime();

    (void)state;
    join(session_of(1, 0), "Ada");
    next_welcome(session_of(1, 0));
    assert_true(send_name(session_of(1, 0), &name));
    while (strcmp(presence_of(1).people[0].name, "Zoë") != 0) {
        wait_for_wake(since);
    }
}

static void test_a_token_moves_the_person(void **state)
{
    struct proto_hello hello = hello_of("Ada", 0);
    struct proto_welcome first;
    struct hub_reply reply;

    (void)state;
    join(session_of(1, 0), "Ada");
    first = next_welcome(session_of(1, 0));
    hello.has_token = true;
    memcpy(hello.token, first.token, sizeof hello.token);
    assert_true(hub_join(hub, session_of(2, 1), &hello));
    reply = next_reply();
    assert_int_equal(reply.type, HUB_CLOSE);
    assert_int_equal(reply.session, session_of(1, 0));
    assert_int_equal(reply.code, PROTO_CLOSE_REPLACED);
    frame_release(reply.frame);
    assert_int_equal(next_welcome(session_of(2, 1)).id, first.id);
    /* What the old session still says, and its end, change nothing for the person. */
    send_cursor(session_of(1, 0), 1e9F, 0);
    assert_true(send_name(session_of(1, 0), &(struct proto_name){"ghost"}));
    hub_leave(hub, session_of(1, 0));
    reply = next_reply();
    assert_int_equal(reply.type, HUB_GONE);
    assert_int_equal(reply.session, session_of(1, 0));
    assert_string_equal(presence_of(1).people[0].name, "Ada");
}

static void test_a_full_room(void **state)
{
    struct hub_reply reply;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        join(session_of(1, i), "");
        next_welcome(session_of(1, i));
    }
    join(session_of(1, 2), "");
    reply = next_reply();
    assert_int_equal(reply.type, HUB_CLOSE);
    assert_int_equal(reply.session, session_of(1, 2));
    assert_int_equal(reply.code, PROTO_CLOSE_FULL);
    assert_string_equal(decode(reply.frame)->error.code, "full");
    frame_release(reply.frame);
    /* It has its GONE as well, and makes no place. */
    hub_leave(hub, session_of(1, 2));
    reply = next_reply();
    assert_int_equal(reply.type, HUB_GONE);
    hub_leave(hub, session_of(1, 0));
    assert_int_equal(next_reply().type, HUB_GONE);
    join(session_of(2, 2), "");
    next_welcome(session_of(2, 2));
}

/* ---- state */

/* Lets someone in who gets all snapshots. Returns the first state with one. */
static struct state *watch(void)
{
    join(session_of(1, 0), "Ada");
    next_welcome(session_of(1, 0));
    return first_shown();
}

static void test_state_is_the_newest(void **state)
{
    struct state *one = watch();
    uint64_t since = uv_hrtime();
    struct state *other;

    (void)state;
    /* Others are made while nobody looks; then there is one, and it is not the next one. */
    while (hub_ticks(hub) < shown(one)->tick + 5) {
        wait_for_wake(since);
    }
    other = next_state();
    assert_true(other->streams[0].sequence >= one->streams[0].sequence + 4);
    assert_true(shown_time(other) > shown_time(one));
    assert_true(hub_healthy(hub));
    state_destroy(one);
    state_destroy(other);
}

/* Ticks keep their absolute times: that of tick n is n periods. */
static void test_ticks_do_not_drift(void **state)
{
    uint64_t last = 0;

    (void)state;
    state_destroy(watch());
    for (int i = 0; i < 20; i++) {
        struct state *taken = next_state();
        uint64_t n = (shown_time(taken) * 240 + 500000) / 1000000;
        assert_int_equal(shown_time(taken), n * 1000000 / 240);
        assert_true(i == 0 || shown_time(taken) > last);
        last = shown_time(taken);
        state_destroy(taken);
    }
}

/* Nor after centuries, at any rate. */
static void test_tick_times_are_exact(void **state)
{
    const uint64_t century = UINT64_C(3155760000) * CLOCK_NS_PER_S;

    (void)state;
    for (uint64_t rate = 1; rate <= 240; rate++) {
        const uint64_t tick = 5 * century / CLOCK_NS_PER_S * rate;
        assert_int_equal(clock_tick_time(0, rate), 0);
        assert_int_equal(clock_tick_time(tick, rate), 5 * century);
        assert_int_equal(clock_tick_time(tick + 1, rate), 5 * century + CLOCK_NS_PER_S / rate);
        assert_int_equal(clock_ticks_by(5 * century, rate), tick);
        assert_int_equal(clock_ticks_by(5 * century - 1, rate), tick - 1);
        for (uint64_t i = 0; i < 1000; i++) { /* a tick is due at its time, give or take 1 ns */
            assert_int_equal(clock_ticks_by(clock_tick_time(i, rate) + 1, rate), i);
        }
    }
}

/* However long what is asked for takes, everyone sees the flock meanwhile. */
static void test_hard_work_does_not_stop_the_clock(void **state)
{
    const uint32_t resets = 200;
    const struct proto_client_message pause = {.type = PROTO_SET,
                                               .set = {.name = "run", .value = "paused"}};
    struct state *taken;
    uint32_t first;
    uint32_t epoch;

    (void)state;
    join(session_of(1, 0), "Ada");
    next_welcome(session_of(1, 0));
    assert_true(hub_send(hub, session_of(1, 0), &pause));
    taken = first_shown();
    first = taken->streams[0].sequence;
    epoch = shown(taken)->epoch;
    for (uint32_t i = 0; i < resets; i++) {
        assert_true(
            hub_send(hub, session_of(1, 0), &(struct proto_client_message){.type = PROTO_RESET}));
    }
    while (shown(taken)->epoch < epoch + (resets << 5)) {
        state_destroy(taken);
        taken = next_state();
    }
    assert_true(taken->streams[0].sequence - first >= 10);
    state_destroy(taken);
}

/* ---- shards */

static void test_each_shard_has_its_own_replies(void **state)
{
    struct hub_reply reply;

    (void)state;
    for (uint32_t shard = SHARDS_MAX; shard-- > 0;) {
        uint64_t session = session_of(1, shard * SESSIONS + SESSIONS - 1);
        join(session, "");
        reply = next_reply_to(shard);
        assert_int_equal(reply.type, HUB_WELCOME);
        assert_int_equal(reply.session, session);
        frame_release(reply.frame);
    }
    presence_of(SHARDS_MAX);
    for (uint32_t shard = 0; shard < SHARDS_MAX; shard++) {
        assert_false(hub_take_reply(hub, shard, &reply));
    }
}

static void test_each_shard_has_every_state(void **state)
{
    struct state *slow;
    uint32_t version;

    (void)state;
    state_destroy(watch());
    slow = next_state_of(2);
    version = slow->streams[0].sequence;
    state_destroy(slow);
    for (uint32_t i = 0; i < 10; i++) { /* two take each one, or the newest */
        struct state *one = next_state_of(0);
        struct state *other = next_state_of(1);
        assert_true(one->streams[0].sequence >= version + i);
        assert_true(other->streams[0].sequence >= version + i);
        state_destroy(one);
        state_destroy(other);
    }
    /* The third has the newest as well, after none in between; it is the last to be given one. */
    slow = next_state_of(2);
    assert_true(slow->streams[0].sequence >= version + 8);
    state_destroy(slow);
}

/* ---- thousands */

enum { JOINS = 5000 };

static struct model {
    uint32_t generation;
    bool joined, left;
    unsigned welcomes, ends, closes;
} model[SESSIONS * SHARDS_MAX];
static unsigned welcomes, gone;

static void take_replies_of(uint32_t shard, unsigned most)
{
    struct hub_reply reply;

    while (most-- > 0 && hub_take_reply(hub, shard, &reply)) {
        struct model *one = &model[(uint32_t)reply.session - 1];
        assert_int_equal(((uint32_t)reply.session - 1) / SESSIONS, shard);
        assert_int_equal(reply.session >> 32, one->generation);
        frame_release(reply.frame);
        switch (reply.type) {
        case HUB_WELCOME:
            assert_int_equal(one->ends, 0);
            assert_int_equal(one->welcomes++, 0);
            welcomes++;
            break;
        case HUB_GONE:
            assert_true(one->left);
            assert_int_equal(one->ends++, 0);
            assert_int_equal(one->welcomes, 1);
            gone++;
            *one = (struct model){.generation = one->generation + 1};
            break;
        case HUB_STREAM:
        case HUB_ERROR:
        case HUB_TELL:
        case HUB_CLOSE:
            break;
        }
    }
}

static void take_replies(unsigned most)
{
    for (uint32_t shard = 0; shard < shards; shard++) {
        take_replies_of(shard, most);
    }
}

/* Random joins, leaves, names and cursors (some refused), while replies are taken in bursts or not
 * for a long time: each join has one welcome, and each leave has one end, in that order. Of all
 * the shards' indices as many are in use at a time as there may be sessions. */
static void test_conservation(void **state)
{
    struct rng rng = rng_of_boid(20240607, 1);
    uint64_t since = uv_hrtime();
    unsigned joins = 0;
    unsigned leaves = 0;

    (void)state;
    memset(model, 0, sizeof model);
    welcomes = gone = 0;
    for (unsigned round = 0; joins < JOINS; round++) {
        uint32_t index = (uint32_t)(rng_next(&rng) % (SESSIONS * shards));
        struct model *one = &model[index];
        uint64_t session = session_of(one->generation, index);
        if (!one->joined) {
            if (joins - gone < SESSIONS) {
                join(session, "");
                one->joined = true;
                joins++;
            }
        } else if (!one->left && rng_next(&rng) % 3 == 0) {
            hub_leave(hub, session);
            one->left = true;
            leaves++;
        } else if (!one->left) {
            send_cursor(session, round % 5 == 0 ? 1e6F : 5, 0);
            send_name(session, &(struct proto_name){"name"});
        }
        if (one->left && rng_next(&rng) % 16 == 0) {
            wait_for_wake(since);
            take_replies(round % 3 == 0 ? 5 : UINT32_MAX);
        }
    }
    for (uint32_t index = 0; index < SESSIONS * shards; index++) {
        if (model[index].joined && !model[index].left) {
            hub_leave(hub, session_of(model[index].generation, index));
            model[index].left = true;
            leaves++;
        }
    }
    while (gone < leaves) {
        take_replies(UINT32_MAX);
        wait_for_wake(since);
    }
    take_replies(UINT32_MAX);
    assert_int_equal(welcomes, joins);
    assert_int_equal(gone, leaves);
    assert_int_equal(joins, leaves);
}

/* The sim thread ends with whatever is still in the queues; the sanitizers see that it is freed. */
static void test_stop_with_work_left(void **state)
{
    (void)state;
    for (uint32_t index = 0; index < SESSIONS; index++) {
        join(session_of(1, index), "");
        send_name(session_of(1, index), &(struct proto_name){"name"});
        send_cursor(session_of(1, index), 1e6F, 0);
    }
    hub_stop(hub);
    for (uint32_t index = 0; index < SESSIONS; index++) {
        hub_leave(hub, session_of(1, index)); /* as when connections end at the very end */
    }
    hub_destroy(hub);
    hub = NULL;
}

int main(void)
{
#define TEST(name)    cmocka_unit_test_setup_teardown(name, make, finish)
#define SHARDED(name) cmocka_unit_test_setup_teardown(name, make_sharded, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_join_and_leave),
        TEST(test_granted_rate),
        TEST(test_the_cursor_reaches_the_flock),
        TEST(test_a_cursor_out_of_range_is_refused),
        TEST(test_renaming),
        TEST(test_a_token_moves_the_person),
        cmocka_unit_test_setup_teardown(test_a_full_room, make_small_room, finish),
        cmocka_unit_test_setup_teardown(test_hard_work_does_not_stop_the_clock, make_large_flock,
                                        finish),
        TEST(test_state_is_the_newest),
        TEST(test_ticks_do_not_drift),
        TEST(test_tick_times_are_exact),
        SHARDED(test_each_shard_has_its_own_replies),
        SHARDED(test_each_shard_has_every_state),
        TEST(test_conservation),
        SHARDED(test_conservation),
        TEST(test_stop_with_work_left),
    };
    return cmocka_run_group_tests_name("hub", tests, NULL, NULL);
}
