/* What the tests of live control share: a room with a presenter and a viewer in it, what they say
 * and what a client makes of the answers. */
#ifndef TEST_CONTROL_ROOM_H
#define TEST_CONTROL_ROOM_H

#include "room/room.h"
#include "room_snapshot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "room/people.h"

#define KEY "the-key-of-the-lobby"

static struct room *room;
static struct proto_decoder *decoder;
static struct frame *last_frame; /* what the last decoded message points into */
static uint32_t ada, bob;        /* a presenter and a viewer */
static struct proto_error error; /* of the last message that was refused */
static uint64_t clock_now;       /* µs */

/* ---- saying things ---- */

static inline bool say(uint32_t slot, const struct proto_client_message *message)
{
    memset(&error, 0xa5, sizeof error);
    return room_receive(room, slot, message, clock_now, &error);
}

static inline bool say_key(uint32_t slot, const char *key)
{
    struct proto_client_message message = {.type = PROTO_KEY};

    snprintf(message.key.key, sizeof message.key.key, "%s", key);
    return say(slot, &message);
}

static inline bool try_set(uint32_t slot, const char *name, const char *value)
{
    struct proto_client_message message = {.type = PROTO_SET};

    snprintf(message.set.name, sizeof message.set.name, "%s", name);
    snprintf(message.set.value, sizeof message.set.value, "%s", value);
    return say(slot, &message);
}

static inline bool try_param(uint32_t slot, const char *name, float value)
{
    struct proto_client_message message = {.type = PROTO_PARAM, .param = {.value = value}};

    snprintf(message.param.name, sizeof message.param.name, "%s", name);
    return say(slot, &message);
}

static inline bool try_add(uint32_t slot, float x, float y, uint32_t count)
{
    return say(slot, &(struct proto_client_message){.type = PROTO_ADD, .add = {x, y, count}});
}

static inline bool try_remove(uint32_t slot, uint32_t count)
{
    return say(slot, &(struct proto_client_message){.type = PROTO_REMOVE, .remove = {count}});
}

static inline bool try_type(uint32_t slot, enum proto_type type)
{
    return say(slot, &(struct proto_client_message){.type = type});
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

/* The message just said was refused so; the answer is short and can be shown. */
static inline void assert_refused(const char *code, const char *field, const char *message)
{
    assert_string_equal(error.message, message);
    assert_string_equal(error.code, code);
    assert_string_equal(error.field, field);
    assert_false(error.fatal);
}

/* ---- hearing things ---- */

/* What a client makes of that frame, which this takes over. */
static inline const struct proto_server_message *decode(struct frame *frame)
{
    static struct proto_server_message message;
    struct proto_error problem;

    assert_non_null(frame);
    frame_release(last_frame);
    last_frame = frame;
    assert_in_range(frame->size, 1, frame->capacity);
    assert_int_equal(
        proto_decode_server(decoder, frame_data(frame), frame->size, &message, &problem), PROTO_OK);
    return &message;
}

static inline const struct proto_room *described(void)
{
    return &decode(room_describe(room))->room;
}

static inline const struct proto_snapshot *snapshot(void)
{
    return &decode(snapshot_frame(room, clock_now))->snapshot;
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

static inline const struct proto_param *parameter(const char *name)
{
    const struct proto_room *now = described();

    for (uint32_t i = 0; i < now->param_count; i++) {
        if (strcmp(now->params[i].name, name) == 0) {
            return &now->params[i];
        }
    }
    fail_msg("there is no parameter %s", name);
    return NULL;
}

/* The boids' positions as they travel; the caller frees them. */
static inline uint8_t *positions(uint32_t *count)
{
    const struct proto_snapshot *shown = snapshot();
    uint8_t *copy = malloc((size_t)shown->boid_count * PROTO_BOID_SIZE);

    assert_non_null(copy);
    memcpy(copy, shown->boids, (size_t)shown->boid_count * PROTO_BOID_SIZE);
    *count = shown->boid_count;
    return copy;
}

/* Whether all of those are boids of now, at the same places. */
static inline bool still_there(const uint8_t *before, uint32_t count)
{
    const struct proto_snapshot *shown = snapshot();

    return shown->boid_count >= count &&
           memcmp(before, shown->boids, (size_t)count * PROTO_BOID_SIZE) == 0;
}

static inline void tick(uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        clock_now += 33333;
        room_tick(room, clock_now);
    }
}

static inline void move(uint32_t slot, float x, float y)
{
    assert_true(say(slot, &(struct proto_client_message){.type = PROTO_CURSOR, .cursor = {x, y}}));
}

/* ---- a room with two people ---- */

static inline uint32_t join(const char *name, uint64_t session)
{
    struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};
    uint64_t replaced;

    snprintf(hello.name, sizeof hello.name, "%s", name);
    return room_join(room, &hello, session, clock_now, &replaced);
}

static inline struct room_definition definition_default(void)
{
    struct room_definition definition = room_definition_default();

    definition.people_max = 100;
    definition.key = KEY;
    return definition;
}

static inline void make_as(const struct room_definition *definition)
{
    room_destroy(room);
    room = room_create(definition);
    assert_non_null(room);
    clock_now = 1000000;
    ada = join("Ada", 1);
    bob = join("Bob", 2);
}

static inline int make(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    decoder = proto_decoder_create();
    make_as(&definition);
    return say_key(ada, KEY) ? 0 : -1;
}

static inline int finish(void **state)
{
    (void)state;
    frame_release(last_frame);
    last_frame = NULL;
    room_destroy(room);
    room = NULL;
    proto_decoder_destroy(decoder);
    return 0;
}

/* Everything that a room tells of itself, as bytes. */
struct image {
    uint8_t room[PROTO_STATE_MAX], params[PROTO_STATE_MAX], snapshot[PROTO_STATE_MAX];
    uint32_t version, params_version;
};

static inline void copy_frame(uint8_t out[PROTO_STATE_MAX], struct frame *frame)
{
    assert_non_null(frame);
    assert_in_range(frame->size, 1, PROTO_STATE_MAX);
    memset(out, 0, PROTO_STATE_MAX);
    memcpy(out, frame_data(frame), frame->size);
    frame_release(frame);
}

static inline void take_image(struct image *image)
{
    memset(image, 0, sizeof *image);
    copy_frame(image->room, room_describe(room));
    copy_frame(image->params, room_params(room));
    copy_frame(image->snapshot, snapshot_frame(room, clock_now));
    image->version = room_version(room);
    image->params_version = room_params_version(room);
}

static struct image before;

/* Nothing of the room is another than when `before` was taken. */
static inline void assert_unchanged(void)
{
    static struct image after;

    take_image(&after);
    assert_memory_equal(after.room, before.room, sizeof after.room);
    assert_memory_equal(after.params, before.params, sizeof after.params);
    assert_memory_equal(after.snapshot, before.snapshot, sizeof after.snapshot);
    assert_int_equal(after.version, before.version);
    assert_int_equal(after.params_version, before.params_version);
}

#endif
