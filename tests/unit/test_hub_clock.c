/* A room has one clock, which never goes back: a tick that is late has an earlier time than a
 * message has by the server's clock, but not by the room's. Threads and time are simulated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "../simulation/threads.h"
#include "hub_session.h"

static bool never(void)
{
    return false;
}

static int make_open(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    threads_begin(1);
    definition.lobby.open_controls = true;
    definition.lobby.tick_rate = definition.lobby.snapshot_rate = 30;
    return start(&definition);
}

static void send_param(const struct player *player, const char *name, float value)
{
    struct proto_client_message message = {.type = PROTO_PARAM, .param.value = value};

    snprintf(message.param.name, sizeof message.param.name, "%s", name);
    assert_true(link_send(player->link, &message));
}

/* Lets the runner work for so long, and takes what it has for the shard. Returns the number of the
 * room's newest event. */
static uint32_t run_for(uint64_t time)
{
    static uint32_t events;
    struct hub_reply reply;
    struct room_view *view;

    threads_run(threads_now() + time, never);
    while (hub_take_reply(hub, 0, &reply)) {
        frame_release(reply.frame);
    }
    view = hub_take_view(hub, 0);
    if (view != NULL) {
        events = view->events;
    }
    view_release(view);
    return events;
}

/* 180 messages in 3 s, most of which the runner sees when a tick is overdue. */
static void a_drag_is_one_event_though_ticks_are_late(void **state)
{
    struct player ada = join("Ada");

    (void)state;
    assert_int_equal(run_for(S), 0);
    for (uint32_t i = 1; i <= 180; i++) {
        threads_spend(15 * MS); /* other threads have the processor */
        send_param(&ada, "inertia", 1.0F + (float)i / 100);
        assert_int_equal(run_for(MS), 0);
    }
    assert_int_equal(run_for(S), 1);
    link_leave(ada.link, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_drag_is_one_event_though_ticks_are_late, make_open,
                                        finish),
    };
    return cmocka_run_group_tests_name("hub_clock", tests, NULL, NULL);
}
