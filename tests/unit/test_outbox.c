/* Data for a shard: that of the server's rooms and that of strangers' rooms never mix. */
#include "hub/outbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ROOMS    4u
#define SESSIONS 10u

static struct outbox outbox;

static int begin(void **state)
{
    (void)state;
    return outbox_create(&outbox, ROOMS, SESSIONS) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    outbox_destroy(&outbox);
    return 0;
}

static bool tell(bool by_server, uint64_t session)
{
    const struct hub_reply reply = {.type = HUB_TOLD, .session = session};

    return mailbox_push(outbox_replies(&outbox, by_server), &reply, false);
}

/* Returns the session of the next reply; 0: there is none. */
static uint64_t told(bool by_server)
{
    struct hub_reply reply;

    return outbox_take_reply(&outbox, by_server, &reply) ? reply.session : 0;
}

static void test_replies(void **state)
{
    (void)state;
    assert_true(tell(false, 1) && tell(true, 2) && tell(false, 3) && tell(true, 4));
    assert_int_equal(told(true), 2);
    assert_int_equal(told(false), 1);
    assert_int_equal(told(true), 4);
    assert_int_equal(told(true), 0);
    assert_int_equal(told(false), 3);
    assert_int_equal(told(false), 0);
}

/* Strangers who fill their lane take nothing of the other. */
static void test_full_lane(void **state)
{
    (void)state;
    while (tell(false, 1)) {
    }
    assert_true(tell(true, 2));
    assert_int_equal(told(true), 2);
}

static void publish(bool by_server, uint32_t slot, uint64_t number)
{
    struct room_view *view = view_create(0, 0);

    assert_non_null(view);
    view->room = number;
    outbox_publish(&outbox, by_server, slot, view);
}

/* Returns the number of the next view's room; 0: there is none. */
static uint64_t view_of(bool by_server)
{
    struct room_view *view = outbox_take_view(&outbox, by_server);
    const uint64_t number = view != NULL ? view->room : 0;

    view_release(view);
    return number;
}

static void test_views(void **state)
{
    (void)state;
    publish(false, 0, 10);
    publish(true, 1, 11);
    publish(true, 1, 12); /* newer */
    assert_int_equal(view_of(false), 10);
    assert_int_equal(view_of(false), 0);
    assert_int_equal(view_of(true), 12);
    assert_int_equal(view_of(true), 0);
}

/* A shard that reads learns that a view has come. */
static void test_a_view_waits(void **state)
{
    (void)state;
    assert_false(outbox_view_waits(&outbox, true));
    publish(true, 1, 11);
    assert_true(outbox_view_waits(&outbox, true));
    assert_false(outbox_view_waits(&outbox, false));
    assert_int_equal(view_of(true), 11);
    assert_false(outbox_view_waits(&outbox, true));
}

/* A slot's next room may have the other lane. Its first view then comes on either. */
static void test_reused_slot(void **state)
{
    (void)state;
    publish(false, 0, 10);
    outbox_withdraw(&outbox, 0);
    publish(true, 0, 20);
    assert_int_equal(view_of(false), 20);
    assert_int_equal(view_of(false), 0);
    assert_int_equal(view_of(true), 0);
    publish(true, 0, 20);
    assert_int_equal(view_of(false), 0);
    assert_int_equal(view_of(true), 20);
    outbox_withdraw(&outbox, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_replies),      TEST(test_full_lane),   TEST(test_views),
        TEST(test_a_view_waits), TEST(test_reused_slot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
