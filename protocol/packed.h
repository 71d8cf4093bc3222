/* The boids of a packed snapshot (PROTOCOL.md, Packed boids): an encoder for each stream of
 * snapshots and a decoder for each connection. Both remember every boid's position and last
 * movement, so only its difference from the expected position travels.
 *
 * Positions have the bytes of a plain snapshot, 4 each (proto_put_position()); decoding restores
 * them exactly. The caller owns what it creates; one thread at a time. Only the functions that
 * create, and packed_decode(), allocate. */
#ifndef PACKED_H
#define PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKED_HEADER_SIZE 20u
#define PACKED_BLOCK       64u /* boids that share the widths of their residuals */

struct packed_encoder;

/* The boids of one snapshot. In a torus a coordinate comes around after `period` steps; 0, 0: no
 * torus. A position may be at most one turn outside the torus. */
struct packed_boids {
    const uint8_t *positions; /* 4 bytes each */
    const uint8_t *headings;  /* 1 byte each, 256ths of a turn from +x toward +y */
    uint32_t count;
    uint16_t period_x, period_y; /* steps, 0 to 16,384 */
};

/* Returns the bytes of an encoder's memory. */
size_t packed_encoder_bytes(uint32_t boids_max);

/* Returns an encoder of at most boids_max boids; NULL when memory runs out. destroy takes NULL. */
struct packed_encoder *packed_encoder_create(uint32_t boids_max);
void packed_encoder_destroy(struct packed_encoder *encoder);

/* Threads that a caller lends: run(pool, task, context, parts) calls task(context, part) for every
 * part from 0 to parts - 1, each once and on any thread, and returns when all are done. */
struct packed_threads {
    void (*run)(void *pool, void (*task)(void *context, uint32_t part), void *context,
                uint32_t parts);
    void *pool;
};

/* From now on the encoder uses these threads for snapshots of more than 32,768 boids. NULL: the
 * caller's thread alone. The bytes are the same. */
void packed_lend(struct packed_encoder *encoder, const struct packed_threads *threads);

/* Takes the stream's next snapshot; reads `boids` here and in packed_put_key(). `restart`: boid i
 * is not boid i of the last snapshot, so no delta is possible. */
void packed_next(struct packed_encoder *encoder, const struct packed_boids *boids, bool restart);

/* Returns the number of snapshots taken, which is the last one's sequence. */
uint32_t packed_sequence(const struct packed_encoder *encoder);

/* Write the last snapshot as a delta or as a keyframe. The buffer holds packed_bound() bytes for
 * its boids. Return the size; packed_put_delta() returns 0 when no delta is possible. */
size_t packed_put_delta(const struct packed_encoder *encoder, uint8_t *buffer);
size_t packed_put_key(const struct packed_encoder *encoder, const struct packed_boids *boids,
                      uint8_t *buffer);

/* Returns the bytes that the encoder needs to write a snapshot of `count` boids. */
size_t packed_bound(uint32_t count);

/* The most bytes of a valid snapshot of `count` boids, of any encoder. */
#define PACKED_MAX(count) (PACKED_HEADER_SIZE + 14 * (size_t)(count))

struct packed_decoder;

struct packed_decoder *packed_decoder_create(void);
void packed_decoder_destroy(struct packed_decoder *decoder);

enum packed_result {
    PACKED_OK,
    PACKED_LOST,      /* a delta to an unknown snapshot; ignored, a keyframe must come */
    PACKED_MALFORMED, /* invalid; ignored, a keyframe must come */
    PACKED_NO_MEMORY, /* ignored, a keyframe must come */
};

/* Decodes the boids of a packed snapshot, of at most PROTO_BOIDS_MAX. */
enum packed_result packed_decode(struct packed_decoder *decoder, const uint8_t *data, size_t size);

/* Return the boids of the last decoded snapshot: positions, 4 bytes each; and a keyframe's
 * headings, 1 byte each, or NULL after a delta. Valid until the next packed_decode(). */
uint32_t packed_count(const struct packed_decoder *decoder);
const uint8_t *packed_positions(const struct packed_decoder *decoder);
const uint8_t *packed_headings(const struct packed_decoder *decoder);

#endif
