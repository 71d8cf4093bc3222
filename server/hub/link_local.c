#include "hub/link_local.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/list.h"
#include "hub/event.h"
#include "hub/inside.h"
#include "room/stream.h"

#define WAIT_TIME  10000u           /* ms that a link waits for a room that has moved */
#define RETRY_TIME UINT64_C(100000) /* µs until a join that found a mailbox full is tried again */

/* Parts of a mailbox, one of which stays free. */
#define SPARE            8u
#define SPARE_BY_CURSORS 4u

struct local_links {
    struct links links; /* must be first */
    struct hub *hub;
    struct outbox *outbox;
    uint32_t shard;
    struct local_link **slots; /* by slot of the session's id; NULL: none */
    size_t slot_count;
    struct list waiting; /* links that have left a room which moved */
    bool passes_moves;   /* the user of these links handles HUB_MOVED */
    uint64_t openings;   /* directory_openings() when the waiting links last looked, … */
    uint64_t retry_at;   /* … and µs: when they look again at the latest */
};

struct local_link {
    struct link link; /* must be first */
    union {
        struct mailbox *to;     /* joined: the runner's, or that of far rooms; a slot is reserved
                                 * for EVENT_LEAVE */
        struct list_item waits; /* else in links->waiting, or before that in no list */
    };
    uint64_t session;
    uint8_t token[PROTO_TOKEN_SIZE]; /* of the welcome */
    struct stream_want want;         /* the latest */
    uint32_t wait_until;             /* ms on the server's clock, which wrap */
    bool joined : 1;                 /* a runner, or the far end, has or will have its seat */
    bool far : 1;                    /* the far end */
    bool welcomed : 1;
    bool presenters_only : 1;
    uint8_t encoding : 4; /* enum stream_encoding */
    uint8_t code_length;  /* of the code in `texts` */
    uint16_t topics;      /* the latest: bits */
    char texts[];         /* the room's code and the client's address */
};

static_assert(sizeof(struct local_link) <= 64, "memory of a client: docs/FIGURES.md");

/* Returns the bits of topics that this server has. */
static uint16_t topics_of(uint32_t bits)
{
    static_assert(VIEW_TOPICS <= 16, "fits link->topics");
    return (uint16_t)(bits & ((1u << VIEW_TOPICS) - 1));
}

static struct local_links *links_of(struct links *links)
{
    return (struct local_links *)(void *)links;
}

static struct local_link *local_of(struct link *link)
{
    return (struct local_link *)(void *)link;
}

static const char *code_of(const struct local_link *link)
{
    return link->texts;
}

static const char *client_address(const struct local_link *link)
{
    return link->texts + link->code_length + 1;
}

/* ---- of a shard ---- */

static bool find_room(struct links *links, const char *code, struct link_room *room)
{
    char canonical[PROTO_ROOM_MAX + 1];
    struct directory_entry entry;

    proto_room_canonical(code, canonical);
    if (!directory_find(links_of(links)->hub->directory, canonical, &entry)) {
        return hub_find_far(links_of(links)->hub, canonical, room);
    }
    room->trusted = entry.trusted;
    room->key_made = entry.key_made;
    room->by_server = entry.by_server;
    room->creator = entry.creator != 0 ? entry.creator : entry.number;
    memcpy(room->key, entry.key, sizeof room->key);
    return true;
}

static struct room_view *take_view(struct links *links, bool by_server)
{
    return outbox_take_view(links_of(links)->outbox, by_server);
}

static bool view_waits(const struct links *links, bool by_server)
{
    return outbox_view_waits(((const struct local_links *)(const void *)links)->outbox, by_server);
}

/* ---- joining ---- */

static struct event event_of(const struct local_link *link, enum event_type type)
{
    return (struct event){
        .type = type, .shard = links_of(link->link.links)->shard, .session = link->session};
}

/* Sends the hello with a new seat to the runner. */
static bool push_join(const struct local_link *link, struct mailbox *to,
                      const struct directory_entry *room, const struct proto_hello *hello,
                      struct tries_pass pass)
{
    const struct local_links *links = links_of(link->link.links);
    const char *address = client_address(link);
    struct event event = event_of(link, EVENT_JOIN);
    struct joining *joining = malloc(sizeof *joining);
    struct seat *seat = seat_create(outbox_replies(links->outbox, room->by_server), links->shard,
                                    link->session, address);

    if (joining != NULL && seat != NULL) {
        *joining = (struct joining){.seat = seat,
                                    .origin = tries_origin(links->hub->tries, address),
                                    .presenters_only = link->presenters_only,
                                    .again = link->welcomed,
                                    .by_server = room->by_server,
                                    .pass = pass,
                                    .hello = *hello};
        seat->room = room->number;
        event.joining = joining;
        if (mailbox_push(to, &event, true)) {
            return true;
        }
    }
    seat_destroy(seat);
    free(joining);
    return false;
}

/* Finds where the room of that code takes events. If there is no such room, a runner says so. */
static struct mailbox *find_mailbox(const struct hub *hub, const char *code,
                                    struct directory_entry *entry)
{
    struct link_room room;

    *entry = (struct directory_entry){0};
    if (!directory_find(hub->directory, code, entry) && hub_find_far(hub, code, &room)) {
        entry->by_server = room.by_server;
        return hub->far.events;
    }
    return runner_mailbox(hub->runners[entry->runner]);
}

/* Joins the room of the link's code. Returns the mailbox that got the event, for set_joined().
 * Returns NULL, and does nothing, when memory runs out or a mailbox is full. */
static struct mailbox *join_now(const struct local_link *link, const struct proto_hello *hello,
                                struct tries_pass pass)
{
    struct directory_entry entry;
    struct mailbox *to = find_mailbox(links_of(link->link.links)->hub, code_of(link), &entry);

    assert(!link->joined);
    if (!mailbox_reserve(to, 1)) {
        return NULL;
    }
    if (!push_join(link, to, &entry, hello, pass)) {
        mailbox_unreserve(to, 1);
        return NULL;
    }
    return to;
}

/* Notes that the link is in no list, and a runner has its EVENT_JOIN. */
static void set_joined(struct local_link *link, struct mailbox *to)
{
    link->joined = true;
    link->to = to;
    link->far = to == links_of(link->link.links)->hub->far.events;
}

/* Makes the link of a request, which has joined nothing yet. Returns NULL when memory runs out. */
static struct local_link *make_link(struct local_links *links, const struct link_request *request)
{
    size_t slot = (uint32_t)request->session - 1;
    char code[PROTO_ROOM_MAX + 1];
    size_t capacity = links->slot_count;
    struct local_link **slots =
        grow_array(links->slots, &capacity, slot + 1, UINT32_MAX, sizeof *slots);
    struct local_link *link;
    size_t text_size;
    enum stream_encoding encoding = STREAM_PLAIN;

    if (slots == NULL) {
        return NULL;
    }
    memset(slots + links->slot_count, 0, (capacity - links->slot_count) * sizeof *slots);
    links->slots = slots;
    links->slot_count = capacity;
    proto_room_canonical(request->hello->room, code);
    text_size = strlen(code) + 1 + strlen(request->address) + 1;
    link = calloc(1, sizeof *link + text_size);
    if (link == NULL) {
        return NULL;
    }
    (void)stream_encoding(request->hello, &encoding); /* else the room refuses the hello */
    link->link.links = &links->links;
    link->session = request->session;
    link->presenters_only = request->presenters_only;
    link->encoding = (uint8_t)encoding & 15u;
    link->want = (struct stream_want){.rate = request->hello->rate, .boids = request->hello->boids};
    link->topics = topics_of(request->hello->topics);
    static_assert(PROTO_ROOM_MAX <= UINT8_MAX, "fits code_length");
    link->code_length = (uint8_t)strlen(code);
    snprintf(link->texts, text_size, "%s%c%s", code, '\0', request->address);
    return link;
}

static struct link *join_room(struct links *shard, const struct link_request *request)
{
    struct local_links *links = links_of(shard);
    struct local_link *link = make_link(links, request);
    struct mailbox *to;

    to = link != NULL ? join_now(link, request->hello, request->pass) : NULL;
    if (to == NULL) {
        free(link);
        return NULL;
    }
    set_joined(link, to);
    assert(links->slots[(uint32_t)link->session - 1] == NULL);
    links->slots[(uint32_t)link->session - 1] = link;
    return &link->link;
}

static void leave_runner(struct local_link *link, enum end_reason why)
{
    struct event event = event_of(link, EVENT_LEAVE);

    assert(link->joined);
    event.why = why;
    mailbox_push_reserved(link->to, &event, true);
    link->joined = false;
    link->waits = (struct list_item){0};
}

/* ---- rooms that move ---- */

static struct local_link *find_link(const struct local_links *links, uint64_t session)
{
    size_t slot = (uint32_t)session - 1;
    struct local_link *link = slot < links->slot_count ? links->slots[slot] : NULL;

    return link != NULL && link->session == session ? link : NULL;
}

/* As join_now(), as the same person as before. */
static struct mailbox *join_again(const struct local_link *link)
{
    struct proto_hello hello = {.version = PROTO_VERSION,
                                .encoding_count = 1,
                                .rate = link->want.rate,
                                .boids = link->want.boids,
                                .topics = link->topics,
                                .has_token = link->welcomed};

    snprintf(hello.room, sizeof hello.room, "%s", code_of(link));
    snprintf(hello.encodings[0], sizeof hello.encodings[0], "%s",
             stream_encoding_name((enum stream_encoding)link->encoding));
    memcpy(hello.token, link->token, sizeof hello.token);
    return join_now(link, &hello, (struct tries_pass){.kind = TRIES_NOW});
}

/* Closes a session whose room is not anywhere. */
static void close_link(struct local_link *link, struct hub_reply *reply)
{
    const struct room_end gone = room_gone();

    *reply = (struct hub_reply){.type = HUB_CLOSED, .session = link->session};
    reply->why = link->welcomed ? END_AWAY : gone.why;
    reply->frame = link->welcomed ? NULL : gone.frame;
    if (link->welcomed) {
        frame_release(gone.frame);
    }
}

/* Lets the waiting links look for their rooms. Returns true with a reply to a session that has
 * waited for too long. */
static bool serve_waiting(struct local_links *links, struct hub_reply *reply)
{
    uint64_t openings = directory_openings(links->hub->directory);
    uint64_t now = links_now(&links->links);
    struct list_item *next = links->waiting.first;

    if (next == NULL || (openings == links->openings && now < links->retry_at)) {
        return false;
    }
    while (next != NULL) {
        struct local_link *link = list_entry(next, struct local_link, waits);
        struct directory_entry entry;
        struct link_room room;
        next = next->next;
        if (directory_find(links->hub->directory, code_of(link), &entry) ||
            hub_find_far(links->hub, code_of(link), &room)) {
            struct mailbox *to = join_again(link);
            if (to != NULL) {
                list_remove(&links->waiting, &link->waits);
                set_joined(link, to);
            }
        } else if ((int32_t)((uint32_t)(now / 1000) - link->wait_until) >= 0) {
            list_remove(&links->waiting, &link->waits);
            close_link(link, reply);
            return true;
        }
    }
    links->openings = openings;
    links->retry_at = now + RETRY_TIME;
    return false;
}

/* Handles a reply for the link itself. Returns false if it is for the session. */
static bool take_for_link(struct local_links *links, const struct hub_reply *reply)
{
    struct local_link *link = find_link(links, reply->session);

    switch (reply->type) {
    case HUB_TOLD:
        if (link != NULL && reply->granted && reply->grant.stream.joined) {
            link->welcomed = true;
            memcpy(link->token, reply->grant.stream.token, sizeof link->token);
        }
        return false;
    case HUB_MOVED:
        if (links->passes_moves) {
            return false;
        }
        if (link != NULL) {
            leave_runner(link, END_NONE);
        }
        return true;
    case HUB_LEFT:
        if (link != NULL) {
            link->wait_until =
                (uint32_t)(links_now(&links->links) / 1000) + (link->welcomed ? WAIT_TIME : 0);
            list_append(&links->waiting, &link->waits);
            links->retry_at = 0;
        }
        return true;
    case HUB_CLOSED:
    case HUB_ANSWER:
        break;
    }
    return false;
}

static bool take_reply(struct links *shard, bool by_server, struct hub_reply *reply)
{
    struct local_links *links = links_of(shard);

    while (outbox_take_reply(links->outbox, by_server, reply)) {
        if (!take_for_link(links, reply)) {
            return true;
        }
    }
    return serve_waiting(links, reply);
}

/* ---- of a session ---- */

/* Queues the event, unless the link has no room now. Joins and requests have the rest of the
 * mailbox, and a crowd's cursors leave more of it to messages. A message with an answer does
 * not wait for the next tick: else a crowd's answers come in one burst, long after the shard has
 * read more. */
static bool push_event(const struct local_link *link, const struct event *event)
{
    const size_t parts = event->type == EVENT_CURSOR ? SPARE_BY_CURSORS : SPARE;
    const bool answered = event->type == EVENT_MESSAGE || event->type == EVENT_ANSWER;

    return link->joined && mailbox_push_spare(link->to, event, parts, link->far || answered);
}

static bool send_message(struct link *base, const struct proto_client_message *message)
{
    struct local_link *link = local_of(base);
    struct event event = event_of(link, EVENT_MESSAGE);

    if (message->type == PROTO_CURSOR) {
        event.type = EVENT_CURSOR;
        event.cursor = message->cursor;
        return push_event(link, &event);
    }
    event.message = malloc(sizeof *event.message);
    if (event.message == NULL) {
        return false;
    }
    *event.message = *message;
    if (!push_event(link, &event)) {
        free(event.message);
        return false;
    }
    if (message->type == PROTO_WANT) {
        link->want.rate = message->want.rate;
        link->want.boids = message->want.boids;
        link->topics = message->want.has_topics ? topics_of(message->want.topics) : link->topics;
    }
    return true;
}

static bool send_answer(struct link *base, struct frame *answer)
{
    struct event event = event_of(local_of(base), EVENT_ANSWER);

    event.answer = answer;
    return push_event(local_of(base), &event);
}

static bool send_ease(struct link *base, const struct room_ease *ease)
{
    struct event event = event_of(local_of(base), EVENT_EASE);

    event.ease = *ease;
    return push_event(local_of(base), &event);
}

static bool send_want_key(struct link *base, uint32_t stream)
{
    struct event event = event_of(local_of(base), EVENT_WANT_KEY);

    event.stream = stream;
    return push_event(local_of(base), &event);
}

static void leave(struct link *base, enum end_reason why)
{
    struct local_link *link = local_of(base);
    struct local_links *links = links_of(base->links);

    assert(find_link(links, link->session) == link);
    if (link->joined) {
        leave_runner(link, why);
    } else if (list_has(&links->waiting, &link->waits)) {
        list_remove(&links->waiting, &link->waits);
    }
    links->slots[(uint32_t)link->session - 1] = NULL;
    free(link);
}

static const struct link_calls local_calls = {
    .find = find_room,
    .join = join_room,
    .take_reply = take_reply,
    .take_view = take_view,
    .view_waits = view_waits,
    .send = send_message,
    .answer = send_answer,
    .ease = send_ease,
    .want_key = send_want_key,
    .leave = leave,
};

/* ---- life ---- */

struct links *link_local_create(struct hub *hub, uint32_t shard)
{
    struct local_links *links = malloc(sizeof *links);

    if (links == NULL) {
        return NULL;
    }
    *links = (struct local_links){.links = {.calls = &local_calls, .clock_start = hub->clock_start},
                                  .hub = hub,
                                  .outbox = &hub->outboxes[shard],
                                  .shard = shard,
                                  .passes_moves = shard >= hub->definition.shards};
    return &links->links;
}

void link_local_destroy(struct links *links)
{
    if (links != NULL) {
        assert(links_of(links)->waiting.first == NULL);
        free(links_of(links)->slots);
        free(links_of(links));
    }
}
