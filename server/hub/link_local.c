#include "hub/link_local.h"

#include <stdlib.h>

#include "hub/event.h"
#include "hub/inside.h"

struct local_links {
    struct links links; /* must be first */
    struct hub *hub;
    struct outbox *outbox;
    uint32_t shard;
};

struct local_link {
    struct link link;   /* must be first */
    struct mailbox *to; /* of the room's runner: a slot is reserved for EVENT_LEAVE */
    uint64_t session;
    uint32_t shard;
};

static struct local_links *links_of(struct links *links)
{
    return (struct local_links *)(void *)links;
}

static struct local_link *local_of(struct link *link)
{
    return (struct local_link *)(void *)link;
}

/* ---- of a shard ---- */

static bool find_room(struct links *links, const char *code, struct link_room *room)
{
    char canonical[PROTO_ROOM_MAX + 1];
    struct directory_entry entry;

    proto_room_canonical(code, canonical);
    if (!directory_find(links_of(links)->hub->directory, canonical, &entry)) {
        return false;
    }
    room->trusted = entry.trusted;
    return true;
}

static bool take_reply(struct links *links, struct hub_reply *reply)
{
    return outbox_take_reply(links_of(links)->outbox, reply);
}

static struct room_view *take_view(struct links *links)
{
    return outbox_take_view(links_of(links)->outbox);
}

/* ---- of a session ---- */

static struct event event_of(const struct local_link *link, enum event_type type)
{
    return (struct event){.type = type, .shard = link->shard, .session = link->session};
}

/* Sends the hello with a new seat to the runner. */
static bool push_join(struct local_links *links, const struct local_link *link, uint64_t room,
                      const struct link_request *request)
{
    struct event event = event_of(link, EVENT_JOIN);
    struct joining *joining = malloc(sizeof *joining);
    struct seat *seat =
        seat_create(links->outbox, links->shard, request->session, request->address);

    if (joining != NULL && seat != NULL) {
        *joining = (struct joining){.seat = seat, .hello = *request->hello};
        seat->room = room;
        seat->origin = tries_origin(links->hub->tries, request->address);
        seat->presenters_only = request->presenters_only;
        event.joining = joining;
        if (mailbox_push(link->to, &event, true)) {
            return true;
        }
    }
    seat_destroy(seat);
    free(joining);
    return false;
}

static const struct link_calls local_calls;

static struct link *join_room(struct links *shard, const struct link_request *request)
{
    struct local_links *links = links_of(shard);
    struct local_link *link = malloc(sizeof *link);
    char code[PROTO_ROOM_MAX + 1];
    struct directory_entry entry = {0}; /* of no room: the runner says so */

    if (link == NULL) {
        return NULL;
    }
    proto_room_canonical(request->hello->room, code);
    (void)directory_find(links->hub->directory, code, &entry);
    *link = (struct local_link){.link.calls = &local_calls,
                                .to = runner_mailbox(links->hub->runners[entry.runner]),
                                .session = request->session,
                                .shard = links->shard};
    if (!mailbox_reserve(link->to, 1)) {
        free(link);
        return NULL;
    }
    if (!push_join(links, link, entry.number, request)) {
        mailbox_unreserve(link->to, 1);
        free(link);
        return NULL;
    }
    return &link->link;
}

static bool send_message(struct link *base, const struct proto_client_message *message)
{
    const struct local_link *link = local_of(base);
    struct event event = event_of(link, EVENT_MESSAGE);

    if (message->type == PROTO_CURSOR) {
        event.type = EVENT_CURSOR;
        event.cursor = message->cursor;
        return mailbox_push(link->to, &event, false);
    }
    event.message = malloc(sizeof *event.message);
    if (event.message == NULL) {
        return false;
    }
    *event.message = *message;
    if (!mailbox_push(link->to, &event, false)) {
        free(event.message);
        return false;
    }
    return true;
}

static bool send_answer(struct link *base, struct frame *answer)
{
    struct event event = event_of(local_of(base), EVENT_ANSWER);

    event.answer = answer;
    return mailbox_push(local_of(base)->to, &event, false);
}

static bool send_ease(struct link *base, uint32_t level)
{
    struct event event = event_of(local_of(base), EVENT_EASE);

    event.level = level;
    return mailbox_push(local_of(base)->to, &event, false);
}

static bool send_want_key(struct link *base, uint32_t stream)
{
    struct event event = event_of(local_of(base), EVENT_WANT_KEY);

    event.stream = stream;
    return mailbox_push(local_of(base)->to, &event, false);
}

static void leave(struct link *base, enum end_reason why)
{
    struct local_link *link = local_of(base);
    struct event event = event_of(link, EVENT_LEAVE);

    event.why = why;
    mailbox_push_reserved(link->to, &event, true);
    free(link);
}

static const struct link_calls local_calls = {
    .find = find_room,
    .join = join_room,
    .take_reply = take_reply,
    .take_view = take_view,
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
    *links = (struct local_links){.links = {.calls = &local_calls, .epoch = hub->epoch},
                                  .hub = hub,
                                  .outbox = &hub->outboxes[shard],
                                  .shard = shard};
    return &links->links;
}

void link_local_destroy(struct links *links)
{
    free(links != NULL ? links_of(links) : NULL);
}
