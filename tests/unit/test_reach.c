/* The order of the server's addresses. People try the first one first. The test simulates the
 * interfaces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <uv.h>

#include "net/gate/reach.h"

#define PORT 8080

struct made_up {
    const char *name, *address;
    bool internal;
};

static const struct made_up *made_up;
static int made_up_count;
static uv_interface_address_t list[REACH_MAX + 2];

/* Replaces libuv's function. */
int uv_interface_addresses(uv_interface_address_t **addresses, int *count)
{
    memset(list, 0, sizeof list);
    for (int i = 0; i < made_up_count; i++) {
        const char *address = made_up[i].address;
        list[i].name = (char *)(uintptr_t)made_up[i].name;
        list[i].is_internal = made_up[i].internal;
        assert_int_equal(strchr(address, ':') != NULL
                             ? uv_ip6_addr(address, 0, &list[i].address.address6)
                             : uv_ip4_addr(address, 0, &list[i].address.address4),
                         0);
    }
    *addresses = list;
    *count = made_up_count;
    return 0;
}

void uv_free_interface_addresses(uv_interface_address_t *addresses, int count)
{
    assert_ptr_equal(addresses, list);
    assert_int_equal(count, made_up_count);
}

/* Asserts that a server with that --bind and those interfaces is found at the `expected` addresses,
 * which NULL ends. */
static void assert_reach(const char *bind_to, const struct made_up *interfaces, int count,
                         const char *const *expected)
{
    struct config config = {0};
    struct reach reach;
    size_t found = 0;

    snprintf(config.bind, sizeof config.bind, "%s", bind_to);
    made_up = interfaces;
    made_up_count = count;
    reach_find(&config, NULL, PORT, &reach);
    for (; expected[found] != NULL; found++) {
        assert_true(found < reach.count);
        assert_string_equal(reach.addresses[found], expected[found]);
    }
    assert_int_equal(reach.count, found);
}

static const struct made_up machine[] = {
    {"lo", "127.0.0.1", true},       {"docker0", "172.17.0.1", false}, {"eth0", "fd00::2", false},
    {"eth0", "192.168.1.7", false},  {"br-7", "fd00:17::1", false},    {"eth0", "fe80::1", false},
    {"wlan0", "169.254.3.4", false}, {"wlan0", "10.0.0.2", false},
};
#define MACHINE machine, sizeof machine / sizeof machine[0]

/* A pupil's tablet reaches neither a container's network nor a link-local address. */
static void the_network_of_the_class_comes_before_that_of_containers(void **state)
{
    (void)state;
    assert_reach("0.0.0.0", MACHINE,
                 (const char *[]){"http://192.168.1.7:8080", "http://10.0.0.2:8080",
                                  "http://172.17.0.1:8080", NULL});
    assert_reach("::", MACHINE,
                 (const char *[]){"http://192.168.1.7:8080", "http://10.0.0.2:8080",
                                  "http://[fd00::2]:8080", "http://172.17.0.1:8080",
                                  "http://[fd00:17::1]:8080", NULL});
}

static void one_address_is_listed_if_others_can_use_it(void **state)
{
    (void)state;
    assert_reach("192.168.1.7", MACHINE, (const char *[]){"http://192.168.1.7:8080", NULL});
    assert_reach("fd00::2", MACHINE, (const char *[]){"http://[fd00::2]:8080", NULL});
    assert_reach("127.0.0.1", MACHINE, (const char *[]){NULL});
    assert_reach("::1", MACHINE, (const char *[]){NULL});
    assert_reach("fe80::1", MACHINE, (const char *[]){NULL});
}

/* An address of two interfaces is listed once, and of many addresses the first 8. */
static void each_is_listed_once_and_8_at_most(void **state)
{
    struct made_up many[REACH_MAX + 2];
    char text[REACH_MAX + 2][16];
    char urls[REACH_MAX][32];
    const char *expected[REACH_MAX + 1] = {NULL};

    (void)state;
    for (size_t i = 0; i < REACH_MAX + 2; i++) {
        snprintf(text[i], sizeof text[i], "10.0.0.%zu", i == 1 ? 0 : i);
        many[i] = (struct made_up){"eth0", text[i], false};
    }
    for (size_t i = 0; i < REACH_MAX; i++) {
        snprintf(urls[i], sizeof urls[i], "http://10.0.0.%zu:8080", i == 0 ? 0 : i + 1);
        expected[i] = urls[i];
    }
    assert_reach("0.0.0.0", many, REACH_MAX + 2, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_network_of_the_class_comes_before_that_of_containers),
        cmocka_unit_test(one_address_is_listed_if_others_can_use_it),
        cmocka_unit_test(each_is_listed_once_and_8_at_most),
    };
    return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
