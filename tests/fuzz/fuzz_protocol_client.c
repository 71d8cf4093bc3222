/* proto_decode_client(): whatever decodes is encoded and decodes to the same again; whatever does
 * not has an error that can be shown. */
#include "fuzz.h"

#include "encode.h"

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
    FUZZ_REQUIRE(strcmp(error->code, proto_code_name(code)) == 0);
    FUZZ_REQUIRE(memchr(error->field, '\0', sizeof error->field) != NULL);
    FUZZ_REQUIRE(memchr(error->message, '\0', sizeof error->message) != NULL);
    FUZZ_REQUIRE(error->message[0] != '\0');
    for (const char *c = error->message; *c != '\0'; c++) {
        FUZZ_REQUIRE(*c >= 0x20 && *c < 0x7f);
    }
}

static void check_rules(const struct proto_client_message *m)
{
    if (m->type == PROTO_HELLO) {
        FUZZ_REQUIRE(m->hello.version == PROTO_VERSION && m->hello.rate <= PROTO_RATE_MAX);
        FUZZ_REQUIRE(proto_room_valid(m->hello.room) && proto_name_valid(m->hello.name));
        FUZZ_REQUIRE(m->hello.encoding_count >= 1);
    } else if (m->type == PROTO_CURSOR) {
        FUZZ_REQUIRE(m->cursor.x - m->cursor.x == 0.0f && m->cursor.y - m->cursor.y == 0.0f);
    } else if (m->type == PROTO_NAME) {
        FUZZ_REQUIRE(proto_name_valid(m->name.name) && m->name.name[0] != '\0');
    } else if (m->type == PROTO_KEY) {
        FUZZ_REQUIRE(m->key.key[0] != '\0');
    } else if (m->type == PROTO_SET) {
        FUZZ_REQUIRE(m->set.name[0] != '\0' && m->set.value[0] != '\0');
    } else if (m->type == PROTO_PARAM) {
        FUZZ_REQUIRE(m->param.name[0] != '\0' && m->param.value - m->param.value == 0.0f);
    } else if (m->type == PROTO_ADD) {
        FUZZ_REQUIRE(m->add.x - m->add.x == 0.0f && m->add.y - m->add.y == 0.0f);
        FUZZ_REQUIRE(m->add.count >= 1 && m->add.count <= PROTO_ADD_MAX);
    } else if (m->type == PROTO_REMOVE) {
        FUZZ_REQUIRE(m->remove.count >= 1 && m->remove.count <= PROTO_BOIDS_MAX);
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
    const size_t encoded = encode_client(buffer, sizeof buffer, &first);
    FUZZ_REQUIRE(encoded > 0);
    FUZZ_REQUIRE(decode(buffer, encoded, &second, &error) == PROTO_OK);
    /* Both were all zeros before, padding too. */
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    FUZZ_REQUIRE(memcmp(&first, &second, sizeof first) == 0);
    return 0;
}
