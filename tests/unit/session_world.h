/* A session between libwebsockets and a link, which this file simulates: what the client sends and
 * gets, and what the link does. For the tests of a session. */
#ifndef SESSION_WORLD_H
#define SESSION_WORLD_H

#include "net/session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../attack/failing.h"

#include "net/gate/connection.h"
#include "net/gate/place.h"
#include "net/gate/rates.h"
#include "net/gate/ready.h"
#include "net/session/session_parts.h"

#define ROOM   UINT64_C(0x700000003)
#define AHEAD  INT64_C(5000000000) /* µs */
#define FRAMES 64u

/* ---- libwebsockets ---- */

static struct context context;
static struct connection *connection;
static struct lws *const wsi = (struct lws *)&context; /* never read */

static struct sent {
    uint8_t bytes[PROTO_STATE_MAX];
    size_t size;
} sent[FRAMES];
static uint32_t sent_count, read_count, ping_count;
static unsigned closed, closes; /* the code of the latest close frame, and their number */
static char close_text[124];

void *lws_context_user(struct lws_context *of)
{
    (void)of;
    return &context;
}

struct lws_context *lws_get_context(const struct lws *of)
{
    (void)of;
    return NULL;
}

void *lws_get_opaque_user_data(const struct lws *of)
{
    (void)of;
    return connection;
}

static int server_end = -1; /* of the connection; -1: it has no socket, as if over TLS */

lws_sockfd_type lws_get_socket_fd(struct lws *of)
{
    (void)of;
    return server_end;
}

int lws_is_ssl(struct lws *of)
{
    (void)of;
    return server_end < 0; /* the kernel does not report unsent bytes */
}

int lws_is_final_fragment(struct lws *of)
{
    (void)of;
    return 1;
}

size_t lws_remaining_packet_payload(struct lws *of)
{
    (void)of;
    return 0;
}

int lws_frame_is_binary(struct lws *of)
{
    (void)of;
    return 1;
}

static bool holds_part; /* libwebsockets holds a part of a message */
static uint32_t asks;   /* whether it does */

int lws_partial_buffered(struct lws *of)
{
    (void)of;
    asks++;
    return holds_part;
}

int lws_callback_on_writable(struct lws *of)
{
    (void)of;
    return 0;
}

static int close_length; /* of a close frame that libwebsockets will send */

int lws_get_close_length(struct lws *of)
{
    (void)of;
    return close_length;
}

unsigned char *lws_get_close_payload(struct lws *of)
{
    static unsigned char bytes[LWS_PRE + 2];

    (void)of;
    bytes[LWS_PRE] = 1002 >> 8;
    bytes[LWS_PRE + 1] = 1002 & 255;
    return bytes + LWS_PRE;
}

/* Ends the connection, as sessions ask for it. */
static bool killed;

void lws_set_timeout(struct lws *of, enum pending_timeout reason, int how)
{
    (void)of;
    (void)reason;
    killed |= how == LWS_TO_KILL_SYNC;
}

void lws_set_timer_usecs(struct lws *of, lws_usec_t time)
{
    (void)of;
    (void)time;
}

static bool may_read;

int lws_rx_flow_control(struct lws *of, int enable)
{
    (void)of;
    may_read = enable != 0;
    return 0;
}

static struct {
    uint8_t bytes[PROTO_MESSAGE_MAX];
    size_t size; /* 0: nothing */
} received;      /* sent by the client, and not read by the server */
static void read_received(void);

int lws_service_fd(struct lws_context *of, struct lws_pollfd *readable)
{
    (void)of;
    assert_true(may_read && readable->revents == LWS_POLLIN);
    read_received();
    return 0;
}

static uint32_t looks; /* times that the socket is looked at */

bool ready_add(const struct ready *ready, int socket, void *owner)
{
    (void)ready;
    (void)socket;
    (void)owner;
    return true;
}

void ready_again(const struct ready *ready, int socket, void *owner)
{
    (void)ready;
    (void)socket;
    (void)owner;
    looks++;
}

void ready_remove(const struct ready *ready, int socket)
{
    (void)ready;
    (void)socket;
}

static struct session *session;

void lws_set_wsi_user(struct lws *of, void *user)
{
    (void)of;
    session = user;
}

void lws_cancel_service(struct lws_context *of)
{
    (void)of;
}

int lws_write(struct lws *of, unsigned char *bytes, size_t size, enum lws_write_protocol as)
{
    (void)of;
    if (as == LWS_WRITE_BINARY) {
        assert_true(sent_count < FRAMES && size <= sizeof sent[0].bytes);
        memcpy(sent[sent_count].bytes, bytes, size);
        sent[sent_count++].size = size;
    }
    ping_count += as == LWS_WRITE_PING;
    if (as == LWS_WRITE_HTTP && bytes[0] == 0x88) {
        assert_int_equal(bytes[1], size - 2);
        closed = size >= 4 ? (unsigned)(bytes[2] << 8 | bytes[3]) : 1005;
        snprintf(close_text, sizeof close_text, "%.*s", size >= 4 ? (int)size - 4 : 0,
                 (const char *)bytes + 4);
        closes++;
    }
    return (int)size;
}

/* ---- the links ---- */

static struct fake_link {
    struct link link; /* must be first */
    bool here;        /* joined and not left */
    bool busy;
    bool view_waits; /* a view of a room of the server's */
    uint64_t session;
    struct proto_hello hello;
    char address[NETWORK_ADDRESS_MAX];
    bool presenters_only;
    enum proto_type heard[FRAMES];
    uint32_t heard_count, answers, eases;
    uint32_t level, overload, stream;
    char answer[PROTO_TEXT_MAX + 1]; /* the message of the latest */
    enum end_reason why;
} fake;

static bool fake_trusted; /* the server trusts the room */

static bool fake_find(struct links *links, const char *code, struct link_room *room)
{
    (void)links;
    *room = (struct link_room){.by_server = fake_trusted, .trusted = fake_trusted};
    return strcmp(code, "FK72MX") == 0;
}

static struct link *fake_join(struct links *links, const struct link_request *request)
{
    assert_ptr_equal(links, context.links);
    assert_false(fake.here);
    fake = (struct fake_link){.link.links = links,
                              .here = true,
                              .session = request->session,
                              .hello = *request->hello,
                              .presenters_only = request->presenters_only};
    snprintf(fake.address, sizeof fake.address, "%s", request->address);
    return &fake.link;
}

static bool fake_send(struct link *link, const struct proto_client_message *message)
{
    assert_ptr_equal(link, &fake);
    if (!fake.busy) {
        fake.heard[fake.heard_count++] = message->type;
    }
    return !fake.busy;
}

static void note_answer(const struct frame *answer);

static bool fake_answer(struct link *link, struct frame *answer)
{
    assert_ptr_equal(link, &fake);
    fake.answers++;
    note_answer(answer);
    frame_release(answer);
    return true;
}

static bool fake_ease(struct link *link, const struct room_ease *ease)
{
    (void)link;
    fake.level = ease->line;
    fake.overload = ease->overload;
    fake.eases++;
    return true;
}

static bool fake_want_key(struct link *link, uint32_t stream)
{
    (void)link;
    fake.stream = stream;
    return true;
}

static bool fake_view_waits(const struct links *links, bool by_server)
{
    (void)links;
    return by_server && fake.view_waits;
}

static void fake_leave(struct link *link, enum end_reason why)
{
    assert_ptr_equal(link, &fake);
    assert_true(fake.here);
    fake.here = false;
    fake.why = why;
}

/* Shards take replies and views, so these calls are missing. */
static const struct link_calls calls = {.find = fake_find,
                                        .join = fake_join,
                                        .send = fake_send,
                                        .answer = fake_answer,
                                        .ease = fake_ease,
                                        .want_key = fake_want_key,
                                        .leave = fake_leave,
                                        .view_waits = fake_view_waits};

/* ---- a client ---- */

static struct config config;
static struct service service;
static struct roster roster;
static struct links links = {.calls = &calls};
static uv_loop_t loop;
static uv_timer_t ender;
static struct proto_decoder *decoder; /* the client's */
static struct proto_server_message *heard;

static int call(enum lws_callback_reasons reason, void *in, size_t size)
{
    uv_update_time(&loop); /* the loop has just found the event */
    (void)meter_take(&context.meter);
    return session_callback(wsi, reason, session, in, size);
}

static int make(void **state)
{
    (void)state;
    memset(&config, 0, sizeof config);
    config.stall_timeout = config.hello_timeout = 60;
    memset(&service, 0, sizeof service);
    service.config = &config;
    service.clients_max = 8;
    service.rates = rates_create(0, 0, 0);
    service.places = places_create(8, 1);
    assert_int_equal(uv_loop_init(&loop), 0);
    context =
        (struct context){.service = &service, .loop = &loop, .roster = &roster, .links = &links};
    uv_timer_init(&loop, &ender);
    context.ender = &ender;
    context.decoder = proto_decoder_create();
    bandwidth_init(&service.bandwidth, 0, 0, 0);
    admission_init(&context.admission, 8, 1000, 1);
    admission_init(&context.adopted, 8, 0, 1);
    roster_init(&roster, false);
    meter_init(&context.meter, uv_hrtime, meter_thread);
    readers_init(&context.readers);
    links.clock_start = uv_hrtime();
    connection = calloc(1, sizeof *connection);
    session = NULL;
    slab_init(&context.sessions, sizeof *session);
    decoder = proto_decoder_create();
    heard = malloc(sizeof *heard);
    sent_count = read_count = ping_count = 0;
    closed = closes = 0;
    close_length = 0;
    killed = holds_part = false;
    server_end = -1;
    fake = (struct fake_link){0};
    fake_trusted = false;
    call(LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION, NULL, 0);
    call(LWS_CALLBACK_ESTABLISHED, NULL, 0);
    received.size = 0;
    session_read(&context);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    call(LWS_CALLBACK_CLOSED, NULL, 0);
    assert_false(fake.here);
    roster_finish(&roster);
    readers_finish(&context.readers);
    uv_close((uv_handle_t *)&ender, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    rates_destroy(service.rates);
    places_destroy(service.places);
    proto_decoder_destroy(context.decoder);
    proto_decoder_destroy(decoder);
    free(heard);
    session_gone(&context, wsi);
    session = NULL;
    free(connection);
    return 0;
}

static void say(const struct proto_client_message *message)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    size_t size = proto_encode_client(bytes, sizeof bytes, message);

    assert_true(size > 0);
    call(LWS_CALLBACK_RECEIVE, bytes, size);
}

static void read_received(void)
{
    const size_t size = received.size;

    if (size > 0) {
        received.size = 0;
        call(LWS_CALLBACK_RECEIVE, received.bytes, size);
    }
}

/* The client's message arrives. The server has not read it yet. */
static inline void send_message(const struct proto_client_message *message)
{
    assert_int_equal(received.size, 0);
    received.size = proto_encode_client(received.bytes, sizeof received.bytes, message);
    assert_true(received.size > 0);
    session_is_ready(&context, session);
}

static void say_hello(const char *code)
{
    struct proto_client_message hello = {
        .type = PROTO_HELLO,
        .hello = {.version = PROTO_VERSION, .encoding_count = 1, .encodings = {"plain"}}};

    snprintf(hello.hello.room, sizeof hello.hello.room, "%s", code);
    snprintf(hello.hello.name, sizeof hello.hello.name, "Ada");
    say(&hello);
}

/* Returns the next message that the client gets. */
static const struct proto_server_message *next_heard(void)
{
    struct proto_error error;

    assert_true(read_count < sent_count);
    assert_int_equal(
        proto_decode_server(decoder, sent[read_count].bytes, sent[read_count].size, heard, &error),
        PROTO_OK);
    read_count++;
    return heard;
}

static void note_answer(const struct frame *answer)
{
    struct proto_error error;

    assert_int_equal(
        proto_decode_server(decoder, answer->bytes + FRAME_HEADROOM, answer->size, heard, &error),
        PROTO_OK);
    snprintf(fake.answer, sizeof fake.answer, "%s", heard->error.message);
}

/* Lets that many ms pass, in which nothing happens. */
static void pass(uint32_t time)
{
    links.clock_start -= (uint64_t)time * 1000000;
}

/* Does the work of a shard in a second. */
static void watch(uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        pass(1000);
        session_clock(&context);
        session_watch(&context, session, links_now(&links));
    }
}

static struct frame *error_frame(enum proto_code code)
{
    const struct proto_error error = {.code = code, .type = PROTO_NAME};
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    assert_non_null(frame);
    return frame_end(frame, proto_encode_error(frame_data(frame), frame->capacity, &error));
}

/* Lets the room admit the session. The session does not read the welcome's frame. */
static void grant(uint64_t room)
{
    struct hub_reply reply = {.type = HUB_TOLD,
                              .session = fake.session,
                              .frame = error_frame(PROTO_E_RANGE),
                              .granted = true,
                              .grant = {.stream = {.joined = true, .room = room}, .ahead = AHEAD}};

    session_reply(&context, session, &reply);
}

static void join(void)
{
    say_hello("FK72MX");
    grant(ROOM);
    assert_int_equal(next_heard()->type, PROTO_ERROR); /* the frame of grant() */
}

#endif
