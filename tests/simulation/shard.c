#include "shard.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "net/session/later.h"
#include "net/session/outlet.h"
#include "net/session/roster.h"
#include "threads.h"

#define SESSIONS_MAX  128u
#define WATCH_TIME    S
#define STALL_TIME    10000u                 /* ms */
#define WAKE_TIME     (200 * UINT64_C(1000)) /* ns until a woken shard runs, at most */
#define CLOSE_STALLED "the client read nothing for too long"

enum stage { JOINING, LIVE, CLOSING };

struct session {
    struct roster_entry entry; /* the first member, because the roster points to it */
    struct shard *shard;
    struct outlet outlet;
    struct link *link;
    struct later *later;
    struct way *in, *out;
    enum stage stage;
    uint16_t close_code; /* of a close to send after the pending messages; 0: none */
    uint32_t eased;
    uint64_t flush_at; /* ns: when the outgoing wire takes more bytes */
};

struct shard {
    uint32_t number;
    struct roster roster;
    struct counts counts;
    uint64_t wake_at, watch_at; /* ns */
};

static struct shard shards[SHARDS];
static struct hub *hub;
static bool woken;
static struct proto_decoder *decoder;
static uint32_t opened;

static struct session *session_of(struct roster_entry *entry)
{
    return (struct session *)(void *)entry;
}

/* ---- sending ---- */

static size_t unsent(void *line)
{
    const struct session *session = line;

    return way_unsent(session->out);
}

/* Returns false if the link is busy. */
static bool deliver(struct session *session, const struct outlet_turn *turn,
                    const struct outlet_item *item)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    struct proto_pong pong = {.t = item->number, .time = turn->now};
    size_t size = item->size;

    switch (item->type) {
    case OUTLET_WANT_KEY:
        if (session->link != NULL && roster_wants_key(session->entry.room, item->stream)) {
            if (!link_want_key(session->link, item->stream)) {
                return false;
            }
            roster_key_asked(session->entry.room, item->stream);
        }
        break;
    case OUTLET_PING:
        way_put(session->out, PACKET_PING, (uint32_t)item->number, NULL, 0);
        break;
    case OUTLET_PONG:
        size = proto_encode_pong(bytes, sizeof bytes, &pong);
        way_put(session->out, PACKET_MESSAGE, 0, bytes, size);
        break;
    default:
        way_put(session->out, PACKET_MESSAGE, 0, frame_data(item->frame), size);
        break;
    }
    outlet_sent(&session->outlet, turn, item, size);
    return true;
}

static void flush(struct session *session)
{
    const struct roster_room *room = session->entry.room;
    struct outlet_turn turn = {.view = room != NULL ? room->view : NULL,
                               .counts = &session->shard->counts,
                               .now = hub_now(hub),
                               .unsent = unsent,
                               .line = session};

    outlet_view(&session->outlet, &turn);
    session->flush_at = WIRE_NEVER;
    while (way_takes(session->out, &session->flush_at)) {
        struct outlet_item item = outlet_next(&session->outlet, &turn);
        session->flush_at = WIRE_NEVER;
        if (item.type == OUTLET_NOTHING || !deliver(session, &turn, &item)) {
            break;
        }
    }
    if (session->flush_at != WIRE_NEVER) {
        outlet_blocked(&session->outlet, &turn);
    } else if (session->close_code != 0 && !outlet_is_pending(&session->outlet)) {
        way_put(session->out, PACKET_CLOSE, session->close_code, NULL, 0);
        session->close_code = 0;
    }
}

static void leave(struct session *session, enum end_reason why)
{
    outlet_end(&session->outlet, &session->shard->counts);
    roster_leave(&session->shard->roster, &session->entry);
    later_finish(&session->later);
    if (session->link != NULL) {
        link_leave(session->link, why);
        session->link = NULL;
    }
}

static void close_with(struct session *session, enum end_reason why)
{
    if (session->stage != CLOSING) {
        leave(session, why);
        session->stage = CLOSING;
        session->close_code = (uint16_t)end_code(why);
        flush(session);
    }
}

/* ---- replies and views from the hub ---- */

static bool answer_link(void *link, struct frame *frame)
{
    return link_answer(link, frame);
}

static bool caught_up(struct session *session)
{
    return session->link == NULL || later_tell(&session->later, answer_link, session->link);
}

static void on_reply(struct session *session, struct hub_reply *reply)
{
    if (session->stage == CLOSING) {
        frame_release(reply->frame);
        return;
    }
    if (reply->frame != NULL || reply->type == HUB_TOLD) {
        check(outlet_push(&session->outlet, reply->frame), "more is pending than there may be");
    }
    if (reply->type == HUB_CLOSED) {
        close_with(session, reply->why);
        return;
    }
    if (reply->granted && reply->grant.stream.joined) {
        session->stage = LIVE;
        session->eased = 0;
        check(roster_enter(&session->shard->roster, &session->entry, reply->grant.stream.room),
              "out of memory");
    }
    if (reply->granted) {
        const struct roster_room *room = session->entry.room;
        outlet_grant(&session->outlet, &reply->grant.stream, room != NULL ? room->view : NULL,
                     &session->shard->counts, hub_now(hub));
    }
    (void)caught_up(session);
    flush(session);
}

static void take_replies(struct shard *shard)
{
    struct hub_reply reply;

    while (links_take_reply(hub_links(hub, shard->number), &reply)) {
        struct roster_entry *entry = roster_find(&shard->roster, reply.session);
        if (reply.type == HUB_ANSWER) {
            hub_answer_finish(&reply.answer);
        } else if (entry != NULL) {
            on_reply(session_of(entry), &reply);
        } else {
            frame_release(reply.frame);
        }
    }
}

static void take_views(struct shard *shard)
{
    struct room_view *view;

    while ((view = links_take_view(hub_links(hub, shard->number))) != NULL) {
        uint64_t number = view->room;
        struct roster_entry *entry;
        take_replies(shard);
        roster_take(&shard->roster, view, false);
        while ((entry = roster_due(&shard->roster, false)) != NULL) {
            check(entry->room->number == number, "a view came to another room");
            flush(session_of(entry));
        }
    }
}

/* Does the work of session_watch() and session_ease(). */
static void watch(struct session *session)
{
    struct line *line = &session->outlet.line;
    uint32_t now = outlet_ms(hub_now(hub));

    if (session->stage != LIVE) {
        return;
    }
    (void)caught_up(session);
    flush(session);
    if (line->level != session->eased &&
        link_ease(session->link, &(struct room_ease){.line = line->level})) {
        session->eased = line->level;
    }
    if (line_waits(line, now) &&
        line_stalled(line, (uint32_t)way_unsent(session->out), STALL_TIME, now)) {
        close_with(session, END_STALLED);
    }
}

void shard_wake(void *argument, uint32_t shard)
{
    uint64_t at = threads_now() + chance_below(WAKE_TIME);

    (void)argument;
    shards[shard].wake_at = at < shards[shard].wake_at ? at : shards[shard].wake_at;
    woken = true;
}

bool shards_woken(void)
{
    return woken;
}

static void watch_all(struct shard *shard)
{
    for (uint32_t slot = 0; slot < shard->roster.slot_count; slot++) {
        if (shard->roster.slots[slot] != NULL) {
            watch(session_of(shard->roster.slots[slot]));
        }
    }
}

static void flush_due(struct shard *shard)
{
    for (uint32_t slot = 0; slot < shard->roster.slot_count; slot++) {
        struct roster_entry *entry = shard->roster.slots[slot];
        if (entry != NULL && session_of(entry)->flush_at <= threads_now()) {
            flush(session_of(entry));
        }
    }
}

void shards_turn(void)
{
    woken = false;
    for (uint32_t i = 0; i < SHARDS; i++) {
        struct shard *shard = &shards[i];
        if (shard->wake_at <= threads_now()) {
            shard->wake_at = WIRE_NEVER;
            take_replies(shard);
            take_views(shard);
        }
        flush_due(shard);
        if (shard->watch_at <= threads_now()) {
            shard->watch_at = threads_now() + WATCH_TIME;
            take_replies(shard);
            watch_all(shard);
        }
    }
}

uint64_t shards_next(void)
{
    uint64_t next = WIRE_NEVER;

    for (uint32_t i = 0; i < SHARDS; i++) {
        const struct shard *shard = &shards[i];
        next = shard->wake_at < next ? shard->wake_at : next;
        next = shard->watch_at < next ? shard->watch_at : next;
        for (uint32_t slot = 0; slot < shard->roster.slot_count; slot++) {
            struct roster_entry *entry = shard->roster.slots[slot];
            if (entry != NULL && session_of(entry)->flush_at < next) {
                next = session_of(entry)->flush_at;
            }
        }
    }
    return next;
}

/* ---- messages from clients ---- */

static void on_hello(struct session *session, const struct proto_hello *hello)
{
    struct links *links = hub_links(hub, session->shard->number);
    const struct link_request request = {
        .session = session->entry.id, .address = "192.0.2.1", .hello = hello};
    struct link_room room;

    if (session->link != NULL || !links_find(links, hello->room, &room)) {
        close_with(session, END_NO_ROOM);
        return;
    }
    check(outlet_reserve(&session->outlet) && roster_reserve(&session->entry), "out of memory");
    session->link = link_join(links, &request);
    check(session->link != NULL, "a runner is too busy to let anyone in");
    outlet_subscribe(&session->outlet, hello->topics);
}

/* Does the work of session_refuse_in_turn(). In the simulation a link is busy only while its room
 * moves. */
static void refuse_busy(struct session *session, const struct proto_client_message *message)
{
    struct proto_error error = {.code = PROTO_E_FULL,
                                .type = (uint32_t)message->type,
                                .has_tag = message->has_tag,
                                .tag = message->tag};
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    check(frame != NULL, "out of memory");
    frame = frame_end(frame, proto_encode_error(frame_data(frame), frame->capacity, &error));
    if (!caught_up(session) || !link_answer(session->link, frame)) {
        check(later_add(&session->later, frame), "too many answers wait for a room that moves");
    }
}

static void on_message(struct session *session, const uint8_t *bytes, size_t size)
{
    struct proto_client_message message;
    struct proto_error error;

    check(proto_decode_client(decoder, bytes, size, &message, &error) == PROTO_OK,
          "a good message is refused: %s", error.message);
    if (message.type == PROTO_HELLO) {
        on_hello(session, &message.hello);
    } else if (message.type == PROTO_PING) {
        outlet_ping(&session->outlet, message.ping.t);
        flush(session);
    } else {
        check(session->link != NULL, "a message comes before the hello");
        const bool sent = caught_up(session) && link_send(session->link, &message);
        if (!sent && proto_answered(message.type)) {
            refuse_busy(session, &message);
        } else if (message.type == PROTO_WANT && message.want.has_topics) {
            outlet_subscribe(&session->outlet, message.want.topics);
        }
    }
}

void session_read(struct session *session)
{
    struct packet *packet;

    while ((packet = way_take(session->in)) != NULL) {
        if (session->stage == CLOSING) {
            free(packet);
            continue;
        }
        if (packet->type == PACKET_MESSAGE) {
            on_message(session, packet->bytes, packet->size);
        } else if (packet->type == PACKET_PONG &&
                   outlet_pong(&session->outlet, packet->number, hub_now(hub), 0)) {
            flush(session);
        } else if (packet->type == PACKET_CLOSE) {
            leave(session, END_NONE);
            session->stage = CLOSING;
        }
        free(packet);
    }
}

/* ---- life ---- */

struct session *session_open(struct way *in, struct way *out)
{
    struct session *session = calloc(1, sizeof *session);

    check(session != NULL, "out of memory");
    session->shard = &shards[chance_below(SHARDS)];
    session->in = in;
    session->out = out;
    session->flush_at = WIRE_NEVER;
    outlet_init(&session->outlet, opened++, hub_now(hub));
    check(roster_add(&session->shard->roster, &session->entry), "out of memory");
    flush(session);
    return session;
}

void session_gone(struct session *session)
{
    leave(session, END_NONE);
    outlet_finish(&session->outlet);
    roster_remove(&session->shard->roster, &session->entry);
    free(session);
}

void shards_begin(void)
{
    memset(shards, 0, sizeof shards);
    decoder = proto_decoder_create();
    check(decoder != NULL, "out of memory");
    for (uint32_t i = 0; i < SHARDS; i++) {
        shards[i].number = i;
        shards[i].wake_at = WIRE_NEVER;
        roster_init(&shards[i].roster, true);
    }
    opened = 0;
    woken = false;
}

void shards_serve(struct hub *new_hub)
{
    hub = new_hub;
}

void shards_end(void)
{
    for (uint32_t i = 0; i < SHARDS; i++) {
        const struct counts *counts = &shards[i].counts;
        check(counts->offered == counts->sent + counts->skipped,
              "%ju snapshots were offered, %ju sent and %ju skipped", (uintmax_t)counts->offered,
              (uintmax_t)counts->sent, (uintmax_t)counts->skipped);
        roster_finish(&shards[i].roster);
    }
    proto_decoder_destroy(decoder);
}
