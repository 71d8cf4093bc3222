/* Streams: which kinds there are, and what is in their snapshots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "room/room.h"
#include "room/stream.h"

#define BOIDS 1000u

static struct streams streams;
static struct stream_scene scene;
static struct proto_decoder *decoder;
static uint8_t positions[BOIDS * PROTO_BOID_SIZE], headings[BOIDS];

static int set_up(void **state)
{
    (void)state;
    memset(&streams, 0, sizeof streams);
    decoder = proto_decoder_create();
    for (uint32_t i = 0; i < BOIDS; i++) {
        proto_put_position(positions + (size_t)PROTO_BOID_SIZE * i, (int16_t)i, (int16_t)-i);
        headings[i] = (uint8_t)i;
    }
    scene = (struct stream_scene){
        .snapshot = {.epoch = 7, .tick = 1, .time = 1, .flock = BOIDS},
        .boids = {.positions = positions, .headings = headings, .count = BOIDS},
        .positions = malloc(sizeof positions),
        .headings = malloc(sizeof headings),
        .bytes = malloc(packed_bound(BOIDS)),
    };
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    streams_destroy(&streams);
    free(scene.positions);
    free(scene.headings);
    free(scene.bytes);
    proto_decoder_destroy(decoder);
    return 0;
}

static struct stream *enter(enum stream_encoding encoding, uint32_t rate, uint32_t boids)
{
    const struct proto_want want = {.rate = rate, .boids = boids};
    uint32_t place = stream_enter(&streams, encoding, &want, 60);

    assert_int_not_equal(place, STREAM_NONE);
    return &streams.list[place];
}

static const struct proto_snapshot *read_frame(struct frame *frame)
{
    static struct proto_server_message message;
    struct proto_error error;

    assert_non_null(frame);
    assert_int_equal(proto_decode_server(decoder, frame_data(frame), frame->size, &message, &error),
                     PROTO_OK);
    return &message.snapshot;
}

static struct frame *delta_of(const struct stream *stream)
{
    return stream->deltas[stream->sequence % STREAM_HISTORY];
}

/* The newest snapshot as a keyframe; NULL: it is none. */
static struct frame *key_of(const struct stream *stream)
{
    return stream->key_sequence == stream->sequence ? stream->key : NULL;
}

static void wants_are_rounded_down(void **state)
{
    static const struct {
        uint32_t rate, boids, divisor, limit;
    } wants[] = {
        {0, 0, 1, 0},        {60, 1, 1, 1},
        {240, 1023, 1, 512}, {59, 1024, 2, 1024},
        {30, 3, 2, 2},       {29, 0, 3, 0},
        {20, 0, 3, 0},       {19, 0, 4, 0},
        {15, 0, 4, 0},       {10, 0, 6, 0},
        {9, 0, 8, 0},        {5, 0, 12, 0},
        {1, 1, 64, 1},       {2, ROOM_BOIDS_MAX - 1, 32, 131072},
        {2, 1000000, 32, 0}, {0, ROOM_BOIDS_MAX, 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        const struct stream *stream = enter(STREAM_PACKED, wants[i].rate, wants[i].boids);
        assert_int_equal(stream->divisor, wants[i].divisor);
        assert_int_equal(stream->limit, wants[i].limit);
    }
}

static void those_who_want_the_same_share_a_stream(void **state)
{
    (void)state;
    for (uint32_t rate = 0; rate <= 240; rate++) {
        for (uint32_t boids = 0; boids <= PROTO_BOIDS_MAX; boids = boids * 5 / 4 + 1) {
            enter(STREAM_PLAIN, rate, boids);
            enter(STREAM_PLAIN, rate, boids);
        }
    }
    assert_in_range(streams.count, 100, STREAMS_MAX / 2);
}

/* Boids of all streams together in the room's snapshot of that number. */
static uint64_t boids_at(uint64_t number)
{
    uint64_t boids = 0;

    for (uint32_t i = 0; i < streams.count; i++) {
        const struct stream *stream = &streams.list[i];
        if (stream_due(stream, number)) {
            boids += stream->limit > 0 ? stream->limit : ROOM_BOIDS_MAX;
        }
    }
    return boids;
}

/* However many kinds of stream people want, none of the room's snapshots is much more work. */
static void streams_take_turns(void **state)
{
    const uint64_t numbers = 768; /* all divisors divide it */
    uint64_t most = 0;
    uint64_t sum = 0;

    (void)state;
    for (uint32_t rate = 1; rate <= 60; rate++) {
        for (uint32_t boids = 1; boids <= PROTO_BOIDS_MAX; boids *= 2) {
            enter(STREAM_PLAIN, rate, boids);
        }
    }
    for (uint64_t number = 0; number < numbers; number++) {
        uint64_t boids = boids_at(number);
        most = boids > most ? boids : most;
        sum += boids;
    }
    assert_in_range(sum / numbers, ROOM_BOIDS_MAX, 13 * ROOM_BOIDS_MAX / 2);
    assert_in_range(most, 0, 10 * ROOM_BOIDS_MAX);
}

static void nobody_is_sent_nothing(void **state)
{
    struct stream *stream = enter(STREAM_PLAIN, 30, 0);

    (void)state;
    assert_true(stream_due(stream, 0));
    assert_false(stream_due(stream, 1));
    assert_true(stream_due(stream, 2));
    stream_next(stream, &scene);
    assert_non_null(stream->key);
    stream_leave(&streams, 0);
    assert_null(stream->key);
    assert_false(stream_due(stream, 2));
}

static void a_limit_sends_every_so_manieth(void **state)
{
    struct stream *stream = enter(STREAM_PLAIN, 0, 300);
    const struct proto_snapshot *snapshot;
    int16_t x, y;

    (void)state;
    stream_next(stream, &scene);
    snapshot = read_frame(key_of(stream));
    assert_int_equal(snapshot->boid_count, 250);
    assert_int_equal(snapshot->flock, BOIDS);
    for (uint32_t i = 0; i < 250; i++) {
        proto_get_position(snapshot->boids + (size_t)PROTO_BOID_SIZE * i, &x, &y);
        assert_int_equal(x, 4 * i);
        assert_int_equal(y, -4 * (int)i);
    }
}

/* Boids that are added go into deltas, until there are more than the limit. */
static void another_part_of_the_flock_is_another_epoch(void **state)
{
    struct stream *stream = enter(STREAM_PACKED, 0, 256);
    uint32_t epoch;

    (void)state;
    scene.boids.count = 255;
    stream_next(stream, &scene);
    assert_null(delta_of(stream));
    epoch = read_frame(key_of(stream))->epoch;
    scene.boids.count = 256;
    stream_next(stream, &scene);
    assert_null(key_of(stream));
    assert_int_equal(read_frame(delta_of(stream))->epoch, epoch);
    scene.boids.count = 257;
    stream_next(stream, &scene);
    assert_null(delta_of(stream));
    assert_int_not_equal(read_frame(key_of(stream))->epoch, epoch);
}

static void a_keyframe_comes_when_it_has_to(void **state)
{
    struct stream *stream = enter(STREAM_PACKED, 0, 0);

    (void)state;
    stream_next(stream, &scene);
    assert_true(key_of(stream) != NULL && delta_of(stream) == NULL);
    stream_next(stream, &scene);
    assert_true(key_of(stream) == NULL && delta_of(stream) != NULL);
    stream->key_wanted = true; /* for one, beside the delta for the others */
    stream_next(stream, &scene);
    assert_true(key_of(stream) != NULL && delta_of(stream) != NULL);
    stream_next(stream, &scene);
    assert_true(key_of(stream) == NULL && delta_of(stream) != NULL);
    scene.snapshot.epoch++;
    stream_next(stream, &scene);
    assert_true(key_of(stream) != NULL && delta_of(stream) == NULL);
    for (uint32_t i = 1; i < STREAM_KEY_EVERY; i++) {
        stream_next(stream, &scene);
        assert_true(key_of(stream) == NULL && delta_of(stream) != NULL);
    }
    stream_next(stream, &scene);
    assert_true(key_of(stream) != NULL && delta_of(stream) == NULL);
}

/* Whoever did not see the turn of a keyframe gets it later, with all deltas since. */
static void a_keyframe_stays_while_deltas_lead_on_from_it(void **state)
{
    struct stream *stream = enter(STREAM_PACKED, 0, 0);
    uint32_t first;
    const struct frame *key;

    (void)state;
    stream_next(stream, &scene);
    first = stream->sequence;
    key = stream->key;
    for (uint32_t later = 1; later <= STREAM_HISTORY; later++) {
        stream_next(stream, &scene);
        assert_ptr_equal(stream->key, key);
        assert_int_equal(stream->key_sequence, first);
        for (uint32_t i = 1; i <= later; i++) {
            assert_non_null(stream->deltas[(first + i) % STREAM_HISTORY]);
        }
    }
    stream_next(stream, &scene);
    assert_null(stream->key);
    stream->key_wanted = true;
    stream_next(stream, &scene);
    assert_non_null(key_of(stream));
    stream->key_wanted = true; /* a newer one takes its place */
    stream_next(stream, &scene);
    assert_non_null(key_of(stream));
}

/* Whoever comes to a stream that was empty has nothing in common with it. */
static void an_emptied_stream_begins_anew(void **state)
{
    struct stream *stream = enter(STREAM_PACKED, 0, 0);
    uint32_t sequence;

    (void)state;
    stream_next(stream, &scene);
    stream_next(stream, &scene);
    sequence = stream->sequence;
    stream_leave(&streams, 0);
    assert_ptr_equal(enter(STREAM_PACKED, 0, 0), stream);
    stream_next(stream, &scene);
    assert_true(key_of(stream) != NULL && delta_of(stream) == NULL);
    assert_int_equal(stream->sequence, sequence + 1);
}

static void the_best_known_encoding_is_taken(void **state)
{
    struct proto_hello hello = {.encoding_count = 3, .encodings = {"brotli", "packed", "plain"}};
    enum stream_encoding encoding = STREAM_PLAIN;

    (void)state;
    assert_true(stream_encoding(&hello, &encoding));
    assert_int_equal(encoding, STREAM_PACKED);
    hello.encoding_count = 1;
    assert_false(stream_encoding(&hello, &encoding));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(wants_are_rounded_down),
        TEST(those_who_want_the_same_share_a_stream),
        TEST(streams_take_turns),
        TEST(nobody_is_sent_nothing),
        TEST(a_limit_sends_every_so_manieth),
        TEST(another_part_of_the_flock_is_another_epoch),
        TEST(a_keyframe_comes_when_it_has_to),
        TEST(a_keyframe_stays_while_deltas_lead_on_from_it),
        TEST(an_emptied_stream_begins_anew),
        TEST(the_best_known_encoding_is_taken),
    };
    return cmocka_run_group_tests_name("streams", tests, NULL, NULL);
}
