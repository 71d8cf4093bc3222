/* The room to join, as people type or paste it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/target.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Returns a target on a server that is known. */
static struct term_target known(void)
{
    struct term_target target = {0};
    assert_null(term_target_parse(&target, "https://flock.example/class/"));
    return target;
}

static void a_code_is_a_room_of_the_known_server(void **state)
{
    static const char *const codes[] = {"FK72MX", "fk7-2mx", "fk7 2mx", "lobby"};
    (void)state;
    for (size_t i = 0; i < LENGTH(codes); i++) {
        struct term_target target = known();
        assert_null(term_target_parse(&target, codes[i]));
        assert_string_equal(target.room, codes[i]);
        assert_string_equal(target.url.host, "flock.example");
        assert_string_equal(target.url_text, "https://flock.example/class/");
    }
}

static void a_host_is_a_server(void **state)
{
    static const struct {
        const char *text, *host, *room, *key;
        uint16_t port;
    } cases[] = {
        {"localhost", "localhost", "", "", 80},
        {"localhost:8080", "localhost", "", "", 8080},
        {"classroom:8080", "classroom", "", "", 8080},
        {"192.168.1.7", "192.168.1.7", "", "", 80},
        {"flock.example/r/FK72MX", "flock.example", "FK72MX", "", 80},
        {"host:8080/r/FK72MX#key=abc", "host", "FK72MX", "abc", 8080},
        {"[::1]:8080", "::1", "", "", 8080},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct term_target target = {0};
        assert_null(term_target_parse(&target, cases[i].text));
        assert_string_equal(target.url.host, cases[i].host);
        assert_int_equal(target.url.port, cases[i].port);
        assert_false(target.url.tls);
        assert_string_equal(target.room, cases[i].room);
        assert_string_equal(target.key, cases[i].key);
    }
}

static void other_texts_are_refused(void **state)
{
    static const char *const texts[] = {"",      "-",         "--ascii",        "a_b",   "a/b",
                                        "host:", "host:port", "ftp://host.org", "#key=a"};
    (void)state;
    for (size_t i = 0; i < LENGTH(texts); i++) {
        struct term_target target = known();
        if (term_target_parse(&target, texts[i]) == NULL) {
            fail_msg("accepted: %s", texts[i]);
        }
    }
}

static void an_address_is_read_as_it_was_written(void **state)
{
    static const char *const addresses[] = {
        "https://flock.example/r/FK72MX",
        "http://flock.example:8080/r/lobby#key=abc",
        "http://127.0.0.1:8080/r/FK72MX#join=open-up",
        "https://flock.example/class/r/FK72MX#key=abc&join=open-up",
        "http://[::1]:8080/r/FK72MX",
    };
    char text[TERM_TARGET_TEXT_MAX + 1];
    (void)state;
    for (size_t i = 0; i < LENGTH(addresses); i++) {
        struct term_target target = {0};
        assert_null(term_target_parse(&target, addresses[i]));
        assert_true(term_target_print(&target, text, sizeof text));
        assert_string_equal(text, addresses[i]);
        assert_false(term_target_print(&target, text, strlen(addresses[i])));
    }
}

static void an_address_has_no_query_of_the_web_socket(void **state)
{
    char text[TERM_TARGET_TEXT_MAX + 1];
    (void)state;
    struct term_target target = {0};
    assert_null(term_target_parse(&target, "ws://flock.example/class/ws?token=1"));
    assert_null(term_target_parse(&target, "FK72MX"));
    assert_true(term_target_print(&target, text, sizeof text));
    assert_string_equal(text, "http://flock.example/class/r/FK72MX");
}

static void a_link_has_a_scheme(void **state)
{
    (void)state;
    assert_true(term_target_is_link("https://flock.example/r/FK72MX"));
    assert_false(term_target_is_link("FK72MX"));
    assert_false(term_target_is_link("host:8080"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_code_is_a_room_of_the_known_server),
        cmocka_unit_test(a_host_is_a_server),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(an_address_is_read_as_it_was_written),
        cmocka_unit_test(an_address_has_no_query_of_the_web_socket),
        cmocka_unit_test(a_link_has_a_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
