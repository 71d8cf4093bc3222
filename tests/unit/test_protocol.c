/* Clients' messages: each message, and each rule of PROTOCOL.md that the codec enforces, at its
 * limits. */
#include "client_message.h"
#include "form.h"

#include <float.h>
#include <math.h>

static void cursors_pings_names_and_wants_travel(void **state)
{
    static const float values[] = {0.0f, -0.5f, 550.125f, 1e-30f, FLT_MAX, -FLT_MAX};
    static const uint64_t times[] = {0, 127, 128, 65536, UINT32_MAX, UINT64_MAX};
    struct proto_client_message sent = {.type = PROTO_CURSOR};

    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        sent.cursor = (struct proto_cursor){.x = values[i], .y = -values[i]};
        travel(state, &sent);
        assert_true(message.cursor.x == values[i] && message.cursor.y == -values[i]);
    }
    sent = (struct proto_client_message){.type = PROTO_PING};
    for (size_t i = 0; i < ARRAY_LENGTH(times); i++) {
        sent.ping.t = times[i];
        travel(state, &sent);
        assert_true(message.ping.t == times[i]);
    }
    travel(state, &(struct proto_client_message){.type = PROTO_AWAY});
    travel(state, &(struct proto_client_message){.type = PROTO_NAME, .name = {"Ada"}});
    assert_string_equal(message.name.name, "Ada");
    travel(state,
           &(struct proto_client_message){
               .type = PROTO_WANT, .want = {.rate = PROTO_RATE_MAX, .boids = PROTO_BOIDS_MAX}});
    assert_int_equal(message.want.rate, PROTO_RATE_MAX);
    assert_int_equal(message.want.boids, PROTO_BOIDS_MAX);
}

/* Returns the smallest valid message of that type. */
static struct proto_client_message least(enum proto_type type)
{
    struct proto_client_message sent = {.type = type};
    const struct fields *fields = fields_of(type);

    for (uint32_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->all[i];
        void *at = field_at(&sent.hello, field->offset);
        switch (field->kind) {
        case FIELD_UINT32:
            *(uint32_t *)at = (uint32_t)field->min;
            break;
        case FIELD_WORD:
        case FIELD_IDENTIFIER:
        case FIELD_LINE:
            memset(at, 'a', field->min);
            break;
        default:
            break;
        }
    }
    return sent;
}

/* The vectors test the numbers and names of types. */
static void types_tell_who_may_send_them(void **state)
{
    (void)state;
    for (unsigned type = 0; type < PROTO_SERVER_TYPES; type++) {
        const bool everyone = type == PROTO_TEAM || type == PROTO_PICK || type == PROTO_UNPICK;
        const enum proto_sender sender = type == PROTO_HELLO                        ? PROTO_STRANGER
                                         : type >= PROTO_FOOD && type <= PROTO_WALL ? PROTO_DRAWER
                                         : type >= PROTO_SET && !everyone           ? PROTO_DIRECTOR
                                                                                    : PROTO_MEMBER;
        if (proto_type_name(type) != NULL) {
            assert_int_equal(proto_sender((enum proto_type)type), sender);
            assert_int_equal(proto_answered((enum proto_type)type), type >= PROTO_NAME);
        }
    }
    assert_null(proto_type_name(0));
    assert_null(proto_type_name(PROTO_TYPES));
    assert_null(proto_type_name(UINT32_MAX));
}

static void answered_messages_may_have_a_tag(void **state)
{
    static const uint32_t tags[] = {0, 1, 127, 128, 65536, UINT32_MAX};

    for (unsigned type = PROTO_CURSOR; type < PROTO_SERVER_TYPES; type++) {
        if (proto_type_name(type) == NULL) {
            continue;
        }
        struct proto_client_message sent = least((enum proto_type)type);
        travel(state, &sent);
        sent.has_tag = proto_answered(sent.type);
        for (size_t i = 0; sent.has_tag && i < ARRAY_LENGTH(tags); i++) {
            sent.tag = tags[i];
            travel(state, &sent);
        }
    }
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Auuuu", 4, 2u, 1u, 1u, 1u));
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Auu", 2, 3u, 1u));
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Auuu", 3, 4u, 1u, 1u));
    refuse(state, PROTO_E_RANGE, "tag", false, pack("AusU", 3, 5u, "Ada", UINT64_C(1) << 32));
    assert_false(error.has_tag);
    refuse(state, PROTO_E_MALFORMED, "tag", false, pack("Ausi", 3, 5u, "Ada", (int64_t)-1));
    refuse(state, PROTO_E_MALFORMED, "tag", false, pack("Ausn", 3, 5u, "Ada"));
    refuse(state, PROTO_E_MALFORMED, "tag", false, pack("Ausd", 3, 5u, "Ada", 1.0));
}

/* A client knows by them which of its messages was refused. */
static void errors_have_the_type_and_the_tag(void **state)
{
    refuse(state, PROTO_E_RANGE, "name", false, pack("Ausu", 3, 5u, "", 77u));
    assert_int_equal(error.type, PROTO_NAME);
    assert_true(error.has_tag);
    assert_int_equal(error.tag, 77);
    assert_string_equal(error.name, "");
    refuse(state, PROTO_E_RANGE, "rate", false, pack("Auuuu", 4, 6u, 241u, 0u, 0u));
    assert_true(error.has_tag);
    assert_int_equal(error.tag, 0);
    refuse(state, PROTO_E_RANGE, "rate", false, pack("Auuu", 3, 6u, 241u, 0u));
    assert_int_equal(error.type, PROTO_WANT);
    assert_false(error.has_tag);
    refuse(state, PROTO_E_TYPE, "type", false, pack("Auu", 2, 200u, 5u));
    assert_int_equal(error.type, 200);
    assert_false(error.has_tag);
    refuse(state, PROTO_E_TYPE, "type", false, pack("AU", 1, UINT64_C(1) << 32));
    assert_int_equal(error.type, 0);
    refuse_bytes(state, PROTO_E_MALFORMED, "", true, "\x92\x05", 2);
    assert_int_equal(error.type, 0);
    assert_false(error.has_tag);
}

static void encoders_refuse_types_that_no_client_sends(void **state)
{
    static const unsigned types[] = {0, 8, 15, 40, 63, 64, 77, 128, UINT32_MAX};
    uint8_t buffer[PROTO_MESSAGE_MAX];

    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
        const struct proto_client_message sent = {.type = (enum proto_type)types[i]};
        assert_int_equal(proto_encode_client(buffer, sizeof buffer, &sent), 0);
    }
}

static void unknown_message_types_are_ignored(void **state)
{
    static const uint64_t types[] = {0, 8, 15, 40, 63, 64, 77, 78, 127, 128, UINT64_MAX};

    for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
        refuse(state, PROTO_E_TYPE, "type", false, pack("AUs", 2, types[i], "?"));
    }
    assert_string_equal(error.message,
                        "expected a type that clients send, got 18446744073709551615");
}

static void messages_have_exactly_their_fields(void **state)
{
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Auu", 2, 2u, 1u));
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Auuuu", 4, 2u, 1u, 1u, 1u));
    assert_string_equal(error.message, "expected cursor to have 3 elements, got 4");
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Aun", 2, 3u));
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Au", 1, 4u));
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Ausuu", 4, 5u, "a", 1u, 2u));
    assert_string_equal(error.message, "expected name to have 2 elements, or 3 with a tag, got 4");
    refuse(state, PROTO_E_MALFORMED, "", false, pack("Auu", 2, 6u, 1u));
}

static void wants_are_in_range(void **state)
{
    take(state, pack("Auuu", 3, 6u, 0u, 0u));
    refuse(state, PROTO_E_RANGE, "rate", false, pack("Auuu", 3, 6u, 241u, 0u));
    refuse(state, PROTO_E_RANGE, "boids", false, pack("Auuu", 3, 6u, 0u, 1000001u));
    refuse(state, PROTO_E_RANGE, "boids", false, pack("AuuU", 3, 6u, 0u, (UINT64_C(1) << 32) + 1));
    refuse(state, PROTO_E_MALFORMED, "rate", false, pack("Audu", 3, 6u, 30.0, 0u));
    refuse(state, PROTO_E_MALFORMED, "boids", false, pack("Auun", 3, 6u, 30u));
}

static void room_codes_are_typed_in_many_ways(void **state)
{
    static const struct {
        const char *typed, *code;
    } rooms[] = {
        {"FK72MX", "FK72MX"},
        {"fk7 2mx", "FK72MX"},
        {"fk7-2mx", "FK72MX"},
        {" f-k 7--2 m x ", "FK72MX"},
        {"lobby", "lobby"},
        {"LOBBY", "lobby"},
        {"Lob-By", "lobby"},
        {"lobby2", "LOBBY2"},
        {"0azAZ9", "0AZAZ9"},
        {"-", ""},
        {" ", ""},
        {"abcdefghijklmnopqrstuvwxyz012345", "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"},
    };
    static const char *const wrong[] = {
        "",       "a_b",     "a.b",  "caf\xc3\xa9",
        "a/../b", "\x1b[2J", "a\tb", "a\xc2\xa0z",
        "@a",     "[a",      "`a",   "{a",
        "/0",     ":9",      "a+b",  "thirty-three-characters-are-toolo",
    };
    char code[PROTO_ROOM_MAX + 1];

    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rooms); i++) {
        assert_true(proto_room_valid(rooms[i].typed));
        proto_room_canonical(rooms[i].typed, code);
        assert_string_equal(code, rooms[i].code);
        proto_room_canonical(code, code); /* in place; a second call changes nothing */
        assert_string_equal(code, rooms[i].code);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        assert_false(proto_room_valid(wrong[i]));
    }
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
        take(state, pack("AuussM", 5, 1u, 1u, "lobby", good_names[i], 0));
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
    take(state, pack("AuussM", 5, 1u, 1u, "lobby", "", 0));
    assert_string_equal(message.hello.name, "");
    refuse(state, PROTO_E_RANGE, "name", false, pack("Aus", 2, 5u, ""));
    assert_string_equal(error.message, "expected 1 to 64 bytes of UTF-8, got \"\"");
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

/* Every error is short, printable and without escape sequences. */
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
    static const char *const code_names[] = {"ok",      "malformed", "type",   "range", "state",
                                             "version", "encoding",  "room",   "full",  "flood",
                                             "role",    "key",       "removed"};

    (void)state;
    for (int i = PROTO_OK; i <= PROTO_E_REMOVED; i++) {
        assert_string_equal(proto_code_name((enum proto_code)i), code_names[i]);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(cursors_pings_names_and_wants_travel),
        TEST(types_tell_who_may_send_them),
        TEST(answered_messages_may_have_a_tag),
        TEST(errors_have_the_type_and_the_tag),
        TEST(encoders_refuse_types_that_no_client_sends),
        TEST(unknown_message_types_are_ignored),
        TEST(messages_have_exactly_their_fields),
        TEST(wants_are_in_range),
        TEST(room_codes_are_typed_in_many_ways),
        TEST(names),
        TEST(the_empty_name_is_for_hello_alone),
        TEST(cursors_are_finite),
        TEST(pings_carry_any_unsigned_integer),
        TEST(errors_can_be_shown),
        TEST(codes_have_their_names),
    };
#undef TEST
    return cmocka_run_group_tests_name("protocol, from clients", tests, NULL, NULL);
}
