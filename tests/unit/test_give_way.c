/* Which connection that waits for its address is refused when there are too many guests. */
#include "net/gate/waiting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "hub/inside.h"
#include "net/gate/arrival.h"
#include "net/gate/connection.h"
#include "net/gate/context.h"
#include "net/gate/rates.h"

#define GUESTS 200u

static struct context context;
static struct service service;
static struct hub hub;
static struct connection *waiting[GUESTS];
static struct admission_guest silent[GUESTS];

static int begin(void **state)
{
    (void)state;
    memset(silent, 0, sizeof silent);
    service = (struct service){.hub = &hub, .rates = rates_create(1, 0, 0)};
    context = (struct context){.service = &service};
    admission_init(&context.admission, GUESTS, 10000, 1);
    admission_init(&context.adopted, GUESTS, 0, 1);
    readers_init(&context.entering);
    return 0;
}

static int end(void **state)
{
    (void)state;
    while (context.waiting.first != NULL) {
        struct arrival *arrival = list_entry(context.waiting.first, struct arrival, item);
        waiting_end(arrival->connection, 0, NULL);
    }
    readers_finish(&context.entering);
    rates_destroy(service.rates);
    return 0;
}

static struct ip address_of(uint8_t last)
{
    return (struct ip){{[10] = 0xFF, [11] = 0xFF, 192, 0, 2, last}};
}

/* Guests of the address that say nothing. */
static void keep_silent(uint32_t count, uint8_t last)
{
    const struct ip address = address_of(last);

    for (uint32_t i = 0; i < count; i++) {
        assert_null(admission_enter(&context.admission, &silent[i], &address, 0));
    }
}

/* Connections of the address that wait, each for longer than those before. */
static void line_up(uint32_t count, uint8_t last)
{
    for (uint32_t i = 0; i < count; i++) {
        struct connection *connection = calloc(1, sizeof *connection);
        struct arrival *arrival = calloc(1, sizeof *arrival);
        int ends[2];

        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        close(ends[1]);
        *arrival = (struct arrival){
            .context = &context, .connection = connection, .fd = ends[0], .counted = true};
        connection->arrival = arrival;
        connection->address = address_of(last);
        assert_null(
            admission_enter(&context.admission, &connection->guest, &connection->address, 0));
        list_append(&context.waiting, &arrival->item);
        waiting[i] = connection;
    }
}

static const struct connection *last_waiting(void)
{
    return list_entry(context.waiting.last, struct arrival, item)->connection;
}

/* A script has more connections than a class, and all others of its address are welcome. */
static void test_the_address_with_the_most_guests(void **state)
{
    (void)state;
    keep_silent(50, 9);
    line_up(100, 7);
    assert_ptr_equal(last_waiting(), waiting[99]);
    assert_true(waiting_give_way(&context));
    assert_ptr_equal(last_waiting(), waiting[98]);
    assert_int_equal(context.admission.count, 149);
}

/* Another address waits for longer, but has fewer guests. */
static void test_not_the_longest_wait(void **state)
{
    const struct connection *longest;

    (void)state;
    line_up(100, 7);
    line_up(20, 8);
    longest = last_waiting();
    assert_true(waiting_give_way(&context));
    assert_ptr_equal(last_waiting(), longest);
    assert_int_equal(context.admission.count, 119);
}

/* An address with silent guests takes no connections of another one: it loses its own. */
static void test_silent_guests_displace_no_one_who_waits(void **state)
{
    (void)state;
    keep_silent(150, 9);
    line_up(50, 7);
    assert_false(waiting_give_way(&context));
    assert_ptr_equal(last_waiting(), waiting[49]);
}

/* Where no address has more than a class, the oldest guest goes, and trusted guests last. */
static void test_a_class_waits(void **state)
{
    (void)state;
    line_up(GUESTS / 8, 7);
    assert_false(waiting_give_way(&context));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_the_address_with_the_most_guests),
        TEST(test_not_the_longest_wait),
        TEST(test_silent_guests_displace_no_one_who_waits),
        TEST(test_a_class_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
