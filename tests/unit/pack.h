/* Writes MessagePack for the protocol's tests, with one letter per value. A test can so send bytes
 * that no encoder writes. */
#ifndef TEST_PACK_H
#define TEST_PACK_H

#include "protocol.h"

#include <assert.h>
#include <msgpack.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

/* Expands to the bytes of a string literal and their number. */
#define RAW(bytes) (bytes), sizeof(bytes) - 1

struct packed {
    uint8_t bytes[PROTO_STATE_MAX];
    size_t size;
};

static inline int packed_append(void *data, const char *bytes, size_t size)
{
    struct packed *packed = data;

    assert(size <= sizeof packed->bytes - packed->size);
    memcpy(packed->bytes + packed->size, bytes, size);
    packed->size += size;
    return 0;
}

/* A: array, M: map (int: how many) · u: unsigned · U: uint64_t · i: int64_t · d: double · f: float
 * as float 32 · s: const char * as str · S: const char *, size_t as str · b: const void *, size_t
 * as bin · n: nil · T, F: true, false · x: an ext of one byte. Returns storage that the next call
 * overwrites. */
static inline const struct packed *pack(const char *format, ...)
{
    static struct packed packed;
    msgpack_packer pk;
    va_list args;

    packed.size = 0;
    msgpack_packer_init(&pk, &packed, packed_append);
    va_start(args, format);
    for (const char *c = format; *c != '\0'; c++) {
        const char *text;
        size_t size;
        switch (*c) {
        case 'A':
            msgpack_pack_array(&pk, (size_t)va_arg(args, int));
            break;
        case 'M':
            msgpack_pack_map(&pk, (size_t)va_arg(args, int));
            break;
        case 'u':
            msgpack_pack_uint64(&pk, va_arg(args, unsigned));
            break;
        case 'U':
            msgpack_pack_uint64(&pk, va_arg(args, uint64_t));
            break;
        case 'i':
            msgpack_pack_int64(&pk, va_arg(args, int64_t));
            break;
        case 'd':
            msgpack_pack_double(&pk, va_arg(args, double));
            break;
        case 'f':
            msgpack_pack_float(&pk, (float)va_arg(args, double));
            break;
        case 's':
            text = va_arg(args, const char *);
            msgpack_pack_str_with_body(&pk, text, strlen(text));
            break;
        case 'S':
        case 'b':
            text = va_arg(args, const char *);
            size = va_arg(args, size_t);
            if (*c == 'S') {
                msgpack_pack_str_with_body(&pk, text, size);
            } else {
                msgpack_pack_bin_with_body(&pk, text, size);
            }
            break;
        case 'n':
            msgpack_pack_nil(&pk);
            break;
        case 'T':
            msgpack_pack_true(&pk);
            break;
        case 'F':
            msgpack_pack_false(&pk);
            break;
        case 'x':
            msgpack_pack_ext_with_body(&pk, "", 1, 5);
            break;
        default:
            assert(false && "a letter that pack() knows");
        }
    }
    va_end(args);
    return &packed;
}

#endif
