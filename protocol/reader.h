/* Reading the fields of a parsed message. Errors name the field, the value and what was expected.
 * Private to the codec.
 *
 * A reader stores the first error. Each later read does nothing and returns zero, so a caller reads
 * a whole message and checks once at the end. The parsed values live in the decoder until its next
 * message; they point into the message's bytes. */
#ifndef PROTOCOL_READER_H
#define PROTOCOL_READER_H

#include "form.h"

#include <msgpack.h>

struct proto_decoder {
    msgpack_zone zone;
};

struct reader {
    bool tolerant;        /* of words that a later version may add */
    enum proto_code code; /* of the first error, or PROTO_OK */
    struct proto_error *error;
    const char *field; /* the name of the field being read */
};

/* Parses a message: one array that begins with a type, of at most values_max values. Returns the
 * array and stores its type, or returns NULL. */
const msgpack_object_array *reader_message(struct reader *reader, struct proto_decoder *decoder,
                                           const uint8_t *data, size_t size, size_t values_max,
                                           uint64_t *type);

/* Stores an error about the field being read, unless there is an earlier error. */
__attribute__((format(printf, 3, 4))) void reader_fail(struct reader *reader, enum proto_code code,
                                                       const char *format, ...);

/* Stores the error "expected <expected>, got <value>". */
void reader_refuse(struct reader *reader, enum proto_code code, const msgpack_object *value,
                   const char *expected);

/* Return the value of that field: by its index in an array, which must have it, or by its key in a
 * map. Of two equal keys the last counts. A missing key is an error and NULL, which all reads
 * accept. */
const msgpack_object *reader_at(struct reader *reader, const msgpack_object_array *array,
                                uint32_t index, const char *field);
const msgpack_object *reader_key(struct reader *reader, const msgpack_object_map *map,
                                 const char *field);

/* Returns the value of a key that may be missing: then NULL without an error. */
const msgpack_object *reader_option(struct reader *reader, const msgpack_object_map *map,
                                    const char *field);

/* Return a value of that type, or store an error and return NULL. An array has at least `least`
 * elements. */
const msgpack_object_array *reader_array(struct reader *reader, const msgpack_object *value,
                                         uint32_t least);
const msgpack_object_map *reader_map(struct reader *reader, const msgpack_object *value);
const msgpack_object_bin *reader_bin(struct reader *reader, const msgpack_object *value);
const msgpack_object_str *reader_str(struct reader *reader, const msgpack_object *value);

uint64_t reader_uint(struct reader *reader, const msgpack_object *value, uint64_t min,
                     uint64_t max);
uint32_t reader_uint32(struct reader *reader, const msgpack_object *value, uint32_t max);
float reader_number(struct reader *reader, const msgpack_object *value, double min, double max);
float reader_finite(struct reader *reader, const msgpack_object *value);
bool reader_bool(struct reader *reader, const msgpack_object *value);
void reader_token(struct reader *reader, const msgpack_object *value,
                  uint8_t token[PROTO_TOKEN_SIZE]);

/* Copies text into out (capacity bytes): cut between two code points if it is too long, and with
 * '?' for characters that could garble a screen. */
void reader_text(struct reader *reader, const msgpack_object *value, char *out, size_t capacity);

/* Copy text of min to max bytes into out (max + 1 bytes): a line, such as a name; or a word of a-z,
 * 0-9 and the marks. */
void reader_line(struct reader *reader, const msgpack_object *value, size_t min, size_t max,
                 char *out);
void reader_word(struct reader *reader, const msgpack_object *value, const char *marks, size_t min,
                 size_t max, char *out);

/* Stores the value in that field of the struct at `to`. */
void reader_field(struct reader *reader, const struct field *field, const msgpack_object *value,
                  void *to);

#endif
