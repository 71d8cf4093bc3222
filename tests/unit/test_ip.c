/* Addresses: parsing, ranges, and the clients of trusted proxies. */
#include "base/ip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct ip read_ip(const char *text)
{
    struct ip ip;

    assert_true(ip_read(text, &ip));
    return ip;
}

static const char *written(const struct ip *ip)
{
    static char text[NETWORK_ADDRESS_MAX];

    ip_write(ip, text);
    return text;
}

static void test_read(void **state)
{
    static const char *const cases[][2] = {
        {"192.0.2.1", "192.0.2.1"},
        {"192.0.2.1:8080", "192.0.2.1"},
        {"2001:db8::1", "2001:db8::1"},
        {"[2001:db8::1]", "2001:db8::1"},
        {"[2001:db8::1]:80", "2001:db8::1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"::1", "::1"},
    };
    static const char *const bad[] = {"",
                                      "unknown",
                                      "192.0.2",
                                      "192.0.2.1.",
                                      "[::1",
                                      "[::1]x",
                                      "_hidden",
                                      "1:2:3:4:5:6:7:8:9",
                                      "2001:0db8:0000:0000:0000:0000:0000:0000:0000:0001"};
    struct ip ip;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ip = read_ip(cases[i][0]);
        assert_string_equal(written(&ip), cases[i][1]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(ip_read(bad[i], &ip));
    }
}

static void test_range(void **state)
{
    static const struct {
        const char *range, *address;
        bool in;
    } cases[] = {
        {"10.0.0.0/8", "10.255.1.2", true},
        {"10.0.0.0/8", "11.0.0.1", false},
        {"192.0.2.1", "192.0.2.1", true},
        {"192.0.2.1", "192.0.2.2", false},
        {"192.0.2.128/25", "192.0.2.129", true},
        {"192.0.2.128/25", "192.0.2.127", false},
        {"0.0.0.0/0", "203.0.113.9", true},
        {"0.0.0.0/0", "2001:db8::1", false},
        {"::/0", "203.0.113.9", true},
        {"2001:db8::/33", "2001:db8:7fff::1", true},
        {"2001:db8::/33", "2001:db8:8000::", false},
        {"::1", "::1", true},
    };
    static const char *const bad[] = {"",
                                      "/8",
                                      "10.0.0.0/",
                                      "10.0.0.0/33",
                                      "10.0.0.0/8x",
                                      "10.0.0.0/-1",
                                      "2001:db8::/129",
                                      "proxy.example/8"};
    struct ip_range range;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ip ip = read_ip(cases[i].address);
        assert_true(ip_read_range(cases[i].range, &range));
        assert_int_equal(ip_is_in(&ip, &range, 1), cases[i].in);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(ip_read_range(bad[i], &range));
    }
}

static void test_network(void **state)
{
    struct ip ip4 = ip_network(&(struct ip){{[10] = 0xFF, [11] = 0xFF, 192, 0, 2, 1}});
    struct ip one = read_ip("2001:db8:1:2::1");
    struct ip other = read_ip("2001:db8:1:ffff:ffff:ffff:ffff:ffff");
    struct ip neighbour = read_ip("2001:db8:2:2::1");

    (void)state;
    assert_string_equal(written(&ip4), "192.0.2.1");
    one = ip_network(&one);
    other = ip_network(&other);
    assert_true(ip_same(&one, &other));
    assert_string_equal(written(&one), "2001:db8:1::");
    neighbour = ip_network(&neighbour);
    assert_false(ip_same(&one, &neighbour));
    one = read_ip("64:ff9b::192.0.2.1");
    one = ip_network(&one);
    assert_string_equal(written(&one), "64:ff9b::c000:201");
}

/* A client's own entries in the header come before the proxies' entries. */
static void test_forwarded(void **state)
{
    static const struct {
        const char *peer, *forwarded, *result;
    } cases[] = {
        {"10.0.0.1", "203.0.113.9", "203.0.113.9"},
        {"10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"},
        {"10.0.0.1", "198.51.100.1, 203.0.113.9,10.0.0.2 , 10.0.0.3", "203.0.113.9"},
        {"10.0.0.1", "10.0.0.7", "10.0.0.7"},
        {"10.0.0.1", "[2001:db8::5]:1234", "2001:db8::5"},
        {"10.0.0.1", "", "10.0.0.1"},
        {"10.0.0.1", "203.0.113.9, nonsense", "10.0.0.1"},
        {"10.0.0.1", "203.0.113.9,", "10.0.0.1"},
        {"10.0.0.1", ",,,", "10.0.0.1"},
        {"192.0.2.66", "203.0.113.9", "192.0.2.66"}, /* not a trusted proxy */
    };
    struct ip_range trusted;

    (void)state;
    assert_true(ip_read_range("10.0.0.0/8", &trusted));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ip peer = read_ip(cases[i].peer);
        struct ip result = ip_forwarded(&peer, cases[i].forwarded, &trusted, 1);
        assert_string_equal(written(&result), cases[i].result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_network),
        cmocka_unit_test(test_forwarded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
