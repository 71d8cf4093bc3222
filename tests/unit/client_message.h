/* For tests of client messages. Decodes a message and checks the result. */
#ifndef TEST_CLIENT_MESSAGE_H
#define TEST_CLIENT_MESSAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "protocol.h"

#include "pack.h"

#include <stdlib.h>

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof(a)[0])

/* The result of the last decode(). */
static struct proto_client_message message;
static struct proto_error error;

static inline int setup(void **state)
{
    *state = proto_decoder_create();
    return *state == NULL;
}

static inline int teardown(void **state)
{
    proto_decoder_destroy(*state);
    return 0;
}

/* Decodes a copy of exactly `size` bytes, so that AddressSanitizer reports reads past its end. */
static inline enum proto_code decode(void **state, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    memset(&message, 0xa5, sizeof message);
    memset(&error, 0xa5, sizeof error);
    const enum proto_code code = proto_decode_client(*state, copy, size, &message, &error);
    free(copy);
    return code;
}

static inline void take(void **state, const struct packed *packed)
{
    const enum proto_code code = decode(state, packed->bytes, packed->size);
    if (code != PROTO_OK) {
        fail_msg("refused: %s %s: %s", proto_code_name(error.code), error.field, error.message);
    }
}

/* Encodes a message into exactly as many bytes as it needs, and decodes it. Checks that one byte
 * fewer is too few. */
static inline void travel(void **state, const struct proto_client_message *sent)
{
    uint8_t buffer[PROTO_MESSAGE_MAX];
    const size_t size = proto_encode_client(buffer, sizeof buffer, sent);

    assert_true(size > 0);
    assert_int_equal(proto_encode_client(buffer, size, sent), size);
    for (size_t capacity = 0; capacity < size; capacity++) {
        memset(buffer, 0x5a, sizeof buffer);
        assert_int_equal(proto_encode_client(buffer, capacity, sent), 0);
        for (size_t i = capacity; i < sizeof buffer; i++) {
            assert_int_equal(buffer[i], 0x5a);
        }
    }
    assert_int_equal(proto_encode_client(buffer, sizeof buffer, sent), size);
    assert_int_equal(decode(state, buffer, size), PROTO_OK);
    assert_int_equal(message.type, sent->type);
    assert_int_equal(message.has_tag, sent->has_tag);
    assert_int_equal(message.tag, sent->tag);
}

static inline void refuse_bytes(void **state, enum proto_code code, const char *field, bool fatal,
                                const void *bytes, size_t size)
{
    assert_int_equal(decode(state, bytes, size), code);
    assert_int_equal(error.code, code);
    assert_string_equal(error.field, field);
    assert_int_equal(error.fatal, fatal);
    assert_true(strlen(error.message) > 0);
}

static inline void refuse(void **state, enum proto_code code, const char *field, bool fatal,
                          const struct packed *packed)
{
    refuse_bytes(state, code, field, fatal, packed->bytes, packed->size);
}

#endif
