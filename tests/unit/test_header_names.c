/* Headers with names that libwebsockets cannot read. */
#include "net/gate/header_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool is_known(const char *name)
{
    char head[256];
    const int size =
        snprintf(head, sizeof head, "GET / HTTP/1.1\r\nHost: a\r\n%s: b\r\n\r\n", name);

    return header_names_known(head, (size_t)size);
}

static void test_names_of_libwebsockets(void **state)
{
    static const char *const names[] = {"Host",   "x-auth-token", "TE",           "Range",
                                        "Accept", "If-Match",     "AUTHORIZATION"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_true(is_known(names[i]));
    }
}

static void test_other_names(void **state)
{
    static const char *const names[] = {"DNT",       "X-Request-Id",      "Sec-Fetch-Mode",
                                        "Priority",  "X-Forwarded-Proto", "Sec-GPC",
                                        "Forwarded", "X-Auth-Tokens",     "Traceparent"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_true(is_known(names[i]));
    }
}

static void test_beginnings(void **state)
{
    static const char *const names[] = {"X",    "X-A", "x-real", "Accept-", "Connect", "Options",
                                        "cook", "P",   "If",     "Sec-Web", "Delete",  ""};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_false(is_known(names[i]));
    }
}

/* Only lines of the head count, and only their names. */
static void test_other_places(void **state)
{
    static const char *const heads[] = {"GET /x: HTTP/1.1\r\nHost: x-a: b\r\n\r\nX-A: b\r\n",
                                        "GET / HTTP/1.1\nHost: a\n\nX-A: b\n",
                                        "X: / HTTP/1.1\r\n\r\n",
                                        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                                        "",
                                        "\n",
                                        "\r\n\r\n"};

    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        assert_true(header_names_known(heads[i], strlen(heads[i])));
    }
    assert_false(header_names_known("GET / HTTP/1.1\nX-A: b\n\n", 24));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_libwebsockets),
        cmocka_unit_test(test_other_names),
        cmocka_unit_test(test_beginnings),
        cmocka_unit_test(test_other_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
