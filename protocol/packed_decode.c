/* Packed boids, from bytes to positions. */
#include "packed.h"
#include "packed_bits.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "protocol.h"

struct packed_decoder {
    int16_t *place;          /* x, y of each boid, little-endian */
    int16_t *moved;          /* x, y of each boid, in the processor's byte order */
    const uint8_t *headings; /* of the caller's message */
    uint32_t count, capacity;
    uint32_t sequence;
    bool lost;
};

struct packed_decoder *packed_decoder_create(void)
{
    struct packed_decoder *decoder = calloc(1, sizeof *decoder);

    if (decoder != NULL) {
        decoder->lost = true;
    }
    return decoder;
}

void packed_decoder_destroy(struct packed_decoder *decoder)
{
    if (decoder != NULL) {
        free(decoder->place);
        free(decoder->moved);
        free(decoder);
    }
}

uint32_t packed_count(const struct packed_decoder *decoder)
{
    return decoder->count;
}

const uint8_t *packed_positions(const struct packed_decoder *decoder)
{
    return (const uint8_t *)decoder->place;
}

const uint8_t *packed_headings(const struct packed_decoder *decoder)
{
    return decoder->headings;
}

static bool enlarge(int16_t **array, uint32_t count)
{
    void *larger = realloc(*array, (size_t)count * PROTO_BOID_SIZE);

    if (larger == NULL) {
        return false;
    }
    *array = larger;
    return true;
}

static bool reserve(struct packed_decoder *decoder, uint32_t count)
{
    if (count <= decoder->capacity) {
        return true;
    }
    if (!enlarge(&decoder->place, count) || !enlarge(&decoder->moved, count)) {
        return false;
    }
    decoder->capacity = count;
    return true;
}

/* ---- bytes ---- */

static uint32_t get16(const uint8_t *at)
{
    return (uint32_t)(at[0] | at[1] << 8);
}

static uint32_t get32(const uint8_t *at)
{
    return get16(at) | get16(at + 2) << 16;
}

struct header {
    bool key;
    int32_t gain[2], shift[2], period[2];
    uint32_t sequence, count;
};

static bool read_header(struct header *header, const uint8_t *data, size_t size)
{
    if (size < PACKED_HEADER_SIZE || data[0] > PACKED_KEY) {
        return false;
    }
    header->key = data[0] == PACKED_KEY;
    header->sequence = get32(data + 4);
    header->count = get32(data + 8);
    for (int i = 0; i < 2; i++) {
        header->gain[i] = (data[2 + i] ^ 0x80) - 0x80; /* an int8 */
        header->period[i] = (int32_t)get16(data + 12 + 2 * i);
        header->shift[i] = (int16_t)get16(data + 16 + 2 * i);
        if (header->period[i] > (int32_t)PROTO_PERIOD_MAX) {
            return false;
        }
    }
    return header->count <= PROTO_BOIDS_MAX;
}

#define REFILL     56 /* bits */
#define PAIR_WIDTH 8u /* up to this width a residual leaves 32 bits for a second one */

_Static_assert(REFILL - PACKED_ESCAPE - PAIR_WIDTH >= 32, "two residuals after one refill");

struct bits {
    const uint8_t *at, *end;
    uint64_t waiting; /* the next `count` bits; after the end 0s */
    int count;        /* below 0: more bits were taken than the message has */
};

/* Loads bits until at least REFILL wait, or all that are left. */
static inline void refill(struct bits *bits)
{
    if (bits->end - bits->at >= 8) {
        uint64_t bytes;
        memcpy(&bytes, bits->at, sizeof bytes);
        bits->waiting |= le64toh(bytes) << bits->count;
        bits->at += (63 - bits->count) / 8;
        bits->count |= REFILL;
        return;
    }
    while (bits->count <= REFILL && bits->at < bits->end) {
        bits->waiting |= (uint64_t)*bits->at++ << bits->count;
        bits->count += 8;
    }
}

static inline void take(struct bits *bits, unsigned count)
{
    bits->waiting >>= count;
    bits->count -= (int)count;
}

/* Must be called with at least 32 bits waiting, or all that are left. Refills if it takes more than
 * PACKED_ESCAPE + width. */
static inline uint16_t get_residual(struct bits *bits, unsigned width)
{
    uint16_t value;

    if ((bits->waiting & ((1u << PACKED_ESCAPE) - 1)) == 0) {
        value = (uint16_t)(bits->waiting >> PACKED_ESCAPE);
        take(bits, PACKED_ESCAPE + 16);
        refill(bits);
        return value;
    }
    const unsigned quotient = (unsigned)__builtin_ctzll(bits->waiting);
    const uint32_t low = (uint32_t)(bits->waiting >> quotient) >> 1 & ((1u << width) - 1);
    take(bits, quotient + (width + 1));
    return (uint16_t)(quotient << width | low);
}

static inline int32_t unzigzag(uint32_t value)
{
    return (int32_t)(value >> 1) ^ -(int32_t)(value & 1);
}

/* Reads the residuals of one coordinate of a block. */
static void get_block(struct bits *from, uint16_t residuals[PACKED_BLOCK], uint32_t count)
{
    struct bits bits = *from; /* in registers */
    unsigned width;
    uint32_t i = 0;

    refill(&bits);
    width = (unsigned)bits.waiting & ((1u << PACKED_WIDTH_BITS) - 1);
    take(&bits, PACKED_WIDTH_BITS);
    if (width > PACKED_RICE_MAX) {
        memset(residuals, 0, count * sizeof *residuals);
        i = count;
    }
    for (; i + 1 < count && width <= PAIR_WIDTH; i += 2) {
        refill(&bits);
        residuals[i] = get_residual(&bits, width);
        residuals[i + 1] = get_residual(&bits, width);
    }
    for (; i < count; i++) {
        refill(&bits);
        residuals[i] = get_residual(&bits, width);
    }
    *from = bits;
}

/* Turns each boid's last movement into its next one. */
static void move_block(int16_t *restrict moved, uint16_t residuals[2][PACKED_BLOCK], uint32_t count,
                       const struct header *header)
{
    const int32_t shift[] = {header->shift[0], header->shift[1]};
    const int32_t gain[] = {header->gain[0], header->gain[1]};

    for (size_t i = 0; i < count; i++) {
        int16_t *to = moved + 2 * i;
        to[0] = (int16_t)(packed_expect(shift[0], gain[0], to[0]) + unzigzag(residuals[0][i]));
        to[1] = (int16_t)(packed_expect(shift[1], gain[1], to[1]) + unzigzag(residuals[1][i]));
    }
}

/* Returns the first byte after the residuals, or NULL if the message ends within them. */
static const uint8_t *get_residuals(const uint8_t *at, const uint8_t *end,
                                    const struct header *header, int16_t *moved, uint32_t count)
{
    struct bits bits = {.at = at, .end = end};

    for (uint32_t first = 0; first < count && bits.count >= 0; first += PACKED_BLOCK) {
        const uint32_t size = count - first < PACKED_BLOCK ? count - first : PACKED_BLOCK;
        uint16_t residuals[2][PACKED_BLOCK];
        get_block(&bits, residuals[0], size);
        get_block(&bits, residuals[1], size);
        move_block(moved + 2 * (size_t)first, residuals, size, header);
    }
    return bits.count < 0 ? NULL : bits.at - bits.count / 8;
}

static inline int16_t moved_to(int16_t place, int16_t moved, int16_t period)
{
    const int16_t to = (int16_t)((int16_t)le16toh((uint16_t)place) + moved);

    return (int16_t)htole16((uint16_t)packed_around(to, period));
}

static void move_boids(int16_t *restrict place, const int16_t *restrict moved, uint32_t count,
                       const struct header *header)
{
    const int16_t period[] = {(int16_t)header->period[0], (int16_t)header->period[1]};

    for (size_t i = 0; i < 2 * (size_t)count; i += 2) {
        place[i] = moved_to(place[i], moved[i], period[0]);
        place[i + 1] = moved_to(place[i + 1], moved[i + 1], period[1]);
    }
}

static bool decode_delta(struct packed_decoder *decoder, const struct header *header,
                         const uint8_t *at, const uint8_t *end)
{
    const uint32_t common = header->count < decoder->count ? header->count : decoder->count;
    const uint32_t added = header->count - common;

    at = get_residuals(at, end, header, decoder->moved, common);
    if (at == NULL || (size_t)(end - at) != (size_t)added * PROTO_BOID_SIZE) {
        return false;
    }
    move_boids(decoder->place, decoder->moved, common, header);
    if (added == 0) {
        return true;
    }
    memcpy(decoder->place + 2 * (size_t)common, at, (size_t)added * PROTO_BOID_SIZE);
    memset(decoder->moved + 2 * (size_t)common, 0, (size_t)added * PROTO_BOID_SIZE);
    return true;
}

static bool decode_key(struct packed_decoder *decoder, const struct header *header,
                       const uint8_t *at, const uint8_t *end)
{
    const size_t places = (size_t)header->count * PROTO_BOID_SIZE;
    const size_t fixed = places + header->count;

    if ((size_t)(end - at) < fixed) {
        return false;
    }
    if (header->count == 0) {
        return at == end;
    }
    memset(decoder->moved, 0, places);
    if (get_residuals(at + fixed, end, header, decoder->moved, header->count) != end) {
        return false;
    }
    memcpy(decoder->place, at, places);
    decoder->headings = at + places;
    return true;
}

/* Whether a message of that size can hold the positions of all its new boids. */
static bool plausible(const struct packed_decoder *decoder, const struct header *header,
                      size_t size)
{
    const size_t each = PROTO_BOID_SIZE + (header->key ? 1 : 0);
    const uint32_t known = header->key ? 0 : decoder->count;

    return header->count <= known || (header->count - known) * each <= size - PACKED_HEADER_SIZE;
}

enum packed_result packed_decode(struct packed_decoder *decoder, const uint8_t *data, size_t size)
{
    const uint8_t *at = data + PACKED_HEADER_SIZE;
    struct header header;
    bool decoded;

    decoder->headings = NULL;
    if (!read_header(&header, data, size)) {
        decoder->lost = true;
        return PACKED_MALFORMED;
    }
    if (!header.key && (decoder->lost || header.sequence != decoder->sequence + 1)) {
        decoder->lost = true;
        return PACKED_LOST;
    }
    decoder->lost = true; /* unless all goes well */
    if (!plausible(decoder, &header, size)) {
        return PACKED_MALFORMED;
    }
    if (!reserve(decoder, header.count)) {
        return PACKED_NO_MEMORY;
    }
    decoded = header.key ? decode_key(decoder, &header, at, data + size)
                         : decode_delta(decoder, &header, at, data + size);
    if (!decoded) {
        return PACKED_MALFORMED;
    }
    decoder->lost = false;
    decoder->count = header.count;
    decoder->sequence = header.sequence;
    return PACKED_OK;
}
