/* What a flock, a room or a recording is, as bytes: how they begin, and how they are known to be
 * whole.
 *
 * A head of SAVED_HEAD bytes, then one MessagePack map. The head: 6 bytes "flock" and 0x1a, the
 * kind (1 byte), the version (1 byte), and a CRC-32 (zlib's) of all that follows it, little-endian.
 * Numbers of many boids are MessagePack bins of little-endian words. Times are ages, so that they
 * mean the same in any process. */
#ifndef SAVED_H
#define SAVED_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader.h"

#define SAVED_HEAD    12u
#define SAVED_VERSION 1u
#define SAVED_MAX     (64u << 20) /* bytes: a room of a million boids has half of that */

enum saved_kind { SAVED_FLOCK = 'F', SAVED_ROOM = 'R', SAVED_RECORDING = 'H' };

/* Bytes in the making; saved_begin() starts them with the head. Whatever does not fit into memory
 * makes them fail, and the rest is not written. */
#define SAVED_DEPTH 4u /* maps within maps */

struct saved {
    msgpack_packer packer;
    uint8_t *bytes;
    size_t size, capacity;
    bool failed;
    uint32_t depth; /* of open maps: where each begins, and how many pairs it has */
    size_t map_at[SAVED_DEPTH];
    uint16_t map_pairs[SAVED_DEPTH];
};

/* expected: bytes that they will have, about. */
void saved_begin(struct saved *saved, enum saved_kind kind, size_t expected);

/* The bytes, which are the caller's to free, and *size, of which there is no more memory than that;
 * NULL when memory ran out. They lack the checksum. */
uint8_t *saved_end(struct saved *saved, size_t *size);

/* Puts in the checksum, which takes about as long as copying the bytes: any thread. */
void saved_seal(uint8_t *bytes, size_t size);

/* Opens a map; key NULL: it is the root or an element of an array. All pairs up to the matching
 * saved_map_end() are its own; the writer counts them. */
void saved_map(struct saved *saved, const char *key);
void saved_map_end(struct saved *saved);

/* Writes a key of the open map and its value. */
void saved_array(struct saved *saved, const char *key, size_t count);
void saved_uint(struct saved *saved, const char *key, uint64_t value);
void saved_float(struct saved *saved, const char *key, float value);
void saved_bool(struct saved *saved, const char *key, bool value);
void saved_text(struct saved *saved, const char *key, const char *text);
void saved_bin(struct saved *saved, const char *key, const void *bytes, size_t size);

/* Where saved bytes are read: what was wrong first, if anything. */
struct saved_reader {
    struct reader reader;
    struct proto_error error;
    msgpack_zone zone;
};

/* Whether they begin as bytes of that kind do. */
bool saved_is(enum saved_kind kind, const uint8_t *bytes, size_t size);

/* Checks the head and parses the rest. NULL if they are not whole, or of another kind or version:
 * saved_problem() says so. values_max: that there may be, keys among them. saved_close() is due
 * either way. */
const msgpack_object_map *saved_open(struct saved_reader *reader, enum saved_kind kind,
                                     const uint8_t *bytes, size_t size, size_t values_max);
void saved_close(struct saved_reader *reader);

/* Notes what is wrong with `field`, unless something was before. */
void saved_fail(struct saved_reader *reader, const char *field, const char *what);

bool saved_failed(const struct saved_reader *reader);

/* "field: what", cut to the size. */
void saved_problem(const struct saved_reader *reader, char *out, size_t size);

/* A bin of exactly `count` words of 4 bytes, copied into the reader's memory, and so aligned; NULL
 * if it is none of that size, or memory runs out. */
const void *saved_read_words(struct saved_reader *reader, const msgpack_object_map *map,
                             const char *key, size_t count);

/* The index of the word that the key has, among those of word(), which ends with NULL; 0, and the
 * reader fails, if it is none of them. */
size_t saved_read_word(struct saved_reader *reader, const msgpack_object_map *map, const char *key,
                       const char *(*word)(size_t index));

/* A line that people can be shown, into `size` bytes with its end. */
void saved_read_text(struct saved_reader *reader, const msgpack_object_map *map, const char *key,
                     char *out, size_t size);

#endif
