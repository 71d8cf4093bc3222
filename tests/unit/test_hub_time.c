/* The ticks of the hub's rooms have exact times. Empty rooms do not tick. Long ticks of one room do
 * not delay other rooms. */
#include "hub/clock.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hub_session.h"

/* A flock whose tick takes longer than RATE allows. */
#if defined __SANITIZE_THREAD__
#define COSTLY_BOIDS 5000
#elif defined __SANITIZE_ADDRESS__
#define COSTLY_BOIDS 10000
#else
#define COSTLY_BOIDS 30000
#endif

static int make_large_lobby(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    definition.lobby.open_controls = true;
    definition.lobby.flock.boids = COSTLY_BOIDS;
    return start(&definition);
}

/* Every boid sees every other: a tick takes minutes. */
static int make_endless(uint64_t tick_limit)
{
    struct hub_definition definition = default_hub();
    const struct flock_model *birds = flock_model_find("birds");

    definition.lobby.open_controls = true;
    definition.lobby.tick_limit = tick_limit;
    flock_settings_choose(&definition.lobby.flock.settings, birds);
    definition.lobby.flock.boids = 900000;
    definition.lobby.flock.settings.params[flock_param_find(birds, "view_distance")] = 1000;
    return start(&definition);
}

static int make_costly(void **state)
{
    (void)state;
    return make_endless(50000);
}

static int make_without_limit(void **state)
{
    (void)state;
    return make_endless(0);
}

static int finish_stopped(void **state)
{
    (void)state;
    hub_destroy(hub);
    proto_decoder_destroy(decoder);
    sem_destroy(&woken);
    return 0;
}

static void test_the_view_is_the_newest(void **state)
{
    struct player ada = join("Ada");
    struct room_view *one;
    struct room_view *other;
    uint64_t ticks;

    (void)state;
    welcomed(&ada);
    one = next_shown(0);
    /* Snapshots continue without a reader, so the next one that is read is a later one. */
    ticks = counter_read(&hub_runner_stats(hub, 0)->ticks);
    while (counter_read(&hub_runner_stats(hub, 0)->ticks) < ticks + 5) {
        wait_for_wake();
    }
    other = next_view_of(0);
    assert_true(other->streams[0].sequence >= one->streams[0].sequence + 4);
    assert_true(other->time > one->time);
    assert_true(hub_healthy(hub));
    view_release(one);
    view_release(other);
    link_leave(ada.link, END_NONE);
}

/* Ticks keep their absolute times: each is a whole number of periods after the first. */
static void test_ticks_do_not_drift(void **state)
{
    struct player ada = join("Ada");
    uint64_t first = 0;
    uint64_t last = 0;

    (void)state;
    welcomed(&ada);
    for (int i = 0; i < 20; i++) {
        struct room_view *view = next_shown(0);
        uint64_t n = ((view->time - (i == 0 ? view->time : first)) * RATE + 500000) / 1000000;
        first = i == 0 ? view->time : first;
        assert_in_range(view->time - first, n * 1000000 / RATE, n * 1000000 / RATE + 1);
        assert_true(i == 0 || view->time > last);
        assert_true(shown(view)->time == view->time);
        last = view->time;
        view_release(view);
    }
    link_leave(ada.link, END_NONE);
}

/* The times of ticks are exact, after centuries and at any rate. */
static void test_tick_times_are_exact(void **state)
{
    const uint64_t century = UINT64_C(3155760000) * CLOCK_NS_PER_S;

    (void)state;
    for (uint64_t rate = 1; rate <= 240; rate++) {
        const uint64_t tick = 5 * century / CLOCK_NS_PER_S * rate;
        assert_int_equal(clock_tick_time(0, rate), 0);
        assert_int_equal(clock_tick_time(tick, rate), 5 * century);
        assert_int_equal(clock_tick_time(tick + 1, rate), 5 * century + CLOCK_NS_PER_S / rate);
        assert_int_equal(clock_ticks_by(5 * century, rate), tick);
        assert_int_equal(clock_ticks_by(5 * century - 1, rate), tick - 1);
        for (uint64_t i = 0; i < 1000; i++) { /* a tick is due at its time, within 1 ns */
            assert_int_equal(clock_ticks_by(clock_tick_time(i, rate) + 1, rate), i);
        }
    }
}

/* Presenters are warned when more than 1 % of the ticks were dropped. */
static void test_one_tick_of_a_hundred_may_be_dropped(void **state)
{
    (void)state;
    assert_false(clock_is_behind(0, 0));
    assert_false(clock_is_behind(0, 300));
    assert_false(clock_is_behind(3, 300));
    assert_true(clock_is_behind(4, 300));
    assert_true(clock_is_behind(4, 399));
    assert_false(clock_is_behind(4, 400));
}

/* An empty room does not tick; a returning member finds it unchanged. */
static void test_an_empty_room_has_no_ticks(void **state)
{
    const struct runner_stats *stats = hub_runner_stats(hub, 0);
    struct player ada = join("Ada");
    struct room_view *view;
    uint64_t ticks;

    (void)state;
    welcomed(&ada);
    view_release(next_shown(0));
    link_leave(ada.link, END_NONE);
    assert_int_equal(ask(lobby, "lobby-key", NULL, false),
                     PROTO_OK); /* the answer follows the leave */
    assert_int_equal(counter_read(&stats->running), 0);
    ticks = counter_read(&stats->ticks);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(ask(lobby, "lobby-key", NULL, false), PROTO_OK); /* the room answers … */
    }
    assert_int_equal(counter_read(&stats->ticks), ticks); /* … and does not tick */
    assert_true(hub_healthy(hub));
    assert_null(links_take_view(hub_links(hub, 0)));
    ada = join("Ada");
    welcomed(&ada);
    view = next_shown(0);
    assert_in_range(shown(view)->tick, ticks, counter_read(&stats->ticks));
    view_release(view);
    link_leave(ada.link, END_NONE);
}

/* During a long request all members still see the flock. */
static void test_hard_work_does_not_stop_the_clock(void **state)
{
    const uint32_t resets = 200;
    const struct proto_client_message pause = {.type = PROTO_SET,
                                               .set = {.name = "run", .value = "paused"}};
    struct player ada = join("Ada");
    struct room_view *view;
    uint32_t first;
    uint32_t done = 0;

    (void)state;
    welcomed(&ada);
    assert_true(link_send(ada.link, &pause));
    assert_int_equal(next_told(&ada).type, PROTO_DONE);
    view = next_shown(0);
    first = view->streams[0].sequence;
    for (uint32_t i = 0; i < resets; i++) {
        assert_true(link_send(ada.link, &(struct proto_client_message){.type = PROTO_RESET}));
    }
    while (done < resets) {
        struct proto_server_message told = next_told(&ada);
        if (told.type != PROTO_EVENT) { /* an event of dropped ticks, on a slow machine */
            assert_int_equal(told.type, PROTO_DONE);
            done++;
        }
    }
    view_release(view);
    view = next_view_of(0);
    assert_true(view->streams[0].sequence - first >= 10);
    view_release(view);
    link_leave(ada.link, END_NONE);
}

/* A room whose ticks take long lets each other room of its runner tick in between. */
static void test_a_costly_room_lets_others_tick(void **state)
{
    struct directory_entry small = create_room("boids", 12, NULL);
    struct directory *directory = hub_directory(hub);
    const struct room_stats *costly_stats = directory_stats(directory, room_slot(lobby));
    const struct room_stats *small_stats = directory_stats(directory, room_slot(small.number));
    struct player ada = join("Ada");
    struct player bob = join_at(0, small.code, "Bob");
    uint64_t costly;
    uint64_t others;

    (void)state;
    while (counter_read(&small_stats->ticks) < 3 || counter_read(&costly_stats->ticks) < 3) {
        view_release(links_take_view(hub_links(hub, 0)));
        wait_for_wake();
    }
    others = counter_read(&small_stats->ticks);
    costly = counter_read(&costly_stats->ticks);
    while (counter_read(&costly_stats->ticks) < costly + 20) {
        view_release(links_take_view(hub_links(hub, 0)));
        wait_for_wake();
    }
    assert_true(counter_read(&small_stats->ticks) - others + 2 >=
                counter_read(&costly_stats->ticks) - costly);
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
}

/* With many costly rooms, another room waits for at most one costly tick. */
static void test_costly_rooms_take_turns_with_others(void **state)
{
    enum { COSTLY = 3 };
    struct directory *directory = hub_directory(hub);
    struct directory_entry small = create_room("boids", 12, NULL);
    const struct room_stats *small_stats = directory_stats(directory, room_slot(small.number));
    const struct room_stats *costly_stats[COSTLY];
    struct player players[COSTLY + 1];
    uint64_t costly = 0;
    uint64_t others;

    (void)state;
    players[COSTLY] = join_at(0, small.code, "Bob");
    for (int i = 0; i < COSTLY; i++) {
        struct directory_entry entry = create_room("swarm", COSTLY_BOIDS, NULL);
        costly_stats[i] = directory_stats(directory, room_slot(entry.number));
        players[i] = join_at(0, entry.code, "Ada");
    }
    for (int i = 0; i < COSTLY; i++) {
        while (counter_read(&costly_stats[i]->ticks) < 3) {
            view_release(links_take_view(hub_links(hub, 0)));
            wait_for_wake();
        }
    }
    others = counter_read(&small_stats->ticks); /* first: a tick between the reads is not missing */
    for (int i = 0; i < COSTLY; i++) {
        costly += counter_read(&costly_stats[i]->ticks);
    }
    for (uint64_t now = 0; now < costly + 40;) {
        view_release(links_take_view(hub_links(hub, 0)));
        wait_for_wake();
        now = 0;
        for (int i = 0; i < COSTLY; i++) {
            now += counter_read(&costly_stats[i]->ticks);
        }
    }
    assert_true(counter_read(&small_stats->ticks) - others + 4 >= 40);
    for (int i = 0; i <= COSTLY; i++) {
        link_leave(players[i].link, END_NONE);
    }
}

/* Asks a room for a reset, without waiting for the answer. */
static void ask_for_reset(uint64_t ticket, uint64_t room, const char *key)
{
    struct hub_request *request = calloc(1, sizeof *request + sizeof(struct proto_client_message));

    assert_non_null(request);
    snprintf(request->key, sizeof request->key, "%s", key);
    request->listed = -1;
    request->message_count = 1;
    request->messages[0].type = PROTO_RESET;
    assert_true(hub_ask(hub, 0, ticket, room, request));
}

/* Many expensive requests wait for a stranger's room. One for the lobby does not wait for them. */
static void test_rooms_have_queues_of_their_own(void **state)
{
    enum { REQUESTS = 100 };
    char key[PROTO_KEY_MAX + 1];
    struct directory_entry entry = create_room("boids", COSTLY_BOIDS, key);
    uint64_t before = 0;
    struct hub_reply reply;

    (void)state;
    for (uint64_t i = 1; i <= REQUESTS; i++) {
        ask_for_reset(i, entry.number, key);
    }
    ask_for_reset(REQUESTS + 1, lobby, "lobby-key");
    for (uint64_t i = 1; i <= REQUESTS + 1; i++) {
        reply = next_reply_to(0);
        assert_int_equal(reply.answer.error->code, PROTO_OK);
        if (reply.session == REQUESTS + 1) {
            before = i - 1;
        } else {
            assert_true(reply.session == i || reply.session + 1 == i); /* in order */
        }
        hub_answer_finish(&reply.answer);
    }
    assert_in_range(before, 0, REQUESTS / 2);
}

/* Returns how often the room ticks until it answers a request. */
static uint64_t ticks_until_answer(uint64_t room, const char *key)
{
    const struct proto_client_message title = {.type = PROTO_TITLE, .title = {"Late"}};
    const struct room_stats *stats = directory_stats(hub_directory(hub), room_slot(room));
    uint64_t before = counter_read(&stats->ticks);

    assert_int_equal(ask(room, key, &title, false), PROTO_OK);
    return counter_read(&stats->ticks) - before;
}

/* Rooms whose ticks are always late handle events between two ticks. */
static void test_late_rooms_handle_events(void **state)
{
    enum { COSTLY = 3 };
    const struct runner_stats *stats = hub_runner_stats(hub, 0);
    char keys[COSTLY][PROTO_KEY_MAX + 1];
    uint64_t rooms[COSTLY];
    struct player players[COSTLY];

    (void)state;
    for (int i = 0; i < COSTLY; i++) {
        struct directory_entry entry = create_room("swarm", COSTLY_BOIDS, keys[i]);
        rooms[i] = entry.number;
        players[i] = join_at(0, entry.code, "Ada");
    }
    while (counter_read(&stats->ticks) < 3 * COSTLY) {
        view_release(links_take_view(hub_links(hub, 0)));
        wait_for_wake();
    }
    for (int i = 0; i < 3 * COSTLY; i++) {
        assert_in_range(ticks_until_answer(rooms[i % COSTLY], keys[i % COSTLY]), 0, 3);
    }
    for (int i = 0; i < COSTLY; i++) {
        link_leave(players[i].link, END_NONE);
        assert_in_range(ticks_until_answer(rooms[i], keys[i]), 0, 3);
    }
    assert_int_equal(counter_read(&stats->running), 0);
}

/* Waits for the session's welcome. On a busy machine an event of dropped ticks may come before. */
static void welcomed_later(const struct player *player)
{
    struct hub_reply reply = next_reply_to(player->shard);

    while (reply.session != player->session) {
        assert_int_equal(reply.type, HUB_TOLD);
        frame_release(reply.frame);
        reply = next_reply_to(player->shard);
    }
    assert_int_equal(reply.type, HUB_TOLD);
    assert_int_equal(decode(reply.frame)->type, PROTO_WELCOME);
    frame_release(reply.frame);
}

/* A tick that takes too long stops: its room is paused, its presenters get an event. */
static void test_an_endless_tick(void **state)
{
    struct directory_entry small = create_room("boids", 12, NULL);
    struct player ada = join("Ada");
    struct player bob;
    struct proto_server_message told;
    bool paused = false;

    (void)state;
    welcomed(&ada);
    do {
        told = next_told(&ada);
    } while (told.type != PROTO_EVENT || strcmp(told.event.name, "slow") == 0);
    assert_string_equal(told.event.name, "abandoned");
    assert_string_equal(told.event.to, "50");
    while (!paused) {
        struct room_view *view = next_view_of(0);
        const struct proto_room *room = view->room == lobby && view->frames[VIEW_ROOM] != NULL
                                            ? &decode(view->frames[VIEW_ROOM])->room
                                            : NULL;
        for (uint32_t i = 0; room != NULL && i < room->control_count; i++) {
            paused |= strcmp(room->controls[i].value, "paused") == 0;
        }
        view_release(view);
    }
    bob = join_at(0, small.code, "Bob");
    welcomed_later(&bob);
    assert_true(hub_healthy(hub));
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
}

/* Makes a room without a tick limit in which each boid sees each other one. */
static struct directory_entry create_endless_room(char *key)
{
    const struct flock_model *birds = flock_model_find("birds");
    struct hub_making making = {.definition = room_definition_default(), .address = "127.0.0.2"};
    struct room_definition *definition = &making.definition;
    struct hub_made made;

    flock_settings_choose(&definition->flock.settings, birds);
    definition->flock.settings.params[flock_param_find(birds, "view_distance")] = 1000;
    definition->flock.boids = 400000;
    definition->people_max = SESSIONS;
    definition->boids_max = SCENE_BOIDS_MAX;
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
    memcpy(key, made.key, sizeof made.key);
    return made.entry;
}

/* While the lobby runs, a stranger's room has 20 ms for a tick. Its flock stands still in the first
 * seven longer ones; the eighth pauses the room. */
static void test_a_stranger_gets_a_share_of_a_tick(void **state)
{
    char key[PROTO_KEY_MAX + 1];
    struct directory_entry costly = create_endless_room(key);
    const struct room_stats *stats = directory_stats(hub_directory(hub), room_slot(costly.number));
    struct proto_hello hello = hello_of("Eve", 0);
    struct player ada = join("Ada");
    struct player eve;
    struct hub_reply reply;
    struct proto_event event = {.name = ""};

    (void)state;
    welcomed(&ada);
    snprintf(hello.room, sizeof hello.room, "%s", costly.code);
    snprintf(hello.key, sizeof hello.key, "%s", key);
    eve = join_with(0, &hello);
    while (strcmp(event.name, "abandoned") != 0) {
        reply = next_reply_to(0);
        assert_int_equal(reply.type, HUB_TOLD);
        if (reply.session == eve.session && decode(reply.frame)->type == PROTO_EVENT) {
            event = decode(reply.frame)->event;
        }
        frame_release(reply.frame);
    }
    assert_string_equal(event.to, "20");
    assert_true(counter_read(&stats->ticks) >= 7);
    link_leave(ada.link, END_NONE);
    link_leave(eve.link, END_NONE);
}

/* While no other room runs, a stranger's room has 100 ms for a tick. So requests for the empty
 * lobby do not wait for it. */
static void test_a_long_tick_does_not_delay_an_empty_lobby(void **state)
{
    char key[PROTO_KEY_MAX + 1];
    struct directory_entry costly = create_endless_room(key);
    struct proto_hello hello = hello_of("Eve", 0);
    struct proto_server_message told;
    struct player eve;

    (void)state;
    snprintf(hello.room, sizeof hello.room, "%s", costly.code);
    snprintf(hello.key, sizeof hello.key, "%s", key);
    eve = join_with(0, &hello);
    welcomed(&eve);
    do {
        told = next_told(&eve);
    } while (told.type != PROTO_EVENT || strcmp(told.event.name, "abandoned") != 0);
    assert_string_equal(told.event.to, "100");
    assert_int_equal(ask(lobby, "lobby-key", NULL, false), PROTO_OK);
    link_leave(eve.link, END_NONE);
}

/* The server ends at once during a tick that would take minutes. */
static void test_the_end_of_an_endless_tick(void **state)
{
    struct player ada = join("Ada");
    uint64_t begin;

    (void)state;
    welcomed(&ada);
    while (counter_read(&hub_runner_stats(hub, 0)->running) == 0) {
        assert_true(hub_now(hub) < DEADLINE_S * UINT64_C(1000000));
    }
    begin = hub_now(hub);
    hub_stop(hub);
    assert_true(hub_now(hub) - begin < DEADLINE_S * UINT64_C(1000000));
    link_leave(ada.link, END_NONE);
}

static size_t memory_in_use(void)
{
    const struct mallinfo2 info = mallinfo2(); /* zeros under a sanitizer */

    return info.uordblks + info.hblkhd;
}

/* A large flock needs scratch memory only while the room has members. Of 6.6 MB for 30,000
 * boids, 1.6 MB stay for smaller flocks. */
static void test_scratch_memory_of_a_big_room_is_given_back(void **state)
{
    size_t before = memory_in_use();
    struct player ada = join("Ada");

    (void)state;
    welcomed(&ada);
    view_release(next_shown(0));
    link_leave(ada.link, END_NONE);
    assert_int_equal(ask(lobby, "", NULL, false), PROTO_E_KEY); /* the answer follows the leave */
    assert_true(memory_in_use() < before + 3000000);
}

int main(void)
{
#define TEST(name)  cmocka_unit_test_setup_teardown(name, make, finish)
#define LARGE(name) cmocka_unit_test_setup_teardown(name, make_large_lobby, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_the_view_is_the_newest),
        TEST(test_ticks_do_not_drift),
        cmocka_unit_test(test_tick_times_are_exact),
        cmocka_unit_test(test_one_tick_of_a_hundred_may_be_dropped),
        TEST(test_an_empty_room_has_no_ticks),
        LARGE(test_hard_work_does_not_stop_the_clock),
        LARGE(test_scratch_memory_of_a_big_room_is_given_back),
        LARGE(test_a_costly_room_lets_others_tick),
        TEST(test_costly_rooms_take_turns_with_others),
        TEST(test_rooms_have_queues_of_their_own),
        TEST(test_late_rooms_handle_events),
        TEST(test_a_stranger_gets_a_share_of_a_tick),
        TEST(test_a_long_tick_does_not_delay_an_empty_lobby),
        cmocka_unit_test_setup_teardown(test_an_endless_tick, make_costly, finish),
        cmocka_unit_test_setup_teardown(test_the_end_of_an_endless_tick, make_without_limit,
                                        finish_stopped),
    };
    return cmocka_run_group_tests_name("hub_time", tests, NULL, NULL);
}
