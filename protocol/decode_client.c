/* Messages of a client, from bytes to structs. Strict: exactly the fields of PROTOCOL.md. */
#include "reader.h"
#include "text.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A name of a person, of `least` to PROTO_NAME_MAX bytes. */
static void read_name(struct reader *r, const msgpack_object *value, size_t least,
                      char out[PROTO_NAME_MAX + 1])
{
    const msgpack_object_str *str = reader_str(r, value);
    char expected[48];

    if (str == NULL) {
        return;
    }
    if (str->size < least || str->size > PROTO_NAME_MAX) {
        (void)snprintf(expected, sizeof expected, "%zu to %u bytes of UTF-8", least,
                       PROTO_NAME_MAX);
        reader_refuse(r, PROTO_E_RANGE, value, expected);
        return;
    }
    if (!text_clean(str->ptr, str->size)) {
        reader_refuse(r, PROTO_E_RANGE, value,
                      "no control, line-separating or direction-changing characters");
        return;
    }
    text_copy(out, PROTO_NAME_MAX + 1, str->ptr, str->size);
}

/* A word of a-z, 0-9 and those marks, of 1 to max bytes. */
static void read_word(struct reader *r, const msgpack_object *value, const char *marks, size_t max,
                      char *out)
{
    const msgpack_object_str *str = reader_str(r, value);
    char expected[48];

    if (str == NULL) {
        return;
    }
    if (str->size < 1 || str->size > max || !text_is_word(str->ptr, str->size, marks)) {
        (void)snprintf(expected, sizeof expected, "1 to %zu of a-z, 0-9 and %s", max, marks);
        reader_refuse(r, PROTO_E_RANGE, value, expected);
        return;
    }
    text_copy(out, max + 1, str->ptr, str->size);
}

static void read_version(struct reader *r, const msgpack_object_array *fields,
                         struct proto_hello *hello)
{
    if (fields->size < 2) {
        return; /* the number of elements is wrong, which is said later */
    }
    const msgpack_object *value = reader_at(r, fields, 1, "version");
    const uint64_t version = reader_uint(r, value, 0, UINT64_MAX);
    if (r->code == PROTO_OK && version != PROTO_VERSION) {
        reader_refuse(r, PROTO_E_VERSION, value, "1");
    }
    hello->version = PROTO_VERSION;
    r->field = "";
}

static void read_encodings(struct reader *r, const msgpack_object *value, struct proto_hello *hello)
{
    const msgpack_object_array *names = reader_array(r, value, 0);

    if (names == NULL) {
        return;
    }
    if (names->size < 1 || names->size > PROTO_ENCODINGS_MAX) {
        reader_refuse(r, PROTO_E_RANGE, value, "1 to 8 names");
        return;
    }
    hello->encoding_count = names->size;
    for (uint32_t i = 0; i < names->size; i++) {
        read_word(r, &names->ptr[i], "-", PROTO_WORD_MAX, hello->encodings[i]);
    }
}

static void read_hello(struct reader *r, const msgpack_object_array *fields,
                       struct proto_hello *hello)
{
    const msgpack_object *token;

    read_word(r, reader_at(r, fields, 2, "room"), "-", PROTO_ROOM_MAX, hello->room);
    read_name(r, reader_at(r, fields, 3, "name"), 0, hello->name);
    read_encodings(r, reader_at(r, fields, 4, "encodings"), hello);
    hello->rate = (uint32_t)reader_uint(r, reader_at(r, fields, 5, "rate"), 0, PROTO_RATE_MAX);
    token = reader_at(r, fields, 6, "token");
    if (token != NULL && token->type != MSGPACK_OBJECT_NIL) {
        hello->has_token = true;
        reader_token(r, token, hello->token);
    }
}

static const struct {
    const char *name;
    uint32_t elements;
} forms[] = {
    [PROTO_HELLO] = {"hello", 7},   [PROTO_CURSOR] = {"cursor", 3}, [PROTO_AWAY] = {"away", 1},
    [PROTO_PING] = {"ping", 2},     [PROTO_NAME] = {"name", 2},     [PROTO_KEY] = {"key", 2},
    [PROTO_SET] = {"set", 3},       [PROTO_PARAM] = {"param", 3},   [PROTO_ADD] = {"add", 4},
    [PROTO_REMOVE] = {"remove", 2}, [PROTO_RESET] = {"reset", 1},   [PROTO_STEP] = {"step", 1},
    [PROTO_WANT] = {"want", 3},
};

static uint32_t read_count(struct reader *r, const msgpack_object *value, uint32_t max)
{
    return (uint32_t)reader_uint(r, value, 1, max);
}

static void read_control(struct reader *r, const msgpack_object_array *fields,
                         struct proto_client_message *message)
{
    switch (message->type) {
    case PROTO_KEY:
        read_word(r, reader_at(r, fields, 1, "key"), "-", PROTO_KEY_MAX, message->key.key);
        break;
    case PROTO_SET:
        read_word(r, reader_at(r, fields, 1, "name"), "-", PROTO_WORD_MAX, message->set.name);
        read_word(r, reader_at(r, fields, 2, "value"), "-", PROTO_WORD_MAX, message->set.value);
        break;
    case PROTO_PARAM:
        read_word(r, reader_at(r, fields, 1, "name"), "_", PROTO_ROOM_MAX, message->param.name);
        message->param.value =
            reader_number(r, reader_at(r, fields, 2, "value"), -FLT_MAX, FLT_MAX);
        break;
    case PROTO_ADD:
        message->add.x = reader_number(r, reader_at(r, fields, 1, "x"), -FLT_MAX, FLT_MAX);
        message->add.y = reader_number(r, reader_at(r, fields, 2, "y"), -FLT_MAX, FLT_MAX);
        message->add.count = read_count(r, reader_at(r, fields, 3, "count"), PROTO_ADD_MAX);
        break;
    case PROTO_REMOVE:
        message->remove.count = read_count(r, reader_at(r, fields, 1, "count"), PROTO_BOIDS_MAX);
        break;
    case PROTO_WANT:
        message->want.rate =
            (uint32_t)reader_uint(r, reader_at(r, fields, 1, "rate"), 0, PROTO_RATE_MAX);
        message->want.boids =
            (uint32_t)reader_uint(r, reader_at(r, fields, 2, "boids"), 0, PROTO_BOIDS_MAX);
        break;
    default: /* away, reset and step have no fields */
        break;
    }
}

static void read_fields(struct reader *r, const msgpack_object_array *fields,
                        struct proto_client_message *message)
{
    switch (message->type) {
    case PROTO_HELLO:
        read_hello(r, fields, &message->hello);
        break;
    case PROTO_CURSOR:
        message->cursor.x = reader_number(r, reader_at(r, fields, 1, "x"), -FLT_MAX, FLT_MAX);
        message->cursor.y = reader_number(r, reader_at(r, fields, 2, "y"), -FLT_MAX, FLT_MAX);
        break;
    case PROTO_PING:
        message->ping.t = reader_uint(r, reader_at(r, fields, 1, "t"), 0, UINT64_MAX);
        break;
    case PROTO_NAME:
        read_name(r, reader_at(r, fields, 1, "name"), 1, message->name.name);
        break;
    default:
        read_control(r, fields, message);
        break;
    }
}

/* Reads a message. Returns whether an error in it ends the connection: one in a hello does, and one
 * in what is no message at all. */
static bool read_message(struct reader *r, struct proto_decoder *decoder, const uint8_t *data,
                         size_t size, struct proto_client_message *message)
{
    uint64_t type = 0;

    if (size > PROTO_MESSAGE_MAX) {
        reader_fail(r, PROTO_E_MALFORMED, "expected at most %u bytes, got %zu", PROTO_MESSAGE_MAX,
                    size);
        return true;
    }
    const msgpack_object_array *fields =
        reader_message(r, decoder, data, size, PROTO_MESSAGE_MAX, &type);
    if (fields == NULL) {
        return true;
    }
    if (type < PROTO_HELLO || type > PROTO_WANT) {
        r->field = "type";
        reader_fail(r, PROTO_E_TYPE, "expected a type from 1 to 13, got %" PRIu64, type);
        return false;
    }
    message->type = (enum proto_type)type;
    if (type == PROTO_HELLO) { /* before anything that another version may have changed */
        read_version(r, fields, &message->hello);
    }
    if (fields->size != forms[type].elements) {
        reader_fail(r, PROTO_E_MALFORMED, "expected %s to have %" PRIu32 " elements, got %" PRIu32,
                    forms[type].name, forms[type].elements, fields->size);
    }
    read_fields(r, fields, message);
    return type == PROTO_HELLO;
}

enum proto_code proto_decode_client(struct proto_decoder *decoder, const uint8_t *data, size_t size,
                                    struct proto_client_message *message, struct proto_error *error)
{
    struct reader reader = {.code = PROTO_OK, .error = error, .field = ""};

    memset(message, 0, sizeof *message);
    const bool fatal = read_message(&reader, decoder, data, size, message);
    if (reader.code != PROTO_OK) {
        error->fatal = fatal;
    }
    return reader.code;
}
