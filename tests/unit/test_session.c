/* A session between libwebsockets and a link, which session_world.h simulates. The client's
 * messages reach the link, and the link's messages reach the client. The link has no hub, because
 * sessions do not depend on the kind of link. */
#include "room/stream.h"
#include "session_world.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

static void test_a_session_joins_by_code(void **state)
{
    (void)state;
    assert_true(ip_read("192.0.2.7", &connection->address));
    say_hello("FK72MX");
    assert_true(fake.here);
    assert_string_equal(fake.address, "192.0.2.7");
    assert_int_equal(fake.session, session->entry.id);
    assert_string_equal(fake.hello.room, "FK72MX");
    assert_string_equal(fake.hello.name, "Ada");
    assert_false(fake.presenters_only);
    assert_null(session->entry.room); /* the session knows its room after the grant */
    grant(ROOM);
    assert_int_equal(session->entry.room->number, ROOM);
    assert_int_equal(session->stage, SESSION_LIVE);
}

static void test_messages_reach_the_link(void **state)
{
    (void)state;
    join();
    say(&(struct proto_client_message){.type = PROTO_CURSOR, .cursor = {1, 2}});
    say(&(struct proto_client_message){.type = PROTO_RESET});
    assert_int_equal(fake.heard_count, 2);
    assert_int_equal(fake.heard[0], PROTO_CURSOR);
    assert_int_equal(fake.heard[1], PROTO_RESET);
    assert_int_equal(sent_count, read_count);
}

static void test_a_busy_link_refuses_messages(void **state)
{
    struct proto_client_message reset = {.type = PROTO_RESET, .has_tag = true, .tag = 7};

    (void)state;
    join();
    fake.busy = true;
    say(&(struct proto_client_message){.type = PROTO_CURSOR, .cursor = {1, 2}});
    assert_int_equal(fake.answers, 0); /* the next cursor replaces it */
    say(&reset);
    assert_int_equal(fake.answers, 1); /* after the room's answers */
    assert_string_equal(fake.answer, "the server is too busy; try again in a moment");
    assert_int_equal(fake.heard_count, 0);
}

static void test_the_clock_is_the_rooms(void **state)
{
    const struct proto_server_message *message;

    (void)state;
    join();
    say(&(struct proto_client_message){.type = PROTO_PING, .ping.t = 4711});
    message = next_heard();
    assert_int_equal(message->type, PROTO_PONG);
    assert_int_equal(message->pong.t, 4711);
    assert_true(message->pong.time >= (uint64_t)AHEAD);
    assert_true(message->pong.time <= (uint64_t)AHEAD + links_now(&links));
}

static void test_an_unknown_room(void **state)
{
    (void)state;
    say_hello("no-such");
    assert_false(fake.here);
    assert_int_equal(fake.session, 0); /* and the session did not join */
    session_end_turn(&context);
    assert_int_equal(next_heard()->error.code, PROTO_E_ROOM);
    assert_int_equal(next_heard()->goodbye.code, PROTO_CLOSE_ROOM);
}

/* The client gets the code and the text of the reason. The link gets the reason. */
static void test_the_room_closes_a_session(void **state)
{
    struct hub_reply reply = {
        .type = HUB_CLOSED, .frame = error_frame(PROTO_E_REMOVED), .why = END_REMOVED};

    (void)state;
    join();
    session_reply(&context, session, &reply);
    assert_false(fake.here);
    assert_int_equal(fake.why, END_REMOVED);
    assert_null(session->entry.room);
    assert_int_equal(next_heard()->error.code, PROTO_E_REMOVED);
    assert_int_equal(next_heard()->goodbye.code, PROTO_CLOSE_REMOVED);
    session_end_turn(&context);
    assert_int_equal(closed, PROTO_CLOSE_REMOVED);
    assert_string_equal(close_text, end_text(END_REMOVED));
}

/* A room that has moved welcomes its members again: the session stays open. */
static void test_another_welcome(void **state)
{
    (void)state;
    join();
    session->outlet.presence = 7;
    grant(ROOM + 1);
    assert_true(fake.here);
    assert_int_equal(session->stage, SESSION_LIVE);
    assert_int_equal(session->entry.room->number, ROOM + 1);
    assert_int_equal(roster.count, 1);
    assert_int_equal(session->outlet.presence, 0); /* the client gets the whole list again */
}

static void test_a_full_room_is_counted(void **state)
{
    struct hub_reply reply = {.type = HUB_CLOSED, .why = END_ROOM_FULL};

    (void)state;
    say_hello("FK72MX");
    session_reply(&context, session, &reply);
    assert_int_equal(context.counts.refused[COUNTS_PEOPLE], 1);
    assert_int_equal(next_heard()->goodbye.code, PROTO_CLOSE_FULL);
}

static void test_a_client_leaves(void **state)
{
    (void)state;
    join();
    assert_int_equal(call(LWS_CALLBACK_WS_PEER_INITIATED_CLOSE, NULL, 0), -1);
    assert_int_equal(closes, 1); /* its answer, after which libwebsockets ends the connection */
    assert_int_equal(closed, 1005);
    assert_false(fake.here);
    assert_int_equal(fake.why, END_NONE);
}

static uint64_t closed_with(uint16_t code)
{
    size_t i = 0;

    while (counts_codes[i] != code) {
        i++;
    }
    return context.counts.closed[i];
}

/* The metrics name the code in the client's close frame. */
static void test_the_clients_close_code_is_counted(void **state)
{
    uint8_t away[] = {1001 >> 8, 1001 & 255};

    (void)state;
    join();
    assert_int_equal(call(LWS_CALLBACK_WS_PEER_INITIATED_CLOSE, away, sizeof away), -1);
    assert_int_equal(closed, 1001);
    call(LWS_CALLBACK_CLOSED, NULL, 0);
    assert_int_equal(closed_with(1001), 1);
    session->wsi = NULL; /* for finish() */
}

/* Both sides close at once: the client gets one close frame. */
static void test_a_client_closes_a_closing_session(void **state)
{
    struct hub_reply reply = {.type = HUB_CLOSED, .why = END_REMOVED};

    (void)state;
    join();
    session_reply(&context, session, &reply);
    assert_int_equal(call(LWS_CALLBACK_WS_PEER_INITIATED_CLOSE, NULL, 0), -1);
    session_end_turn(&context);
    assert_int_equal(closes, 1);
    call(LWS_CALLBACK_CLOSED, NULL, 0);
    assert_int_equal(closed_with(PROTO_CLOSE_REMOVED), 1);
    session->wsi = NULL;
}

/* The session waits for the client's answer to its close frame, and then for no more than 5 s. */
static void test_a_client_does_not_answer_a_close(void **state)
{
    (void)state;
    join();
    session_close(&context, session, END_STALLED);
    assert_int_equal(closes, 0); /* not at once: libwebsockets may be using the connection */
    session_end_turn(&context);
    assert_int_equal(closed, end_code(END_STALLED));
    pass(4000);
    session_end_turn(&context);
    assert_false(killed);
    pass(1001);
    session_end_turn(&context);
    assert_true(killed);
    assert_int_equal(closes, 1);
}

static void test_a_client_answers_a_close(void **state)
{
    (void)state;
    join();
    session_close(&context, session, END_STALLED);
    session_end_turn(&context);
    assert_int_equal(call(LWS_CALLBACK_WS_PEER_INITIATED_CLOSE, NULL, 0), -1);
    pass(6000);
    session_end_turn(&context);
    assert_false(killed);
    assert_int_equal(closes, 1);
}

/* Its connection is ended in the next turn, without a close frame. */
static void test_a_dropped_session(void **state)
{
    (void)state;
    join();
    session_drop(&context, session);
    assert_false(killed);
    session_end_turn(&context);
    assert_true(killed);
    assert_int_equal(closes, 0);
}

/* libwebsockets sends the close frame to a few who break the protocol, the session to others. */
static void test_many_break_the_protocol(void **state)
{
    (void)state;
    join();
    close_length = 2;
    call(LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL, NULL, 0);
    assert_int_equal(closes, 0);
    assert_int_equal(context.breaking, 1);
    session->breaks = false;
    context.breaking = 256;
    call(LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL, NULL, 0);
    assert_int_equal(closed, 1002);
    assert_int_equal(context.breaking, 257);
    call(LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL, NULL, 0);
    assert_int_equal(closes, 1);
    call(LWS_CALLBACK_CLOSED, NULL, 0);
    assert_int_equal(context.breaking, 256);
    assert_null(context.broken);
    session->wsi = NULL; /* for finish() */
}

/* A welcome has ended the person's earlier session, so this one must not fail for want of memory.
 */
static void test_a_welcome_needs_no_memory(void **state)
{
    struct hub_reply reply = {.type = HUB_TOLD,
                              .frame = error_frame(PROTO_E_RANGE),
                              .granted = true,
                              .grant.stream = {.joined = true, .room = ROOM}};
    struct failing_plan *plan = failing_plan();

    (void)state;
    say_hello("FK72MX");
    plan->from = plan->count + 1;
    plan->until = UINT64_MAX;
    session_reply(&context, session, &reply);
    plan->from = 0;
    assert_int_equal(session->stage, SESSION_LIVE);
    assert_int_equal(session->entry.room->number, ROOM);
    assert_int_equal(next_heard()->type, PROTO_ERROR); /* the frame */
}

/* ---- the socket ---- */

/* The client's end of a connection whose other end the session writes to. Both ends exist until
 * close_socket(). */
static int client_end;

static void open_socket(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    const int yes = 1;

    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    client_end = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(client_end, (struct sockaddr *)&address, sizeof address), 0);
    server_end = accept(listener, NULL, NULL);
    assert_true(server_end >= 0);
    assert_int_equal(setsockopt(server_end, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes), 0);
    close(listener);
    session->socket = server_end;
}

static void close_socket(void)
{
    close(client_end);
    close(server_end);
    server_end = session->socket = -1;
}

/* That many bytes arrive, and libwebsockets reads them: they are no message. */
static void hear_bytes(uint32_t count)
{
    uint8_t bytes[1024] = {0};

    assert_true(count <= sizeof bytes);
    assert_int_equal(write(client_end, bytes, count), count);
    assert_int_equal(count > 0 ? recv(server_end, bytes, count, MSG_WAITALL) : 0, count);
    session_is_ready(&context, session);
    session_read(&context);
}

/* The messages so far have arrived at the socket, too. */
static void join_with_socket(void)
{
    join();
    open_socket();
    hear_bytes(session->heard);
    watch(1);
}

/* Returns how often the session asks libwebsockets before it sends a frame. A second may have
 * passed on a busy machine: then a ping goes behind the frame, and the next frame is measured. */
static uint32_t asks_for_a_frame(void)
{
    uint32_t pings, before;

    do {
        struct hub_reply reply = {
            .type = HUB_TOLD, .session = fake.session, .frame = error_frame(PROTO_E_RANGE)};
        pings = session->outlet.line.number;
        before = asks;
        session_reply(&context, session, &reply);
    } while (session->outlet.line.number != pings);
    return asks - before;
}

static ssize_t unread_frames(void)
{
    uint8_t bytes[4096];

    return recv(client_end, bytes, sizeof bytes, MSG_DONTWAIT);
}

/* libwebsockets answers pings by itself. If a socket has taken only a part of an answer, or of a
 * frame, nothing may come between this part and the rest. */
static void test_nothing_is_asked_while_libwebsockets_is_quiet(void **state)
{
    (void)state;
    join_with_socket();
    hear_bytes(0);
    assert_true(asks_for_a_frame() > 0);
    context.read = session;
    watch(1); /* while it is read from */
    context.read = NULL;
    assert_true(asks_for_a_frame() > 0);
    watch(1);
    assert_int_equal(asks_for_a_frame(), 0);
    assert_true(unread_frames() > 0);
    hear_bytes(6); /* a ping */
    assert_true(asks_for_a_frame() > 0);
    watch(1);
    assert_true(asks_for_a_frame() > 0);
    hear_bytes(0); /* the ping was answered before */
    watch(1);
    assert_int_equal(asks_for_a_frame(), 0);
    close_socket();
}

static void test_a_part_that_libwebsockets_holds(void **state)
{
    (void)state;
    join_with_socket();
    hear_bytes(0);
    watch(1);
    assert_int_equal(asks_for_a_frame(), 0);
    assert_true(unread_frames() > 0);
    holds_part = true;
    outlet_ping(&session->outlet, 1); /* libwebsockets writes the answer, and keeps a part of it */
    session_flush(&context, session);
    (void)asks_for_a_frame();
    assert_int_equal(unread_frames(), -1);
    holds_part = false;
    session_flush(&context, session);
    assert_true(unread_frames() > 0);
    close_socket();
}

/* A WebSocket without memory for its session is refused. */
static void test_an_upgrade_without_memory(void **state)
{
    struct failing_plan *plan = failing_plan();
    const struct slab before = context.sessions;
    struct session *const first = session;

    (void)state;
    slab_init(&context.sessions, sizeof *session); /* has no free memory */
    plan->from = plan->count + 1;
    plan->until = UINT64_MAX;
    assert_int_not_equal(call(LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION, NULL, 0), 0);
    plan->from = 0;
    context.sessions = before;
    assert_ptr_equal(session, first);
    session_callback(wsi, LWS_CALLBACK_CLOSED, NULL, NULL, 0);
    assert_ptr_equal(connection->session, first);
}

/* A session that has no memory for the welcome does not ask for it. */
static void test_a_hello_without_memory(void **state)
{
    struct failing_plan *plan = failing_plan();

    (void)state;
    plan->from = plan->count + 1;
    plan->until = UINT64_MAX;
    say_hello("FK72MX");
    plan->from = 0;
    assert_false(fake.here);
    assert_int_equal(session->stage, SESSION_CLOSING);
    session_is_ready(&context, session); /* nothing is read from it now */
    session_read(&context);
}

/* ---- what /metrics says ---- */

static void test_errors_are_counted(void **state)
{
    (void)state;
    say_hello("no-such");
    session_end_turn(&context);
    assert_int_equal(next_heard()->type, PROTO_ERROR);
    assert_int_equal(context.counts.errors, 1);
}

static void test_a_full_server_is_counted(void **state)
{
    const struct place_claim claim = {.network.bytes = {1}};
    struct place other = {0};
    uint32_t displaced;

    (void)state;
    places_destroy(service.places);
    service.places = places_create(1, 1);
    assert_int_equal(place_take(service.places, &other, &claim, &displaced), PLACE_CLIENT);
    say_hello("FK72MX");
    place_give(service.places, &other);
    session_end_turn(&context);
    assert_int_equal(next_heard()->goodbye.code, PROTO_CLOSE_FULL);
    assert_int_equal(context.counts.refused[COUNTS_CLIENTS], 1);
}

/* The room gets each level of a slow line once; the metrics count the sessions with a slow line. */
static void test_a_slow_line_is_told_and_counted(void **state)
{
    struct line *line = &session->outlet.line;

    (void)state;
    join();
    line->level = 1;
    watch(1);
    assert_int_equal(fake.level, 1);
    assert_int_equal(context.counts.eased, 1);
    line->level = 2;
    watch(2);
    assert_int_equal(fake.level, 2);
    assert_int_equal(fake.eases, 2);
    assert_int_equal(context.counts.eased, 1);
    grant(ROOM + 1); /* a room that has moved knows nothing of it */
    assert_int_equal(context.counts.eased, 0);
    line->level = 1;
    watch(1);
    assert_int_equal(fake.eases, 3);
    assert_int_equal(context.counts.eased, 1);
    line->level = 0;
    watch(1);
    assert_int_equal(fake.level, 0);
    assert_int_equal(context.counts.eased, 0);
}

/* ---- time ---- */

/* A session of a room that sends nothing still measures its line. */
static void test_a_quiet_session_is_pinged(void **state)
{
    uint32_t pings;

    (void)state;
    join();
    session->outlet.line.pinging = false; /* as if its first ping was answered */
    pings = ping_count;
    watch(2);
    assert_int_equal(ping_count, pings + 1);
}

/* A client that reads nothing for --stall-timeout is disconnected. */
static void test_a_client_that_reads_nothing(void **state)
{
    (void)state;
    join(); /* its first ping stays unanswered */
    watch(59);
    assert_int_equal(session->stage, SESSION_LIVE);
    watch(4);
    assert_int_equal(session->stage, SESSION_CLOSING);
    assert_int_equal(session->end, END_STALLED);
    assert_false(fake.here);
}

/* While a busy shard does not read from a client, the wait is not the client's delay. */
static void test_a_client_in_line_is_not_slow(void **state)
{
    (void)state;
    join();
    assert_in_range(session_lateness(&context, session, links_now(&links)), 0, 999999);
    session->reader.in_line = true;
    session->reader.ready_at = outlet_ms(links_now(&links)) - 2000;
    assert_in_range(session_lateness(&context, session, links_now(&links)), 2000000, 2999999);
    session->reader.in_line = false;
}

static const struct proto_client_message move = {.type = PROTO_CURSOR, .cursor = {1, 2}};

/* A busy shard reads some bytes of a client, and the client's pong is behind them: neither while
 * the rest waits for its turn has the client stalled, nor while the session is in no line. */
static void test_a_client_whose_rest_waits_has_not_stalled(void **state)
{
    static const uint8_t rest[100];

    (void)state;
    join_with_socket();
    assert_int_equal(write(client_end, rest, sizeof rest), sizeof rest);
    send_message(&move);
    pass(1000);
    session_read(&context);
    assert_false(session->reader.in_line);
    assert_true(session_waited(session, session_ms(&context)) >= 1000);
    assert_true(session_lateness(&context, session, links_now(&links)) >= 1000000);
    watch(300);
    assert_int_equal(session->stage, SESSION_LIVE);
    assert_int_equal(recv(server_end, (uint8_t[200]){0}, 200, 0), sizeof rest);
    session_is_ready(&context, session);
    session_read(&context);
    watch(1);
    assert_int_equal(session->stage, SESSION_CLOSING);
    close_socket();
}

/* The time for a message is charged to the account of its client, and then the socket is looked at
 * again. */
static void test_a_message_is_charged(void **state)
{
    uint64_t before;
    uint32_t looked;

    (void)state;
    join();
    before = session->reader.account->used;
    looked = looks;
    send_message(&move);
    assert_int_equal(fake.heard_count, 0);
    session_read(&context);
    assert_int_equal(fake.heard_count, 1);
    assert_true(session->reader.account->used > before);
    assert_int_equal(looks, looked + 1);
    assert_false(may_read);
}

/* Before its hello, the client's address has the account. */
static void test_a_guest_is_charged(void **state)
{
    const uint64_t before = session->reader.account->used;

    (void)state;
    send_message(&(struct proto_client_message){.type = PROTO_PING, .ping.t = 4711});
    session_read(&context);
    assert_true(session->reader.account->used > before);
}

static void work_for(uint64_t time)
{
    const uint64_t began = meter_thread();

    while (meter_thread() - began < time) {
    }
}

/* The client who speaks next is not charged for work on another connection. */
static void test_other_work_is_not_charged(void **state)
{
    uint64_t before;

    (void)state;
    join();
    before = session->reader.account->used;
    send_message(&move);
    work_for(20000000);
    session_read(&context);
    assert_in_range(session->reader.account->used - before, 1, 10000000);
}

/* A shard that has used up its slice reads in the next turn. */
static void test_a_busy_shard_reads_later(void **state)
{
    (void)state;
    join();
    readers_charge(&context.readers, &session->reader,
                   (struct meter_part){READERS_SLICE, READERS_SLICE});
    session->reader.account->used = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        context.readers.classes[session->reader.account->class].count++;
    }
    send_message(&move);
    session_read(&context);
    assert_int_equal(fake.heard_count, 0);
    assert_true(readers_wait(&context.readers));
    readers_turn(&context.readers, 0, false);
    session_read(&context);
    assert_int_equal(fake.heard_count, 1);
    assert_false(readers_wait(&context.readers));
}

/* Reading ends soon after a room has published a view. */
static void test_a_view_that_waits_ends_the_reading(void **state)
{
    (void)state;
    join();
    fake.view_waits = true;
    for (uint32_t i = 0; i < 1000; i++) {
        context.readers.classes[session->reader.account->class].count++;
    }
    send_message(&move);
    session_read(&context);
    assert_int_equal(fake.heard_count, 0);
    assert_in_range(context.readers.slice, 1, READERS_SLICE / 8);
    readers_turn(&context.readers, 0, false);
    assert_int_equal(context.readers.slice, READERS_SLICE);
    session_read(&context);
    assert_int_equal(fake.heard_count, 1);
}

/* The shard has read everything since the client was last in line, so the client itself was slow.
 */
static void test_an_earlier_wait_does_not_count(void **state)
{
    (void)state;
    join();
    assert_int_equal(session_waited(session, session_ms(&context)), 0);
    send_message(&move);
    pass(5000);
    assert_in_range(session_waited(session, session_ms(&context)), 5000, 9999);
    session_read(&context);
    assert_int_equal(session_waited(session, session_ms(&context)), 0);
    pass(5000);
    lateness_finish(&context.lateness, links_now(&links)); /* as the shard does in each turn */
    send_message(&move);
    pass(1000);
    assert_in_range(session_waited(session, session_ms(&context)), 1000, 4999);
}

/* The client's close frame may be behind what it has sent. */
static void test_a_client_in_line_is_closed(void **state)
{
    (void)state;
    join();
    send_message(&move);
    session_close(&context, session, END_STALLED);
    session_read(&context);
    assert_int_equal(received.size, 0);
    assert_int_equal(fake.heard_count, 0);
}

/* The time in which the server stood still does not count as a client's silence; the time before
 * does. */
static void test_a_standstill_does_not_count(void **state)
{
    (void)state;
    config.hello_timeout = 10;
    watch(7);
    pass(60000);
    watch(2);
    assert_int_equal(session->stage, SESSION_NEW);
    watch(3);
    assert_int_equal(session->stage, SESSION_CLOSING);
    assert_int_equal(session->end, END_NO_HELLO);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_session_joins_by_code),
        TEST(test_messages_reach_the_link),
        TEST(test_a_busy_link_refuses_messages),
        TEST(test_the_clock_is_the_rooms),
        TEST(test_an_unknown_room),
        TEST(test_the_room_closes_a_session),
        TEST(test_another_welcome),
        TEST(test_a_full_room_is_counted),
        TEST(test_a_client_leaves),
        TEST(test_the_clients_close_code_is_counted),
        TEST(test_a_client_closes_a_closing_session),
        TEST(test_a_client_does_not_answer_a_close),
        TEST(test_a_client_answers_a_close),
        TEST(test_a_dropped_session),
        TEST(test_many_break_the_protocol),
        TEST(test_a_welcome_needs_no_memory),
        TEST(test_a_hello_without_memory),
        TEST(test_nothing_is_asked_while_libwebsockets_is_quiet),
        TEST(test_a_part_that_libwebsockets_holds),
        TEST(test_an_upgrade_without_memory),
        TEST(test_errors_are_counted),
        TEST(test_a_full_server_is_counted),
        TEST(test_a_slow_line_is_told_and_counted),
        TEST(test_a_quiet_session_is_pinged),
        TEST(test_a_client_that_reads_nothing),
        TEST(test_a_client_in_line_is_not_slow),
        TEST(test_a_client_whose_rest_waits_has_not_stalled),
        TEST(test_a_message_is_charged),
        TEST(test_other_work_is_not_charged),
        TEST(test_a_guest_is_charged),
        TEST(test_a_busy_shard_reads_later),
        TEST(test_a_view_that_waits_ends_the_reading),
        TEST(test_an_earlier_wait_does_not_count),
        TEST(test_a_client_in_line_is_closed),
        TEST(test_a_standstill_does_not_count),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
