/* wire_decode(): a message between nodes that is read must be written and read as the same message
 * again, and a view takes what it brings. Several messages may follow each other: each behind its
 * size, two bytes. */
#include "fuzz.h"

#include "../unit/wire_samples.h"
#include "cluster/far_view.h"
#include "cluster/values.h"

static struct wire_decoder *decoder, *decoder_again;

static void check_texts(const struct wire_message *message)
{
    FUZZ_REQUIRE(wire_code_is_valid(message->code));
    FUZZ_REQUIRE(strpbrk(message->code, ".*> ") == NULL);
    FUZZ_REQUIRE(message->node[0] == '\0' || node_name_is_valid(message->node));
    FUZZ_REQUIRE(strpbrk(message->node, ".*> ") == NULL);
}

static void check_lists(const struct wire_message *message)
{
    if (message->head.kind == WIRE_ITEMS) {
        FUZZ_REQUIRE(message->items.count <= WIRE_LIST_MAX);
        for (uint32_t i = 0; i < message->items.count; i++) {
            const struct wire_item *item = &message->items.list[i];
            FUZZ_REQUIRE(item->type < WIRE_ITEM_TYPES && item->why <= END_UNMASKED);
            FUZZ_REQUIRE(item->ease.line <= ROOM_EASE_MAX);
            FUZZ_REQUIRE(item->ease.overload <= ROOM_OVERLOAD_MAX);
            FUZZ_REQUIRE(memchr(item->address, 0, sizeof item->address) != NULL);
        }
    } else if (message->head.kind == WIRE_REPLIES) {
        FUZZ_REQUIRE(message->replies.count <= WIRE_LIST_MAX);
        for (uint32_t i = 0; i < message->replies.count; i++) {
            const struct wire_reply *reply = &message->replies.list[i];
            FUZZ_REQUIRE(reply->type <= WIRE_MOVED && reply->why <= END_UNMASKED);
            FUZZ_REQUIRE(reply->trust <= HUB_TRUSTS);
            FUZZ_REQUIRE(reply->type != WIRE_TOLD || reply->frame.bytes != NULL);
        }
    }
}

static void check_view(const struct room_view *made)
{
    for (uint32_t i = 0; i < made->stream_count; i++) {
        const struct view_stream *stream = &made->streams[i];
        FUZZ_REQUIRE(i == 0 || made->streams[i - 1].id < stream->id);
        FUZZ_REQUIRE(stream->key == NULL || stream->sequence - stream->key_sequence <= VIEW_DELTAS);
    }
    for (uint32_t i = 0; i < made->pick_count; i++) {
        FUZZ_REQUIRE(i == 0 || made->picks[i - 1].boid < made->picks[i].boid);
    }
}

/* Lets the view take a message. A gap must be followed by a request for the whole state. */
static void show(struct far_view *view, const struct wire_message *message)
{
    struct room_view *made;

    if (message->head.kind == WIRE_STATE) {
        if (far_view_take_state(view, &message->head, &message->state) == FAR_VIEW_GAP) {
            FUZZ_REQUIRE(!view->whole);
        }
    } else if (message->head.kind == WIRE_SNAPSHOT) {
        (void)far_view_take_snapshot(view, &message->snapshot);
    }
    made = far_view_make(view, 1, 0);
    if (made != NULL) {
        check_view(made);
        view_release(made);
    }
}

static void try_message(struct far_view *view, const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);
    struct wire_writer writer = {0};
    struct wire_message message, again;

    if (wire_decode(decoder, copy, size, &message) == WIRE_OK) {
        check_texts(&message);
        check_lists(&message);
        FUZZ_REQUIRE(wire_write_again(&writer, &message));
        wire_seal(&writer, message.head.number, message.head.time);
        FUZZ_REQUIRE(wire_decode(decoder_again, writer.bytes, writer.size, &again) == WIRE_OK);
        struct wire_writer twice = {0};
        FUZZ_REQUIRE(wire_write_again(&twice, &again));
        wire_seal(&twice, again.head.number, again.head.time);
        FUZZ_REQUIRE(twice.size == writer.size &&
                     memcmp(twice.bytes, writer.bytes, writer.size) == 0);
        show(view, &message);
        wire_writer_finish(&twice);
    }
    wire_writer_finish(&writer);
    free(copy);
}

/* Messages about parcels, and the heads of their parts. */
static void try_parcel(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);
    uint8_t out[VALUES_MAX];
    struct room_parcel parcel;
    struct parcel_answer answer;
    struct parcel_part part;
    size_t used;

    if (values_read_parcel(copy, size, &parcel)) {
        FUZZ_REQUIRE(wire_code_is_valid(parcel.code) && node_name_is_valid(parcel.node));
        FUZZ_REQUIRE(values_read_parcel(out, values_write_parcel(&parcel, out), &parcel));
    }
    if (values_read_answer(copy, size, &answer)) {
        FUZZ_REQUIRE(node_name_is_valid(answer.node));
        FUZZ_REQUIRE(values_read_answer(out, values_write_answer(&answer, out), &answer));
    }
    if (values_read_part(copy, size, &part, &used)) {
        FUZZ_REQUIRE(used <= size && used == values_write_part(&part, out));
    }
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct far_view view = {0};

    if (decoder == NULL) {
        decoder = wire_decoder_create();
        decoder_again = wire_decoder_create();
        FUZZ_REQUIRE(decoder != NULL && decoder_again != NULL);
    }
    try_parcel(data, size);
    while (size >= 2) {
        const size_t wanted = (size_t)data[0] | (size_t)data[1] << 8;
        const size_t part = wanted < size - 2 ? wanted : size - 2;
        try_message(&view, data + 2, part);
        data += 2 + part;
        size -= 2 + part;
    }
    far_view_forget(&view);
    return 0;
}
