/* The streams of packed boids that all clients share (protocol/vectors). All are decoded. flockd's
 * own streams are also encoded byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "packed.h"
#include "protocol.h"

#include "vectors.h"

#define BOIDS_MAX 1000u

static cJSON *vectors;

static int setup(void **state)
{
    (void)state;
    vectors = read_vectors();
    return vectors == NULL;
}

static int teardown(void **state)
{
    (void)state;
    cJSON_Delete(vectors);
    return 0;
}

/* The inputs for a frame of flockd. */
struct snapshot {
    uint8_t positions[BOIDS_MAX * PROTO_BOID_SIZE];
    uint8_t headings[BOIDS_MAX];
    uint32_t count;
};

static void read_snapshot(const cJSON *frame, struct snapshot *snapshot)
{
    const cJSON *positions = cJSON_GetObjectItemCaseSensitive(frame, "positions");
    const cJSON *headings = cJSON_GetObjectItemCaseSensitive(frame, "headings");
    const cJSON *item;

    assert_true(cJSON_IsArray(positions));
    memset(snapshot, 0, sizeof *snapshot);
    cJSON_ArrayForEach(item, positions)
    {
        assert_true(snapshot->count < BOIDS_MAX);
        assert_int_equal(cJSON_GetArraySize(item), 2);
        proto_put_position(snapshot->positions + (size_t)snapshot->count * PROTO_BOID_SIZE,
                           (int16_t)cJSON_GetNumberValue(cJSON_GetArrayItem(item, 0)),
                           (int16_t)cJSON_GetNumberValue(cJSON_GetArrayItem(item, 1)));
        snapshot->count++;
    }
    assert_true(cJSON_IsNull(headings) || cJSON_GetArraySize(headings) == (int)snapshot->count);
    for (uint32_t i = 0; cJSON_IsArray(headings) && i < snapshot->count; i++) {
        snapshot->headings[i] = (uint8_t)cJSON_GetNumberValue(cJSON_GetArrayItem(headings, (int)i));
    }
}

/* Compares the decoder's boids with the vector's. */
static void compare_decoded(const char *name, const cJSON *frame,
                            const struct packed_decoder *decoder)
{
    static struct snapshot expected;
    const cJSON *headings = cJSON_GetObjectItemCaseSensitive(frame, "headings");

    read_snapshot(frame, &expected);
    if (packed_count(decoder) != expected.count) {
        fail_msg("%s: %u boids, not %u", name, packed_count(decoder), expected.count);
    }
    for (size_t i = 0; i < expected.count; i++) {
        if (memcmp(packed_positions(decoder) + i * PROTO_BOID_SIZE,
                   expected.positions + i * PROTO_BOID_SIZE, PROTO_BOID_SIZE) != 0) {
            fail_msg("%s: boid %zu is elsewhere", name, i);
        }
    }
    if (cJSON_IsNull(headings)) {
        assert_null(packed_headings(decoder));
    } else if (expected.count > 0) {
        assert_memory_equal(packed_headings(decoder), expected.headings, expected.count);
    }
}

static void streams_are_decoded(void **state)
{
    static const char *const results[] = {"ok", "lost", "malformed"};
    const cJSON *stream;
    const cJSON *frame;

    (void)state;
    cJSON_ArrayForEach(stream, list_of(vectors, "packed"))
    {
        const char *name = text_of(stream, "name");
        struct packed_decoder *decoder = packed_decoder_create();
        assert_non_null(decoder);
        cJSON_ArrayForEach(frame, list_of(stream, "frames"))
        {
            size_t size;
            uint8_t *bytes = bytes_of(text_of(frame, "hex"), &size);
            const enum packed_result result = packed_decode(decoder, bytes, size);
            assert_true(result <= PACKED_MALFORMED);
            if (strcmp(text_of(frame, "result"), results[result]) != 0) {
                fail_msg("%s: %s is %s", name, text_of(frame, "hex"), results[result]);
            }
            if (result == PACKED_OK) {
                compare_decoded(name, frame, decoder);
            }
            free(bytes);
        }
        packed_decoder_destroy(decoder);
    }
}

static void compare_written(const char *name, const cJSON *frame, struct packed_encoder *encoder)
{
    static struct snapshot snapshot;
    static uint8_t buffer[32 * BOIDS_MAX];
    size_t size;
    uint8_t *bytes = bytes_of(text_of(frame, "hex"), &size);

    read_snapshot(frame, &snapshot);
    assert_true(size >= PACKED_HEADER_SIZE && packed_bound(snapshot.count) <= sizeof buffer);
    const struct packed_boids boids = {
        .positions = snapshot.positions,
        .headings = snapshot.headings,
        .count = snapshot.count,
        .period_x = (uint16_t)(bytes[12] | bytes[13] << 8),
        .period_y = (uint16_t)(bytes[14] | bytes[15] << 8),
    };
    packed_next(encoder, &boids, false);
    const size_t written =
        bytes[0] == 0 ? packed_put_delta(encoder, buffer) : packed_put_key(encoder, &boids, buffer);
    if (written != size || memcmp(buffer, bytes, size) != 0) {
        fail_msg("%s: %s is written as other bytes", name, text_of(frame, "hex"));
    }
    free(bytes);
}

static void canonical_streams_are_written(void **state)
{
    const cJSON *stream;
    const cJSON *frame;
    int canonical = 0;

    (void)state;
    cJSON_ArrayForEach(stream, list_of(vectors, "packed"))
    {
        if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(stream, "canonical"))) {
            continue;
        }
        struct packed_encoder *encoder = packed_encoder_create(BOIDS_MAX);
        assert_non_null(encoder);
        cJSON_ArrayForEach(frame, list_of(stream, "frames"))
        {
            compare_written(text_of(stream, "name"), frame, encoder);
        }
        packed_encoder_destroy(encoder);
        canonical++;
    }
    assert_true(canonical > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_decoded),
        cmocka_unit_test(canonical_streams_are_written),
    };
    return cmocka_run_group_tests_name("packed boids, vectors", tests, setup, teardown);
}
