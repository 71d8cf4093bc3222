/* Sending: what a session's client should have by now and can take, in the order in which it needs
 * it. On the shard's thread. */
#include <assert.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "net/session.h"

static_assert(FRAME_HEADROOM >= LWS_PRE, "libwebsockets needs more headroom in front of a frame");

/* Writes one message now, from wherever the loop is: under libuv each request for the writable
 * callback costs four epoll_ctl(), and a fan-out that waits for it twice the processor time.
 * Returns false when the socket still holds the rest of an earlier message; the callback then comes
 * when it does not. `message` has FRAME_HEADROOM bytes in front of it. */
static bool send_now(struct session *session, uint8_t *message, size_t size)
{
    if (lws_get_close_length(session->wsi) > 0) {
        return false; /* a close frame is on its way: nothing may follow it */
    }
    if (lws_partial_buffered(session->wsi)) {
        lws_callback_on_writable(session->wsi);
        return false;
    }
    if (lws_write(session->wsi, message, size, LWS_WRITE_BINARY) < (int)size) {
        lws_set_timeout(session->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
        session->stage = SESSION_CLOSING;
        return false;
    }
    return true;
}

/* Whether the kernel still holds bytes that it has not sent: a snapshot behind them would be old
 * when it arrives. */
static bool backed_up(const struct session *session)
{
    int unsent = 0;

    return ioctl(lws_get_socket_fd(session->wsi), SIOCOUTQNSD, &unsent) == 0 && unsent > 0;
}

static bool flush_pending(struct session *session)
{
    uint8_t sent = 0;

    for (; sent < session->pending_count; sent++) {
        struct frame *frame = session->pending[sent];
        if (!send_now(session, frame_data(frame), frame->size)) {
            break;
        }
        frame_release(frame);
    }
    session->pending_count -= sent;
    for (uint8_t i = 0; i < session->pending_count && sent > 0; i++) {
        session->pending[i] = session->pending[i + sent];
    }
    return session->pending_count == 0;
}

static bool flush_pong(struct shard *shard, struct session *session)
{
    uint8_t message[FRAME_HEADROOM + 64];
    struct proto_pong pong = {.t = session->pong, .time = hub_now(shard->hub)};
    size_t size;

    if (!session->pong_due) {
        return true;
    }
    size = proto_encode_pong(message + FRAME_HEADROOM, sizeof message - FRAME_HEADROOM, &pong);
    session->pong_due = !send_now(session, message + FRAME_HEADROOM, size);
    return !session->pong_due;
}

static bool flush_part(struct session *session, const struct state *state, enum state_part part)
{
    struct frame *frame = state->frames[part];

    if (frame == NULL || (int32_t)(state->versions[part] - session->versions[part]) <= 0) {
        return true;
    }
    if (!send_now(session, frame_data(frame), frame->size)) {
        return false;
    }
    session->versions[part] = state->versions[part];
    return true;
}

/* Whether the state's snapshot is one that the session asked for, at its own rate. */
static bool snapshot_due(struct session *session, const struct state *state)
{
    if (session->versions[STATE_SNAPSHOT] == state->versions[STATE_SNAPSHOT]) {
        return false;
    }
    return session->interval == 0 || state->time >= session->due;
}

static bool flush_snapshot(struct session *session, const struct state *state)
{
    if (!snapshot_due(session, state)) {
        return true;
    }
    if (backed_up(session) || !flush_part(session, state, STATE_SNAPSHOT)) {
        return false;
    }
    session->due += session->interval;
    if (session->due <= state->time) {
        session->due = state->time + session->interval;
    }
    return true;
}

/* Whether there is nothing left that the client should have by now. */
static bool flush_all(struct shard *shard, struct session *session)
{
    if (!flush_pending(session)) {
        return false;
    }
    if (session->stage != SESSION_LIVE) {
        return true;
    }
    if (!flush_pong(shard, session)) {
        return false;
    }
    if (shard->state == NULL) {
        return true;
    }
    for (enum state_part part = 0; part < STATE_SNAPSHOT; part++) {
        if (!flush_part(session, shard->state, part)) {
            return false;
        }
    }
    return flush_snapshot(session, shard->state);
}

void session_flush(struct shard *shard, struct session *session)
{
    uint64_t limit = (uint64_t)(shard->config->stall_timeout * 1e6);

    if (flush_all(shard, session)) {
        session->stuck_at = 0;
    } else if (session->stuck_at == 0) {
        session->stuck_at = hub_now(shard->hub);
    } else if (hub_now(shard->hub) > session->stuck_at + limit) {
        session_close(session, PROTO_CLOSE_STALLED, "the client took nothing for too long");
    }
}
