/* Nodes of a cluster in one process: hubs with the ends of their links, and a broker in memory
 * between them that loses messages, and cuts nodes off. Sessions of one node join rooms of another.
 * An album has the pictures that a session sees. */
#ifndef ENDS_WORLD_H
#define ENDS_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "broker_memory.h"
#include "cluster/ends.h"
#include "hub_session.h"

#define NODES       3
#define FRAMES      4096u
#define SILENT      1000000 /* µs */
#define CLOCK_APART 1200    /* ms between the starts of two nodes, for the test of their clocks */

/* ---- nodes ---- */

struct node {
    char name[8];
    struct broker *broker;
    struct cluster_counts counts;
    struct ends *ends;
    struct hub *hub;
    _Atomic uint32_t wanted; /* people for whom it wanted a room last */
};

static struct broker_world world;
static struct node nodes[NODES];
static struct node *const edge = &nodes[0], *const owner = &nodes[1], *const heir = &nodes[2];
static char code[PROTO_ROOM_MAX + 1]; /* of the room under test */
static char key[PROTO_KEY_MAX + 1];
static struct node *room_at; /* its owner */
static uint64_t silent;      /* of the nodes: see struct ends_definition */

static inline void wake_node(void *argument, uint32_t shard)
{
    struct node *node = argument;

    if (shard == 1) {
        ends_wake(node->ends);
    }
}

static inline bool find_far(void *argument, const char *wanted, struct link_room *room)
{
    *room = (struct link_room){0};
    return strcmp(wanted, code) == 0 && room_at != argument;
}

static inline void note_want(void *argument, const char *wanted, uint32_t people)
{
    struct node *node = argument;

    assert_string_equal(wanted, code);
    atomic_store(&node->wanted, people);
}

static inline void on_changed(void *argument, enum broker_line line, bool connected)
{
    const struct node *node = argument;

    if (line == BROKER_DATA && node->ends != NULL) {
        ends_connected(node->ends, connected);
    }
}

static inline void start_node(struct node *node, const char *name)
{
    struct hub_definition definition = default_hub();
    struct broker_definition broker = {.changed = on_changed, .argument = node};
    struct ends_definition ends = {.counts = &node->counts,
                                   .node = node->name,
                                   .sessions_max = SESSIONS,
                                   .silent = silent,
                                   .find = find_far,
                                   .want = note_want,
                                   .argument = node};

    definition.lobby.tick_rate = definition.lobby.snapshot_rate = 30;
    *node = (struct node){0};
    snprintf(node->name, sizeof node->name, "%s", name);
    broker.node = node->name;
    node->broker = broker_memory_open(&world, &broker);
    ends.broker = node->broker;
    node->ends = ends_create(&ends);
    assert_non_null(node->ends);
    definition.far = ends_far(node->ends);
    definition.wake = wake_node;
    definition.argument = node;
    node->hub = hub_create(&definition);
    assert_non_null(node->hub);
    assert_true(ends_start(node->ends, node->hub));
}

static inline void stop_node(struct node *node)
{
    ends_stop(node->ends);
    hub_stop(node->hub);
    ends_leave(node->ends);
    hub_destroy(node->hub);
    broker_close(node->broker);
}

/* Makes a room on the owner, which starts `apart` ms after the edge. */
static inline int make_nodes_apart(unsigned apart)
{
    broker_world_init(&world);
    last_session = 0;
    decoder = proto_decoder_create();
    code[0] = '\0';
    room_at = owner;
    start_node(edge, "edge");
    uv_sleep(apart);
    start_node(owner, "owner");
    start_node(heir, "heir");
    hub = owner->hub;
    snprintf(code, sizeof code, "%s", create_room("boids", 50, key).code);
    ends_taken(owner->ends, code, 7);
    ends_ready(owner->ends, code, 7);
    return 0;
}

static inline int make_nodes(void **state)
{
    (void)state;
    silent = 0;
    return make_nodes_apart(0);
}

/* Nodes that notice silence early. */
static inline int make_impatient(void **state)
{
    (void)state;
    silent = SILENT;
    return make_nodes_apart(0);
}

static inline int make_clocks(void **state)
{
    (void)state;
    return make_nodes_apart(CLOCK_APART);
}

static inline int end_nodes(void **state)
{
    (void)state;
    for (size_t i = 0; i < NODES; i++) {
        stop_node(&nodes[i]);
    }
    broker_world_finish(&world);
    for (size_t i = 0; i < NODES; i++) {
        ends_destroy(nodes[i].ends);
    }
    proto_decoder_destroy(decoder);
    return 0;
}

/* ---- sessions ---- */

struct visitor {
    struct node *node;
    struct link *link;
    uint64_t session;
    struct room_grant grant; /* the latest */
    uint64_t room;           /* of the latest welcome */
};

static inline double seconds(void)
{
    return (double)uv_hrtime() / 1e9;
}

/* Lets all nodes work for a moment. Fails after DEADLINE_S. */
static inline void pump(double begun)
{
    broker_memory_run(&world);
    uv_sleep(1);
    if (seconds() > begun + DEADLINE_S) {
        fail_msg("nothing came in %d s", DEADLINE_S);
    }
}

static inline void pump_for(double time)
{
    const double begun = seconds();

    while (seconds() < begun + time) {
        pump(begun);
    }
}

static inline struct visitor join_hello(struct node *node, const struct proto_hello *hello)
{
    struct visitor visitor = {.node = node, .session = (uint64_t)++last_session};
    const struct link_request request = {
        .session = visitor.session, .address = "192.0.2.7", .hello = hello};

    visitor.link = link_join(hub_links(node->hub, 0), &request);
    assert_non_null(visitor.link);
    return visitor;
}

static inline struct proto_hello room_hello(const char *name, const char *encoding)
{
    struct proto_hello hello = hello_of(name, 0);

    snprintf(hello.room, sizeof hello.room, "%s", code);
    snprintf(hello.encodings[0], sizeof hello.encodings[0], "%s", encoding);
    return hello;
}

static inline struct visitor join_room(struct node *node, const char *name)
{
    const struct proto_hello hello = room_hello(name, "packed");

    return join_hello(node, &hello);
}

static inline void note_grant(struct visitor *visitor, const struct hub_reply *reply)
{
    if (reply->granted) {
        visitor->grant = reply->grant.stream;
        visitor->room = visitor->grant.joined ? visitor->grant.room : visitor->room;
    }
}

static inline struct hub_reply next_reply(struct visitor *visitor)
{
    const double begun = seconds();
    struct hub_reply reply;

    while (!links_take_reply(hub_links(visitor->node->hub, 0), &reply)) {
        pump(begun);
    }
    assert_int_equal(reply.session, visitor->session);
    note_grant(visitor, &reply);
    return reply;
}

static inline struct proto_server_message next_message(struct visitor *visitor)
{
    struct hub_reply reply = next_reply(visitor);
    struct proto_server_message message;

    assert_int_equal(reply.type, HUB_TOLD);
    message = *decode(reply.frame);
    frame_release(reply.frame);
    return message;
}

static inline struct proto_server_message next_of(struct visitor *visitor, enum proto_type type)
{
    struct proto_server_message message = next_message(visitor);

    while (message.type != type) {
        message = next_message(visitor);
    }
    return message;
}

/* Returns the tag of the next answer to a message. */
static inline uint32_t answered(struct visitor *visitor)
{
    struct proto_server_message message = next_message(visitor);

    while (message.type != PROTO_DONE && message.type != PROTO_ERROR) {
        message = next_message(visitor);
    }
    return message.type == PROTO_DONE ? message.done.tag : message.error.tag;
}

static inline struct proto_welcome welcome(struct visitor *visitor)
{
    return next_of(visitor, PROTO_WELCOME).welcome;
}

static inline void say(const struct visitor *visitor, const struct proto_client_message *message)
{
    assert_true(link_send(visitor->link, message));
}

static inline void say_name(const struct visitor *visitor, const char *name)
{
    struct proto_client_message message = {.type = PROTO_NAME};

    snprintf(message.name.name, sizeof message.name.name, "%s", name);
    say(visitor, &message);
}

/* Returns the next view of the visitor's room. */
static inline struct room_view *next_view(const struct visitor *visitor)
{
    const double begun = seconds();
    struct room_view *view = NULL;

    while (view == NULL) {
        view = links_take_view(hub_links(visitor->node->hub, 0));
        if (view != NULL && view->room != visitor->room) {
            view_release(view);
            view = NULL;
        } else if (view == NULL) {
            pump(begun);
        }
    }
    return view;
}

/* Waits until a view lists `count` people. */
static inline void until_people(const struct visitor *visitor, uint32_t count)
{
    uint32_t seen = UINT32_MAX;

    while (seen != count) {
        struct room_view *view = next_view(visitor);
        if (view->presence_whole != NULL) {
            seen = decode(view->presence_whole)->presence.count;
        }
        view_release(view);
    }
}

/* ---- pictures ---- */

/* The frames of its stream that a session has seen, by their sequence. */
struct album {
    uint32_t stream;
    struct frame *keys[FRAMES], *deltas[FRAMES];
};

static inline void keep(struct frame **at, struct frame *frame)
{
    if (frame != NULL && *at == NULL) {
        *at = frame_hold(frame);
    }
}

static inline void collect(struct album *album, const struct room_view *view)
{
    const struct view_stream *stream = view_stream(view, album->stream);

    if (stream == NULL) {
        return;
    }
    keep(&album->keys[stream->key_sequence % FRAMES], stream->key);
    for (uint32_t i = 0; i < VIEW_DELTAS && i < stream->sequence; i++) {
        const uint32_t sequence = stream->sequence - i;
        keep(&album->deltas[sequence % FRAMES], stream->deltas[sequence % VIEW_DELTAS]);
    }
}

/* Returns how many frames both have. */
static inline uint32_t count_common(struct frame *const *a, struct frame *const *b)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < FRAMES; i++) {
        count += a[i] != NULL && b[i] != NULL;
    }
    return count;
}

/* Asserts that frames of the same sequence are the same. */
static inline void compare(struct frame *const *a, struct frame *const *b)
{
    for (uint32_t i = 0; i < FRAMES; i++) {
        assert_true(a[i] == NULL || b[i] == NULL || frame_is_same(a[i], b[i]));
    }
}

static inline void empty(struct album *album)
{
    for (uint32_t i = 0; i < FRAMES; i++) {
        frame_release(album->keys[i]);
        frame_release(album->deltas[i]);
    }
    *album = (struct album){0};
}

/* Collects what both see, until they have that many keyframes and deltas in common. */
static inline void watch(struct visitor *far, struct visitor *near, struct album *far_album,
                         struct album *near_album, uint32_t keys, uint32_t deltas)
{
    const double begun = seconds();

    far_album->stream = far->grant.stream;
    near_album->stream = near->grant.stream;
    assert_int_equal(far->grant.stream, near->grant.stream);
    while (count_common(far_album->keys, near_album->keys) < keys ||
           count_common(far_album->deltas, near_album->deltas) < deltas) {
        struct room_view *view;
        while ((view = links_take_view(hub_links(far->node->hub, 0))) != NULL) {
            if (view->room == far->room) {
                collect(far_album, view);
            }
            view_release(view);
        }
        while ((view = links_take_view(hub_links(near->node->hub, 0))) != NULL) {
            if (view->room == near->room) {
                collect(near_album, view);
            }
            view_release(view);
        }
        pump(begun);
    }
}

#endif
