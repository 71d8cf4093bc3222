/* Sending: what a session's client should have by now and can take, in the order in which it needs
 * it. On the shard's thread. */
#include <assert.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "net/session.h"

#define DELTAS_UNSENT  3u   /* times what is to be sent that the kernel may hold already */
#define DELTA_SLACK    256u /* bytes */
#define TRUSTED_FRAMES 8u
#define TRUSTED_BYTES  16384u

static_assert(FRAME_HEADROOM >= LWS_PRE, "libwebsockets needs more headroom in front of a frame");

static void break_off(struct session *session)
{
    lws_set_timeout(session->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    session->stage = SESSION_CLOSING;
}

/* Whether the socket takes a message now; if it still holds the rest of an earlier one, the
 * writable callback comes when it does not. */
static bool writable(const struct session *session)
{
    if (lws_get_close_length(session->wsi) > 0) {
        return false; /* a close frame is on its way: nothing may follow it */
    }
    if (lws_partial_buffered(session->wsi)) {
        lws_callback_on_writable(session->wsi);
        return false;
    }
    return true;
}

/* Writes one message now, from wherever the loop is: under libuv each request for the writable
 * callback costs four epoll_ctl(), and a fan-out that waits for it twice the processor time.
 * Returns false when it is not writable. `message` has FRAME_HEADROOM bytes in front of it. */
static bool send_now(struct shard *shard, struct session *session, uint8_t *message, size_t size)
{
    if (!writable(session)) {
        return false;
    }
    if (lws_write(session->wsi, message, size, LWS_WRITE_BINARY) < (int)size) {
        break_off(session);
        return false;
    }
    counter_add(&shard->counts.bytes, size);
    return true;
}

/* Bytes that the kernel holds and has not sent. */
static size_t unsent_bytes(const struct session *session)
{
    int unsent = 0;

    if (ioctl(lws_get_socket_fd(session->wsi), SIOCOUTQNSD, &unsent) != 0 || unsent < 0) {
        return 0;
    }
    return (size_t)unsent;
}

static bool flush_pending(struct shard *shard, struct session *session)
{
    uint8_t sent = 0;

    for (; sent < session->pending_count; sent++) {
        struct frame *frame = session->pending[sent];
        if (!send_now(shard, session, frame_data(frame), frame->size)) {
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

/* A ping waits for its turn: whoever is slow is not always between two messages. */
static bool flush_ping(struct session *session)
{
    /* With a byte in it: of a pong without any, libwebsockets says nothing. */
    uint8_t message[FRAME_HEADROOM + 1] = {0};

    if (!session->ping_due) {
        return true;
    }
    if (!writable(session)) {
        return false;
    }
    session->ping_due = false;
    if (lws_write(session->wsi, message + FRAME_HEADROOM, 1, LWS_WRITE_PING) < 0) {
        break_off(session);
        return false;
    }
    return true;
}

static bool flush_pong(struct shard *shard, struct session *session)
{
    uint8_t message[FRAME_HEADROOM + 64];
    struct proto_pong pong = {.t = session->pong};
    size_t size;

    if (!session->pong_due) {
        return true;
    }
    pong.time = hub_now(shard->hub);
    size = proto_encode_pong(message + FRAME_HEADROOM, sizeof message - FRAME_HEADROOM, &pong);
    session->pong_due = !send_now(shard, session, message + FRAME_HEADROOM, size);
    return !session->pong_due;
}

static bool flush_part(struct shard *shard, struct session *session, enum state_part part)
{
    const struct state *state = shard->state;
    struct frame *frame = state->frames[part];

    if (frame == NULL || (int32_t)(state->versions[part] - session->versions[part]) <= 0) {
        return true;
    }
    if (!send_now(shard, session, frame_data(frame), frame->size)) {
        return false;
    }
    session->versions[part] = state->versions[part];
    return true;
}

/* ---- snapshots ---- */

void session_leave_stream(struct shard *shard, struct session *session)
{
    counter_add(&shard->counts.skipped, session->offered - session->settled);
    session->settled = session->offered;
}

void session_enter_stream(struct shard *shard, struct session *session,
                          const struct hub_reply *reply)
{
    session->following = false;
    if (session->streaming && session->stream == reply->stream) {
        return; /* it has lost the thread, and takes the next keyframe that there is */
    }
    session_leave_stream(shard, session);
    session->streaming = true;
    session->stream = reply->stream;
    session->offered = session->settled = reply->sequence;
}

/* The session's stream as it is in the shard's state; NULL: the state has none of it yet. */
static const struct state_stream *stream_of(const struct shard *shard,
                                            const struct session *session)
{
    const struct state *state = shard->state;

    if (session->stage != SESSION_LIVE || state == NULL || session->stream >= state->stream_count) {
        return NULL;
    }
    return &state->streams[session->stream];
}

/* Counts the snapshots that there are for the session since the last time. */
static void offer(struct shard *shard, struct session *session)
{
    const struct state_stream *stream = stream_of(shard, session);
    int32_t more = stream != NULL ? (int32_t)(stream->sequence - session->offered) : 0;

    if (more > 0) {
        counter_add(&shard->counts.offered, (uint32_t)more);
        session->offered = stream->sequence;
        session->choked = false;
    }
}

/* Whether there are deltas from that snapshot, an older one, to the newest; how many bytes they
 * have. */
static bool deltas_from(const struct state_stream *stream, uint32_t sequence, size_t *size)
{
    *size = 0;
    if (stream->sequence - sequence > STREAM_HISTORY) {
        return false;
    }
    while (sequence++ != stream->sequence) {
        const struct frame *delta = stream->deltas[sequence % STREAM_HISTORY];
        if (delta == NULL) {
            return false;
        }
        *size += delta->size;
    }
    return true;
}

/* Whether the stream has a keyframe that the client does not have yet, and all deltas after it. */
static bool has_key(const struct state_stream *stream, const struct session *session)
{
    size_t size;

    return stream->key != NULL && (int32_t)(stream->key_sequence - session->settled) > 0 &&
           deltas_from(stream, stream->key_sequence, &size);
}

/* Whether the client has not yet taken what it was sent. For deltas, that it would be lost without,
 * there may be as much as them on the way; anything else would be old when it arrives. */
static bool backed_up(struct session *session, size_t deltas)
{
    size_t most = deltas > 0 ? DELTAS_UNSENT * (deltas + DELTA_SLACK) : 0;

    /* To ask is an eighth of what it costs to send 2 KB: whoever had taken all is asked again only
     * after a few snapshots more. */
    if (session->trusted_frames < TRUSTED_FRAMES && session->trusted_bytes < TRUSTED_BYTES) {
        return false;
    }
    if (unsent_bytes(session) <= most) {
        session->trusted_frames = 0;
        session->trusted_bytes = 0;
        return false;
    }
    return true;
}

static bool send_snapshot(struct shard *shard, struct session *session, struct frame *frame,
                          uint32_t sequence)
{
    if (!send_now(shard, session, frame_data(frame), frame->size)) {
        return false;
    }
    counter_add(&shard->counts.sent, 1);
    counter_add(&shard->counts.skipped, sequence - session->settled - 1);
    counter_add(&shard->counts.snapshot_bytes, frame->size);
    session->settled = sequence;
    session->following = true;
    session->stuck_at = 0;
    session->trusted_frames++;
    session->trusted_bytes += (uint32_t)frame->size;
    return true;
}

static bool send_deltas(struct shard *shard, struct session *session,
                        const struct state_stream *stream)
{
    while (session->settled != stream->sequence) {
        uint32_t next = session->settled + 1;
        if (!send_snapshot(shard, session, stream->deltas[next % STREAM_HISTORY], next)) {
            return false;
        }
    }
    return true;
}

static bool flush_snapshots(struct shard *shard, struct session *session)
{
    const struct state_stream *stream = stream_of(shard, session);
    size_t deltas;
    bool follows;

    if (stream == NULL || session->offered != stream->sequence ||
        session->settled == session->offered) {
        return true; /* there is nothing newer; perhaps the state is older than the session */
    }
    follows = session->following && deltas_from(stream, session->settled, &deltas);
    if (backed_up(session, follows ? deltas : 0)) {
        return false;
    }
    if (!follows) {
        if (!has_key(stream, session)) {
            hub_want_key(shard->hub, session->stream);
            return true;
        }
        if (!send_snapshot(shard, session, stream->key, stream->key_sequence)) {
            return false;
        }
        counter_add(&shard->counts.keys, 1);
    }
    return send_deltas(shard, session, stream);
}

/* Whether there is nothing left that the client should have by now. */
static bool flush_all(struct shard *shard, struct session *session)
{
    if (!flush_pending(shard, session)) {
        return false;
    }
    if (session->stage != SESSION_LIVE) {
        return true;
    }
    if (!flush_ping(session) || !flush_pong(shard, session)) {
        return false;
    }
    if (shard->state == NULL) {
        return true;
    }
    for (enum state_part part = 0; part < STATE_PARTS; part++) {
        if (!flush_part(shard, session, part)) {
            return false;
        }
    }
    return flush_snapshots(shard, session);
}

/* Gives up a client that takes nothing. That there is nothing to send just now, as after a want,
 * does not mean that it has taken what it was sent. */
static void watch_stall(struct shard *shard, struct session *session, bool all_sent)
{
    uint64_t limit = (uint64_t)(shard->config->stall_timeout * 1e6);

    if (session->stuck_at == 0) {
        session->stuck_at = all_sent ? 0 : hub_now(shard->hub);
    } else if (all_sent && unsent_bytes(session) == 0) {
        session->stuck_at = 0;
    } else if (hub_now(shard->hub) > session->stuck_at + limit) {
        session_close(session, PROTO_CLOSE_STALLED, "the client took nothing for too long");
    }
}

void session_ping(struct shard *shard, struct session *session)
{
    session->ping_due = true;
    session_flush(shard, session);
}

void session_flush(struct shard *shard, struct session *session)
{
    bool all_sent;

    offer(shard, session);
    all_sent = flush_all(shard, session);
    if (!all_sent && session->settled != session->offered && !session->choked) {
        counter_add(&shard->counts.choked, 1);
        session->choked = true;
    }
    watch_stall(shard, session, all_sent);
}
