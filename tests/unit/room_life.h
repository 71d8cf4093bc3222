/* A room and random actions of people: they join, return, steer, change the flock, are removed and
 * leave, also between ticks. For tests of a room's past. Messages are ignored, except for tokens.
 */
#ifndef TEST_ROOM_LIFE_H
#define TEST_ROOM_LIFE_H

#include "room/room.h"
#include "scene/control.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LIFE_KEY    "the-key-of-this-room"
#define LIFE_PERIOD UINT64_C(33333)

enum { LIFE_PEOPLE = 140 }; /* more than are shown */

struct life {
    struct room *room;
    uint64_t now; /* µs */
    uint32_t random;
    uint32_t people; /* maximum */
    room_member members[LIFE_PEOPLE];
    uint8_t tokens[LIFE_PEOPLE][PROTO_TOKEN_SIZE];
    bool known[LIFE_PEOPLE]; /* `token` is valid */
    struct proto_decoder *decoder;
    uint8_t token[PROTO_TOKEN_SIZE]; /* of the last welcome */
};

static void life_hear(void *argument, room_member member, struct frame *frame,
                      const struct room_grant *grant)
{
    static struct proto_server_message message;
    struct life *life = argument;
    struct proto_error problem;

    (void)member;
    assert_non_null(frame);
    if (grant != NULL && grant->joined) {
        assert_int_equal(
            proto_decode_server(life->decoder, frame_data(frame), frame->size, &message, &problem),
            PROTO_OK);
        memcpy(life->token, message.welcome.token, sizeof life->token);
    }
    frame_release(frame);
}

static void life_closed(void *argument, room_member member, const struct room_end *end)
{
    struct life *life = argument;

    for (uint32_t i = 0; i < LIFE_PEOPLE; i++) {
        life->members[i] = life->members[i] == member ? 0 : life->members[i];
    }
    frame_release(end->frame);
}

static uint32_t life_random(struct life *life, uint32_t below)
{
    life->random = life->random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(life->random >> 4) * below >> 28);
}

/* Makes the room. The caller sets life->random, people and now before. */
static void life_begin(struct life *life, struct room_definition *definition)
{
    const struct room_sink sink = {.tell = life_hear, .close = life_closed, .argument = life};

    snprintf(definition->key, sizeof definition->key, LIFE_KEY);
    definition->people_max = LIFE_PEOPLE;
    life->decoder = proto_decoder_create();
    assert_non_null(life->decoder);
    life->room = room_create(definition, &sink, NULL, NULL);
    assert_non_null(life->room);
}

static void life_end(struct life *life)
{
    room_destroy(life->room);
    proto_decoder_destroy(life->decoder);
}

/* People come from three addresses. */
static void life_join(struct life *life, uint32_t who)
{
    struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};
    struct room_end refused = {0};

    snprintf(hello.name, sizeof hello.name, "person %u", who);
    if (who % 5 == 0) {
        snprintf(hello.key, sizeof hello.key, LIFE_KEY);
    }
    if (life->known[who]) {
        hello.has_token = true;
        memcpy(hello.token, life->tokens[who], sizeof hello.token);
    }
    room_member member = room_join(life->room, &hello, 1 + who % 3, life->now, &refused);
    frame_release(refused.frame);
    if (member == 0) { /* a presenter removed this person, who returns as a new one */
        life->known[who] = false;
        return;
    }
    room_welcome(life->room, member, life->now);
    life->members[who] = member;
    memcpy(life->tokens[who], life->token, sizeof life->tokens[who]);
    life->known[who] = true;
}

static void life_say(struct life *life, uint32_t who, struct proto_client_message message)
{
    if (life->members[who] != 0) {
        room_receive(life->room, life->members[who], &message, life->now);
    }
}

static void life_move(struct life *life, uint32_t who)
{
    life_say(life, who,
             (struct proto_client_message){.type = PROTO_CURSOR,
                                           .cursor = {(float)life_random(life, 5500) / 10.0F,
                                                      (float)life_random(life, 4000) / 10.0F}});
}

static void life_set(struct life *life, const char *name, const char *value)
{
    struct proto_client_message message = {.type = PROTO_SET};
    struct proto_error error;

    snprintf(message.set.name, sizeof message.set.name, "%s", name);
    snprintf(message.set.value, sizeof message.set.value, "%s", value);
    assert_true(room_direct(life->room, &message, life->now, &error));
}

static void life_direct(struct life *life, struct proto_client_message message)
{
    struct proto_error error;

    (void)room_direct(life->room, &message, life->now, &error); /* it may be refused */
}

/* Chooses a value of a control. Presets are excluded, because they have thousands of boids. */
static void life_choose(struct life *life)
{
    static const char *const names[] = {"model",   "boundary", "policy", "cursors",
                                        "viewers", "idle",     "run",    "teams",
                                        "turn",    "drawing",  "layers", "coloring"};
    const char *name = names[life_random(life, 12)];
    size_t count = 0;

    while (control_choice(name, count) != NULL) {
        count++;
    }
    life_set(life, name, control_choice(name, life_random(life, (uint32_t)count)));
}

/* Saves the present settings as one of two presets, chooses a saved preset, or removes one. */
static void life_preset(struct life *life, enum proto_type type)
{
    struct proto_client_message message = {.type = type};
    const char *name = life_random(life, 2) == 0 ? "one" : "two";

    if (type == PROTO_SAVE) {
        snprintf(message.save.name, sizeof message.save.name, "%s", name);
    } else if (type == PROTO_FORGET) {
        snprintf(message.forget.name, sizeof message.forget.name, "%s", name);
    } else {
        snprintf(message.set.name, sizeof message.set.name, "preset");
        snprintf(message.set.value, sizeof message.set.value, "%s", name);
    }
    life_direct(life, message);
}

/* Drops food, sets a hunter loose, draws a wall, erases a thing or clears all things. Leaves out
 * undo, which begins a new part of the past. */
static void life_draw(struct life *life)
{
    const float x = (float)life_random(life, 550);
    const float y = (float)life_random(life, 400);

    switch (life_random(life, 6)) {
    case 0:
    case 1:
        life_direct(life, (struct proto_client_message){.type = PROTO_FOOD, .food = {x, y, 20}});
        break;
    case 2:
        life_direct(life, (struct proto_client_message){.type = PROTO_HUNTER, .hunter = {x, y}});
        break;
    case 3:
        life_direct(life, (struct proto_client_message){.type = PROTO_WALL,
                                                        .wall = {x, y, x + 40.0F, y + 30.0F}});
        break;
    case 4:
        life_direct(life,
                    (struct proto_client_message){.type = PROTO_ERASE, .erase = {x, y, 100.0F}});
        break;
    default:
        life_direct(life, (struct proto_client_message){.type = PROTO_CLEAR});
        break;
    }
}

static void life_rarely(struct life *life, uint32_t who)
{
    uint32_t id = room_person(life->room, life->members[who]).id;

    switch (life_random(life, 20)) {
    case 0:
    case 1:
        life_choose(life);
        break;
    case 2:
        life_direct(life, (struct proto_client_message){.type = PROTO_PARAM,
                                                        .param = {"flee_weight", 1.5F}});
        life_direct(life,
                    (struct proto_client_message){.type = PROTO_PARAM, .param = {"noise", 1.5F}});
        life_direct(life, (struct proto_client_message){
                              .type = PROTO_SWEEP,
                              .sweep = {"noise", 3.0F, 9.0F, .steps = 5, .seconds = 2}});
        break;
    case 3:
        life_direct(life, (struct proto_client_message){.type = PROTO_ADD, .add = {50, 60, 9}});
        break;
    case 4:
        life_direct(life, (struct proto_client_message){.type = PROTO_REMOVE, .remove = {5}});
        break;
    case 5:
        life_direct(life, (struct proto_client_message){.type = PROTO_RESET});
        break;
    case 6:
        life_set(life, "run", "paused");
        life_direct(life, (struct proto_client_message){.type = PROTO_STEP});
        break;
    case 7:
        life_set(life, "run", "running");
        break;
    case 8:
        life_direct(life, (struct proto_client_message){.type = PROTO_APPOINT,
                                                        .appoint = {id, PROTO_PRESENTER}});
        break;
    case 9:
        life_direct(life, (struct proto_client_message){.type = PROTO_APPOINT,
                                                        .appoint = {id, PROTO_VIEWER}});
        break;
    case 13:
        life_direct(life, (struct proto_client_message){.type = PROTO_SKIP});
        break;
    case 14:
        life_say(life, who,
                 (struct proto_client_message){.type = PROTO_TEAM,
                                               .team = {1 + life_random(life, PROTO_TEAMS_MAX)}});
        break;
    case 11:
        life_preset(life, PROTO_SAVE);
        break;
    case 12:
        life_preset(life, life_random(life, 4) > 0 ? PROTO_SET : PROTO_FORGET);
        break;
    case 10:
        life_direct(life, (struct proto_client_message){.type = PROTO_EXPEL, .expel = {id}});
        break;
    case 16:
    case 17:
    case 18:
    case 19:
        life_draw(life);
        break;
    default:
        life_say(life, who, (struct proto_client_message){.type = PROTO_REKEY});
        break;
    }
}

/* Makes the changes before the next tick, and ticks slightly late or early. */
static void life_round(struct life *life, struct room_workspace *workspace)
{
    uint64_t tick = life->now + LIFE_PERIOD;

    for (uint32_t acts = life_random(life, 6); acts > 0; acts--) {
        uint32_t who = life_random(life, life->people);
        uint32_t what = life_random(life, 100);
        life->now += life_random(life, 5000);
        if (life->members[who] == 0 || what == 95) { /* replaces the present connection */
            life_join(life, who);
        } else if (what < 90) {
            life_move(life, who);
        } else if (what < 93) {
            life_say(life, who, (struct proto_client_message){.type = PROTO_AWAY});
        } else if (what < 95) {
            room_leave(life->room, life->members[who], life->now);
            life->members[who] = 0;
        } else if (what < 99) {
            life_rarely(life, who);
        }
    }
    life->now = tick + life_random(life, 400) - 200;
    assert_true(room_tick(life->room, workspace, life->now));
}

#endif
