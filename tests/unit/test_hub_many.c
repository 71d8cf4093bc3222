/* Many sessions of a hub: no message is lost or leaked, with slow shards and with several shards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hub_session.h"
#include "sim/rng.h"

#define SHARDS_MAX 3

static int make_sharded(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    definition.shards = SHARDS_MAX;
    definition.runners = 2;
    return start(&definition);
}

/* Replies go to the session's shard; views to the shards that have members of the room. */
static void test_each_shard_has_its_own(void **state)
{
    struct directory_entry entry = create_room("boids", 40, NULL);
    struct player ada = join_at(0, ROOM_LOBBY, "Ada");
    struct player bob = join_at(1, entry.code, "Bob");
    struct player eve = join_at(2, entry.code, "Eve");
    struct hub_reply reply;

    (void)state;
    welcomed(&ada);
    welcomed(&bob);
    welcomed(&eve);
    for (int i = 0; i < 10; i++) {
        struct room_view *view = next_view_of(0);
        assert_true(view->room == lobby);
        view_release(view);
        view = next_view_of(1);
        assert_true(view->room == entry.number);
        view_release(view);
        view = next_view_of(2);
        assert_true(view->room == entry.number);
        view_release(view);
    }
    link_leave(bob.link, END_NONE);
    until_present(1, "Ada");
    for (uint32_t shard = 0; shard < SHARDS_MAX; shard++) {
        assert_false(links_take_reply(hub_links(hub, shard), &reply));
    }
    link_leave(ada.link, END_NONE);
    link_leave(eve.link, END_NONE);
}

/* ---- thousands ---- */

enum { JOINS = 5000, ROOMS = 4 };

struct fate {
    struct player player;
    bool joined, left;
    unsigned welcomes, closes;
};

static struct fate fates[JOINS + 1]; /* by session */
static unsigned answered;

static void take_replies_of(uint32_t shard, unsigned most)
{
    struct hub_reply reply;

    while (most-- > 0 && links_take_reply(hub_links(hub, shard), &reply)) {
        struct fate *fate = &fates[reply.session];
        assert_int_equal(fate->player.shard, shard);
        assert_int_equal(fate->closes, 0);
        if (reply.type == HUB_CLOSED) {
            fate->closes++;
            answered += fate->welcomes == 0;
        } else if (decode(reply.frame)->type == PROTO_WELCOME) {
            assert_int_equal(fate->welcomes++, 0);
            answered++;
        }
        frame_release(reply.frame);
    }
}

static void take_replies(unsigned most)
{
    for (uint32_t shard = 0; shard < shards; shard++) {
        take_replies_of(shard, most);
        view_release(links_take_view(hub_links(hub, shard)));
    }
}

/* Random joins in several rooms, leaves, names and cursors (some refused). Replies are read in
 * bursts or after a long time. Each join has one welcome, or is refused because too many events
 * wait; no message follows a close. */
static void test_conservation(void **state)
{
    struct rng rng = rng_of_boid(20240607, 1);
    struct proto_hello hello = hello_of("", 0);
    struct directory_entry rooms[ROOMS] = {{.code = ROOM_LOBBY}};
    uint32_t here[SESSIONS];
    uint32_t count = 0;
    unsigned joins = 0;

    (void)state;
    memset(fates, 0, sizeof fates);
    answered = 0;
    for (int i = 1; i < ROOMS; i++) {
        rooms[i] = create_room("swarm", 12, NULL);
    }
    while (joins < JOINS || count > 0) {
        uint32_t at = count > 0 ? (uint32_t)(rng_next(&rng) % count) : 0;
        if (joins < JOINS && count < SESSIONS && rng_next(&rng) % 2 == 0) {
            uint32_t shard = (uint32_t)(rng_next(&rng) % shards);
            struct player player = {.session = joins + 1, .shard = shard};
            const struct link_request request = {
                .session = player.session, .address = "127.0.0.1", .hello = &hello};
            snprintf(hello.room, sizeof hello.room, "%s", rooms[rng_next(&rng) % ROOMS].code);
            player.link = link_join(hub_links(hub, shard), &request);
            if (player.link == NULL) { /* too many joins at once */
                take_replies(UINT32_MAX);
                wait_for_wake();
                continue;
            }
            fates[player.session].player = player;
            here[count++] = (uint32_t)player.session;
            joins++;
        } else if (count > 0 && rng_next(&rng) % 3 == 0) {
            link_leave(fates[here[at]].player.link, END_NONE);
            here[at] = here[--count];
        } else if (count > 0) {
            send_cursor(&fates[here[at]].player, at % 5 == 0 ? 1e6F : 5, 0);
            send_name(&fates[here[at]].player, "name");
        }
        if (rng_next(&rng) % 64 == 0) {
            take_replies(rng_next(&rng) % 3 == 0 ? 5 : UINT32_MAX);
        }
    }
    while (answered < joins) {
        take_replies(UINT32_MAX);
        if (answered < joins) {
            wait_for_wake();
        }
    }
    take_replies(UINT32_MAX);
    assert_int_equal(answered, joins);
    for (uint32_t session = 1; session <= JOINS; session++) {
        assert_true(fates[session].welcomes == 1 || fates[session].closes == 1);
    }
}

/* The number of unread answers is bounded: the room closes the member and reports this. Other
 * members continue.
 */
static void test_unread_answers_are_bounded(void **state)
{
    const struct runner_stats *stats = hub_runner_stats(hub, 0);
    struct player ada = join("Ada");
    struct player bob;
    struct hub_reply reply = {.type = HUB_TOLD};
    uint64_t ticks;

    (void)state;
    welcomed(&ada);
    for (unsigned sent = 0; sent < 4000;) {
        if (send_name(&ada, "Ada")) {
            sent++;
        } else {
            wait_for_wake();
        }
    }
    ticks = counter_read(&stats->ticks);
    while (counter_read(&stats->ticks) < ticks + 20) { /* all members have their answers */
        wait_for_wake();
    }
    for (unsigned answers = 0; reply.type != HUB_CLOSED; answers++) {
        reply = next_reply_to(0);
        assert_int_equal(reply.session, ada.session);
        assert_true(answers < 4000);
        frame_release(reply.frame);
    }
    assert_int_equal(end_code(reply.why), PROTO_CLOSE_FULL);
    link_leave(ada.link, END_NONE);
    bob = join("Bob");
    welcomed(&bob);
    link_leave(bob.link, END_NONE);
}

/* The runners end with full mailboxes. The sanitizers check that all memory is freed. */
static void test_stop_with_work_left(void **state)
{
    struct player players[SESSIONS];
    struct directory_entry entry = create_room("swarm", 12, NULL);

    (void)state;
    for (uint32_t i = 0; i < SESSIONS; i++) {
        players[i] = join_at(0, i % 2 == 0 ? ROOM_LOBBY : entry.code, "");
        send_name(&players[i], "name");
        send_cursor(&players[i], 1e6F, 0);
    }
    hub_stop(hub);
    create_room("swarm", 12, NULL); /* no session takes this reply */
    for (uint32_t i = 0; i < SESSIONS; i++) {
        link_leave(players[i].link,
                   END_NONE); /* like connections that end just before the server */
    }
    hub_destroy(hub);
    hub = NULL;
}

int main(void)
{
#define TEST(name)    cmocka_unit_test_setup_teardown(name, make, finish)
#define SHARDED(name) cmocka_unit_test_setup_teardown(name, make_sharded, finish)
    const struct CMUnitTest tests[] = {
        SHARDED(test_each_shard_has_its_own), TEST(test_conservation),
        SHARDED(test_conservation),           TEST(test_unread_answers_are_bounded),
        TEST(test_stop_with_work_left),
    };
    return cmocka_run_group_tests_name("hub_many", tests, NULL, NULL);
}
