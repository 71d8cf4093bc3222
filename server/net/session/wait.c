#include "net/session/wait.h"

#include <assert.h>
#include <stdio.h>

#include "net/gate/address.h"
#include "net/gate/connection.h"
#include "net/gate/place.h"
#include "net/session/pending.h"
#include "net/session/session_parts.h"

#define CHECK_TIME   100000 /* µs between two checks of a hello's place in line */
#define CHECK_GUESTS 256u   /* each such number of guests of the shard adds CHECK_TIME */
#define TELL_TIME    5000u  /* ms between two messages that say how long to wait */
#define GUEST_TIME   10000u /* ms for which it may be a guest, besides its wait */

/* Says about how many seconds the hello must wait. */
static void tell_wait(struct context *context, struct session *session, struct pending *pending,
                      uint32_t wait)
{
    struct proto_error error = {
        .code = PROTO_E_JOIN, .type = PROTO_HELLO, .after = wait, .field = "join"};
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    pending->told_at = session_ms(context);
    snprintf(error.message, sizeof error.message,
             "join: too many wrong keys were tried; yours waits for its turn, about %u s", wait);
    if (frame != NULL) {
        frame = frame_end(frame, proto_encode_error(frame_data(frame), frame->capacity, &error));
    }
    session_push(context, session, frame);
    session_flush(context, session);
}

/* Joins again; the room answers for good unless the hello was the first in line. */
static void join_again(struct context *context, struct session *session, struct pending *pending,
                       struct tries_pass how)
{
    pending->waits = false;
    pending->pass = how;
    session_join(context, session, &pending->hello);
}

/* Returns the µs until the next check. The more guests, the rarer: libwebsockets walks its list of
 * timers to add one. */
static lws_usec_t check_time(const struct context *context)
{
    return CHECK_TIME * (1 + (lws_usec_t)(context->admission.count / CHECK_GUESTS));
}

static void check_line(struct context *context, struct session *session)
{
    struct pending *pending = pending_find(context, session);
    struct tries_pass granted;
    uint32_t wait;
    bool tells;

    assert(pending != NULL); /* it waits */
    tells = session_ms(context) - pending->told_at >= TELL_TIME;
    if (tries_pass_line(pending_tries(context), pending->origin, pending->keys,
                        links_now(context->links), &granted, tells ? &wait : NULL)) {
        join_again(context, session, pending, granted);
        return;
    }
    if (tells) {
        tell_wait(context, session, pending, wait);
    }
    if (session->stage == SESSION_JOINING) {
        lws_set_timer_usecs(session->wsi, check_time(context));
    }
}

bool wait_over(struct context *context, struct session *session)
{
    const struct pending *pending = pending_find(context, session);

    if (pending == NULL || !pending->waits) {
        return false;
    }
    check_line(context, session);
    return true;
}

/* Returns the number of the hello's keys: all spellings of a room's code are the same room. */
static uint64_t keys_of(const struct context *context, const struct proto_hello *hello)
{
    char code[PROTO_ROOM_MAX + 1];

    proto_room_canonical(hello->room, code);
    return tries_keys(pending_tries(context), code, hello->key, hello->join);
}

void wait_in_line(struct context *context, struct session *session)
{
    struct tries *tries = pending_tries(context);
    struct pending *pending = pending_find(context, session);
    char address[NETWORK_ADDRESS_MAX];

    assert(pending != NULL); /* the room answers END_IN_LINE only for a kept hello */
    link_leave(session->link, END_NONE);
    session->link = NULL;
    place_give(context->service->places, &session->place);
    connection_line_up(context, session->wsi, (uint32_t)(tries_longest(tries) / 1000) + GUEST_TIME);
    address_of(session->wsi, address);
    pending->origin = tries_origin(tries, address);
    pending->told_at = session_ms(context) - TELL_TIME;
    pending->keys = keys_of(context, &pending->hello);
    pending->waits =
        tries_line_up(tries, pending->origin, pending->keys, links_now(context->links));
    if (!pending->waits) {
        join_again(context, session, pending, (struct tries_pass){.kind = TRIES_NOW});
        return;
    }
    check_line(context, session);
}
