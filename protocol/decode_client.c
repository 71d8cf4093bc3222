/* Messages of a client, from bytes to structs. Strict: exactly the fields of PROTOCOL.md. */
#include "reader.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HELLO_ELEMENTS 5u

/* ---- hello ---- */

static void read_version(struct reader *r, const msgpack_object_array *a, struct proto_hello *hello)
{
    if (a->size < 2) {
        return; /* read_hello() refuses the number of elements */
    }
    const msgpack_object *value = reader_at(r, a, 1, "version");
    const uint64_t version = reader_uint(r, value, 0, UINT64_MAX);
    if (r->code == PROTO_OK && version != PROTO_VERSION) {
        reader_refuse(r, PROTO_E_VERSION, value, "1");
    }
    hello->version = PROTO_VERSION;
    r->field = "";
}

/* A room's code as people type it. */
static void read_room(struct reader *r, const msgpack_object *value, char room[PROTO_ROOM_MAX + 1])
{
    const msgpack_object_str *str = reader_str(r, value);

    if (str == NULL) {
        return;
    }
    text_copy(room, PROTO_ROOM_MAX + 1, str->ptr, str->size);
    if (str->size > PROTO_ROOM_MAX || !proto_room_valid(room)) {
        reader_refuse(r, PROTO_E_RANGE, value, "1 to 32 letters, digits, spaces and hyphens");
    }
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
        reader_word(r, &names->ptr[i], "-", 1, PROTO_WORD_MAX, hello->encodings[i]);
    }
}

/* Skips unknown keys, with values of any type. */
static void read_options(struct reader *r, const msgpack_object *options, struct proto_hello *hello)
{
    const msgpack_object_map *map = reader_map(r, options);
    const msgpack_object *value;

    if (map == NULL) {
        return;
    }
    for (uint32_t i = 0; i < map->size; i++) {
        (void)reader_str(r, &map->ptr[i].key);
    }
    value = reader_option(r, map, "token");
    if (value != NULL && value->type != MSGPACK_OBJECT_NIL) {
        hello->has_token = true;
        reader_token(r, value, hello->token);
    }
    value = reader_option(r, map, "key");
    if (value != NULL) {
        reader_word(r, value, "-", 1, PROTO_KEY_MAX, hello->key);
    }
    value = reader_option(r, map, "join");
    if (value != NULL) {
        reader_word(r, value, "-", 1, PROTO_KEY_MAX, hello->join);
    }
    value = reader_option(r, map, "encodings");
    if (value != NULL) {
        read_encodings(r, value, hello);
    } else {
        hello->encoding_count = 1;
        memcpy(hello->encodings[0], PROTO_PLAIN, sizeof PROTO_PLAIN);
    }
    value = reader_option(r, map, "rate");
    if (value != NULL) {
        hello->rate = (uint32_t)reader_uint(r, value, 0, PROTO_RATE_MAX);
    }
    value = reader_option(r, map, "boids");
    if (value != NULL) {
        hello->boids = (uint32_t)reader_uint(r, value, 0, PROTO_BOIDS_MAX);
    }
    value = reader_option(r, map, "topics");
    if (value != NULL) {
        hello->topics = (uint32_t)reader_uint(r, value, 0, UINT32_MAX);
    }
}

static void read_hello(struct reader *r, const msgpack_object_array *a, struct proto_hello *hello)
{
    read_version(r, a, hello); /* first, because another version may have changed everything else */
    if (a->size != HELLO_ELEMENTS) {
        reader_fail(r, PROTO_E_MALFORMED, "expected hello to have %u elements, got %" PRIu32,
                    HELLO_ELEMENTS, a->size);
        return;
    }
    read_room(r, reader_at(r, a, 2, "room"), hello->room);
    reader_line(r, reader_at(r, a, 3, "name"), 0, PROTO_NAME_MAX, hello->name);
    read_options(r, reader_at(r, a, 4, "options"), hello);
}

/* ---- all others ---- */

/* Stores the tag, if it is valid, before all fields: an error in a field repeats it. */
static void note_tag(const msgpack_object *value, struct proto_client_message *message)
{
    message->has_tag =
        value->type == MSGPACK_OBJECT_POSITIVE_INTEGER && value->via.u64 <= UINT32_MAX;
    message->tag = message->has_tag ? (uint32_t)value->via.u64 : 0;
}

static void refuse_size(struct reader *r, enum proto_type type, uint32_t elements, uint32_t size)
{
    char tagged[32] = "";

    if (proto_answered(type)) {
        (void)snprintf(tagged, sizeof tagged, ", or %" PRIu32 " with a tag", elements + 1);
    }
    reader_fail(r, PROTO_E_MALFORMED, "expected %s to have %" PRIu32 " element%s%s, got %" PRIu32,
                proto_type_name(type), elements, elements == 1 ? "" : "s", tagged, size);
}

static void read_fields(struct reader *r, const msgpack_object_array *a,
                        struct proto_client_message *message)
{
    const struct fields *fields = fields_of(message->type);
    const uint32_t least = 1 + fields_least(fields);
    const uint32_t most = 2 + fields->count;
    const bool tagged = proto_answered(message->type) && a->size > least && a->size <= most;

    if (a->size != least && !tagged) {
        refuse_size(r, message->type, least, a->size);
        return;
    }
    if (tagged) {
        note_tag(&a->ptr[a->size - 1], message);
    }
    for (uint32_t i = 0; 1 + i < a->size - (tagged ? 1 : 0); i++) {
        const struct field *field = &fields->all[i];
        /* All members of the union start where the first does. */
        reader_field(r, field, reader_at(r, a, i + 1, field->name), &message->hello);
    }
    if (tagged) {
        (void)reader_uint(r, reader_at(r, a, a->size - 1, "tag"), 0, UINT32_MAX);
    }
}

/* Reads a message. Returns whether an error in it is fatal: in a hello, or in bytes that are not a
 * message. */
static bool read_message(struct reader *r, struct proto_decoder *decoder, const uint8_t *data,
                         size_t size, struct proto_client_message *message, uint64_t *type)
{
    if (size > PROTO_MESSAGE_MAX) {
        reader_fail(r, PROTO_E_MALFORMED, "expected at most %u bytes, got %zu", PROTO_MESSAGE_MAX,
                    size);
        return true;
    }
    const msgpack_object_array *a = reader_message(r, decoder, data, size, PROTO_MESSAGE_MAX, type);
    if (a == NULL) {
        return true;
    }
    if (*type >= PROTO_SERVER_TYPES || proto_type_name((unsigned)*type) == NULL) {
        r->field = "type";
        reader_fail(r, PROTO_E_TYPE, "expected a type that clients send, got %" PRIu64, *type);
        return false;
    }
    message->type = (enum proto_type) * type;
    if (message->type == PROTO_HELLO) {
        read_hello(r, a, &message->hello);
        return true;
    }
    read_fields(r, a, message);
    return false;
}

const char *proto_message_name(const struct proto_client_message *message)
{
    switch (message->type) {
    case PROTO_SET:
        return message->set.name;
    case PROTO_PARAM:
        return message->param.name;
    case PROTO_SWEEP:
        return message->sweep.name;
    default:
        return "";
    }
}

enum proto_code proto_decode_client(struct proto_decoder *decoder, const uint8_t *data, size_t size,
                                    struct proto_client_message *message, struct proto_error *error)
{
    struct reader reader = {.code = PROTO_OK, .error = error, .field = ""};
    uint64_t type = 0;

    memset(message, 0, sizeof *message);
    const bool fatal = read_message(&reader, decoder, data, size, message, &type);
    if (reader.code != PROTO_OK) {
        error->type = type <= UINT32_MAX ? (uint32_t)type : 0;
        error->has_tag = message->has_tag;
        error->tag = message->tag;
        (void)snprintf(error->name, sizeof error->name, "%s", proto_message_name(message));
        error->fatal = fatal;
    }
    return reader.code;
}
