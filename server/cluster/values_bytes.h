/* The inside of values.c: numbers and texts as bytes. A writer never writes behind its end, and a
 * reader never reads behind its end. */
#ifndef VALUES_BYTES_H
#define VALUES_BYTES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cluster/node.h"
#include "cluster/versions.h"
#include "cluster/wire.h"
#include "text.h"

/* ---- writing ---- */

struct writing {
    uint8_t *bytes;
    size_t size, capacity;
    bool full;
};

static inline void write_uint(struct writing *writing, uint64_t value, size_t size)
{
    if (writing->full || writing->capacity - writing->size < size) {
        writing->full = true;
        return;
    }
    for (size_t i = 0; i < size; i++) {
        writing->bytes[writing->size++] = (uint8_t)(value >> (8 * i));
    }
}

/* Writes a text of up to 255 bytes. */
static inline void write_text(struct writing *writing, const char *text)
{
    const size_t size = strlen(text);

    assert(size <= UINT8_MAX);
    write_uint(writing, size, 1);
    if (writing->full || writing->capacity - writing->size < size) {
        writing->full = true;
        return;
    }
    memcpy(writing->bytes + writing->size, text, size);
    writing->size += size;
}

static inline struct writing begin_writing(uint8_t *bytes, size_t capacity, uint8_t kind)
{
    struct writing writing = {.capacity = capacity};

    writing.bytes = bytes;
    write_uint(&writing, kind, 1);
    write_uint(&writing, version_of_messages(), 1);
    return writing;
}

static inline size_t end_writing(const struct writing *writing)
{
    assert(!writing->full);
    return writing->size;
}

/* ---- reading ---- */

struct reading {
    const uint8_t *bytes;
    size_t left;
    bool damaged;
};

static inline uint64_t read_uint(struct reading *reading, size_t size, uint64_t most)
{
    uint64_t value = 0;

    if (reading->damaged || reading->left < size) {
        reading->damaged = true;
        return 0;
    }
    for (size_t i = 0; i < size; i++) {
        value |= (uint64_t)reading->bytes[i] << (8 * i);
    }
    reading->bytes += size;
    reading->left -= size;
    reading->damaged |= value > most;
    return value <= most ? value : 0;
}

static inline bool read_flag(struct reading *reading)
{
    return read_uint(reading, 1, 1) != 0;
}

/* Reads a text of up to `most` bytes into `text`, which has one more. */
static inline void read_text(struct reading *reading, char *text, size_t most)
{
    const size_t size = read_uint(reading, 1, most);

    text[0] = '\0';
    if (reading->damaged || reading->left < size ||
        !text_clean((const char *)reading->bytes, size) ||
        memchr(reading->bytes, '\0', size) != NULL) {
        reading->damaged = true;
        return;
    }
    memcpy(text, reading->bytes, size);
    text[size] = '\0';
    reading->bytes += size;
    reading->left -= size;
}

/* Reads a node's name; "" if it may be empty. */
static inline void read_node(struct reading *reading, char name[NODE_NAME_MAX + 1])
{
    read_text(reading, name, NODE_NAME_MAX);
    reading->damaged |= !node_name_is_valid(name);
}

static inline void read_code(struct reading *reading, char code[PROTO_ROOM_MAX + 1])
{
    read_text(reading, code, PROTO_ROOM_MAX);
    reading->damaged = reading->damaged || !wire_code_is_valid(code);
}

static inline struct reading begin_reading(const uint8_t *bytes, size_t size, uint8_t kind)
{
    struct reading reading = {.bytes = bytes, .left = size};

    reading.damaged = read_uint(&reading, 1, UINT8_MAX) != kind ||
                      read_uint(&reading, 1, UINT8_MAX) != version_of_messages();
    return reading;
}

/* Returns whether all fields were read. Bytes after them are of a later release. */
static inline bool end_reading(const struct reading *reading)
{
    return !reading->damaged;
}

/* Returns the reading of the next bytes, which are skipped. */
static inline struct reading read_part(struct reading *reading, size_t size)
{
    struct reading part = {.bytes = reading->bytes, .left = size};

    if (reading->damaged || reading->left < size) {
        reading->damaged = true;
        return (struct reading){.damaged = true};
    }
    reading->bytes += size;
    reading->left -= size;
    return part;
}

static inline enum node_role read_role(struct reading *reading)
{
    const enum node_role role = (enum node_role)read_uint(reading, 1, NODE_BOTH);

    reading->damaged |= role == 0;
    return role;
}

#endif
