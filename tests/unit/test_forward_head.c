/* The heads of requests that may be for another node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/forward_head.h"

#define HEAD(line) line " HTTP/1.1\r\nHost: a\r\n\r\n"
#define KEY        "0123456789abcdef0123456789abcdef"

static char found[PROTO_ROOM_MAX + 1];

static enum forward_where find(void *argument, const char *code, struct forward_node *node)
{
    (void)argument;
    snprintf(found, sizeof found, "%s", code);
    snprintf(node->address, sizeof node->address, "10.0.0.3:1");
    return strcmp(code, "MINE22") == 0   ? FORWARD_HERE
           : strcmp(code, "DEAD22") == 0 ? FORWARD_NOWHERE
                                         : FORWARD_THERE;
}

static enum forward_where choose(void *argument, struct forward_node *node)
{
    (void)argument;
    (void)node;
    snprintf(found, sizeof found, "new");
    return FORWARD_THERE;
}

static enum forward_where find_head(const char *head)
{
    static const struct forward_calls calls = {find, choose, NULL};
    struct forward_node node = {0};

    found[0] = '\0';
    return forward_find(&calls, head, strlen(head), &node);
}

/* Rooms of other nodes, and new rooms, are for other nodes; lists and descriptions are not. */
static void test_find(void **state)
{
    static const struct {
        const char *head;
        enum forward_where where;
        const char *found;
    } cases[] = {
        {HEAD("PATCH /api/rooms/FK72MX"), FORWARD_THERE, "FK72MX"},
        {HEAD("DELETE /api/rooms/fk7-2mx?x=/"), FORWARD_THERE, "FK72MX"},
        {HEAD("GET /api/rooms/fk7%202mx/recording"), FORWARD_THERE, "FK72MX"},
        {HEAD("GET /api/rooms/fk7%2d2mx/recording?names=1"), FORWARD_THERE, "FK72MX"},
        {HEAD("POST /api/rooms/LOBBY/branch"), FORWARD_THERE, "lobby"},
        {HEAD("PATCH /api/rooms/MINE22"), FORWARD_HERE, "MINE22"},
        {HEAD("PATCH /api/rooms/DEAD22"), FORWARD_NOWHERE, "DEAD22"},
        {HEAD("POST /api/rooms"), FORWARD_THERE, "new"},
        {HEAD("POST /api/rooms?x"), FORWARD_THERE, "new"},
        {HEAD("GET /api/rooms"), FORWARD_HERE, ""},
        {HEAD("GET /api/rooms/FK72MX"), FORWARD_HERE, ""},
        {HEAD("HEAD /api/rooms/FK72MX?a"), FORWARD_HERE, ""},
        {HEAD("GET /api"), FORWARD_HERE, ""},
        {HEAD("GET /r/FK72MX"), FORWARD_HERE, ""},
        {HEAD("GET /ws?room=FK72MX"), FORWARD_HERE, ""},
        {HEAD("PATCH /api/roomsx/FK72MX"), FORWARD_HERE, ""},
        {HEAD("PATCH /api/rooms/"), FORWARD_HERE, ""},
        {HEAD("PATCH /api/rooms/-"), FORWARD_HERE, ""},
        {HEAD("PATCH /api/rooms/a%00b"), FORWARD_HERE, ""},
        {HEAD("PATCH /api/rooms/a%2fb"), FORWARD_HERE, ""},
        {HEAD("PATCH /api/rooms/a%2"), FORWARD_HERE, ""},
        {HEAD("PATCH /api/rooms/%e4"), FORWARD_HERE, ""},
        {HEAD("PATCH"), FORWARD_HERE, ""},
        {HEAD(""), FORWARD_HERE, ""},
        {"\r\n\r\n", FORWARD_HERE, ""},
        {"PATCH /api/rooms/FK72MX", FORWARD_HERE, ""},
        {"", FORWARD_HERE, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_message("%s\n", cases[i].head);
        assert_int_equal(find_head(cases[i].head), cases[i].where);
        assert_string_equal(found, cases[i].found);
    }
}

static void test_long_code(void **state)
{
    char head[400] = "PATCH /api/rooms/";

    (void)state;
    memset(head + strlen(head), 'A', 300);
    assert_int_equal(find_head(head), FORWARD_HERE);
}

/* Returns the head for the other node, or "" if it is refused. */
static const char *rewritten(const char *head)
{
    static char out[1024];
    size_t size = forward_rewrite(head, strlen(head), "192.0.2.7", KEY, out, sizeof out - 1);

    out[size] = '\0';
    return out;
}

#define ADDED                                                                                      \
    "x-forwarded-for: 192.0.2.7\r\nx-flockd-node-key: " KEY "\r\nconnection: close\r\n\r\n"

static void test_rewrite(void **state)
{
    (void)state;
    assert_string_equal(rewritten("PATCH /api/rooms/A HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n"
                                  "\r\n"),
                        "PATCH /api/rooms/A HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n" ADDED);
    assert_string_equal(rewritten("POST /api/rooms HTTP/1.0\nHost: a\n\n"),
                        "POST /api/rooms HTTP/1.0\r\nHost: a\r\n" ADDED);
    assert_string_equal(rewritten("GET / HTTP/1.1\r\n\r\n"), "GET / HTTP/1.1\r\n" ADDED);
}

/* A client cannot pretend to be another, to know the key, or keep the connection. */
static void test_forged_headers(void **state)
{
    static const char with_key[] = "X-FLOCKD-NODE-KEY: " KEY;
    static const char *const forged[] = {
        "X-Forwarded-For: 10.0.0.1",       "x-forwarded-for:10.0.0.1", with_key,
        "Connection: keep-alive, upgrade", "Upgrade: websocket",       "Keep-Alive: timeout=9",
        "Proxy-Connection: keep-alive",
    };
    char head[300];

    (void)state;
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        snprintf(head, sizeof head, "GET / HTTP/1.1\r\n%s\r\nHost: a\r\n%s\r\n\r\n", forged[i],
                 forged[i]);
        assert_string_equal(rewritten(head), "GET / HTTP/1.1\r\nHost: a\r\n" ADDED);
    }
}

/* Heads that two readers may read differently. */
static void test_malformed(void **state)
{
    static const char *const heads[] = {
        "",
        "\r\n\r\n",
        "GET / HTTP/1.1",
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\nmore",
        "GET / HTTP/1.1\r\n continued\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n X-Forwarded-For: 1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\tb\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\rX-Forwarded-For: 1\r\n\r\n",
        "GET / HTTP/1.1\rX: b\r\n\r\n",
        "GET / HTTP/1.1\r\nX-Forwarded-For : 1\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\n: nameless\r\n\r\n",
        "GET / HTTP/1.1\r\nn\xc3\xa4me: a\r\n\r\n",
    };
    static const char with_nul[] = "GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n";
    char out[1024];

    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        print_message("%s\n", heads[i]);
        assert_string_equal(rewritten(heads[i]), "");
    }
    assert_int_equal(forward_rewrite(with_nul, sizeof with_nul - 1, "a", "b", out, sizeof out), 0);
}

static void test_bounds(void **state)
{
    static const char head[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    char out[256];
    size_t size = forward_rewrite(head, sizeof head - 1, "192.0.2.7", KEY, out, sizeof out);

    (void)state;
    for (size_t capacity = 0; capacity < size; capacity++) {
        assert_int_equal(forward_rewrite(head, sizeof head - 1, "192.0.2.7", KEY, out, capacity),
                         0);
    }
    assert_int_equal(forward_rewrite(head, sizeof head - 1, "192.0.2.7", KEY, out, size), size);
}

static void test_headers(void **state)
{
    static const char head[] = "GET / HTTP/1.1\r\nX-Forwarded-For: 1\r\nHost: b\r\n"
                               "x-forwarded-for:2, 3\r\n\r\n";
    char out[16];

    (void)state;
    assert_true(forward_header(head, sizeof head - 1, "x-forwarded-for", out, sizeof out));
    assert_string_equal(out, " 1,2, 3");
    assert_false(forward_header(head, sizeof head - 1, "x-forwarded-for", out, 7));
    assert_false(forward_header(head, sizeof head - 1, "x-other", out, sizeof out));
    assert_false(forward_header(head + sizeof "GET / HTTP/1.1\r\n" - 1, 20, "x-forwarded-for", out,
                                sizeof out)); /* the first line is the request */
}

static void test_size(void **state)
{
    (void)state;
    assert_int_equal(forward_head_size("GET /\r\n\r\nbody", 13), 9);
    assert_int_equal(forward_head_size("GET /\n\nbody", 11), 7);
    assert_int_equal(forward_head_size("GET /\r\nA: b\r\n", 13), 0);
    assert_int_equal(forward_head_size("", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),      cmocka_unit_test(test_long_code),
        cmocka_unit_test(test_rewrite),   cmocka_unit_test(test_forged_headers),
        cmocka_unit_test(test_malformed), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_headers),   cmocka_unit_test(test_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
