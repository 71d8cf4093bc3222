/* Reading the fields of a parsed message, with errors that name the field, what was sent and what
 * was expected. Private to the codec.
 *
 * A reader remembers the first thing that was wrong; every read after it does nothing and returns
 * zero, so that a message is read straight through and asked once at the end. The parsed values
 * live in the decoder until its next message, and what they point to in the message's own bytes. */
#ifndef PROTOCOL_READER_H
#define PROTOCOL_READER_H

#include "form.h"

#include <msgpack.h>

struct proto_decoder {
    msgpack_zone zone;
};

struct reader {
    bool tolerant;        /* of what a later version may say */
    enum proto_code code; /* of the first thing that was wrong */
    struct proto_error *error;
    const char *field; /* the one being read, as PROTOCOL.md names it */
};

/* Parses a whole message: one array with at least a type in it, of at most values_max values in
 * all. Returns it and its type, or NULL. */
const msgpack_object_array *reader_message(struct reader *reader, struct proto_decoder *decoder,
                                           const uint8_t *data, size_t size, size_t values_max,
                                           uint64_t *type);

/* Notes what is wrong with the field that is being read, unless something was wrong before. */
__attribute__((format(printf, 3, 4))) void reader_fail(struct reader *reader, enum proto_code code,
                                                       const char *format, ...);

/* Notes that a value is not what was expected: "expected <expected>, got <value>". */
void reader_refuse(struct reader *reader, enum proto_code code, const msgpack_object *value,
                   const char *expected);

/* The field of that name: by its index in an array whose length was checked, or by its key in a
 * map. A key that is there twice has its last value; one that is missing is an error and NULL,
 * which every read takes. */
const msgpack_object *reader_at(struct reader *reader, const msgpack_object_array *array,
                                uint32_t index, const char *field);
const msgpack_object *reader_key(struct reader *reader, const msgpack_object_map *map,
                                 const char *field);

/* The same for a key that may be missing: then NULL, and no error. */
const msgpack_object *reader_option(struct reader *reader, const msgpack_object_map *map,
                                    const char *field);

/* A value of that type. For arrays, of at least `least` elements. NULL when it is none. */
const msgpack_object_array *reader_array(struct reader *reader, const msgpack_object *value,
                                         uint32_t least);
const msgpack_object_map *reader_map(struct reader *reader, const msgpack_object *value);
const msgpack_object_bin *reader_bin(struct reader *reader, const msgpack_object *value);
const msgpack_object_str *reader_str(struct reader *reader, const msgpack_object *value);

uint64_t reader_uint(struct reader *reader, const msgpack_object *value, uint64_t min,
                     uint64_t max);
float reader_number(struct reader *reader, const msgpack_object *value, double min, double max);
bool reader_bool(struct reader *reader, const msgpack_object *value);
void reader_token(struct reader *reader, const msgpack_object *value,
                  uint8_t token[PROTO_TOKEN_SIZE]);

/* Text that does not fit into out (capacity bytes) is cut between two code points, and characters
 * that could garble a screen become '?'. */
void reader_text(struct reader *reader, const msgpack_object *value, char *out, size_t capacity);

/* Text of min to max bytes for out (max + 1 bytes): a line that people can be shown, such as a
 * name; or one word of a-z, 0-9 and those marks. */
void reader_line(struct reader *reader, const msgpack_object *value, size_t min, size_t max,
                 char *out);
void reader_word(struct reader *reader, const msgpack_object *value, const char *marks, size_t min,
                 size_t max, char *out);

/* That field of the struct at `to`. */
void reader_field(struct reader *reader, const struct field *field, const msgpack_object *value,
                  void *to);

#endif
