#include "hub/link.h"

#include <stdlib.h>
#include <string.h>

#include "hub/inside.h"

#define LINK_LAST_WORDS 2u /* the welcome, and HUB_CLOSED */

/* Queues an event with a message. */
static bool push_message(struct link *link, enum event_type type,
                         const struct proto_client_message *message)
{
    struct event event = {.type = type, .link = link};

    event.message = malloc(sizeof *event.message);
    if (event.message == NULL) {
        return false;
    }
    *event.message = *message;
    if (!mailbox_push(runner_mailbox(link->runner), &event, type == EVENT_JOIN)) {
        free(event.message);
        return false;
    }
    return true;
}

/* Reserves the slots for the messages that must not be lost. */
static bool reserve_slots(struct link *link)
{
    if (!mailbox_reserve(runner_mailbox(link->runner), 1)) {
        return false;
    }
    link->reserved = LINK_LAST_WORDS;
    if (!mailbox_reserve(&link->outbox->replies, link->reserved)) {
        mailbox_unreserve(runner_mailbox(link->runner), 1);
        return false;
    }
    return true;
}

struct link *link_join(struct hub *hub, uint32_t shard, uint64_t session, const char *address,
                       uint64_t room, const struct proto_hello *hello, bool presenters_only)
{
    struct proto_client_message message = {.type = PROTO_HELLO, .hello = *hello};
    size_t size = strlen(address) + 1;
    struct link *link = calloc(1, sizeof *link + size);

    if (link == NULL) {
        return NULL;
    }
    link->runner = hub_runner_of(hub, room);
    link->outbox = &hub->outboxes[shard];
    link->shard = shard;
    link->session = session;
    link->room = room;
    link->presenters_only = presenters_only;
    link->origin = tries_origin(hub->tries, address);
    memcpy(link->address, address, size);
    if (!reserve_slots(link)) {
        free(link);
        return NULL;
    }
    if (!push_message(link, EVENT_JOIN, &message)) {
        mailbox_unreserve(runner_mailbox(link->runner), 1);
        mailbox_unreserve(&link->outbox->replies, link->reserved);
        free(link);
        return NULL;
    }
    return link;
}

bool link_send(struct link *link, const struct proto_client_message *message)
{
    struct event cursor = {.type = EVENT_CURSOR, .link = link, .cursor = message->cursor};

    if (message->type != PROTO_CURSOR) {
        return push_message(link, EVENT_MESSAGE, message);
    }
    return mailbox_push(runner_mailbox(link->runner), &cursor, false);
}

bool link_answer(struct link *link, struct frame *answer)
{
    struct event event = {.type = EVENT_ANSWER, .link = link, .answer = answer};

    return mailbox_push(runner_mailbox(link->runner), &event, false);
}

bool link_ease(struct link *link, uint32_t level)
{
    struct event event = {.type = EVENT_EASE, .link = link, .level = level};

    return mailbox_push(runner_mailbox(link->runner), &event, false);
}

bool link_want_key(struct link *link, uint32_t stream)
{
    struct event event = {.type = EVENT_WANT_KEY, .link = link, .stream = stream};

    return mailbox_push(runner_mailbox(link->runner), &event, false);
}

void link_leave(struct link *link, const char *why)
{
    struct event event = {.type = EVENT_LEAVE, .link = link};

    link->why = why;
    mailbox_push_reserved(runner_mailbox(link->runner), &event, true);
}
