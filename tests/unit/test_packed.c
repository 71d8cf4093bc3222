/* Packed boids, encoded and decoded. All receivers get the encoder's input, also after missed
 * snapshots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "packed.h"
#include "packed_bits.h"
#include "packed_stream.h"
#include "protocol.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES 10000
#define GUARD  0xa5

/* An encoded snapshot. It was written into memory of exactly packed_bound() bytes and a guard. */
struct frame {
    uint8_t *bytes;
    size_t size;
};

static struct frame frame_of(const struct packed_encoder *encoder, const struct packed_boids *boids,
                             bool key)
{
    const size_t bound = packed_bound(boids->count);
    struct frame frame = {.bytes = malloc(bound + 1)};

    assert_non_null(frame.bytes);
    frame.bytes[bound] = GUARD;
    frame.size =
        key ? packed_put_key(encoder, boids, frame.bytes) : packed_put_delta(encoder, frame.bytes);
    assert_int_equal(frame.bytes[bound], GUARD);
    assert_true(frame.size <= bound);
    /* The encoder may overwrite the whole buffer. The exact copy lets AddressSanitizer report reads
     * past its end. */
    uint8_t *exact = malloc(frame.size > 0 ? frame.size : 1);
    assert_non_null(exact);
    memcpy(exact, frame.bytes, frame.size);
    free(frame.bytes);
    frame.bytes = exact;
    return frame;
}

static void assert_has(const struct packed_decoder *decoder, const uint8_t *positions,
                       uint32_t count)
{
    assert_int_equal(packed_count(decoder), count);
    if (count > 0) {
        assert_memory_equal(packed_positions(decoder), positions, (size_t)count * PROTO_BOID_SIZE);
    }
}

static void assert_key(struct packed_decoder *decoder, const struct frame *key,
                       const struct packed_stream *stream)
{
    assert_int_equal(packed_decode(decoder, key->bytes, key->size), PACKED_OK);
    assert_has(decoder, stream->expected, stream->count);
    if (stream->count > 0) {
        assert_memory_equal(packed_headings(decoder), stream->headings, stream->count);
    }
}

/* A receiver that may miss a snapshot and then waits for a keyframe. */
struct receiver {
    struct packed_decoder *decoder;
    int32_t misses; /* misses 1 snapshot in this number */
    bool lost;
    uint32_t keys, deltas, useless;
};

static void receive(struct receiver *receiver, struct packed_stream *stream,
                    const struct frame *delta, const struct frame *key)
{
    if (receiver->misses > 0 && stream_random(stream, receiver->misses) == 0) {
        receiver->lost = true;
        return;
    }
    if (delta->size == 0 || (receiver->lost && stream_random(stream, 4) == 0)) {
        if (stream_random(stream, 8) == 0) { /* a new receiver */
            packed_decoder_destroy(receiver->decoder);
            receiver->decoder = packed_decoder_create();
            assert_non_null(receiver->decoder);
        }
        assert_key(receiver->decoder, key, stream);
        receiver->lost = false;
        receiver->keys++;
        return;
    }
    const enum packed_result result = packed_decode(receiver->decoder, delta->bytes, delta->size);
    if (receiver->lost) {
        assert_int_equal(result, PACKED_LOST);
        receiver->useless++;
    } else {
        assert_int_equal(result, PACKED_OK);
        assert_has(receiver->decoder, stream->expected, stream->count);
        receiver->deltas++;
    }
    assert_null(packed_headings(receiver->decoder));
}

static void every_receiver_has_what_was_sent(void **state)
{
    static struct packed_stream stream;
    struct packed_encoder *encoder = packed_encoder_create(STREAM_BOIDS_MAX);
    struct receiver receivers[] = {{.misses = 0}, {.misses = 50}, {.misses = 5}};

    (void)state;
    assert_non_null(encoder);
    for (int r = 0; r < 3; r++) {
        receivers[r].decoder = packed_decoder_create();
        assert_non_null(receivers[r].decoder);
        receivers[r].lost = true;
    }
    stream_begin(&stream, 1);
    for (uint32_t n = 1; n <= FRAMES; n++) {
        stream_next(&stream);
        const struct packed_boids boids = stream_boids(&stream);
        packed_next(encoder, &boids, stream.restart);
        assert_int_equal(packed_sequence(encoder), n);
        struct frame delta = frame_of(encoder, &boids, false);
        struct frame key = frame_of(encoder, &boids, true);
        assert_int_equal(delta.size == 0, stream.restart || n == 1);
        for (int r = 0; r < 3; r++) {
            receive(&receivers[r], &stream, &delta, &key);
        }
        free(delta.bytes);
        free(key.bytes);
    }
    assert_true(receivers[0].deltas > FRAMES / 2 && receivers[0].useless == 0);
    assert_true(receivers[2].deltas > FRAMES / 10 && receivers[2].useless > FRAMES / 10);
    assert_true(receivers[2].keys > FRAMES / 20);
    for (int r = 0; r < 3; r++) {
        packed_decoder_destroy(receivers[r].decoder);
    }
    packed_encoder_destroy(encoder);
}

/* The position of a boid in a snapshot. */
struct place {
    int16_t x, y;
};

/* Small movements, so that residuals are short. */
static struct place crawl(uint32_t n, uint32_t i)
{
    return (struct place){(int16_t)(i % 60000 + n * (i % 90)), (int16_t)(i / 20 - n * n)};
}

/* Movements from end to end, which give the longest keyframe. */
static struct place leap(uint32_t n, uint32_t i)
{
    (void)i;
    return n % 2 == 0 ? (struct place){-16000, -16000} : (struct place){16000, 16000};
}

/* Random positions in a torus of 16,384 by 16,383 steps, from a hash of the boid and the snapshot.
 */
static struct place scatter(uint32_t n, uint32_t i)
{
    const uint32_t hash = (i * 4 + n) * 2654435761u;

    return (struct place){(int16_t)((int32_t)(hash >> 18) - 8192),
                          (int16_t)((int32_t)(hash >> 4) % 16383 - 8191)};
}

static void as_many_boids_as_there_can_be(void **state)
{
    static const struct {
        struct place (*place)(uint32_t n, uint32_t i);
        uint16_t period[2];
    } flocks[] = {{crawl, {0, 0}}, {leap, {0, 0}}, {scatter, {16384, 16383}}};
    uint8_t *positions = malloc((size_t)PROTO_BOIDS_MAX * PROTO_BOID_SIZE);
    uint8_t *headings = malloc(PROTO_BOIDS_MAX);

    (void)state;
    assert_true(positions && headings);
    for (uint32_t i = 0; i < PROTO_BOIDS_MAX; i++) {
        headings[i] = (uint8_t)(i * 7);
    }
    for (size_t f = 0; f < sizeof flocks / sizeof flocks[0]; f++) {
        const struct packed_boids boids = {.positions = positions,
                                           .headings = headings,
                                           .count = PROTO_BOIDS_MAX,
                                           .period_x = flocks[f].period[0],
                                           .period_y = flocks[f].period[1]};
        struct packed_encoder *encoder = packed_encoder_create(PROTO_BOIDS_MAX);
        struct packed_decoder *decoder = packed_decoder_create();
        assert_true(encoder && decoder);
        for (uint32_t n = 0; n < 4; n++) {
            for (uint32_t i = 0; i < PROTO_BOIDS_MAX; i++) {
                const struct place at = flocks[f].place(n, i);
                proto_put_position(positions + (size_t)i * PROTO_BOID_SIZE, at.x, at.y);
            }
            packed_next(encoder, &boids, false);
            struct frame frame = frame_of(encoder, &boids, n % 3 == 0);
            assert_int_equal(packed_decode(decoder, frame.bytes, frame.size), PACKED_OK);
            assert_has(decoder, positions, PROTO_BOIDS_MAX);
            if (n % 3 == 0) {
                assert_memory_equal(packed_headings(decoder), headings, PROTO_BOIDS_MAX);
            }
            free(frame.bytes);
        }
        packed_encoder_destroy(encoder);
        packed_decoder_destroy(decoder);
    }
    free(positions);
    free(headings);
}

/* Most boids crawl, some leap, so parts of the flock have very different sizes. */
static struct place mix(uint32_t n, uint32_t i)
{
    return i / 20000 % 2 == 0 ? crawl(n, i) : scatter(n, i);
}

/* Runs the last part first, as several threads may. */
static void run_backwards(void *pool, void (*task)(void *context, uint32_t part), void *context,
                          uint32_t parts)
{
    uint32_t *runs = pool;

    while (parts-- > 0) {
        task(context, parts);
    }
    (*runs)++;
}

static void threads_write_the_same_bytes(void **state)
{
    enum { MAX = 100003 };
    static struct place (*const flocks[])(uint32_t n, uint32_t i) = {crawl, leap, scatter, mix};
    static const uint32_t counts[] = {32768, 32769, 65537, MAX, MAX, 65536, 65536};
    uint8_t *positions = malloc((size_t)MAX * PROTO_BOID_SIZE);
    uint8_t *headings = calloc(MAX, 1);
    uint32_t runs = 0;
    const struct packed_threads threads = {.run = run_backwards, .pool = &runs};

    (void)state;
    assert_true(positions && headings);
    for (size_t f = 0; f < sizeof flocks / sizeof flocks[0]; f++) {
        struct packed_encoder *alone = packed_encoder_create(MAX);
        struct packed_encoder *helped = packed_encoder_create(MAX);
        assert_true(alone && helped);
        packed_lend(helped, &threads);
        for (uint32_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
            const struct packed_boids boids = {
                .positions = positions, .headings = headings, .count = counts[n]};
            for (uint32_t i = 0; i < boids.count; i++) {
                const struct place at = flocks[f](n, i);
                proto_put_position(positions + (size_t)i * PROTO_BOID_SIZE, at.x, at.y);
            }
            packed_next(alone, &boids, false);
            packed_next(helped, &boids, false);
            for (int key = 0; key < 2; key++) {
                struct frame one = frame_of(alone, &boids, key);
                struct frame other = frame_of(helped, &boids, key);
                assert_int_equal(one.size, other.size);
                assert_memory_equal(one.bytes, other.bytes, one.size);
                free(one.bytes);
                free(other.bytes);
            }
        }
        packed_encoder_destroy(alone);
        packed_encoder_destroy(helped);
    }
    assert_true(runs > 0);
    free(positions);
    free(headings);
}

/* A keyframe of boids that all moved as far as possible has the size of packed_bound(), without the
 * bytes that are reserved for writing. */
static void the_bound_is_reached(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= 130; count++) {
        uint8_t positions[130 * PROTO_BOID_SIZE];
        uint8_t headings[130] = {0};
        const struct packed_boids boids = {
            .positions = positions, .headings = headings, .count = count};
        struct packed_encoder *encoder = packed_encoder_create(count);
        assert_non_null(encoder);
        for (int n = 0; n < 2; n++) {
            const int16_t far = n == 0 ? -16000 : 16000;
            for (uint32_t i = 0; i < count; i++) {
                proto_put_position(positions + (size_t)i * PROTO_BOID_SIZE, far, far);
            }
            packed_next(encoder, &boids, false);
        }
        struct frame key = frame_of(encoder, &boids, true);
        assert_in_range(packed_bound(count) - key.size, 8, 9);
        free(key.bytes);
        packed_encoder_destroy(encoder);
    }
}

/* Residuals for which the choice of a width is difficult: mostly small, some large. */
static void no_frame_is_longer_than_the_bound(void **state)
{
    enum { COUNT = 100 };
    struct packed_stream random = {.random = 7};
    struct packed_encoder *encoder = packed_encoder_create(COUNT);
    uint8_t positions[COUNT * PROTO_BOID_SIZE];
    uint8_t headings[COUNT] = {0};

    (void)state;
    assert_non_null(encoder);
    for (int n = 0; n < 3000; n++) {
        const int32_t huge = 1 << stream_random(&random, 16);
        const int32_t small = 1 << stream_random(&random, 8);
        const int32_t often = 1 + stream_random(&random, 40);
        const uint32_t count = 1 + (uint32_t)stream_random(&random, COUNT);
        const struct packed_boids boids = {
            .positions = positions, .headings = headings, .count = count};
        for (uint32_t i = 0; i < count; i++) {
            int16_t place[2];
            for (int axis = 0; axis < 2; axis++) {
                place[axis] = (int16_t)stream_spread(
                    &random, stream_random(&random, often) == 0 ? huge - 1 : small - 1);
            }
            proto_put_position(positions + (size_t)i * PROTO_BOID_SIZE, place[0], place[1]);
        }
        packed_next(encoder, &boids, false);
        struct frame delta = frame_of(encoder, &boids, false);
        struct frame key = frame_of(encoder, &boids, true);
        assert_true(delta.size + 8 <= packed_bound(count));
        assert_true(key.size + 8 <= packed_bound(count));
        free(delta.bytes);
        free(key.bytes);
    }
    packed_encoder_destroy(encoder);
}

/* Writes a width of 0 and `count` residuals of the maximum length from `bit` on. Returns the number
 * of bits after it. */
static size_t put_longest(uint8_t *bytes, size_t bit, uint32_t count)
{
    bit += PACKED_WIDTH_BITS;
    for (uint32_t i = 0; i < count; i++) {
        bit += PACKED_ESCAPE;
        for (int one = 0; one < 16; one++, bit++) {
            bytes[bit / 8] |= (uint8_t)(1 << bit % 8);
        }
    }
    return bit;
}

static void another_server_writes_more(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 200; count++) {
        uint8_t *bytes = calloc(1, PACKED_MAX(count));
        struct packed_decoder *decoder = packed_decoder_create();
        size_t bit = 8 * (PACKED_HEADER_SIZE + (size_t)count * (PROTO_BOID_SIZE + 1));
        assert_true(bytes && decoder);
        bytes[0] = PACKED_KEY;
        bytes[8] = (uint8_t)count;
        for (uint32_t left = count; left > 0;) {
            const uint32_t block = left < PACKED_BLOCK ? left : PACKED_BLOCK;
            bit = put_longest(bytes, put_longest(bytes, bit, block), block);
            left -= block;
        }
        const size_t size = (bit + 7) / 8;
        assert_true(size <= PACKED_MAX(count));
        assert_true(count > 1 || size == PACKED_MAX(count));
        assert_int_equal(packed_decode(decoder, bytes, size), PACKED_OK);
        packed_decoder_destroy(decoder);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_receiver_has_what_was_sent),
        cmocka_unit_test(as_many_boids_as_there_can_be),
        cmocka_unit_test(threads_write_the_same_bytes),
        cmocka_unit_test(the_bound_is_reached),
        cmocka_unit_test(no_frame_is_longer_than_the_bound),
        cmocka_unit_test(another_server_writes_more),
    };
    return cmocka_run_group_tests_name("packed boids", tests, NULL, NULL);
}
