/* The hub between network threads and runners: every session that joins gets its welcome, from the
 * room that it asked for and from no other. A refused session gets the reason. */
#include "base/counter.h"
#include "hub/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include <cmocka.h>

#include "hub_session.h"
#include "scene/scene.h"

static int make_small_lobby(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    definition.lobby.people_max = 2;
    return start(&definition);
}

static int make_impatient(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    definition.room_idle = 1000;
    return start(&definition);
}

static int make_expectant(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    definition.unjoined = 1000;
    return start(&definition);
}

#define UNUSED 500000u /* µs */

static int make_crowded(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    definition.limits.unused = UNUSED;
    return start(&definition);
}

/* ---- sessions ---- */

static void test_join_and_leave(void **state)
{
    struct player ada = join("Ada");
    struct proto_welcome welcome = welcomed(&ada);
    struct player bob;
    struct hub_reply reply;

    (void)state;
    assert_string_equal(welcome.name, "Ada");
    assert_string_equal(welcome.room.code, ROOM_LOBBY);
    assert_int_equal(welcome.room.instance, hub_instance(hub));
    bob = join("Bob");
    welcomed(&bob);
    until_present(2, "Ada");
    link_leave(ada.link, END_NONE);
    until_present(1, "Bob");
    link_leave(bob.link, END_NONE);
    assert_false(links_take_reply(hub_links(hub, 0), &reply));
}

static void test_the_cursor_reaches_the_flock(void **state)
{
    struct player ada = join("Ada");
    float x = 0;

    (void)state;
    welcomed(&ada);
    send_cursor(&ada, 300, 200);
    while (x != 300.0F) {
        struct room_view *view = next_shown(0);
        x = shown(view)->target_x;
        view_release(view);
    }
    assert_true(link_send(ada.link, &(struct proto_client_message){.type = PROTO_AWAY}));
    while (x == 300.0F) { /* until the target wanders again */
        struct room_view *view = next_shown(0);
        x = shown(view)->target_x;
        view_release(view);
    }
    link_leave(ada.link, END_NONE);
}

/* Joins with a slot that is reserved for presenters. Returns the first reply, without its frame. */
static struct hub_reply join_reserved(const char *key)
{
    struct proto_hello hello = hello_of("Ada", 0);
    const struct link_request request = {.session = ++last_session,
                                         .address = "127.0.0.1",
                                         .hello = &hello,
                                         .presenters_only = true};
    struct link *link;
    struct hub_reply reply;

    snprintf(hello.key, sizeof hello.key, "%s", key);
    link = link_join(hub_links(hub, 0), &request);
    assert_non_null(link);
    reply = next_reply_to(0);
    frame_release(reply.frame);
    link_leave(link, END_NONE);
    return reply;
}

static void test_a_reserved_slot_needs_the_key(void **state)
{
    struct hub_reply reply = join_reserved("");

    (void)state;
    assert_int_equal(reply.type, HUB_CLOSED);
    assert_int_equal(reply.why, END_SERVER_FULL);
    reply = join_reserved("lobby-key");
    assert_int_equal(reply.type, HUB_TOLD);
    assert_true(reply.granted && reply.presenter);
}

static void test_a_cursor_out_of_range_is_refused(void **state)
{
    struct player ada = join("Ada");
    struct proto_server_message answer;

    (void)state;
    welcomed(&ada);
    send_cursor(&ada, 1, 1e6F);
    answer = next_told(&ada);
    assert_int_equal(answer.type, PROTO_ERROR);
    assert_int_equal(answer.error.code, PROTO_E_RANGE);
    assert_int_equal(answer.error.type, PROTO_CURSOR);
    assert_string_equal(answer.error.field, "y");
    assert_false(answer.error.fatal);
    link_leave(ada.link, END_NONE);
}

/* Sends an answer of the session itself. */
static void answer_range(const struct player *player, uint32_t tag)
{
    struct proto_error error = {
        .code = PROTO_E_RANGE, .type = PROTO_ADD, .has_tag = true, .tag = tag};
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    assert_non_null(frame);
    frame->size = proto_encode_error(frame_data(frame), frame->capacity, &error);
    assert_true(link_answer(player->link, frame));
}

/* Answers come in the order of the requests. */
static void test_answers_in_order(void **state)
{
    struct player ada = join("Ada");

    (void)state;
    welcomed(&ada);
    for (uint32_t tag = 0; tag < 200; tag++) {
        if (tag % 3 == 0) {
            answer_range(&ada, tag);
            continue;
        }
        struct proto_client_message message = {
            .type = tag % 2 == 0 ? PROTO_NAME : PROTO_RESET, .has_tag = true, .tag = tag};
        snprintf(message.name.name, sizeof message.name.name, "Ada");
        assert_true(link_send(ada.link, &message));
    }
    for (uint32_t tag = 0; tag < 200; tag++) {
        struct proto_server_message answer = next_told(&ada);
        if (tag % 3 == 0) {
            assert_int_equal(answer.type, PROTO_ERROR);
            assert_int_equal(answer.error.code, PROTO_E_RANGE);
            assert_int_equal(answer.error.tag, tag);
        } else if (tag % 2 == 0) {
            assert_int_equal(answer.type, PROTO_DONE);
            assert_int_equal(answer.done.type, PROTO_NAME);
            assert_int_equal(answer.done.tag, tag);
        } else { /* this member is a viewer */
            assert_int_equal(answer.type, PROTO_ERROR);
            assert_int_equal(answer.error.code, PROTO_E_ROLE);
            assert_int_equal(answer.error.tag, tag);
        }
    }
    link_leave(ada.link, END_NONE);
}

static void test_a_token_moves_the_person(void **state)
{
    struct proto_hello hello = hello_of("Ada", 0);
    struct player first = join("Ada");
    struct proto_welcome welcome = welcomed(&first);
    struct player second;

    (void)state;
    hello.has_token = true;
    memcpy(hello.token, welcome.token, sizeof hello.token);
    second = join_with(0, &hello);
    closed(&first, PROTO_CLOSE_REPLACED);
    assert_int_equal(welcomed(&second).id, welcome.id);
    /* Later messages of the old session, and its end, change nothing for the person. */
    send_cursor(&first, 1e9F, 0);
    assert_true(send_name(&first, "ghost"));
    link_leave(first.link, END_NONE);
    assert_true(send_name(&second, "Ada again"));
    assert_int_equal(next_told(&second).type, PROTO_DONE);
    until_present(1, "Ada again");
    link_leave(second.link, END_NONE);
}

static void test_a_full_room(void **state)
{
    struct player players[2];
    struct player third;
    struct hub_reply reply;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        players[i] = join("");
        welcomed(&players[i]);
    }
    third = join("");
    reply = next_reply_to(0);
    assert_int_equal(reply.type, HUB_CLOSED);
    assert_int_equal(reply.session, third.session);
    assert_int_equal(end_code(reply.why), PROTO_CLOSE_FULL);
    assert_int_equal(decode(reply.frame)->error.code, PROTO_E_FULL);
    frame_release(reply.frame);
    link_leave(third.link, END_NONE);
    link_leave(players[0].link, END_NONE);
    third = join("");
    welcomed(&third);
    link_leave(third.link, END_NONE);
    link_leave(players[1].link, END_NONE);
}

/* ---- rooms ---- */

/* Two rooms side by side: each has its own flock, people and targets. */
static void test_rooms_do_not_see_each_other(void **state)
{
    struct directory_entry entry = create_room("vision", 50, NULL);
    struct player ada = join_at(0, ROOM_LOBBY, "Ada");
    struct proto_welcome first = welcomed(&ada);
    struct player bob = join_at(0, entry.code, "Bob");
    struct proto_welcome second = welcomed(&bob);
    unsigned seen[2] = {0};

    (void)state;
    assert_string_equal(first.room.model, "swarm");
    assert_string_equal(second.room.model, "vision");
    assert_string_equal(second.room.code, entry.code);
    send_cursor(&ada, 300, 200);
    while (seen[0] < 10 || seen[1] < 10) {
        struct room_view *view = next_shown(0);
        bool of_lobby = view->room == lobby;
        const struct proto_snapshot *snapshot = shown(view);
        assert_true(of_lobby || view->room == entry.number);
        assert_int_equal(snapshot->people, 1);
        assert_int_equal(snapshot->boid_count, of_lobby ? 12 : 50);
        assert_true(of_lobby || snapshot->target_x != 300.0F);
        seen[of_lobby ? 0 : 1]++;
        view_release(view);
    }
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
}

/* When a room ends, its members get the reason, its code is unknown, and later clients get the
 * reason. */
static void test_a_room_ends(void **state)
{
    char key[PROTO_KEY_MAX + 1];
    struct directory_entry entry = create_room("swarm", 12, key);
    struct directory_entry found;
    struct player ada = join_at(0, entry.code, "Ada");
    struct player late;
    struct hub_reply refused;
    struct proto_error error;

    (void)state;
    welcomed(&ada);
    assert_true(directory_find(hub_directory(hub), entry.code, &found));
    assert_int_equal(ask(entry.number, "not-its-key", NULL, true), PROTO_E_KEY);
    assert_int_equal(ask(entry.number, key, NULL, true), PROTO_OK);
    closed(&ada, PROTO_CLOSE_ENDED);
    link_leave(ada.link, END_NONE);
    late = join_at(0, entry.code, "Bob");
    refused = next_reply_to(0);
    assert_int_equal(refused.why, END_ROOM_GONE);
    error = decode(refused.frame)->error;
    assert_int_equal(error.code, PROTO_E_ROOM);
    assert_int_equal(error.type, PROTO_HELLO);
    assert_string_equal(error.field, "room");
    assert_true(error.fatal);
    frame_release(refused.frame);
    link_leave(late.link, END_NONE);
    assert_false(directory_find(hub_directory(hub), entry.code, &found));
    assert_int_equal(ask(entry.number, key, NULL, true), PROTO_E_ROOM);
    assert_int_equal(hub_boids(hub), 12); /* the lobby's */
}

/* A request with the key changes the room. A refusal names the field. */
static void test_requests(void **state)
{
    char key[PROTO_KEY_MAX + 1];
    struct directory_entry entry = create_room("swarm", 12, key);
    struct directory_entry found;
    struct proto_client_message title = {.type = PROTO_TITLE, .title = {"Starlings"}};
    struct proto_client_message wrong = {.type = PROTO_SET, .set = {.name = "model", .value = "x"}};

    (void)state;
    assert_int_equal(ask(entry.number, key, &title, false), PROTO_OK);
    assert_true(directory_find(hub_directory(hub), entry.code, &found));
    assert_string_equal(found.title, "Starlings");
    assert_int_equal(ask(entry.number, key, &wrong, true), PROTO_E_RANGE);
    assert_true(directory_find(hub_directory(hub), entry.code, &found)); /* it has not ended */
}

static struct hub_request *by_server(const char *key)
{
    struct hub_request *request = calloc(1, sizeof *request + sizeof(struct proto_client_message));

    assert_non_null(request);
    snprintf(request->key, sizeof request->key, "%s", key);
    request->by_server = true;
    request->listed = -1;
    return request;
}

/* Asks with the server's key. The room itself finds out whether that is its key. */
static void test_requests_with_the_servers_key(void **state)
{
    static const char *const keys[] = {"lobby-key", "the-key-before"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const enum proto_code expected = i == 0 ? PROTO_OK : PROTO_E_KEY;
        struct hub_request *title = by_server(keys[i]);
        struct hub_request *join_key = by_server(keys[i]);
        struct hub_request *listed = by_server(keys[i]);
        title->message_count = 1;
        title->messages[0] = (struct proto_client_message){.type = PROTO_TITLE, .title = {"Owls"}};
        join_key->has_join_key = true;
        listed->listed = 1;
        assert_int_equal(ask_with(lobby, title), expected);
        assert_int_equal(ask_with(lobby, join_key), expected);
        assert_int_equal(ask_with(lobby, listed), PROTO_OK);
    }
}

/* A created room ends when it was empty for its idle time; the lobby does not. */
static void test_idle_rooms_end(void **state)
{
    struct directory *directory = hub_directory(hub);
    struct directory_entry entry = create_room("swarm", 12, NULL);
    struct directory_entry found;
    uint64_t since = uv_hrtime();

    (void)state;
    while (directory_find(directory, entry.code, &found)) {
        assert_true(uv_hrtime() - since < DEADLINE_S * CLOCK_NS_PER_S);
    }
    assert_true(directory_find(directory, "lobby", &found));
    assert_int_equal(directory_count(directory), 1);
}

static bool exists(const char *code)
{
    struct directory_entry found;

    return directory_find(hub_directory(hub), code, &found);
}

/* A room that no client ever joined ends soon, unless a trusted creator made it. */
static void test_rooms_that_nobody_joins_end(void **state)
{
    struct hub_making making = {.definition = room_definition_default(), .address = "127.0.0.1"};
    struct hub_made trusted;
    uint64_t since = uv_hrtime();

    (void)state;
    making.definition.trusted = true;
    assert_int_equal(hub_make_room(hub, &making, &trusted), DIRECTORY_OK);
    struct directory_entry entry = create_room("swarm", 12, NULL);
    while (exists(entry.code)) {
        assert_true(uv_hrtime() - since < DEADLINE_S * CLOCK_NS_PER_S);
    }
    assert_true(exists(trusted.entry.code));
    assert_true(exists("lobby"));
}

/* The room that gives way to another creator's room ends, and its slot is used again. A creator's
 * only room is not the first. */
static void test_a_room_gives_way(void **state)
{
    struct hub_making making = {.definition = room_definition_default(), .address = "10.0.0.2"};
    struct directory_entry only = create_room("swarm", 12, NULL);
    uint64_t since = uv_hrtime();
    struct directory_entry first;
    struct hub_made made;

    (void)state;
    for (uint32_t i = 1; i < 3; i++) {
        create_room("swarm", 12, NULL);
    }
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
        first = i == 0 ? made.entry : first;
    }
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_SHARE);
    making.address = "10.0.0.3";
    assert_true(exists(first.code));
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
    while (exists(first.code)) {
        assert_true(uv_hrtime() - since < DEADLINE_S * CLOCK_NS_PER_S);
    }
    assert_true(exists(only.code));
    assert_int_equal(directory_count(hub_directory(hub)), 7);
}

/* Makes a room of that address, which a player joins. */
static struct player make_and_join(const char *address, struct directory_entry *entry)
{
    struct hub_making making = {.definition = room_definition_default(), .address = address};
    struct player player;
    struct hub_made made;

    making.definition.people_max = SESSIONS;
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
    *entry = made.entry;
    player = join_at(0, entry->code, "Ada");
    welcomed(&player);
    return player;
}

static uint64_t used_at(const struct directory_entry *entry)
{
    return counter_read(&directory_stats(hub_directory(hub), room_slot(entry->number))->used);
}

/* The first room of an address replaces a room with people: of the address with most rooms, the one
 * that was used longest ago. Its members get the reason. A cursor that arrives first keeps a room.
 */
static void test_a_room_with_people_gives_way(void **state)
{
    const char *const addresses[] = {"10.0.0.1", "10.0.0.1", "10.0.0.1",
                                     "10.0.0.2", "10.0.0.2", "10.0.0.3"};
    struct hub_making making = {.definition = room_definition_default(), .address = "10.0.0.5"};
    struct directory_entry entries[7];
    struct player players[7];
    struct hub_made made;
    struct hub_reply reply;
    uint64_t before;

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        players[i] = make_and_join(addresses[i], &entries[i]);
    }
    before = used_at(&entries[5]);
    while (hub_now(hub) < before + UNUSED) {
        uv_sleep(1);
    }
    assert_true(send_cursor(&players[0], 10, 10));
    while (used_at(&entries[0]) < before + UNUSED) {
        uv_sleep(1);
    }
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
    reply = next_reply_to(0);
    assert_int_equal(reply.type, HUB_CLOSED);
    assert_int_equal(reply.session, players[1].session);
    assert_int_equal(reply.why, END_GAVE_WAY);
    assert_int_equal(end_code(reply.why), PROTO_CLOSE_ENDED);
    players[6] = join_at(0, made.entry.code, "Bob");
    welcomed(&players[6]);
    for (size_t i = 2; i < 5; i++) {
        assert_true(send_cursor(&players[i], 10, 10));
    }
    making.address = "10.0.0.6";
    (void)hub_make_room(hub, &making, &made);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(ask(entries[i].number, "not-its-key", NULL, false),
                         i == 1 ? PROTO_E_ROOM : PROTO_E_KEY);
    }
    for (size_t i = 0; i < 7; i++) {
        link_leave(players[i].link, END_NONE);
    }
}

static void test_limits(void **state)
{
    struct hub_making making = {.definition = room_definition_default()};
    struct hub_made made;

    (void)state;
    making.definition.boids_max = SCENE_BOIDS_MAX;
    making.definition.flock.boids = 999990;
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_FULL);
    assert_int_equal(made.boids_left, 1000000 - 12);
    making.definition.flock.boids = 12;
    for (uint32_t i = 1; i < 8; i++) {
        assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
    }
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_FULL);
    assert_true(made.boids_left == UINT64_MAX);
}

static int make_with_little_memory(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    definition.limits.rooms_max = 100;
    definition.history_bytes = 16u << 20;
    return start(&definition);
}

static enum directory_result make_of(const char *address, struct hub_made *made)
{
    struct hub_making making = {.definition = room_definition_default(), .address = address};

    making.definition.flock.boids = 20000;
    making.definition.people_max = SESSIONS;
    making.definition.boids_max = SCENE_BOIDS_MAX;
    return hub_make_room(hub, &making, made);
}

/* Rooms of one address, also without pasts, take at most half of the memory that is free. */
static void test_an_address_has_a_share_of_the_memory(void **state)
{
    struct hub_made made;
    unsigned rooms = 0;

    (void)state;
    while (make_of("10.0.0.1", &made) == DIRECTORY_OK) {
        rooms++;
        assert_true(rooms < 16);
    }
    assert_in_range(rooms, 6, 11); /* of 0.64 MB and more */
    assert_int_equal(made.result, DIRECTORY_REFUSED);
    assert_non_null(strstr(made.error.message, "(--rewind-memory)"));
    assert_int_equal(make_of("10.0.0.2", &made), DIRECTORY_OK);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_join_and_leave),
        TEST(test_the_cursor_reaches_the_flock),
        TEST(test_a_reserved_slot_needs_the_key),
        TEST(test_a_cursor_out_of_range_is_refused),
        TEST(test_answers_in_order),
        TEST(test_a_token_moves_the_person),
        cmocka_unit_test_setup_teardown(test_a_full_room, make_small_lobby, finish),
        TEST(test_rooms_do_not_see_each_other),
        TEST(test_a_room_ends),
        TEST(test_requests),
        TEST(test_requests_with_the_servers_key),
        cmocka_unit_test_setup_teardown(test_idle_rooms_end, make_impatient, finish),
        cmocka_unit_test_setup_teardown(test_rooms_that_nobody_joins_end, make_expectant, finish),
        TEST(test_a_room_gives_way),
        cmocka_unit_test_setup_teardown(test_a_room_with_people_gives_way, make_crowded, finish),
        TEST(test_limits),
        cmocka_unit_test_setup_teardown(test_an_address_has_a_share_of_the_memory,
                                        make_with_little_memory, finish),
    };
    return cmocka_run_group_tests_name("hub", tests, NULL, NULL);
}
