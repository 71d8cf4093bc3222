/* A room's clock never goes back. By the server's clock, a late tick can have an earlier time than
 * a message before it; by the room's clock it cannot. The room warns presenters about skipped
 * ticks. Threads and time are simulated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

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

static int make_with_past(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    threads_begin(1);
    definition.lobby.rewind = UINT64_C(600000000);
    definition.lobby.flock.boids = 5000;
    definition.lobby.tick_rate = definition.lobby.snapshot_rate = 30;
    return start(&definition);
}

static void send_param(const struct player *player, const char *name, float value)
{
    struct proto_client_message message = {.type = PROTO_PARAM, .param.value = value};

    snprintf(message.param.name, sizeof message.param.name, "%s", name);
    assert_true(link_send(player->link, &message));
}

/* Lets the runner work for that time, and takes its replies for the shard. Returns the number of
 * the room's newest event. */
static uint32_t run_for(uint64_t time)
{
    static uint32_t events;
    struct hub_reply reply;
    struct room_view *view;

    threads_run(threads_now() + time, never);
    while (links_take_reply(hub_links(hub, 0), &reply)) {
        frame_release(reply.frame);
    }
    view = links_take_view(hub_links(hub, 0));
    if (view != NULL) {
        events = view->events;
    }
    view_release(view);
    return events;
}

/* Sends 180 messages in 3 s. The runner reads most of them while a tick is overdue. */
static void a_drag_is_one_event_though_ticks_are_late(void **state)
{
    struct player ada = join("Ada");

    (void)state;
    assert_int_equal(run_for(S), 0);
    for (uint32_t i = 1; i <= 180; i++) {
        threads_spend(15 * MS); /* other threads use the processor */
        send_param(&ada, "inertia", 1.0F + (float)i / 100);
        assert_int_equal(run_for(MS), 0);
    }
    assert_int_equal(run_for(S), 1);
    link_leave(ada.link, END_NONE);
}

/* Takes the processor from the runner for `busy` ticks, of which it then skips all except two, and
 * runs for 11 s. Stores the percentage of skipped ticks in the room's event to presenters, or ""
 * without such an event. */
static void warning_after(uint32_t busy, char *percent, size_t capacity)
{
    struct hub_reply reply;

    percent[0] = '\0';
    (void)run_for(S);
    threads_spend(busy * S / 30);
    threads_run(threads_now() + 10 * S, never);
    while (links_take_reply(hub_links(hub, 0), &reply)) {
        const struct proto_server_message *told = decode(reply.frame);
        if (told->type == PROTO_EVENT && strcmp(told->event.name, "slow") == 0) {
            assert_string_equal(percent, "");                /* only one event */
            assert_string_equal(told->event.what, "server"); /* the flock itself is cheap */
            snprintf(percent, capacity, "%s", told->event.to);
        }
        frame_release(reply.frame);
    }
}

/* 10 s have 300 ticks. Presenters get a warning if more than 3 of them are skipped. The runner
 * makes a late tick at once, and continues with the newest due tick. */
static void presenters_are_warned_of_more_than_1_percent_skipped(void **state)
{
    struct proto_hello hello = hello_of("Ada", 0);
    struct player ada;
    char percent[16];

    (void)state;
    snprintf(hello.key, sizeof hello.key, "lobby-key");
    ada = join_with(0, &hello);
    warning_after(5, percent, sizeof percent);
    assert_string_equal(percent, ""); /* 3 of 300 */
    warning_after(6, percent, sizeof percent);
    assert_string_equal(percent, "1"); /* 4 of 300 */
    warning_after(9, percent, sizeof percent);
    assert_string_equal(percent, "2");
    warning_after(5, percent, sizeof percent);
    assert_string_equal(percent, "");
    link_leave(ada.link, END_NONE);
}

/* Returns the tick of the newest snapshot; `otherwise` if there is none. */
static uint64_t tick_after(uint64_t time, uint64_t otherwise)
{
    struct room_view *view;
    uint64_t tick = otherwise;

    threads_run(threads_now() + time, never);
    view = links_take_view(hub_links(hub, 0));
    if (view != NULL && view->stream_count > 0 && view->streams[0].key != NULL) {
        tick = shown(view)->tick;
    }
    view_release(view);
    return tick;
}

/* The runner repeats the 95 ticks of 5,000 boids before its next tick: the work of five turns. */
static void a_moment_of_the_past_is_there_at_the_next_tick(void **state)
{
    const struct proto_client_message back = {.type = PROTO_REWIND, .rewind = {0.1F}};
    struct proto_hello hello = hello_of("Ada", 0);
    struct player ada;
    uint64_t present;

    (void)state;
    snprintf(hello.key, sizeof hello.key, "lobby-key");
    ada = join_with(0, &hello);
    present = tick_after(98 * S / 30, 0);
    assert_true(link_send(ada.link, &back));
    assert_int_equal(tick_after(S / 30, 0), present - 3);
    link_leave(ada.link, END_NONE);
}

static struct store_room kept;
static struct recording *kept_past;

static void take_released(void *argument, const struct store_room *room, struct film *film,
                          struct recording *past)
{
    (void)argument;
    (void)film;
    kept = *room;
    kept_past = past;
}

static uint32_t people_here(void)
{
    struct directory_entry entry;

    assert_true(directory_find(hub_directory(hub), ROOM_LOBBY, &entry));
    return entry.people;
}

/* The room is released, and comes back while only Ada is connected. It keeps its people for 15 s.
 * After that, people without links have left. taken_over: as a room of another node. */
static void lose_bob(bool taken_over)
{
    struct player ada = join("Ada");
    struct player bob = join("Bob");
    struct hub_made made;

    (void)run_for(S);
    assert_int_equal(people_here(), 2);
    assert_true(hub_release_room(hub, ROOM_LOBBY, take_released, NULL));
    (void)run_for(S);
    assert_non_null(kept.state);
    link_leave(bob.link, END_NONE);
    assert_int_equal(taken_over ? hub_take_over(hub, &kept, NULL, &made)
                                : hub_adopt(hub, &kept, NULL, kept_past, true, &made),
                     DIRECTORY_OK);
    free(kept.state);
    recording_destroy(kept_past);
    (void)run_for(S);
    assert_int_equal(people_here(), 2);
    for (int i = 0; i < 13; i++) {
        (void)run_for(S);
    }
    assert_int_equal(people_here(), 2);
    (void)run_for(2 * S);
    assert_int_equal(people_here(), 1); /* Ada is back */
    link_leave(ada.link, END_NONE);
    (void)run_for(S);
    assert_int_equal(people_here(), 0);
}

static void people_who_do_not_come_back_have_left(void **state)
{
    (void)state;
    lose_bob(false);
}

static void people_who_do_not_follow_to_another_node_have_left(void **state)
{
    (void)state;
    lose_bob(true);
}

/* A session waits for its room for 10 s. */
static void a_session_does_not_wait_for_ever(void **state)
{
    struct player ada = join("Ada");
    struct hub_reply reply;

    (void)state;
    (void)run_for(S);
    assert_true(hub_release_room(hub, ROOM_LOBBY, take_released, NULL));
    for (int i = 0; i < 10; i++) {
        threads_run(threads_now() + S, never);
        assert_false(links_take_reply(hub_links(hub, 0), &reply));
    }
    threads_run(threads_now() + 2 * S, never);
    assert_true(links_take_reply(hub_links(hub, 0), &reply));
    assert_int_equal(reply.type, HUB_CLOSED);
    assert_int_equal(reply.session, ada.session);
    assert_int_equal(reply.why, END_AWAY);
    assert_int_equal(end_code(reply.why),
                     PROTO_CLOSE_SHUTDOWN); /* clients reconnect by themselves */
    link_leave(ada.link, END_NONE);
    free(kept.state);
    recording_destroy(kept_past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_drag_is_one_event_though_ticks_are_late, make_open,
                                        finish),
        cmocka_unit_test_setup_teardown(presenters_are_warned_of_more_than_1_percent_skipped,
                                        make_open, finish),
        cmocka_unit_test_setup_teardown(a_moment_of_the_past_is_there_at_the_next_tick,
                                        make_with_past, finish),
        cmocka_unit_test_setup_teardown(people_who_do_not_come_back_have_left, make_open, finish),
        cmocka_unit_test_setup_teardown(people_who_do_not_follow_to_another_node_have_left,
                                        make_open, finish),
        cmocka_unit_test_setup_teardown(a_session_does_not_wait_for_ever, make_open, finish),
    };
    return cmocka_run_group_tests_name("hub_clock", tests, NULL, NULL);
}
