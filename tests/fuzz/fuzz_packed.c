/* packed_decode(): a stream of snapshots, each with its size in two bytes before it. A decoded
 * snapshot is encoded as a keyframe and as the stream's next delta; both must decode to the same
 * positions.
 */
#include "fuzz.h"

#include "packed.h"
#include "packed_bits.h"
#include "protocol.h"

#define BOIDS_MAX 4096u /* larger snapshots are not encoded again */

struct stream {
    struct packed_encoder *encoder;
    struct packed_decoder *decoder; /* decodes the encoder's output */
    uint8_t places[BOIDS_MAX * PROTO_BOID_SIZE];
    uint8_t headings[BOIDS_MAX];
    uint8_t *buffer;
};

/* Returns a coordinate in the form that the encoding uses on a torus. */
static int16_t turned(int16_t place, uint32_t period)
{
    const int32_t size = (int32_t)period;

    if (size == 0) {
        return place;
    }
    const int32_t above = (place + size / 2) % size;
    return (int16_t)((above < 0 ? above + size : above) - size / 2);
}

static uint32_t get16(const uint8_t *at)
{
    return (uint32_t)(at[0] | at[1] << 8);
}

/* Copies decoded boids to the encoder's input. */
static struct packed_boids boids_of(struct stream *stream, const struct packed_decoder *decoder,
                                    const uint8_t *header)
{
    const struct packed_boids boids = {
        .positions = stream->places,
        .headings = stream->headings,
        .count = packed_count(decoder),
        .period_x = (uint16_t)get16(header + 12),
        .period_y = (uint16_t)get16(header + 14),
    };

    for (uint32_t i = 0; i < boids.count; i++) {
        const size_t at = (size_t)i * PROTO_BOID_SIZE;
        int16_t x, y;
        proto_get_position(packed_positions(decoder) + at, &x, &y);
        proto_put_position(stream->places + at, turned(x, boids.period_x),
                           turned(y, boids.period_y));
    }
    if (packed_headings(decoder) != NULL) {
        memcpy(stream->headings, packed_headings(decoder), boids.count);
    }
    return boids;
}

static void check(const struct stream *stream, struct packed_decoder *decoder, size_t size,
                  uint32_t count)
{
    FUZZ_REQUIRE(size <= packed_bound(count));
    uint8_t *copy = fuzz_copy(stream->buffer, size);
    FUZZ_REQUIRE(packed_decode(decoder, copy, size) == PACKED_OK);
    FUZZ_REQUIRE(packed_count(decoder) == count);
    FUZZ_REQUIRE(count == 0 || memcmp(packed_positions(decoder), stream->places,
                                      (size_t)count * PROTO_BOID_SIZE) == 0);
    if (packed_headings(decoder) != NULL) {
        FUZZ_REQUIRE(memcmp(packed_headings(decoder), stream->headings, count) == 0);
    }
    free(copy);
}

static void encode_again(struct stream *stream, const struct packed_boids *boids)
{
    struct packed_decoder *fresh = packed_decoder_create();

    FUZZ_REQUIRE(fresh != NULL);
    packed_next(stream->encoder, boids, false);
    const size_t key = packed_put_key(stream->encoder, boids, stream->buffer);
    check(stream, fresh, key, boids->count);
    const size_t delta = packed_put_delta(stream->encoder, stream->buffer);
    FUZZ_REQUIRE((delta == 0) == (packed_sequence(stream->encoder) == 1));
    if (delta == 0) {
        (void)packed_put_key(stream->encoder, boids, stream->buffer);
    }
    check(stream, stream->decoder, delta == 0 ? key : delta, boids->count);
    packed_decoder_destroy(fresh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct stream stream;
    struct packed_decoder *decoder = packed_decoder_create();
    bool useless = true; /* until a keyframe */

    stream.encoder = packed_encoder_create(BOIDS_MAX);
    stream.decoder = packed_decoder_create();
    stream.buffer = malloc(packed_bound(BOIDS_MAX));
    FUZZ_REQUIRE(decoder && stream.encoder && stream.decoder && stream.buffer);
    while (size >= 2) {
        const size_t claimed = get16(data);
        const size_t length = claimed < size - 2 ? claimed : size - 2;
        uint8_t *frame = fuzz_copy(data + 2, length);
        const bool key = length > 0 && frame[0] == PACKED_KEY;
        const enum packed_result result = packed_decode(decoder, frame, length);
        FUZZ_REQUIRE(result != PACKED_NO_MEMORY);
        FUZZ_REQUIRE(result != PACKED_OK || !useless || key);
        FUZZ_REQUIRE((packed_headings(decoder) != NULL) <= (result == PACKED_OK));
        FUZZ_REQUIRE(packed_count(decoder) <= PROTO_BOIDS_MAX);
        FUZZ_REQUIRE(packed_count(decoder) == 0 || packed_positions(decoder) != NULL);
        useless = result != PACKED_OK;
        if (result == PACKED_OK && packed_count(decoder) <= BOIDS_MAX) {
            const struct packed_boids boids = boids_of(&stream, decoder, frame);
            encode_again(&stream, &boids);
        }
        free(frame);
        data += 2 + length;
        size -= 2 + length;
    }
    packed_decoder_destroy(decoder);
    packed_decoder_destroy(stream.decoder);
    packed_encoder_destroy(stream.encoder);
    free(stream.buffer);
    return 0;
}
