#include "cluster/near_end.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/prefetch.h"
#include "cluster/near_parts.h"

#define LOOK_TIME     UINT64_C(100000) /* µs between two looks for silent edges */
#define VIEWS_AT_ONCE 64u
#define VIEW_BYTES    512u /* of a view, that publishing reads */
#define FRAME_BYTES   512u /* of a small snapshot */

/* ---- items ---- */

static bool decode(const struct near_end *near, const struct wire_bytes *bytes,
                   struct proto_client_message *message)
{
    struct proto_error error;

    if (bytes->size <= PROTO_MESSAGE_MAX &&
        proto_decode_client(near->decoder, bytes->bytes, bytes->size, message, &error) ==
            PROTO_OK) {
        return true;
    }
    cluster_count(&near->post->counts->malformed, 1);
    return false;
}

static void refuse_join(struct near_end *near, struct near_party *party, uint64_t number,
                        uint64_t now)
{
    near_reply(near, party,
               &(struct wire_reply){.type = WIRE_CLOSED, .link = number, .why = END_BUSY}, now);
}

/* Joins the room for a session of the edge. The room compares keys at once: sessions wait in line
 * at their own node only. */
static void join_room(struct near_end *near, struct near_party *party, const struct wire_item *item,
                      const struct proto_hello *hello, uint64_t now)
{
    struct near_link *link = near_link_make(near, party, item->link);
    struct link_request request = {.address = item->address,
                                   .hello = hello,
                                   .presenters_only = item->presenters_only,
                                   .pass = {.kind = TRIES_NOW}};

    if (link != NULL) {
        request.session = link->session;
        link->link = link_join(near->hub_links, &request);
        if (link->link != NULL) {
            return;
        }
        near_link_free(near, link, END_NONE);
    }
    refuse_join(near, party, item->link, now);
}

static void on_join(struct near_end *near, struct near_party *party, const struct wire_item *item,
                    uint64_t now)
{
    struct proto_client_message message;
    char code[PROTO_ROOM_MAX + 1];

    if (near_link_find(near, party, item->link) != NULL || !decode(near, &item->bytes, &message)) {
        return; /* its answer is on the way */
    }
    if (message.type != PROTO_HELLO) {
        cluster_count(&near->post->counts->malformed, 1);
        return;
    }
    proto_room_canonical(message.hello.room, code);
    if (strcmp(code, party->room->coded.code) != 0) {
        cluster_count(&near->post->counts->malformed, 1);
        return;
    }
    if (!party->has_state) {
        near_send_state(near, party, now);
    }
    join_room(near, party, item, &message.hello, now);
}

/* Answers a message that the room cannot take now. */
static void refuse_message(struct near_end *near, const struct near_link *link,
                           const struct proto_client_message *message, uint64_t now)
{
    struct proto_error error = {.code = PROTO_E_FULL,
                                .type = message->type,
                                .has_tag = message->has_tag,
                                .tag = message->tag};
    uint8_t bytes[PROTO_MESSAGE_MAX];
    struct wire_reply reply = {.type = WIRE_TOLD, .link = link->number};

    if (!proto_answered(message->type)) {
        return;
    }
    (void)snprintf(error.message, sizeof error.message,
                   "the server is too busy; try again in a moment");
    reply.frame = (struct wire_bytes){bytes, proto_encode_error(bytes, sizeof bytes, &error)};
    near_reply(near, link->party, &reply, now);
}

static void on_send(struct near_end *near, const struct near_link *link,
                    const struct wire_item *item, uint64_t now)
{
    struct proto_client_message message;

    if (!decode(near, &item->bytes, &message)) {
        return;
    }
    if (message.type == PROTO_HELLO || message.type == PROTO_PING) {
        cluster_count(&near->post->counts->malformed, 1);
    } else if (!link_send(link->link, &message)) {
        refuse_message(near, link, &message, now);
    }
}

/* The session's own answer comes back behind the room's. */
static void on_answer(struct near_end *near, const struct near_link *link,
                      const struct wire_item *item, uint64_t now)
{
    struct frame *frame = frame_of(item->bytes.bytes, item->bytes.size);

    if (frame != NULL && link_answer(link->link, frame)) {
        return;
    }
    frame_release(frame);
    near_reply(near, link->party,
               &(struct wire_reply){.type = WIRE_TOLD, .link = link->number, .frame = item->bytes},
               now);
}

/* Handles an item of a session in the room. */
static void on_link_item(struct near_end *near, struct near_link *link,
                         const struct wire_item *item, uint64_t now)
{
    switch (item->type) {
    case WIRE_SEND:
        on_send(near, link, item, now);
        break;
    case WIRE_ANSWER:
        on_answer(near, link, item, now);
        break;
    case WIRE_EASE:
        (void)link_ease(link->link, &item->ease);
        break;
    case WIRE_LEAVE:
        near_link_free(near, link, item->why);
        break;
    default:
        break;
    }
}

static void on_item(struct near_end *near, struct near_party *party, const struct wire_item *item,
                    uint64_t now)
{
    struct near_link *link;

    switch (item->type) {
    case WIRE_JOIN:
        on_join(near, party, item, now);
        break;
    case WIRE_RESET:
        near_party_reset(near, party, END_NONE);
        break;
    case WIRE_WANT_STATE:
        near_send_state(near, party, now);
        break;
    case WIRE_WANT_KEY:
        if (party->links.first != NULL) {
            link = list_entry(party->links.first, struct near_link, item);
            (void)link_want_key(link->link, item->stream);
        }
        break;
    default:
        link = near_link_find(near, party, item->link);
        if (link != NULL) {
            on_link_item(near, link, item, now);
        }
        break;
    }
}

/* Whether a list may begin the numbers of a party: the hellos of all its sessions follow. A hello
 * alone does not: the edge may have sessions that this node has forgotten. */
static bool begins(const struct wire_message *message)
{
    return message->head.kind == WIRE_ITEMS && message->items.count > 0 &&
           message->items.list[0].type == WIRE_RESET;
}

/* Checks the number of a message. After a gap the sessions of the edge must join again. Returns
 * whether the message may be taken. */
static bool check_number(struct near_end *near, struct near_party *party,
                         const struct wire_message *message, uint64_t now)
{
    const uint64_t number = message->head.number;

    if (begins(message) && (!party->begun || number > party->number)) {
        party->begun = true;
        party->number = number;
        return true;
    }
    if (party->begun && number <= party->number) {
        return false; /* it came again */
    }
    if (party->begun && number == party->number + 1) {
        party->number = number;
        return true;
    }
    cluster_count(&near->post->counts->gaps, party->begun);
    near_send_again(near, party, now);
    return false;
}

static void take_from_edge(struct near_end *near, struct near_room *room,
                           const struct wire_message *message, uint64_t now)
{
    struct near_party *party =
        near_party_make(near, room, message->node, message->head.incarnation, now);

    if (party == NULL) {
        return;
    }
    party->heard_at = now;
    if (!check_number(near, party, message, now)) {
        return;
    }
    if (message->head.kind == WIRE_PROBE) {
        near_send_clock(near, party, message->probe, now);
        return;
    }
    for (uint32_t i = 0; i < message->items.count; i++) {
        on_item(near, party, &message->items.list[i], now);
    }
}

/* Stops sending: another node owns the room. The keeper will learn it, too. */
static void end_room(struct near_room *room)
{
    if (!room->superseded) {
        log_warn("room %s has a new owner; this node says no more of it", room->coded.code);
    }
    room->superseded = true;
}

void near_end_take(struct near_end *near, const struct wire_message *message, uint64_t now)
{
    struct near_room *room = near_room_find(near, message->code);

    if (room == NULL) {
        return;
    }
    if (message->head.epoch > room->epoch) {
        if (message->head.kind == WIRE_TAKEN) {
            end_room(room);
        }
        return; /* an edge's message is for the next owner, or it is hostile */
    }
    if (!room->ready || room->superseded || strcmp(message->node, near->post->node) == 0) {
        return;
    }
    if (message->head.kind == WIRE_ITEMS || message->head.kind == WIRE_PROBE) {
        take_from_edge(near, room, message, now);
    }
}

/* ---- replies and views of the hub ---- */

/* Sets the room's number in the hub. The state of a room that has come back there replaces what
 * edges have. */
static void set_number(struct near_end *near, struct near_room *room, uint64_t number, uint64_t now)
{
    const bool is_back = room->number != 0 && room->number != number;

    near_room_set_number(near, room, number);
    for (struct list_item *item = room->parties.first; is_back && item != NULL; item = item->next) {
        near_send_state(near, list_entry(item, struct near_party, item), now);
    }
}

static void on_told(struct near_end *near, struct near_link *link, const struct hub_reply *reply,
                    uint64_t now)
{
    struct near_room *room = link->party->room;
    struct wire_reply wire = {.type = WIRE_TOLD,
                              .link = link->number,
                              .presenter = reply->presenter,
                              .granted = reply->granted,
                              .trust = (enum hub_trust)reply->trust};

    if (reply->frame == NULL) { /* memory ran out: the session misses a message */
        wire.type = WIRE_CLOSED;
        wire.why = END_NO_MEMORY;
        wire.granted = false;
        near_reply(near, link->party, &wire, now);
        near_link_free(near, link, END_NO_MEMORY);
        return;
    }
    wire.frame = (struct wire_bytes){frame_data(reply->frame), reply->frame->size};
    if (reply->granted) {
        wire.grant = reply->grant.stream;
        if (wire.grant.joined) {
            set_number(near, room, wire.grant.room, now);
        }
        near_link_set_stream(link, wire.grant.stream);
    }
    near_reply(near, link->party, &wire, now);
}

static void on_closed(struct near_end *near, struct near_link *link, const struct hub_reply *reply,
                      uint64_t now)
{
    struct wire_reply wire = {.type = reply->type == HUB_MOVED ? WIRE_MOVED : WIRE_CLOSED,
                              .link = link->number,
                              .why = reply->why};

    if (reply->frame != NULL) {
        wire.frame = (struct wire_bytes){frame_data(reply->frame), reply->frame->size};
    }
    near_reply(near, link->party, &wire, now);
    near_link_free(near, link, reply->why);
}

static void take_reply(struct near_end *near, const struct hub_reply *reply, uint64_t now)
{
    struct near_link *link = reply->type != HUB_ANSWER ? near_link_of(near, reply->session) : NULL;

    if (link == NULL) {
        return;
    }
    if (reply->type == HUB_TOLD) {
        on_told(near, link, reply, now);
    } else {
        on_closed(near, link, reply, now);
    }
}

static void take_replies(struct near_end *near, uint64_t now)
{
    struct hub_reply reply;

    while (links_take_reply(near->hub_links, &reply)) {
        take_reply(near, &reply, now);
        frame_release(reply.frame);
    }
    near_send_all(near, now);
}

/* ---- silent edges ---- */

static void look_at_room(struct near_end *near, const struct near_room *room, uint64_t now)
{
    struct list_item *next = room->parties.first;

    while (next != NULL) {
        struct near_party *party = list_entry(next, struct near_party, item);
        next = next->next;
        if (now >= party->heard_at + near->post->silent) {
            near_party_drop(near, party);
        }
    }
}

void near_end_skip(struct near_end *near, uint64_t time)
{
    for (struct list_item *item = near->rooms.first; item != NULL; item = item->next) {
        const struct near_room *room = list_entry(item, struct near_room, item);
        for (struct list_item *at = room->parties.first; at != NULL; at = at->next) {
            list_entry(at, struct near_party, item)->heard_at += time;
        }
    }
}

/* While the broker is away, no edge can be heard. */
static void look_at_edges(struct near_end *near, uint64_t now)
{
    const uint64_t passed = now - near->looked_at;

    if (passed < LOOK_TIME) {
        return;
    }
    near->looked_at = now;
    if (!broker_connected(near->post->broker, BROKER_DATA)) {
        near_end_skip(near, passed);
        return;
    }
    for (struct list_item *item = near->rooms.first; item != NULL; item = item->next) {
        look_at_room(near, list_entry(item, struct near_room, item), now);
    }
}

/* Prefetches what publishing the view reads besides: what its room has published, and a frame.
 * Other threads have written the view, so that all of it would be waited for. */
static void prefetch_room(const struct near_end *near, const struct room_view *view)
{
    const struct near_room *room = near_room_of(near, view->room);
    const struct view_stream *stream = view->streams;

    if (room != NULL && room->last != NULL) {
        prefetch_bytes(room->last, sizeof *room->last);
        prefetch_bytes(room->streams, sizeof *room->streams);
    }
    if (view->stream_count > 0 && stream->deltas[stream->sequence % VIEW_DELTAS] != NULL) {
        prefetch_bytes(stream->deltas[stream->sequence % VIEW_DELTAS], FRAME_BYTES);
    }
}

/* Publishes some views. A member's grant goes before the view that has its stream: the hub told it
 * earlier. Returns whether there may be more. */
static bool publish_views(struct near_end *near, uint64_t now)
{
    struct room_view *views[VIEWS_AT_ONCE];
    uint32_t count = 0;

    while (count < VIEWS_AT_ONCE && (views[count] = links_take_view(near->hub_links)) != NULL) {
        prefetch_bytes(views[count++], VIEW_BYTES);
    }
    take_replies(near, now);
    for (uint32_t i = 0; i < count; i++) {
        prefetch_room(near, views[i + 1 < count ? i + 1 : i]);
        near_publish(near, views[i], now);
    }
    return count == VIEWS_AT_ONCE;
}

uint64_t near_end_turn(struct near_end *near, uint64_t now)
{
    while (publish_views(near, now)) {
    }
    look_at_edges(near, now);
    return now + LOOK_TIME;
}

/* ---- rooms of this node ---- */

bool near_end_own(struct near_end *near, const char *code, uint64_t epoch, uint64_t now)
{
    struct near_room *room = wire_code_is_valid(code) ? near_room_find(near, code) : NULL;

    if (room != NULL && room->epoch < epoch) {
        near_end_disown(near, code, room->epoch, now);
        room = NULL;
    }
    if (room == NULL && wire_code_is_valid(code)) {
        room = near_room_make(near, code);
        if (room != NULL) {
            room->epoch = epoch;
        }
    }
    return room != NULL;
}

static void announce_on(struct near_end *near, const struct near_room *room, const char *kind,
                        uint64_t now)
{
    const struct wire_head head = {
        .kind = WIRE_TAKEN, .incarnation = near->post->incarnation, .epoch = room->epoch};
    char subject[BROKER_SUBJECT_MAX];

    post_subject(subject, kind, room->coded.code);
    if (wire_put_bare(&near->post->writer, &head, room->coded.code)) {
        (void)post_send(near->post, subject, &near->post->writer, NULL, now);
    }
}

void near_end_announce(struct near_end *near, const char *code, uint64_t now)
{
    struct near_room *room = near_room_find(near, code);

    if (room != NULL) {
        room->ready = true;
        announce_on(near, room, POST_STATE, now);
        announce_on(near, room, POST_ROOM, now);
    }
}

void near_end_disown(struct near_end *near, const char *code, uint64_t epoch, uint64_t now)
{
    struct near_room *room = near_room_find(near, code);

    if (room == NULL || room->epoch > epoch) {
        return;
    }
    take_replies(near, now); /* the hub's last words to its sessions */
    for (struct list_item *item = room->parties.first; item != NULL; item = item->next) {
        struct near_party *party = list_entry(item, struct near_party, item);
        for (struct list_item *next = party->links.first; next != NULL; next = next->next) {
            const struct near_link *link = list_entry(next, struct near_link, item);
            near_reply(near, party, &(struct wire_reply){.type = WIRE_MOVED, .link = link->number},
                       now);
        }
    }
    near_send_all(near, now);
    near_room_drop(near, room);
}

/* ---- life ---- */

struct near_end *near_end_create(struct post *post, uint32_t sessions_max)
{
    struct near_end *near = calloc(1, sizeof *near);

    if (near == NULL) {
        return NULL;
    }
    near->post = post;
    near->sessions_max = sessions_max;
    near->decoder = proto_decoder_create();
    near->edges = calloc(NEAR_EDGES, sizeof *near->edges);
    near->sessions = calloc(sessions_max, sizeof *near->sessions);
    near->free_slots = calloc(sessions_max, sizeof *near->free_slots);
    if (near->decoder == NULL || near->edges == NULL || near->sessions == NULL ||
        near->free_slots == NULL) {
        near_end_destroy(near);
        return NULL;
    }
    for (uint32_t slot = sessions_max; slot-- > 0;) {
        near->free_slots[near->free_count++] = slot;
    }
    return near;
}

bool near_end_start(struct near_end *near, struct hub *hub)
{
    near->hub = hub;
    near->hub_links = hub_far_links(hub);
    near->by_slot = calloc(hub_far_slot(hub), sizeof(struct near_room *));
    return near->by_slot != NULL;
}

void near_end_leave(struct near_end *near)
{
    while (near->rooms.first != NULL) {
        near_room_drop(near, list_entry(near->rooms.first, struct near_room, item));
    }
}

void near_end_destroy(struct near_end *near)
{
    if (near == NULL) {
        return;
    }
    assert(near->rooms.first == NULL);
    proto_decoder_destroy(near->decoder);
    free(near->edges);
    free(near->sessions);
    free(near->free_slots);
    free(near->by_slot);
    free(near);
}
