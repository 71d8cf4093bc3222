/* A room made of bytes: room_state.h, its reading half. */
#include "room/room_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "room/apply.h"
#include "room/make.h"
#include "room/state.h"
#include "scene/presets.h"
#include "scene/scene_state.h"

#define REPLAY_MAX 1e9 /* s of a recording, or its speed, at most */

static void read_key(struct saved_reader *r, const msgpack_object_map *map, const char *name,
                     char key[PROTO_KEY_MAX + 1])
{
    const msgpack_object_bin *digest = reader_bin(&r->reader, reader_key(&r->reader, map, name));

    memset(key, 0, PROTO_KEY_MAX + 1);
    if (digest == NULL || digest->size == 0) {
        return;
    }
    if (digest->size != DIGEST_SIZE) {
        saved_fail(r, name, "expected 16 bytes, or none");
        return;
    }
    key_of_digest((const uint8_t *)digest->ptr, key);
}

static bool read_bool(struct saved_reader *r, const msgpack_object_map *map, const char *key)
{
    return reader_bool(&r->reader, reader_key(&r->reader, map, key));
}

static uint64_t read_uint(struct saved_reader *r, const msgpack_object_map *map, const char *key,
                          uint64_t min, uint64_t max)
{
    return reader_uint(&r->reader, reader_key(&r->reader, map, key), min, max);
}

/* Reads what a room has beside its scene. */
static void read_settings(struct saved_reader *r, const msgpack_object_map *map, struct room *room)
{
    struct room_definition *definition = &room->definition;

    read_key(r, map, "key", definition->key);
    read_key(r, map, "join_key", definition->join_key);
    definition->key_made = read_bool(r, map, "key_made");
    definition->trusted =
        reader_option(&r->reader, map, "trusted") != NULL && read_bool(r, map, "trusted");
    definition->open_controls = read_bool(r, map, "open_controls");
    definition->snapshot_rate = (uint32_t)read_uint(r, map, "snapshot_rate", 1,
                                                    scene_definition_of(room->present)->tick_rate);
    room->has_attention = reader_option(&r->reader, map, "attention") != NULL;
    if (room->has_attention) {
        saved_read_text(r, map, "attention", room->attention, sizeof room->attention);
    }
}

/* Reads the moment that the room showed, if it played a film. */
static void read_replay(struct saved_reader *r, const msgpack_object_map *map, struct room *room)
{
    room->replayed = reader_option(&r->reader, map, "replay_back") != NULL;
    if (room->replayed) {
        room->at.back =
            reader_number(&r->reader, reader_key(&r->reader, map, "replay_back"), 0.0, REPLAY_MAX);
        room->at.speed = reader_number(&r->reader, reader_key(&r->reader, map, "replay_speed"),
                                       -REPLAY_MAX, REPLAY_MAX);
    }
}

/* Copies settings of a loaded scene into the room's definition. */
static void follow_scene(struct room_definition *definition, const struct scene *scene)
{
    const struct scene_definition *from = scene_definition_of(scene);

    definition->tick_rate = from->tick_rate;
    definition->cursor_timeout = from->cursor_timeout;
    definition->boids_max = from->boids_max;
    if (definition->snapshot_rate > from->tick_rate) {
        definition->snapshot_rate = from->tick_rate;
    }
}

/* Makes a room of a scene that was saved at `clock`; NULL when memory runs out. */
static struct room *make_room(const struct room_definition *definition,
                              const struct room_sink *sink, struct scene *scene, uint64_t clock,
                              uint64_t now)
{
    struct room_definition followed = *definition;
    struct room *room;

    follow_scene(&followed, scene);
    room = room_create_with(&followed, sink, scene);
    if (room != NULL) {
        room->time = clock;
        room->clock_shift = clock - now;
    }
    return room;
}

/* Makes members of people who were here when the room was saved. Takes over their identities. */
static bool take_identities(struct room *room, struct person_identity *identities)
{
    uint32_t used = room_people(room)->used;

    if (!identity_reserve(room, used)) {
        free(identities);
        return false;
    }
    for (uint32_t slot = 0; slot < used; slot++) {
        room->identities[slot] = identities[slot];
    }
    free(identities);
    return true;
}

struct room *room_load(const struct room_definition *definition, const struct room_sink *sink,
                       const uint8_t *bytes, size_t size, uint64_t now, char *problem,
                       size_t problem_size)
{
    const struct scene_definition scene_definition = room_scene_definition(definition);
    struct saved_reader reader;
    const msgpack_object_map *map = saved_open(&reader, SAVED_ROOM, bytes, size, SCENE_VALUES_MAX);
    struct person_identity *identities = NULL;
    uint64_t clock = 0;
    struct scene *scene =
        map != NULL ? scene_read(&reader, map, &scene_definition, &clock, &identities) : NULL;
    struct room *room = scene != NULL ? make_room(definition, sink, scene, clock, now) : NULL;

    if (room == NULL || !take_identities(room, identities)) {
        saved_fail(&reader, "", "out of memory");
        if (room == NULL) {
            free(identities);
        }
    } else {
        const msgpack_object_map *settings =
            reader_map(&reader.reader, reader_key(&reader.reader, map, "settings"));
        read_settings(&reader, settings, room);
        read_replay(&reader, settings, room);
    }
    if (saved_failed(&reader)) {
        saved_problem(&reader, problem, problem_size);
        room_destroy(room);
        room = NULL;
    }
    saved_close(&reader);
    return room;
}

struct room *room_begin(const struct room_definition *definition, const struct room_sink *sink,
                        const uint8_t *bytes, size_t size, uint64_t now, char *problem,
                        size_t problem_size)
{
    const struct scene_definition scene_definition = room_scene_definition(definition);
    uint64_t clock;
    struct scene *scene = scene_load(&scene_definition, bytes, size, &clock, problem, problem_size);
    struct room *room;

    if (scene == NULL) {
        return NULL;
    }
    scene_empty(scene, definition->title);
    room = make_room(definition, sink, scene, clock, now);
    if (room == NULL) {
        snprintf(problem, problem_size, "out of memory");
    }
    return room;
}

const struct room_definition *room_definition_of(const struct room *room)
{
    return &room->definition;
}

void room_vacate(struct room *room, uint64_t now)
{
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each_leaving(room_people(room), &next)) != NULL) {
        room_leave(room, person->member, now);
    }
}

void room_open_controls(struct room *room, bool open)
{
    if (room->definition.open_controls && !open) {
        apply_surely(room, &(struct input){.type = INPUT_DEMOTE});
    }
    room->definition.open_controls = open;
}

void room_set_key(struct room *room, const char *key, bool made)
{
    if (!made && !key_same(room->definition.key, key)) {
        apply_surely(room, &(struct input){.type = INPUT_DEMOTE});
    }
    room->definition.key_made = made;
    snprintf(room->definition.key, sizeof room->definition.key, "%s", key);
    (void)key_conceal(room->definition.key); /* without memory the key stays in memory as text */
}
