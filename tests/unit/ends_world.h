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

static _Atomic bool of_server; /* the owner has said that the room was made with the server's key */
static void (*before_far)(void); /* called once, between a link's looks here and elsewhere */

static inline bool find_far(void *argument, const char *wanted, struct link_room *room)
{
    void (*const before)(void) = before_far;

    if (before != NULL) {
        before_far = NULL;
        before();
        *room = (struct link_room){0};
        return true; /* it was elsewhere when the link looked */
    }
    *room = (struct link_room){.by_server = atomic_load(&of_server)};
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
    atomic_store(&of_server, false);
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
    uint32_t id;             /* of all welcomes; 0: there was none */
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

/* Notes what a reply grants. All welcomes are for the same person. */
static inline void note_reply(struct visitor *visitor, const struct hub_reply *reply)
{
    assert_int_equal(reply->session, visitor->session);
    if (!reply->granted) {
        return;
    }
    visitor->grant = reply->grant.stream;
    if (visitor->grant.joined) {
        const uint32_t id = decode(reply->frame)->welcome.id;
        assert_true(visitor->id == 0 || visitor->id == id);
        visitor->id = id;
        visitor->room = visitor->grant.room;
    }
}

static inline struct hub_reply next_reply(struct visitor *visitor)
{
    const double begun = seconds();
    struct hub_reply reply;

    while (!links_take_reply(hub_links(visitor->node->hub, 0), &reply)) {
        pump(begun);
    }
    note_reply(visitor, &reply);
    return reply;
}

/* Takes the visitor's replies, as its shard does at any time: a session that lost messages joins
 * again only then. */
static inline void attend(struct visitor *visitor)
{
    struct hub_reply reply;

    while (links_take_reply(hub_links(visitor->node->hub, 0), &reply)) {
        assert_int_equal(reply.type, HUB_TOLD);
        note_reply(visitor, &reply);
        frame_release(reply.frame);
    }
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

/* Takes a name and waits for the answer. Says it again after another welcome, as clients do: a
 * session that joined again before the answer gets none, or hears that its room moves. */
static inline void take_name(struct visitor *visitor, const char *name)
{
    struct proto_client_message ask = {.type = PROTO_NAME};
    struct proto_server_message message = {.type = PROTO_WELCOME};

    snprintf(ask.name.name, sizeof ask.name.name, "%s", name);
    while (message.type != PROTO_DONE) {
        if (message.type == PROTO_WELCOME) {
            (void)link_send(visitor->link, &ask); /* false: it joins again now */
        }
        message = next_message(visitor);
        assert_true(message.type != PROTO_ERROR || message.error.code == PROTO_E_FULL);
    }
}

/* Waits until the visitor knows whether its room can be reached. Another welcome says that it can.
 */
static inline void until_reach(struct visitor *visitor, bool there)
{
    bool known = !there;

    while (known != there) {
        const struct proto_server_message message = next_message(visitor);
        if (message.type == PROTO_REACH || message.type == PROTO_WELCOME) {
            known = message.type == PROTO_WELCOME || message.reach.there;
        }
    }
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

/* Returns how many people the newest view lists; `before` if there is no newer view. */
static inline uint32_t people_seen(struct visitor *visitor, uint32_t before)
{
    struct room_view *view;

    attend(visitor);
    while ((view = links_take_view(hub_links(visitor->node->hub, 0))) != NULL) {
        if (view->room == visitor->room && view->presence_whole != NULL) {
            before = decode(view->presence_whole)->presence.count;
        }
        view_release(view);
    }
    return before;
}

/* Waits until the newest views of both list `count` people. */
static inline void until_both_see(struct visitor *a, struct visitor *b, uint32_t count)
{
    const double begun = seconds();
    uint32_t seen[2] = {UINT32_MAX, UINT32_MAX};

    while (seen[0] != count || seen[1] != count) {
        pump(begun);
        seen[0] = people_seen(a, seen[0]);
        seen[1] = a == b ? seen[0] : people_seen(b, seen[1]);
    }
}

static inline void until_people(struct visitor *visitor, uint32_t count)
{
    until_both_see(visitor, visitor, count);
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

static inline void collect_views(struct visitor *visitor, struct album *album)
{
    struct room_view *view;

    attend(visitor);
    while ((view = links_take_view(hub_links(visitor->node->hub, 0))) != NULL) {
        if (view->room == visitor->room) {
            collect(album, view);
        }
        view_release(view);
    }
}

/* Collects what both see, until they have that many keyframes and deltas in common. Asks for
 * keyframes, as shards do: one may be gone before both have looked. */
static inline void watch(struct visitor *far, struct visitor *near, struct album *far_album,
                         struct album *near_album, uint32_t keys, uint32_t deltas)
{
    const double begun = seconds();

    far_album->stream = far->grant.stream;
    near_album->stream = near->grant.stream;
    assert_int_equal(far->grant.stream, near->grant.stream);
    while (count_common(far_album->keys, near_album->keys) < keys ||
           count_common(far_album->deltas, near_album->deltas) < deltas) {
        if (count_common(far_album->keys, near_album->keys) < keys) {
            (void)link_want_key(far->link, far->grant.stream);
        }
        collect_views(far, far_album);
        collect_views(near, near_album);
        pump(begun);
    }
}

#endif
