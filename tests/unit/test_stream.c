/* Streams: their kinds, the grants of wants, and the contents of snapshots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "room/room.h"
#include "room/stream.h"
#include "scene/scene.h"

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
    streams_finish(&streams);
    free(scene.positions);
    free(scene.headings);
    free(scene.bytes);
    proto_decoder_destroy(decoder);
    return 0;
}

static struct stream *enter(enum stream_encoding encoding, uint32_t divisor, uint32_t stride)
{
    const struct stream_kind kind = {encoding, divisor, stride};
    struct stream *stream = stream_enter(&streams, &kind);

    assert_non_null(stream);
    return stream;
}

static void next(struct stream *stream)
{
    stream_next(&streams, stream, &scene);
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
    return stream->deltas[stream->sequence % VIEW_DELTAS];
}

/* Returns the newest snapshot's keyframe, or NULL if there is none. */
static struct frame *key_of(const struct stream *stream)
{
    return stream->key_sequence == stream->sequence ? stream->key : NULL;
}

/* ---- grants ---- */

static struct stream_grant grant(uint32_t rate, uint32_t boids, uint32_t ease,
                                 uint32_t snapshot_rate, uint32_t flock)
{
    const struct stream_want want = {.rate = rate, .boids = boids};

    return stream_grant(STREAM_PACKED, &want, ease, snapshot_rate, flock);
}

static void wants_are_rounded_down(void **state)
{
    static const struct {
        uint32_t rate, boids, divisor, stride;
    } wants[] = {
        {0, 0, 1, 1},      {60, 10000, 1, 1}, {240, 1000000, 1, 1}, {59, 9999, 2, 2},
        {30, 5000, 2, 2},  {29, 4999, 3, 3},  {20, 3334, 3, 3},     {19, 3333, 4, 4},
        {15, 2500, 4, 4},  {10, 1667, 6, 6},  {9, 1666, 8, 8},      {5, 834, 12, 12},
        {1, 1, 64, 12288}, {0, 2, 1, 6144},   {2, 0, 32, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        struct stream_grant got = grant(wants[i].rate, wants[i].boids, 0, 60, 10000);
        assert_int_equal(got.kind.divisor, wants[i].divisor);
        assert_int_equal(got.kind.stride, wants[i].stride);
        assert_int_equal(got.boids, wants[i].boids);
        assert_false(got.slow);
    }
    assert_int_equal(grant(0, 100, 0, 60, 300).kind.stride, 3);
    assert_int_equal(grant(0, 1, 0, 60, SCENE_BOIDS_MAX).kind.stride, 1048576);
}

/* First the rate is halved, then the boids, then the rest of the rate. */
static void a_slow_line_is_granted_less(void **state)
{
    static const struct {
        uint32_t rate, boids; /* wanted */
        struct {
            uint32_t divisor, stride;
        } eased[ROOM_EASE_MAX];
    } wants[] = {
        {0, 0, {{2, 1}, {4, 1}, {8, 1}, {8, 2}, {8, 4}, {8, 8}, {8, 16}, {16, 16}}},
        {0, 100, {{2, 6}, {4, 6}, {8, 6}, {8, 12}, {16, 12}, {16, 12}, {16, 12}, {16, 12}}},
        {10, 0, {{6, 1}, {6, 2}, {6, 4}, {6, 8}, {6, 16}, {12, 16}, {24, 16}, {24, 16}}},
        {1, 32, {{32, 16}, {32, 16}, {32, 16}, {32, 16}, {32, 16}, {32, 16}, {32, 16}, {32, 16}}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        for (uint32_t ease = 1; ease <= ROOM_EASE_MAX; ease++) {
            struct stream_grant got = grant(wants[i].rate, wants[i].boids, ease, 30, 512);
            assert_int_equal(got.kind.divisor, wants[i].eased[ease - 1].divisor);
            assert_int_equal(got.kind.stride, wants[i].eased[ease - 1].stride);
            assert_int_equal(got.slow, i != 3);
        }
    }
}

/* For all levels and wants: a grant is never more than the want, and no level grants more than the
 * level before.
 */
static void no_level_grants_more(void **state)
{
    (void)state;
    for (uint32_t flock = 1; flock <= SCENE_BOIDS_MAX; flock = flock * 3 + 1) {
        for (uint32_t rate = 0; rate <= 240; rate += 7) {
            for (uint32_t boids = 0; boids <= SCENE_BOIDS_MAX; boids = boids * 5 + 1) {
                struct stream_grant before = grant(rate, boids, 0, 30, flock);
                assert_true(rate == 0 || rate * before.kind.divisor >= 30);
                assert_true(boids == 0 ||
                            (flock + before.kind.stride - 1) / before.kind.stride <= boids);
                for (uint32_t ease = 1; ease <= ROOM_EASE_MAX; ease++) {
                    struct stream_grant got = grant(rate, boids, ease, 30, flock);
                    assert_true(got.kind.divisor >= before.kind.divisor);
                    assert_true(got.kind.stride >= before.kind.stride);
                    before = got;
                }
            }
        }
    }
}

/* 1, 2, 3, 4, 6, 8, 12 … */
static uint32_t step_after(uint32_t step)
{
    return step == 1 ? 2 : (step & (step - 1)) == 0 ? step / 2 * 3 : step / 3 * 4;
}

/* ---- coming and going ---- */

static void clients_with_equal_grants_share_a_stream(void **state)
{
    const struct stream *stream;

    (void)state;
    enter(STREAM_PLAIN, 2, 3);
    enter(STREAM_PACKED, 2, 3);
    enter(STREAM_PLAIN, 3, 2);
    stream = enter(STREAM_PLAIN, 2, 3);
    assert_int_equal(streams.count, 3);
    assert_int_equal(stream->members, 2);
    assert_ptr_equal(stream_find(&streams, stream->id), stream);
    assert_null(stream_find(&streams, stream->id + 1));
}

static void each_kind_has_an_id_of_its_own(void **state)
{
    (void)state;
    for (uint32_t divisor = 1; divisor <= 256; divisor = step_after(divisor)) {
        for (uint32_t stride = 1; stride <= 1048576; stride = step_after(stride)) {
            enter(STREAM_PLAIN, divisor, stride);
            enter(STREAM_PACKED, divisor, stride);
        }
    }
    assert_int_equal(streams.count, 2 * 16 * 40);
    for (uint32_t i = 1; i < streams.count; i++) {
        assert_true(streams.list[i - 1].id < streams.list[i].id);
    }
}

static void a_stream_ends_with_its_last_member(void **state)
{
    struct stream *stream = enter(STREAM_PACKED, 1, 1);
    const uint32_t id = stream->id;

    (void)state;
    enter(STREAM_PACKED, 1, 1);
    next(stream);
    stream_leave(&streams, id);
    assert_int_equal(streams.count, 1);
    stream_leave(&streams, id);
    assert_int_equal(streams.count, 0);
    assert_null(stream_find(&streams, id));
}

/* A holder of an old view cannot confuse its snapshots with new ones. */
static void a_stream_that_returns_continues_its_count(void **state)
{
    struct stream *stream = enter(STREAM_PACKED, 1, 1);
    uint32_t sequence;

    (void)state;
    for (int i = 0; i < 20; i++) {
        next(stream);
    }
    sequence = stream->sequence;
    stream_leave(&streams, stream->id);
    stream = enter(STREAM_PACKED, 1, 1);
    assert_int_equal(stream->sequence, sequence);
    assert_null(stream->key);
    next(stream);
    assert_true(key_of(stream) != NULL && delta_of(stream) == NULL);
    assert_int_equal(stream->sequence, sequence + 1);
}

/* ---- turns ---- */

/* Returns the sum of boids of all streams in that snapshot of the room. */
static double boids_at(uint64_t number)
{
    double boids = 0;

    for (uint32_t i = 0; i < streams.count; i++) {
        const struct stream *stream = &streams.list[i];
        boids += stream_due(stream, number) ? 1.0 / stream->kind.stride : 0.0;
    }
    return boids;
}

/* For any number of kinds of streams, no snapshot of the room takes much more work than others. */
static void streams_take_turns(void **state)
{
    const uint64_t numbers = 768; /* all divisors divide it */
    double most = 0;
    double sum = 0;

    (void)state;
    for (uint32_t divisor = 1; divisor <= 256; divisor = step_after(divisor)) {
        for (uint32_t stride = 1; stride <= 1048576; stride = step_after(stride)) {
            enter(STREAM_PLAIN, divisor, stride);
        }
    }
    for (uint64_t number = 0; number < numbers; number++) {
        double boids = boids_at(number);
        most = boids > most ? boids : most;
        sum += boids;
    }
    sum /= (double)numbers;
    assert_true(sum > 6.5 && sum < 7.5);
    assert_true(most < 10.0);
}

static void a_divided_stream_has_every_nth_snapshot(void **state)
{
    (void)state;
    for (uint32_t stride = 1; stride <= 4; stride++) {
        const struct stream *stream = enter(STREAM_PLAIN, 6, stride);
        uint32_t due = 0;
        uint64_t last = 0;
        for (uint64_t number = 0; number < 60; number++) {
            if (stream_due(stream, number)) {
                assert_true(due == 0 || number - last == 6);
                last = number;
                due++;
            }
        }
        assert_int_equal(due, 10);
    }
}

/* ---- snapshots ---- */

static void a_stride_sends_every_nth_boid(void **state)
{
    struct stream *stream = enter(STREAM_PLAIN, 1, 3);
    const struct proto_snapshot *snapshot;
    int16_t x, y;

    (void)state;
    next(stream);
    snapshot = read_frame(key_of(stream));
    assert_int_equal(snapshot->boid_count, 334);
    assert_int_equal(snapshot->flock, BOIDS);
    for (uint32_t i = 0; i < 334; i++) {
        proto_get_position(snapshot->boids + (size_t)PROTO_BOID_SIZE * i, &x, &y);
        assert_int_equal(x, 3 * i);
        assert_int_equal(y, -3 * (int)i);
    }
}

/* A client that gets another part of the flock does not interpolate between the parts. */
static void epochs_differ_by_flock_and_stride(void **state)
{
    struct stream *stream;
    uint32_t epochs[4];
    uint32_t count = 0;

    (void)state;
    for (uint32_t flock_epoch = 7; flock_epoch <= 8; flock_epoch++) {
        scene.snapshot.epoch = flock_epoch;
        for (uint32_t stride = 1; stride <= 2; stride++) {
            stream = enter(STREAM_PACKED, 1, stride);
            next(stream);
            epochs[count++] = read_frame(key_of(stream))->epoch;
            stream = enter(STREAM_PLAIN, 3, stride); /* the same boids: the same epoch */
            next(stream);
            assert_int_equal(read_frame(key_of(stream))->epoch, epochs[count - 1]);
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t j = 0; j < i; j++) {
            assert_int_not_equal(epochs[i], epochs[j]);
        }
    }
}

static void a_keyframe_comes_when_it_is_needed(void **state)
{
    struct stream *stream = enter(STREAM_PACKED, 1, 1);

    (void)state;
    next(stream);
    assert_true(key_of(stream) != NULL && delta_of(stream) == NULL);
    next(stream);
    assert_true(key_of(stream) == NULL && delta_of(stream) != NULL);
    stream->key_wanted = true; /* for one client, in addition to the delta for the others */
    next(stream);
    assert_true(key_of(stream) != NULL && delta_of(stream) != NULL);
    next(stream);
    assert_true(key_of(stream) == NULL && delta_of(stream) != NULL);
    scene.snapshot.epoch++;
    next(stream);
    assert_true(key_of(stream) != NULL && delta_of(stream) == NULL);
    for (uint32_t i = 1; i < 5000; i++) { /* without a reason there is no keyframe */
        next(stream);
        assert_true(key_of(stream) == NULL && delta_of(stream) != NULL);
    }
    assert_int_equal(streams.keys, 3);
    assert_int_equal(streams.frames, 5004 + 1);
}

/* Boids that are added one by one are sent in deltas, and sometimes in a keyframe. */
static void a_growing_flock_needs_few_keyframes(void **state)
{
    struct stream *stream = enter(STREAM_PACKED, 1, 1);

    (void)state;
    for (scene.boids.count = 1; scene.boids.count <= BOIDS; scene.boids.count++) {
        bool key = stream_key_due(stream, scene.snapshot.epoch, scene.boids.count);
        next(stream);
        assert_int_equal(key, key_of(stream) != NULL);
        assert_true(key_of(stream) != NULL || delta_of(stream) != NULL);
    }
    assert_in_range(streams.keys, 2, 10);
    assert_in_range(stream->capacity, BOIDS, 2 * BOIDS);
    /* Memory of ended streams is freed. */
    scene.boids.count = 12;
    scene.snapshot.epoch++;
    next(stream);
    assert_in_range(stream->capacity, 12, 64);
}

/* A client that missed the view with a keyframe gets the keyframe later, with all deltas after it.
 */
static void a_keyframe_stays_while_deltas_lead_on_from_it(void **state)
{
    struct stream *stream = enter(STREAM_PACKED, 1, 1);
    uint32_t first;
    const struct frame *key;

    (void)state;
    next(stream);
    first = stream->sequence;
    key = stream->key;
    for (uint32_t later = 1; later <= VIEW_DELTAS; later++) {
        next(stream);
        assert_ptr_equal(stream->key, key);
        assert_int_equal(stream->key_sequence, first);
        for (uint32_t i = 1; i <= later; i++) {
            assert_non_null(stream->deltas[(first + i) % VIEW_DELTAS]);
        }
    }
    next(stream);
    assert_null(stream->key);
    stream->key_wanted = true;
    next(stream);
    assert_non_null(key_of(stream));
    stream->key_wanted = true; /* a newer keyframe replaces it */
    next(stream);
    assert_non_null(key_of(stream));
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
        TEST(a_slow_line_is_granted_less),
        TEST(no_level_grants_more),
        TEST(clients_with_equal_grants_share_a_stream),
        TEST(each_kind_has_an_id_of_its_own),
        TEST(a_stream_ends_with_its_last_member),
        TEST(a_stream_that_returns_continues_its_count),
        TEST(streams_take_turns),
        TEST(a_divided_stream_has_every_nth_snapshot),
        TEST(a_stride_sends_every_nth_boid),
        TEST(epochs_differ_by_flock_and_stride),
        TEST(a_keyframe_comes_when_it_is_needed),
        TEST(a_growing_flock_needs_few_keyframes),
        TEST(a_keyframe_stays_while_deltas_lead_on_from_it),
        TEST(the_best_known_encoding_is_taken),
    };
    return cmocka_run_group_tests_name("streams", tests, NULL, NULL);
}
