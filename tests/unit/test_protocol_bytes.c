/* MessagePack: the forms of a number, and invalid bytes or lengths. */
#include "client_message.h"

static void numbers_may_be_of_any_form(void **state)
{
    take(state, pack("Auui", 3, 2u, 7u, (int64_t)-7));
    assert_true(message.cursor.x == 7.0f && message.cursor.y == -7.0f);
    take(state, pack("Audf", 3, 2u, 0.25, 0.5));
    assert_true(message.cursor.x == 0.25f && message.cursor.y == 0.5f);
    take(state, pack("AuUi", 3, 2u, UINT64_MAX, INT64_MIN));
    assert_true(message.cursor.x == 18446744073709551616.0f);
    assert_true(message.cursor.y == -9223372036854775808.0f);
}

static void unsigned_integers_may_be_of_any_width(void **state)
{
    static const char *const pings[] = {
        "\x92\x04\x05",
        "\x92\xcc\x04\xcc\x05",
        "\x92\xcd\0\x04\xcd\0\x05",
        "\x92\xce\0\0\0\x04\xce\0\0\0\x05",
        "\x92\xcf\0\0\0\0\0\0\0\x04\xcf\0\0\0\0\0\0\0\x05",
        "\x92\xd0\x04\xd0\x05",
        "\x92\xd1\0\x04\xd1\0\x05",
        "\x92\xd2\0\0\0\x04\xd2\0\0\0\x05",
        "\x92\xd3\0\0\0\0\0\0\0\x04\xd3\0\0\0\0\0\0\0\x05",
    };
    static const size_t sizes[] = {3, 5, 7, 11, 19, 5, 7, 11, 19};

    for (size_t i = 0; i < ARRAY_LENGTH(pings); i++) {
        assert_int_equal(decode(state, (const uint8_t *)pings[i], sizes[i]), PROTO_OK);
        assert_int_equal(message.type, PROTO_PING);
        assert_int_equal(message.ping.t, 5);
    }
}

static void bytes_that_are_no_message_are_fatal(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
    } inputs[] = {
        {"", 0},
        {"\x03", 1},
        {"\xc0", 1},
        {"\x81\x03\xc0", 3},
        {"\xa1\x03", 2},
        {"\x90", 1},               /* no type */
        {"\xc1", 1},               /* not MessagePack */
        {"\x91\xc1", 2},           /* not MessagePack in an array */
        {"\x91\x03\x00", 3},       /* a byte too many */
        {"\x92\x04", 2},           /* cut short */
        {"\x92\x04\xcf\0\0\0", 6}, /* cut short in a number */
        {"\x92\x05\xd9", 3},       /* cut short in a length */
        {"\x92\x05\xa5"
         "Ada",
         6},                                     /* a str longer than the message */
        {"\x92\x05\xdb\xff\xff\xff\xff", 7},     /* one of 4 GiB */
        {"\xdd\xff\xff\xff\xff", 5},             /* an array of 4 G values */
        {"\xdd\xff\xff\xff\xff\x03\x03\x03", 8}, /* with only some of them */
        {"\x92\x03\xdf\xff\xff\xff\xff", 7},     /* a map of 4 G pairs */
        {"\x92\x03\xdf\x80\x00\x00\x00", 7},     /* one whose doubled count would be 0 in 32 bits */
        {"\x92\x03\xc6\xff\xff\xff\xff", 7},     /* a bin of 4 GiB */
        {"\x92\x03\xc9\xff\xff\xff\xff\x01", 8}, /* an ext of 4 GiB */
        {"\x92\x03\xd8\x01\x00", 5},             /* a short fixext 16 */
    };

    for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
        refuse_bytes(state, PROTO_E_MALFORMED, "", true, inputs[i].bytes, inputs[i].size);
    }
    refuse(state, PROTO_E_MALFORMED, "type", true, pack("As", 1, "away"));
    refuse(state, PROTO_E_MALFORMED, "type", true, pack("Ai", 1, (int64_t)-3));
    refuse(state, PROTO_E_MALFORMED, "type", true, pack("Ad", 1, 3.0));
}

static void nesting_is_bounded(void **state)
{
    /* Eight nested arrays are read and refused because of their contents. Nine are not read. */
    refuse_bytes(state, PROTO_E_MALFORMED, "type", true, "\x91\x91\x91\x91\x91\x91\x91\x91\x03", 9);
    refuse_bytes(state, PROTO_E_MALFORMED, "", true, "\x91\x91\x91\x91\x91\x91\x91\x91\x91\x03",
                 10);
    assert_non_null(strstr(error.message, "byte 8 is nested too deep"));
    refuse_bytes(state, PROTO_E_MALFORMED, "", true, "\x91\x91\x91\x91\x91\x91\x91\x91\x90", 9);
    refuse_bytes(state, PROTO_E_MALFORMED, "", true, "\x91\x91\x91\x91\x91\x91\x91\x91\x80", 9);

    uint8_t deep[PROTO_MESSAGE_MAX];
    memset(deep, 0x91, sizeof deep);
    refuse_bytes(state, PROTO_E_MALFORMED, "", true, deep, sizeof deep);
    memset(deep, 0x81, sizeof deep);
    refuse_bytes(state, PROTO_E_MALFORMED, "", true, deep, sizeof deep);
}

static void a_message_has_at_most_1024_bytes(void **state)
{
    uint8_t bytes[PROTO_MESSAGE_MAX + 1] = {0xdc, 0x03, 0xfd}; /* an array of 1,021, all 0 */

    refuse_bytes(state, PROTO_E_TYPE, "type", false, bytes, PROTO_MESSAGE_MAX);
    bytes[2] = 0xfe;
    refuse_bytes(state, PROTO_E_MALFORMED, "", true, bytes, PROTO_MESSAGE_MAX + 1);
    assert_string_equal(error.message, "expected at most 1024 bytes, got 1025");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(numbers_may_be_of_any_form),          TEST(unsigned_integers_may_be_of_any_width),
        TEST(bytes_that_are_no_message_are_fatal), TEST(nesting_is_bounded),
        TEST(a_message_has_at_most_1024_bytes),
    };
#undef TEST
    return cmocka_run_group_tests_name("protocol, bytes", tests, NULL, NULL);
}
