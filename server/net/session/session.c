#include "net/session/session.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prefetch.h"
#include "net/gate/connection.h"
#include "net/gate/place.h"
#include "net/gate/wire.h"
#include "net/session/pending.h"
#include "net/session/roster.h"
#include "net/session/session_parts.h"
#include "net/session/wait.h"
#include "room/stream.h"
#include "text.h"

#define WATCH_TIME 1000u /* ms between calls of session_watch(), at least */
#define STILL_TIME 2000u /* ms: a longer gap between calls means that the server stood still */

/* RFC 6455: the codes that stand for a close frame without a code, and for no close frame. */
#define CLOSE_NO_CODE     1005
#define CLOSE_BROKEN      1006
#define CLOSE_PAYLOAD_MAX 125u /* bytes */

#define FRESH_WATCHES 2u /* calls of session_watch() for a newcomer: 1 to 2 s, if not busy */

static_assert(offsetof(struct session, entry) == 0, "see session_of()");
static_assert(SESSION_SENT <= 4 * PREFETCH_LINE, "time of a snapshot: docs/FIGURES.md");
static_assert(sizeof(struct session) <= 384, "memory of a client: docs/FIGURES.md");
static_assert(LINE_LEVEL_MAX < 1 << 4, "fits session->eased");
static_assert(OVERLOAD_MAX < 1 << 2 && OVERLOAD_MAX <= ROOM_OVERLOAD_MAX, "fits session->lowered");

/* ---- replies of the room ---- */

/* Returns true for an error. Every message is an array of less than 16 elements that begins with
 * its type. */
static bool is_error(const struct frame *frame)
{
    return frame != NULL && frame->size > 1 && frame->bytes[FRAME_HEADROOM + 1] == PROTO_ERROR;
}

/* A shard with little time sends first to pupils, then to clients that take all snapshots, then to
 * clients that take fewer, then to the crowd of an address, and last to newcomers. So a class does
 * not wait for thousands of viewers, and no member for the first snapshots and topics of a crowd.
 */
static void rank_session(struct context *context, struct session *session)
{
    const bool crowd = readers_are_crowd(&session->reader);
    const bool whole = stream_is_whole(session->outlet.stream);

    roster_set_rank(context->roster, &session->entry,
                    session_is_pupil(session)   ? 0
                    : session_is_fresh(session) ? ROSTER_FRESH
                                                : (uint8_t)(1 + 2 * crowd + !whole));
}

/* Enters the room of a welcome, and takes its stream. A second welcome comes from a room that has
 * moved: the session then enters that room as the same person. */
static void take_grant(struct context *context, struct session *session,
                       const struct hub_grant *grant)
{
    if (grant->stream.joined) {
        session_uneased(context, session);
        if (!roster_enter(context->roster, &session->entry, grant->stream.room)) {
            session_close(context, session, END_NO_MEMORY);
            return;
        }
        session->entry.room->ahead = grant->ahead;
        session->stage = SESSION_LIVE;
        session->fresh = FRESH_WATCHES;
        pending_finish(context, session);
    }
    const struct roster_room *room = session->entry.room;
    outlet_grant(&session->outlet, &grant->stream, room != NULL ? room->view : NULL,
                 &context->counts, links_now(context->links));
    rank_session(context, session);
}

/* Notes whether the client is a trusted presenter. This node may not know yet whether a new room of
 * another node is trusted: its welcome says it. */
static void take_trust(struct context *context, struct session *session,
                       const struct hub_reply *reply)
{
    if (reply->trust != HUB_TRUST_UNKNOWN) {
        session->trusted = reply->trust == HUB_TRUSTS;
    }
    const bool presents = session->trusted && reply->presenter;
    if (presents != session->place.presents) {
        place_present(context->service->places, &session->place, presents);
    }
}

static void on_told(struct context *context, struct session *session, struct hub_reply *reply)
{
    if (is_error(reply->frame) && session_errs(context, session)) {
        session_push(context, session, reply->frame);
        session_refuse_with(context, session, NULL, PROTO_E_RANGE, true,
                            "too many invalid messages");
        return;
    }
    session_push(context, session, reply->frame);
    take_trust(context, session, reply);
    if (reply->granted && session->stage != SESSION_CLOSING) {
        take_grant(context, session, &reply->grant);
    }
}

static void on_closed(struct context *context, struct session *session,
                      const struct hub_reply *reply)
{
    if (reply->why == END_IN_LINE) {
        wait_in_line(context, session);
        return;
    }
    if (reply->why == END_ROOM_FULL) {
        counter_add(&context->counts.refused[COUNTS_PEOPLE], 1);
    }
    if (reply->frame != NULL) {
        counter_add(&context->counts.errors, is_error(reply->frame));
        session_push(context, session, reply->frame);
    }
    session_close(context, session, reply->why);
}

void session_reply(struct context *context, struct session *session, struct hub_reply *reply)
{
    if (session->stage == SESSION_CLOSING) {
        frame_release(reply->frame);
        return;
    }
    if (reply->type == HUB_CLOSED) {
        on_closed(context, session, reply);
    } else {
        assert(reply->type == HUB_TOLD);
        on_told(context, session, reply);
    }
    (void)session_caught_up(session);
    session_flush(context, session);
}

/* ---- life ---- */

/* Bytes after this point belong to the WebSocket: its client must wait for the answer. */
static int on_upgrade(struct context *context, struct lws *wsi)
{
    struct session *session = slab_take(&context->sessions);

    if (session == NULL) {
        return -1;
    }
    session->heard = wire_received(lws_get_socket_fd(wsi));
    connection_of(wsi)->session = session;
    lws_set_wsi_user(wsi, session);
    return 0;
}

void session_gone(struct context *context, struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);

    if (connection != NULL) {
        slab_give(&context->sessions, connection->session);
        connection->session = NULL;
    }
}

static void on_open(struct context *context, struct session *session, struct lws *wsi)
{
    /* An earlier standstill of the server must not count for this session. */
    session_clock(context);
    session->wsi = wsi;
    session->socket = lws_is_ssl(wsi) ? -1 : lws_get_socket_fd(wsi);
    intake_init(&session->intake, session_ms(context));
    outlet_init(&session->outlet, (uint32_t)context->counts.opened, links_now(context->links));
    counter_add(&context->counts.opened, 1);
    connection_opened(context, wsi);
    if (!session_begin_reading(context, session)) {
        session_drop(context, session);
        return;
    }
    if (context->stopping) {
        session_close(context, session, END_STOPPING);
        return;
    }
    if (!roster_add(context->roster, &session->entry)) {
        session_close(context, session, END_NO_MEMORY);
        return;
    }
    session_flush(context, session);
}

/* Returns the code that answers a bad payload of a close frame, or 0. libwebsockets has checked the
 * frame's own code. */
static enum lws_close_status close_fault(const uint8_t *payload, size_t size)
{
    if (size == 1) {
        return LWS_CLOSE_STATUS_PROTOCOL_ERR;
    }
    return size < 2 || text_well_formed((const char *)payload + 2, size - 2)
               ? (enum lws_close_status)0
               : LWS_CLOSE_STATUS_INVALID_PAYLOAD;
}

/* Answers the client's close frame with the same payload, or with the code of its fault. */
static void answer_close(struct session *session, const uint8_t *payload, size_t size,
                         enum lws_close_status fault)
{
    uint8_t bytes[LWS_PRE + CLOSE_PAYLOAD_MAX];
    uint8_t *answer = bytes + LWS_PRE;

    size = size < CLOSE_PAYLOAD_MAX ? size : CLOSE_PAYLOAD_MAX;
    if (fault != 0) {
        answer[0] = (uint8_t)((unsigned)fault >> 8);
        answer[1] = (uint8_t)((unsigned)fault & 255u);
        size = 2;
    } else if (size > 0) {
        memcpy(answer, payload, size);
    }
    session_write_close(session, answer, size);
}

static unsigned code_of(const uint8_t *payload, size_t size)
{
    return size >= 2 ? (unsigned)payload[0] << 8 | payload[1] : CLOSE_NO_CODE;
}

/* Handles the client's close frame. Returns what the callback must return to close the connection:
 * libwebsockets' own answer would need a further turn. */
static int on_peer_close(struct context *context, struct session *session, const uint8_t *payload,
                         size_t size)
{
    enum lws_close_status fault = close_fault(payload, size);

    outlet_finish(&session->outlet);
    session_retire(context, session);
    session_leave_ending(context, session);
    if (session->stage != SESSION_CLOSING) {
        session_enter_closing(session);
        session->close_code = (uint16_t)(fault != 0 ? (unsigned)fault : code_of(payload, size));
    }
    if (!session->said) {
        answer_close(session, payload, size, fault);
    }
    session_give_up(session);
    return -1;
}

static void on_close(struct context *context, struct session *session)
{
    if (session == NULL || session->wsi == NULL) {
        return; /* closed before its upgrade was answered: never opened */
    }
    if (session->close_code == 0) {
        session->close_code = CLOSE_BROKEN;
    }
    counts_close(&context->counts, session->close_code);
    session_end_reading(context, session);
    session_retire(context, session);
    session_leave_ending(context, session);
    session_broken(context, session);
    outlet_finish(&session->outlet);
    free(session->partial);
    session->partial = NULL;
    if (session->entry.id != 0) {
        roster_remove(context->roster, &session->entry);
    }
    place_give(context->service->places, &session->place);
}

void session_clock(struct context *context)
{
    const struct roster *roster = context->roster;
    uint32_t now = session_ms(context);
    uint32_t gap = now - context->clock;

    if (lateness_looked(&context->lateness)) {
        lateness_find(&context->lateness, context_found(context),
                      uv_metrics_idle_time(context->loop));
        (void)meter_take(&context->meter);
    }
    context->clock = now;
    for (uint32_t slot = 0; gap > STILL_TIME && slot < roster->slot_count; slot++) {
        if (roster->slots[slot] != NULL) {
            struct session *session = session_of(roster->slots[slot]);
            uint32_t age = now - session->outlet.line.began_at;
            uint32_t time = age < gap - WATCH_TIME ? age : gap - WATCH_TIME;
            if (session->stage != SESSION_CLOSING) {
                intake_skip(&session->intake, time);
            }
            line_skip(&session->outlet.line, time);
        }
    }
}

/* Ends a session whose client sent nothing, or read nothing, for too long. While bytes of the
 * client wait unread, its pong may be among them. */
static void watch_silence(struct context *context, struct session *session, uint32_t now)
{
    const struct config *config = context->service->config;
    uint32_t timeout = (uint32_t)(config->stall_timeout * 1e3);
    struct line *line = &session->outlet.line;

    if (session->stage == SESSION_NEW) {
        if (now - line->began_at > (uint32_t)(config->hello_timeout * 1e3)) {
            session_close(context, session, END_NO_HELLO);
        }
    } else if (session->stage == SESSION_LIVE && session->reader.ready_at == 0 &&
               line_waits(line, now) &&
               line_stalled(line, wire_queued(lws_get_socket_fd(session->wsi)), timeout, now)) {
        session_close(context, session, END_STALLED);
    }
}

void session_watch(struct context *context, struct session *session, uint64_t now)
{
    if (session->stage == SESSION_CLOSING) {
        return;
    }
    (void)session_caught_up(session);
    session_keep_class(context, session);
    session_set_share(context, session, outlet_ms(now));
    if (session->stage == SESSION_LIVE) {
        outlet_second(&session->outlet);
        session_flush_at(context, session, now); /* counts what it missed as a newcomer */
        session->fresh -= session_is_fresh(session);
        rank_session(context, session);
        session_ease(context, session);
    }
    watch_silence(context, session, outlet_ms(now));
    if (session->read && session->stage != SESSION_CLOSING) {
        session_listen(context, session);
    }
}

int session_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t size)
{
    struct context *context = lws_context_user(lws_get_context(wsi));
    struct session *session = user;

    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return on_upgrade(context, wsi);
    case LWS_CALLBACK_ESTABLISHED:
        on_open(context, session, wsi);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        session_clock(context);
        session_receive(context, session, in, size);
        return 0;
    case LWS_CALLBACK_RECEIVE_PONG:
        session_clock(context);
        session_pong(context, session, in, size);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        session_flush(context, session);
        context_free_work(context);
        return 0;
    case LWS_CALLBACK_TIMER:
        (void)wait_over(context, session);
        return 0;
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
        session_break(context, session);
        return 0;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return on_peer_close(context, session, in, size);
    case LWS_CALLBACK_CLOSED:
        on_close(context, session);
        context_free_work(context);
        return 0;
    default:
        return 0;
    }
}
