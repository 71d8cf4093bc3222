/* A hub under test and its sessions. One thread receives the replies of all shards. */
#ifndef HUB_SESSION_H
#define HUB_SESSION_H

#include "hub/hub.h"
#include "scene/scene.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SESSIONS   64
#define DEADLINE_S 60
#define RATE       240

static struct hub *hub;
static uint32_t shards;
static uint64_t lobby;
static uint64_t last_session;
static sem_t woken;
static struct proto_decoder *decoder;

static inline void wake(void *argument, uint32_t shard)
{
    (void)shard;
    sem_post(argument);
}

static inline struct hub_definition default_hub(void)
{
    struct hub_definition definition = {
        .shards = 1,
        .runners = 1,
        .threads = 1,
        .sessions_max = SESSIONS,
        .limits = {.rooms_max = 8, .rooms_per_hour = 100000},
        .boids_max = 1000000,
        .history_bytes = UINT64_C(1) << 30,
        .room_idle = UINT64_C(3600000000),
        .tries = {.connection = 6, .address = 30, .all = 300},
        .lobby = room_definition_default(),
        .wake = wake,
        .argument = &woken,
    };

    definition.lobby.tick_rate = definition.lobby.snapshot_rate = RATE;
    definition.lobby.people_max = SESSIONS;
    definition.lobby.boids_max = SCENE_BOIDS_MAX;
    snprintf(definition.lobby.key, sizeof definition.lobby.key, "lobby-key");
    return definition;
}

static inline int start(const struct hub_definition *definition)
{
    struct directory_entry entry;

    shards = definition->shards;
    last_session = 0;
    sem_init(&woken, 0, 0);
    decoder = proto_decoder_create();
    hub = hub_create(definition);
    if (hub == NULL || decoder == NULL || !directory_find(hub_directory(hub), "lobby", &entry)) {
        return -1;
    }
    lobby = entry.number;
    return 0;
}

static inline int make(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    return start(&definition);
}

static inline int finish(void **state)
{
    (void)state;
    hub_stop(hub);
    hub_destroy(hub);
    proto_decoder_destroy(decoder);
    sem_destroy(&woken);
    return 0;
}

/* Sleeps until the hub has a reply or a view. Fails the test after DEADLINE_S. */
static inline void wait_for_wake(void)
{
    struct timespec deadline;

    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += DEADLINE_S;
    if (sem_timedwait(&woken, &deadline) != 0) {
        fail_msg("the hub did not answer in %d s", DEADLINE_S);
    }
}

/* ---- sessions ---- */

struct player {
    struct link *link;
    uint64_t session;
    uint32_t shard;
};

static inline struct proto_hello hello_of(const char *name, uint32_t rate)
{
    struct proto_hello hello = {.version = 1, .encoding_count = 1, .rate = rate};

    snprintf(hello.room, sizeof hello.room, ROOM_LOBBY);
    snprintf(hello.name, sizeof hello.name, "%s", name);
    snprintf(hello.encodings[0], sizeof hello.encodings[0], "plain");
    return hello;
}

static inline struct player join_with(uint32_t shard, const struct proto_hello *hello)
{
    struct player player = {.session = ++last_session, .shard = shard};
    const struct link_request request = {
        .session = player.session, .address = "127.0.0.1", .hello = hello};

    player.link = link_join(hub_links(hub, shard), &request);
    assert_non_null(player.link);
    return player;
}

static inline struct player join_at(uint32_t shard, const char *code, const char *name)
{
    struct proto_hello hello = hello_of(name, 0);

    snprintf(hello.room, sizeof hello.room, "%s", code);
    return join_with(shard, &hello);
}

static inline struct player join(const char *name)
{
    return join_at(0, ROOM_LOBBY, name);
}

static inline bool send_cursor(const struct player *player, float x, float y)
{
    return link_send(player->link, &(struct proto_client_message){.type = PROTO_CURSOR,
                                                                  .cursor = {.x = x, .y = y}});
}

static inline bool send_name(const struct player *player, const char *name)
{
    struct proto_client_message message = {.type = PROTO_NAME};

    snprintf(message.name.name, sizeof message.name.name, "%s", name);
    return link_send(player->link, &message);
}

static inline struct hub_reply next_reply_to(uint32_t shard)
{
    struct hub_reply reply;

    while (!links_take_reply(hub_links(hub, shard), &reply)) {
        wait_for_wake();
    }
    return reply;
}

/* Decodes a frame of the room. */
static inline const struct proto_server_message *decode(struct frame *frame)
{
    static struct proto_server_message message;
    struct proto_error error;

    assert_non_null(frame);
    assert_int_equal(proto_decode_server(decoder, frame_data(frame), frame->size, &message, &error),
                     PROTO_OK);
    return &message;
}

/* Returns the next reply to the session. */
static inline struct proto_server_message next_told(const struct player *player)
{
    struct hub_reply reply = next_reply_to(player->shard);
    struct proto_server_message message;

    assert_int_equal(reply.type, HUB_TOLD);
    assert_int_equal(reply.session, player->session);
    message = *decode(reply.frame);
    assert_true(reply.granted == (message.type == PROTO_WELCOME || message.type == PROTO_STREAM));
    frame_release(reply.frame);
    return message;
}

static inline struct proto_welcome welcomed(const struct player *player)
{
    struct proto_server_message message = next_told(player);

    assert_int_equal(message.type, PROTO_WELCOME);
    return message.welcome;
}

/* Asserts that the next reply closes the session with that code. */
static inline void closed(const struct player *player, enum proto_close code)
{
    struct hub_reply reply = next_reply_to(player->shard);

    assert_int_equal(reply.type, HUB_CLOSED);
    assert_int_equal(reply.session, player->session);
    assert_int_equal(end_code(reply.why), code);
    assert_true(strlen(end_text(reply.why)) > 0);
    frame_release(reply.frame);
}

/* ---- views ---- */

static inline struct room_view *next_view_of(uint32_t shard)
{
    struct room_view *view = links_take_view(hub_links(hub, shard));

    while (view == NULL) {
        wait_for_wake();
        view = links_take_view(hub_links(hub, shard));
    }
    return view;
}

/* Returns the next view with a snapshot. */
static inline struct room_view *next_shown(uint32_t shard)
{
    struct room_view *view = next_view_of(shard);

    while (view->stream_count == 0 || view->streams[0].key == NULL) {
        view_release(view);
        view = next_view_of(shard);
    }
    return view;
}

static inline const struct proto_snapshot *shown(const struct room_view *view)
{
    const struct proto_server_message *message = decode(view->streams[0].key);

    assert_int_equal(message->type, PROTO_SNAPSHOT);
    return &message->snapshot;
}

/* Waits until the newest view lists `count` people, or a person with that name. */
static inline void until_present(uint32_t count, const char *name)
{
    for (;;) {
        struct room_view *view = next_view_of(0);
        const struct proto_presence *presence = NULL;
        bool found = false;
        if (view->presence_whole != NULL) {
            presence = &decode(view->presence_whole)->presence;
            found = presence->count == count && name == NULL;
            for (uint32_t i = 0; i < presence->count && name != NULL; i++) {
                found |= presence->count == count && strcmp(presence->people[i].name, name) == 0;
            }
        }
        view_release(view);
        if (found) {
            return;
        }
    }
}

/* ---- rooms ---- */

static inline struct directory_entry create_room_of(const char *model, uint32_t boids, char *key,
                                                    bool trusted)
{
    static unsigned creators;
    char address[NETWORK_ADDRESS_MAX];
    struct hub_making making = {.definition = room_definition_default(), .address = address};
    struct room_definition *definition = &making.definition;
    struct hub_made made;

    flock_settings_choose(&definition->flock.settings, flock_model_find(model));
    definition->flock.boids = boids;
    definition->people_max = SESSIONS;
    definition->boids_max = SCENE_BOIDS_MAX;
    definition->trusted = trusted;
    snprintf(address, sizeof address, "10.1.0.%u", ++creators % 256); /* each has its share */
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
    if (key != NULL) {
        memcpy(key, made.key, sizeof made.key);
    }
    return made.entry;
}

static inline struct directory_entry create_room(const char *model, uint32_t boids, char *key)
{
    return create_room_of(model, boids, key, false);
}

/* Sends the request to the room. Returns the code of the answer. */
static inline enum proto_code ask_with(uint64_t room, struct hub_request *request)
{
    struct hub_reply reply;
    enum proto_code code;

    assert_true(hub_ask(hub, 0, 4711, room, request));
    do {
        reply = next_reply_to(0);
        if (reply.type != HUB_ANSWER) {
            frame_release(reply.frame);
        }
    } while (reply.type != HUB_ANSWER);
    assert_int_equal(reply.session, 4711);
    code = reply.answer.error->code;
    hub_answer_finish(&reply.answer);
    return code;
}

/* Asks the room for the change, or for its end, with the key. Returns the code of the answer. */
static inline enum proto_code ask(uint64_t room, const char *key,
                                  const struct proto_client_message *what, bool end)
{
    struct hub_request *request = calloc(1, sizeof *request + sizeof *what);

    assert_non_null(request);
    snprintf(request->key, sizeof request->key, "%s", key);
    request->listed = -1;
    request->end = end;
    if (what != NULL) {
        request->message_count = 1;
        request->messages[0] = *what;
    }
    return ask_with(room, request);
}

#endif
