/* The streams that the room grants for wants, slow connections and flocks of different sizes, and
 * the keyframes that follow. */
#include "room/grants.h"
#include "room/state.h"

#include "control_room.h"

static struct room_definition definition_of(uint32_t boids)
{
    struct room_definition definition = definition_with_key();

    definition.flock.boids = boids;
    definition.open_controls = true;
    return definition;
}

/* Asserts the grant in the answer to a want, and that the snapshots match it. */
static void assert_granted(const struct client *client, float rate, uint32_t boids, uint32_t stride,
                           bool slow)
{
    assert_true(client->granted.rate == rate);
    assert_int_equal(client->granted.boids, boids);
    assert_int_equal(client->granted.stride, stride);
    assert_int_equal(client->granted.slow, slow);
}

/* Asserts the number of snapshots in eight seconds, and their number of boids. */
static void assert_comes(struct client *client, uint32_t expected, uint32_t boids)
{
    uint32_t snapshots = client->snapshots;

    run(240);
    assert_int_equal(client->boid_count, boids);
    assert_int_equal(client->snapshots - snapshots, expected);
}

static void test_a_hello_wants(void **state)
{
    const struct room_definition definition = definition_of(300);
    struct client *some;

    (void)state;
    make_two_as(&definition);
    some = join_with("packed", 15, 100);
    assert_granted(some, 15, 100, 3, false);
    assert_comes(some, 120, 100);
    some = join_with("plain", 7, 0);
    assert_granted(some, 5, 0, 1, false);
    assert_comes(some, 40, 300);
}

static void test_a_want_is_granted_and_answered(void **state)
{
    static const char *const encodings[] = {"plain", "packed"};
    const struct room_definition definition = definition_of(300);

    (void)state;
    make_two_as(&definition);
    for (size_t i = 0; i < 2; i++) {
        struct client *client = join_with(encodings[i], 0, 0);
        assert_comes(client, 240, 300);
        assert_true(try_want(client, 10, 50));
        assert_int_equal(next_heard(client)->type, PROTO_STREAM); /* before it is done */
        assert_granted(client, 10, 50, 6, false);
        assert_comes(client, 80, 50);
        assert_true(try_want(client, 0, 0));
        assert_granted(client, 30, 0, 1, false);
        assert_comes(client, 240, 300);
        assert_true(try_want(client, 240, PROTO_BOIDS_MAX));
        assert_granted(client, 30, PROTO_BOIDS_MAX, 1, false);
        assert_comes(client, 240, 300);
    }
}

/* A client that lost a delta repeats its want and gets a keyframe. */
static void test_the_same_want_brings_a_keyframe(void **state)
{
    struct client *client = join_with("packed", 0, 0);
    uint32_t keys;

    (void)state;
    run(10);
    keys = client->keys;
    run(1000);
    assert_int_equal(client->keys, keys); /* otherwise no keyframe comes */
    assert_true(try_want(client, 0, 0));
    run(2);
    assert_int_equal(client->keys, keys + 1);
}

/* A client that asks for 100 boids gets the largest part of the flock with at most 100, and a
 * message when the stride changes. */
static void test_strides_follow_the_flock(void **state)
{
    const struct room_definition definition = definition_of(100);
    struct client *some;
    struct client *all;
    uint32_t epoch;

    (void)state;
    make_two_as(&definition);
    some = join_with("packed", 0, 100);
    all = join_with("packed", 0, 0);
    assert_granted(some, 30, 100, 1, false);
    run(2);
    epoch = some->snapshot.epoch;
    forget_heard(some);
    forget_heard(all);
    assert_true(try_add(ada, 100, 100, 1));
    assert_granted(some, 30, 100, 2, false);
    assert_int_equal(next_heard(some)->type, PROTO_STREAM);
    assert_null(next_heard(some));
    run(2);
    assert_int_equal(some->boid_count, 51);
    assert_int_not_equal(some->snapshot.epoch, epoch);
    assert_int_equal(all->snapshot.epoch, epoch);
    assert_true(try_add(ada, 100, 100, 99)); /* still every second one */
    assert_null(next_heard(some));
    assert_true(try_add(ada, 100, 100, 1));
    assert_granted(some, 30, 100, 3, false);
    set("preset", "murmuration");
    assert_granted(some, 30, 100, 48, false);
    run(2);
    assert_int_equal(some->boid_count, 84);
    assert_true(try_remove(ada, 3850));
    assert_granted(some, 30, 100, 2, false);
    assert_true(try_type(ada, PROTO_RESET)); /* the preset's boids */
    assert_granted(some, 30, 100, 48, false);
    set("preset", "original");
    assert_granted(some, 30, 100, 1, false);
    assert_null(next_heard(all));
    run(2);
    assert_int_equal(some->boid_count, 12);
    assert_int_equal(all->boid_count, 12);
}

/* A member that changes the boids gets its stream before its answer. */
static void test_the_sender_is_regranted_before_it_is_answered(void **state)
{
    const struct room_definition definition = definition_of(100);
    struct client *presenter;

    (void)state;
    make_two_as(&definition);
    presenter = join_with("packed", 0, 100);
    assert_true(try_add(presenter, 100, 100, 1)); /* say() checks that done comes last */
    assert_int_equal(next_heard(presenter)->type, PROTO_STREAM);
}

/* An overloaded server halves the rate. It does not call the client's line slow. */
static void test_an_overload(void **state)
{
    const struct room_definition definition = definition_of(300);
    struct client *client;
    struct client *other;

    (void)state;
    make_two_as(&definition);
    client = join_with("packed", 0, 0);
    other = join_with("plain", 7, 0);
    run(10);
    room_ease(room, client->member, &(struct room_ease){.overload = 1});
    room_ease(room, other->member, &(struct room_ease){.overload = 1});
    assert_granted(client, 15, 0, 1, false);
    assert_comes(client, 120, 300);
    assert_granted(other, 5, 0, 1, false); /* which is less already */
    room_ease(room, client->member, &(struct room_ease){.line = 1, .overload = 1});
    assert_granted(client, 7.5F, 0, 1, true);
    assert_true(try_want(client, 20, 0));
    assert_granted(client, 7.5F, 0, 1, true);
    room_ease(room, client->member, &(struct room_ease){.overload = 1000});
    assert_granted(client, 3.75F, 0, 1, false);
    room_ease(room, client->member, &(struct room_ease){0});
    assert_granted(client, 15, 0, 1, false);
    assert_true(try_want(client, 0, 0));
    assert_granted(client, 30, 0, 1, false);
}

static void test_a_slow_line(void **state)
{
    const struct room_definition definition = definition_of(300);
    struct client *slow;
    struct client *other;

    (void)state;
    make_two_as(&definition);
    slow = join_with("packed", 0, 0);
    other = join_with("packed", 0, 0);
    run(10);
    forget_heard(slow);
    forget_heard(other);
    room_ease(room, slow->member, &(struct room_ease){.line = 1});
    assert_int_equal(next_heard(slow)->type, PROTO_STREAM);
    assert_granted(slow, 15, 0, 1, true);
    assert_comes(slow, 120, 300);
    room_ease(room, slow->member, &(struct room_ease){.line = 5});
    assert_granted(slow, 3.75F, 75, 4, true);
    assert_comes(slow, 30, 75);
    forget_heard(slow);
    room_ease(room, slow->member, &(struct room_ease){.line = 5});
    assert_null(next_heard(slow)); /* unchanged */
    /* The flock grows: still eased. */
    set("preset", "sardines");
    assert_granted(slow, 3.75F, 375, 4, true);
    /* The wanted number is halved, not the current one. */
    assert_true(try_want(slow, 10, 750));
    assert_granted(slow, 5, 47, 32, true);
    room_ease(room, slow->member, &(struct room_ease){.line = 0});
    assert_granted(slow, 10, 750, 2, false);
    room_ease(room, slow->member, &(struct room_ease){.line = 1000});
    assert_true(slow->granted.slow && slow->granted.rate >= 0.9F);
    assert_null(next_heard(other));
    assert_granted(other, 30, 0, 1, false);
}

/* A stream exists as long as it has members. */
static void test_streams_come_and_go(void **state)
{
    struct client *some[3];

    (void)state;
    assert_int_equal(room->streams.count, 1); /* of Ada and Bob */
    some[0] = join_with("packed", 0, 0);
    some[1] = join_with("packed", 0, 0);
    some[2] = join_with("packed", 10, 0);
    assert_int_equal(room->streams.count, 3);
    assert_true(try_want(some[0], 10, 0));
    assert_int_equal(room->streams.count, 3);
    assert_true(try_want(some[1], 10, 0));
    assert_int_equal(room->streams.count, 2);
    for (int i = 0; i < 3; i++) {
        leave(some[i]);
    }
    assert_int_equal(room->streams.count, 1);
    leave(ada);
    leave(bob);
    assert_int_equal(room->streams.count, 0);
    publish();
}

/* A client that alternates between two streams gets a few keyframes, and then one per second. Other
 * clients of the streams are not affected. There are 30 ticks per second. */
static void test_another_stream_now_and_then(void **state)
{
    const struct room_definition definition = definition_of(300);
    struct client *steady;
    struct client *fickle;
    uint32_t changes = 0;
    uint64_t keys;

    (void)state;
    make_two_as(&definition);
    steady = join_with("packed", 0, 100);
    fickle = join_with("packed", 0, 0);
    run(30);
    keys = room->streams.keys;
    for (uint32_t tick = 0; tick < 300; tick++) {
        const uint32_t stream = fickle->grant.stream;
        try_want(fickle, 0, fickle->granted.stride == 3 ? 150 : 100);
        forget_heard(fickle);
        run(1);
        changes += fickle->grant.stream != stream;
    }
    assert_in_range(changes, GRANTS_WANTS, GRANTS_WANTS + 10);
    assert_in_range(room->streams.keys - keys - 300, 1, 2 * changes); /* Ada's are plain */
    assert_int_equal(steady->snapshots, 330);
    assert_int_equal(fickle->snapshots, 330);
    /* The newest want counts. A want of the present stream costs nothing. */
    try_want(fickle, 0, 75);
    run(60);
    assert_granted(fickle, 30, 75, 4, false);
    assert_comes(fickle, 240, 75);
    for (uint32_t i = 0; i < 20; i++) {
        assert_true(try_want(steady, 0, 100));
        forget_heard(steady);
    }
    run(60);
    assert_true(try_want(fickle, 10, 0));
    assert_granted(fickle, 10, 0, 1, false);
}

/* With any sequence of wants, each member gets snapshots that its decoder accepts. */
static void test_random_wants(void **state)
{
    const struct room_definition definition = definition_of(500);
    uint64_t random = 1;

    (void)state;
    make_two_as(&definition);
    for (uint32_t i = 0; i < 12; i++) {
        join_with(i % 3 == 0 ? "plain" : "packed", 0, 0);
    }
    for (uint32_t round = 0; round < 5000; round++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        struct client *client = &clients[2 + (random >> 33) % 12];
        const uint32_t value = (uint32_t)(random >> 40);
        switch ((random >> 37) % 8) {
        case 0:
            assert_true(try_want(client, value % 40, value % 700));
            break;
        case 1:
            room_ease(room, client->member, &(struct room_ease){.line = value % 9});
            break;
        case 2:
            assert_true(try_add(ada, 100, 100, 1 + value % 30));
            break;
        case 3:
            assert_true(try_remove(ada, 1 + value % 40));
            break;
        case 4:
            room_want_key(room, client->grant.stream);
            break;
        default:
            break;
        }
        for (uint32_t i = 0; i < client_count; i++) {
            forget_heard(&clients[i]);
        }
        run(1);
    }
    const uint32_t flock = room_facts(room).boids;
    run(100);
    for (uint32_t i = 0; i < client_count; i++) {
        const struct client *client = &clients[i];
        const uint32_t stride = client->granted.stride;
        assert_int_equal(client->boid_count, (flock + stride - 1) / stride);
        assert_int_equal(client->snapshot.flock, flock);
        for (uint32_t boid = 0; boid < client->boid_count; boid++) {
            if (client->snapshot.tick == ada->snapshot.tick) {
                assert_memory_equal(client->boids + (size_t)PROTO_BOID_SIZE * boid,
                                    ada->boids + (size_t)PROTO_BOID_SIZE * boid * stride,
                                    PROTO_BOID_SIZE);
            }
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_hello_wants),
        TEST(test_a_want_is_granted_and_answered),
        TEST(test_the_same_want_brings_a_keyframe),
        TEST(test_strides_follow_the_flock),
        TEST(test_the_sender_is_regranted_before_it_is_answered),
        TEST(test_an_overload),
        TEST(test_a_slow_line),
        TEST(test_streams_come_and_go),
        TEST(test_another_stream_now_and_then),
        TEST(test_random_wants),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, grants", tests, NULL, NULL);
}
