/* The boids of a packed snapshot (PROTOCOL.md, Packed boids): an encoder for each stream of
 * snapshots and a decoder for each connection, which both remember every boid's place and last
 * movement, so that only how far it strayed from where it was expected has to travel.
 *
 * Positions are those of a plain snapshot, 4 bytes each (proto_put_position()), and come out as
 * they went in. Whoever creates an encoder or decoder owns it; one thread at a time. Nothing is
 * allocated but by the functions that create. */
#ifndef PACKED_H
#define PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKED_HEADER_SIZE 20u
#define PACKED_BLOCK       64u /* boids that share the widths of their residuals */

struct packed_encoder;

/* The boids of one snapshot. A torus' position comes around after `period` steps of a coordinate;
 * 0, 0: there is no torus. In one, no position is more than one turn off. */
struct packed_boids {
    const uint8_t *positions; /* 4 bytes each */
    const uint8_t *headings;  /* 1 byte each, 256ths of a turn from +x toward +y */
    uint32_t count;
    uint16_t period_x, period_y; /* steps, 0 to 16,384 */
};

/* For at most that many boids. NULL when memory runs out; destroy takes NULL. */
struct packed_encoder *packed_encoder_create(uint32_t boids_max);
void packed_encoder_destroy(struct packed_encoder *encoder);

/* Threads that somebody lends: run(pool, task, context, parts) calls task(context, part) for every
 * part from 0 to parts - 1, each once and on any thread, and returns when all are done. */
struct packed_threads {
    void (*run)(void *pool, void (*task)(void *context, uint32_t part), void *context,
                uint32_t parts);
    void *pool;
};

/* From now on the encoder uses these threads for snapshots of more than 32,768 boids. NULL: the
 * caller's thread alone. The bytes are the same. */
void packed_lend(struct packed_encoder *encoder, const struct packed_threads *threads);

/* Takes the stream's next snapshot; `boids` is read here and by packed_put_key(). `restart`: the
 * boids are not those of the snapshot before, which makes a delta impossible. */
void packed_next(struct packed_encoder *encoder, const struct packed_boids *boids, bool restart);

/* The snapshots taken so far; the one taken last has this number. */
uint32_t packed_sequence(const struct packed_encoder *encoder);

/* Write the snapshot taken last, as what has changed, or so that it stands alone. The buffer holds
 * packed_bound() bytes of that many boids. Return the size; packed_put_delta() 0 when there is
 * nothing that this one could be a delta to. */
size_t packed_put_delta(const struct packed_encoder *encoder, uint8_t *buffer);
size_t packed_put_key(const struct packed_encoder *encoder, const struct packed_boids *boids,
                      uint8_t *buffer);

/* What no snapshot of so many boids outgrows while the encoder writes it. */
size_t packed_bound(uint32_t count);

/* The most bytes that a snapshot of so many boids can have, whoever wrote it. */
#define PACKED_MAX(count) (PACKED_HEADER_SIZE + 14 * (size_t)(count))

struct packed_decoder;

struct packed_decoder *packed_decoder_create(void);
void packed_decoder_destroy(struct packed_decoder *decoder);

enum packed_result {
    PACKED_OK,
    PACKED_LOST, /* a delta to a snapshot that the decoder does not have: a keyframe must come */
    PACKED_MALFORMED, /* not what PROTOCOL.md says; it has been ignored, and a keyframe must come */
    PACKED_NO_MEMORY, /* as above */
};

/* Decodes the boids of a packed snapshot, of at most PROTO_BOIDS_MAX. */
enum packed_result packed_decode(struct packed_decoder *decoder, const uint8_t *data, size_t size);

/* What was decoded last: 4 bytes a boid; and of a keyframe its headings, 1 byte a boid, else NULL.
 * Valid until the next call. */
uint32_t packed_count(const struct packed_decoder *decoder);
const uint8_t *packed_positions(const struct packed_decoder *decoder);
const uint8_t *packed_headings(const struct packed_decoder *decoder);

#endif
