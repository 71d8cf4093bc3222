/* For tests of a terminal's session in the lobby. The server's codec makes the messages. */
#ifndef TEST_TERM_SESSION_H
#define TEST_TERM_SESSION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/hear.h"
#include "term/net/session.h"

#include <string.h>

#define MS     INT64_C(1000)
#define SECOND (1000 * MS)

static uint8_t bytes[PROTO_STATE_MAX];
static struct proto_client_message said;

static inline int setup(void **state)
{
    *state = term_session_create("lobby", "Ada", 30, "packed", "");
    return *state == NULL;
}

static inline int teardown(void **state)
{
    term_session_destroy(*state);
    return 0;
}

/* Decodes the session's next message into `said`. Returns false if there is none. */
static inline bool says(struct term_session *session, int64_t now)
{
    struct proto_error error;
    struct proto_decoder *decoder = proto_decoder_create();
    size_t size = term_session_next(session, bytes, now);
    if (size > 0) {
        assert_int_equal(proto_decode_client(decoder, bytes, size, &said, &error), PROTO_OK);
    }
    proto_decoder_destroy(decoder);
    return size > 0;
}

static inline void hear(struct term_session *session, size_t size, int64_t now)
{
    assert_true(size > 0);
    term_hear(session, bytes, size, now);
}

static inline struct proto_room lobby(void)
{
    struct proto_room room = {.code = "lobby", .model = "swarm", .boundary = "open", .instance = 5};
    room.width = 550;
    room.height = 400;
    room.quantum = 1.0F / 16;
    room.tick_rate = room.snapshot_rate = 30;
    room.people_max = room.boids_max = 100;
    room.cursor_timeout = 10;
    strcpy(room.policy, "mean");
    strcpy(room.idle, "wander");
    return room;
}

static inline void hear_welcome_as(struct term_session *session, enum proto_role role, int64_t now)
{
    struct proto_welcome welcome = {.version = 1, .server = "test 1", .id = 7, .color = 0xff8000};
    welcome.stream = (struct proto_stream){.rate = 30, .stride = 1};
    welcome.role = role;
    strcpy(welcome.name, "Ada");
    strcpy(welcome.encoding, "plain");
    memset(welcome.token, 0x42, sizeof welcome.token);
    strcpy(welcome.capabilities[welcome.capability_count++], "topics");
    welcome.room = lobby();
    hear(session, proto_encode_welcome(bytes, sizeof bytes, &welcome), now);
}

static inline void hear_welcome(struct term_session *session, int64_t now)
{
    hear_welcome_as(session, PROTO_VIEWER, now);
}

/* Connects, sends hello and gets a welcome. */
static inline void join(struct term_session *session, int64_t now)
{
    assert_int_equal(term_session_tick(session, now), TERM_WANT_CONNECT);
    term_session_opened(session, now);
    assert_int_equal(term_session_tick(session, now), TERM_WANT_WRITE);
    assert_true(says(session, now));
    assert_int_equal(said.type, PROTO_HELLO);
    hear_welcome(session, now);
    assert_int_equal(session->phase, TERM_LIVE);
}

static inline void hear_snapshot(struct term_session *session, int64_t now)
{
    uint8_t boid[PROTO_BOID_SIZE] = {0};
    struct proto_snapshot snapshot = {
        .epoch = 1, .tick = 1, .time = (uint64_t)now, .people = 3, .boid_count = 1, .boids = boid};
    hear(session, proto_encode_snapshot(bytes, sizeof bytes, &snapshot), now);
}

#endif
