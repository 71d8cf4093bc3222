/* Events that wait for strangers' rooms leave other rooms' events their share of a runner. */
#include "hub/hub.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hub_session.h"

/* A flock whose reset takes about as long as a turn. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define COSTLY_BOIDS 5000
#else
#define COSTLY_BOIDS 30000
#endif

enum { STRANGERS = 6, MESSAGES = 1500, ROUNDS = 50, CURSORS = 100000 };

static struct player strangers[STRANGERS];
static unsigned answers; /* to strangers */

static const struct proto_client_message reset = {.type = PROTO_RESET};

/* Lets a stranger go whose session is closed. */
static void on_reply(const struct hub_reply *reply)
{
    for (unsigned i = 0; i < STRANGERS; i++) {
        if (strangers[i].link != NULL && strangers[i].session == reply->session) {
            answers++;
            if (reply->type == HUB_CLOSED) {
                link_leave(strangers[i].link, END_NONE);
                strangers[i].link = NULL;
            }
        }
    }
    frame_release(reply->frame);
}

static void take_replies(void)
{
    struct hub_reply reply;

    while (links_take_reply(hub_links(hub, 0), &reply)) {
        on_reply(&reply);
    }
}

/* Returns how many answers strangers get until the session gets one. */
static unsigned answers_until(const struct player *player)
{
    unsigned before = answers;
    struct hub_reply reply = next_reply_to(0);

    while (reply.session != player->session) {
        on_reply(&reply);
        reply = next_reply_to(0);
    }
    assert_int_equal(reply.type, HUB_TOLD);
    frame_release(reply.frame);
    return answers - before;
}

/* Each stranger is the presenter of a room of another address. */
static void let_strangers_in(void)
{
    char key[PROTO_KEY_MAX + 1];

    for (unsigned i = 0; i < STRANGERS; i++) {
        struct directory_entry entry = create_room("boids", COSTLY_BOIDS, key);
        struct proto_hello hello = hello_of("Eve", 0);
        snprintf(hello.room, sizeof hello.room, "%s", entry.code);
        snprintf(hello.key, sizeof hello.key, "%s", key);
        strangers[i] = join_with(0, &hello);
        welcomed(&strangers[i]);
    }
}

static void send_resets(void)
{
    for (unsigned message = 0; message < MESSAGES; message++) {
        for (unsigned i = 0; i < STRANGERS; i++) {
            if (strangers[i].link != NULL) {
                (void)link_send(strangers[i].link, &reset);
            }
        }
        take_replies();
    }
}

static void test_full_queues_of_strangers_delay_no_other_room(void **state)
{
    const struct proto_client_message title = {.type = PROTO_TITLE, .title = {"Hello"}};
    struct proto_hello hello = hello_of("Ada", 0);
    struct player ada;

    (void)state;
    let_strangers_in();
    send_resets();
    snprintf(hello.key, sizeof hello.key, "lobby-key");
    ada = join_with(0, &hello);
    assert_in_range(answers_until(&ada), 0, 100);
    assert_true(link_send(ada.link, &title));
    assert_in_range(answers_until(&ada), 0, 100);
    assert_int_equal(ask(lobby, "lobby-key", NULL, false), PROTO_OK);
    link_leave(ada.link, END_NONE);
    for (unsigned i = 0; i < STRANGERS; i++) {
        if (strangers[i].link != NULL) {
            link_leave(strangers[i].link, END_NONE);
        }
    }
}

/* A crowd's cursors fill the mailbox until one is lost. A message still fits. */
static void test_cursors_leave_place_for_messages(void **state)
{
    struct player eve = join("Eve");
    struct player ada = join("Ada");

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned cursors = 0;
        while (send_cursor(&eve, 1, 1) && cursors < CURSORS) {
            cursors++;
        }
        assert_true(send_name(&ada, "Ada"));
        take_replies();
    }
    link_leave(eve.link, END_NONE);
    link_leave(ada.link, END_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_full_queues_of_strangers_delay_no_other_room, make,
                                        finish),
        cmocka_unit_test_setup_teardown(test_cursors_leave_place_for_messages, make, finish),
    };
    return cmocka_run_group_tests_name("hub_queues", tests, NULL, NULL);
}
