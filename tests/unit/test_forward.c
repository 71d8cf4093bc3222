/* Forwarded requests: two plain sockets stand for the client and the other node, and the loop runs
 * until what is expected has come. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <uv.h>

#include "cluster/forward.h"

#define PATIENCE  60000000000u /* ns */
#define LONG_MS   60000
#define HEAD      "PATCH /api/rooms/FK72MX HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"
#define KEY       "0123456789abcdef0123456789abcdef"
#define CLIENT    "192.0.2.7"
#define LIMIT     16
#define RESERVE   2 /* an eighth of the streams, for each rank above strangers */
#define STRANGERS (LIMIT - 3 * RESERVE)
#define REWRITTEN                                                                                  \
    "PATCH /api/rooms/FK72MX HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"                         \
    "x-forwarded-for: " CLIENT "\r\nx-flockd-node-key: " KEY "\r\nconnection: close\r\n\r\n"

static uv_loop_t loop;
static struct forwards *forwards;
static _Atomic uint64_t forwarded, failed;
static int listener;
static struct forward_node there;
static bool begun; /* the newest request was passed on */

static int make_forwards(uint32_t connect_time, uint32_t silence)
{
    const struct forwards_definition definition = {.limit = LIMIT,
                                                   .connect_time = connect_time,
                                                   .silence = silence,
                                                   .linger = LONG_MS,
                                                   .forwarded = &forwarded,
                                                   .failed = &failed};
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;

    forwarded = failed = 0;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 32), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(there.address, sizeof there.address, "127.0.0.1:%u", ntohs(address.sin_port));
    snprintf(there.key, sizeof there.key, KEY);
    assert_int_equal(uv_loop_init(&loop), 0);
    forwards = forwards_create(&loop, &definition);
    return forwards == NULL;
}

/* A busy machine may stop the test for a moment, which must not look like silence. */
static int set_up(void **state)
{
    (void)state;
    return make_forwards(LONG_MS, LONG_MS);
}

static int set_up_for_silence(void **state)
{
    (void)state;
    return make_forwards(LONG_MS, 1000);
}

static int set_up_for_no_connection(void **state)
{
    (void)state;
    return make_forwards(200, LONG_MS);
}

/* All memory and sockets are given back. */
static int tear_down(void **state)
{
    (void)state;
    forwards_destroy(forwards);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(listener);
    return uv_loop_close(&loop);
}

static void turn_loop(uint64_t began)
{
    assert_true(uv_hrtime() - began < PATIENCE);
    uv_run(&loop, UV_RUN_NOWAIT);
}

/* Begins a request; returns the client's end. */
static int begin_request(const char *text, const struct forward_request *request)
{
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    assert_int_equal(send(ends[0], text, strlen(text), 0), strlen(text));
    begun = forward_begin(forwards, ends[1], request, &there);
    return ends[0];
}

static int request_as(const char *client, const char *text, size_t head_size)
{
    return begin_request(text, &(struct forward_request){.head_size = head_size, .client = client});
}

static int request_with_key(const char *client)
{
    return begin_request(HEAD, &(struct forward_request){.head_size = strlen(HEAD),
                                                         .client = client,
                                                         .rank = FORWARD_SERVER});
}

/* With the key of a room of that rank. */
static int request_of_room(enum forward_rank rank, uint64_t account)
{
    return begin_request(
        HEAD, &(struct forward_request){
                  .head_size = strlen(HEAD), .client = CLIENT, .rank = rank, .account = account});
}

/* Strangers of different addresses take all streams that they can have. */
static void fill_with_strangers(int strangers[STRANGERS])
{
    char address[16];

    for (int i = 0; i < STRANGERS; i++) {
        snprintf(address, sizeof address, "192.0.2.%d", 100 + i);
        strangers[i] = request_as(address, HEAD, strlen(HEAD));
    }
    assert_int_equal(failed, 0);
}

static int request(const char *text)
{
    return request_as(CLIENT, text, forward_head_size(text, strlen(text)));
}

static int accept_node(void)
{
    const uint64_t began = uv_hrtime();
    int fd;

    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) < 0) {
        assert_int_equal(errno, EAGAIN);
        turn_loop(began);
    }
    return fd;
}

/* Reads that many bytes, or up to the end with SIZE_MAX. Returns their number. */
static size_t read_bytes(int fd, char *bytes, size_t capacity, size_t most)
{
    const uint64_t began = uv_hrtime();
    size_t size = 0;

    while (size < most) {
        size_t wanted = most < capacity ? most : capacity;
        ssize_t more = recv(fd, bytes + size, wanted - size, 0);
        if (more == 0 || (more < 0 && errno != EAGAIN)) {
            break;
        }
        size += more > 0 ? (size_t)more : 0;
        turn_loop(began);
    }
    return size;
}

static void expect(int fd, const char *text)
{
    char bytes[4096] = "";
    size_t size = read_bytes(fd, bytes, sizeof bytes, strlen(text));

    assert_int_equal(size, strlen(text));
    assert_memory_equal(bytes, text, size);
}

static void expect_end(int fd)
{
    char bytes[16];

    assert_int_equal(read_bytes(fd, bytes, sizeof bytes, SIZE_MAX), 0);
}

static void expect_refusal(int fd, const char *status)
{
    char bytes[4096] = "";

    read_bytes(fd, bytes, sizeof bytes - 1, SIZE_MAX);
    assert_memory_equal(bytes, status, strlen(status));
    close(fd);
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* Answers as the node. */
static void answer_requests(int count)
{
    for (int i = 0; i < count; i++) {
        int node = accept_node();
        say(node, "HTTP/1.1 204 No Content\r\n\r\n");
        close(node);
    }
}

/* ---- tests ---- */

static void test_both_ways(void **state)
{
    int client = request(HEAD "bo");
    int node = accept_node();

    (void)state;
    expect(node, REWRITTEN "bo");
    say(client, "dy");
    expect(node, "dy");
    say(node, "HTTP/1.1 204 No Content\r\n\r\n");
    close(node);
    expect(client, "HTTP/1.1 204 No Content\r\n\r\n");
    expect_end(client);
    close(client);
    assert_int_equal(forwarded, 1);
    assert_int_equal(failed, 0);
}

/* The client can finish its side and still read the answer. */
static void test_half_closed(void **state)
{
    int client = request(HEAD "body");
    int node = accept_node();

    (void)state;
    shutdown(client, SHUT_WR);
    expect(node, REWRITTEN "body");
    expect_end(node);
    say(node, "answer");
    close(node);
    expect(client, "answer");
    expect_end(client);
    close(client);
}

/* A client that does not read stops the node after the buffers are full, and no memory grows. */
static void test_slow_client(void **state)
{
    static char block[65536];
    int client = request(HEAD "body");
    int node = accept_node();
    size_t sent = 0;
    size_t got = 0;
    char *all;

    (void)state;
    expect(node, REWRITTEN "body");
    for (int quiet = 0; quiet < 200; quiet++) {
        ssize_t size = send(node, block, sizeof block, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (size > 0) {
            sent += (size_t)size;
            quiet = 0;
        }
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    assert_true(sent < 64u << 20);
    shutdown(node, SHUT_WR);
    all = malloc(sent + 1);
    got = read_bytes(client, all, sent + 1, SIZE_MAX);
    assert_int_equal(got, sent);
    free(all);
    close(client);
    close(node);
}

static void test_many_bytes(void **state)
{
    const size_t size = 3u << 20;
    char *body = malloc(size);
    char *got = malloc(size);
    int client = request(HEAD);
    int node = accept_node();
    const uint64_t began = uv_hrtime();
    size_t sent = 0;
    size_t taken = 0;

    (void)state;
    for (size_t i = 0; i < size; i++) {
        body[i] = (char)(i * 2654435761u >> 13);
    }
    expect(node, REWRITTEN);
    while (taken < size) {
        ssize_t out = send(client, body + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        ssize_t in = recv(node, got + taken, size - taken, 0);
        sent += out > 0 ? (size_t)out : 0;
        taken += in > 0 ? (size_t)in : 0;
        turn_loop(began);
    }
    assert_memory_equal(got, body, size);
    free(body);
    free(got);
    close(node);
    expect_refusal(client, "HTTP/1.1 503 "); /* the node ended without an answer */
}

static void test_node_is_gone(void **state)
{
    int client;

    (void)state;
    close(listener);
    client = request(HEAD "body");
    expect_refusal(client, "HTTP/1.1 503 ");
    assert_int_equal(failed, 1);
    listener = -1;
    snprintf(there.address, sizeof there.address, "not an address");
    expect_refusal(request(HEAD "body"), "HTTP/1.1 503 ");
    snprintf(there.address, sizeof there.address, "[::1:5");
    expect_refusal(request(HEAD "body"), "HTTP/1.1 503 ");
    assert_int_equal(failed, 3);
}

static void test_no_owner(void **state)
{
    int ends[2];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    forward_refuse(ends[1]);
    expect_refusal(ends[0], "HTTP/1.1 503 ");
}

static void test_malformed_head(void **state)
{
    (void)state;
    expect_refusal(request("PATCH /api/rooms/A HTTP/1.1\r\n folded\r\n\r\n"), "HTTP/1.1 400 ");
    assert_int_equal(failed, 1);
}

/* An answer that breaks off is not completed by this node. */
static void test_node_dies(void **state)
{
    const struct linger reset = {.l_onoff = 1};
    int client = request(HEAD "body");
    int node = accept_node();

    (void)state;
    expect(node, REWRITTEN "body");
    say(node, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf");
    expect(client, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf");
    setsockopt(node, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(node);
    expect_end(client);
    close(client);
}

static void test_client_dies(void **state)
{
    int client = request(HEAD "body");
    int node = accept_node();

    (void)state;
    expect(node, REWRITTEN "body");
    close(client);
    expect_end(node);
    close(node);
}

/* Of one address, or one IPv6 network, an eighth of all streams; the others still get in. */
static void test_share(void **state)
{
    int clients[5];

    (void)state;
    clients[0] = request(HEAD);
    clients[1] = request(HEAD);
    expect_refusal(request(HEAD), "HTTP/1.1 503 ");
    clients[2] = request_as("192.0.2.8", HEAD, strlen(HEAD));
    clients[3] = request_as("2001:db8::1", HEAD, strlen(HEAD));
    clients[4] = request_as("2001:db8::2", HEAD, strlen(HEAD));
    expect_refusal(request_as("2001:db8::3", HEAD, strlen(HEAD)), "HTTP/1.1 503 ");
    for (size_t i = 0; i < 5; i++) {
        close(accept_node());
        expect_refusal(clients[i], "HTTP/1.1 503 ");
    }
}

/* Five addresses hold all streams of strangers. The newest of an address with two gives way to a
 * newcomer. */
static void test_a_newcomer_gets_a_stream(void **state)
{
    char address[16];
    int clients[STRANGERS];
    int newcomer;

    (void)state;
    for (int i = 0; i < STRANGERS; i++) {
        snprintf(address, sizeof address, "192.0.2.%d", 100 + i / 2);
        clients[i] = request_as(address, HEAD, strlen(HEAD));
    }
    newcomer = request_as("192.0.2.8", HEAD, strlen(HEAD));
    expect_refusal(clients[STRANGERS - 1], "HTTP/1.1 503 ");
    assert_int_equal(failed, 1);
    expect_refusal(request_as("192.0.2.8", HEAD, strlen(HEAD)), "HTTP/1.1 503 ");
    expect_refusal(request_as("192.0.2.100", HEAD, strlen(HEAD)), "HTTP/1.1 503 ");
    assert_int_equal(failed, 3);
    for (int i = 0; i < STRANGERS + 1; i++) { /* that of the ended one, too */
        close(accept_node());
    }
    expect_refusal(newcomer, "HTTP/1.1 503 ");
    for (int i = 0; i < STRANGERS - 1; i++) {
        expect_refusal(clients[i], "HTTP/1.1 503 ");
    }
}

/* Strangers of as many addresses as there are streams leave the reserves. With all taken, a request
 * with the server's key ends the newest of the strangers, although a room has more streams. */
static void test_the_servers_key_has_a_reserve(void **state)
{
    int strangers[STRANGERS];
    int rooms[2 * RESERVE];
    int trusted[RESERVE + 1];

    (void)state;
    fill_with_strangers(strangers);
    expect_refusal(request_as("192.0.2.8", HEAD, strlen(HEAD)), "HTTP/1.1 503 ");
    assert_false(begun);
    for (int i = 0; i < RESERVE; i++) {
        rooms[i] = request_of_room(FORWARD_ROOM, 1);
        rooms[RESERVE + i] = request_of_room(FORWARD_TRUSTED, 1);
        trusted[i] = request_with_key(CLIENT);
        assert_true(begun);
    }
    assert_int_equal(failed, 1);
    trusted[RESERVE] = request_with_key(CLIENT);
    assert_int_equal(failed, 2);
    expect_refusal(strangers[STRANGERS - 1], "HTTP/1.1 503 ");
    answer_requests(LIMIT + 1);
    for (int i = 0; i < RESERVE + 1; i++) {
        expect_refusal(trusted[i], "HTTP/1.1 204 ");
    }
    for (int i = 0; i < 2 * RESERVE; i++) {
        expect_refusal(rooms[i], "HTTP/1.1 204 ");
    }
    for (int i = 0; i < STRANGERS - 1; i++) {
        expect_refusal(strangers[i], "HTTP/1.1 204 ");
    }
    uv_run(&loop, UV_RUN_DEFAULT); /* until all have ended */
    strangers[0] = request_as("192.0.2.8", HEAD, strlen(HEAD));
    answer_requests(1);
    expect_refusal(strangers[0], "HTTP/1.1 204 ");
}

/* Pupils use up the share of the teacher's address. Requests with the server's key need none, count
 * toward none, and end a pupil's. */
static void test_the_servers_key_needs_no_share(void **state)
{
    int pupils[2];
    int trusted[LIMIT - 1];

    (void)state;
    for (int i = 0; i < LIMIT - 1; i++) {
        if (i == LIMIT / 2) {
            pupils[0] = request(HEAD);
            pupils[1] = request(HEAD);
            expect_refusal(request(HEAD), "HTTP/1.1 503 ");
        }
        trusted[i] = request_with_key(CLIENT);
    }
    expect_refusal(pupils[1], "HTTP/1.1 503 ");
    assert_int_equal(failed, 2);
    expect_refusal(request_as("192.0.2.8", HEAD, strlen(HEAD)), "HTTP/1.1 503 ");
    assert_int_equal(failed, 3);
    answer_requests(LIMIT + 1);
    for (int i = 0; i < LIMIT - 1; i++) {
        expect_refusal(trusted[i], "HTTP/1.1 204 ");
    }
    expect_refusal(pupils[0], "HTTP/1.1 204 ");
}

/* Requests with the server's key can have all streams, and then end none of each other. */
static void test_all_with_the_servers_key(void **state)
{
    int trusted[LIMIT];

    (void)state;
    for (int i = 0; i < LIMIT; i++) {
        trusted[i] = request_with_key(CLIENT);
    }
    expect_refusal(request_with_key(CLIENT), "HTTP/1.1 503 ");
    assert_int_equal(failed, 1);
    answer_requests(LIMIT);
    for (int i = 0; i < LIMIT; i++) {
        expect_refusal(trusted[i], "HTTP/1.1 204 ");
    }
}

/* Strangers leave a reserve to requests with keys of rooms, and rooms of strangers leave one to
 * rooms that the server trusts. A newcomer ends the newest of the room with two, and no stranger's.
 */
static void test_keys_of_rooms_have_reserves(void **state)
{
    int strangers[STRANGERS];
    int rooms[2 * RESERVE];

    (void)state;
    fill_with_strangers(strangers);
    for (int i = 0; i < RESERVE; i++) {
        rooms[i] = request_of_room(FORWARD_ROOM, 1);
    }
    assert_int_equal(failed, 0);
    for (int i = 0; i < RESERVE; i++) {
        rooms[RESERVE + i] = request_of_room(FORWARD_ROOM, 2 + (uint64_t)i);
        assert_int_equal(failed, 1 + i);
        if (i == 0) {
            expect_refusal(rooms[RESERVE - 1], "HTTP/1.1 503 ");
        } else {
            expect_refusal(rooms[RESERVE + i], "HTTP/1.1 503 ");
        }
    }
    rooms[1] = request_of_room(FORWARD_TRUSTED, 1);
    rooms[3] = request_of_room(FORWARD_TRUSTED, 1);
    assert_int_equal(failed, RESERVE);
    expect_refusal(request_as("192.0.2.8", HEAD, strlen(HEAD)), "HTTP/1.1 503 ");
    expect_refusal(request_of_room(FORWARD_TRUSTED, 1), "HTTP/1.1 503 ");
    assert_int_equal(failed, RESERVE + 2);
    answer_requests(STRANGERS + 2 * RESERVE + 1);
    for (int i = 0; i < 2 * RESERVE; i++) {
        expect_refusal(rooms[i], "HTTP/1.1 204 ");
    }
    for (int i = 0; i < STRANGERS; i++) {
        expect_refusal(strangers[i], "HTTP/1.1 204 ");
    }
}

/* A room has an eighth, which is not taken from that of its client's address. Rooms keep
 * what strangers do not use until a stranger comes who has less. */
static void test_a_room_has_a_share(void **state)
{
    int rooms[8];
    int strangers[4];

    (void)state;
    strangers[0] = request(HEAD);
    strangers[1] = request(HEAD);
    for (int i = 0; i < 8; i++) {
        rooms[i] = request_of_room(FORWARD_ROOM, 1 + (uint64_t)i / 2);
    }
    expect_refusal(request_of_room(FORWARD_ROOM, 1), "HTTP/1.1 503 ");
    assert_int_equal(failed, 1);
    strangers[2] = request_as("192.0.2.8", HEAD, strlen(HEAD));
    strangers[3] = request_as("192.0.2.9", HEAD, strlen(HEAD));
    assert_int_equal(failed, 1);
    expect_refusal(request_as("192.0.2.8", HEAD, strlen(HEAD)), "HTTP/1.1 503 ");
    close(request_as("192.0.2.10", HEAD, strlen(HEAD)));
    expect_refusal(rooms[7], "HTTP/1.1 503 ");
    assert_int_equal(failed, 3);
    answer_requests(13);
    for (int i = 0; i < 7; i++) {
        expect_refusal(rooms[i], "HTTP/1.1 204 ");
    }
    for (int i = 0; i < 4; i++) {
        expect_refusal(strangers[i], "HTTP/1.1 204 ");
    }
}

/* A node that accepts and never answers holds no client for ever. */
static void test_silent_node(void **state)
{
    int client = request(HEAD "body");
    int node = accept_node();

    (void)state;
    expect(node, REWRITTEN "body");
    expect_refusal(client, "HTTP/1.1 503 ");
    assert_int_equal(failed, 1);
    close(node);
}

/* Bytes in either direction keep the stream. A node that then falls silent ends it. */
static void test_silence_after_a_part(void **state)
{
    int client = request(HEAD "body");
    int node = accept_node();

    (void)state;
    expect(node, REWRITTEN "body");
    say(node, "part");
    expect(client, "part");
    expect_end(client);
    close(client);
    close(node);
}

/* The queue of the node's socket is full: it answers no attempt at a connection. */
static void test_no_connection(void **state)
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    int others[4];

    (void)state;
    assert_int_equal(listen(listener, 0), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    for (size_t i = 0; i < 4; i++) {
        others[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)connect(others[i], (struct sockaddr *)&address, sizeof address);
    }
    expect_refusal(request(HEAD "body"), "HTTP/1.1 503 ");
    assert_int_equal(failed, 1);
    for (size_t i = 0; i < 4; i++) {
        close(others[i]);
    }
}

/* An answer that comes before the whole body is read reaches the client. */
static void test_early_answer(void **state)
{
    static char block[65536];
    const struct linger reset = {.l_onoff = 1};
    int client = request(HEAD "body");
    int node = accept_node();

    (void)state;
    assert_true(send(client, block, sizeof block, MSG_NOSIGNAL | MSG_DONTWAIT) > 0);
    expect(node, REWRITTEN "body");
    say(node, "HTTP/1.1 413 Too Large\r\n\r\n");
    shutdown(node, SHUT_WR);
    expect(client, "HTTP/1.1 413 Too Large\r\n\r\n");
    expect_end(client);
    setsockopt(node, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(node);
    close(client);
}

#define TEST(name)         cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define TEST_SILENCE(name) cmocka_unit_test_setup_teardown(name, set_up_for_silence, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_both_ways),
        TEST(test_half_closed),
        TEST(test_slow_client),
        TEST(test_many_bytes),
        TEST(test_node_is_gone),
        TEST(test_no_owner),
        TEST(test_malformed_head),
        TEST(test_node_dies),
        TEST(test_client_dies),
        TEST(test_share),
        TEST(test_a_newcomer_gets_a_stream),
        TEST(test_the_servers_key_has_a_reserve),
        TEST(test_the_servers_key_needs_no_share),
        TEST(test_all_with_the_servers_key),
        TEST(test_keys_of_rooms_have_reserves),
        TEST(test_a_room_has_a_share),
        TEST_SILENCE(test_silent_node),
        TEST_SILENCE(test_silence_after_a_part),
        cmocka_unit_test_setup_teardown(test_no_connection, set_up_for_no_connection, tear_down),
        TEST(test_early_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
