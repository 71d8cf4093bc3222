/* Writes what a session's outlet has, while the socket takes it. */
#include <assert.h>
#include <errno.h>
#include <sys/socket.h>

#include "net/gate/connection.h"
#include "net/gate/wire.h"
#include "net/session/roster.h"
#include "net/session/session_parts.h"

#define UNREAD_TIME 100u /* ms: what has waited for so long may be the answer to a ping */

#define PING_SIZE 4u  /* bytes: the number of the ping */
#define PONG_MAX  64u /* bytes of a message pong */

#define CLOSE_FRAME  0x88u /* the first byte of a whole close frame; the second is its size */
#define CLOSE_HEADER 2

static_assert(FRAME_HEADROOM >= LWS_PRE, "libwebsockets needs more headroom in front of a frame");

/* Returns true if the socket takes a message now. If libwebsockets still holds a part of an earlier
 * message, the writable callback follows. */
static bool is_writable(const struct session *session)
{
    if (session->said || session->dropped) {
        return false; /* nothing may follow a close frame */
    }
    if (session->quiet) {
        return true;
    }
    if (lws_get_close_length(session->wsi) > 0) {
        return false;
    }
    if (lws_partial_buffered(session->wsi)) {
        lws_callback_on_writable(session->wsi);
        return false;
    }
    return true;
}

static size_t unsent_bytes(void *line)
{
    const struct session *session = line;

    return wire_unsent(session->socket >= 0 ? session->socket : lws_get_socket_fd(session->wsi));
}

static uint32_t queued_bytes(void *line)
{
    const struct session *session = line;

    return wire_queued(lws_get_socket_fd(session->wsi));
}

/* Writes one message now, outside the writable callback: under libuv, each request for that
 * callback costs 4 epoll_ctl(), and a fan-out through it costs twice the processor time. `message`
 * has FRAME_HEADROOM bytes in front of it. */
static bool write_now(struct session *session, uint8_t *message, size_t size,
                      enum lws_write_protocol as)
{
    const bool written = lws_write(session->wsi, message, size, as) >= (int)size;

    session->quiet = session->quiet && lws_partial_buffered(session->wsi) == 0;
    return written;
}

/* Writes a frame. A send() here saves a busy server 3 % of its time beside lws_write(). The socket
 * may take only a part: lws_write() keeps the rest, and sends it when the socket is writable. With
 * the type HTTP it puts no header in front. */
static bool write_frame(struct session *session, struct frame *frame)
{
    const uint8_t *message;
    size_t size;
    ssize_t sent;

    if (session->socket < 0) {
        return write_now(session, frame_data(frame), frame->size, LWS_WRITE_BINARY);
    }
    message = frame_message(frame, &size);
    sent = send(session->socket, message, size, MSG_NOSIGNAL);
    if (sent == (ssize_t)size) {
        return true;
    }
    if (sent < 0) {
        if (errno != EAGAIN && errno != EINTR) {
            return false;
        }
        sent = 0;
    }
    return write_now(session, (uint8_t *)message + sent, size - (size_t)sent, LWS_WRITE_HTTP);
}

static bool write_ping(struct session *session, uint32_t number)
{
    uint8_t message[FRAME_HEADROOM + PING_SIZE];

    for (size_t i = 0; i < PING_SIZE; i++) {
        message[FRAME_HEADROOM + i] = (uint8_t)(number >> 8 * i);
    }
    return write_now(session, message + FRAME_HEADROOM, PING_SIZE, LWS_WRITE_PING);
}

void session_give_up(struct session *session)
{
    uint8_t nothing[LWS_PRE + 1] = {0};

    if (lws_partial_buffered(session->wsi)) {
        shutdown(lws_get_socket_fd(session->wsi), SHUT_WR);
        (void)lws_write(session->wsi, nothing + LWS_PRE, 1, LWS_WRITE_HTTP); /* fails */
    }
}

void session_write_close(struct session *session, uint8_t *payload, size_t size)
{
    session->said = true;
    if (!lws_partial_buffered(session->wsi)) {
        payload[-CLOSE_HEADER] = CLOSE_FRAME;
        payload[-CLOSE_HEADER + 1] = (uint8_t)size;
        (void)lws_write(session->wsi, payload - CLOSE_HEADER, size + CLOSE_HEADER, LWS_WRITE_HTTP);
    }
}

/* The time is on the clock of the room's snapshots. */
static bool write_pong(struct session *session, uint64_t t, uint64_t now, size_t *size)
{
    uint8_t message[FRAME_HEADROOM + PONG_MAX];
    const struct roster_room *room = session->entry.room;
    struct proto_pong pong = {.t = t, .time = now + (uint64_t)(room != NULL ? room->ahead : 0)};

    *size = proto_encode_pong(message + FRAME_HEADROOM, PONG_MAX, &pong);
    return *size > 0 && write_now(session, message + FRAME_HEADROOM, *size, LWS_WRITE_BINARY);
}

/* Asks for a keyframe once for all sessions of the room that missed a snapshot: they need the same.
 */
static bool ask_for_key(const struct session *session, uint32_t stream)
{
    struct roster_room *room = session->entry.room;

    if (room == NULL || session->link == NULL || !roster_wants_key(room, stream)) {
        return true;
    }
    if (!link_want_key(session->link, stream)) {
        return false;
    }
    roster_key_asked(room, stream);
    return true;
}

/* Returns false if nothing more can be sent, now or ever. */
static bool deliver_item(struct context *context, struct session *session,
                         const struct outlet_turn *turn, const struct outlet_item *item)
{
    size_t size = item->size;
    bool good;

    switch (item->type) {
    case OUTLET_NOTHING:
        return false;
    case OUTLET_WANT_KEY:
        if (!ask_for_key(session, item->stream)) {
            return false;
        }
        good = true;
        break;
    case OUTLET_PING:
        good = write_ping(session, (uint32_t)item->number);
        break;
    case OUTLET_PONG:
        good = write_pong(session, item->number, links_now(context->links), &size);
        break;
    default:
        good = write_frame(session, item->frame);
        break;
    }
    if (!good) {
        session_drop(context, session);
        return false;
    }
    outlet_sent(&session->outlet, turn, item, size);
    if (session->entry.room != NULL && session->entry.room->by_server) {
        counter_add(&context->counts.servers_bytes, size);
    }
    return true;
}

void session_flush(struct context *context, struct session *session)
{
    session_flush_at(context, session, links_now(context->links));
}

void session_flush_at(struct context *context, struct session *session, uint64_t now)
{
    const struct roster_room *room = session->entry.room;
    struct outlet_turn turn = {.view = room != NULL ? room->view : NULL,
                               .counts = &context->counts,
                               .now = now,
                               .late = session_lateness(context, session, now),
                               .fresh = session_is_fresh(session),
                               .unread = session_waited(session, outlet_ms(now)) >= UNREAD_TIME,
                               .unsent = unsent_bytes,
                               .queued = queued_bytes,
                               .line = session};
    struct outlet_item item;

    outlet_view(&session->outlet, &turn);
    while (is_writable(session)) {
        item = outlet_next(&session->outlet, &turn);
        if (item.type == OUTLET_PING) {
            turn.now = links_now(context->links); /* the thread may have been stopped since */
        }
        if (!deliver_item(context, session, &turn, &item)) {
            return;
        }
    }
    outlet_blocked(&session->outlet, &turn);
}

void session_close_stuck(struct context *context, struct session *session)
{
    if (lws_partial_buffered(session->wsi) && !session->reader.in_line &&
        connection_is_stuck(session->wsi)) {
        session_drop(context, session);
    }
}
