/* Writes a stream of packed boids, with which tests compare a decoder in another language: 10,000
 * frames, some lost and some damaged, and the result of packed_decode() after each frame. The seed
 * is the only argument; the same seed gives the same stream. Written to standard output,
 * little-endian:
 *
 *   the frame's size (4 bytes) · the frame · the result (1: 0 ok, 1 lost, 2 malformed) · the number
 *   of boids (4) · FNV-1a of their positions, and of their headings if there are any (4) */
#include "fuzz.h"

#include "packed.h"
#include "protocol.h"

#include "../unit/packed_stream.h"

#define FRAMES 10000

static void put32(uint32_t value)
{
    for (int shift = 0; shift < 32; shift += 8) {
        FUZZ_REQUIRE(putchar((int)(value >> shift & 0xff)) != EOF);
    }
}

static uint32_t hash(uint32_t before, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        before = (before ^ bytes[i]) * 0x01000193u;
    }
    return before;
}

static void write_frame(struct packed_decoder *decoder, const uint8_t *bytes, size_t size,
                        bool *lost)
{
    const enum packed_result result = packed_decode(decoder, bytes, size);
    const uint32_t count = packed_count(decoder);
    uint32_t digest = hash(0x811c9dc5u, packed_positions(decoder), (size_t)count * PROTO_BOID_SIZE);

    FUZZ_REQUIRE(result != PACKED_NO_MEMORY);
    if (packed_headings(decoder) != NULL) {
        digest = hash(digest, packed_headings(decoder), count);
    }
    put32((uint32_t)size);
    FUZZ_REQUIRE(fwrite(bytes, 1, size, stdout) == size);
    FUZZ_REQUIRE(putchar((int)result) != EOF);
    put32(count);
    put32(digest);
    *lost = result != PACKED_OK;
}

/* Flips some bits, in half of the cases in the header, or removes bytes from the end, or adds some.
 * The buffer has space for them. Returns the new size. */
static size_t damage(struct packed_stream *random, uint8_t *bytes, size_t size)
{
    const int32_t how = stream_random(random, 10);

    if (how == 0) {
        return (size_t)stream_random(random, (int32_t)size);
    }
    if (how == 1) {
        bytes[size] = (uint8_t)stream_random(random, 256);
        return size + 1;
    }
    for (int32_t flips = 1 + stream_random(random, 3); flips > 0; flips--) {
        const size_t within = how < 6 ? PACKED_HEADER_SIZE : size;
        bytes[stream_random(random, (int32_t)within)] ^= (uint8_t)(1 << stream_random(random, 8));
    }
    return size;
}

int main(int argc, char **argv)
{
    static struct packed_stream stream;
    static struct packed_stream random; /* separate from the stream's random numbers, so that losses
                                           do not change the stream */
    uint8_t *buffer = malloc(packed_bound(STREAM_BOIDS_MAX) + 1);
    struct packed_encoder *encoder = packed_encoder_create(STREAM_BOIDS_MAX);
    struct packed_decoder *decoder = packed_decoder_create();
    bool lost = true;

    FUZZ_REQUIRE(buffer != NULL && encoder != NULL && decoder != NULL);
    stream_begin(&stream, argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    random.random = ~stream.random;
    for (int written = 0; written < FRAMES;) {
        stream_next(&stream);
        const struct packed_boids boids = stream_boids(&stream);
        packed_next(encoder, &boids, stream.restart);
        if (stream_random(&random, 20) == 0) {
            continue;
        }
        const bool key = stream_random(&random, lost ? 3 : 100) == 0;
        size_t size = key ? 0 : packed_put_delta(encoder, buffer);
        if (size == 0) {
            size = packed_put_key(encoder, &boids, buffer);
        }
        if (stream_random(&random, 15) == 0) {
            size = damage(&random, buffer, size);
        }
        write_frame(decoder, buffer, size, &lost);
        written++;
    }
    packed_encoder_destroy(encoder);
    packed_decoder_destroy(decoder);
    free(buffer);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
