/* The vectors that all clients share (protocol/vectors), and the bytes that PROTOCOL.md shows. Run
 * from the repository's root. Reads JSON with cJSON (Debian: libcjson-dev). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "protocol.h"

#include "../fuzz/encode.h"
#include "message_json.h"
#include "vectors.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cJSON *vectors;
static struct proto_decoder *decoder;

static int setup(void **state)
{
    (void)state;
    vectors = read_vectors();
    decoder = proto_decoder_create();
    return vectors == NULL || decoder == NULL;
}

static int teardown(void **state)
{
    (void)state;
    cJSON_Delete(vectors);
    proto_decoder_destroy(decoder);
    return 0;
}

/* An unknown code is decoded as PROTO_OK. */
static void forget_later_code(const cJSON *message)
{
    cJSON *code = cJSON_GetObjectItemCaseSensitive(message, "code");

    if (cJSON_IsString(code) && strcmp(code->valuestring, "forbidden") == 0) {
        assert_non_null(cJSON_SetValuestring(code, "ok"));
    }
}

/* Compares the error of a vector. For a client's message, the text is ignored. */
static void compare_error(const cJSON *vector, const cJSON *expected, enum proto_code code,
                          const struct proto_error *error)
{
    cJSON *got = cJSON_CreateObject();

    if (code == PROTO_OK) {
        fail_msg("%s: decoded, expected an error", text_of(vector, "name"));
    }
    assert_int_equal(error->code, code);
    assert_true(error->message[0] != '\0');
    if (cJSON_HasObjectItem(expected, "fatal")) {
        add_error(got, error);
        cJSON_DeleteItemFromObjectCaseSensitive(got, "message");
    } else {
        add_text(got, "code", proto_code_name(error->code));
        add_text(got, "field", error->field);
    }
    if (!cJSON_Compare(expected, got, true)) {
        fail_msg("%s: got the error %s", text_of(vector, "name"), cJSON_PrintUnformatted(got));
    }
    cJSON_Delete(got);
}

/* Asserts that the decoded message is the vector's. Frees `got`. */
static void compare(const cJSON *vector, enum proto_code code, const struct proto_error *error,
                    cJSON *got)
{
    const char *name = text_of(vector, "name");
    const cJSON *expected = cJSON_GetObjectItemCaseSensitive(vector, "error");
    const cJSON *message = cJSON_GetObjectItemCaseSensitive(vector, "message");

    if (expected != NULL) {
        compare_error(vector, expected, code, error);
        return;
    }
    if (code != PROTO_OK) {
        fail_msg("%s: %s %s: %s", name, proto_code_name(error->code), error->field, error->message);
    }
    forget_later_code(message);
    if (!cJSON_Compare(message, got, true)) {
        fail_msg("%s: decoded as %s", name, cJSON_PrintUnformatted(got));
    }
    cJSON_Delete(got);
}

/* If the vector is canonical, asserts that flockd writes the same bytes, and stores that the type
 * has a canonical vector. */
static void compare_bytes(const cJSON *vector, const uint8_t *expected, size_t expected_size,
                          const uint8_t *bytes, size_t size, bool seen[PROTO_TYPES])
{
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(vector, "canonical"))) {
        return;
    }
    if (size != expected_size || memcmp(bytes, expected, size) != 0) {
        fail_msg("%s: encoded as other bytes", text_of(vector, "name"));
    }
    assert_true(size > 1 && bytes[1] < PROTO_TYPES);
    seen[bytes[1]] = true;
}

/* Asserts that each type from `first` to below `end` has a canonical vector. */
static void check_seen(const bool seen[PROTO_TYPES], unsigned first, unsigned end)
{
    for (unsigned type = first; type < end; type++) {
        if (proto_type_name(type) != NULL && !seen[type]) {
            fail_msg("vectors.json has no canonical vector of %u, %s", type, proto_type_name(type));
        }
    }
}

static void client_vectors(void **state)
{
    bool seen[PROTO_TYPES] = {false};
    const cJSON *vector;

    (void)state;
    cJSON_ArrayForEach(vector, list_of(vectors, "client"))
    {
        struct proto_client_message message;
        struct proto_error error;
        uint8_t buffer[PROTO_MESSAGE_MAX];
        size_t size;
        uint8_t *bytes = bytes_of(text_of(vector, "hex"), &size);
        const enum proto_code code = proto_decode_client(decoder, bytes, size, &message, &error);

        compare(vector, code, &error, code == PROTO_OK ? client_json(&message) : NULL);
        if (code == PROTO_OK) {
            const size_t encoded = proto_encode_client(buffer, sizeof buffer, &message);
            compare_bytes(vector, bytes, size, buffer, encoded, seen);
        }
        free(bytes);
    }
    check_seen(seen, 0, PROTO_SERVER_TYPES);
}

static void server_vectors(void **state)
{
    static struct proto_server_message message;
    static uint8_t buffer[PROTO_STATE_MAX];
    bool seen[PROTO_TYPES] = {false};
    const cJSON *vector;

    (void)state;
    cJSON_ArrayForEach(vector, list_of(vectors, "server"))
    {
        struct proto_error error;
        size_t size;
        uint8_t *bytes = bytes_of(text_of(vector, "hex"), &size);
        const enum proto_code code = proto_decode_server(decoder, bytes, size, &message, &error);

        compare(vector, code, &error, code == PROTO_OK ? server_json(&message) : NULL);
        if (code == PROTO_OK) {
            const size_t encoded = encode_server(buffer, sizeof buffer, &message);
            compare_bytes(vector, bytes, size, buffer, encoded, seen);
        }
        free(bytes);
    }
    check_seen(seen, PROTO_SERVER_TYPES, PROTO_TYPES);
}

static double number_at(const cJSON *object, const char *key, int index)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
    const cJSON *number = cJSON_GetArrayItem(list, index);

    assert_true(cJSON_IsNumber(number));
    return cJSON_GetNumberValue(number);
}

static void position_vectors(void **state)
{
    const cJSON *vector;

    (void)state;
    cJSON_ArrayForEach(vector, list_of(vectors, "positions"))
    {
        const float width = (float)number_at(vector, "world", 0);
        const float height = (float)number_at(vector, "world", 1);
        const cJSON *quantum = cJSON_GetObjectItemCaseSensitive(vector, "quantum");

        assert_true(proto_quantum(width, height) == (float)cJSON_GetNumberValue(quantum));
        for (int i = 0; i < 2; i++) {
            const float side = i == 0 ? width : height;
            const float position = (float)number_at(vector, "position", i);
            const int16_t step = (int16_t)number_at(vector, "step", i);
            const float q = proto_quantum(width, height);
            assert_true(proto_dequantise(step, side, q) == position);
            assert_int_equal(proto_quantise(position, side, q), step);
        }
    }
}

/* Reads the bytes before each ';' in the page's block with that name, as hex. */
static void shown_bytes(const char *page, const char *name, char *hex, size_t capacity)
{
    char opening[64];
    size_t used = 0;

    (void)snprintf(opening, sizeof opening, "```text %s\n", name);
    const char *line = strstr(page, opening);
    if (line == NULL) {
        fail_msg("PROTOCOL.md has no block '%s'", name);
        abort(); /* for static analysis: fail_msg() does not return */
    }
    for (line += strlen(opening); strncmp(line, "```", 3) != 0; line = strchr(line, '\n') + 1) {
        for (const char *c = line; *c != ';'; c++) {
            assert_true(*c == ' ' || isxdigit((unsigned char)*c));
            if (*c != ' ') {
                assert_true(used + 1 < capacity);
                hex[used++] = *c;
            }
        }
    }
    hex[used] = '\0';
}

/* The page and the vectors agree on each vector whose name begins with "example". */
static void the_page_shows_the_examples(void **state)
{
    static const char *const directions[] = {"client", "server"};
    char *page = read_file("protocol/PROTOCOL.md");
    int examples = 0;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const cJSON *vector;
        cJSON_ArrayForEach(vector, list_of(vectors, directions[i]))
        {
            const char *name = text_of(vector, "name");
            char hex[512];
            if (strncmp(name, "example ", 8) == 0) {
                shown_bytes(page, name, hex, sizeof hex);
                assert_string_equal(hex, text_of(vector, "hex"));
                examples++;
            }
        }
    }
    assert_int_equal(examples, 9);
    free(page);
}

/* Asserts that the page contains the formatted text. */
__attribute__((format(printf, 2, 3))) static void shows(const char *page, const char *format, ...)
{
    char text[64];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (strstr(page, text) == NULL) {
        fail_msg("PROTOCOL.md has no '%s'", text);
    }
}

/* The page has a section for each message of schema.mjs, from which its tables are generated. */
static void the_page_has_every_message(void **state)
{
    char *page = read_file("protocol/PROTOCOL.md");

    (void)state;
    for (unsigned type = 0; type < PROTO_TYPES; type++) {
        const char *name = proto_type_name(type);
        if (name != NULL) {
            shows(page, "\n### %u %s\n\n`[%u", type, name, type);
        }
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(client_vectors),
        cmocka_unit_test(server_vectors),
        cmocka_unit_test(position_vectors),
        cmocka_unit_test(the_page_shows_the_examples),
        cmocka_unit_test(the_page_has_every_message),
    };
    return cmocka_run_group_tests_name("protocol, vectors", tests, setup, teardown);
}
