/* The messages of owners: what an edge takes from other nodes. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/far_parts.h"

#define REACH_MAX 16u              /* bytes */
#define AGAIN_GAP UINT64_C(100000) /* µs between two times that a room's sessions join again */

/* ---- other nodes ---- */

/* Returns what is known of the sender: a new entry takes the place of the one silent longest. */
static struct far_node *node_of(struct far_end *far, const struct wire_head *head, uint64_t now)
{
    struct far_node *node = &far->nodes[0];

    for (uint32_t i = 0; i < FAR_NODES; i++) {
        if (far->nodes[i].incarnation == head->incarnation) {
            node = &far->nodes[i];
            break;
        }
        node = far->nodes[i].heard_at < node->heard_at ? &far->nodes[i] : node;
    }
    if (node->incarnation != head->incarnation) {
        *node = (struct far_node){.incarnation = head->incarnation};
    }
    node->heard_at = now;
    far_clock_hear(&node->clock, head->time, now);
    return node;
}

int64_t far_room_ahead(const struct far_end *far, const struct far_room *room)
{
    for (uint32_t i = 0; i < FAR_NODES; i++) {
        if (far->nodes[i].incarnation == room->owner) {
            return far->nodes[i].clock.ahead;
        }
    }
    return 0;
}

/* ---- joining again ---- */

/* Lets all sessions join again: welcomed sessions with their tokens, the others with the hellos
 * that are still unanswered. */
static void join_again(struct far_end *far, struct far_room *room, uint64_t now)
{
    struct list_item *next = room->links.first;

    while (next != NULL) {
        struct far_link *link = list_entry(next, struct far_link, item);
        next = next->next;
        cluster_count(&far->post->counts->hellos_again, 1);
        if (link->joining != NULL) {
            far_link_renumber(far, link); /* replies on the way to it are void */
            far_link_join(far, link, now);
        } else {
            far_link_move(far, link, now);
        }
    }
}

void far_room_again(struct far_end *far, struct far_room *room, uint64_t now)
{
    if (room->links.first == NULL || now < room->again_at + AGAIN_GAP) {
        return;
    }
    room->again_at = now;
    far_room_reset(far, room, now);
    join_again(far, room, now);
}

/* Takes a new owner's epoch. Drops queued items and cursors, which were for the old owner. */
static void take_epoch(struct far_end *far, struct far_room *room, uint64_t epoch, uint64_t now)
{
    room->epoch = epoch;
    room->ended_at = 0;
    room->items.size = 0;
    while (list_take(&room->cursors) != NULL) {
    }
    room->cursors_at = 0;
    room->probed_at = 0;
    far_room_renew(far, room);
    if (room->links.first != NULL) {
        far_room_reset(far, room, now);
        join_again(far, room, now);
    }
}

/* Checks the number of a message to this node. After a gap all rooms of the sender join again.
 * Returns whether the message may be taken. */
static bool check_number(struct far_end *far, const struct wire_head *head, uint64_t now)
{
    struct far_node *node = node_of(far, head, now);

    if (head->number <= node->number) {
        return false; /* it came again */
    }
    if (head->number == node->number + 1) {
        node->number++;
        return true;
    }
    node->number = head->number;
    cluster_count(&far->post->counts->gaps, 1);
    for (struct list_item *item = far->rooms.first; item != NULL; item = item->next) {
        struct far_room *room = list_entry(item, struct far_room, item);
        if (room->owner == head->incarnation) {
            far_room_again(far, room, now);
        }
    }
    return false;
}

/* ---- replies ---- */

/* Returns whether a grant is one that the link can take: one welcome. */
static bool may_grant(const struct far_link *link, const struct wire_reply *reply)
{
    return !reply->granted || reply->grant.joined == (link->joining != NULL);
}

/* A room whose people are all here may run here. */
static void want_room(const struct far_end *far, struct far_room *room)
{
    if (far->want != NULL && room->wanted != room->epoch) {
        room->wanted = room->epoch;
        far->want(far->argument, room->coded.code, room->link_count);
    }
}

static void take_grant(struct far_end *far, struct far_link *link, const struct wire_reply *wire,
                       struct hub_reply *reply, uint64_t now)
{
    reply->granted = true;
    reply->grant =
        (struct hub_grant){.stream = wire->grant, .ahead = far_room_ahead(far, link->room)};
    reply->grant.stream.room = link->room->number;
    reply->trust = (uint8_t)wire->trust;
    if (wire->grant.joined) {
        free(link->joining);
        link->joining = NULL;
        link->entered = link->room->number;
        want_room(far, link->room);
    }
    far_link_set_stream(far, link, wire->grant.stream, now);
}

static void take_told(struct far_end *far, struct far_link *link, const struct wire_reply *wire,
                      uint64_t now)
{
    struct hub_reply reply = {.type = HUB_TOLD, .presenter = wire->presenter};

    reply.frame = frame_of(wire->frame.bytes, wire->frame.size);
    if (reply.frame == NULL || !may_grant(link, wire)) {
        cluster_count(&far->post->counts->malformed, reply.frame != NULL);
        frame_release(reply.frame);
        far_link_close(far, link, &(struct room_end){.why = END_NO_MEMORY}, now);
        return;
    }
    if (wire->granted) {
        take_grant(far, link, wire, &reply, now);
    }
    link->presenter = wire->presenter;
    if (!seat_tell(link->seat, &reply)) {
        far_link_close(far, link, &(struct room_end){.why = END_ANSWERS}, now);
        return;
    }
    far_touch(far, link->seat->shard);
}

static void take_closed(struct far_end *far, struct far_link *link, const struct wire_reply *wire,
                        uint64_t now)
{
    struct room_end end = {.why = wire->why};

    if (wire->frame.bytes != NULL) {
        end.frame = frame_of(wire->frame.bytes, wire->frame.size);
    }
    far_link_close(far, link, &end, now);
}

/* The room has left its node's hub. It gets another number: if it comes back in the same epoch, its
 * versions begin again. A hello waits for the next owner. */
static void take_moved(struct far_end *far, struct far_link *link, uint64_t now)
{
    if (link->joining != NULL) {
        return;
    }
    if (link->entered == link->room->number) {
        far_room_renew(far, link->room);
    }
    far_link_move(far, link, now);
}

static void take_replies(struct far_end *far, const struct far_room *room,
                         const struct wire_message *message, uint64_t now)
{
    for (uint32_t i = 0; i < message->replies.count; i++) {
        const struct wire_reply *reply = &message->replies.list[i];
        struct far_link *link = far_link_find(far, reply->link);
        if (link == NULL || link->room != room) {
            continue; /* it has left, or joins again */
        }
        switch (reply->type) {
        case WIRE_TOLD:
            take_told(far, link, reply, now);
            break;
        case WIRE_CLOSED:
            take_closed(far, link, reply, now);
            break;
        case WIRE_MOVED:
            take_moved(far, link, now);
            break;
        }
    }
}

/* ---- views ---- */

/* Asks for the whole state, not too often. */
void far_room_want_state(struct far_end *far, struct far_room *room, uint64_t now)
{
    if (room->links.first != NULL && now >= room->state_asked_at + FAR_RETRY) {
        room->state_asked_at = now;
        far_room_add(far, room, &(struct wire_item){.type = WIRE_WANT_STATE}, now);
    }
}

static void take_state(struct far_end *far, struct far_room *room,
                       const struct wire_message *message, uint64_t now)
{
    switch (far_view_take_state(&room->view, &message->head, &message->state)) {
    case FAR_VIEW_GAP:
        cluster_count(&far->post->counts->gaps, 1);
        far_room_want_state(far, room, now);
        break;
    case FAR_VIEW_NO_MEMORY:
        far_room_want_state(far, room, now);
        break;
    case FAR_VIEW_TAKEN:
        far_room_note(far, room);
        room->state_asked_at = message->state.whole ? 0 : room->state_asked_at;
        break;
    case FAR_VIEW_OLD:
        break;
    }
}

static void take_snapshot(struct far_end *far, struct far_room *room,
                          const struct wire_snapshot *snapshot)
{
    if (far_view_take_snapshot(&room->view, snapshot) != FAR_VIEW_TAKEN) {
        return;
    }
    far_room_note(far, room);
    if (snapshot->key) {
        far_room_has_key(room, snapshot->stream);
    }
}

static void take_clock(struct far_end *far, struct far_room *room,
                       const struct wire_message *message, uint64_t now)
{
    struct far_node *node = node_of(far, &message->head, now);

    far_clock_measure(&node->clock, message->clock.probe, message->head.time, now);
    if (room->view.whole && message->clock.state > room->view.number) {
        cluster_count(&far->post->counts->gaps, 1);
        room->view.whole = false;
        far_room_want_state(far, room, now);
    }
}

/* ---- reach ---- */

/* Sends the message to a session that was welcomed, unless its outbox is full. */
static void tell_reach(struct far_end *far, const struct far_link *link,
                       const struct proto_reach *reach)
{
    struct hub_reply reply = {.type = HUB_TOLD, .presenter = link->presenter};

    reply.frame = frame_create(REACH_MAX);
    if (reply.frame != NULL) {
        reply.frame = frame_end(
            reply.frame, proto_encode_reach(frame_data(reply.frame), reply.frame->capacity, reach));
    }
    if (reply.frame != NULL && seat_tell(link->seat, &reply)) {
        far_touch(far, link->seat->shard);
    }
}

void far_room_tell_reach(struct far_end *far, struct far_room *room, bool there)
{
    const struct proto_reach reach = {.there = there};

    room->unreachable = !there;
    for (struct list_item *item = room->links.first; item != NULL; item = item->next) {
        const struct far_link *link = list_entry(item, struct far_link, item);
        if (link->joining == NULL || link->joining->again) {
            tell_reach(far, link, &reach);
        }
    }
}

/* ---- all messages ---- */

/* Whether the message came on this node's own subject, whose messages have numbers of their own. */
static bool is_to_node(const struct wire_message *message)
{
    switch (message->head.kind) {
    case WIRE_REPLIES:
    case WIRE_CLOCK:
    case WIRE_AGAIN:
        return true;
    case WIRE_STATE:
        return message->state.whole;
    default:
        return false;
    }
}

static void take_for_room(struct far_end *far, struct far_room *room,
                          const struct wire_message *message, uint64_t now)
{
    switch (message->head.kind) {
    case WIRE_SNAPSHOT:
        take_snapshot(far, room, &message->snapshot);
        break;
    case WIRE_STATE:
        take_state(far, room, message, now);
        break;
    case WIRE_REPLIES:
        take_replies(far, room, message, now);
        break;
    case WIRE_CLOCK:
        take_clock(far, room, message, now);
        break;
    case WIRE_AGAIN:
        far_room_again(far, room, now);
        break;
    default:
        break;
    }
}

/* Sends the hellos that no owner has answered. The first owner that is heard gets all of them. */
static void send_hellos(struct far_end *far, struct far_room *room, uint64_t now)
{
    const bool is_first = room->epoch == 0 && room->links.first != NULL;

    if (is_first) {
        far_room_reset(far, room, now);
    }
    for (struct list_item *item = room->links.first; item != NULL; item = item->next) {
        struct far_link *link = list_entry(item, struct far_link, item);
        if (link->joining != NULL) {
            if (is_first) {
                far_link_renumber(far, link); /* replies on the way to it are void */
            }
            far_link_join(far, link, now);
        }
    }
}

void far_end_take(struct far_end *far, const struct wire_message *message, uint64_t now)
{
    struct far_room *room = far_room_find(far, message->code);
    const struct wire_head *head = &message->head;

    if ((is_to_node(message) && !check_number(far, head, now)) || room == NULL) {
        return;
    }
    if (head->epoch < room->epoch) {
        cluster_count(&far->post->counts->epochs_dropped, 1);
        return;
    }
    if (head->epoch > room->epoch && room->epoch != 0) {
        take_epoch(far, room, head->epoch, now);
    } else if (head->kind == WIRE_TAKEN) {
        room->probed_at = 0;
        send_hellos(far, room, now);
    }
    room->epoch = head->epoch;
    room->owner = head->incarnation;
    room->heard_at = now;
    if (room->unreachable) {
        far_room_tell_reach(far, room, true);
    }
    take_for_room(far, room, message, now);
}

void far_end_moved(struct far_end *far, const char *code, uint64_t epoch, bool here, uint64_t now)
{
    struct far_room *room = far_room_find(far, code);
    struct list_item *next = room != NULL ? room->links.first : NULL;

    if (room != NULL && !here && epoch > room->epoch && room->epoch != 0) {
        take_epoch(far, room, epoch, now);
    }
    while (here && next != NULL) {
        struct far_link *link = list_entry(next, struct far_link, item);
        next = next->next;
        far_link_move(far, link, now);
    }
}

void far_end_ended(struct far_end *far, const char *code, uint64_t now)
{
    struct far_room *room = far_room_find(far, code);

    if (room != NULL && room->ended_at == 0) {
        room->ended_at = now;
    }
}

/* A room with members ends only because its presenter ends it. */
void far_room_end(struct far_end *far, struct far_room *room, uint64_t now)
{
    while (room->links.first != NULL) {
        struct far_link *link = list_entry(room->links.first, struct far_link, item);
        const struct room_end end =
            link->joining != NULL ? room_gone() : (struct room_end){.why = END_BY_PRESENTER};
        far_link_close(far, link, &end, now);
    }
    room->ended_at = 0;
}

void far_end_reconnected(struct far_end *far, uint64_t now)
{
    for (struct list_item *item = far->rooms.first; item != NULL; item = item->next) {
        far_room_probe(far, list_entry(item, struct far_room, item), now);
    }
}
