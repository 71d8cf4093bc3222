/* proto_decode_client(): a decoded message must encode and decode to the same message again. A
 * refused message must have a printable error. */
#include "fuzz.h"

#include "protocol.h"

static enum proto_code decode(const uint8_t *data, size_t size,
                              struct proto_client_message *message, struct proto_error *error)
{
    static struct proto_decoder *decoder;

    if (decoder == NULL) {
        decoder = proto_decoder_create();
        FUZZ_REQUIRE(decoder != NULL);
    }
    uint8_t *copy = fuzz_copy(data, size);
    memset(message, 0, sizeof *message);
    const enum proto_code code = proto_decode_client(decoder, copy, size, message, error);
    free(copy);
    return code;
}

static void check_error(enum proto_code code, const struct proto_error *error)
{
    FUZZ_REQUIRE(error->code == code);
    FUZZ_REQUIRE(error->has_tag || error->tag == 0);
    FUZZ_REQUIRE(!error->has_tag || proto_answered((enum proto_type)error->type));
    FUZZ_REQUIRE(memchr(error->name, '\0', sizeof error->name) != NULL);
    FUZZ_REQUIRE(memchr(error->field, '\0', sizeof error->field) != NULL);
    FUZZ_REQUIRE(memchr(error->message, '\0', sizeof error->message) != NULL);
    FUZZ_REQUIRE(error->message[0] != '\0');
    for (const char *c = error->message; *c != '\0'; c++) {
        FUZZ_REQUIRE(*c >= 0x20 && *c < 0x7f);
    }
}

static bool finite(float value)
{
    return value - value == 0.0f;
}

static void check_hello(const struct proto_hello *hello)
{
    FUZZ_REQUIRE(hello->version == PROTO_VERSION);
    FUZZ_REQUIRE(hello->rate <= PROTO_RATE_MAX && hello->boids <= PROTO_BOIDS_MAX);
    FUZZ_REQUIRE(proto_room_valid(hello->room) && proto_name_valid(hello->name));
    FUZZ_REQUIRE(hello->encoding_count >= 1 && hello->encoding_count <= PROTO_ENCODINGS_MAX);
    for (uint32_t i = 0; i < hello->encoding_count; i++) {
        FUZZ_REQUIRE(hello->encodings[i][0] != '\0');
    }
}

static void check_values(const struct proto_client_message *m)
{
    switch (m->type) {
    case PROTO_WANT:
        FUZZ_REQUIRE(m->want.rate <= PROTO_RATE_MAX && m->want.boids <= PROTO_BOIDS_MAX);
        break;
    case PROTO_ADD:
        FUZZ_REQUIRE(finite(m->add.x) && finite(m->add.y));
        FUZZ_REQUIRE(m->add.count >= 1 && m->add.count <= PROTO_ADD_MAX);
        break;
    case PROTO_REMOVE:
        FUZZ_REQUIRE(m->remove.count >= 1 && m->remove.count <= PROTO_BOIDS_MAX);
        break;
    case PROTO_EXPEL:
        FUZZ_REQUIRE(m->expel.id >= 1);
        break;
    case PROTO_APPOINT:
        FUZZ_REQUIRE(m->appoint.id >= 1);
        FUZZ_REQUIRE(m->appoint.role == PROTO_VIEWER || m->appoint.role == PROTO_PRESENTER);
        break;
    default: /* no fields */
        break;
    }
}

static void check_rules(const struct proto_client_message *m)
{
    FUZZ_REQUIRE(proto_answered(m->type) || !m->has_tag);
    switch (m->type) {
    case PROTO_HELLO:
        check_hello(&m->hello);
        break;
    case PROTO_CURSOR:
        FUZZ_REQUIRE(finite(m->cursor.x) && finite(m->cursor.y));
        break;
    case PROTO_NAME:
        FUZZ_REQUIRE(proto_name_valid(m->name.name) && m->name.name[0] != '\0');
        break;
    case PROTO_TITLE:
        FUZZ_REQUIRE(proto_title_valid(m->title.title) && m->title.title[0] != '\0');
        break;
    case PROTO_RENAME:
        FUZZ_REQUIRE(proto_name_valid(m->rename.name) && m->rename.name[0] != '\0');
        break;
    case PROTO_KEY:
        FUZZ_REQUIRE(m->key.key[0] != '\0');
        break;
    case PROTO_SET:
        FUZZ_REQUIRE(m->set.name[0] != '\0' && m->set.value[0] != '\0');
        break;
    case PROTO_PARAM:
        FUZZ_REQUIRE(m->param.name[0] != '\0' && finite(m->param.value));
        break;
    default:
        check_values(m);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct proto_client_message first, second;
    struct proto_error error;
    uint8_t buffer[PROTO_MESSAGE_MAX];

    const enum proto_code code = decode(data, size, &first, &error);
    if (code != PROTO_OK) {
        check_error(code, &error);
        return 0;
    }
    check_rules(&first);
    const size_t encoded = proto_encode_client(buffer, sizeof buffer, &first);
    FUZZ_REQUIRE(encoded > 0);
    FUZZ_REQUIRE(decode(buffer, encoded, &second, &error) == PROTO_OK);
    /* Both structs were zeros before, including padding. */
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    FUZZ_REQUIRE(memcmp(&first, &second, sizeof first) == 0);
    return 0;
}
