/* A room and its clients in tests. A client joins with room_join(), reads the messages of the
 * room's sink, and takes each view like a session. It decodes all messages with the decoders of
 * real clients. Time is simulated. */
#ifndef TEST_ROOM_CLIENT_H
#define TEST_ROOM_CLIENT_H

#include "room/room.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packed.h"
#include "room/moves.h"

#define SECOND      UINT64_C(1000000)
#define CLIENTS_MAX 400u
#define HEARD_MAX   64u
#define EVENTS_MAX  32u

struct client {
    room_member member; /* 0: not in the room */
    uint32_t id;
    uint8_t token[PROTO_TOKEN_SIZE];
    char name[PROTO_NAME_MAX + 1];
    enum proto_role role;
    struct frame *welcome;
    /* Unread messages, the oldest first. */
    struct frame *heard[HEARD_MAX];
    uint32_t heard_count;
    /* The end of the connection. */
    enum proto_close closed; /* 0: open */
    uint32_t closed_as;      /* the number of earlier closes */
    struct frame *last;
    /* From the views. */
    struct room_grant grant;
    struct proto_stream granted;
    uint32_t sequence;
    bool following, lost;
    struct frame *parts[VIEW_PARTS];
    uint32_t versions[VIEW_PARTS];
    uint32_t presence, people_count;
    uint32_t selves;        /* number of self messages … */
    struct proto_self self; /* … and the last one */
    struct proto_person people[PROTO_PEOPLE_MAX];
    uint32_t away_count;
    struct proto_person away[PROTO_AWAY_MAX];
    uint32_t events, event_count;
    struct proto_event event_log[EVENTS_MAX];
    struct packed_decoder *packed;
    struct frame *shown;            /* the frame of the newest snapshot … */
    struct proto_snapshot snapshot; /* … which points into the frame */
    const uint8_t *boids;           /* 4 bytes each */
    uint32_t boid_count;
    /* Numbers of received messages. */
    uint32_t snapshots, keys, presences;
    uint64_t snapshot_bytes, presence_bytes;
};

static struct room *room;
static uint64_t origin_now = 1; /* µs, of joining members */
static struct room_workspace *workspace;
static struct proto_decoder *decoder;
static struct client clients[CLIENTS_MAX];
static uint32_t client_count;
static uint32_t closed_count;
static uint64_t clock_now; /* µs */

/* Decodes the frame like a client. The result is valid until the next call. */
static inline const struct proto_server_message *read_frame(struct frame *frame)
{
    static struct proto_server_message message;
    struct proto_error problem;

    assert_non_null(frame);
    assert_in_range(frame->size, 1, frame->capacity);
    if (proto_decode_server(decoder, frame_data(frame), frame->size, &message, &problem) !=
        PROTO_OK) {
        fail_msg("%s", problem.message);
    }
    return &message;
}

/* ---- messages of the room ---- */

static inline struct client *client_of(room_member member)
{
    for (uint32_t i = 0; i < client_count; i++) {
        if (clients[i].member == member) {
            return &clients[i];
        }
    }
    fail_msg("nobody has that handle");
    return NULL;
}

static inline void take_grant(struct client *client, const struct room_grant *grant)
{
    if (grant->stream == client->grant.stream && client->following) {
        client->lost = true;
        return;
    }
    client->grant = *grant;
    client->sequence = grant->sequence;
    client->following = client->lost = false;
    if (grant->joined) {
        memcpy(client->versions, grant->versions, sizeof client->versions);
        client->events = grant->events;
    }
}

static inline void take_welcome(struct client *client, struct frame *frame)
{
    const struct proto_welcome *welcome = &read_frame(frame)->welcome;

    client->id = welcome->id;
    client->role = welcome->role;
    client->granted = welcome->stream;
    memcpy(client->token, welcome->token, sizeof client->token);
    memcpy(client->name, welcome->name, sizeof client->name);
    client->welcome = frame_hold(frame);
}

static inline void hear(void *argument, room_member member, struct frame *frame,
                        const struct room_grant *grant)
{
    struct client *client = client_of(member);
    const struct proto_server_message *message = read_frame(frame);

    (void)argument;
    assert_true(grant != NULL || message->type != PROTO_WELCOME);
    if (grant != NULL) {
        assert_int_equal(message->type, grant->joined ? PROTO_WELCOME : PROTO_STREAM);
        take_grant(client, grant);
    }
    assert_int_equal(client->id == 0, message->type == PROTO_WELCOME); /* the welcome comes first */
    if (message->type == PROTO_WELCOME) {
        take_welcome(client, frame);
    } else if (message->type == PROTO_STREAM) {
        client->granted = message->stream;
    } else if (message->type == PROTO_ROLE) {
        client->role = message->role;
    } else if (message->type == PROTO_SELF) {
        client->self = message->self;
        client->selves++;
        client->presence_bytes += frame->size;
    }
    assert_true(client->heard_count < HEARD_MAX);
    client->heard[client->heard_count++] = frame;
}

static inline void be_closed(void *argument, room_member member, const struct room_end *end)
{
    struct client *client = client_of(member);

    (void)argument;
    assert_int_not_equal(end->why, END_NONE);
    client->member = 0;
    client->closed = end_code(end->why);
    client->closed_as = closed_count++;
    client->last = end->frame;
}

static const struct room_sink sink = {.tell = hear, .close = be_closed};

/* Returns the oldest unread message, or NULL if there is none. */
static inline const struct proto_server_message *next_heard(struct client *client)
{
    const struct proto_server_message *message;
    struct frame *frame = client->heard[0];

    if (client->heard_count == 0) {
        return NULL;
    }
    message = read_frame(frame);
    client->heard_count--;
    memmove(client->heard, client->heard + 1, client->heard_count * sizeof client->heard[0]);
    frame_release(frame);
    return message;
}

static inline void forget_heard(struct client *client)
{
    while (next_heard(client) != NULL) {
    }
}

/* ---- views ---- */

static inline void put_person(struct client *client, const struct proto_person *person)
{
    uint32_t i = 0;

    while (i < client->people_count && client->people[i].id != person->id) {
        i++;
    }
    assert_in_range(i, 0, PROTO_PEOPLE_MAX - 1);
    if (person->flags_only) {
        assert_true(i < client->people_count); /* the client knows this person */
        client->people[i].flags = person->flags;
        return;
    }
    client->people[i] = *person;
    client->people_count += i == client->people_count;
}

static inline void drop_person(struct client *client, uint32_t id)
{
    uint32_t i = 0;

    while (i < client->people_count && client->people[i].id != id) {
        i++;
    }
    assert_true(i < client->people_count);
    client->people[i] = client->people[--client->people_count];
}

static inline void take_presence(struct client *client, struct frame *frame)
{
    const struct proto_presence *presence = &read_frame(frame)->presence;

    client->presences++;
    client->presence_bytes += frame->size;
    assert_true(presence->since == 0 || presence->since == client->presence);
    if (presence->since == 0) {
        client->people_count = 0;
        client->away_count = 0;
    }
    if (presence->has_away) {
        client->away_count = presence->away_count;
        memcpy(client->away, presence->away, sizeof client->away);
    }
    for (uint32_t i = 0; i < presence->left_count; i++) {
        drop_person(client, presence->left[i]);
    }
    for (uint32_t i = 0; i < presence->count; i++) {
        put_person(client, &presence->people[i]);
    }
    client->presence = presence->sequence;
}

static inline void take_presences(struct client *client, const struct room_view *view)
{
    uint32_t behind = view->presence - client->presence;

    if (behind == 0) {
        return;
    }
    if (client->presence == 0 || behind > VIEW_PRESENCES) {
        take_presence(client, view->presence_whole);
    }
    while (client->presence != view->presence) {
        take_presence(client, view->presence_changes[(client->presence + 1) % VIEW_PRESENCES]);
    }
}

static inline void take_snapshot(struct client *client, struct frame *frame, bool key)
{
    frame_release(client->shown);
    client->shown = frame_hold(frame);
    client->snapshot = read_frame(frame)->snapshot;
    client->boids = client->snapshot.boids;
    client->boid_count = client->snapshot.boid_count;
    if (client->snapshot.packed) {
        assert_int_equal(
            packed_decode(client->packed, client->snapshot.boids, client->snapshot.packed_size),
            PACKED_OK);
        client->boids = packed_positions(client->packed);
        client->boid_count = packed_count(client->packed);
        assert_int_equal(packed_headings(client->packed) != NULL, key);
    }
    client->snapshots++;
    client->keys += key;
    client->snapshot_bytes += frame->size;
}

static inline void take_stream(struct client *client, const struct room_view *view)
{
    const struct view_stream *stream = view_stream(view, client->grant.stream);
    bool plain;

    if (stream == NULL || (int32_t)(stream->sequence - client->sequence) <= 0) {
        return;
    }
    plain = stream->key_sequence == stream->sequence &&
            stream->deltas[stream->sequence % VIEW_DELTAS] == NULL;
    if (client->lost) {
        client->lost = client->following =
            stream->key == NULL || (int32_t)(stream->key_sequence - client->sequence) <= 0;
        if (client->lost) {
            room_want_key(room, client->grant.stream);
        }
    }
    if (plain || !client->following) {
        if (stream->key == NULL || (int32_t)(stream->key_sequence - client->sequence) <= 0) {
            room_want_key(room, client->grant.stream);
            return;
        }
        take_snapshot(client, stream->key, true);
        client->sequence = stream->key_sequence;
        client->following = true;
    }
    while (client->sequence != stream->sequence) {
        struct frame *delta = stream->deltas[++client->sequence % VIEW_DELTAS];
        assert_non_null(delta);
        take_snapshot(client, delta, false);
    }
}

static inline void take_view(struct client *client, const struct room_view *view)
{
    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        if ((int32_t)(view->versions[part] - client->versions[part]) > 0) {
            frame_release(client->parts[part]);
            client->parts[part] = frame_hold(view->frames[part]);
            client->versions[part] = view->versions[part];
        }
    }
    take_presences(client, view);
    while (client->events != view->events) {
        const uint32_t number = ++client->events;
        client->event_log[client->event_count++ % EVENTS_MAX] =
            read_frame(view->event_frames[number % VIEW_EVENTS])->event;
    }
    take_stream(client, view);
}

/* Lets all clients take the current view of the room. */
static inline void publish(void)
{
    struct room_view *view = room_snapshot(room, workspace, clock_now);

    assert_non_null(view);
    assert_true(view->time == clock_now);
    for (uint32_t i = 0; i < client_count; i++) {
        if (clients[i].member != 0) {
            take_view(&clients[i], view);
        }
    }
    view_release(view);
}

static inline void tick(uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        clock_now += 33333;
        room_tick(room, workspace, clock_now);
    }
}

/* Runs a number of ticks, each with a snapshot. */
static inline void run(uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        tick(1);
        publish();
    }
}

/* ---- joining, sending, leaving ---- */

static inline struct proto_hello hello_of(const char *name)
{
    struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};

    snprintf(hello.name, sizeof hello.name, "%s", name);
    return hello;
}

/* Returns NULL, with the reason in *refused, if the room refuses the join. */
static inline struct client *try_join(const struct proto_hello *hello, struct room_end *refused)
{
    struct client *client = &clients[client_count];
    room_member member = room_join(room, hello, origin_now, clock_now, refused);

    if (member == 0) {
        return NULL;
    }
    assert_in_range(client_count, 0, CLIENTS_MAX - 1);
    memset(client, 0, sizeof *client);
    client->member = member;
    client->packed = packed_decoder_create();
    client_count++;
    room_welcome(room, member, clock_now);
    assert_int_equal(next_heard(client)->type, PROTO_WELCOME);
    return client;
}

static inline struct client *join_as(const struct proto_hello *hello)
{
    struct room_end refused;
    struct client *client = try_join(hello, &refused);

    assert_non_null(client);
    return client;
}

static inline struct client *join(const char *name)
{
    const struct proto_hello hello = hello_of(name);

    return join_as(&hello);
}

static inline struct client *join_with(const char *encoding, uint32_t rate, uint32_t boids)
{
    struct proto_hello hello = hello_of("");

    snprintf(hello.encodings[0], sizeof hello.encodings[0], "%s", encoding);
    hello.rate = rate;
    hello.boids = boids;
    return join_as(&hello);
}

static inline void leave(struct client *client)
{
    room_leave(room, client->member, clock_now);
    client->member = 0;
}

/* ---- making and ending the room ---- */

static inline void forget_clients(void)
{
    for (uint32_t i = 0; i < client_count; i++) {
        struct client *client = &clients[i];
        while (client->heard_count > 0) {
            frame_release(client->heard[--client->heard_count]);
        }
        for (uint32_t part = 0; part < VIEW_PARTS; part++) {
            frame_release(client->parts[part]);
        }
        frame_release(client->welcome);
        frame_release(client->last);
        frame_release(client->shown);
        packed_decoder_destroy(client->packed);
    }
    client_count = 0;
}

static inline struct room_definition definition_default(void)
{
    struct room_definition definition = room_definition_default();

    definition.people_max = CLIENTS_MAX;
    return definition;
}

static inline void make_as(const struct room_definition *definition)
{
    room_destroy(room);
    forget_clients();
    clock_now = SECOND;
    room = room_create(definition, &sink, NULL, NULL);
    assert_non_null(room);
}

static inline int make(void **state)
{
    const struct room_definition definition = definition_default();

    (void)state;
    decoder = proto_decoder_create();
    workspace = room_workspace_create(1);
    assert_non_null(workspace);
    make_as(&definition);
    return 0;
}

static inline int finish(void **state)
{
    (void)state;
    room_destroy(room);
    room = NULL;
    forget_clients();
    room_workspace_destroy(workspace);
    proto_decoder_destroy(decoder);
    return 0;
}

/* ---- what a client knows ---- */

static inline const struct proto_server_message *part_of(const struct client *client,
                                                         enum view_part part)
{
    return read_frame(client->parts[part]);
}

/* Returns the person as the client knows it, or NULL. */
static inline const struct proto_person *seen_by(const struct client *client, uint32_t id)
{
    for (uint32_t i = 0; i < client->people_count; i++) {
        if (client->people[i].id == id) {
            return &client->people[i];
        }
    }
    return NULL;
}

static inline void position_of(const struct client *client, uint32_t boid, int16_t *x, int16_t *y)
{
    assert_true(boid < client->boid_count);
    proto_get_position(client->boids + (size_t)PROTO_BOID_SIZE * boid, x, y);
}

/* The cursor has moved when this returns, as after the next tick. */
static inline void send_cursor(struct client *client, float x, float y)
{
    const struct proto_client_message message = {.type = PROTO_CURSOR, .cursor = {x, y}};

    room_receive(room, client->member, &message, clock_now);
    moves_apply(room);
}

#endif
