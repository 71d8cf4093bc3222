/* What presenters send: key, set, param, add, remove, reset and step, each limit at its edge. */
#include "client_message.h"

#include <float.h>
#include <math.h>

static uint8_t buffer[PROTO_MESSAGE_MAX];

#define KEY_64  "0123456789abcdefghijklmnopqrstuvwxyz-0123456789abcdefghijklmnopq"
#define WORD_16 "sixteen-letters0"
#define NAME_32 "a_parameter_of_thirty_two_bytes0"

/* Expects the message that was just encoded in so many bytes, and in no fewer. */
static void arrives(void **state, enum proto_type type, size_t size)
{
    assert_true(size > 0);
    assert_int_equal(decode(state, buffer, size), PROTO_OK);
    assert_int_equal(message.type, type);
}

static void every_message_travels(void **state)
{
    const struct proto_key key = {.key = KEY_64};
    const struct proto_set set = {.name = WORD_16, .value = "a"};
    const struct proto_param_set param = {.name = NAME_32, .value = -0.125f};
    const struct proto_add add = {.x = -1773.5f, .y = FLT_MAX, .count = PROTO_ADD_MAX};
    const struct proto_remove remove = {.count = PROTO_BOIDS_MAX};

    arrives(state, PROTO_KEY, proto_encode_key(buffer, sizeof buffer, &key));
    assert_string_equal(message.key.key, KEY_64);
    arrives(state, PROTO_SET, proto_encode_set(buffer, sizeof buffer, &set));
    assert_string_equal(message.set.name, WORD_16);
    assert_string_equal(message.set.value, "a");
    arrives(state, PROTO_PARAM, proto_encode_param(buffer, sizeof buffer, &param));
    assert_string_equal(message.param.name, NAME_32);
    assert_true(message.param.value == -0.125f);
    arrives(state, PROTO_ADD, proto_encode_add(buffer, sizeof buffer, &add));
    assert_true(message.add.x == -1773.5f && message.add.y == FLT_MAX);
    assert_int_equal(message.add.count, PROTO_ADD_MAX);
    arrives(state, PROTO_REMOVE, proto_encode_remove(buffer, sizeof buffer, &remove));
    assert_int_equal(message.remove.count, PROTO_BOIDS_MAX);
    arrives(state, PROTO_RESET, proto_encode_reset(buffer, sizeof buffer));
    arrives(state, PROTO_STEP, proto_encode_step(buffer, sizeof buffer));
}

static void encoders_stop_at_the_buffers_end(void **state)
{
    const struct proto_key key = {.key = KEY_64};
    const size_t needed = proto_encode_key(buffer, sizeof buffer, &key);

    (void)state;
    assert_int_equal(needed, 2 + 2 + 64);
    for (size_t capacity = 0; capacity < needed; capacity++) {
        memset(buffer, 0x5a, sizeof buffer);
        assert_int_equal(proto_encode_key(buffer, capacity, &key), 0);
        for (size_t i = capacity; i < sizeof buffer; i++) {
            assert_int_equal(buffer[i], 0x5a);
        }
    }
    assert_int_equal(proto_encode_set(buffer, 2, &(struct proto_set){.name = "a"}), 0);
    assert_int_equal(proto_encode_param(buffer, 2, &(struct proto_param_set){.name = "a"}), 0);
    assert_int_equal(proto_encode_add(buffer, 2, &(struct proto_add){.count = 1}), 0);
    assert_int_equal(proto_encode_remove(buffer, 2, &(struct proto_remove){.count = 1}), 0);
    assert_int_equal(proto_encode_reset(buffer, 1), 0);
    assert_int_equal(proto_encode_step(buffer, 1), 0);
}

static void messages_have_exactly_their_fields(void **state)
{
    static const struct {
        unsigned type;
        int elements;
        const char *complaint;
    } forms[] = {
        {6, 2, "expected key to have 2 elements, got "},
        {7, 3, "expected set to have 3 elements, got "},
        {8, 3, "expected param to have 3 elements, got "},
        {9, 4, "expected add to have 4 elements, got "},
        {10, 2, "expected remove to have 2 elements, got "},
        {11, 1, "expected reset to have 1 elements, got "},
        {12, 1, "expected step to have 1 elements, got "},
    };
    static const char *const nothing[] = {"Au", "Aun", "Aunn", "Aunnn", "Aunnnn"};

    for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
        for (int elements = 1; elements <= 5; elements++) {
            if (elements != forms[i].elements) {
                refuse(state, PROTO_E_MALFORMED, "", false,
                       pack(nothing[elements - 1], elements, forms[i].type));
                assert_memory_equal(error.message, forms[i].complaint, strlen(forms[i].complaint));
            }
        }
    }
}

/* Every field of every message is of one kind. */
static void fields_are_of_their_kind(void **state)
{
    refuse(state, PROTO_E_MALFORMED, "key", false, pack("Auu", 2, 6u, 1u));
    refuse(state, PROTO_E_MALFORMED, "key", false, pack("Aub", 2, 6u, "secret", (size_t)6));
    refuse(state, PROTO_E_MALFORMED, "key", false, pack("Aun", 2, 6u));
    refuse(state, PROTO_E_MALFORMED, "name", false, pack("Auus", 3, 7u, 1u, "boids"));
    refuse(state, PROTO_E_MALFORMED, "value", false, pack("Ausu", 3, 7u, "model", 1u));
    refuse(state, PROTO_E_MALFORMED, "value", false, pack("AusAs", 3, 7u, "model", 1, "boids"));
    refuse(state, PROTO_E_MALFORMED, "name", false, pack("Aund", 3, 8u, 1.0));
    refuse(state, PROTO_E_MALFORMED, "value", false, pack("Auss", 3, 8u, "speed", "1"));
    refuse(state, PROTO_E_MALFORMED, "value", false, pack("AusT", 3, 8u, "speed"));
    refuse(state, PROTO_E_MALFORMED, "x", false, pack("Ausuu", 4, 9u, "1", 1u, 1u));
    refuse(state, PROTO_E_MALFORMED, "y", false, pack("Auunu", 4, 9u, 1u, 1u));
    refuse(state, PROTO_E_MALFORMED, "count", false, pack("Auuud", 4, 9u, 1u, 1u, 1.0));
    refuse(state, PROTO_E_MALFORMED, "count", false, pack("Auuui", 4, 9u, 1u, 1u, (int64_t)-1));
    assert_string_equal(error.message, "expected an unsigned integer, got -1");
    refuse(state, PROTO_E_MALFORMED, "count", false, pack("Aui", 2, 10u, (int64_t)-1));
    refuse(state, PROTO_E_MALFORMED, "count", false, pack("Aus", 2, 10u, "all"));
}

/* A message of that type whose first or second str is text of that size. */
static void words_are(void **state, unsigned type, const char *field, const char *text, size_t size,
                      bool good)
{
    const bool second = strcmp(field, "value") == 0;
    const struct packed *packed = type == 6   ? pack("AuS", 2, type, text, size)
                                  : type == 8 ? pack("AuSu", 3, type, text, size, 1u)
                                  : second    ? pack("AusS", 3, type, "a", text, size)
                                              : pack("AuSs", 3, type, text, size, "a");

    if (good) {
        take(state, packed);
    } else {
        refuse(state, PROTO_E_RANGE, field, false, packed);
    }
}

static void words_have_their_letters_and_lengths(void **state)
{
    static const struct {
        const char *field;
        unsigned type, longest;
        char mark; /* that may be there, besides letters and digits */
    } words[] = {
        {"key", 6, PROTO_KEY_MAX, '-'},
        {"name", 7, PROTO_WORD_MAX, '-'},
        {"value", 7, PROTO_WORD_MAX, '-'},
        {"name", 8, PROTO_ROOM_MAX, '_'},
    };
    char text[PROTO_KEY_MAX + 1];

    for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
        const unsigned type = words[i].type;
        const char *field = words[i].field;
        memset(text, 'z', sizeof text);
        words_are(state, type, field, text, 0, false);
        words_are(state, type, field, text, 1, true);
        words_are(state, type, field, text, words[i].longest, true);
        words_are(state, type, field, text, words[i].longest + 1, false);
        for (int c = 0; c < 128; c++) {
            const char two[2] = {'a', (char)c};
            const bool good =
                (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == words[i].mark;
            words_are(state, type, field, two, 2, good);
        }
        words_are(state, type, field, "caf\xc3\xa9", 5, false);
    }
    words_are(state, 6, "key", "a_b", 3, false);
    assert_string_equal(error.message, "expected 1 to 64 of a-z, 0-9 and -, got \"a_b\"");
    words_are(state, 8, "name", "a-b", 3, false);
    assert_string_equal(error.message, "expected 1 to 32 of a-z, 0-9 and _, got \"a-b\"");
}

static void numbers_are_finite(void **state)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e39, -DBL_MAX};

    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        refuse(state, PROTO_E_RANGE, "value", false, pack("Ausd", 3, 8u, "a", wrong[i]));
        refuse(state, PROTO_E_RANGE, "x", false, pack("Auddu", 4, 9u, wrong[i], 0.0, 1u));
        refuse(state, PROTO_E_RANGE, "y", false, pack("Auddu", 4, 9u, 0.0, wrong[i], 1u));
    }
    take(state, pack("Ausi", 3, 8u, "a", (int64_t)-7));
    assert_true(message.param.value == -7.0f);
    take(state, pack("Ausd", 3, 8u, "a", -(double)FLT_MAX));
    take(state, pack("Auffu", 4, 9u, (double)FLT_MAX, -(double)FLT_MAX, 1u));
}

static void counts_are_in_range(void **state)
{
    take(state, pack("Auuuu", 4, 9u, 0u, 0u, 1u));
    assert_int_equal(message.add.count, 1);
    refuse(state, PROTO_E_RANGE, "count", false, pack("Auuuu", 4, 9u, 0u, 0u, 0u));
    assert_string_equal(error.message, "expected 1 to 10000, got 0");
    take(state, pack("Auuuu", 4, 9u, 0u, 0u, 10000u));
    refuse(state, PROTO_E_RANGE, "count", false, pack("Auuuu", 4, 9u, 0u, 0u, 10001u));
    refuse(state, PROTO_E_RANGE, "count", false, pack("AuuuU", 4, 9u, 0u, 0u, UINT64_MAX));

    take(state, pack("Auu", 2, 10u, 1u));
    assert_int_equal(message.remove.count, 1);
    refuse(state, PROTO_E_RANGE, "count", false, pack("Auu", 2, 10u, 0u));
    assert_string_equal(error.message, "expected 1 to 1000000, got 0");
    refuse(state, PROTO_E_RANGE, "count", false, pack("Auu", 2, 10u, 1000001u));
    refuse(state, PROTO_E_RANGE, "count", false, pack("AuU", 2, 10u, (UINT64_C(1) << 32) + 1));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_message_travels),
        TEST(encoders_stop_at_the_buffers_end),
        TEST(messages_have_exactly_their_fields),
        TEST(fields_are_of_their_kind),
        TEST(words_have_their_letters_and_lengths),
        TEST(numbers_are_finite),
        TEST(counts_are_in_range),
    };
#undef TEST
    return cmocka_run_group_tests_name("protocol, from presenters", tests, NULL, NULL);
}
