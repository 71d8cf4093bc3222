/* Writes a message, value by value, into the caller's buffer. Private to the codec. */
#ifndef PROTOCOL_PUT_H
#define PROTOCOL_PUT_H

#include "protocol.h"

#include <msgpack.h>
#include <string.h>

/* The buffer of a message. After the first bytes that do not fit it writes nothing. */
struct writer {
    msgpack_packer packer;
    uint8_t *buffer;
    size_t capacity, size;
    bool failed;
};

static inline int writer_append(void *data, const char *bytes, size_t size)
{
    struct writer *writer = data;

    if (writer->failed || size > writer->capacity - writer->size) {
        writer->failed = true;
        return -1;
    }
    if (size > 0) {
        memcpy(writer->buffer + writer->size, bytes, size);
        writer->size += size;
    }
    return 0;
}

static inline void put_uint(struct writer *w, uint64_t value)
{
    (void)msgpack_pack_uint64(&w->packer, value);
}

static inline void put_number(struct writer *w, float value)
{
    (void)msgpack_pack_float(&w->packer, value);
}

static inline void put_text(struct writer *w, const char *text)
{
    (void)msgpack_pack_str_with_body(&w->packer, text, strlen(text));
}

static inline void put_bin(struct writer *w, const uint8_t *bytes, size_t size)
{
    (void)msgpack_pack_bin_with_body(&w->packer, bytes, size);
}

static inline void put_nil(struct writer *w)
{
    (void)msgpack_pack_nil(&w->packer);
}

static inline void put_bool(struct writer *w, bool value)
{
    (void)(value ? msgpack_pack_true(&w->packer) : msgpack_pack_false(&w->packer));
}

static inline void put_array(struct writer *w, size_t count)
{
    (void)msgpack_pack_array(&w->packer, count);
}

static inline void put_numbers(struct writer *w, const float *values, uint32_t count)
{
    put_array(w, count);
    for (uint32_t i = 0; i < count; i++) {
        put_number(w, values[i]);
    }
}

static inline void put_map(struct writer *w, size_t count)
{
    (void)msgpack_pack_map(&w->packer, count);
}

/* Starts a message of `elements` elements; the type is the first. */
static inline void message_begin(struct writer *w, uint8_t *buffer, size_t capacity,
                                 size_t elements, enum proto_type type)
{
    *w = (struct writer){.capacity = capacity};
    w->buffer = buffer;
    msgpack_packer_init(&w->packer, w, writer_append);
    put_array(w, elements);
    put_uint(w, (uint64_t)type);
}

/* Returns the size of the message, or 0 if it does not fit. */
static inline size_t message_end(const struct writer *w)
{
    return w->failed ? 0 : w->size;
}

static inline void put_uint_or_nil(struct writer *w, uint32_t value, bool there)
{
    if (there) {
        put_uint(w, value);
    } else {
        put_nil(w);
    }
}

#endif
