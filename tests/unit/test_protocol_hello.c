/* hello: its fields, its options, and their defaults. */
#include "client_message.h"

/* Packs a hello with options. The first argument is their number. */
#define HELLO(format, ...) pack("AuussM" format, 5, 1u, 1u, "lobby", "", __VA_ARGS__)

static void hello_travels(void **state)
{
    struct proto_client_message sent = {
        .type = PROTO_HELLO,
        .hello = {.version = 1,
                  .room = "Room-with thirty-two characters-",
                  .name = "Zoë 🐦",
                  .encoding_count = PROTO_ENCODINGS_MAX,
                  .rate = PROTO_RATE_MAX,
                  .boids = PROTO_BOIDS_MAX,
                  .has_token = true},
    };
    struct proto_hello *hello = &sent.hello;

    for (uint32_t i = 0; i < PROTO_ENCODINGS_MAX; i++) {
        memcpy(hello->encodings[i], "sixteen-letters0", PROTO_WORD_MAX);
        hello->encodings[i][15] = (char)('0' + i);
    }
    for (uint32_t i = 0; i < PROTO_TOKEN_SIZE; i++) {
        hello->token[i] = (uint8_t)(0xf0 + i);
    }
    memset(hello->key, 'k', PROTO_KEY_MAX);
    travel(state, &sent);
    assert_memory_equal(&message.hello, hello, sizeof *hello);

    sent.hello = (struct proto_hello){
        .version = 1, .room = "lobby", .encoding_count = 1, .encodings = {"plain"}, .rate = 0};
    travel(state, &sent);
    assert_memory_equal(&message.hello, hello, sizeof *hello);
    uint8_t buffer[PROTO_MESSAGE_MAX];
    sent.hello.encoding_count = PROTO_ENCODINGS_MAX + 1;
    assert_int_equal(proto_encode_client(buffer, sizeof buffer, &sent), 0);
}

static void options_have_defaults(void **state)
{
    take(state, HELLO("", 0));
    assert_int_equal(message.hello.encoding_count, 1);
    assert_string_equal(message.hello.encodings[0], "plain");
    assert_int_equal(message.hello.rate, 0);
    assert_int_equal(message.hello.boids, 0);
    assert_false(message.hello.has_token);
    assert_string_equal(message.hello.key, "");
}

static void hello_has_exactly_its_fields(void **state)
{
    refuse(state, PROTO_E_MALFORMED, "", true, pack("Au", 1, 1u));
    refuse(state, PROTO_E_MALFORMED, "", true, pack("Auuss", 4, 1u, 1u, "lobby", ""));
    refuse(state, PROTO_E_MALFORMED, "", true, pack("AuussMu", 6, 1u, 1u, "lobby", "", 0, 1u));
    assert_string_equal(error.message, "expected hello to have 5 elements, got 6");
    assert_int_equal(error.type, PROTO_HELLO);
    refuse(state, PROTO_E_MALFORMED, "options", true, pack("Auussn", 5, 1u, 1u, "lobby", ""));
    refuse(state, PROTO_E_MALFORMED, "options", true, pack("AuussA", 5, 1u, 1u, "lobby", "", 0));
}

static void another_version_is_named_before_anything_else(void **state)
{
    refuse(state, PROTO_E_VERSION, "version", true, pack("AuuM", 3, 1u, 2u, 0));
    assert_string_equal(error.message, "expected 1, got 2");
    refuse(state, PROTO_E_VERSION, "version", true, pack("Auu", 2, 1u, 0u));
    refuse(state, PROTO_E_VERSION, "version", true, pack("AuU", 2, 1u, UINT64_C(4294967297)));
    refuse(state, PROTO_E_MALFORMED, "version", true, pack("Aus", 2, 1u, "1"));
}

static void rooms(void **state)
{
    static const char *const good[] = {"lobby", "-", "FK7 2MX", "fk7-2mx",
                                       "room-with-thirty-two-characters-"};
    static const char *const wrong[] = {"",       "a_b",     "caf\xc3\xa9",
                                        "a/../b", "\x1b[2J", "room-with-thirty-three-characters"};

    for (size_t i = 0; i < ARRAY_LENGTH(good); i++) {
        take(state, pack("AuussM", 5, 1u, 1u, good[i], "", 0));
        assert_string_equal(message.hello.room, good[i]); /* unchanged */
    }
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        refuse(state, PROTO_E_RANGE, "room", true, pack("AuussM", 5, 1u, 1u, wrong[i], "", 0));
    }
    refuse(state, PROTO_E_RANGE, "room", true, pack("AuuSsM", 5, 1u, 1u, "a\0b", (size_t)3, "", 0));
    refuse(state, PROTO_E_MALFORMED, "room", true,
           pack("AuubsM", 5, 1u, 1u, "lobby", (size_t)5, "", 0));
}

/* A client with unknown options of a later version can join. */
static void unknown_options_are_skipped(void **state)
{
    take(state, HELLO("su"
                      "sn"
                      "sT"
                      "sx"
                      "sAss"
                      "sMsu",
                      6, "later", 1u, "", "no", "x", "list", 2, "a", "b", "map", 1, "rate", 9u));
    assert_int_equal(message.hello.rate, 0); /* that rate was in a nested map */
    take(state,
         HELLO("si"
               "sd"
               "sb"
               "sS",
               4, "a", (int64_t)-1, "b", 1.0, "c", "\0\xff", (size_t)2, "d", "\xff", (size_t)1));
    take(state, HELLO("susu", 2, "Rate", 500u, "rate", 5u));
    assert_int_equal(message.hello.rate, 5);
    refuse(state, PROTO_E_MALFORMED, "options", true, HELLO("uu", 1, 1u, 1u));
    refuse(state, PROTO_E_MALFORMED, "options", true, HELLO("nu", 1, 1u));
    refuse(state, PROTO_E_MALFORMED, "options", true, HELLO("su", 1, "\xff", 1u));
}

static void the_last_of_two_equal_options_counts(void **state)
{
    take(state, HELLO("susu", 2, "rate", 5u, "rate", 7u));
    assert_int_equal(message.hello.rate, 7);
    refuse(state, PROTO_E_RANGE, "rate", true, HELLO("susu", 2, "rate", 5u, "rate", 700u));
}

static void encodings(void **state)
{
    static const char *const wrong[] = {"", "seventeen-letters", "Plain", "pl in", "a\nb"};

    take(state, HELLO("sAss", 1, "encodings", 2, "packed", "plain"));
    assert_int_equal(message.hello.encoding_count, 2);
    assert_string_equal(message.hello.encodings[0], "packed");
    assert_string_equal(message.hello.encodings[1], "plain");
    take(state, HELLO("sAssssssss", 1, "encodings", 8, "a", "b", "c", "d", "e", "f", "g", "h"));
    refuse(state, PROTO_E_RANGE, "encodings", true,
           HELLO("sAsssssssss", 1, "encodings", 9, "a", "b", "c", "d", "e", "f", "g", "h", "i"));
    refuse(state, PROTO_E_RANGE, "encodings", true, HELLO("sA", 1, "encodings", 0));
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        refuse(state, PROTO_E_RANGE, "encodings", true, HELLO("sAs", 1, "encodings", 1, wrong[i]));
    }
    refuse(state, PROTO_E_MALFORMED, "encodings", true, HELLO("sAu", 1, "encodings", 1, 1u));
    refuse(state, PROTO_E_MALFORMED, "encodings", true, HELLO("ss", 1, "encodings", "plain"));
    refuse(state, PROTO_E_MALFORMED, "encodings", true, HELLO("sM", 1, "encodings", 0));
    refuse(state, PROTO_E_MALFORMED, "encodings", true, HELLO("sn", 1, "encodings"));
}

static void rates_and_boids(void **state)
{
    take(state, HELLO("susu", 2, "rate", 240u, "boids", 1000000u));
    assert_int_equal(message.hello.rate, 240);
    assert_int_equal(message.hello.boids, 1000000);
    refuse(state, PROTO_E_RANGE, "rate", true, HELLO("su", 1, "rate", 241u));
    assert_string_equal(error.message, "expected 0 to 240, got 241");
    refuse(state, PROTO_E_RANGE, "rate", true, HELLO("sU", 1, "rate", UINT64_C(1) << 32));
    refuse(state, PROTO_E_MALFORMED, "rate", true, HELLO("si", 1, "rate", (int64_t)-1));
    assert_string_equal(error.message, "expected an unsigned integer, got -1");
    refuse(state, PROTO_E_MALFORMED, "rate", true, HELLO("sd", 1, "rate", 30.0));
    refuse(state, PROTO_E_MALFORMED, "rate", true, HELLO("sn", 1, "rate"));
    refuse(state, PROTO_E_RANGE, "boids", true, HELLO("su", 1, "boids", 1000001u));
    refuse(state, PROTO_E_MALFORMED, "boids", true, HELLO("ss", 1, "boids", "all"));
}

static void tokens(void **state)
{
    const char bytes[17] = "0123456789abcdef";

    take(state, HELLO("sb", 1, "token", bytes, (size_t)16));
    assert_true(message.hello.has_token);
    assert_memory_equal(message.hello.token, bytes, 16);
    take(state, HELLO("sn", 1, "token"));
    assert_false(message.hello.has_token);
    for (size_t size = 0; size <= 17; size++) {
        if (size != 16) {
            refuse(state, PROTO_E_RANGE, "token", true, HELLO("sb", 1, "token", bytes, size));
        }
    }
    refuse(state, PROTO_E_MALFORMED, "token", true, HELLO("ss", 1, "token", bytes));
    refuse(state, PROTO_E_MALFORMED, "token", true, HELLO("sF", 1, "token"));
}

static void keys(void **state)
{
    char text[PROTO_KEY_MAX + 1];

    memset(text, 'z', sizeof text);
    take(state, HELLO("sS", 1, "key", text, (size_t)PROTO_KEY_MAX));
    assert_int_equal(strlen(message.hello.key), PROTO_KEY_MAX);
    refuse(state, PROTO_E_RANGE, "key", true, HELLO("sS", 1, "key", text, sizeof text));
    refuse(state, PROTO_E_RANGE, "key", true, HELLO("ss", 1, "key", ""));
    refuse(state, PROTO_E_RANGE, "key", true, HELLO("ss", 1, "key", "Key"));
    refuse(state, PROTO_E_MALFORMED, "key", true, HELLO("sn", 1, "key"));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(hello_travels),
        TEST(options_have_defaults),
        TEST(hello_has_exactly_its_fields),
        TEST(another_version_is_named_before_anything_else),
        TEST(rooms),
        TEST(unknown_options_are_skipped),
        TEST(the_last_of_two_equal_options_counts),
        TEST(encodings),
        TEST(rates_and_boids),
        TEST(tokens),
        TEST(keys),
    };
#undef TEST
    return cmocka_run_group_tests_name("protocol, hello", tests, NULL, NULL);
}
