/* What clients send: every message and every rule of PROTOCOL.md that the codec enforces, each
 * limit at its edge. */
#include "client_message.h"

#include <float.h>
#include <math.h>

static uint8_t buffer[PROTO_MESSAGE_MAX];

static void hello_travels(void **state)
{
    struct proto_hello sent = {
        .version = 1,
        .room = "room-with-thirty-two-characters-",
        .name = "Zoë 🐦",
        .encoding_count = PROTO_ENCODINGS_MAX,
        .rate = PROTO_RATE_MAX,
        .has_token = true,
    };

    for (uint32_t i = 0; i < PROTO_ENCODINGS_MAX; i++) {
        memcpy(sent.encodings[i], "sixteen-letters0", PROTO_WORD_MAX);
        sent.encodings[i][15] = (char)('0' + i);
    }
    for (uint32_t i = 0; i < PROTO_TOKEN_SIZE; i++) {
        sent.token[i] = (uint8_t)(0xf0 + i);
    }
    size_t size = proto_encode_hello(buffer, sizeof buffer, &sent);
    assert_int_equal(decode(state, buffer, size), PROTO_OK);
    assert_int_equal(message.type, PROTO_HELLO);
    assert_memory_equal(&message.hello, &sent, sizeof sent);

    sent.has_token = false;
    memset(sent.token, 0, sizeof sent.token);
    size = proto_encode_hello(buffer, sizeof buffer, &sent);
    assert_int_equal(decode(state, buffer, size), PROTO_OK);
    assert_memory_equal(&message.hello, &sent, sizeof sent);
}

static void cursor_travels(void **state)
{
    static const float values[] = {0.0f, -0.5f, 550.125f, 1e-30f, FLT_MAX, -FLT_MAX};

    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        const struct proto_cursor sent = {.x = values[i], .y = -values[i]};
        const size_t size = proto_encode_cursor(buffer, sizeof buffer, &sent);
        assert_int_equal(decode(state, buffer, size), PROTO_OK);
        assert_int_equal(message.type, PROTO_CURSOR);
        assert_memory_equal(&message.cursor, &sent, sizeof sent);
    }
}

static void away_ping_and_name_travel(void **state)
{
    static const uint64_t times[] = {0, 127, 128, 65536, UINT32_MAX, UINT64_MAX};

    assert_int_equal(decode(state, buffer, proto_encode_away(buffer, sizeof buffer)), PROTO_OK);
    assert_int_equal(message.type, PROTO_AWAY);
    for (size_t i = 0; i < ARRAY_LENGTH(times); i++) {
        const struct proto_ping ping = {.t = times[i]};
        const size_t size = proto_encode_ping(buffer, sizeof buffer, &ping);
        assert_int_equal(decode(state, buffer, size), PROTO_OK);
        assert_int_equal(message.type, PROTO_PING);
        assert_true(message.ping.t == times[i]);
    }
    const struct proto_name name = {.name = "Ada"};
    const size_t size = proto_encode_name(buffer, sizeof buffer, &name);
    assert_int_equal(decode(state, buffer, size), PROTO_OK);
    assert_int_equal(message.type, PROTO_NAME);
    assert_string_equal(message.name.name, "Ada");
}

static void encoders_stop_at_the_buffers_end(void **state)
{
    const struct proto_hello hello = {
        .version = 1, .room = "lobby", .encoding_count = 1, .encodings = {"plain"}};
    const size_t needed = proto_encode_hello(buffer, sizeof buffer, &hello);

    (void)state;
    assert_true(needed > 0);
    for (size_t capacity = 0; capacity < needed; capacity++) {
        memset(buffer, 0x5a, sizeof buffer);
        assert_int_equal(proto_encode_hello(buffer, capacity, &hello), 0);
        for (size_t i = capacity; i < sizeof buffer; i++) {
            assert_int_equal(buffer[i], 0x5a);
        }
    }
    assert_int_equal(proto_encode_hello(buffer, needed, &hello), needed);

    struct proto_hello wrong = hello;
    wrong.encoding_count = PROTO_ENCODINGS_MAX + 1;
    assert_int_equal(proto_encode_hello(buffer, sizeof buffer, &wrong), 0);
}

static void unknown_types_are_ignored(void **state)
{
    static const uint64_t types[] = {0, 14, 16, 255, UINT64_MAX};

    for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
        refuse(state, PROTO_E_TYPE, "type", false, pack("AUs", 2, types[i], "?"));
    }
    assert_string_equal(error.message, "expected a type from 1 to 13, got 18446744073709551615");
}

static void messages_have_exactly_their_fields(void **state)
{
    refuse(state, PROTO_E_MALFORMED, "", true, pack("Auuss", 4, 1u, 1u, "lobby", ""));
    refuse(state, PROTO_E_MALFORMED, "", true,
           pack("AuussAsunn", 8, 1u, 1u, "lobby", "", 1, "plain", 0u));
    refuse(state, PROTO_E_MALFORMED, "", true, pack("Au", 1, 1u));
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Auu", 2, 2u, 1u));
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Auuuu", 4, 2u, 1u, 1u, 1u));
    assert_string_equal(error.message, "expected cursor to have 3 elements, got 4");
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Aun", 2, 3u));
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Au", 1, 4u));
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Auss", 3, 5u, "a", "b"));
}

static void another_version_is_named_before_anything_else(void **state)
{
    refuse(state, PROTO_E_VERSION, "version", true, pack("AuuM", 3, 1u, 2u, 0));
    assert_string_equal(error.message, "expected 1, got 2");
    refuse(state, PROTO_E_VERSION, "version", true, pack("Auu", 2, 1u, 0u));
    refuse(state, PROTO_E_VERSION, "version", true, pack("AuU", 2, 1u, UINT64_C(4294967297)));
    refuse(state, PROTO_E_MALFORMED, "version", true, pack("Aus", 2, 1u, "1"));
}

static void hello_rooms(void **state)
{
    static const char *const wrong[] = {"",
                                        "Lobby",
                                        "a b",
                                        "a_b",
                                        "caf\xc3\xa9",
                                        "a/../b",
                                        "\x1b[2J",
                                        "room-with-thirty-three-characters"};

    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        refuse(state, PROTO_E_RANGE, "room", true,
               pack("AuussAsun", 7, 1u, 1u, wrong[i], "", 1, "plain", 0u));
        assert_false(proto_room_valid(wrong[i]));
    }
    refuse(state, PROTO_E_RANGE, "room", true,
           pack("AuuSsAsun", 7, 1u, 1u, "a\0b", (size_t)3, "", 1, "plain", 0u));
    refuse(state, PROTO_E_MALFORMED, "room", true,
           pack("AuubsAsun", 7, 1u, 1u, "lobby", (size_t)5, "", 1, "plain", 0u));
    take(state, pack("AuussAsun", 7, 1u, 1u, "-", "", 1, "plain", 0u));
    assert_true(proto_room_valid("room-with-thirty-two-characters-"));
    assert_true(proto_room_valid("0"));
}

static const char *const good_names[] = {
    "Ada",
    " ",
    "\"quoted\" \\",
    "Zo\xc3\xab",
    "\xc2\xa0",                                     /* U+00A0: the first after the C1 controls */
    "\xe2\x80\xa7",                                 /* U+2027 */
    "\xe2\x80\xaf",                                 /* U+202F */
    "\xe2\x81\xa5",                                 /* U+2065 */
    "\xe2\x81\xaa",                                 /* U+206A */
    "\xed\x9f\xbf\xee\x80\x80",                     /* U+D7FF and U+E000: around the surrogates */
    "\xf4\x8f\xbf\xbf",                             /* U+10FFFF */
    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80", /* an emoji of three code points */
    "sixty-four-bytes-are-as-much-as-a-name-can-take-on-the-wire-0123",
};
// NOLINTBEGIN(misc-misleading-bidirectional)
static const char *const forbidden_names[] = {
    "\n",
    "a\tb",
    "\x1b[2J",
    "\x7f",
    "\xc2\x80",
    "\xc2\x9f",
    "\xe2\x80\xa8",
    "\xe2\x80\xa9",
    "\xe2\x80\xaa",
    "\xe2\x80\xae",
    "\xe2\x81\xa6",
    "\xe2\x81\xa9",
    "sixty-five-bytes-are-one-more-than-a-name-can-take-on-the-wire-01",
};
// NOLINTEND(misc-misleading-bidirectional)
static const char *const broken_names[] = {
    "\x80",             /* a continuation alone */
    "a\xc3",            /* cut short */
    "\xe2\x82",         /* cut short */
    "\xf0\x9f\x90",     /* cut short */
    "\xc3(",            /* not continued */
    "\xe2\x82(",        /* not continued */
    "\xc0\x80",         /* overlong */
    "\xc1\xbf",         /* overlong */
    "\xe0\x9f\xbf",     /* overlong */
    "\xf0\x8f\xbf\xbf", /* overlong */
    "\xed\xa0\x80",     /* a surrogate */
    "\xed\xbf\xbf",     /* a surrogate */
    "\xf4\x90\x80\x80", /* beyond U+10FFFF */
    "\xf5\x80\x80\x80",
    "\xff",
};

static void names(void **state)
{
    for (size_t i = 0; i < ARRAY_LENGTH(good_names); i++) {
        assert_true(proto_name_valid(good_names[i]));
        take(state, pack("Aus", 2, 5u, good_names[i]));
        assert_string_equal(message.name.name, good_names[i]);
        take(state, pack("AuussAsun", 7, 1u, 1u, "lobby", good_names[i], 1, "plain", 0u));
        assert_string_equal(message.hello.name, good_names[i]);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(forbidden_names); i++) {
        assert_false(proto_name_valid(forbidden_names[i]));
        refuse(state, PROTO_E_RANGE, "name", false, pack("Aus", 2, 5u, forbidden_names[i]));
    }
    for (size_t i = 0; i < ARRAY_LENGTH(broken_names); i++) {
        assert_false(proto_name_valid(broken_names[i]));
        refuse(state, PROTO_E_MALFORMED, "name", false, pack("Aus", 2, 5u, broken_names[i]));
    }
    refuse(state, PROTO_E_RANGE, "name", false, pack("AuS", 2, 5u, "A\0a", (size_t)3));
    refuse(state, PROTO_E_MALFORMED, "name", false, pack("Aun", 2, 5u));
}

static void the_empty_name_is_for_hello_alone(void **state)
{
    assert_true(proto_name_valid(""));
    take(state, pack("AuussAsun", 7, 1u, 1u, "lobby", "", 1, "plain", 0u));
    assert_string_equal(message.hello.name, "");
    refuse(state, PROTO_E_RANGE, "name", false, pack("Aus", 2, 5u, ""));
    assert_string_equal(error.message, "expected 1 to 64 bytes of UTF-8, got \"\"");
}

static void hello_encodings(void **state)
{
    take(state, pack("AuussAssun", 7, 1u, 1u, "lobby", "", 2, "packed", "plain", 0u));
    assert_int_equal(message.hello.encoding_count, 2);
    assert_string_equal(message.hello.encodings[0], "packed");
    assert_string_equal(message.hello.encodings[1], "plain");

    refuse(state, PROTO_E_RANGE, "encodings", true,
           pack("AuussAun", 7, 1u, 1u, "lobby", "", 0, 0u));
    refuse(state, PROTO_E_RANGE, "encodings", true,
           pack("AuussAsssssssssun", 7, 1u, 1u, "lobby", "", 9, "a", "b", "c", "d", "e", "f", "g",
                "h", "i", 0u));
    take(state, pack("AuussAssssssssun", 7, 1u, 1u, "lobby", "", 8, "a", "b", "c", "d", "e", "f",
                     "g", "h", 0u));
    static const char *const wrong[] = {"", "seventeen-letters", "Plain", "pl in", "a\nb"};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        refuse(state, PROTO_E_RANGE, "encodings", true,
               pack("AuussAsun", 7, 1u, 1u, "lobby", "", 1, wrong[i], 0u));
    }
    refuse(state, PROTO_E_MALFORMED, "encodings", true,
           pack("AuussAuun", 7, 1u, 1u, "lobby", "", 1, 1u, 0u));
    refuse(state, PROTO_E_MALFORMED, "encodings", true,
           pack("Auusssun", 7, 1u, 1u, "lobby", "", "plain", 0u));
    refuse(state, PROTO_E_MALFORMED, "encodings", true,
           pack("AuussMssun", 7, 1u, 1u, "lobby", "", 1, "plain", "plain", 0u));
}

static void hello_rates(void **state)
{
    take(state, pack("AuussAsun", 7, 1u, 1u, "lobby", "", 1, "plain", 240u));
    assert_int_equal(message.hello.rate, 240);
    refuse(state, PROTO_E_RANGE, "rate", true,
           pack("AuussAsun", 7, 1u, 1u, "lobby", "", 1, "plain", 241u));
    assert_string_equal(error.message, "expected 0 to 240, got 241");
    refuse(state, PROTO_E_RANGE, "rate", true,
           pack("AuussAsUn", 7, 1u, 1u, "lobby", "", 1, "plain", UINT64_C(1) << 32));
    refuse(state, PROTO_E_MALFORMED, "rate", true,
           pack("AuussAsin", 7, 1u, 1u, "lobby", "", 1, "plain", (int64_t)-1));
    assert_string_equal(error.message, "expected an unsigned integer, got -1");
    refuse(state, PROTO_E_MALFORMED, "rate", true,
           pack("AuussAsdn", 7, 1u, 1u, "lobby", "", 1, "plain", 30.0));
}

static void hello_tokens(void **state)
{
    const char bytes[17] = "0123456789abcdef";

    take(state, pack("AuussAsub", 7, 1u, 1u, "lobby", "", 1, "plain", 0u, bytes, (size_t)16));
    assert_true(message.hello.has_token);
    assert_memory_equal(message.hello.token, bytes, 16);
    for (size_t size = 0; size <= 17; size++) {
        if (size != 16) {
            refuse(state, PROTO_E_RANGE, "token", true,
                   pack("AuussAsub", 7, 1u, 1u, "lobby", "", 1, "plain", 0u, bytes, size));
        }
    }
    refuse(state, PROTO_E_MALFORMED, "token", true,
           pack("AuussAsus", 7, 1u, 1u, "lobby", "", 1, "plain", 0u, bytes));
    refuse(state, PROTO_E_MALFORMED, "token", true,
           pack("AuussAsuF", 7, 1u, 1u, "lobby", "", 1, "plain", 0u));
}

static void cursors_are_finite(void **state)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e39, -DBL_MAX};

    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        refuse(state, PROTO_E_RANGE, "x", false, pack("Audd", 3, 2u, wrong[i], 0.0));
        refuse(state, PROTO_E_RANGE, "y", false, pack("Audd", 3, 2u, 0.0, wrong[i]));
    }
    refuse(state, PROTO_E_RANGE, "x", false, pack("Auff", 3, 2u, (double)NAN, 0.0));
    refuse(state, PROTO_E_RANGE, "y", false, pack("Auff", 3, 2u, 0.0, (double)INFINITY));
    assert_string_equal(error.message, "expected a finite number, got the number inf");
    refuse(state, PROTO_E_MALFORMED, "x", false, pack("Ausu", 3, 2u, "1", 1u));
    refuse(state, PROTO_E_MALFORMED, "y", false, pack("Auun", 3, 2u, 1u));
    refuse(state, PROTO_E_MALFORMED, "x", false, pack("AuTu", 3, 2u, 1u));
    refuse(state, PROTO_E_MALFORMED, "x", false, pack("Auxu", 3, 2u, 1u));
    refuse(state, PROTO_E_MALFORMED, "x", false, pack("AuAu", 3, 2u, 0, 1u));
    refuse(state, PROTO_E_MALFORMED, "x", false, pack("AuMu", 3, 2u, 0, 1u));
    take(state, pack("Aufd", 3, 2u, (double)FLT_MAX, -(double)FLT_MAX));
}

static void pings_carry_any_unsigned_integer(void **state)
{
    take(state, pack("AuU", 2, 4u, UINT64_MAX));
    assert_true(message.ping.t == UINT64_MAX);
    refuse(state, PROTO_E_MALFORMED, "t", false, pack("Aui", 2, 4u, (int64_t)-1));
    refuse(state, PROTO_E_MALFORMED, "t", false, pack("Aud", 2, 4u, 1.0));
    refuse(state, PROTO_E_MALFORMED, "t", false, pack("Aun", 2, 4u));
}

/* Whatever was sent, an error is short, printable and without escape sequences. */
static void errors_can_be_shown(void **state)
{
    char hostile[256];

    for (size_t i = 0; i < sizeof hostile; i++) {
        hostile[i] = (char)i;
    }
    for (size_t size = 1; size < sizeof hostile; size++) {
        const struct packed *packed = pack("AuS", 2, 5u, hostile, size);
        assert_int_not_equal(decode(state, packed->bytes, packed->size), PROTO_OK);
        assert_true(strlen(error.message) < sizeof error.message);
        for (const char *c = error.message; *c != '\0'; c++) {
            assert_in_range((uint8_t)*c, 0x20, 0x7e);
        }
    }
    refuse(state, PROTO_E_RANGE, "name", false, pack("Aus", 2, 5u, "A\x1b]0;x\x07"));
    assert_non_null(strstr(error.message, "got \"A\\x1b]0;x\\x07\""));
}

static void codes_have_their_names(void **state)
{
    static const char *const code_names[] = {"ok",    "malformed", "type",     "range",
                                             "state", "version",   "encoding", "room",
                                             "full",  "flood",     "role",     "key"};

    (void)state;
    for (int i = PROTO_OK; i <= PROTO_E_KEY; i++) {
        assert_string_equal(proto_code_name((enum proto_code)i), code_names[i]);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(hello_travels),
        TEST(cursor_travels),
        TEST(away_ping_and_name_travel),
        TEST(encoders_stop_at_the_buffers_end),
        TEST(unknown_types_are_ignored),
        TEST(messages_have_exactly_their_fields),
        TEST(another_version_is_named_before_anything_else),
        TEST(hello_rooms),
        TEST(names),
        TEST(the_empty_name_is_for_hello_alone),
        TEST(hello_encodings),
        TEST(hello_rates),
        TEST(hello_tokens),
        TEST(cursors_are_finite),
        TEST(pings_carry_any_unsigned_integer),
        TEST(errors_can_be_shown),
        TEST(codes_have_their_names),
    };
#undef TEST
    return cmocka_run_group_tests_name("protocol, from clients", tests, NULL, NULL);
}
