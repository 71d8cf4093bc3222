/* The WebSocket client with a malicious server, on loopback. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/client.h"

#include <libwebsockets.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TICK_MS = 10, DEADLINE_MS = 30000, REQUEST_MAX = 4096, HEARD_MAX = 256 };

struct fixture {
    uv_loop_t loop;
    uv_tcp_t listener, peer;
    uv_timer_t ticker, deadline;
    struct term_url url;
    struct term_client *client;
    const char *status; /* the server's answer; NULL: none; "": a correct handshake */
    uint8_t *frames;    /* bytes that it sends after the answer */
    size_t frames_size;
    char answer[512];
    char request[REQUEST_MAX];
    size_t request_size;
    bool accepted, opened, closed, late;
    int tries; /* of addresses */
    int code;
    char reason[HEARD_MAX];
    uint8_t heard[HEARD_MAX];
    size_t heard_size;
};

static void on_opened(void *owner)
{
    ((struct fixture *)owner)->opened = true;
}

static void on_received(void *owner, const uint8_t *data, size_t size)
{
    struct fixture *fixture = owner;
    fixture->heard_size = size;
    memcpy(fixture->heard, data, size < HEARD_MAX ? size : HEARD_MAX);
}

static void on_closed(void *owner, int code, const char *reason)
{
    struct fixture *fixture = owner;
    fixture->closed = true;
    fixture->code = code;
    snprintf(fixture->reason, sizeof fixture->reason, "%s", reason);
}

static size_t on_next(void *owner, uint8_t *buffer)
{
    (void)owner;
    *buffer = 0;
    return 0; /* no answer */
}

static void on_trying(void *owner)
{
    ((struct fixture *)owner)->tries++;
}

static void on_tick(uv_timer_t *timer)
{
    struct fixture *fixture = timer->data;
    term_client_tick(fixture->client);
}

static void on_deadline(uv_timer_t *timer)
{
    ((struct fixture *)timer->data)->late = true;
}

static void allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    struct fixture *fixture = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(fixture->request + fixture->request_size,
                          (unsigned)(REQUEST_MAX - 1 - fixture->request_size));
}

/* Writes the correct answer to the handshake (RFC 6455). */
static void accept_handshake(struct fixture *fixture)
{
    static const char name[] = "Sec-WebSocket-Key: ";
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char key[128];
    unsigned char hash[20];
    char accept[64];
    const char *start = strstr(fixture->request, name);
    assert_non_null(start);
    start += strlen(name);
    int length = snprintf(key, sizeof key, "%.*s%s", (int)strcspn(start, "\r"), start, guid);
    lws_SHA1((const unsigned char *)key, (size_t)length, hash);
    lws_b64_encode_string((const char *)hash, sizeof hash, accept, sizeof accept);
    snprintf(fixture->answer, sizeof fixture->answer,
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: flock.v1\r\n\r\n",
             accept);
}

static void on_written(uv_write_t *request, int status)
{
    (void)status;
    free(request);
}

static void send_bytes(struct fixture *fixture, void *bytes, size_t size)
{
    uv_buf_t buffer = uv_buf_init(bytes, (unsigned)size);
    uv_write_t *request = calloc(1, sizeof *request);
    assert_non_null(request);
    if (uv_write(request, (uv_stream_t *)&fixture->peer, &buffer, 1, on_written) != 0) {
        free(request);
    }
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    struct fixture *fixture = stream->data;
    (void)buffer;
    if (size <= 0) {
        uv_read_stop(stream);
        return;
    }
    fixture->request_size += (size_t)size;
    fixture->request[fixture->request_size] = '\0';
    if (strstr(fixture->request, "\r\n\r\n") == NULL || fixture->status == NULL) {
        return;
    }
    uv_read_stop(stream);
    snprintf(fixture->answer, sizeof fixture->answer, "%s", fixture->status);
    if (*fixture->status == '\0') {
        accept_handshake(fixture);
    }
    send_bytes(fixture, fixture->answer, strlen(fixture->answer));
    if (fixture->frames_size > 0) {
        send_bytes(fixture, fixture->frames, fixture->frames_size);
    }
}

static void on_connection(uv_stream_t *stream, int status)
{
    struct fixture *fixture = stream->data;
    assert_int_equal(status, 0);
    assert_false(fixture->accepted); /* one connection per test */
    fixture->accepted = true;
    uv_tcp_init(&fixture->loop, &fixture->peer);
    fixture->peer.data = fixture;
    assert_int_equal(uv_accept(stream, (uv_stream_t *)&fixture->peer), 0);
    uv_read_start((uv_stream_t *)&fixture->peer, allocate, on_read);
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct sockaddr_in address;
    int length = sizeof address;
    char error[128];
    char text[64];
    assert_non_null(fixture);
    *state = fixture;
    uv_loop_init(&fixture->loop);
    uv_tcp_init(&fixture->loop, &fixture->listener);
    fixture->listener.data = fixture;
    uv_ip4_addr("127.0.0.1", 0, &address);
    assert_int_equal(uv_tcp_bind(&fixture->listener, (const struct sockaddr *)&address, 0), 0);
    assert_int_equal(uv_listen((uv_stream_t *)&fixture->listener, 1, on_connection), 0);
    uv_tcp_getsockname(&fixture->listener, (struct sockaddr *)&address, &length);
    snprintf(text, sizeof text, "ws://127.0.0.1:%u/ws", ntohs(address.sin_port));
    assert_true(term_url_parse(text, &fixture->url, error, sizeof error));
    struct term_client_events events = {fixture,   on_opened, on_received,
                                        on_closed, on_next,   on_trying};
    fixture->client =
        term_client_create(&fixture->loop, &fixture->url, &(struct term_trust){0}, &events);
    assert_non_null(fixture->client);
    uv_timer_init(&fixture->loop, &fixture->ticker);
    uv_timer_init(&fixture->loop, &fixture->deadline);
    fixture->ticker.data = fixture->deadline.data = fixture;
    uv_timer_start(&fixture->ticker, on_tick, TICK_MS, TICK_MS);
    uv_timer_start(&fixture->deadline, on_deadline, DEADLINE_MS, 0);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    uv_close((uv_handle_t *)&fixture->ticker, NULL);
    uv_close((uv_handle_t *)&fixture->deadline, NULL);
    if (!uv_is_closing((uv_handle_t *)&fixture->listener)) {
        uv_close((uv_handle_t *)&fixture->listener, NULL);
    }
    if (fixture->accepted) {
        uv_close((uv_handle_t *)&fixture->peer, NULL);
    }
    assert_true(term_client_destroy(fixture->client));
    uv_run(&fixture->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&fixture->loop), 0); /* no handle is left open */
    free(fixture->frames);
    free(fixture);
    return 0;
}

/* The resolver of this program: the host two.test has two addresses, the first of which is silent.
 * The library asks for numeric addresses only. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): glibc's names are reserved. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    static const char *const both[] = {"127.0.0.2", "127.0.0.1"};
    bool two = strcmp(name, "two.test") == 0;
    (void)service;
    *found = NULL;
    for (int i = two ? 1 : 0; i >= 0; i--) {
        struct addrinfo *info = calloc(1, sizeof *info + sizeof(struct sockaddr_in));
        struct sockaddr_in *address = (struct sockaddr_in *)(info + 1);
        assert_non_null(info);
        uv_ip4_addr(two ? both[i] : name, 0, address);
        info->ai_family = AF_INET;
        info->ai_socktype =
            hints != NULL && hints->ai_socktype != 0 ? hints->ai_socktype : SOCK_STREAM;
        info->ai_addr = (struct sockaddr *)address;
        info->ai_addrlen = sizeof *address;
        info->ai_next = *found;
        *found = info;
    }
    return 0;
}

void freeaddrinfo(struct addrinfo *info)
{
    while (info != NULL) {
        struct addrinfo *next = info->ai_next;
        free(info);
        info = next;
    }
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* Connects and waits for the end of the connection. */
static void connect_until_closed(struct fixture *fixture)
{
    term_client_connect(fixture->client);
    while (!fixture->closed && !fixture->late) {
        uv_run(&fixture->loop, UV_RUN_ONCE);
    }
    assert_true(fixture->closed);
}

static void set_frames(struct fixture *fixture, const void *head, size_t size, size_t filler)
{
    fixture->status = "";
    fixture->frames_size = size + filler;
    fixture->frames = calloc(1, fixture->frames_size);
    assert_non_null(fixture->frames);
    memcpy(fixture->frames, head, size);
}

static void an_address_is_tried_without_a_lookup(void **state)
{
    struct fixture *fixture = *state;
    term_client_connect(fixture->client);
    assert_int_equal(fixture->tries, 1);
}

static void an_address_without_a_server(void **state)
{
    struct fixture *fixture = *state;
    uv_close((uv_handle_t *)&fixture->listener, NULL);
    connect_until_closed(fixture);
    assert_false(fixture->opened);
    assert_int_equal(fixture->code, 0);
    assert_string_equal(fixture->reason, "no server answers there");
}

static void server_that_never_answers(void **state)
{
    struct fixture *fixture = *state;
    connect_until_closed(fixture);
    assert_false(fixture->opened);
    assert_string_equal(fixture->reason, "no server answers there");
    term_client_drop(fixture->client); /* the connection has already ended */
}

/* Listens on 127.0.0.2 and accepts no client. */
static int listen_silently(int port)
{
    struct sockaddr_in address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listener >= 0);
    uv_ip4_addr("127.0.0.2", port, &address);
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 8), 0);
    return listener;
}

/* The server has closed a connection: waits for the next one. */
static void await_peer(struct fixture *fixture)
{
    uv_close((uv_handle_t *)&fixture->peer, NULL);
    uv_run(&fixture->loop, UV_RUN_NOWAIT);
    fixture->accepted = fixture->opened = fixture->closed = false;
    fixture->request_size = 0;
    fixture->tries = 0;
}

static void each_address_has_its_time_and_the_one_that_worked_comes_first(void **state)
{
    static const uint8_t frames[] = {0x88, 0}; /* the server closes at once */
    struct fixture *fixture = *state;
    char error[128];
    char text[64];
    const int silent = listen_silently(fixture->url.port);
    set_frames(fixture, frames, sizeof frames, 0);
    snprintf(text, sizeof text, "ws://two.test:%u/ws", fixture->url.port);
    assert_true(term_url_parse(text, &fixture->url, error, sizeof error));
    assert_true(term_client_aim(fixture->client, ""));
    connect_until_closed(fixture);
    assert_true(fixture->opened);
    assert_int_equal(fixture->tries, 2);
    await_peer(fixture);
    connect_until_closed(fixture);
    assert_true(fixture->opened);
    assert_int_equal(fixture->tries, 1);
    close(silent);
}

static void server_that_is_dropped_while_it_thinks(void **state)
{
    struct fixture *fixture = *state;
    term_client_connect(fixture->client);
    while (fixture->request_size == 0 && !fixture->late) {
        uv_run(&fixture->loop, UV_RUN_ONCE);
    }
    term_client_drop(fixture->client);
    assert_false(fixture->closed); /* the caller of drop gets no callback */
}

static void a_server_that_is_not_flockd(void **state)
{
    struct fixture *fixture = *state;
    fixture->status = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    connect_until_closed(fixture);
    assert_false(fixture->opened);
    assert_string_equal(fixture->reason, "the server there is not flockd");
}

/* The room in the query is for proxies. */
static void request_names_host_and_protocol(void **state)
{
    struct fixture *fixture = *state;
    char host[64];
    fixture->status = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    assert_true(term_client_aim(fixture->client, "fk7 2mx"));
    connect_until_closed(fixture);
    snprintf(host, sizeof host, "\r\nHost: 127.0.0.1:%u\r\n", fixture->url.port);
    assert_ptr_equal(strstr(fixture->request, "GET /ws?room=FK72MX HTTP/1.1\r\n"),
                     fixture->request);
    assert_non_null(strstr(fixture->request, host));
    assert_non_null(strstr(fixture->request, "\r\nSec-WebSocket-Protocol: flock.v1\r\n"));
    assert_null(strstr(fixture->request, "Extensions"));
}

static void fragments_become_one_message(void **state)
{
    static const uint8_t frames[] = {0x02, 2, 'a', 'b',  0x89, 0, /* a ping between them */
                                     0x00, 1, 'c', 0x80, 1,    'd', 0x88, 0};
    struct fixture *fixture = *state;
    set_frames(fixture, frames, sizeof frames, 0);
    connect_until_closed(fixture);
    assert_true(fixture->opened);
    assert_int_equal(fixture->heard_size, 4);
    assert_memory_equal(fixture->heard, "abcd", 4);
}

static void text_is_no_message(void **state)
{
    static const uint8_t frames[] = {0x81, 2, 'h', 'i', 0x88, 0};
    struct fixture *fixture = *state;
    set_frames(fixture, frames, sizeof frames, 0);
    connect_until_closed(fixture);
    assert_int_equal(fixture->heard_size, 0);
}

static void close_code_and_reason_are_handed_on(void **state)
{
    static const uint8_t frames[] = {0x88, 11,  0x0d, 0xb0, 'e', 'l', 's',
                                     'e',  'w', 'h',  'e',  'r', 'e'};
    struct fixture *fixture = *state;
    set_frames(fixture, frames, sizeof frames, 0);
    connect_until_closed(fixture);
    assert_int_equal(fixture->code, 3504);
    assert_string_equal(fixture->reason, "elsewhere");
}

static void message_without_end_is_cut_off(void **state)
{
    static const uint8_t head[] = {0x82, 0x7f, 0, 0, 0, 1, 0, 0, 0, 0}; /* 4 GiB */
    struct fixture *fixture = *state;
    set_frames(fixture, head, sizeof head, 16 << 20);
    connect_until_closed(fixture);
    assert_int_equal(fixture->heard_size, 0);
    assert_string_equal(fixture->reason, "the server sent a message that is too long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_address_is_tried_without_a_lookup, setup, teardown),
        cmocka_unit_test_setup_teardown(an_address_without_a_server, setup, teardown),
        cmocka_unit_test_setup_teardown(server_that_never_answers, setup, teardown),
        cmocka_unit_test_setup_teardown(
            each_address_has_its_time_and_the_one_that_worked_comes_first, setup, teardown),
        cmocka_unit_test_setup_teardown(server_that_is_dropped_while_it_thinks, setup, teardown),
        cmocka_unit_test_setup_teardown(a_server_that_is_not_flockd, setup, teardown),
        cmocka_unit_test_setup_teardown(request_names_host_and_protocol, setup, teardown),
        cmocka_unit_test_setup_teardown(fragments_become_one_message, setup, teardown),
        cmocka_unit_test_setup_teardown(text_is_no_message, setup, teardown),
        cmocka_unit_test_setup_teardown(close_code_and_reason_are_handed_on, setup, teardown),
        cmocka_unit_test_setup_teardown(message_without_end_is_cut_off, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
