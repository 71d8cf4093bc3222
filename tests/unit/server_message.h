/* For tests of server messages. Decodes a message and checks the result. */
#ifndef TEST_SERVER_MESSAGE_H
#define TEST_SERVER_MESSAGE_H

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
static struct proto_server_message message;
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

/* Decodes a copy of exactly `size` bytes, so that AddressSanitizer reports reads past its end. The
 * copy lives until the next call, because a snapshot points into it. */
static inline enum proto_code decode(void **state, const uint8_t *bytes, size_t size)
{
    static uint8_t *copy;

    free(copy);
    copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    memset(&message, 0xa5, sizeof message);
    memset(&error, 0xa5, sizeof error);
    return proto_decode_server(*state, copy, size, &message, &error);
}

static inline void take_bytes(void **state, const uint8_t *bytes, size_t size)
{
    const enum proto_code code = decode(state, bytes, size);
    if (code != PROTO_OK) {
        fail_msg("refused: %s %s: %s", proto_code_name(error.code), error.field, error.message);
    }
}

static inline void take(void **state, const struct packed *packed)
{
    take_bytes(state, packed->bytes, packed->size);
}

static inline void refuse(void **state, enum proto_code code, const char *field,
                          const struct packed *packed)
{
    assert_int_equal(decode(state, packed->bytes, packed->size), code);
    assert_int_equal(error.code, code);
    assert_string_equal(error.field, field);
    assert_true(strlen(error.message) > 0);
}

#endif
