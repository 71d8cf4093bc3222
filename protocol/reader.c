#include "reader.h"

#include "bounds.h"
#include "text.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a decoder. Enough for each message of a client, which has at most a value a byte:
 * decoding it does not allocate. */
#define ZONE_SIZE 32768u
_Static_assert(PROTO_MESSAGE_MAX * sizeof(msgpack_object) < ZONE_SIZE, "of a client's message");

struct proto_decoder *proto_decoder_create(void)
{
    struct proto_decoder *decoder = malloc(sizeof *decoder);

    if (decoder == NULL) {
        return NULL;
    }
    if (!msgpack_zone_init(&decoder->zone, ZONE_SIZE)) {
        free(decoder);
        return NULL;
    }
    return decoder;
}

void proto_decoder_destroy(struct proto_decoder *decoder)
{
    if (decoder != NULL) {
        msgpack_zone_destroy(&decoder->zone);
        free(decoder);
    }
}

void reader_fail(struct reader *reader, enum proto_code code, const char *format, ...)
{
    struct proto_error *error = reader->error;
    va_list args;

    if (reader->code != PROTO_OK) {
        return;
    }
    reader->code = code;
    *error = (struct proto_error){.code = code};
    (void)snprintf(error->field, sizeof error->field, "%s", reader->field);
    va_start(args, format);
    (void)vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
}

void reader_refuse(struct reader *reader, enum proto_code code, const msgpack_object *value,
                   const char *expected)
{
    char quoted[TEXT_QUOTED_MAX];

    switch (value->type) {
    case MSGPACK_OBJECT_NIL:
        reader_fail(reader, code, "expected %s, got nil", expected);
        break;
    case MSGPACK_OBJECT_BOOLEAN:
        reader_fail(reader, code, "expected %s, got %s", expected,
                    value->via.boolean ? "true" : "false");
        break;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        reader_fail(reader, code, "expected %s, got %" PRIu64, expected, value->via.u64);
        break;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        reader_fail(reader, code, "expected %s, got %" PRId64, expected, value->via.i64);
        break;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        reader_fail(reader, code, "expected %s, got the number %g", expected, value->via.f64);
        break;
    case MSGPACK_OBJECT_STR:
        text_quote(quoted, value->via.str.ptr, value->via.str.size);
        reader_fail(reader, code, "expected %s, got %s", expected, quoted);
        break;
    case MSGPACK_OBJECT_BIN:
        reader_fail(reader, code, "expected %s, got a bin of %" PRIu32 " bytes", expected,
                    value->via.bin.size);
        break;
    case MSGPACK_OBJECT_ARRAY:
        reader_fail(reader, code, "expected %s, got an array of %" PRIu32, expected,
                    value->via.array.size);
        break;
    case MSGPACK_OBJECT_MAP:
        reader_fail(reader, code, "expected %s, got a map", expected);
        break;
    case MSGPACK_OBJECT_EXT:
        reader_fail(reader, code, "expected %s, got an ext", expected);
        break;
    }
}

const msgpack_object_array *reader_message(struct reader *reader, struct proto_decoder *decoder,
                                           const uint8_t *data, size_t size, size_t values_max,
                                           uint64_t *type)
{
    struct bounds_fault fault;
    size_t offset = 0;

    reader->field = "";
    if (!bounds_check(data, size, values_max, &fault)) {
        reader_fail(reader, PROTO_E_MALFORMED,
                    "expected one MessagePack array in %zu bytes; the value at byte %zu %s", size,
                    fault.at, fault.what);
        return NULL;
    }
    msgpack_zone_clear(&decoder->zone);
    msgpack_object *root = msgpack_zone_malloc(&decoder->zone, sizeof *root);
    if (root == NULL || msgpack_unpack((const char *)data, size, &offset, &decoder->zone, root) !=
                            MSGPACK_UNPACK_SUCCESS) {
        reader_fail(reader, PROTO_E_FULL, "out of memory for a message of %zu bytes", size);
        return NULL;
    }
    const msgpack_object_array *array = reader_array(reader, root, 1);
    if (array != NULL) {
        *type = reader_uint(reader, reader_at(reader, array, 0, "type"), 0, UINT64_MAX);
        reader->field = "";
    }
    return reader->code == PROTO_OK ? array : NULL;
}

const msgpack_object *reader_at(struct reader *reader, const msgpack_object_array *array,
                                uint32_t index, const char *field)
{
    if (reader->code != PROTO_OK) {
        return NULL;
    }
    assert(index < array->size);
    reader->field = field;
    return &array->ptr[index];
}

const msgpack_object *reader_option(struct reader *reader, const msgpack_object_map *map,
                                    const char *field)
{
    const size_t length = strlen(field);

    if (reader->code != PROTO_OK) {
        return NULL;
    }
    reader->field = field;
    for (uint32_t i = map->size; i > 0; i--) {
        const msgpack_object *key = &map->ptr[i - 1].key;
        if (key->type == MSGPACK_OBJECT_STR && key->via.str.size == length &&
            memcmp(key->via.str.ptr, field, length) == 0) {
            return &map->ptr[i - 1].val;
        }
    }
    return NULL;
}

const msgpack_object *reader_key(struct reader *reader, const msgpack_object_map *map,
                                 const char *field)
{
    const msgpack_object *value = reader_option(reader, map, field);

    if (value == NULL) {
        reader_fail(reader, PROTO_E_MALFORMED, "expected the key %s, got a map without it", field);
    }
    return value;
}

/* Returns whether the value can be read as that type; refuses a value of another type. */
static bool reader_expect(struct reader *reader, const msgpack_object *value,
                          msgpack_object_type type, const char *expected)
{
    if (reader->code != PROTO_OK) {
        return false;
    }
    if (value->type != type) {
        reader_refuse(reader, PROTO_E_MALFORMED, value, expected);
        return false;
    }
    return true;
}

const msgpack_object_array *reader_array(struct reader *reader, const msgpack_object *value,
                                         uint32_t least)
{
    char expected[48];

    if (!reader_expect(reader, value, MSGPACK_OBJECT_ARRAY, "an array")) {
        return NULL;
    }
    if (value->via.array.size < least) {
        (void)snprintf(expected, sizeof expected, "an array of at least %" PRIu32, least);
        reader_refuse(reader, PROTO_E_MALFORMED, value, expected);
        return NULL;
    }
    return &value->via.array;
}

const msgpack_object_map *reader_map(struct reader *reader, const msgpack_object *value)
{
    return reader_expect(reader, value, MSGPACK_OBJECT_MAP, "a map") ? &value->via.map : NULL;
}

const msgpack_object_bin *reader_bin(struct reader *reader, const msgpack_object *value)
{
    return reader_expect(reader, value, MSGPACK_OBJECT_BIN, "a bin") ? &value->via.bin : NULL;
}

const msgpack_object_str *reader_str(struct reader *reader, const msgpack_object *value)
{
    if (!reader_expect(reader, value, MSGPACK_OBJECT_STR, "a str")) {
        return NULL;
    }
    if (!text_well_formed(value->via.str.ptr, value->via.str.size)) {
        reader_refuse(reader, PROTO_E_MALFORMED, value, "UTF-8");
        return NULL;
    }
    return &value->via.str;
}

uint64_t reader_uint(struct reader *reader, const msgpack_object *value, uint64_t min, uint64_t max)
{
    char expected[64];

    if (!reader_expect(reader, value, MSGPACK_OBJECT_POSITIVE_INTEGER, "an unsigned integer")) {
        return 0;
    }
    if (value->via.u64 < min || value->via.u64 > max) {
        (void)snprintf(expected, sizeof expected, "%" PRIu64 " to %" PRIu64, min, max);
        reader_refuse(reader, PROTO_E_RANGE, value, expected);
        return 0;
    }
    return value->via.u64;
}

uint32_t reader_uint32(struct reader *reader, const msgpack_object *value, uint32_t max)
{
    return (uint32_t)reader_uint(reader, value, 0, max);
}

float reader_number(struct reader *reader, const msgpack_object *value, double min, double max)
{
    char expected[64];
    double number = 0.0;

    if (reader->code != PROTO_OK) {
        return 0.0f;
    }
    switch (value->type) {
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        number = (double)value->via.u64;
        break;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        number = (double)value->via.i64;
        break;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        number = value->via.f64;
        break;
    default:
        reader_refuse(reader, PROTO_E_MALFORMED, value, "a number");
        return 0.0f;
    }
    if (!(number >= min && number <= max)) { /* NaN as well */
        (void)snprintf(expected, sizeof expected, "a number from %g to %g", min, max);
        reader_refuse(reader, PROTO_E_RANGE, value,
                      max < FLT_MAX ? expected
                      : min < 0.0   ? "a finite number"
                                    : "a finite number above 0");
        return 0.0f;
    }
    return (float)number;
}

float reader_finite(struct reader *reader, const msgpack_object *value)
{
    return reader_number(reader, value, (double)-FLT_MAX, (double)FLT_MAX);
}

bool reader_bool(struct reader *reader, const msgpack_object *value)
{
    return reader_expect(reader, value, MSGPACK_OBJECT_BOOLEAN, "true or false") &&
           value->via.boolean;
}

void reader_token(struct reader *reader, const msgpack_object *value,
                  uint8_t token[PROTO_TOKEN_SIZE])
{
    const msgpack_object_bin *bin = reader_bin(reader, value);

    if (bin == NULL) {
        return;
    }
    if (bin->size != PROTO_TOKEN_SIZE) {
        reader_refuse(reader, PROTO_E_RANGE, value, "a bin of 16 bytes");
        return;
    }
    memcpy(token, bin->ptr, PROTO_TOKEN_SIZE);
}

void reader_text(struct reader *reader, const msgpack_object *value, char *out, size_t capacity)
{
    const msgpack_object_str *str = reader_str(reader, value);

    if (str != NULL) {
        text_copy(out, capacity, str->ptr, str->size);
    }
}

void reader_line(struct reader *reader, const msgpack_object *value, size_t min, size_t max,
                 char *out)
{
    const msgpack_object_str *str = reader_str(reader, value);
    char expected[48];

    if (str == NULL) {
        return;
    }
    if (str->size < min || str->size > max) {
        (void)snprintf(expected, sizeof expected, "%zu to %zu bytes of UTF-8", min, max);
        reader_refuse(reader, PROTO_E_RANGE, value, expected);
        return;
    }
    if (!text_clean(str->ptr, str->size)) {
        reader_refuse(reader, PROTO_E_RANGE, value,
                      "no control, line-separating or direction-changing characters");
        return;
    }
    text_copy(out, max + 1, str->ptr, str->size);
}

void reader_word(struct reader *reader, const msgpack_object *value, const char *marks, size_t min,
                 size_t max, char *out)
{
    const msgpack_object_str *str = reader_str(reader, value);
    char expected[48];

    if (str == NULL) {
        return;
    }
    if (str->size < min || str->size > max || !text_is_word(str->ptr, str->size, marks)) {
        (void)snprintf(expected, sizeof expected, "%zu to %zu of a-z, 0-9 and %s", min, max, marks);
        reader_refuse(reader, PROTO_E_RANGE, value, expected);
        return;
    }
    text_copy(out, max + 1, str->ptr, str->size);
}
