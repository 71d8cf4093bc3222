/* A room made of bytes: room_state.h, its reading half. */
#include "room/room_state.h"

#include <stdio.h>
#include <string.h>

#include "base/key.h"
#include "room/members.h"
#include "room/state.h"
#include "scene/budget.h"
#include "scene/flock_state.h"
#include "scene/people_state.h"
#include "scene/presets_state.h"

/* Values beside the flock's and the people's. */
#define ROOM_VALUES   128u
#define PEOPLE_VALUES 2000000u

#define REPLAY_MAX 1e9 /* s of a recording, or its speed: beyond what there is */

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

/* Into the definition, and what the definition has no place for into the room. */
static void read_settings(struct saved_reader *r, const msgpack_object *value, struct room *room)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);
    struct room_definition *definition = &room->definition;
    char preset[PROTO_WORD_MAX + 1];

    saved_read_text(r, map, "title", definition->title, sizeof definition->title);
    read_key(r, map, "key", definition->key);
    read_key(r, map, "join_key", definition->join_key);
    definition->key_made = read_bool(r, map, "key_made");
    definition->trusted =
        reader_option(&r->reader, map, "trusted") != NULL && read_bool(r, map, "trusted");
    definition->open_controls = read_bool(r, map, "open_controls");
    definition->tick_rate = (uint32_t)read_uint(r, map, "tick_rate", 1, PROTO_RATE_MAX);
    definition->snapshot_rate =
        (uint32_t)read_uint(r, map, "snapshot_rate", 1, definition->tick_rate);
    definition->policy = (enum cursor_policy)saved_read_word(r, map, "policy", cursor_policy_name);
    definition->idle = (enum cursor_idle)saved_read_word(r, map, "idle", cursor_idle_name);
    definition->cursor_timeout = read_uint(r, map, "cursor_timeout", 1, UINT64_MAX);
    saved_read_text(r, map, "preset", preset, sizeof preset);
    room->preset = flock_preset_find(preset); /* one that this version lacks is none */
    if (reader_option(&r->reader, map, "origin") != NULL) { /* else that of the preset itself */
        saved_read_text(r, map, "origin", preset, sizeof preset);
    }
    room->origin = flock_preset_find(preset);
    room->boids = (uint32_t)read_uint(r, map, "boids", 1, ROOM_BOIDS_MAX);
    room->cursors_scare = read_bool(r, map, "cursors_scare");
    room->viewers_watch = read_bool(r, map, "viewers_watch");
    room->has_attention = reader_option(&r->reader, map, "attention") != NULL;
    if (room->has_attention) {
        saved_read_text(r, map, "attention", room->attention, sizeof room->attention);
    }
}

/* The moment that the room showed, if it played a film. */
static void read_replay(struct saved_reader *r, const msgpack_object *value, struct room *room)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);

    room->replayed = map != NULL && reader_option(&r->reader, map, "replay_back") != NULL;
    if (room->replayed) {
        room->at.back =
            reader_number(&r->reader, reader_key(&r->reader, map, "replay_back"), 0.0, REPLAY_MAX);
        room->at.speed = reader_number(&r->reader, reader_key(&r->reader, map, "replay_speed"),
                                       -REPLAY_MAX, REPLAY_MAX);
    }
}

static void read_time(struct saved_reader *r, const msgpack_object *value, struct room *room,
                      uint64_t now)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);
    const double far = (double)FLOCK_FAR;

    room->clock_shift = read_uint(r, map, "clock", 0, UINT64_MAX) - now;
    room->ticks = read_uint(r, map, "ticks", 0, (uint64_t)1 << 53);
    room->rounds = read_uint(r, map, "rounds", 0, (uint64_t)1 << 53);
    room->steps = (uint32_t)read_uint(r, map, "steps", 0, UINT32_MAX);
    room->paused = read_bool(r, map, "paused");
    room->has_target = read_bool(r, map, "has_target");
    room->target.x = reader_number(&r->reader, reader_key(&r->reader, map, "target_x"), -far, far);
    room->target.y = reader_number(&r->reader, reader_key(&r->reader, map, "target_y"), -far, far);
}

/* Puts the flock in place of the one that the room was made with, within the budget of all rooms.
 */
static void take_flock(struct saved_reader *r, struct room *room, struct flock *flock,
                       struct room_budget *budget)
{
    uint32_t count = flock_count(flock);
    uint32_t left = 0;

    flock_destroy(room->flock);
    room->flock = flock;
    if (flock_definition_of(flock)->update == FLOCK_SEQUENTIAL && count > ROOM_SEQUENTIAL_MAX) {
        reader_fail(&r->reader, PROTO_E_RANGE,
                    "%u boids in the sequential order, at most %u may be", count,
                    ROOM_SEQUENTIAL_MAX);
        return;
    }
    if (room->origin != NULL && room->origin->model != flock_definition_of(flock)->model) {
        room->origin = NULL;
    }
    if (!budget_take(budget, count, &left)) {
        reader_fail(&r->reader, PROTO_E_FULL, "all rooms together have %u boids left, it has %u",
                    left, count);
        return;
    }
    room->definition.budget = budget;
    room->definition.boids_max =
        count > room->definition.boids_max ? count : room->definition.boids_max;
    room->quantum =
        proto_quantum(flock_definition_of(flock)->width, flock_definition_of(flock)->height);
}

static void read_spotlight(struct saved_reader *r, const msgpack_object *value,
                           struct people *people)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);

    if (map != NULL && reader_option(&r->reader, map, "spotlight") != NULL) {
        people->spotlight = (uint32_t)read_uint(r, map, "spotlight", 1, UINT32_MAX);
    }
}

static void read_room(struct saved_reader *r, const msgpack_object_map *map, struct room *room,
                      struct room_budget *budget, uint64_t now)
{
    struct flock *flock;

    read_settings(r, reader_key(&r->reader, map, "settings"), room);
    read_replay(r, reader_key(&r->reader, map, "settings"), room);
    presets_read(r, reader_option(&r->reader, map, "presets"), room);
    read_time(r, reader_key(&r->reader, map, "time"), room, now);
    people_read(r, reader_key(&r->reader, map, "people"), &room->people);
    read_spotlight(r, reader_key(&r->reader, map, "settings"), &room->people);
    flock = flock_state_read(r, reader_key(&r->reader, map, "flock"), room->definition.flock.lanes);
    if (flock != NULL) {
        take_flock(r, room, flock, budget);
    }
}

struct room *room_load(const struct room_definition *definition, const struct room_sink *sink,
                       const uint8_t *bytes, size_t size, uint64_t now, char *problem,
                       size_t problem_size)
{
    struct room_definition empty = *definition;
    struct saved_reader reader;
    const msgpack_object_map *map =
        saved_open(&reader, SAVED_ROOM, bytes, size,
                   FLOCK_STATE_VALUES + ROOM_VALUES + PEOPLE_VALUES + PRESETS_VALUES);
    struct room *room = NULL;

    empty.flock.boids = 1;
    empty.budget = NULL;
    if (map != NULL && (room = room_create(&empty, sink)) == NULL) {
        saved_fail(&reader, "", "out of memory");
    }
    if (room != NULL) {
        read_room(&reader, map, room, definition->budget, now);
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
    struct room *room = room_load(definition, sink, bytes, size, now, problem, problem_size);
    uint32_t last_id;

    if (room == NULL) {
        return NULL;
    }
    last_id = room->people.last_id;
    people_finish(&room->people);
    people_init(&room->people, definition->people_max);
    room->people.last_id = last_id;
    room->has_attention = false;
    room->definition.key_made = definition->key_made;
    room->definition.trusted = definition->trusted;
    room->definition.open_controls = definition->open_controls;
    memcpy(room->definition.key, definition->key, sizeof room->definition.key);
    memcpy(room->definition.join_key, definition->join_key, sizeof room->definition.join_key);
    if (definition->title[0] != '\0') {
        memcpy(room->definition.title, definition->title, sizeof room->definition.title);
    }
    if (room->definition.snapshot_rate > definition->snapshot_rate) {
        room->definition.snapshot_rate = definition->snapshot_rate;
    }
    if (!key_conceal(room->definition.key) || !key_conceal(room->definition.join_key)) {
        room_destroy(room);
        snprintf(problem, problem_size, "out of memory");
        return NULL;
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

    while ((person = people_each_leaving(&room->people, &next)) != NULL) {
        room_leave(room, person->member, now);
    }
}

void room_open_controls(struct room *room, bool open)
{
    if (room->definition.open_controls && !open) {
        people_demote_away(&room->people);
    }
    room->definition.open_controls = open;
}

void room_set_key(struct room *room, const char *key, bool made)
{
    if (!made && !key_same(room->definition.key, key)) {
        people_demote_away(&room->people);
    }
    room->definition.key_made = made;
    snprintf(room->definition.key, sizeof room->definition.key, "%s", key);
    (void)key_conceal(room->definition.key); /* else it stays as it is */
}
