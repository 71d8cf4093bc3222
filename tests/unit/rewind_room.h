/* A room whose presenter rewinds it, for tests: Ada is the presenter, Bob a viewer. */
#ifndef TEST_REWIND_ROOM_H
#define TEST_REWIND_ROOM_H

#include "room/state.h" /* before what calls a variable `room` */

#include "room_client.h"

#define KEY "the-key-of-this-room"

enum { TICKS = 300, BOIDS = 20 };

static struct client *ada, *bob;           /* a presenter and a viewer */
static uint8_t seen[TICKS + 1][4 * BOIDS]; /* the boids that Bob saw after each tick */

static inline struct room_definition definition_for_past(void)
{
    struct room_definition definition = definition_default();

    definition.rewind = 600 * SECOND;
    definition.flock.boids = BOIDS;
    definition.people_max = 10;
    snprintf(definition.key, sizeof definition.key, KEY);
    return definition;
}

static inline void join_both(void)
{
    struct proto_hello hello = hello_of("Ada");

    snprintf(hello.key, sizeof hello.key, KEY);
    ada = join_as(&hello);
    bob = join("Bob");
}

/* Sends the message. Returns its error, or PROTO_OK. */
static inline enum proto_code ask(struct client *client, struct proto_client_message message)
{
    const struct proto_server_message *answer;
    enum proto_code code = PROTO_OK;

    forget_heard(client);
    room_receive(room, client->member, &message, clock_now);
    while ((answer = next_heard(client)) != NULL) {
        code = answer->type == PROTO_ERROR ? answer->error.code : code;
    }
    return code;
}

static inline enum proto_code rewind_by(struct client *client, float back)
{
    return ask(client, (struct proto_client_message){.type = PROTO_REWIND, .rewind = {back}});
}

static inline enum proto_code play(float speed)
{
    return ask(ada, (struct proto_client_message){.type = PROTO_PLAY, .play = {speed}});
}

static inline enum proto_code say(enum proto_type type)
{
    return ask(ada, (struct proto_client_message){.type = type});
}

static inline enum proto_code set(const char *name, const char *value)
{
    struct proto_client_message message = {.type = PROTO_SET};

    snprintf(message.set.name, sizeof message.set.name, "%s", name);
    snprintf(message.set.value, sizeof message.set.value, "%s", value);
    return ask(ada, message);
}

static inline void see(void)
{
    run(1);
    assert_int_equal(bob->boid_count, BOIDS);
    memcpy(seen[bob->snapshot.tick], bob->boids, sizeof seen[0]);
}

/* Makes a room and runs it for ten seconds, while Bob steers. */
static inline void live(void)
{
    const struct room_definition definition = definition_for_past();

    make_as(&definition);
    join_both();
    for (uint32_t i = 0; i < TICKS; i++) {
        ask(bob, (struct proto_client_message){.type = PROTO_CURSOR,
                                               .cursor = {(float)(i % 500), (float)(i % 300)}});
        see();
    }
    assert_int_equal(bob->snapshot.tick, TICKS);
}

/* Asserts that Ada and Bob see the moment after that tick. */
static inline void assert_shown(uint64_t at)
{
    run(1);
    assert_int_equal(ada->snapshot.tick, at);
    assert_int_equal(bob->snapshot.tick, at);
    assert_memory_equal(bob->boids, seen[at], sizeof seen[0]);
}

static inline const struct proto_past *past_of(const struct client *client)
{
    return &part_of(client, VIEW_PAST)->past;
}

static inline void assert_told_of_failure(const char *where)
{
    const struct proto_server_message *heard = next_heard(ada);

    assert_non_null(heard);
    assert_int_equal(heard->type, PROTO_EVENT);
    assert_string_equal(heard->event.name, "past-failed");
    assert_string_equal(heard->event.to, where);
    assert_int_equal(heard->event.by, 0);
    assert_null(next_heard(bob));
}

/* On a busy machine a turn may end before it reaches a tick. Runs turns until Ada hears of one. */

#endif
