/* Presenters' messages and the key message, at their limits. */
#include "client_message.h"

#include <float.h>
#include <math.h>

#define KEY_64  "0123456789abcdefghijklmnopqrstuvwxyz-0123456789abcdefghijklmnopq"
#define WORD_16 "sixteen-letters0"
#define NAME_32 "a_parameter_of_thirty_two_bytes0"

static void every_message_travels(void **state)
{
    struct proto_client_message sent = {.type = PROTO_KEY, .key = {KEY_64}};

    travel(state, &sent);
    assert_string_equal(message.key.key, KEY_64);
    sent = (struct proto_client_message){.type = PROTO_SET, .set = {WORD_16, "a"}};
    travel(state, &sent);
    assert_string_equal(message.set.name, WORD_16);
    assert_string_equal(message.set.value, "a");
    sent = (struct proto_client_message){.type = PROTO_PARAM, .param = {NAME_32, -0.125f}};
    travel(state, &sent);
    assert_string_equal(message.param.name, NAME_32);
    assert_true(message.param.value == -0.125f);
    sent =
        (struct proto_client_message){.type = PROTO_ADD, .add = {-1773.5f, FLT_MAX, PROTO_ADD_MAX}};
    travel(state, &sent);
    assert_true(message.add.x == -1773.5f && message.add.y == FLT_MAX);
    assert_int_equal(message.add.count, PROTO_ADD_MAX);
    sent = (struct proto_client_message){.type = PROTO_REMOVE, .remove = {PROTO_BOIDS_MAX}};
    travel(state, &sent);
    assert_int_equal(message.remove.count, PROTO_BOIDS_MAX);
    sent = (struct proto_client_message){.type = PROTO_TITLE, .title = {KEY_64}};
    travel(state, &sent);
    assert_string_equal(message.title.title, KEY_64);
    sent = (struct proto_client_message){.type = PROTO_EXPEL, .expel = {UINT32_MAX}};
    travel(state, &sent);
    assert_int_equal(message.expel.id, UINT32_MAX);
    for (enum proto_role role = PROTO_VIEWER; role <= PROTO_PRESENTER; role++) {
        sent = (struct proto_client_message){.type = PROTO_APPOINT, .appoint = {7, role}};
        travel(state, &sent);
        assert_int_equal(message.appoint.id, 7);
        assert_int_equal(message.appoint.role, role);
    }
    travel(state, &(struct proto_client_message){.type = PROTO_RESET});
    travel(state, &(struct proto_client_message){.type = PROTO_STEP});
    travel(state, &(struct proto_client_message){.type = PROTO_REKEY});
    travel(state, &(struct proto_client_message){.type = PROTO_LIVE});
    travel(state, &(struct proto_client_message){.type = PROTO_RESUME});
    travel(state, &(struct proto_client_message){.type = PROTO_REWIND, .rewind = {2.5F}});
    assert_true(message.rewind.back == 2.5F);
    travel(state, &(struct proto_client_message){.type = PROTO_PLAY, .play = {-2.0F}});
    assert_true(message.play.speed == -2.0F);
    sent = (struct proto_client_message){.type = PROTO_SAVE, .save = {KEY_64}};
    travel(state, &sent);
    assert_string_equal(message.save.name, KEY_64);
    sent = (struct proto_client_message){.type = PROTO_FORGET, .forget = {KEY_64}};
    travel(state, &sent);
    assert_string_equal(message.forget.name, KEY_64);
}

static void messages_have_exactly_their_fields(void **state)
{
    static const struct {
        unsigned type;
        int elements;
        const char *complaint;
    } forms[] = {
        {7, 2, "expected key to have 2 elements, or 3 with a tag, got "},
        {16, 3, "expected set to have 3 elements, or 4 with a tag, got "},
        {17, 3, "expected param to have 3 elements, or 4 with a tag, got "},
        {18, 4, "expected add to have 4 elements, or 5 with a tag, got "},
        {19, 2, "expected remove to have 2 elements, or 3 with a tag, got "},
        {20, 1, "expected reset to have 1 element, or 2 with a tag, got "},
        {21, 1, "expected step to have 1 element, or 2 with a tag, got "},
        {22, 2, "expected title to have 2 elements, or 3 with a tag, got "},
        {23, 2, "expected expel to have 2 elements, or 3 with a tag, got "},
        {24, 3, "expected appoint to have 3 elements, or 4 with a tag, got "},
        {25, 1, "expected rekey to have 1 element, or 2 with a tag, got "},
    };
    static const char *const nothing[] = {"Au", "Aun", "Aunn", "Aunnn", "Aunnnn", "Aunnnnn"};

    for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
        for (int elements = 1; elements <= 6; elements++) {
            if (elements != forms[i].elements && elements != forms[i].elements + 1) {
                refuse(state, PROTO_E_MALFORMED, "", false,
                       pack(nothing[elements - 1], elements, forms[i].type));
                assert_memory_equal(error.message, forms[i].complaint, strlen(forms[i].complaint));
                assert_int_equal(error.type, forms[i].type);
                assert_false(error.has_tag);
            }
        }
    }
}

/* Every field of every message accepts one type only. */
static void fields_are_of_their_kind(void **state)
{
    refuse(state, PROTO_E_MALFORMED, "key", false, pack("Auu", 2, 7u, 1u));
    refuse(state, PROTO_E_MALFORMED, "key", false, pack("Aub", 2, 7u, "secret", (size_t)6));
    refuse(state, PROTO_E_MALFORMED, "key", false, pack("Aun", 2, 7u));
    refuse(state, PROTO_E_MALFORMED, "name", false, pack("Auus", 3, 16u, 1u, "boids"));
    refuse(state, PROTO_E_MALFORMED, "value", false, pack("Ausu", 3, 16u, "model", 1u));
    refuse(state, PROTO_E_MALFORMED, "value", false, pack("AusAs", 3, 16u, "model", 1, "boids"));
    refuse(state, PROTO_E_MALFORMED, "name", false, pack("Aund", 3, 17u, 1.0));
    refuse(state, PROTO_E_MALFORMED, "value", false, pack("Auss", 3, 17u, "speed", "1"));
    refuse(state, PROTO_E_MALFORMED, "value", false, pack("AusT", 3, 17u, "speed"));
    refuse(state, PROTO_E_MALFORMED, "x", false, pack("Ausuu", 4, 18u, "1", 1u, 1u));
    refuse(state, PROTO_E_MALFORMED, "y", false, pack("Auunu", 4, 18u, 1u, 1u));
    refuse(state, PROTO_E_MALFORMED, "count", false, pack("Auuud", 4, 18u, 1u, 1u, 1.0));
    refuse(state, PROTO_E_MALFORMED, "count", false, pack("Auuui", 4, 18u, 1u, 1u, (int64_t)-1));
    assert_string_equal(error.message, "expected an unsigned integer, got -1");
    refuse(state, PROTO_E_MALFORMED, "count", false, pack("Aui", 2, 19u, (int64_t)-1));
    refuse(state, PROTO_E_MALFORMED, "count", false, pack("Aus", 2, 19u, "all"));
    refuse(state, PROTO_E_MALFORMED, "title", false, pack("Aub", 2, 22u, "a", (size_t)1));
    refuse(state, PROTO_E_MALFORMED, "title", false, pack("Aus", 2, 22u, "\xff"));
    refuse(state, PROTO_E_MALFORMED, "id", false, pack("Aus", 2, 23u, "7"));
    refuse(state, PROTO_E_MALFORMED, "id", false, pack("Aui", 2, 23u, (int64_t)-7));
    refuse(state, PROTO_E_MALFORMED, "id", false, pack("Auns", 3, 24u, "viewer"));
    refuse(state, PROTO_E_MALFORMED, "role", false, pack("Auuu", 3, 24u, 7u, 1u));
}

/* Decodes a message of that type whose first or second str is a text of that size. */
static void words_are(void **state, unsigned type, const char *field, const char *text, size_t size,
                      bool good)
{
    const struct packed *packed = type == 7    ? pack("AuS", 2, type, text, size)
                                  : type == 17 ? pack("AuSu", 3, type, text, size, 1u)
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
        char mark; /* allowed besides letters and digits */
    } words[] = {
        {"key", 7, PROTO_KEY_MAX, '-'},
        {"name", 16, PROTO_WORD_MAX, '-'},
        {"name", 17, PROTO_ROOM_MAX, '_'},
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
    words_are(state, 7, "key", "a_b", 3, false);
    assert_string_equal(error.message, "expected 1 to 64 of a-z, 0-9 and -, got \"a_b\"");
    words_are(state, 17, "name", "a-b", 3, false);
    assert_string_equal(error.message, "expected 1 to 32 of a-z, 0-9 and _, got \"a-b\"");
}

static void numbers_are_finite(void **state)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e39, -DBL_MAX};

    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        refuse(state, PROTO_E_RANGE, "value", false, pack("Ausd", 3, 17u, "a", wrong[i]));
        refuse(state, PROTO_E_RANGE, "x", false, pack("Auddu", 4, 18u, wrong[i], 0.0, 1u));
        refuse(state, PROTO_E_RANGE, "y", false, pack("Auddu", 4, 18u, 0.0, wrong[i], 1u));
    }
    take(state, pack("Ausi", 3, 17u, "a", (int64_t)-7));
    assert_true(message.param.value == -7.0f);
    take(state, pack("Ausd", 3, 17u, "a", -(double)FLT_MAX));
    take(state, pack("Auffu", 4, 18u, (double)FLT_MAX, -(double)FLT_MAX, 1u));
}

static void counts_are_in_range(void **state)
{
    take(state, pack("Auuuu", 4, 18u, 0u, 0u, 1u));
    assert_int_equal(message.add.count, 1);
    refuse(state, PROTO_E_RANGE, "count", false, pack("Auuuu", 4, 18u, 0u, 0u, 0u));
    assert_string_equal(error.message, "expected 1 to 10000, got 0");
    take(state, pack("Auuuu", 4, 18u, 0u, 0u, 10000u));
    refuse(state, PROTO_E_RANGE, "count", false, pack("Auuuu", 4, 18u, 0u, 0u, 10001u));
    refuse(state, PROTO_E_RANGE, "count", false, pack("AuuuU", 4, 18u, 0u, 0u, UINT64_MAX));

    take(state, pack("Auu", 2, 19u, 1u));
    assert_int_equal(message.remove.count, 1);
    refuse(state, PROTO_E_RANGE, "count", false, pack("Auu", 2, 19u, 0u));
    assert_string_equal(error.message, "expected 1 to 1000000, got 0");
    refuse(state, PROTO_E_RANGE, "count", false, pack("Auu", 2, 19u, 1000001u));
    refuse(state, PROTO_E_RANGE, "count", false, pack("AuU", 2, 19u, (UINT64_C(1) << 32) + 1));
}

static void ids_and_roles_are_in_range(void **state)
{
    static const char *const roles[] = {"", "owner", "Presenter", "viewer ", "presenters"};

    refuse(state, PROTO_E_RANGE, "id", false, pack("Auu", 2, 23u, 0u));
    refuse(state, PROTO_E_RANGE, "id", false, pack("AuU", 2, 23u, UINT64_C(1) << 32));
    refuse(state, PROTO_E_RANGE, "id", false, pack("Auus", 3, 24u, 0u, "viewer"));
    for (size_t i = 0; i < ARRAY_LENGTH(roles); i++) {
        refuse(state, PROTO_E_RANGE, "role", false, pack("Auus", 3, 24u, 7u, roles[i]));
        assert_memory_equal(error.message, "expected viewer or presenter, got ", 34);
    }
}

static void titles_are_as_names_are(void **state)
{
    char text[PROTO_TITLE_MAX + 2];

    memset(text, 'z', sizeof text);
    take(state, pack("AuS", 2, 22u, text, (size_t)PROTO_TITLE_MAX));
    refuse(state, PROTO_E_RANGE, "title", false,
           pack("AuS", 2, 22u, text, (size_t)PROTO_TITLE_MAX + 1));
    refuse(state, PROTO_E_RANGE, "title", false, pack("Aus", 2, 22u, ""));
    refuse(state, PROTO_E_RANGE, "title", false, pack("Aus", 2, 22u, "a\nb"));
    assert_string_equal(error.name, "");

    text[PROTO_TITLE_MAX] = '\0';
    assert_true(proto_title_valid(text));
    assert_true(proto_title_valid(""));
    text[PROTO_TITLE_MAX] = 'z';
    text[PROTO_TITLE_MAX + 1] = '\0';
    assert_false(proto_title_valid(text));
    assert_false(proto_title_valid("a\x1b[2J"));
    assert_false(proto_title_valid("a\xff"));
}

/* An error about a control or parameter names it. The name is before the value in the message, so
 * it is known when the value is wrong. */
static void errors_name_the_control(void **state)
{
    refuse(state, PROTO_E_RANGE, "value", false, pack("Aussu", 4, 16u, "model", "bo\tids", 3u));
    assert_string_equal(error.name, "model");
    assert_int_equal(error.type, PROTO_SET);
    assert_true(error.has_tag);
    assert_int_equal(error.tag, 3);
    refuse(state, PROTO_E_RANGE, "value", false, pack("Ausd", 3, 17u, "speed", (double)NAN));
    assert_string_equal(error.name, "speed");
    assert_int_equal(error.type, PROTO_PARAM);
    assert_false(error.has_tag);
    refuse(state, PROTO_E_RANGE, "name", false, pack("Aussu", 4, 16u, "MODEL", "boids", 3u));
    assert_string_equal(error.name, "");
    assert_true(error.has_tag);

    take(state, pack("Auss", 3, 16u, "model", "boids"));
    assert_string_equal(proto_message_name(&message), "model");
    take(state, pack("Ausu", 3, 17u, "speed", 1u));
    assert_string_equal(proto_message_name(&message), "speed");
    take(state, pack("Aus", 2, 5u, "Ada")); /* a person */
    assert_string_equal(proto_message_name(&message), "");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_message_travels),      TEST(messages_have_exactly_their_fields),
        TEST(fields_are_of_their_kind),   TEST(words_have_their_letters_and_lengths),
        TEST(numbers_are_finite),         TEST(counts_are_in_range),
        TEST(ids_and_roles_are_in_range), TEST(titles_are_as_names_are),
        TEST(errors_name_the_control),
    };
#undef TEST
    return cmocka_run_group_tests_name("protocol, from presenters", tests, NULL, NULL);
}
