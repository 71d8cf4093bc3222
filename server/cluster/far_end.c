#include "cluster/far_end.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/far_parts.h"
#include "hub/mailbox.h"

#define EVENTS_AT_ONCE 64u
#define EVENTS_TAKEN   16384u           /* in a turn */
#define LOOK_TIME      UINT64_C(50000)  /* µs between two looks at timers */
#define LAST_WORDS     UINT64_C(500000) /* µs in which the owner itself closes an ended room */
#define PROBES         6u /* of a room, in the time after which its sessions would leave it */

/* ---- events ---- */

/* Whether this node has got the room since the session's link looked for it: far_end_moved() came
 * before the link. */
static bool has_come(const struct far_end *far, const char *code)
{
    struct directory_entry entry;

    return directory_find(hub_directory(far->hub), code, &entry);
}

static void on_join(struct far_end *far, struct joining *joining, uint64_t now)
{
    char code[PROTO_ROOM_MAX + 1];
    struct seat *seat = joining->seat;
    struct far_link *link;
    struct far_room *room;

    link = far_link_make(far, joining, now);
    if (link == NULL) {
        seat_close(seat, &(struct room_end){.why = END_NO_MEMORY});
        far_touch(far, seat->shard);
        seat_destroy(seat);
        free(joining);
        return;
    }
    if (link->seat->shard == far->shards) {
        /* A session of another node, whose room has just left this one: its node looks again. */
        seat_move(link->seat);
        far_touch(far, link->seat->shard);
        return;
    }
    proto_room_canonical(joining->hello.room, code);
    if (has_come(far, code)) {
        seat_move(link->seat);
        far_touch(far, link->seat->shard);
        return;
    }
    room = wire_code_is_valid(code) ? far_room_find(far, code) : NULL;
    if (room == NULL && wire_code_is_valid(code)) {
        room = far_room_make(far, code, now);
    }
    if (room == NULL) {
        far_link_close(far, link, &(struct room_end){.why = END_BUSY}, now);
        return;
    }
    far_link_enter(link, room, now);
    if (room->link_count == 1) {
        far_room_reset(far, room, now);
    }
    far_link_join(far, link, now);
}

static void on_cursor(struct far_end *far, struct far_link *link, const struct proto_cursor *cursor,
                      uint64_t now)
{
    struct far_room *room = link->room;

    link->cursor = *cursor;
    if (!list_has(&room->cursors, &link->waits)) {
        list_append(&room->cursors, &link->waits);
        far_room_note(far, room);
        room->cursors_at = room->cursors_at != 0 ? room->cursors_at : now + FAR_CURSORS;
    }
}

static void on_message(struct far_end *far, const struct far_link *link,
                       const struct proto_client_message *message, uint64_t now)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    const struct wire_item item = {
        .type = WIRE_SEND,
        .link = link->number,
        .bytes = {bytes, proto_encode_client(bytes, sizeof bytes, message)}};

    far_room_add(far, link->room, &item, now);
}

static void on_answer(struct far_end *far, const struct far_link *link, struct frame *answer,
                      uint64_t now)
{
    const struct wire_item item = {
        .type = WIRE_ANSWER, .link = link->number, .bytes = {frame_data(answer), answer->size}};

    far_room_add(far, link->room, &item, now);
}

static void on_ease(struct far_end *far, const struct far_link *link, const struct room_ease *ease,
                    uint64_t now)
{
    const struct wire_item item = {.type = WIRE_EASE, .link = link->number, .ease = *ease};

    far_room_add(far, link->room, &item, now);
}

/* Handles what a session does while its room moves: each message has one answer. */
static void on_moved(struct far_end *far, struct far_link *link, const struct event *event)
{
    struct hub_reply reply = {.type = HUB_TOLD};

    if (link->seat->closed) {
        return;
    }
    if (event->type == EVENT_MESSAGE && proto_answered(event->message->type)) {
        seat_refuse(link->seat, event->message);
    } else if (event->type == EVENT_ANSWER) {
        reply.frame = frame_hold(event->answer);
        (void)seat_tell(link->seat, &reply);
    }
    far_touch(far, link->seat->shard);
}

static void on_leave(struct far_end *far, struct far_link *link, enum end_reason why, uint64_t now)
{
    if (link->room != NULL) {
        const struct wire_item item = {.type = WIRE_LEAVE, .link = link->number, .why = why};
        far_room_add(far, link->room, &item, now);
    }
    seat_left(link->seat);
    far_touch(far, link->seat->shard);
    far_link_free(far, link, now);
}

/* Handles what the session of a link does in its room. */
static void on_action(struct far_end *far, struct far_link *link, const struct event *event,
                      uint64_t now)
{
    switch (event->type) {
    case EVENT_CURSOR:
        on_cursor(far, link, &event->cursor, now);
        break;
    case EVENT_MESSAGE:
        on_message(far, link, event->message, now);
        break;
    case EVENT_ANSWER:
        on_answer(far, link, event->answer, now);
        break;
    case EVENT_EASE:
        on_ease(far, link, &event->ease, now);
        break;
    case EVENT_WANT_KEY:
        far_room_want_key(far, link->room, event->stream, now);
        break;
    default:
        assert(false);
    }
}

static void take_event(struct far_end *far, const struct event *event, uint64_t now)
{
    struct far_link *link;

    if (event->type == EVENT_JOIN) {
        on_join(far, event->joining, now);
        return;
    }
    link = far_link_of(far, event->shard, event->session);
    if (link != NULL && event->type == EVENT_LEAVE) {
        on_leave(far, link, event->why, now);
    } else if (link != NULL && link->room != NULL) {
        on_action(far, link, event, now);
    } else if (link != NULL) {
        on_moved(far, link, event);
    }
    event_free(event);
}

static void take_events(struct far_end *far, uint64_t now)
{
    struct event events[EVENTS_AT_ONCE];
    size_t taken = 0;
    size_t count;

    do {
        count = mailbox_take(far->rooms_of->events, events, EVENTS_AT_ONCE);
        for (size_t i = 0; i < count; i++) {
            take_event(far, &events[i], now);
        }
        taken += count;
    } while (count == EVENTS_AT_ONCE && taken < EVENTS_TAKEN);
}

/* ---- timers ---- */

/* Sends an unanswered hello again. Closes its session after FAR_PATIENCE; the time without a broker
 * does not count. */
static void look_at_hello(struct far_end *far, struct far_link *link, uint64_t passed, uint64_t now)
{
    if (!broker_connected(far->post->broker, BROKER_DATA)) {
        link->began_at += passed;
    } else if (now >= link->began_at + FAR_PATIENCE) {
        far_link_close(far, link, &(struct room_end){.why = END_AWAY}, now);
    } else if (now >= link->sent_at + FAR_RETRY) {
        far_link_join(far, link, now);
    }
}

static void look_at_links(struct far_end *far, const struct far_room *room, uint64_t passed,
                          uint64_t now)
{
    struct list_item *next = room->links.first;

    while (next != NULL) {
        struct far_link *link = list_entry(next, struct far_link, item);
        next = next->next;
        if (link->joining != NULL) {
            look_at_hello(far, link, passed, now);
        }
    }
}

/* Whether the room's owner has said by now that it is a room of the server. */
static bool is_by_server(const struct far_end *far, const struct far_room *room)
{
    struct link_room facts = {0};

    return far->rooms_of->find(far->rooms_of->argument, room->coded.code, &facts) &&
           facts.by_server;
}

/* Whether a session's replies have another lane than the views of its room. */
static bool has_other_lane(const struct far_room *room)
{
    for (struct list_item *item = room->links.first; item != NULL; item = item->next) {
        const struct far_link *link = list_entry(item, struct far_link, item);
        if (link->joining == NULL && link->by_server != room->by_server) {
            return true;
        }
    }
    return false;
}

/* Sessions in the other lane join again: otherwise a view could overtake an earlier reply. A room
 * of the server always stays one. */
static void learn_lane(struct far_end *far, struct far_room *room, uint64_t now)
{
    if (is_by_server(far, room)) {
        room->by_server = true;
        if (has_other_lane(room)) {
            far_room_again(far, room, now);
        }
    }
}

static void look_at_room(struct far_end *far, struct far_room *room, uint64_t passed, uint64_t now)
{
    if (room->ended_at != 0 && now >= room->ended_at + LAST_WORDS) {
        far_room_end(far, room, now);
    }
    look_at_links(far, room, passed, now);
    far_room_end_streams(far, room, now);
    if (room->links.first == NULL) {
        if (now >= room->left_at + FAR_LINGER) {
            far_room_send(far, room, now);
            far_room_drop(far, room);
        }
        return;
    }
    if (now >= room->probed_at + far->post->silent / PROBES) {
        far_room_send(far, room, now);
        far_room_probe(far, room, now);
        learn_lane(far, room, now);
    }
    if (!room->view.whole && room->view.draft != NULL) {
        far_room_want_state(far, room, now);
    }
    if (!room->unreachable && now >= room->heard_at + far->post->silent / 2) {
        far_room_tell_reach(far, room, false);
    }
}

static void look_at_rooms(struct far_end *far, uint64_t now)
{
    const uint64_t passed = now - far->looked_at;
    struct list_item *next = far->rooms.first;

    if (passed < LOOK_TIME) {
        return;
    }
    far->looked_at = now;
    while (next != NULL) {
        struct far_room *room = list_entry(next, struct far_room, item);
        next = next->next;
        look_at_room(far, room, passed, now);
    }
}

void far_end_skip(struct far_end *far, uint64_t time)
{
    for (struct list_item *item = far->rooms.first; item != NULL; item = item->next) {
        list_entry(item, struct far_room, item)->heard_at += time;
    }
}

/* ---- the turn ---- */

static void publish_view(struct far_end *far, struct far_room *room)
{
    struct room_view *view = far_view_make(&room->view, room->number, far_room_ahead(far, room));

    for (uint32_t shard = 0; view != NULL && shard < far->shards; shard++) {
        if (room->shard_links[shard] > 0) {
            hub_put_view(far->hub, shard, room->by_server, view_hold(view));
            far_touch(far, shard);
        }
    }
    view_release(view);
}

/* Sends what is queued, publishes changed views and returns when the next cursors are due. */
static uint64_t finish_rooms(struct far_end *far, uint64_t now)
{
    uint64_t due = now + LOOK_TIME;
    struct list_item *next = far->noted.first;

    while (next != NULL) {
        struct far_room *room = list_entry(next, struct far_room, noted);
        next = next->next;
        if (room->cursors_at != 0 && now >= room->cursors_at) {
            far_room_add_cursors(far, room, now);
        }
        far_room_send(far, room, now);
        if (room->probed_at == 0) {
            far_room_probe(far, room, now); /* the clock must be known before the welcome */
        }
        if (room->view.changed && far_view_is_complete(&room->view)) {
            publish_view(far, room);
        }
        if (room->cursors_at == 0) {
            list_remove(&far->noted, &room->noted);
        } else {
            due = room->cursors_at < due ? room->cursors_at : due;
        }
    }
    return due;
}

static void wake_shards(struct far_end *far)
{
    for (uint32_t shard = 0; shard <= far->shards; shard++) {
        if (far->touched[shard]) {
            far->touched[shard] = false;
            hub_wake(far->hub, shard);
        }
    }
}

uint64_t far_end_turn(struct far_end *far, uint64_t now)
{
    uint64_t next;

    take_events(far, now);
    look_at_rooms(far, now);
    next = finish_rooms(far, now);
    wake_shards(far);
    return next;
}

/* ---- life ---- */

struct far_end *far_end_create(struct post *post, const struct hub_far *rooms, far_end_want *want,
                               void *argument)
{
    struct far_end *far = calloc(1, sizeof *far);

    if (far == NULL) {
        return NULL;
    }
    far->post = post;
    far->rooms_of = rooms;
    far->want = want;
    far->argument = argument;
    far->free_slots = calloc(rooms->rooms, sizeof *far->free_slots);
    if (far->free_slots == NULL) {
        free(far);
        return NULL;
    }
    for (uint32_t slot = rooms->rooms; slot-- > 0;) {
        far->free_slots[far->free_count++] = slot;
    }
    return far;
}

bool far_end_start(struct far_end *far, struct hub *hub, uint32_t shards)
{
    char subject[BROKER_SUBJECT_MAX];

    post_edge_subject(subject, far->post->node, far->post->incarnation);
    far->hub = hub;
    far->shards = shards;
    far->touched = calloc(shards + 1, sizeof *far->touched);
    far->inbox = post_subscribe(far->post, subject);
    return far->touched != NULL && far->inbox != NULL;
}

static void destroy_links(struct far_end *far)
{
    for (size_t i = 0; i < far->link_capacity; i++) {
        if (far->links[i] != NULL) {
            far_link_free(far, far->links[i], 0);
        }
    }
}

void far_end_leave(struct far_end *far)
{
    struct event event;

    while (mailbox_take(far->rooms_of->events, &event, 1) > 0) {
        event_free(&event);
    }
    destroy_links(far);
    while (far->rooms.first != NULL) {
        far_room_drop(far, list_entry(far->rooms.first, struct far_room, item));
    }
    post_unsubscribe(far->post, far->inbox);
    far->inbox = NULL;
}

void far_end_destroy(struct far_end *far)
{
    if (far == NULL) {
        return;
    }
    assert(far->rooms.first == NULL && far->inbox == NULL);
    free(far->links);
    free(far->free_slots);
    free(far->touched);
    free(far);
}
