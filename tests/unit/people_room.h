/* A room for tests with up to ROOM people, who join, come back, move and leave. */
#ifndef PEOPLE_ROOM_H
#define PEOPLE_ROOM_H

#include "room/members.h"
#include "room/moves.h"
#include "room/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/inside.h"

#define SECOND  UINT64_C(1000000)
#define ROOM    300
#define TIMEOUT (10 * SECOND)

static struct room *the_room;
static room_member closed;   /* the last member that the room closed */
static uint64_t address_now; /* of joining people: see tries_origin() */
#define people (the_room->present->people)

static inline void ignore_frame(void *argument, room_member member, struct frame *frame,
                                const struct room_grant *grant)
{
    (void)argument;
    (void)member;
    (void)grant;
    frame_release(frame);
}

static inline void note_closed(void *argument, room_member member, const struct room_end *end)
{
    (void)argument;
    closed = member;
    frame_release(end->frame);
}

static inline struct room_definition define_room(void)
{
    struct room_definition definition = room_definition_default();

    definition.people_max = ROOM;
    definition.cursor_timeout = TIMEOUT;
    definition.flock.settings.width = definition.flock.settings.height =
        30000; /* large, because cursors move by one unit */
    return definition;
}

static inline int make(void **state)
{
    const struct room_sink sink = {.tell = ignore_frame, .close = note_closed};
    const struct room_definition definition = define_room();

    (void)state;
    address_now = 0;
    the_room = room_create(&definition, &sink, NULL, NULL);
    return the_room != NULL ? 0 : -1;
}

static inline int destroy(void **state)
{
    (void)state;
    room_destroy(the_room);
    return 0;
}

static inline enum people_result try_join(const char *name, const uint8_t *token, uint64_t now,
                                          uint32_t *slot, room_member *replaced)
{
    struct proto_hello hello = {
        .version = 1, .has_token = token != NULL, .encoding_count = 1, .encodings = {"plain"}};
    struct room_end refused = {0};
    room_member member;

    snprintf(hello.name, sizeof hello.name, "%s", name);
    if (token != NULL) {
        memcpy(hello.token, token, sizeof hello.token);
    }
    closed = 0;
    member = room_join(the_room, &hello, address_now, now, &refused);
    frame_release(refused.frame);
    *replaced = closed;
    *slot = people_find(&people, member);
    if (member != 0) {
        return PEOPLE_OK;
    }
    return refused.why == END_REMOVED ? PEOPLE_REMOVED : PEOPLE_FULL;
}

static inline uint32_t rejoin(const char *name, const uint8_t *token, uint64_t now,
                              room_member *replaced)
{
    uint32_t slot;

    assert_int_equal(try_join(name, token, now, &slot, replaced), PEOPLE_OK);
    assert_int_equal(people_find(&people, people.slots[slot].member), slot);
    return slot;
}

/* Lets a new person join. */
static inline uint32_t join(const char *name, uint64_t now)
{
    room_member replaced;
    uint32_t slot = rejoin(name, NULL, now, &replaced);

    assert_int_equal(replaced, 0);
    return slot;
}

static inline void leave(uint32_t slot, bool expelled, uint64_t now)
{
    if (expelled) {
        members_expel(the_room, slot, now);
    } else {
        room_leave(the_room, people.slots[slot].member, now);
    }
}

static inline const char *name_of(uint32_t slot)
{
    return the_room->identities[slot].name;
}

/* Copies the person's token. The room forgets it when the person leaves. */
static inline void copy_token(uint8_t token[PROTO_TOKEN_SIZE], uint32_t slot)
{
    memcpy(token, the_room->members[slot].token, PROTO_TOKEN_SIZE);
}

/* The cursor has moved when this returns, as after the next tick. */
static inline void move(uint32_t slot, uint64_t now)
{
    static float x; /* different each time */
    struct proto_client_message message = {.type = PROTO_CURSOR};

    x = x < 20000 ? x + 1 : 0;
    message.cursor.x = x;
    message.cursor.y = 2;
    room_receive(the_room, people.slots[slot].member, &message, now);
    moves_apply(the_room);
}

#endif
