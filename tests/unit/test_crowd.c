/* Who makes way for whom when all places are taken. */
#include "net/gate/crowd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PLACES 30u

enum { SCHOOL = 1, STRANGERS, OTHERS, HOME };

static struct crowd *crowd;

static struct ip network(uint32_t number)
{
    return (struct ip){{0x20, 0x01, 0x0d, 0xb8, (uint8_t)(number >> 8), (uint8_t)number}};
}

static void make(uint32_t keeps)
{
    crowd = crowd_create(PLACES + CROWD_OWED_MAX, CROWD_OWED_MAX, keeps);
    assert_non_null(crowd);
}

static int finish(void **state)
{
    (void)state;
    crowd_destroy(crowd);
    crowd = NULL;
    return 0;
}

static void enter(uint32_t from, uint32_t clients)
{
    const struct ip ip = network(from);

    while (clients-- > 0) {
        crowd_enter(crowd, &ip);
    }
}

static void leave(uint32_t from)
{
    const struct ip ip = network(from);

    crowd_leave(crowd, &ip);
}

static void present(uint32_t from, bool presents)
{
    const struct ip ip = network(from);

    crowd_present(crowd, &ip, presents);
}

/* Clients come from there. Returns how many replace another client. */
static uint32_t push_in(uint32_t from, uint32_t clients)
{
    const struct ip ip = network(from);
    uint32_t count = 0;

    while (clients-- > 0) {
        if (crowd_displace(crowd, &ip)) {
            crowd_enter(crowd, &ip);
            count++;
        }
    }
    return count;
}

/* Of how many networks clients have to go. */
static uint32_t owed(void)
{
    struct ip ip;
    uint32_t next = 0;
    uint32_t count = 0;

    while (crowd_next_owed(crowd, &next, &ip)) {
        count++;
    }
    return count;
}

/* How many of those clients have to go. */
static uint32_t collect(uint32_t from)
{
    const struct ip ip = network(from);
    uint32_t count = 0;

    while (crowd_collect(crowd, &ip)) {
        count++;
    }
    return count;
}

static void test_a_class_with_its_teacher_gets_in(void **state)
{
    (void)state;
    make(0);
    enter(STRANGERS, PLACES);
    assert_int_equal(push_in(SCHOOL, 1), 0); /* without a presenter yet */
    enter(SCHOOL, 1);
    present(SCHOOL, true);
    assert_int_equal(owed(), 0);
    assert_int_equal(push_in(SCHOOL, 31), PLACES);
    assert_int_equal(owed(), 1);
    assert_int_equal(collect(SCHOOL), 0);
    assert_int_equal(collect(STRANGERS), PLACES);
    assert_int_equal(owed(), 0);
    /* They may come back as often as they like. */
    assert_int_equal(push_in(STRANGERS, 100), 0);
}

/* A presenter may have a place of another kind. */
static void test_a_presenter_need_not_be_a_client(void **state)
{
    (void)state;
    make(0);
    enter(STRANGERS, PLACES);
    present(SCHOOL, true);
    assert_int_equal(push_in(SCHOOL, 1), 1);
    leave(SCHOOL);
    assert_int_equal(push_in(SCHOOL, 1), 1);
    leave(SCHOOL);
    present(SCHOOL, false);
    assert_int_equal(push_in(SCHOOL, 1), 0);
}

static void test_nobody_makes_way_without_a_presenter(void **state)
{
    (void)state;
    make(0);
    enter(SCHOOL, PLACES);
    for (uint32_t from = 100; from < 1000; from++) { /* a trickle of strangers */
        assert_int_equal(push_in(from, 1), 0);
    }
    enter(OTHERS, 1);
    present(OTHERS, true);
    present(OTHERS, false);
    assert_int_equal(push_in(OTHERS, 1), 0);
    assert_int_equal(owed(), 0);
}

static void test_presenters_do_not_displace_one_another(void **state)
{
    (void)state;
    make(0);
    enter(SCHOOL, 15);
    enter(OTHERS, 15);
    present(SCHOOL, true);
    present(OTHERS, true);
    assert_int_equal(push_in(SCHOOL, 1), 0);
    present(OTHERS, false);
    assert_int_equal(push_in(SCHOOL, 1), 1);
}

/* The network with the most clients loses them first, and of equals the one that came last. */
static void test_who_has_most_makes_way_first(void **state)
{
    (void)state;
    make(0);
    enter(HOME, 2);
    enter(STRANGERS, 20);
    enter(OTHERS, 8);
    enter(SCHOOL, 1);
    present(SCHOOL, true);
    assert_int_equal(push_in(SCHOOL, 12), 12);
    assert_int_equal(collect(STRANGERS), 12);
    assert_int_equal(push_in(SCHOOL, 2), 2);
    assert_int_equal(collect(OTHERS), 1);
    assert_int_equal(collect(STRANGERS), 1);
    assert_int_equal(push_in(SCHOOL, 10), 10);
    assert_int_equal(collect(HOME), 0); /* two are fewer than two and three */
    assert_int_equal(collect(OTHERS), 5);
    assert_int_equal(collect(STRANGERS), 5);
}

static void test_an_address_keeps_some(void **state)
{
    (void)state;
    make(3);
    enter(HOME, 3);
    enter(STRANGERS, 20);
    enter(SCHOOL, 7);
    present(SCHOOL, true);
    assert_int_equal(push_in(SCHOOL, 30), 17);
    assert_int_equal(collect(STRANGERS), 17);
    assert_int_equal(collect(HOME), 0);
}

/* A client that leaves by itself also frees its slot. */
static void test_who_goes_pays(void **state)
{
    (void)state;
    make(0);
    enter(STRANGERS, 3);
    enter(SCHOOL, 1);
    present(SCHOOL, true);
    assert_int_equal(push_in(SCHOOL, 2), 2);
    leave(STRANGERS);
    assert_int_equal(collect(STRANGERS), 1);
    assert_int_equal(owed(), 0);
    assert_int_equal(push_in(SCHOOL, 2), 1); /* there is one left */
}

static void test_few_are_owed_at_a_time(void **state)
{
    (void)state;
    crowd = crowd_create(1000, 20, 0);
    enter(STRANGERS, 500);
    enter(SCHOOL, 1);
    present(SCHOOL, true);
    assert_int_equal(push_in(SCHOOL, 100), 20);
    assert_int_equal(collect(STRANGERS), 20);
    assert_int_equal(push_in(SCHOOL, 5), 5);
}

/* Networks that come and go leave nothing behind. */
static void test_many_networks(void **state)
{
    (void)state;
    make(0);
    for (uint32_t round = 1; round < 100; round++) {
        for (uint32_t i = 0; i < PLACES; i++) {
            enter(100 * round + i, 1);
        }
        enter(SCHOOL, 1);
        present(SCHOOL, true);
        assert_int_equal(push_in(SCHOOL, 1), 1);
        for (uint32_t i = 0; i < PLACES; i++) {
            leave(100 * round + i);
        }
        assert_int_equal(owed(), 0);
        present(SCHOOL, false);
        leave(SCHOOL);
        leave(SCHOOL);
    }
    leave(SCHOOL); /* no client is there */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_class_with_its_teacher_gets_in),
        TEST(test_a_presenter_need_not_be_a_client),
        TEST(test_nobody_makes_way_without_a_presenter),
        TEST(test_presenters_do_not_displace_one_another),
        TEST(test_who_has_most_makes_way_first),
        TEST(test_an_address_keeps_some),
        TEST(test_who_goes_pays),
        TEST(test_few_are_owed_at_a_time),
        TEST(test_many_networks),
    };
#undef TEST
    return cmocka_run_group_tests_name("crowd", tests, NULL, NULL);
}
