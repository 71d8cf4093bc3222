#include "net/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PROTOCOL.md, Limits. */
#define HELLO_TIME     10000000 /* µs */
#define PONG_TIME      40000000 /* µs */
#define MESSAGES_PER_S 240.0F
#define MESSAGES_BURST 480.0F
#define IGNORED_MAX    2000
#define ERRORS_MAX     32
#define FORGIVE_TIME   250000  /* µs after which an error no longer counts */
#define CLOSE_TIME     2000000 /* µs for what is pending and the close frame */
#define CLOSE_TURN     20000   /* µs between looks at whether they fit */

/* RFC 6455: what stands for a close frame without a code, and for none. */
#define CLOSE_NO_CODE 1005
#define CLOSE_BROKEN  1006

/* ---- sending: see also session_flush.c ---- */

/* Puts a frame in line, taking it over; one too many, or NULL, is let go. Returns whether it was
 * put there. */
static bool push_pending(struct session *session, struct frame *frame)
{
    if (frame != NULL && session->pending_count < SESSION_PENDING_MAX) {
        session->pending[session->pending_count++] = frame;
        return true;
    }
    frame_release(frame);
    return false;
}

static void push_error(struct shard *shard, struct session *session,
                       const struct proto_error *error)
{
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    if (frame != NULL) {
        frame->size = proto_encode_error(frame_data(frame), frame->capacity, error);
    }
    counter_add(&shard->counts.errors, push_pending(session, frame));
    session_flush(shard, session);
}

void session_close(struct session *session, enum proto_close code, const char *reason)
{
    if (session->stage == SESSION_CLOSING) {
        return;
    }
    session->stage = SESSION_CLOSING;
    session->close_code = (uint16_t)code;
    session->close_reason = reason;
    session->close_turns = CLOSE_TIME / CLOSE_TURN;
    lws_set_timer_usecs(session->wsi, 1);
    lws_cancel_service(
        lws_get_context(session->wsi)); /* else the timer waits for some other event */
}

/* ---- receiving ---- */

/* Errors long ago do not count: what one presenter changes can make everybody's next cursor a
 * mistake. */
static void forgive(struct shard *shard, struct session *session)
{
    uint64_t now = hub_now(shard->hub);
    uint64_t forgiven = (now - session->erred_at) / FORGIVE_TIME;

    session->errors = forgiven < session->errors ? (uint16_t)(session->errors - forgiven) : 0;
    session->erred_at += forgiven * FORGIVE_TIME;
}

/* Answers a mistake of the client's, and ends the session if it is a fatal one or one of too many.
 */
static void refuse(struct shard *shard, struct session *session, struct proto_error *error)
{
    enum proto_close code = PROTO_CLOSE_PROTOCOL;
    const char *reason = "the client broke the protocol";

    forgive(shard, session);
    if (++session->errors > ERRORS_MAX) {
        error->fatal = true;
    }
    if (strcmp(error->code, "version") == 0 || strcmp(error->code, "encoding") == 0) {
        code = PROTO_CLOSE_VERSION;
        reason = "version or encoding not supported";
    } else if (strcmp(error->code, "room") == 0) {
        code = PROTO_CLOSE_ROOM;
        reason = "no such room";
    }
    push_error(shard, session, error);
    if (error->fatal) {
        session_close(session, code, reason);
    }
}

static void refuse_with(struct shard *shard, struct session *session, enum proto_code code,
                        const char *field, const char *message, bool fatal)
{
    struct proto_error error = {.fatal = fatal};

    snprintf(error.code, sizeof error.code, "%s", proto_code_name(code));
    snprintf(error.field, sizeof error.field, "%s", field);
    snprintf(error.message, sizeof error.message, "%s", message);
    refuse(shard, session, &error);
}

void session_reply(struct shard *shard, struct session *session, struct hub_reply *reply)
{
    if (session->stage == SESSION_CLOSING) {
        frame_release(reply->frame);
        return;
    }
    forgive(shard, session);
    if (reply->type == HUB_ERROR && session->errors == ERRORS_MAX) {
        frame_release(reply->frame);
        refuse_with(shard, session, PROTO_E_RANGE, "", "too many mistakes", true);
        return;
    }
    bool told = push_pending(session, reply->frame);
    switch (reply->type) {
    case HUB_WELCOME:
        if (session->stage == SESSION_JOINING) {
            session->stage = SESSION_LIVE;
            session_enter_stream(shard, session, reply);
            memcpy(session->versions, reply->versions, sizeof session->versions);
        }
        break;
    case HUB_STREAM:
        session_enter_stream(shard, session, reply);
        break;
    case HUB_CLOSE:
        session_close(session, reply->code, reply->reason);
        break;
    case HUB_ERROR:
        counter_add(&shard->counts.errors, told);
        session->errors++;
        break;
    case HUB_TELL:
    case HUB_GONE:
        break;
    }
}

static void on_hello(struct shard *shard, struct session *session, const struct proto_hello *hello)
{
    enum stream_encoding encoding;
    char message[PROTO_TEXT_MAX];

    if (session->stage != SESSION_NEW) {
        refuse_with(shard, session, PROTO_E_STATE, "", "hello was already said", true);
    } else if (!stream_encoding(hello, &encoding)) {
        refuse_with(shard, session, PROTO_E_ENCODING, "encodings",
                    "encodings: none of them is known here, expected one of: plain, packed", true);
    } else if (strcmp(hello->room, ROOM_LOBBY) != 0) {
        snprintf(message, sizeof message, "room: there is no room '%s' here, expected '%s'",
                 hello->room, ROOM_LOBBY);
        refuse_with(shard, session, PROTO_E_ROOM, "room", message, true);
    } else if (!hub_join(shard->hub, session->id, hello)) {
        session_close(session, PROTO_CLOSE_FULL, "out of memory");
    } else {
        session->stage = SESSION_JOINING;
        session->joined = true;
    }
}

static void on_message(struct shard *shard, struct session *session,
                       const struct proto_client_message *message)
{
    if (message->type == PROTO_HELLO) {
        on_hello(shard, session, &message->hello);
        return;
    }
    if (!session->joined) {
        refuse_with(shard, session, PROTO_E_STATE, "", "hello must be the first message", true);
        return;
    }
    if (message->type == PROTO_PING) {
        session->pong = message->ping.t;
        session->pong_due = true;
        session_flush(shard, session);
    } else if (!hub_send(shard->hub, session->id, message) && message->type != PROTO_CURSOR) {
        refuse_with(shard, session, PROTO_E_FULL, "", "too busy for this just now", false);
    }
}

/* Whether a message may be read now: a token bucket. One too many is ignored, and told of once. */
static bool within_rate(struct shard *shard, struct session *session)
{
    uint64_t now = hub_now(shard->hub);

    session->allowance += (float)(now - session->allowance_at) * (MESSAGES_PER_S / 1e6F);
    session->allowance_at = now;
    if (session->allowance > MESSAGES_BURST) {
        session->allowance = MESSAGES_BURST;
    }
    if (session->allowance >= 1.0F) {
        session->allowance -= 1.0F;
        return true;
    }
    if (!session->flooding) {
        session->flooding = true;
        refuse_with(shard, session, PROTO_E_FLOOD, "",
                    "more than 240 messages a second: those beyond are ignored", false);
    }
    if (++session->ignored >= IGNORED_MAX) {
        session_close(session, PROTO_CLOSE_FLOOD, "too many messages");
    }
    return false;
}

static void on_data(struct shard *shard, struct session *session, const uint8_t *data, size_t size)
{
    struct proto_client_message message;
    struct proto_error error;

    counter_add(&shard->counts.received, 1);
    if (!within_rate(shard, session)) {
        return;
    }
    if (proto_decode_client(shard->decoder, data, size, &message, &error) == PROTO_OK) {
        on_message(shard, session, &message);
    } else {
        refuse(shard, session, &error);
    }
}

/* Gathers the pieces of a message, of at most PROTO_MESSAGE_MAX bytes. Returns false if there is no
 * memory. */
static bool gather(struct session *session, const uint8_t *data, size_t size)
{
    if (session->partial == NULL) {
        session->partial = malloc(PROTO_MESSAGE_MAX);
        session->partial_size = 0;
    }
    if (session->partial == NULL) {
        return false;
    }
    memcpy(session->partial + session->partial_size, data, size);
    session->partial_size += size;
    return true;
}

static void on_receive(struct shard *shard, struct session *session, const uint8_t *data,
                       size_t size)
{
    struct lws *wsi = session->wsi;
    bool whole = lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
    size_t so_far = session->partial != NULL ? session->partial_size : 0;

    if (session->stage == SESSION_CLOSING) {
        return;
    }
    if (!lws_frame_is_binary(wsi)) {
        session_close(session, (enum proto_close)LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE,
                      "flock.v1 has binary messages only");
    } else if (so_far + size + lws_remaining_packet_payload(wsi) > PROTO_MESSAGE_MAX) {
        session_close(session, (enum proto_close)LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE,
                      "a message may have 1,024 bytes at the most");
    } else if (whole && session->partial == NULL) {
        on_data(shard, session, data, size);
    } else if (!gather(session, data, size)) {
        session_close(session, PROTO_CLOSE_FULL, "out of memory");
    } else if (whole) {
        on_data(shard, session, session->partial, session->partial_size);
        free(session->partial);
        session->partial = NULL;
    }
}

/* ---- life ---- */

static void on_open(struct shard *shard, struct session *session, struct lws *wsi)
{
    memset(session, 0, sizeof *session);
    session->wsi = wsi;
    counter_add(&shard->counts.opened, 1);
    if (shard->stopping || !shard_add(shard, session)) {
        session_close(session, shard->stopping ? PROTO_CLOSE_SHUTDOWN : PROTO_CLOSE_FULL,
                      shard->stopping ? SHARD_STOPPING : "the server is full");
        return;
    }
    session->allowance = MESSAGES_BURST;
    session->heard_at = session->allowance_at = hub_now(shard->hub);
}

static void drop_pending(struct session *session)
{
    while (session->pending_count > 0) {
        frame_release(session->pending[--session->pending_count]);
    }
}

/* The client's close frame is in, and libwebsockets sends it back: nothing may follow that. */
static void on_peer_close(struct session *session, const uint8_t *code, size_t size)
{
    drop_pending(session);
    if (session->stage != SESSION_CLOSING) {
        session->stage = SESSION_CLOSING;
        session->close_code = CLOSE_NO_CODE;
        if (size >= 2) {
            session->close_code = (uint16_t)(code[0] << 8 | code[1]);
        }
    }
}

static void on_close(struct shard *shard, struct session *session)
{
    if (session->close_code == 0) {
        session->close_code = CLOSE_BROKEN;
    }
    counts_close(&shard->counts, session->close_code);
    if (session->id != 0) {
        drop_pending(session);
        free(session->partial);
        session_leave_stream(shard, session);
        shard_remove(shard, session);
    }
}

void session_watch(struct session *session, uint64_t now)
{
    if (session->stage == SESSION_NEW && now > session->heard_at + HELLO_TIME) {
        session_close(session, PROTO_CLOSE_NO_HELLO, "no hello within 10 seconds");
    } else if (now > session->heard_at + PONG_TIME) {
        session_close(session, PROTO_CLOSE_STALLED, "no answer to a ping for 40 seconds");
    }
}

/* The session's timer is for its end: the close frame goes out when -1 is returned from here. From
 * the writable callback it would not: Debian's libwebsockets is built with a test of its own that
 * closes twice there, and the second time drops the connection. */
static int on_timer(struct shard *shard, struct session *session)
{
    char reason[124]; /* the most that fits in a close frame */

    if (session->stage != SESSION_CLOSING) {
        return 0;
    }
    if (session->close_reason == NULL) {
        return -1; /* its socket is broken, or the client has closed it and dawdles */
    }
    session_flush(shard, session);
    if ((session->pending_count > 0 || lws_partial_buffered(session->wsi)) &&
        session->close_turns-- > 0) {
        lws_set_timer_usecs(session->wsi, CLOSE_TURN);
        return 0;
    }
    drop_pending(session);
    snprintf(reason, sizeof reason, "%s", session->close_reason);
    lws_close_reason(session->wsi, (enum lws_close_status)session->close_code,
                     (unsigned char *)reason, strlen(reason));
    return -1;
}

/* Whether a browser's page may connect: one that flockd served, or one of the origin that
 * --allow-origin names. */
static bool origin_allowed(const struct shard *shard, struct lws *wsi)
{
    const char *allowed = shard->config->allow_origin;
    char origin[300];
    char host[300];
    const char *name;

    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0) {
        return true; /* not a browser */
    }
    if (lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) < 0 ||
        lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) < 0) {
        return false;
    }
    name = strstr(origin, "://");
    return strcmp(allowed, "*") == 0 || strcasecmp(allowed, origin) == 0 ||
           (name != NULL && strcasecmp(name + 3, host) == 0);
}

/* Returns non-zero, after an answer, to refuse an upgrade. */
static int on_upgrade(const struct shard *shard, struct lws *wsi)
{
    char path[16];

    if (lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) < 0 || strcmp(path, "/ws") != 0) {
        lws_return_http_status(wsi, HTTP_STATUS_NOT_FOUND, "The flock's WebSocket is at /ws.");
        return -1;
    }
    if (!origin_allowed(shard, wsi)) {
        lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN,
                               "Pages of this origin may not connect; see --allow-origin.");
        return -1;
    }
    return 0;
}

int session_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t size)
{
    struct shard *shard = lws_context_user(lws_get_context(wsi));
    struct session *session = user;

    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return on_upgrade(shard, wsi);
    case LWS_CALLBACK_ESTABLISHED:
        on_open(shard, session, wsi);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        on_receive(shard, session, in, size);
        return 0;
    case LWS_CALLBACK_RECEIVE_PONG:
        session->heard_at = hub_now(shard->hub);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        session_flush(shard, session);
        return 0;
    case LWS_CALLBACK_TIMER:
        return on_timer(shard, session);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        on_peer_close(session, in, size);
        return 0;
    case LWS_CALLBACK_CLOSED:
        on_close(shard, session);
        return 0;
    default:
        return 0;
    }
}
