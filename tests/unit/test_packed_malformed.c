/* Malformed packed boids: the decoder refuses them and keeps the shown boids. After them it needs a
 * keyframe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "packed.h"
#include "protocol.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define BOIDS 100u
#define ADDED 3u

/* Snapshot 1 as a keyframe; snapshots 2 (with ADDED further boids) and 3 as keyframe and delta. */
struct frames {
    uint8_t bytes[5][2048];
    size_t size[5];
};
enum { KEY_1, DELTA_2, KEY_2, DELTA_3, KEY_3 };

static struct frames frames;

static int setup(void **state)
{
    struct packed_encoder *encoder = packed_encoder_create(BOIDS + ADDED);
    uint8_t positions[(BOIDS + ADDED) * PROTO_BOID_SIZE];
    uint8_t headings[BOIDS + ADDED];

    (void)state;
    if (encoder == NULL || packed_bound(BOIDS + ADDED) > sizeof frames.bytes[0]) {
        return 1;
    }
    for (uint32_t n = 0; n < 3; n++) {
        const uint32_t count = BOIDS + (n > 0 ? ADDED : 0);
        const struct packed_boids boids = {
            .positions = positions, .headings = headings, .count = count};
        for (uint32_t i = 0; i < count; i++) {
            proto_put_position(positions + (size_t)i * PROTO_BOID_SIZE,
                               (int16_t)(7 * i + n * i * i), (int16_t)(n * n * i));
            headings[i] = (uint8_t)i;
        }
        packed_next(encoder, &boids, false);
        if (n > 0) {
            const size_t delta = 2 * (size_t)n - 1;
            frames.size[delta] = packed_put_delta(encoder, frames.bytes[delta]);
        }
        frames.size[2 * n] = packed_put_key(encoder, &boids, frames.bytes[2 * n]);
    }
    packed_encoder_destroy(encoder);
    return 0;
}

/* Decodes bytes from memory of exactly their size. */
static enum packed_result decode(struct packed_decoder *decoder, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    const enum packed_result result = packed_decode(decoder, copy, size);
    free(copy);
    return result;
}

static enum packed_result decode_frame(struct packed_decoder *decoder, int frame)
{
    return decode(decoder, frames.bytes[frame], frames.size[frame]);
}

/* Asserts that these bytes are refused after snapshot 1, and that the boids do not change before a
 * keyframe. */
static void assert_refused(const uint8_t *bytes, size_t size)
{
    struct packed_decoder *decoder = packed_decoder_create();

    assert_non_null(decoder);
    assert_int_equal(decode_frame(decoder, KEY_1), PACKED_OK);
    assert_int_equal(decode(decoder, bytes, size), PACKED_MALFORMED);
    assert_int_equal(packed_count(decoder), BOIDS);
    assert_memory_equal(packed_positions(decoder), frames.bytes[KEY_1] + PACKED_HEADER_SIZE,
                        BOIDS * PROTO_BOID_SIZE);
    assert_null(packed_headings(decoder));
    assert_int_equal(decode_frame(decoder, DELTA_2), PACKED_LOST);
    assert_int_equal(decode_frame(decoder, KEY_2), PACKED_OK);
    assert_int_equal(decode_frame(decoder, DELTA_3), PACKED_OK);
    assert_int_equal(packed_count(decoder), BOIDS + ADDED);
    assert_memory_equal(packed_positions(decoder), frames.bytes[KEY_3] + PACKED_HEADER_SIZE,
                        (BOIDS + ADDED) * PROTO_BOID_SIZE);
    packed_decoder_destroy(decoder);
}

static void messages_cut_at_any_byte_are_refused(void **state)
{
    (void)state;
    for (int frame = DELTA_2; frame <= KEY_2; frame++) {
        for (size_t size = 0; size < frames.size[frame]; size++) {
            assert_refused(frames.bytes[frame], size);
        }
    }
}

static void messages_with_extra_bytes_are_refused(void **state)
{
    (void)state;
    for (int frame = DELTA_2; frame <= KEY_2; frame++) {
        uint8_t bytes[sizeof frames.bytes[0]] = {0};
        memcpy(bytes, frames.bytes[frame], frames.size[frame]);
        for (size_t more = 1; more <= 9; more++) {
            assert_refused(bytes, frames.size[frame] + more);
        }
    }
}

static void an_invalid_header_is_refused(void **state)
{
    static const struct {
        size_t at;
        uint32_t value, size;
    } changes[] = {{0, 2, 1},          {0, 255, 1},        {8, 1000001, 4},     {8, 0x7fffffff, 4},
                   {8, UINT32_MAX, 4}, {8, 1000000, 4},    {8, BOIDS + 4, 4},   {8, BOIDS - 40, 4},
                   {8, 0, 4},          {12, 16385, 2},     {12, UINT16_MAX, 2}, {14, 16385, 2},
                   {14, 0x8000, 2},    {14, UINT16_MAX, 2}};

    (void)state;
    for (int frame = DELTA_2; frame <= KEY_2; frame++) {
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
            uint8_t bytes[sizeof frames.bytes[0]];
            memcpy(bytes, frames.bytes[frame], frames.size[frame]);
            for (uint32_t byte = 0; byte < changes[i].size; byte++) {
                bytes[changes[i].at + byte] = (uint8_t)(changes[i].value >> 8 * byte);
            }
            assert_refused(bytes, frames.size[frame]);
        }
    }
}

static size_t in_use(void)
{
    const struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* A short message that claims a million boids gets no memory for them. */
static void a_small_message_takes_little_memory(void **state)
{
    (void)state;
    for (uint8_t kind = 0; kind < 2; kind++) {
        uint8_t bytes[200] = {kind};
        struct packed_decoder *decoder = packed_decoder_create();
        assert_non_null(decoder);
        assert_int_equal(decode_frame(decoder, KEY_1), PACKED_OK);
        const size_t before = in_use();
        memcpy(bytes + 4, "\2\0\0\0\x40\x42\x0f\0", 8); /* sequence 2, 1,000,000 boids */
        assert_int_equal(decode(decoder, bytes, sizeof bytes), PACKED_MALFORMED);
        assert_true(in_use() < before + 10000);
        packed_decoder_destroy(decoder);
    }
}

static void a_delta_twice_is_of_no_use(void **state)
{
    struct packed_decoder *decoder = packed_decoder_create();

    (void)state;
    assert_non_null(decoder);
    assert_int_equal(decode_frame(decoder, DELTA_2), PACKED_LOST);
    assert_int_equal(packed_count(decoder), 0);
    assert_int_equal(decode_frame(decoder, KEY_1), PACKED_OK);
    assert_non_null(packed_headings(decoder));
    assert_int_equal(decode_frame(decoder, DELTA_2), PACKED_OK);
    assert_int_equal(decode_frame(decoder, DELTA_2), PACKED_LOST);
    assert_int_equal(decode_frame(decoder, DELTA_3), PACKED_LOST);
    assert_int_equal(decode_frame(decoder, KEY_2), PACKED_OK);
    assert_int_equal(decode_frame(decoder, KEY_1), PACKED_OK);
    assert_int_equal(decode_frame(decoder, DELTA_3), PACKED_LOST);
    packed_decoder_destroy(decoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_cut_at_any_byte_are_refused),
        cmocka_unit_test(messages_with_extra_bytes_are_refused),
        cmocka_unit_test(an_invalid_header_is_refused),
        cmocka_unit_test(a_small_message_takes_little_memory),
        cmocka_unit_test(a_delta_twice_is_of_no_use),
    };
    return cmocka_run_group_tests_name("packed boids, malformed", tests, setup, NULL);
}
