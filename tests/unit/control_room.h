/* For tests of a room's messages. A room with a presenter and a viewer, their messages and the
 * answers. */
#ifndef TEST_CONTROL_ROOM_H
#define TEST_CONTROL_ROOM_H

#include "room_client.h"

#define KEY "the-key-of-the-lobby"

static struct client *ada, *bob; /* a presenter and a viewer */
static struct proto_error error; /* of the last refused message */

/* ---- requests ---- */

/* Sends the message with a tag. Returns whether the answer is `done`. Asserts that a request has
 * exactly one answer, which comes last, and that other messages have none or an error. Further
 * messages to the sender stay unread. */
static inline bool say(struct client *client, const struct proto_client_message *message)
{
    static uint32_t tags;
    struct proto_client_message tagged = *message;
    struct frame *frame;
    const struct proto_server_message *answer;
    bool done;

    forget_heard(client);
    memset(&error, 0, sizeof error);
    tagged.has_tag = proto_answered(message->type);
    tagged.tag = tagged.has_tag ? ++tags : 0;
    room_receive(room, client->member, &tagged, clock_now);
    if (client->heard_count == 0) {
        assert_false(proto_answered(message->type));
        return true;
    }
    for (uint32_t i = 0; i + 1 < client->heard_count; i++) {
        uint32_t type = read_frame(client->heard[i])->type;
        assert_true(type != PROTO_DONE && type != PROTO_ERROR);
    }
    frame = client->heard[--client->heard_count];
    answer = read_frame(frame);
    done = answer->type == PROTO_DONE;
    if (done) {
        assert_int_equal(answer->done.type, message->type);
        assert_true(answer->done.has_tag && answer->done.tag == tagged.tag);
    } else {
        assert_int_equal(answer->type, PROTO_ERROR);
        error = answer->error;
        assert_int_equal(error.type, message->type);
        assert_int_equal(error.has_tag, tagged.has_tag);
        assert_int_equal(error.tag, tagged.tag);
    }
    frame_release(frame);
    return done;
}

static inline struct proto_hello hello_again(const struct client *client)
{
    struct proto_hello hello = hello_of("");

    hello.has_token = true;
    memcpy(hello.token, client->token, sizeof hello.token);
    return hello;
}

static inline bool say_key(struct client *client, const char *key)
{
    struct proto_client_message message = {.type = PROTO_KEY};

    snprintf(message.key.key, sizeof message.key.key, "%s", key);
    return say(client, &message);
}

static inline bool try_set(struct client *client, const char *name, const char *value)
{
    struct proto_client_message message = {.type = PROTO_SET};

    snprintf(message.set.name, sizeof message.set.name, "%s", name);
    snprintf(message.set.value, sizeof message.set.value, "%s", value);
    return say(client, &message);
}

static inline bool try_param(struct client *client, const char *name, float value)
{
    struct proto_client_message message = {.type = PROTO_PARAM, .param = {.value = value}};

    snprintf(message.param.name, sizeof message.param.name, "%s", name);
    return say(client, &message);
}

static inline bool try_add(struct client *client, float x, float y, uint32_t count)
{
    return say(client, &(struct proto_client_message){.type = PROTO_ADD, .add = {x, y, count}});
}

static inline bool try_remove(struct client *client, uint32_t count)
{
    return say(client, &(struct proto_client_message){.type = PROTO_REMOVE, .remove = {count}});
}

static inline bool try_want(struct client *client, uint32_t rate, uint32_t boids)
{
    return say(client, &(struct proto_client_message){.type = PROTO_WANT,
                                                      .want = {.rate = rate, .boids = boids}});
}

static inline void subscribe(struct client *client, uint32_t topics)
{
    assert_true(
        say(client, &(struct proto_client_message){
                        .type = PROTO_WANT, .want = {.has_topics = true, .topics = topics}}));
}

static inline bool try_name(struct client *client, const char *name)
{
    struct proto_client_message message = {.type = PROTO_NAME};

    snprintf(message.name.name, sizeof message.name.name, "%s", name);
    return say(client, &message);
}

static inline bool try_title(struct client *client, const char *title)
{
    struct proto_client_message message = {.type = PROTO_TITLE};

    snprintf(message.title.title, sizeof message.title.title, "%s", title);
    return say(client, &message);
}

static inline bool try_expel(struct client *client, uint32_t id)
{
    return say(client, &(struct proto_client_message){.type = PROTO_EXPEL, .expel = {id}});
}

static inline bool try_appoint(struct client *client, uint32_t id, enum proto_role role)
{
    return say(client,
               &(struct proto_client_message){.type = PROTO_APPOINT, .appoint = {id, role}});
}

static inline bool try_type(struct client *client, enum proto_type type)
{
    return say(client, &(struct proto_client_message){.type = type});
}

/* As send_cursor(), for a cursor that the room accepts. */
static inline void move(struct client *client, float x, float y)
{
    assert_true(
        say(client, &(struct proto_client_message){.type = PROTO_CURSOR, .cursor = {x, y}}));
    moves_apply(room);
}

static inline void set(const char *name, const char *value)
{
    if (!try_set(ada, name, value)) {
        fail_msg("set %s %s: %s", name, value, error.message);
    }
}

static inline void param(const char *name, float value)
{
    if (!try_param(ada, name, value)) {
        fail_msg("param %s %g: %s", name, (double)value, error.message);
    }
}

/* Asserts that the last message was refused with this code, field and text, and that the text is
 * short and printable. */
static inline void assert_refused(enum proto_code code, const char *field, const char *message)
{
    assert_string_equal(error.message, message);
    assert_int_equal(error.code, code);
    assert_string_equal(error.field, field);
    assert_false(error.fatal);
}

/* ---- what members see ---- */

/* Returns the room as Ada knows it. Ada reads every view. */
static inline const struct proto_room *described(void)
{
    publish();
    return ada->parts[VIEW_ROOM] != NULL ? &part_of(ada, VIEW_ROOM)->room
                                         : &read_frame(ada->welcome)->welcome.room;
}

static inline const struct proto_snapshot *snapshot(void)
{
    publish();
    return &ada->snapshot;
}

static inline const struct proto_control *control(const char *name)
{
    const struct proto_room *now = described();

    for (uint32_t i = 0; i < now->control_count; i++) {
        if (strcmp(now->controls[i].name, name) == 0) {
            return &now->controls[i];
        }
    }
    fail_msg("there is no control %s", name);
    return NULL;
}

static inline const struct proto_room_param *parameter(const char *name)
{
    static struct proto_room_param shown;
    const struct proto_room *now = described();
    uint32_t i = 0;

    while (i < now->param_count && strcmp(now->params[i].name, name) != 0) {
        i++;
    }
    assert_true(i < now->param_count);
    shown = now->params[i];
    if (ada->parts[VIEW_PARAMS] != NULL) {
        shown.value = part_of(ada, VIEW_PARAMS)->params.values[i];
    }
    return &shown;
}

/* Returns the encoded positions of the boids. The caller frees them. */
static inline uint8_t *positions(uint32_t *count)
{
    const struct proto_snapshot *shown = snapshot();
    uint8_t *copy = malloc((size_t)shown->boid_count * PROTO_BOID_SIZE);

    assert_non_null(copy);
    memcpy(copy, shown->boids, (size_t)shown->boid_count * PROTO_BOID_SIZE);
    *count = shown->boid_count;
    return copy;
}

/* Returns whether all of these boids still exist, at the same positions. */
static inline bool boids_unchanged(const uint8_t *before, uint32_t count)
{
    const struct proto_snapshot *shown = snapshot();

    return shown->boid_count >= count &&
           memcmp(before, shown->boids, (size_t)count * PROTO_BOID_SIZE) == 0;
}

/* ---- a room with two people ---- */

static inline struct room_definition definition_with_key(void)
{
    struct room_definition definition = definition_default();

    snprintf(definition.key, sizeof definition.key, KEY);
    return definition;
}

static inline void make_two_as(const struct room_definition *definition)
{
    make_as(definition);
    ada = join("Ada");
    bob = join("Bob");
}

static inline int make_two(void **state)
{
    const struct room_definition definition = definition_with_key();

    make(state);
    make_two_as(&definition);
    return say_key(ada, KEY) ? 0 : -1;
}

/* The messages about the room that it sends to all members, as bytes. */
struct image {
    uint8_t room[PROTO_STATE_MAX], params[PROTO_STATE_MAX], snapshot[PROTO_STATE_MAX];
    uint32_t versions[VIEW_PARTS], events;
    struct room_facts facts;
};

static inline void copy_frame(uint8_t out[PROTO_STATE_MAX], const struct frame *frame)
{
    memset(out, 0, PROTO_STATE_MAX);
    if (frame != NULL) {
        assert_in_range(frame->size, 1, PROTO_STATE_MAX);
        memcpy(out, frame->bytes + FRAME_HEADROOM, frame->size);
    }
}

static inline void take_image(struct image *image)
{
    struct room_view *view = room_snapshot(room, workspace, clock_now);

    assert_non_null(view);
    memset(image, 0, sizeof *image);
    copy_frame(image->room, view->frames[VIEW_ROOM]);
    copy_frame(image->params, view->frames[VIEW_PARAMS]);
    copy_frame(image->snapshot, view_stream(view, ada->grant.stream)->key);
    memcpy(image->versions, view->versions, sizeof image->versions);
    image->events = view->events;
    image->facts = room_facts(room);
    view_release(view);
}

static struct image before;

/* Asserts that the room has not changed since `before` was taken. */
static inline void assert_unchanged(void)
{
    static struct image after;

    take_image(&after);
    assert_memory_equal(after.room, before.room, sizeof after.room);
    assert_memory_equal(after.params, before.params, sizeof after.params);
    assert_memory_equal(after.snapshot, before.snapshot, sizeof after.snapshot);
    assert_memory_equal(after.versions, before.versions, sizeof after.versions);
    assert_int_equal(after.events, before.events);
    assert_int_equal(after.facts.changes, before.facts.changes);
    assert_string_equal(after.facts.title, before.facts.title);
}

#endif
