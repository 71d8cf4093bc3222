/* The rooms of other nodes that sessions of this node are in: their entries, what is sent to their
 * owners, and what is subscribed to. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cluster/far_parts.h"

/* ---- entries ---- */

struct far_room *far_room_find(const struct far_end *far, const char *code)
{
    return codes_entry(codes_find(&far->codes, code), struct far_room);
}

static uint64_t next_number(struct far_end *far, uint32_t slot)
{
    return (uint64_t)++far->generation << 32 | (hub_far_slot(far->hub) + slot + 1);
}

/* The numbers of items begin at the time, so that a room that comes back continues upwards. */
static void init_room(struct far_end *far, struct far_room *room, uint64_t now)
{
    room->slot = far->free_slots[--far->free_count];
    room->number = next_number(far, room->slot);
    room->items_number = now;
    room->heard_at = room->left_at = now;
}

struct far_room *far_room_make(struct far_end *far, const char *code, uint64_t now)
{
    struct far_room *room = calloc(1, sizeof *room);
    char subject[BROKER_SUBJECT_MAX];

    if (room == NULL || far->free_count == 0) {
        free(room);
        return NULL;
    }
    post_subject(subject, POST_STATE, code);
    room->shard_links = calloc(far->shards, sizeof *room->shard_links);
    room->state = post_subscribe(far->post, subject);
    if (room->shard_links == NULL || room->state == NULL) {
        post_unsubscribe(far->post, room->state);
        free(room->shard_links);
        free(room);
        return NULL;
    }
    init_room(far, room, now);
    codes_add(&far->codes, &room->coded, code);
    list_append(&far->rooms, &room->item);
    cluster_count(&far->post->counts->far_rooms, 1);
    return room;
}

/* Releases views that shards have not taken. */
static void withdraw_views(const struct far_end *far, const struct far_room *room)
{
    for (uint32_t shard = 0; shard < far->shards; shard++) {
        hub_withdraw_view(far->hub, shard, room_slot(room->number));
    }
}

void far_room_drop(struct far_end *far, struct far_room *room)
{
    assert(room->links.first == NULL && room->cursors.first == NULL);
    codes_remove(&far->codes, &room->coded);
    list_remove(&far->rooms, &room->item);
    if (list_has(&far->noted, &room->noted)) {
        list_remove(&far->noted, &room->noted);
    }
    withdraw_views(far, room);
    far_view_forget(&room->view);
    post_unsubscribe(far->post, room->state);
    for (uint32_t i = 0; i < room->stream_count; i++) {
        post_unsubscribe(far->post, room->streams[i].frames);
    }
    far->free_slots[far->free_count++] = room->slot;
    wire_writer_finish(&room->items);
    free(room->streams);
    free(room->shard_links);
    free(room);
    atomic_fetch_sub(&far->post->counts->far_rooms, 1);
}

void far_room_renew(struct far_end *far, struct far_room *room)
{
    withdraw_views(far, room);
    far_view_forget(&room->view);
    room->number = next_number(far, room->slot);
    for (uint32_t i = 0; i < room->stream_count; i++) {
        room->streams[i].asked_at = 0;
    }
}

/* ---- what is sent ---- */

static struct wire_head head_of(const struct far_end *far, const struct far_room *room,
                                enum wire_kind kind)
{
    return (struct wire_head){
        .kind = kind, .incarnation = far->post->incarnation, .epoch = room->epoch};
}

void far_room_send(struct far_end *far, struct far_room *room, uint64_t now)
{
    char subject[BROKER_SUBJECT_MAX];

    if (room->items.size == 0) {
        return;
    }
    post_subject(subject, POST_ROOM, room->coded.code);
    (void)post_send(far->post, subject, &room->items, &room->items_number, now);
    room->items.size = 0;
}

/* Queues the item. An item that does not fit is lost, and the owner notices a gap. */
static void add_item(struct far_end *far, struct far_room *room, const struct wire_item *item,
                     uint64_t now)
{
    const struct wire_head head = head_of(far, room, WIRE_ITEMS);

    if (item->type <= WIRE_ANSWER && item->bytes.size == 0) {
        return; /* a message that cannot be encoded */
    }
    far_room_note(far, room);
    if (room->items.size == 0 &&
        !wire_begin_items(&room->items, &head, room->coded.code, far->post->node)) {
        room->items.size = 0;
        room->items_number++;
        return;
    }
    if (!wire_add_item(&room->items, item)) {
        room->items_number++;
    }
    if (room->items.size >= WIRE_BATCH || room->items.count == WIRE_LIST_MAX) {
        far_room_send(far, room, now);
    }
}

void far_room_add_cursors(struct far_end *far, struct far_room *room, uint64_t now)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    struct list_item *next;

    room->cursors_at = 0;
    while ((next = list_take(&room->cursors)) != NULL) {
        const struct far_link *link = list_entry(next, struct far_link, waits);
        const struct proto_client_message message = {.type = PROTO_CURSOR, .cursor = link->cursor};
        const size_t size = proto_encode_client(bytes, sizeof bytes, &message);
        const struct wire_item item = {
            .type = WIRE_SEND, .link = link->number, .bytes = {bytes, size}};
        add_item(far, room, &item, now);
    }
}

void far_room_add(struct far_end *far, struct far_room *room, const struct wire_item *item,
                  uint64_t now)
{
    far_room_add_cursors(far, room, now);
    add_item(far, room, item, now);
}

void far_room_reset(struct far_end *far, struct far_room *room, uint64_t now)
{
    far_room_add_cursors(far, room, now);
    far_room_send(far, room, now);
    add_item(far, room, &(struct wire_item){.type = WIRE_RESET}, now);
}

void far_room_probe(struct far_end *far, struct far_room *room, uint64_t now)
{
    const struct wire_head head = head_of(far, room, WIRE_PROBE);
    char subject[BROKER_SUBJECT_MAX];

    room->probed_at = now;
    post_subject(subject, POST_ROOM, room->coded.code);
    if (wire_put_probe(&far->post->writer, &head, room->coded.code, far->post->node, now)) {
        (void)post_send(far->post, subject, &far->post->writer, &room->items_number, now);
    }
}

/* ---- streams ---- */

static struct far_stream *find_stream(const struct far_room *room, uint32_t id)
{
    for (uint32_t i = 0; i < room->stream_count; i++) {
        if (room->streams[i].id == id) {
            return &room->streams[i];
        }
    }
    return NULL;
}

/* Returns the stream; subscribes to it if it is new. NULL when memory runs out. */
static struct far_stream *make_stream(struct far_end *far, struct far_room *room, uint32_t id)
{
    struct far_stream *stream = find_stream(room, id);
    char subject[BROKER_SUBJECT_MAX];
    struct far_stream *grown;

    if (stream != NULL) {
        return stream;
    }
    grown = grow_array(room->streams, &room->stream_capacity, (size_t)room->stream_count + 1,
                       FAR_VIEW_STREAMS, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    room->streams = grown;
    stream = &room->streams[room->stream_count];
    post_stream_subject(subject, room->coded.code, id);
    *stream = (struct far_stream){.id = id, .frames = post_subscribe(far->post, subject)};
    if (stream->frames == NULL) {
        return NULL;
    }
    room->stream_count++;
    return stream;
}

static void leave_stream(struct far_link *link, uint64_t now)
{
    struct far_stream *stream =
        link->streaming && link->room != NULL ? find_stream(link->room, link->stream) : NULL;

    link->streaming = false;
    if (stream != NULL) {
        assert(stream->members > 0);
        stream->members--;
        stream->left_at = now;
    }
}

void far_link_set_stream(struct far_end *far, struct far_link *link, uint32_t id, uint64_t now)
{
    struct far_stream *stream = make_stream(far, link->room, id);

    leave_stream(link, now);
    if (stream != NULL) {
        stream->members++;
        link->stream = id;
        link->streaming = true;
    }
}

void far_link_end_stream(struct far_link *link, uint64_t now)
{
    leave_stream(link, now);
}

void far_room_end_streams(struct far_end *far, struct far_room *room, uint64_t now)
{
    for (uint32_t i = room->stream_count; i-- > 0;) {
        struct far_stream *stream = &room->streams[i];
        if (stream->members == 0 && now >= stream->left_at + FAR_LINGER) {
            post_unsubscribe(far->post, stream->frames);
            far_view_end_stream(&room->view, stream->id);
            *stream = room->streams[--room->stream_count];
        }
    }
}

/* Asks for a keyframe at most once until it comes, or every FAR_RETRY. */
void far_room_want_key(struct far_end *far, struct far_room *room, uint32_t id, uint64_t now)
{
    struct far_stream *stream = find_stream(room, id);

    if (stream != NULL && (stream->asked_at == 0 || now >= stream->asked_at + FAR_RETRY)) {
        stream->asked_at = now;
        far_room_add(far, room, &(struct wire_item){.type = WIRE_WANT_KEY, .stream = id}, now);
    }
}

void far_room_has_key(struct far_room *room, uint32_t id)
{
    struct far_stream *stream = find_stream(room, id);

    if (stream != NULL) {
        stream->asked_at = 0;
    }
}
