/* Messages between nodes: the decoder returns the written values, the bytes are those of the
 * vectors, and the decoder refuses damaged messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <msgpack.h>

#include "cluster/versions.h"
#include "wire_samples.h"

#define SAMPLES (sizeof wire_samples / sizeof wire_samples[0])

static struct wire_decoder *decoder;
static struct wire_writer writer;

static int make(void **state)
{
    (void)state;
    decoder = wire_decoder_create();
    return decoder != NULL ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    wire_decoder_destroy(decoder);
    wire_writer_finish(&writer);
    return 0;
}

static enum wire_result read_bytes(const uint8_t *bytes, size_t size)
{
    /* A sanitizer sees reads behind the end of the copy. */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    struct wire_message message;
    enum wire_result result;

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    result = wire_decode(decoder, copy, size, &message);
    free(copy);
    return result;
}

/* ---- tests ---- */

static void test_each_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct wire_writer again = {0};
        struct wire_message message;
        assert_true(wire_samples[i].write(&writer));
        wire_seal(&writer, 7, 1234567);
        assert_int_equal(wire_decode(decoder, writer.bytes, writer.size, &message), WIRE_OK);
        assert_int_equal(message.head.incarnation, 0x11223344);
        assert_true(message.head.epoch == 0x5566778899aabbcc);
        assert_int_equal(message.head.number, 7);
        assert_int_equal(message.head.time, 1234567);
        assert_int_equal(message.head.view, 99);
        assert_true(wire_write_again(&again, &message));
        wire_seal(&again, 7, 1234567);
        assert_int_equal(again.size, writer.size);
        assert_memory_equal(again.bytes, writer.bytes, writer.size);
        wire_writer_finish(&again);
    }
}

static void test_items(void **state)
{
    struct wire_message message;

    (void)state;
    assert_true(sample_items(&writer));
    wire_seal(&writer, 1, 2);
    assert_int_equal(wire_decode(decoder, writer.bytes, writer.size, &message), WIRE_OK);
    assert_string_equal(message.code, "AB12CD");
    assert_string_equal(message.node, "edge-1");
    assert_int_equal(message.items.count, 8);
    assert_int_equal(message.items.list[1].type, WIRE_JOIN);
    assert_int_equal(message.items.list[1].link, 5);
    assert_true(message.items.list[1].presenters_only);
    assert_string_equal(message.items.list[1].address, "2001:db8::1");
    assert_int_equal(message.items.list[1].bytes.size, 8);
    assert_memory_equal(message.items.list[1].bytes.bytes, sample_bytes, 8);
    assert_int_equal(message.items.list[4].ease.line, 8);
    assert_int_equal(message.items.list[4].ease.overload, 3);
    assert_int_equal(message.items.list[5].stream, 513);
    assert_int_equal(message.items.list[7].why, END_STALLED);
}

static void test_replies(void **state)
{
    struct wire_message message;

    (void)state;
    assert_true(sample_replies(&writer));
    wire_seal(&writer, 1, 2);
    assert_int_equal(wire_decode(decoder, writer.bytes, writer.size, &message), WIRE_OK);
    assert_string_equal(message.code, "lobby");
    assert_int_equal(message.replies.count, 5);
    const struct wire_reply *first = &message.replies.list[0];
    assert_true(first->granted && first->grant.joined && first->presenter);
    assert_int_equal(first->grant.token[0], 9);
    assert_int_equal(first->grant.versions[2], 3);
    assert_int_equal(first->grant.events, 4);
    assert_int_equal(first->trust, HUB_TRUSTS);
    assert_false(message.replies.list[1].grant.joined);
    assert_int_equal(message.replies.list[3].why, END_REMOVED);
    assert_int_equal(message.replies.list[4].type, WIRE_MOVED);
}

/* The bytes of a message must not change while its version does not: nodes of two releases talk to
 * each other. */
static void test_bytes(void **state)
{
    static const uint8_t probe[] = {
        'F',  'K', 1,   5,    0x44, 0x33, 0x22, 0x11, 0xcc, 0xbb, 0xaa, 0x99, 0x88, 0x77, 0x66,
        0x55, 7,   0,   0,    0,    0,    0,    0,    0,    0x87, 0xd6, 0x12, 0,    0,    0,
        0,    0,   99,  0,    0,    0,    0,    0,    0,    0,    0x93, 0xa6, 'A',  'B',  '1',
        '2',  'C', 'D', 0xa6, 'e',  'd',  'g',  'e',  '-',  '1',  0xce, 0x3a, 0xde, 0x68, 0xb1};
    static const uint8_t items[] = {0x93, 0xa6, 'A',  'B', '1', '2', 'C', 'D',
                                    0xa1, 'e',  0xdd, 0,   0,   0,   0};

    (void)state;
    assert_true(sample_probe(&writer));
    wire_seal(&writer, 7, 1234567);
    assert_int_equal(writer.size, sizeof probe);
    assert_memory_equal(writer.bytes, probe, sizeof probe);
    assert_true(sample_no_items(&writer));
    wire_seal(&writer, 7, 1234567);
    assert_int_equal(writer.size, WIRE_HEAD + sizeof items);
    assert_memory_equal(writer.bytes + WIRE_HEAD, items, sizeof items);
}

/* Every shorter message is refused, and so is one with more behind it. */
static void test_cut_short(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        assert_true(wire_samples[i].write(&writer));
        wire_seal(&writer, 7, 1234567);
        for (size_t size = 0; size < writer.size; size++) {
            assert_int_equal(read_bytes(writer.bytes, size), WIRE_MALFORMED);
        }
        uint8_t longer[4096];
        assert_true(writer.size < sizeof longer);
        memcpy(longer, writer.bytes, writer.size);
        longer[writer.size] = 0;
        assert_int_equal(read_bytes(longer, writer.size + 1), WIRE_MALFORMED);
    }
}

/* No changed byte makes a message that is read in a way that crashes. */
static void test_changed_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        assert_true(wire_samples[i].write(&writer));
        wire_seal(&writer, 7, 1234567);
        for (size_t at = 0; at < writer.size; at++) {
            const uint8_t before = writer.bytes[at];
            for (unsigned value = 0; value < 256; value += 7) {
                writer.bytes[at] = (uint8_t)value;
                (void)read_bytes(writer.bytes, writer.size);
            }
            writer.bytes[at] = before;
        }
        assert_int_equal(read_bytes(writer.bytes, writer.size), WIRE_OK);
    }
}

static void test_versions(void **state)
{
    (void)state;
    assert_true(sample_taken(&writer));
    wire_seal(&writer, 7, 1234567);
    writer.bytes[2] = version_of_messages() + 1;
    assert_int_equal(read_bytes(writer.bytes, writer.size), WIRE_OTHER_VERSION);
    writer.bytes[2] = version_of_messages();
    writer.bytes[3] = WIRE_AGAIN + 1;
    assert_int_equal(read_bytes(writer.bytes, writer.size), WIRE_MALFORMED);
    writer.bytes[3] = 0;
    assert_int_equal(read_bytes(writer.bytes, writer.size), WIRE_MALFORMED);
}

/* An array that is being written, and whether it gets a field more: a list of arrays does not. */
struct level {
    const msgpack_object_array *array;
    uint32_t at;
    bool grows;
};

static struct level begin_level(msgpack_packer *packer, const msgpack_object *value)
{
    const msgpack_object_array *array = &value->via.array;
    const bool is_list = array->size == 0 || array->ptr[0].type == MSGPACK_OBJECT_ARRAY;

    (void)msgpack_pack_array(packer, array->size + (is_list ? 0 : 1));
    return (struct level){.array = array, .grows = !is_list};
}

/* Writes a message's fields again. Each array of fields gets one more at its end, as in messages of
 * a later release. */
static void pack_longer(msgpack_packer *packer, const msgpack_object *fields)
{
    struct level levels[8];
    size_t depth = 1;

    levels[0] = begin_level(packer, fields);
    while (depth > 0) {
        struct level *level = &levels[depth - 1];
        if (level->at == level->array->size) {
            (void)(level->grows ? msgpack_pack_str_with_body(packer, "later", 5) : 0);
            depth--;
        } else if (level->array->ptr[level->at].type == MSGPACK_OBJECT_ARRAY) {
            assert_true(depth < 8);
            levels[depth++] = begin_level(packer, &level->array->ptr[level->at++]);
        } else {
            (void)msgpack_pack_object(packer, level->array->ptr[level->at++]);
        }
    }
}

/* A node reads a message of a later release, which has more fields, as if it had none of them. */
static void test_later_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct wire_writer again = {0};
        struct wire_message message;
        msgpack_sbuffer longer;
        msgpack_packer packer;
        msgpack_unpacked whole;
        assert_true(wire_samples[i].write(&writer));
        wire_seal(&writer, 7, 1234567);
        msgpack_unpacked_init(&whole);
        assert_int_equal(msgpack_unpack_next(&whole, (const char *)writer.bytes + WIRE_HEAD,
                                             writer.size - WIRE_HEAD, NULL),
                         MSGPACK_UNPACK_SUCCESS);
        msgpack_sbuffer_init(&longer);
        msgpack_sbuffer_write(&longer, (const char *)writer.bytes, WIRE_HEAD);
        msgpack_packer_init(&packer, &longer, msgpack_sbuffer_write);
        pack_longer(&packer, &whole.data);
        assert_true(longer.size > writer.size);
        assert_int_equal(wire_decode(decoder, (const uint8_t *)longer.data, longer.size, &message),
                         WIRE_OK);
        assert_true(wire_write_again(&again, &message));
        wire_seal(&again, 7, 1234567);
        assert_int_equal(again.size, writer.size);
        assert_memory_equal(again.bytes, writer.bytes, writer.size);
        wire_writer_finish(&again);
        msgpack_unpacked_destroy(&whole);
        msgpack_sbuffer_destroy(&longer);
    }
}

/* A topic and a reason that only later releases know change nothing else. */
static void test_later_numbers(void **state)
{
    const struct wire_head head = sample_head(WIRE_STATE);
    const struct wire_reply reply = {.type = WIRE_CLOSED, .link = 1, .why = END_GAVE_WAY};
    struct wire_state state_sent = {0};
    struct wire_message message;
    uint8_t *at;

    (void)state;
    state_sent.topics[VIEW_TOPICS - 1] = (struct wire_frame){.there = true, .number = 1};
    assert_true(wire_put_state(&writer, &head, "AB12CD", &state_sent));
    wire_seal(&writer, 1, 1);
    at = memchr(writer.bytes + WIRE_HEAD, 0x93, writer.size - WIRE_HEAD); /* the topic's fields */
    assert_non_null(at);
    assert_int_equal(at[1], VIEW_TOPICS - 1);
    at[1] = VIEW_TOPICS;
    assert_int_equal(wire_decode(decoder, writer.bytes, writer.size, &message), WIRE_OK);
    assert_false(message.state.topics[VIEW_TOPICS - 1].there);
    const struct wire_head replies = sample_head(WIRE_REPLIES);
    assert_true(wire_begin_replies(&writer, &replies, "AB12CD"));
    assert_true(wire_add_reply(&writer, &reply));
    wire_seal(&writer, 1, 1);
    at = memchr(writer.bytes + WIRE_HEAD, END_GAVE_WAY, writer.size - WIRE_HEAD);
    assert_non_null(at);
    *at = END_GAVE_WAY + 1;
    assert_int_equal(wire_decode(decoder, writer.bytes, writer.size, &message), WIRE_OK);
    assert_int_equal(message.replies.list[0].why, END_AWAY);
}

/* A node of an earlier release says nothing of a room's trust, and one of a later release may say
 * something else. */
static void test_trust_of_other_releases(void **state)
{
    const struct wire_head head = sample_head(WIRE_REPLIES);
    const struct wire_reply reply = {.type = WIRE_TOLD,
                                     .link = 1,
                                     .granted = true,
                                     .grant.joined = true,
                                     .trust = HUB_TRUSTS,
                                     .frame = sample_frame(1)};
    struct wire_message message;
    uint8_t *fields;

    (void)state;
    assert_true(wire_begin_replies(&writer, &head, "AB12CD"));
    assert_true(wire_add_reply(&writer, &reply));
    wire_seal(&writer, 1, 1);
    assert_int_equal(writer.bytes[writer.size - 1], HUB_TRUSTS); /* the last field of the grant */
    writer.bytes[writer.size - 1] = HUB_TRUSTS + 1;
    assert_int_equal(wire_decode(decoder, writer.bytes, writer.size, &message), WIRE_OK);
    assert_int_equal(message.replies.list[0].trust, HUB_TRUST_UNKNOWN);
    fields = memchr(writer.bytes + WIRE_HEAD, 0x90 + 6 + VIEW_PARTS, writer.size - WIRE_HEAD);
    assert_non_null(fields);
    fields[0]--;
    assert_int_equal(wire_decode(decoder, writer.bytes, writer.size - 1, &message), WIRE_OK);
    assert_true(message.replies.list[0].grant.joined);
    assert_int_equal(message.replies.list[0].trust, HUB_TRUST_UNKNOWN);
}

/* Texts that become parts of subjects have no dots, stars or spaces. */
static void test_names(void **state)
{
    static const char *const bad[] = {
        "",       "A.B",    "A B",   "A*",    ">",
        "ab12cd", "AB-12C", "Lobby", "LOBBY", "AB12CDAB12CDAB12CDAB12CDAB12CDABX"};
    struct wire_head head = sample_head(WIRE_TAKEN);

    (void)state;
    assert_true(wire_code_is_valid("AB12CD"));
    assert_true(wire_code_is_valid("lobby"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(wire_code_is_valid(bad[i]));
        assert_true(wire_put_bare(&writer, &head, bad[i]));
        wire_seal(&writer, 1, 1);
        assert_int_equal(read_bytes(writer.bytes, writer.size), WIRE_MALFORMED);
    }
    head.kind = WIRE_PROBE;
    for (size_t i = 0; i < 5; i++) {
        assert_true(wire_put_probe(&writer, &head, "AB12CD", bad[i], 1));
        wire_seal(&writer, 1, 1);
        assert_int_equal(read_bytes(writer.bytes, writer.size), WIRE_MALFORMED);
    }
}

/* The address of a client goes to the log: it may not end a line there. */
static void test_addresses(void **state)
{
    static const char *const good[] = {"192.0.2.7", "2001:db8::1", "::ffff:192.0.2.7", ""};
    static const char *const bad[] = {"192.0.2.7\n", "a b", "x", "\"", "192.0.2.7 presenter"};
    const struct wire_head head = sample_head(WIRE_ITEMS);
    struct wire_item item = {.type = WIRE_JOIN, .link = 1, .bytes = sample_frame(4)};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        snprintf(item.address, sizeof item.address, "%s", good[i]);
        assert_true(wire_begin_items(&writer, &head, "AB12CD", "edge"));
        assert_true(wire_add_item(&writer, &item));
        wire_seal(&writer, 1, 1);
        assert_int_equal(read_bytes(writer.bytes, writer.size), WIRE_OK);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(item.address, sizeof item.address, "%s", bad[i]);
        assert_true(wire_begin_items(&writer, &head, "AB12CD", "edge"));
        assert_true(wire_add_item(&writer, &item));
        wire_seal(&writer, 1, 1);
        assert_int_equal(read_bytes(writer.bytes, writer.size), WIRE_MALFORMED);
    }
}

/* A list has a bound, and so has a message. */
static void test_bounds(void **state)
{
    const struct wire_head head = sample_head(WIRE_ITEMS);
    const struct wire_item item = {.type = WIRE_RESET};
    struct wire_message message;

    (void)state;
    assert_true(wire_begin_items(&writer, &head, "AB12CD", "edge"));
    for (uint32_t i = 0; i < WIRE_LIST_MAX; i++) {
        assert_true(wire_add_item(&writer, &item));
    }
    assert_false(wire_add_item(&writer, &item));
    wire_seal(&writer, 1, 1);
    assert_int_equal(wire_decode(decoder, writer.bytes, writer.size, &message), WIRE_OK);
    assert_int_equal(message.items.count, WIRE_LIST_MAX);
    uint8_t *large = calloc(1, WIRE_MESSAGE_MAX);
    assert_non_null(large);
    const struct wire_snapshot snapshot = {.stream = 1, .frame = {large, WIRE_MESSAGE_MAX}};
    assert_false(wire_put_snapshot(&writer, &head, "AB12CD", &snapshot));
    free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind),
        cmocka_unit_test(test_items),
        cmocka_unit_test(test_replies),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_changed_bytes),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_later_fields),
        cmocka_unit_test(test_later_numbers),
        cmocka_unit_test(test_trust_of_other_releases),
    };
    return cmocka_run_group_tests_name("messages between nodes", tests, make, finish);
}
