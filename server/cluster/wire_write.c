/* Writing of messages between nodes. */
#include "cluster/wire.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <msgpack.h>

#include "base/grow.h"
#include "cluster/versions.h"

#define LIST_HEAD 5u /* bytes: an array with a count of 32 bits */

static int append_bytes(void *data, const char *bytes, size_t size)
{
    struct wire_writer *writer = data;
    uint8_t *grown;

    if (writer->failed) {
        return -1;
    }
    grown = grow_array(writer->bytes, &writer->capacity, writer->size + size, WIRE_MESSAGE_MAX, 1);
    if (grown == NULL) {
        writer->failed = true;
        return -1;
    }
    writer->bytes = grown;
    if (size > 0) {
        memcpy(writer->bytes + writer->size, bytes, size);
    }
    writer->size += size;
    return 0;
}

static void put_little(uint8_t *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = (uint8_t)(value >> 8 * i);
    }
}

static msgpack_packer packer_of(struct wire_writer *writer)
{
    msgpack_packer packer;

    msgpack_packer_init(&packer, writer, append_bytes);
    return packer;
}

static void put_uint(msgpack_packer *packer, uint64_t value)
{
    (void)msgpack_pack_uint64(packer, value);
}

static void put_bool(msgpack_packer *packer, bool value)
{
    (void)(value ? msgpack_pack_true(packer) : msgpack_pack_false(packer));
}

static void put_text(msgpack_packer *packer, const char *text)
{
    (void)msgpack_pack_str_with_body(packer, text, strlen(text));
}

static void put_array(msgpack_packer *packer, size_t count)
{
    (void)msgpack_pack_array(packer, count);
}

static void put_bytes(msgpack_packer *packer, const struct wire_bytes *bytes)
{
    if (bytes->bytes == NULL || bytes->size == 0) {
        (void)msgpack_pack_nil(packer);
    } else {
        (void)msgpack_pack_bin_with_body(packer, bytes->bytes, bytes->size);
    }
}

/* Begins a message with that number of fields: writes the head and the code. */
static msgpack_packer begin_message(struct wire_writer *writer, const struct wire_head *head,
                                    size_t fields, const char *code)
{
    uint8_t bytes[WIRE_HEAD] = {'F', 'K', version_of_messages(), (uint8_t)head->kind};
    msgpack_packer packer = packer_of(writer);

    writer->size = 0;
    writer->list = 0;
    writer->count = 0;
    writer->failed = false;
    put_little(bytes + 4, head->incarnation, 4);
    put_little(bytes + 8, head->epoch, 8);
    put_little(bytes + 16, head->number, 8);
    put_little(bytes + 24, head->time, 8);
    put_little(bytes + 32, head->view, 8);
    (void)append_bytes(writer, (const char *)bytes, sizeof bytes);
    put_array(&packer, fields);
    put_text(&packer, code);
    return packer;
}

void wire_writer_finish(struct wire_writer *writer)
{
    free(writer->bytes);
    *writer = (struct wire_writer){0};
}

bool wire_put_snapshot(struct wire_writer *writer, const struct wire_head *head, const char *code,
                       const struct wire_snapshot *snapshot)
{
    msgpack_packer packer = begin_message(writer, head, 5, code);

    put_uint(&packer, snapshot->stream);
    put_uint(&packer, snapshot->sequence);
    put_bool(&packer, snapshot->key);
    put_bytes(&packer, &snapshot->frame);
    return !writer->failed;
}

static void put_indexed(msgpack_packer *packer, const struct wire_frame *frames, uint32_t most)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < most; i++) {
        count += frames[i].there;
    }
    put_array(packer, count);
    for (uint32_t i = 0; i < most; i++) {
        if (frames[i].there) {
            put_array(packer, 3);
            put_uint(packer, i);
            put_uint(packer, frames[i].number);
            put_bytes(packer, &frames[i].frame);
        }
    }
}

static void put_numbered(msgpack_packer *packer, const struct wire_frame *frames, uint32_t count)
{
    put_array(packer, count);
    for (uint32_t i = 0; i < count; i++) {
        put_array(packer, 2);
        put_uint(packer, frames[i].number);
        put_bytes(packer, &frames[i].frame);
    }
}

static void put_picks(msgpack_packer *packer, const struct wire_state *state)
{
    put_array(packer, state->pick_count);
    for (uint32_t i = 0; i < state->pick_count; i++) {
        put_array(packer, 3);
        put_uint(packer, state->picks[i].boid);
        put_uint(packer, state->picks[i].version);
        put_bytes(packer, &state->picks[i].frame);
    }
}

bool wire_put_state(struct wire_writer *writer, const struct wire_head *head, const char *code,
                    const struct wire_state *state)
{
    msgpack_packer packer = begin_message(writer, head, 14, code);

    put_bool(&packer, state->whole);
    put_uint(&packer, state->continues);
    put_uint(&packer, state->time);
    put_indexed(&packer, state->parts, VIEW_PARTS);
    put_indexed(&packer, state->topics, VIEW_TOPICS);
    put_bool(&packer, state->picked);
    put_picks(&packer, state);
    put_bool(&packer, state->presence.there);
    put_uint(&packer, state->presence.number);
    put_bytes(&packer, &state->presence.frame);
    put_numbered(&packer, state->changes, state->change_count);
    put_numbered(&packer, state->events, state->event_count);
    put_uint(&packer, state->scale_since);
    return !writer->failed;
}

bool wire_put_probe(struct wire_writer *writer, const struct wire_head *head, const char *code,
                    const char *node, uint64_t probe)
{
    msgpack_packer packer = begin_message(writer, head, 3, code);

    put_text(&packer, node);
    put_uint(&packer, probe);
    return !writer->failed;
}

bool wire_put_clock(struct wire_writer *writer, const struct wire_head *head, const char *code,
                    uint64_t probe, uint64_t state)
{
    msgpack_packer packer = begin_message(writer, head, 3, code);

    put_uint(&packer, probe);
    put_uint(&packer, state);
    return !writer->failed;
}

bool wire_put_bare(struct wire_writer *writer, const struct wire_head *head, const char *code)
{
    (void)begin_message(writer, head, 1, code);
    return !writer->failed;
}

/* ---- lists ---- */

/* Begins the list of a message, which wire_seal() ends. */
static bool begin_list(struct wire_writer *writer)
{
    static const char head[LIST_HEAD] = {(char)0xdd};

    writer->list = writer->size;
    (void)append_bytes(writer, head, sizeof head);
    return !writer->failed;
}

bool wire_begin_replies(struct wire_writer *writer, const struct wire_head *head, const char *code)
{
    (void)begin_message(writer, head, 2, code);
    return begin_list(writer);
}

bool wire_begin_items(struct wire_writer *writer, const struct wire_head *head, const char *code,
                      const char *node)
{
    msgpack_packer packer = begin_message(writer, head, 3, code);

    put_text(&packer, node);
    return begin_list(writer);
}

/* Removes an entry of a list that does not fit. Returns whether it does. */
static bool end_entry(struct wire_writer *writer, size_t before)
{
    if (writer->failed || writer->count == WIRE_LIST_MAX) {
        writer->size = before;
        writer->failed = false;
        return false;
    }
    writer->count++;
    return true;
}

static void put_grant(msgpack_packer *packer, const struct wire_reply *reply)
{
    const struct room_grant *grant = &reply->grant;
    const struct wire_bytes token = {grant->token, sizeof grant->token};

    put_array(packer, grant->joined ? 6 + VIEW_PARTS : 3);
    put_uint(packer, grant->stream);
    put_uint(packer, grant->sequence);
    put_bool(packer, grant->joined);
    if (grant->joined) {
        put_bytes(packer, &token);
        for (uint32_t part = 0; part < VIEW_PARTS; part++) {
            put_uint(packer, grant->versions[part]);
        }
        put_uint(packer, grant->events);
        put_uint(packer, (uint64_t)reply->trust);
    }
}

bool wire_add_reply(struct wire_writer *writer, const struct wire_reply *reply)
{
    const size_t before = writer->size;
    msgpack_packer packer = packer_of(writer);

    assert(writer->list > 0);
    put_array(&packer, 7);
    put_uint(&packer, (uint64_t)reply->type);
    put_uint(&packer, reply->link);
    put_uint(&packer, (uint64_t)reply->why);
    put_bool(&packer, reply->presenter);
    put_bool(&packer, reply->granted);
    put_bytes(&packer, &reply->frame);
    if (reply->granted) {
        put_grant(&packer, reply);
    } else {
        (void)msgpack_pack_nil(&packer);
    }
    return end_entry(writer, before);
}

/* The values of an item behind its type and link. */
static size_t item_fields(enum wire_item_type type)
{
    static const size_t fields[WIRE_ITEM_TYPES] = {
        [WIRE_JOIN] = 3,     [WIRE_SEND] = 1,  [WIRE_ANSWER] = 1,     [WIRE_EASE] = 2,
        [WIRE_WANT_KEY] = 1, [WIRE_LEAVE] = 1, [WIRE_WANT_STATE] = 0, [WIRE_RESET] = 0};

    return fields[type];
}

static void put_item_rest(msgpack_packer *packer, const struct wire_item *item)
{
    switch (item->type) {
    case WIRE_JOIN:
        put_bool(packer, item->presenters_only);
        put_text(packer, item->address);
        put_bytes(packer, &item->bytes);
        break;
    case WIRE_SEND:
    case WIRE_ANSWER:
        put_bytes(packer, &item->bytes);
        break;
    case WIRE_EASE:
        put_uint(packer, item->ease.line);
        put_uint(packer, item->ease.overload);
        break;
    case WIRE_WANT_KEY:
        put_uint(packer, item->stream);
        break;
    case WIRE_LEAVE:
        put_uint(packer, (uint64_t)item->why);
        break;
    case WIRE_WANT_STATE:
    case WIRE_RESET:
    case WIRE_ITEM_TYPES:
        break;
    }
}

bool wire_add_item(struct wire_writer *writer, const struct wire_item *item)
{
    const size_t before = writer->size;
    msgpack_packer packer = packer_of(writer);

    assert(writer->list > 0);
    put_array(&packer, 2 + item_fields(item->type));
    put_uint(&packer, (uint64_t)item->type);
    put_uint(&packer, item->link);
    put_item_rest(&packer, item);
    return end_entry(writer, before);
}

void wire_seal(struct wire_writer *writer, uint64_t number, uint64_t time)
{
    assert(!writer->failed && writer->size >= WIRE_HEAD);
    put_little(writer->bytes + 16, number, 8);
    put_little(writer->bytes + 24, time, 8);
    for (size_t i = 0; i < 4 && writer->list > 0; i++) {
        writer->bytes[writer->list + 1 + i] = (uint8_t)(writer->count >> (24 - 8 * i));
    }
}
