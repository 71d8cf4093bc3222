/* The bytes of a saved flock, room or recording: a head of SAVED_HEAD bytes, then one MessagePack
 * map.
 *
 * The head is 6 bytes "flock" and 0x1a, the kind (1 byte), the version (1 byte), and a CRC-32
 * (zlib's) of all bytes after it, little-endian. Numbers of many boids are MessagePack bins of
 * little-endian words. */
#ifndef SAVED_H
#define SAVED_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader.h"

#define SAVED_HEAD    12u
#define SAVED_VERSION 1u
#define SAVED_MAX     (64u << 20) /* bytes: a scene of a million boids has half as many */

enum saved_kind { SAVED_FLOCK = 'F', SAVED_ROOM = 'R', SAVED_RECORDING = 'H' };

#define SAVED_DEPTH 4u /* maps within maps */

struct saved {
    msgpack_packer packer;
    uint8_t *bytes;
    size_t size, capacity;
    bool failed;
    uint32_t depth; /* of open maps; for each, where it begins and how many pairs it has */
    size_t map_at[SAVED_DEPTH];
    uint16_t map_pairs[SAVED_DEPTH];
};

/* Starts the bytes with the head. When memory runs out, nothing more is written and saved_end()
 * returns NULL. expected: about how many bytes there will be. */
void saved_begin(struct saved *saved, enum saved_kind kind, size_t expected);

/* Returns the bytes, which the caller frees, without their checksum, and stores their *size; NULL
 * if memory ran out. */
uint8_t *saved_end(struct saved *saved, size_t *size);

/* Writes the checksum, which takes about as long as copying the bytes. Any thread. */
void saved_seal(uint8_t *bytes, size_t size);

/* The checksum of bytes that lie in pieces: all must be added in order, the head first and whole.
 * saved_sum_store() then writes it into the head. */
struct saved_sum {
    uint32_t sum;
    size_t size; /* bytes so far */
};

void saved_sum_begin(struct saved_sum *sum);
void saved_sum_add(struct saved_sum *sum, const uint8_t *bytes, size_t size);
void saved_sum_store(const struct saved_sum *sum, uint8_t *head);

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

/* Reads saved bytes, and notes the first thing that is wrong with them. */
struct saved_reader {
    struct reader reader;
    struct proto_error error;
    bool has_zone;
    msgpack_zone zone;
};

/* Whether the bytes have the head of that kind. */
bool saved_is(enum saved_kind kind, const uint8_t *bytes, size_t size);

/* Checks the head and parses the rest. Returns NULL if the bytes are damaged, or of another kind or
 * version; saved_problem() says so. values_max: MessagePack values at most, keys included.
 * saved_close() must be called either way. */
const msgpack_object_map *saved_open(struct saved_reader *reader, enum saved_kind kind,
                                     const uint8_t *bytes, size_t size, size_t values_max);
void saved_close(struct saved_reader *reader);

/* Notes what is wrong with `field`, unless a problem was noted before. */
void saved_fail(struct saved_reader *reader, const char *field, const char *what);

bool saved_failed(const struct saved_reader *reader);

/* Goes on after a part that may be unreadable: saved_failed() returns false again. */
void saved_forget_problem(struct saved_reader *reader);

/* Writes the noted problem as "field: what", cut to the size. */
void saved_problem(const struct saved_reader *reader, char *out, size_t size);

/* Returns a bin of exactly `count` words of 4 bytes, copied into aligned memory of the reader; NULL
 * if it has another size or memory runs out. */
const void *saved_read_words(struct saved_reader *reader, const msgpack_object_map *map,
                             const char *key, size_t count);

/* Returns the index of the key's value among the words of word(), which ends with NULL. Returns 0,
 * and the reader fails, for any other value. */
size_t saved_read_word(struct saved_reader *reader, const msgpack_object_map *map, const char *key,
                       const char *(*word)(size_t index));

/* Reads a line that people can be shown, into `size` bytes with its NUL. */
void saved_read_text(struct saved_reader *reader, const msgpack_object_map *map, const char *key,
                     char *out, size_t size);

#endif
