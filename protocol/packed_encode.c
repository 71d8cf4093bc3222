/* Packed boids, from positions to bytes. */
#include "packed.h"
#include "packed_bits.h"

#include <assert.h>
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "protocol.h"

#define FIT_SAMPLE 2048u
#define PART_BOIDS (512 * PACKED_BLOCK) /* boids that a thread writes at a time */
#define PARTS_MAX  (PROTO_BOIDS_MAX / PART_BOIDS + 1)

/* One coordinate of all boids. */
struct axis {
    int16_t *place;
    int16_t *moved, *before; /* since the last snapshot; and between the two before it */
    int32_t period;
    int32_t shift; /* steps, an int16 */
    int32_t gain;  /* 64ths, an int8 */
};

struct packed_encoder {
    struct axis axis[2]; /* x, y */
    uint32_t boids_max;
    uint32_t count, common; /* boids; boids that the last snapshot had, too */
    uint32_t sequence;
    bool restarted;
    struct packed_threads threads; /* no threads if run is NULL */
    int16_t memory[];
};

size_t packed_encoder_bytes(uint32_t boids_max)
{
    const size_t arrays = 2 * 3;

    return sizeof(struct packed_encoder) + arrays * boids_max * sizeof(int16_t);
}

struct packed_encoder *packed_encoder_create(uint32_t boids_max)
{
    struct packed_encoder *encoder = calloc(1, packed_encoder_bytes(boids_max));
    int16_t *next;

    if (encoder == NULL) {
        return NULL;
    }
    next = encoder->memory;
    encoder->boids_max = boids_max;
    for (int i = 0; i < 2; i++, next += 3 * (size_t)boids_max) {
        encoder->axis[i].place = next;
        encoder->axis[i].moved = next + boids_max;
        encoder->axis[i].before = next + 2 * (size_t)boids_max;
    }
    return encoder;
}

void packed_encoder_destroy(struct packed_encoder *encoder)
{
    free(encoder);
}

void packed_lend(struct packed_encoder *encoder, const struct packed_threads *threads)
{
    encoder->threads = threads != NULL ? *threads : (struct packed_threads){0};
}

uint32_t packed_sequence(const struct packed_encoder *encoder)
{
    return encoder->sequence;
}

static inline uint16_t zigzag(int32_t value)
{
    const int16_t residual = (int16_t)value;

    return (uint16_t)((uint16_t)residual << 1 ^ (uint16_t)(residual >> 15));
}

/* Fits shift and gain by least squares of the residuals, over a sample of all boids. The sums are
 * exact: 4,096 products of 2^30 fit an int64_t. */
static void fit(struct axis *axis, uint32_t count)
{
    const uint32_t stride = count / FIT_SAMPLE + 1;
    const double n = count > 0 ? (count - 1) / stride + 1 : 1;
    int64_t sum_before = 0;
    int64_t sum_moved = 0;
    int64_t sum_product = 0;
    int64_t sum_square = 0;
    double gain = 0.0;

    for (uint32_t i = 0; i < count; i += stride) {
        const int32_t before = axis->before[i];
        const int32_t moved = axis->moved[i];
        sum_before += before;
        sum_moved += moved;
        sum_product += before * moved;
        sum_square += before * before;
    }
    const double before = (double)sum_before;
    const double moved = (double)sum_moved;
    const double variance = (double)sum_square - before * before / n;
    if (variance > 0.0) {
        gain = ((double)sum_product - moved * before / n) / variance * (1 << PACKED_GAIN_BITS);
    }
    gain = rint(fmin(fmax(gain, INT8_MIN), INT8_MAX));
    axis->gain = (int32_t)gain;
    gain /= 1 << PACKED_GAIN_BITS;
    axis->shift = (int32_t)fmin(fmax(rint((moved - gain * before) / n), INT16_MIN), INT16_MAX);
}

/* Stores each boid's new place, and how far it moved. */
static void move_to(int16_t *restrict place, int16_t *restrict moved,
                    const uint8_t *restrict positions, uint32_t count, int16_t period)
{
    for (uint32_t i = 0; i < count; i++) {
        int16_t next;
        memcpy(&next, positions + (size_t)PROTO_BOID_SIZE * i, sizeof next);
        next = packed_around((int16_t)le16toh((uint16_t)next), period);
        moved[i] = packed_around((int16_t)(next - place[i]), period);
        place[i] = next;
    }
}

static void axis_next(struct axis *axis, const uint8_t *positions, uint32_t count, uint32_t common)
{
    int16_t *swap = axis->before;

    axis->before = axis->moved;
    axis->moved = swap;
    move_to(axis->place, axis->moved, positions, count, (int16_t)axis->period);
    memset(axis->moved + common, 0, (count - common) * sizeof *axis->moved);
    fit(axis, common);
}

struct taking {
    struct packed_encoder *encoder;
    const uint8_t *positions;
    uint32_t count;
};

static void take_axis(void *context, uint32_t i)
{
    const struct taking *taking = context;

    axis_next(&taking->encoder->axis[i], taking->positions + (size_t)2 * i, taking->count,
              taking->encoder->common);
}

/* Whether several threads work on that many boids. */
static bool spreads(const struct packed_encoder *encoder, uint32_t count)
{
    return encoder->threads.run != NULL && count > PART_BOIDS && count <= PROTO_BOIDS_MAX;
}

void packed_next(struct packed_encoder *encoder, const struct packed_boids *boids, bool restart)
{
    const uint32_t count = boids->count < encoder->boids_max ? boids->count : encoder->boids_max;
    struct taking taking = {.encoder = encoder, .positions = boids->positions, .count = count};

    assert(boids->period_x <= PROTO_PERIOD_MAX && boids->period_y <= PROTO_PERIOD_MAX);
    encoder->restarted = restart || encoder->sequence == 0;
    encoder->common = encoder->restarted ? 0 : count < encoder->count ? count : encoder->count;
    encoder->axis[0].period = boids->period_x;
    encoder->axis[1].period = boids->period_y;
    if (spreads(encoder, count)) {
        encoder->threads.run(encoder->threads.pool, take_axis, &taking, 2);
    } else {
        take_axis(&taking, 0);
        take_axis(&taking, 1);
    }
    encoder->count = count;
    encoder->sequence++;
}

/* ---- bytes ---- */

static uint8_t *put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value & 0xff);
    at[1] = (uint8_t)(value >> 8 & 0xff);
    return at + 2;
}

static uint8_t *put32(uint8_t *at, uint32_t value)
{
    return put16(put16(at, value & 0xffff), value >> 16);
}

struct bits {
    uint8_t *at;      /* where the next whole byte goes; 8 bytes are written at a time */
    uint64_t waiting; /* `count` bits that do not fill a byte yet */
    unsigned count;
};

#define PUT_MAX 56u

/* At most PUT_MAX bits. */
static inline void put_bits(struct bits *bits, uint64_t value, unsigned count)
{
    bits->waiting |= value << bits->count;
    bits->count += count;
    const uint64_t bytes = htole64(bits->waiting);
    memcpy(bits->at, &bytes, sizeof bytes);
    bits->at += bits->count / 8;
    bits->waiting >>= bits->count & ~7u;
    bits->count &= 7;
}

/* Returns the first byte after the bits; the last byte's unused bits are 0. */
static uint8_t *bits_end(const struct bits *bits)
{
    return bits->at + (bits->count > 0);
}

/* Returns the width that makes a block of residuals shortest. For a geometric distribution it is
 * about the logarithm of the mean, less a half. */
static unsigned width_of(const uint16_t *residuals, uint32_t count)
{
    uint32_t sum = 0;
    uint32_t longer = 0;
    unsigned width = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += residuals[i];
    }
    if (sum == 0) {
        return PACKED_RICE_MAX + 1;
    }
    while (width < PACKED_RICE_MAX && sum >> (width + 1) >= count) {
        width++;
    }
    if (width == 0) {
        return 0;
    }
    /* A width smaller by 1 saves a bit of each residual, and makes quotients longer by `longer`. */
    for (uint32_t i = 0; i < count; i++) {
        longer += ((uint32_t)(residuals[i] >> (width - 1)) + 1) / 2;
    }
    return longer < count ? width - 1 : width;
}

/* A block's residuals, taken apart. */
struct parts {
    uint16_t quotient[PACKED_BLOCK];
    uint16_t low[PACKED_BLOCK]; /* the low bits, after the 1 that ends the quotient's zeros */
};

/* Bits to be written: a residual has at most 32. */
struct code {
    uint64_t bits;
    unsigned count;
};

static inline struct code code_of(const struct parts *parts, uint32_t i, unsigned width)
{
    const unsigned quotient = parts->quotient[i];
    const uint64_t low = parts->low[i];

    if (quotient >= PACKED_ESCAPE) {
        return (struct code){((uint64_t)quotient << width | low >> 1) << PACKED_ESCAPE,
                             PACKED_ESCAPE + 16};
    }
    return (struct code){low << quotient, quotient + 1 + width};
}

static inline struct code joined(struct code first, struct code last)
{
    return (struct code){first.bits | last.bits << first.count, first.count + last.count};
}

static void put_block(struct bits *bits, const uint16_t residuals[PACKED_BLOCK], uint32_t count)
{
    const unsigned width = width_of(residuals, count);
    const uint16_t mask = (uint16_t)((1u << width) - 1);
    struct bits to = *bits; /* in registers */
    struct parts parts;
    uint32_t i = 0;

    put_bits(&to, width, PACKED_WIDTH_BITS);
    if (width > PACKED_RICE_MAX) {
        count = 0;
    }
    for (uint32_t j = 0; j < count; j++) {
        parts.quotient[j] = (uint16_t)(residuals[j] >> width);
        parts.low[j] = (uint16_t)((residuals[j] & mask) * 2 + 1);
    }
    for (; i + 3 < count; i += 4) {
        const struct code four[] = {code_of(&parts, i, width), code_of(&parts, i + 1, width),
                                    code_of(&parts, i + 2, width), code_of(&parts, i + 3, width)};
        const struct code first = joined(four[0], four[1]);
        const struct code last = joined(four[2], four[3]);
        if (first.count + last.count <= PUT_MAX) {
            const struct code all = joined(first, last);
            put_bits(&to, all.bits, all.count);
            continue;
        }
        for (int j = 0; j < 4; j++) {
            put_bits(&to, four[j].bits, four[j].count);
        }
    }
    for (; i < count; i++) {
        const struct code code = code_of(&parts, i, width);
        put_bits(&to, code.bits, code.count);
    }
    *bits = to;
}

/* Fills the residuals of count boids. In a keyframe no movement is expected. */
static void residuals_of(const struct axis *axis, bool key, uint32_t first, uint32_t count,
                         uint16_t residuals[PACKED_BLOCK])
{
    const int16_t *moved = axis->moved + first;
    const int16_t *before = axis->before + first;
    const int32_t shift = axis->shift;
    const int32_t gain = axis->gain;

    if (key) {
        for (uint32_t i = 0; i < count; i++) {
            residuals[i] = zigzag(moved[i]);
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        residuals[i] = zigzag(moved[i] - packed_expect(shift, gain, before[i]));
    }
}

/* Writes the boids from `first`, which begins a block, up to end. */
static void put_blocks(struct bits *bits, const struct packed_encoder *encoder, bool key,
                       uint32_t first, uint32_t end)
{
    for (; first < end; first += PACKED_BLOCK) {
        const uint32_t size = end - first < PACKED_BLOCK ? end - first : PACKED_BLOCK;
        for (int i = 0; i < 2; i++) {
            uint16_t residuals[PACKED_BLOCK];
            residuals_of(&encoder->axis[i], key, first, size, residuals);
            put_block(bits, residuals, size);
        }
    }
}

/* Returns the most bytes that the residuals of `count` boids take while they are written: 18 bits
 * each on average, the widths, and 8 bytes that put_bits() writes beyond the end. With a width of
 * 14, a residual has 15 bits and a quotient of at most 3. With a smaller width the mean is less
 * than 2^(width + 1), so the average is shorter. */
static size_t residuals_bound(uint32_t count)
{
    const size_t blocks = (count + PACKED_BLOCK - 1) / PACKED_BLOCK;

    return ((size_t)count * 2 * 18 + 7) / 8 + blocks + sizeof(uint64_t);
}

/* Residuals written by several threads. Each part starts at a whole byte, residuals_bound() of a
 * part after the part before. */
struct writing {
    const struct packed_encoder *encoder;
    uint8_t *at;
    uint32_t count;
    bool key;
    struct bits ends[PARTS_MAX]; /* where each part ends */
};

static uint8_t *part_begin(const struct writing *writing, uint32_t part)
{
    return writing->at + part * residuals_bound(PART_BOIDS);
}

static void put_part(void *context, uint32_t part)
{
    struct writing *writing = context;
    const uint32_t first = part * PART_BOIDS;
    const uint32_t left = writing->count - first;
    struct bits bits = {.at = part_begin(writing, part)};

    put_blocks(&bits, writing->encoder, writing->key, first,
               first + (left < PART_BOIDS ? left : PART_BOIDS));
    writing->ends[part] = bits;
}

/* Appends the bits between `from` and `end`. put_bits() writes 8 bytes at a time, so `from` must be
 * at least 8 bytes ahead: no bit is overwritten before it is read. */
static void append(struct bits *bits, const uint8_t *from, const struct bits *end)
{
    const unsigned step = PUT_MAX;
    size_t left = (size_t)(end->at - from) * 8 + end->count;

    assert(from - bits->at >= (ptrdiff_t)sizeof(uint64_t));

    while (left > 0) {
        const unsigned count = left < step ? (unsigned)left : step;
        uint64_t bytes;
        memcpy(&bytes, from, sizeof bytes);
        put_bits(bits, le64toh(bytes) & (((uint64_t)1 << count) - 1), count);
        from += step / 8;
        left -= count;
    }
}

static uint8_t *put_parts(uint8_t *at, const struct packed_encoder *encoder, bool key,
                          uint32_t count)
{
    struct writing writing = {.encoder = encoder, .count = count, .key = key};
    const uint32_t parts = (count + PART_BOIDS - 1) / PART_BOIDS;

    assert(parts <= PARTS_MAX);
    writing.at = at;
    encoder->threads.run(encoder->threads.pool, put_part, &writing, parts);
    for (uint32_t part = 1; part < parts; part++) {
        append(&writing.ends[0], part_begin(&writing, part), &writing.ends[part]);
    }
    return bits_end(&writing.ends[0]);
}

static uint8_t *put_residuals(uint8_t *at, const struct packed_encoder *encoder, bool key,
                              uint32_t count)
{
    struct bits bits = {.at = at};

    if (spreads(encoder, count)) {
        return put_parts(at, encoder, key, count);
    }
    put_blocks(&bits, encoder, key, 0, count);
    return bits_end(&bits);
}

static uint8_t *put_header(uint8_t *at, const struct packed_encoder *encoder, bool key)
{
    const struct axis *x = &encoder->axis[0];
    const struct axis *y = &encoder->axis[1];

    *at++ = key ? PACKED_KEY : 0;
    *at++ = 0;
    *at++ = key ? 0 : (uint8_t)x->gain;
    *at++ = key ? 0 : (uint8_t)y->gain;
    at = put32(at, encoder->sequence);
    at = put32(at, encoder->count);
    at = put16(at, (uint32_t)x->period);
    at = put16(at, (uint32_t)y->period);
    at = put16(at, key ? 0 : (uint16_t)x->shift);
    return put16(at, key ? 0 : (uint16_t)y->shift);
}

/* The positions of the boids from `first` on. */
static uint8_t *put_positions(uint8_t *at, const struct packed_encoder *encoder, uint32_t first)
{
    for (uint32_t i = first; i < encoder->count; i++) {
        at = put16(at, (uint16_t)encoder->axis[0].place[i]);
        at = put16(at, (uint16_t)encoder->axis[1].place[i]);
    }
    return at;
}

size_t packed_put_delta(const struct packed_encoder *encoder, uint8_t *buffer)
{
    uint8_t *at;

    if (encoder->restarted) {
        return 0;
    }
    at = put_header(buffer, encoder, false);
    at = put_residuals(at, encoder, false, encoder->common);
    at = put_positions(at, encoder, encoder->common);
    assert((size_t)(at - buffer) <= packed_bound(encoder->count));
    return (size_t)(at - buffer);
}

size_t packed_put_key(const struct packed_encoder *encoder, const struct packed_boids *boids,
                      uint8_t *buffer)
{
    uint8_t *at = put_header(buffer, encoder, true);

    assert(boids->count >= encoder->count);
    at = put_positions(at, encoder, 0);
    memcpy(at, boids->headings, encoder->count);
    at += encoder->count;
    at = put_residuals(at, encoder, true, encoder->count);
    assert((size_t)(at - buffer) <= packed_bound(encoder->count));
    return (size_t)(at - buffer);
}

size_t packed_bound(uint32_t count)
{
    /* A position, a heading and two residuals a boid; 8 bytes for each thread's part. */
    return PACKED_HEADER_SIZE + (size_t)count * (PROTO_BOID_SIZE + 1) + residuals_bound(count) +
           count / PART_BOIDS * sizeof(uint64_t);
}
