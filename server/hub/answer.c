/* What sessions ask of the room, and what it answers. On the sim thread. */
#include <stdio.h>
#include <stdlib.h>

#include "hub/inside.h"
#include "room/people.h"

static uint32_t shard_of(const struct hub *hub, uint64_t session)
{
    return ((uint32_t)session - 1) / hub->definition.sessions_max;
}

/* What is merely told leaves the places free that the other replies may need: a session gets at
 * most one each of HUB_WELCOME, HUB_CLOSE (a full room, or replaced) and HUB_GONE. */
static size_t told_reserve(const struct hub *hub)
{
    return 3 * (size_t)hub->definition.sessions_max;
}

static void reply(struct hub *hub, const struct hub_reply *message)
{
    bool told = message->type == HUB_ERROR || message->type == HUB_TELL;
    size_t reserve = told ? told_reserve(hub) : 0;
    uint32_t shard = shard_of(hub, message->session);

    if (!queue_push(&hub->outboxes[shard].replies, message, reserve, false)) {
        frame_release(message->frame);
    }
    hub->definition.wake(hub->definition.argument, shard);
}

static struct frame *error_frame(const struct proto_error *error)
{
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    if (frame != NULL) {
        frame->size = proto_encode_error(frame_data(frame), frame->capacity, error);
    }
    return frame;
}

static struct frame *role_frame(enum proto_role role)
{
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    if (frame != NULL) {
        frame->size = proto_encode_role(frame_data(frame), frame->capacity, role);
    }
    return frame;
}

static struct frame *stream_frame(const struct proto_stream *granted)
{
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    if (frame != NULL) {
        frame->size = proto_encode_stream(frame_data(frame), frame->capacity, granted);
    }
    return frame;
}

static struct frame *welcome_frame(struct hub *hub, uint32_t slot,
                                   const struct room_subscription *subscription)
{
    struct proto_welcome welcome = {.version = PROTO_VERSION,
                                    .server = "flockd " FLOCKD_VERSION,
                                    .rate = subscription->granted.rate,
                                    .time = hub_now(hub)};
    struct frame *frame = frame_create(PROTO_STATE_MAX);

    if (frame != NULL) {
        snprintf(welcome.encoding, sizeof welcome.encoding, "%s", subscription->encoding);
        room_welcome(hub->room, slot, &welcome);
        frame->size = proto_encode_welcome(frame_data(frame), frame->capacity, &welcome);
    }
    return frame;
}

static void close_full(struct hub *hub, uint64_t session)
{
    struct proto_error error = {.code = "full", .field = "room", .fatal = true};

    snprintf(error.message, sizeof error.message, "the room has no place left for anyone else");
    reply(hub, &(struct hub_reply){.type = HUB_CLOSE,
                                   .session = session,
                                   .frame = error_frame(&error),
                                   .code = PROTO_CLOSE_FULL,
                                   .reason = "the room is full"});
}

static void on_join(struct hub *hub, const struct event *event)
{
    uint32_t *slot = &hub->slots[(uint32_t)event->session - 1];
    struct room_subscription subscription;
    uint64_t replaced;

    *slot = room_join(hub->room, &event->message->hello, event->session, hub_now(hub), &replaced);
    if (*slot == PEOPLE_NONE) {
        close_full(hub, event->session);
        return;
    }
    if (replaced != 0) {
        hub->slots[(uint32_t)replaced - 1] = PEOPLE_NONE;
        reply(hub, &(struct hub_reply){.type = HUB_CLOSE,
                                       .session = replaced,
                                       .code = PROTO_CLOSE_REPLACED,
                                       .reason = "the same person connected from elsewhere"});
    }
    room_subscription(hub->room, *slot, &subscription);
    struct frame *welcome = welcome_frame(hub, *slot, &subscription);
    if (welcome == NULL) {
        reply(hub, &(struct hub_reply){.type = HUB_CLOSE,
                                       .session = event->session,
                                       .code = PROTO_CLOSE_FULL,
                                       .reason = "out of memory"});
        return;
    }
    reply(hub, &(struct hub_reply){.type = HUB_WELCOME,
                                   .session = event->session,
                                   .frame = welcome,
                                   .stream = subscription.stream,
                                   .sequence = subscription.sequence,
                                   .versions = {[STATE_ROOM] = room_version(hub->room),
                                                [STATE_PARAMS] = room_params_version(hub->room)}});
}

static void tell(struct hub *hub, enum hub_reply_type type, uint64_t session, struct frame *frame)
{
    reply(hub, &(struct hub_reply){.type = type, .session = session, .frame = frame});
}

static bool may_tell(struct hub *hub, uint64_t session)
{
    struct outbox *outbox = &hub->outboxes[shard_of(hub, session)];

    return queue_places(&outbox->replies) > told_reserve(hub);
}

/* The session is in another stream, or in the same one and has lost the thread. */
static void tell_stream(struct hub *hub, uint32_t slot, uint64_t session)
{
    struct room_subscription subscription;

    room_subscription(hub->room, slot, &subscription);
    reply(hub, &(struct hub_reply){.type = HUB_STREAM,
                                   .session = session,
                                   .frame = stream_frame(&subscription.granted),
                                   .stream = subscription.stream,
                                   .sequence = subscription.sequence});
}

static void on_message(struct hub *hub, uint32_t slot, uint64_t session,
                       const struct proto_client_message *message)
{
    struct proto_error error;

    if (message->type == PROTO_WANT && !may_tell(hub, session)) {
        return; /* it would not know which stream it is in */
    }
    if (!room_receive(hub->room, slot, message, hub_now(hub), &error)) {
        tell(hub, HUB_ERROR, session, error_frame(&error));
    } else if (message->type == PROTO_KEY) {
        tell(hub, HUB_TELL, session, role_frame(room_role(hub->room, slot)));
    } else if (message->type == PROTO_WANT) {
        tell_stream(hub, slot, session);
    }
}

void hub_answer(struct hub *hub, const struct event *event)
{
    uint32_t slot = hub->slots[(uint32_t)event->session - 1];
    bool here = slot != PEOPLE_NONE && room_session(hub->room, slot) == event->session;

    switch (event->type) {
    case EVENT_JOIN:
        on_join(hub, event);
        break;
    case EVENT_LEAVE:
        if (here) {
            room_leave(hub->room, slot, hub_now(hub));
        }
        hub->slots[(uint32_t)event->session - 1] = PEOPLE_NONE;
        reply(hub, &(struct hub_reply){.type = HUB_GONE, .session = event->session});
        return;
    case EVENT_CURSOR:
        if (here) {
            on_message(
                hub, slot, event->session,
                &(struct proto_client_message){.type = PROTO_CURSOR, .cursor = event->cursor});
        }
        return;
    case EVENT_MESSAGE:
        if (here) {
            on_message(hub, slot, event->session, event->message);
        }
        break;
    }
    free(event->message);
}
