/* The URL of flock-term, and its other arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/url.h"
#include "term/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof(a)[0])

static void url_is_taken_apart(void **state)
{
    static const struct {
        const char *text, *host, *path, *authority;
        uint16_t port;
        bool tls;
    } cases[] = {
        {"ws://127.0.0.1:8080/ws", "127.0.0.1", "/ws", "127.0.0.1:8080", 8080, false},
        {"ws://flock.example", "flock.example", "/ws", "flock.example", 80, false},
        {"wss://flock.example", "flock.example", "/ws", "flock.example", 443, true},
        {"http://flock.example:80/", "flock.example", "/ws", "flock.example", 80, false},
        {"https://flock.example/a/b?c=d", "flock.example", "/a/b?c=d", "flock.example", 443, true},
        {"WS://a_b-c.D:65535", "a_b-c.D", "/ws", "a_b-c.D:65535", 65535, false},
        {"ws://host?k=v", "host", "/ws?k=v", "host", 80, false},
        {"ws://host/?k=v", "host", "/ws?k=v", "host", 80, false},
        {"ws://[::1]:8080/ws", "::1", "/ws", "[::1]:8080", 8080, false},
        {"ws://[2001:db8::7]", "2001:db8::7", "/ws", "[2001:db8::7]", 80, false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct term_url url;
        char error[128] = "";
        char authority[300];
        if (!term_url_parse(cases[i].text, &url, error, sizeof error)) {
            fail_msg("%s: %s", cases[i].text, error);
        }
        assert_string_equal(url.host, cases[i].host);
        assert_string_equal(url.path, cases[i].path);
        assert_int_equal(url.port, cases[i].port);
        assert_int_equal(url.tls, cases[i].tls);
        assert_true(term_url_authority(&url, authority, sizeof authority));
        assert_string_equal(authority, cases[i].authority);
    }
}

/* The address of a room's page gives the address of its WebSocket. */
static void page_leads_to_its_room(void **state)
{
    static const struct {
        const char *text, *path, *room;
    } cases[] = {
        {"http://h", "/ws", ""},
        {"http://h/", "/ws", ""},
        {"http://h/?a=b", "/ws?a=b", ""},
        {"http://h/r/K7Q2-XM4P", "/ws", "K7Q2-XM4P"},
        {"https://h:1/r/lobby", "/ws", "lobby"},
        {"https://h/r/k7q2xm4p?a=/r/b", "/ws?a=/r/b", "k7q2xm4p"},
        {"http://h/r/12345678901234567890123456789012", "/ws", "12345678901234567890123456789012"},
        {"https://h/flocks/", "/flocks/ws", ""},
        {"https://h/flocks/r/a-1", "/flocks/ws", "a-1"},
        {"https://h/flocks/ws", "/flocks/ws", ""},
        {"wss://h/r", "/r", ""},
        {"wss://h/for/ws", "/for/ws", ""},
        {"ws://h/ws?room=K7Q2-XM4P", "/ws", "K7Q2-XM4P"},
        {"ws://h/ws?room=a1&", "/ws?", "a1"},
        {"ws://h/ws?a=1&room=a1&b=2", "/ws?a=1&b=2", "a1"},
        {"ws://h/ws?room=a1&room=b2&b=2", "/ws?b=2", "a1"},
        {"ws://h/ws?a=1&room=12345678901234567890123456789012", "/ws?a=1",
         "12345678901234567890123456789012"},
        {"ws://h/ws?rooms=a1&broom=b2&room&a=room=c3&?room=d4",
         "/ws?rooms=a1&broom=b2&room&a=room=c3&?room=d4", ""},
        {"http://h/?room=a1", "/ws", "a1"},
        {"http://h/r/a1?room=b2", "/ws", "a1"},
    };
    static const char *const wrong[] = {
        "http://h/r/",
        "http://h/r/-",
        "http://h/r/a_b",
        "http://h/r/a%20b",
        "http://h/r/?a=b",
        "http://h/r/123456789012345678901234567890123",
        "ws://h/ws?room=",
        "ws://h/?room=-",
        "ws://h/ws?a=b&room=a_b",
        "ws://h?room=&a=b",
        "ws://h?room=a/b",
        "ws://h?room=123456789012345678901234567890123",
        "http://h/r/a?room=%20",
        "ws://h/ws?room=a1&room==",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct term_url url;
        char error[128] = "";
        if (!term_url_parse(cases[i].text, &url, error, sizeof error)) {
            fail_msg("%s: %s", cases[i].text, error);
        }
        assert_string_equal(url.path, cases[i].path);
        assert_string_equal(url.room, cases[i].room);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        struct term_url url;
        char error[128] = "";
        assert_false(term_url_parse(wrong[i], &url, error, sizeof error));
        assert_string_equal(error, "expected the code of a room after '/r/' or 'room='");
    }
}

static void bad_url_is_refused_with_the_reason(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "expected ws://"},
        {"flock.example:8080", "expected ws://"},
        {"ftp://host", "expected ws://"},
        {"ws:/host", "expected ws://"},
        {"ws://", "host"},
        {"ws://:8080", "host"},
        {"ws:///ws", "host"},
        {"ws://user@host", "after the host"},
        {"ws://ho st", "after the host"},
        {"ws://host\r\nX: y", "after the host"},
        {"ws://h\xc3\xb6st", "after the host"},
        {"ws://host:", "port"},
        {"ws://host:0", "port"},
        {"ws://host:65536", "port"},
        {"ws://host:4294967376", "port"},
        {"ws://host:-1", "port"},
        {"ws://host:80x", "after the host"},
        {"ws://host:+80", "port"},
        {"ws://[::1", "']'"},
        {"ws://[]:80", "host"},
        {"ws://[::g]", "IPv6"},
        {"ws://[127.0.0.1]", "IPv6"},
        {"ws://[fe80::1%eth0]", "IPv6"},
        {"ws://[::1]x", "after the host"},
        {"wss://[::1]/ws", "wss"},
        {"ws://host/a b", "printable"},
        {"ws://host/a\r\nX: y", "printable"},
        {"ws://host/\x7f", "printable"},
        {"ws://host/\xc3\xa9", "printable"},
        {"ws://host/#top", "fragment"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct term_url url;
        char error[128] = "";
        if (term_url_parse(cases[i].text, &url, error, sizeof error)) {
            fail_msg("accepted: %s", cases[i].text);
        }
        if (strstr(error, cases[i].reason) == NULL) {
            fail_msg("%s: '%s' does not speak of '%s'", cases[i].text, error, cases[i].reason);
        }
    }
}

static void long_url_is_refused(void **state)
{
    char text[2000];
    struct term_url url;
    char error[128];
    (void)state;
    for (size_t host = 250; host < 260; host++) {
        memset(text, 0, sizeof text);
        strcpy(text, "ws://");
        memset(text + 5, 'a', host);
        assert_int_equal(term_url_parse(text, &url, error, sizeof error), host <= 253);
    }
    for (size_t path = 500; path < 520; path++) {
        memset(text, 0, sizeof text);
        strcpy(text, "ws://h/");
        memset(text + 7, 'a', path - 1);
        bool taken = term_url_parse(text, &url, error, sizeof error);
        assert_int_equal(taken, path <= 509);
        assert_true(!taken || strlen(url.path) == path);
    }
}

static char said[1024]; /* the text about a mistake */

static bool parse(struct term_options *options, const char *first, const char *second,
                  const char *third)
{
    char program[] = "flock-term";
    char copies[3][700];
    char *argv[5] = {program};
    const char *given[3] = {first, second, third};
    char *text = NULL;
    size_t size = 0;
    FILE *output = open_memstream(&text, &size);
    int argc = 1;
    for (int i = 0; i < 3 && given[i] != NULL; i++) {
        strncpy(copies[i], given[i], sizeof copies[i] - 1);
        copies[i][sizeof copies[i] - 1] = '\0';
        argv[argc++] = copies[i];
    }
    assert_non_null(output);
    enum options_result result = term_options_parse(options, "", argc, argv, output, output);
    fclose(output);
    snprintf(said, sizeof said, "%s", text);
    free(text);
    return result == OPTIONS_RUN;
}

static void options_have_defaults(void **state)
{
    struct term_options options;
    (void)state;
    assert_true(parse(&options, NULL, NULL, NULL));
    assert_string_equal(options.url.host, "127.0.0.1");
    assert_int_equal(options.url.port, 8080);
    assert_string_equal(options.room, "lobby");
    assert_string_equal(options.name, "");
    assert_int_equal(options.rate, 30);
    assert_true(options.color);
    assert_false(options.ascii);
}

static void options_are_read_in_any_order(void **state)
{
    struct term_options options;
    (void)state;
    assert_true(parse(&options, "ws://h:1", "--name=Zoë", "--ascii"));
    assert_string_equal(options.url.host, "h");
    assert_string_equal(options.name, "Zoë");
    assert_true(options.ascii);
    assert_true(parse(&options, "--room", "ants-2", "--no-color"));
    assert_string_equal(options.room, "ants-2");
    assert_false(options.color);
    assert_true(parse(&options, "--rate", "240", NULL));
    assert_int_equal(options.rate, 240);
    assert_true(parse(&options, "--ascii", "--", "ws://h:1"));
    assert_string_equal(options.url.host, "h");
    assert_false(parse(&options, "ws://h:1", "--rate=x", "--version"));
    assert_string_equal(said, "flock-term " FLOCKD_VERSION "\n");
}

static void a_key_comes_from_the_option_or_the_url(void **state)
{
    struct term_options options;
    (void)state;
    assert_true(parse(&options, "--key", "abc-1", NULL));
    assert_string_equal(options.key, "abc-1");
    assert_true(parse(&options, "http://h:1/#key=def-2", NULL, NULL));
    assert_string_equal(options.key, "def-2");
    assert_string_equal(options.url.path, "/ws");
    assert_string_equal(options.url_text, "http://h:1/");
    assert_true(parse(&options, "ws://h:1/ws#key=def-2", "--key", "abc-1"));
    assert_string_equal(options.key, "abc-1");
    assert_true(parse(&options, "ws://h:1/ws", NULL, NULL));
    assert_string_equal(options.key, "");
}

/* The page's links for presenters and for invited people. */
static void keys_come_from_the_pages_addresses(void **state)
{
    struct term_options options;
    (void)state;
    assert_true(parse(&options, "http://h:1/r/a1#join=open-up", NULL, NULL));
    assert_string_equal(options.room, "a1");
    assert_string_equal(options.join_key, "open-up");
    assert_string_equal(options.key, "");
    assert_string_equal(options.url_text, "http://h:1/r/a1");
    assert_true(parse(&options, "http://h:1/r/a1#key=def-2&invite&join=open-up", NULL, NULL));
    assert_string_equal(options.key, "def-2");
    assert_string_equal(options.join_key, "open-up");
    assert_true(parse(&options, "http://h:1/r/a1#join=open-up&key=def-2", NULL, NULL));
    assert_string_equal(options.key, "def-2");
    assert_string_equal(options.join_key, "open-up");
    assert_true(parse(&options, "http://h:1/r/a1#join=open-up", "--join-key", "other"));
    assert_string_equal(options.join_key, "other");
}

static void a_room_comes_from_the_option_or_the_url(void **state)
{
    struct term_options options;
    (void)state;
    assert_true(parse(&options, "https://h/r/K7Q2-XM4P#key=abc", NULL, NULL));
    assert_string_equal(options.room, "K7Q2-XM4P");
    assert_string_equal(options.key, "abc");
    assert_string_equal(options.url.path, "/ws");
    assert_string_equal(options.url_text, "https://h/r/K7Q2-XM4P");
    assert_true(parse(&options, "--room", "b2", "http://h/r/a1"));
    assert_string_equal(options.room, "b2");
    assert_true(parse(&options, "http://h/r/a1", "--room", "b2"));
    assert_string_equal(options.room, "b2");
    assert_true(parse(&options, "ws://h/ws?room=FK72MX", NULL, NULL));
    assert_string_equal(options.room, "FK72MX");
    assert_string_equal(options.url.path, "/ws");
    assert_true(parse(&options, "ws://h/ws?room=a1", "--room", "b2"));
    assert_string_equal(options.room, "b2");
    assert_true(parse(&options, "http://h/", NULL, NULL));
    assert_string_equal(options.room, "lobby");
}

static void bad_option_is_refused_by_name(void **state)
{
    static const struct {
        const char *first, *second, *reason;
    } cases[] = {
        {"--speed", "3", "--speed"},
        {"-x", NULL, "-x"},
        {"--rate", NULL, "--rate: a value is missing"},
        {"--rate", "", "--rate"},
        {"--rate", "-1", "--rate"},
        {"--rate", "241", "--rate"},
        {"--rate", "30.5", "--rate"},
        {"--rate", "99999999999999999999", "--rate"},
        {"--room", "a_b", "--room"},
        {"--room", "", "--room"},
        {"--room", "123456789012345678901234567890123", "--room"},
        {"--name", "a\033[2J", "--name"},
        {"--name", "\xff", "--name"},
        {"--name", "12345678901234567890123456789012345678901234567890123456789012345", "--name"},
        {"--ascii=yes", NULL, "--ascii"},
        {"--key", "", "--key"},
        {"--key", "Secret", "--key"},
        {"--key", "a_b", "--key"},
        {"--key", "12345678901234567890123456789012345678901234567890123456789012345", "--key"},
        {"ws://a#key=Secret", NULL, "URL: expected 1-64 of a-z, 0-9 and - after key="},
        {"ws://a#key=", NULL, "URL: expected 1-64 of a-z, 0-9 and - after key="},
        {"ws://a#join=Secret", NULL, "URL: expected 1-64 of a-z, 0-9 and - after join="},
        {"ws://a#key=a&join=", NULL, "URL: expected 1-64 of a-z, 0-9 and - after join="},
        {"ws://a#key=a&", NULL, "URL: expected only key=KEY and join=KEY after '#'"},
        {"ws://a#key=a&other=b", NULL, "URL"},
        {"ws://a#top", NULL, "URL: expected only key=KEY"},
        {"#key=abc", NULL, "URL"},
        {"ws://a", "ws://b", "one URL"},
        {"--", "--ascii", "URL: expected ws://"},
        {"-", NULL, "URL: expected ws://"},
        {"", NULL, "URL: expected ws://"},
        {"ws://a:0", NULL, "URL"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct term_options options;
        if (parse(&options, cases[i].first, cases[i].second, NULL)) {
            fail_msg("accepted: %s %s", cases[i].first, cases[i].second);
        }
        if (strstr(said, cases[i].reason) == NULL) {
            fail_msg("%s: '%s'", cases[i].first, said);
        }
        assert_null(strstr(said, "Secret")); /* texts do not contain keys */
    }
}

static int clear_environment(void **state)
{
    (void)state;
    return unsetenv("FLOCK_NAME") | unsetenv("FLOCK_KEY") | unsetenv("FLOCK_JOIN_KEY") |
           unsetenv("NO_COLOR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(url_is_taken_apart),
        cmocka_unit_test(page_leads_to_its_room),
        cmocka_unit_test(bad_url_is_refused_with_the_reason),
        cmocka_unit_test(long_url_is_refused),
        cmocka_unit_test(options_have_defaults),
        cmocka_unit_test(options_are_read_in_any_order),
        cmocka_unit_test(a_key_comes_from_the_option_or_the_url),
        cmocka_unit_test(keys_come_from_the_pages_addresses),
        cmocka_unit_test(a_room_comes_from_the_option_or_the_url),
        cmocka_unit_test(bad_option_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, clear_environment, NULL);
}
