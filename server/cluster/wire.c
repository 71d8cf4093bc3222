#include "cluster/wire.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <msgpack.h>

#include "bounds.h"
#include "cluster/versions.h"

#define ZONE_SIZE    65536u
#define VALUES_MAX   (20u * (WIRE_LIST_MAX + 64)) /* MessagePack values in a message */
#define WIRE_REASONS 36                           /* of enum end_reason, and parts of a view */
#define WIRE_PARTS   3
#define FIELDS_MAX   64u /* values of a record: an item, a reply, a frame with its number, … */

/* ---- the head ---- */

static uint64_t get_little(const uint8_t *from, size_t size)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++) {
        value |= (uint64_t)from[i] << 8 * i;
    }
    return value;
}

static enum wire_result get_head(const uint8_t *bytes, size_t size, struct wire_head *head)
{
    if (size < WIRE_HEAD || size > WIRE_MESSAGE_MAX || bytes[0] != 'F' || bytes[1] != 'K') {
        return WIRE_MALFORMED;
    }
    if (bytes[2] != version_of_messages()) {
        return WIRE_OTHER_VERSION;
    }
    if (bytes[3] < WIRE_SNAPSHOT || bytes[3] > WIRE_AGAIN) {
        return WIRE_MALFORMED;
    }
    *head = (struct wire_head){.kind = (enum wire_kind)bytes[3],
                               .incarnation = (uint32_t)get_little(bytes + 4, 4),
                               .epoch = get_little(bytes + 8, 8),
                               .number = get_little(bytes + 16, 8),
                               .time = get_little(bytes + 24, 8),
                               .view = get_little(bytes + 32, 8)};
    return WIRE_OK;
}

uint32_t wire_version(const uint8_t *bytes, size_t size)
{
    return size >= WIRE_HEAD ? bytes[2] : 0;
}

bool wire_code_is_valid(const char *code)
{
    char canonical[PROTO_ROOM_MAX + 1];

    if (!proto_room_valid(code)) {
        return false;
    }
    proto_room_canonical(code, canonical);
    return canonical[0] != '\0' && strcmp(code, canonical) == 0;
}

/* ---- decoding ---- */

struct wire_decoder {
    msgpack_zone zone;
    struct wire_item *items;    /* WIRE_LIST_MAX */
    struct wire_reply *replies; /* WIRE_LIST_MAX */
};

struct wire_decoder *wire_decoder_create(void)
{
    struct wire_decoder *decoder = calloc(1, sizeof *decoder);

    if (decoder == NULL) {
        return NULL;
    }
    decoder->items = calloc(WIRE_LIST_MAX, sizeof *decoder->items);
    decoder->replies = calloc(WIRE_LIST_MAX, sizeof *decoder->replies);
    if (decoder->items == NULL || decoder->replies == NULL ||
        !msgpack_zone_init(&decoder->zone, ZONE_SIZE)) {
        free(decoder->items);
        free(decoder->replies);
        free(decoder);
        return NULL;
    }
    return decoder;
}

void wire_decoder_destroy(struct wire_decoder *decoder)
{
    if (decoder != NULL) {
        msgpack_zone_destroy(&decoder->zone);
        free(decoder->items);
        free(decoder->replies);
        free(decoder);
    }
}

/* The values of an array, read one after the other. `bad` stays set after the first wrong one. */
struct values {
    const msgpack_object *at, *end;
    bool bad;
};

static const msgpack_object *next_value(struct values *values, msgpack_object_type type)
{
    if (values->bad || values->at == values->end || values->at->type != type) {
        values->bad = true;
        return NULL;
    }
    return values->at++;
}

static uint64_t read_uint(struct values *values, uint64_t most)
{
    const msgpack_object *value = next_value(values, MSGPACK_OBJECT_POSITIVE_INTEGER);

    if (value == NULL || value->via.u64 > most) {
        values->bad = true;
        return 0;
    }
    return value->via.u64;
}

static uint32_t read_uint32(struct values *values)
{
    return (uint32_t)read_uint(values, UINT32_MAX);
}

static bool read_bool(struct values *values)
{
    const msgpack_object *value = next_value(values, MSGPACK_OBJECT_BOOLEAN);

    return value != NULL && value->via.boolean;
}

/* Reads a text without zero bytes of less than `capacity` bytes. */
static void read_text(struct values *values, char *text, size_t capacity)
{
    const msgpack_object *value = next_value(values, MSGPACK_OBJECT_STR);

    text[0] = '\0';
    if (value == NULL || value->via.str.size >= capacity ||
        (value->via.str.size > 0 && memchr(value->via.str.ptr, 0, value->via.str.size) != NULL)) {
        values->bad = true;
        return;
    }
    memcpy(text, value->via.str.size > 0 ? value->via.str.ptr : "", value->via.str.size);
    text[value->via.str.size] = '\0';
}

/* Reads a bin, or nil: no bytes. */
static struct wire_bytes read_bytes(struct values *values)
{
    const msgpack_object *value;

    if (!values->bad && values->at != values->end && values->at->type == MSGPACK_OBJECT_NIL) {
        values->at++;
        return (struct wire_bytes){0};
    }
    value = next_value(values, MSGPACK_OBJECT_BIN);
    if (value == NULL || value->via.bin.size == 0) {
        values->bad = true;
        return (struct wire_bytes){0};
    }
    return (struct wire_bytes){(const uint8_t *)value->via.bin.ptr, value->via.bin.size};
}

/* Reads a bin of that size exactly. */
static void read_exactly(struct values *values, uint8_t *to, size_t size)
{
    const struct wire_bytes bytes = read_bytes(values);

    if (bytes.bytes == NULL || bytes.size != size) {
        values->bad = true;
        return;
    }
    memcpy(to, bytes.bytes, size);
}

/* Reads a list of up to `most` values. Returns no values if it is wrong. */
static struct values read_array(struct values *values, uint32_t most, uint32_t *count)
{
    const msgpack_object *value = next_value(values, MSGPACK_OBJECT_ARRAY);

    *count = 0;
    if (value == NULL || value->via.array.size > most) {
        values->bad = true;
        return (struct values){.bad = true};
    }
    *count = value->via.array.size;
    return (struct values){.at = value->via.array.ptr,
                           .end =
                               *count > 0 ? value->via.array.ptr + *count : value->via.array.ptr};
}

/* Reads an array of fields, behind which later releases may append others. */
static struct values read_record(struct values *values)
{
    uint32_t count;

    return read_array(values, FIELDS_MAX, &count);
}

/* Ends the reading of an array inside another one. */
static void end_array(struct values *outer, const struct values *inner)
{
    outer->bad = outer->bad || inner->bad;
}

static void read_snapshot(struct values *values, struct wire_snapshot *snapshot)
{
    snapshot->stream = read_uint32(values);
    snapshot->sequence = read_uint32(values);
    snapshot->key = read_bool(values);
    snapshot->frame = read_bytes(values);
    values->bad = values->bad || snapshot->frame.bytes == NULL;
}

/* Reads frames with their index, each at most once: parts or topics. */
static void read_indexed(struct values *values, struct wire_frame *frames, uint32_t most)
{
    uint32_t count;
    struct values list = read_array(values, FIELDS_MAX, &count);

    for (uint32_t i = 0; i < count && !list.bad; i++) {
        struct values entry = read_record(&list);
        const uint64_t index = read_uint(&entry, UINT32_MAX);
        struct wire_frame unknown = {0}; /* a later release has more of them */
        struct wire_frame *frame = index < most ? &frames[index] : &unknown;
        list.bad = list.bad || frame->there;
        frame->there = true;
        frame->number = read_uint32(&entry);
        frame->frame = read_bytes(&entry);
        end_array(&list, &entry);
    }
    end_array(values, &list);
}

/* Reads frames with numbers, in ascending order. */
static uint32_t read_numbered(struct values *values, struct wire_frame *frames, uint32_t most)
{
    uint32_t count;
    struct values list = read_array(values, most, &count);

    for (uint32_t i = 0; i < count && !list.bad; i++) {
        struct values entry = read_record(&list);
        frames[i] = (struct wire_frame){.there = true, .number = read_uint32(&entry)};
        frames[i].frame = read_bytes(&entry);
        end_array(&list, &entry);
        list.bad = list.bad || frames[i].frame.bytes == NULL ||
                   (i > 0 && (int32_t)(frames[i].number - frames[i - 1].number) <= 0);
    }
    end_array(values, &list);
    return values->bad ? 0 : count;
}

static void read_picks(struct values *values, struct wire_state *state)
{
    uint32_t count;
    struct values list = read_array(values, PROTO_PICKS_MAX, &count);

    for (uint32_t i = 0; i < count && !list.bad; i++) {
        struct values entry = read_record(&list);
        struct wire_pick *pick = &state->picks[i];
        pick->boid = read_uint32(&entry);
        pick->version = read_uint32(&entry);
        pick->frame = read_bytes(&entry);
        end_array(&list, &entry);
        list.bad = list.bad || (i > 0 && pick->boid <= state->picks[i - 1].boid);
    }
    end_array(values, &list);
    state->pick_count = values->bad ? 0 : count;
}

static void read_presence(struct values *values, struct wire_state *state)
{
    state->presence.there = read_bool(values);
    state->presence.number = read_uint32(values);
    state->presence.frame = read_bytes(values);
    state->change_count = read_numbered(values, state->changes, VIEW_PRESENCES);
    values->bad = values->bad || (!state->presence.there && state->change_count > 0);
}

/* Nodes of earlier releases do not send `scale_since`. */
static void read_state(struct values *values, struct wire_state *state)
{
    state->whole = read_bool(values);
    state->continues = read_uint(values, UINT64_MAX);
    state->time = read_uint(values, INT64_MAX);
    read_indexed(values, state->parts, VIEW_PARTS);
    read_indexed(values, state->topics, VIEW_TOPICS);
    state->picked = read_bool(values);
    read_picks(values, state);
    read_presence(values, state);
    state->event_count = read_numbered(values, state->events, VIEW_EVENTS);
    state->scale_since = values->at != values->end ? read_uint32(values) : 0;
}

/* Nodes of earlier releases do not send this field. */
static enum hub_trust read_trust(struct values *values)
{
    const uint32_t trust = values->at != values->end ? read_uint32(values) : HUB_TRUST_UNKNOWN;

    return trust <= HUB_TRUSTS ? (enum hub_trust)trust : HUB_TRUST_UNKNOWN;
}

static void read_grant(struct values *values, struct wire_reply *reply)
{
    struct room_grant *grant = &reply->grant;
    struct values list = read_record(values);

    grant->stream = read_uint32(&list);
    grant->sequence = read_uint32(&list);
    grant->joined = read_bool(&list);
    if (grant->joined) {
        read_exactly(&list, grant->token, sizeof grant->token);
        for (uint32_t part = 0; part < VIEW_PARTS; part++) {
            grant->versions[part] = read_uint32(&list);
        }
        grant->events = read_uint32(&list);
        reply->trust = read_trust(&list);
    }
    end_array(values, &list);
}

/* Nodes of other releases know reasons and parts by their numbers: new ones go behind the last, and
 * a new part's version behind the other values of a grant. */
static_assert(END_GAVE_WAY == WIRE_REASONS - 1 && VIEW_PARTS == WIRE_PARTS, "see above");

/* A session that a later release closes for a reason of its own comes back. */
static enum end_reason read_why(struct values *values)
{
    const uint32_t why = read_uint32(values);

    return why < WIRE_REASONS ? (enum end_reason)why : END_AWAY;
}

static void read_reply(struct values *values, struct wire_reply *reply)
{
    *reply = (struct wire_reply){.type = (enum wire_reply_type)read_uint(values, WIRE_MOVED)};
    reply->link = read_uint(values, UINT64_MAX);
    reply->why = read_why(values);
    reply->presenter = read_bool(values);
    reply->granted = read_bool(values);
    reply->frame = read_bytes(values);
    values->bad = values->bad || (reply->granted && reply->type != WIRE_TOLD) ||
                  (reply->type == WIRE_TOLD && reply->frame.bytes == NULL);
    if (reply->granted) {
        read_grant(values, reply);
    } else {
        (void)next_value(values, MSGPACK_OBJECT_NIL);
    }
}

/* Reads an IP address, which goes to the log: it has no other characters. */
static void read_address(struct values *values, char address[NETWORK_ADDRESS_MAX])
{
    read_text(values, address, NETWORK_ADDRESS_MAX);
    for (const char *c = address; *c != '\0'; c++) {
        values->bad = values->bad || (!isxdigit((unsigned char)*c) && *c != '.' && *c != ':');
    }
}

/* Reads the fields of an item behind its type and link. */
static void read_item_rest(struct values *values, struct wire_item *item)
{
    switch (item->type) {
    case WIRE_JOIN:
        item->presenters_only = read_bool(values);
        read_address(values, item->address);
        item->bytes = read_bytes(values);
        break;
    case WIRE_SEND:
    case WIRE_ANSWER:
        item->bytes = read_bytes(values);
        values->bad = values->bad || item->bytes.bytes == NULL;
        break;
    case WIRE_EASE:
        item->ease.line = (uint32_t)read_uint(values, ROOM_EASE_MAX);
        item->ease.overload = (uint32_t)read_uint(values, ROOM_OVERLOAD_MAX);
        break;
    case WIRE_WANT_KEY:
        item->stream = read_uint32(values);
        break;
    case WIRE_LEAVE:
        item->why = read_why(values);
        break;
    case WIRE_WANT_STATE:
    case WIRE_RESET:
    case WIRE_ITEM_TYPES:
        break;
    }
}

static void read_item(struct values *values, struct wire_item *item)
{
    *item = (struct wire_item){.type = (enum wire_item_type)read_uint(values, WIRE_ITEM_TYPES - 1)};
    item->link = read_uint(values, UINT64_MAX);
    if (!values->bad) {
        read_item_rest(values, item);
    }
    values->bad = values->bad || (item->type == WIRE_JOIN && item->bytes.bytes == NULL);
}

static void read_replies(struct values *values, struct wire_decoder *decoder,
                         struct wire_message *message)
{
    uint32_t count;
    struct values list = read_array(values, WIRE_LIST_MAX, &count);

    for (uint32_t i = 0; i < count && !list.bad; i++) {
        struct values entry = read_record(&list);
        read_reply(&entry, &decoder->replies[i]);
        end_array(&list, &entry);
    }
    end_array(values, &list);
    message->replies.list = decoder->replies;
    message->replies.count = values->bad ? 0 : count;
}

static void read_items(struct values *values, struct wire_decoder *decoder,
                       struct wire_message *message)
{
    uint32_t count;
    struct values list = read_array(values, WIRE_LIST_MAX, &count);

    for (uint32_t i = 0; i < count && !list.bad; i++) {
        struct values entry = read_record(&list);
        read_item(&entry, &decoder->items[i]);
        end_array(&list, &entry);
    }
    end_array(values, &list);
    message->items.list = decoder->items;
    message->items.count = values->bad ? 0 : count;
}

static void read_node(struct values *values, struct wire_message *message)
{
    read_text(values, message->node, sizeof message->node);
    values->bad = values->bad || !node_name_is_valid(message->node);
}

static void read_fields(struct values *values, struct wire_decoder *decoder,
                        struct wire_message *message)
{
    read_text(values, message->code, sizeof message->code);
    values->bad = values->bad || !wire_code_is_valid(message->code);
    switch (message->head.kind) {
    case WIRE_SNAPSHOT:
        read_snapshot(values, &message->snapshot);
        break;
    case WIRE_STATE:
        read_state(values, &message->state);
        break;
    case WIRE_REPLIES:
        read_replies(values, decoder, message);
        break;
    case WIRE_ITEMS:
        read_node(values, message);
        read_items(values, decoder, message);
        break;
    case WIRE_PROBE:
        read_node(values, message);
        message->probe = read_uint(values, UINT64_MAX);
        break;
    case WIRE_CLOCK:
        message->clock.probe = read_uint(values, UINT64_MAX);
        message->clock.state = read_uint(values, UINT64_MAX);
        break;
    case WIRE_TAKEN:
    case WIRE_AGAIN:
        break;
    }
}

enum wire_result wire_decode(struct wire_decoder *decoder, const uint8_t *bytes, size_t size,
                             struct wire_message *message)
{
    struct bounds_fault fault;
    msgpack_object root;
    size_t offset = 0;
    enum wire_result result;

    *message = (struct wire_message){0};
    result = get_head(bytes, size, &message->head);
    if (result != WIRE_OK) {
        return result;
    }
    if (!bounds_check(bytes + WIRE_HEAD, size - WIRE_HEAD, VALUES_MAX, &fault)) {
        return WIRE_MALFORMED;
    }
    msgpack_zone_clear(&decoder->zone);
    if (msgpack_unpack((const char *)bytes + WIRE_HEAD, size - WIRE_HEAD, &offset, &decoder->zone,
                       &root) != MSGPACK_UNPACK_SUCCESS) {
        return WIRE_NO_MEMORY;
    }
    if (root.type != MSGPACK_OBJECT_ARRAY || root.via.array.size == 0) {
        return WIRE_MALFORMED;
    }
    struct values values = {.at = root.via.array.ptr,
                            .end = root.via.array.ptr + root.via.array.size};
    read_fields(&values, decoder, message);
    return values.bad ? WIRE_MALFORMED : WIRE_OK;
}
