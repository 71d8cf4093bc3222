/* Requests that the server refuses because of their Origin or Host. */
#include "net/gate/origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct origin_case {
    const char *origin, *host;
    const char *fault; /* a word in the fault; NULL: no fault */
};

#define NONE ""

static void check(const char *bind, const char *hosts, const char *origins, const char *url,
                  const struct origin_case *cases, size_t count)
{
    struct config config = {0};

    snprintf(config.bind, sizeof config.bind, "%s", bind);
    snprintf(config.hosts, sizeof config.hosts, "%s", hosts);
    snprintf(config.allow_origin, sizeof config.allow_origin, "%s", origins);
    snprintf(config.public_url, sizeof config.public_url, "%s", url);
    for (size_t i = 0; i < count; i++) {
        const char *fault = origin_fault(&config, cases[i].origin, cases[i].host, false);
        if (cases[i].fault == NULL ? fault != NULL
                                   : fault == NULL || strstr(fault, cases[i].fault) == NULL) {
            fail_msg("bound to %s: origin '%s', host '%s': %s", bind, cases[i].origin,
                     cases[i].host, fault != NULL ? fault : "let in");
        }
    }
}

#define CHECK(bind, hosts, origins, url, ...)                                                      \
    do {                                                                                           \
        static const struct origin_case cases[] = {__VA_ARGS__};                                   \
        check(bind, hosts, origins, url, cases, sizeof cases / sizeof cases[0]);                   \
    } while (0)

static void test_loopback(void **state)
{
    (void)state;
    CHECK("127.0.0.1", NONE, NONE, NONE, {"http://127.0.0.1:8080", "127.0.0.1:8080", NULL},
          {"http://localhost:8080", "localhost:8080", NULL},
          {"http://LOCALHOST:8080", "localhost:8080", NULL},
          {"http://a.localhost:8080", "a.localhost:8080", NULL},
          {"http://[::1]:8080", "[::1]:8080", NULL}, {NONE, "127.0.0.1", NULL}, {NONE, NONE, NULL},
          {"http://evil.example:8080", "evil.example:8080", "--host"},
          {"http://evillocalhost:8080", "evillocalhost:8080", "--host"},
          {"http://localhost.evil.example", "localhost.evil.example", "--host"},
          {NONE, "evil.example:8080", "--host"}, /* looks like a page of its own origin */
          {"http://127.0.0.1.evil.example", "127.0.0.1.evil.example", "--host"},
          {"http://192.0.2.1:8080", "192.0.2.1:8080", "--host"},
          {"http://evil.example", "localhost:8080", "--allow-origin"},
          {"http://localhost:8081", "localhost:8080", "--allow-origin"},
          {"null", "localhost:8080", "--allow-origin"}, {"http://", "", "--allow-origin"});
    CHECK("localhost", NONE, NONE, NONE, {"http://localhost", "localhost", NULL},
          {"http://evil.example", "evil.example", "--host"});
    CHECK("::1", NONE, NONE, NONE, {"http://[::1]:1", "[::1]:1", NULL},
          {"http://evil.example", "evil.example", "--host"});
    CHECK("127.0.0.1", "flock.example,Other.Example", NONE, NONE,
          {"https://flock.example", "flock.example", NULL},
          {"https://other.example:444", "other.example:444", NULL},
          {"http://localhost:8080", "localhost:8080", NULL},
          {"https://flock.example", "localhost:8080", "--allow-origin"},
          {"https://ock.example", "ock.example", "--host"}, {"https://flock", "flock", "--host"});
}

static void test_elsewhere(void **state)
{
    (void)state;
    CHECK("0.0.0.0", NONE, NONE, NONE, {"http://any.example:1", "any.example:1", NULL},
          {"http://192.0.2.1", "192.0.2.1", NULL},
          {"http://evil.example", "any.example", "--allow-origin"});
    CHECK("0.0.0.0", "flock.example", NONE, NONE, {"http://flock.example", "flock.example", NULL},
          {"http://192.0.2.1:80", "192.0.2.1:80", NULL},
          {"http://[2001:db8::1]", "[2001:db8::1]", NULL}, {"http://localhost", "localhost", NULL},
          {"http://evil.example", "evil.example", "--host"});
}

static void test_allowed(void **state)
{
    (void)state;
    CHECK("127.0.0.1", NONE, "https://a.example,http://b.example:81", NONE,
          {"https://a.example", "127.0.0.1:8080", NULL}, {"https://A.example", "x.example", NULL},
          {"http://b.example:81", "localhost", NULL},
          {"http://b.example", "localhost", "--allow-origin"},
          {"https://a", "localhost", "--allow-origin"},
          {"http://evil.example", "evil.example", "--host"});
    CHECK("127.0.0.1", NONE, "*", NONE, {"http://any.example", "localhost", NULL},
          {"null", "any.example", NULL});
    CHECK("127.0.0.1", NONE, NONE, "https://flock.example/birds",
          {"https://flock.example", "127.0.0.1:8080", NULL}, {NONE, "flock.example", NULL},
          {"https://flock.exam", "localhost", "--allow-origin"},
          {"http://evil.example", "evil.example", "--host"});
}

static void test_socket(void **state)
{
    struct config config = {.bind = "127.0.0.1"};

    (void)state;
    assert_null(origin_fault(&config, "", "any.example", true)); /* a terminal sends no Origin */
    assert_non_null(origin_fault(&config, "http://evil.example", "evil.example", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loopback),
        cmocka_unit_test(test_elsewhere),
        cmocka_unit_test(test_allowed),
        cmocka_unit_test(test_socket),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
