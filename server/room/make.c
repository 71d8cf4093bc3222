/* Makes rooms: of a definition, or of bytes. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "base/refusal.h"
#include "past/history.h"
#include "room/members.h"
#include "room/rewind.h"
#include "room/room_state.h"
#include "room/state.h"
#include "scene/names.h"
#include "scene/presets.h"
#include "scene/scene_state.h"
#include "scene/undo_state.h"

#define REPLAY_MAX 1e9 /* s of a recording, or its speed, at most */

/* ---- definitions ---- */

struct room_definition room_definition_default(void)
{
    return (struct room_definition){
        .number = 1,
        .code = ROOM_LOBBY,
        .flock = flock_definition_default(),
        .tick_rate = 30,
        .snapshot_rate = 30,
        .cursor_timeout = 10000000,
        .people_max = 1,
        .boids_max = SCENE_BOIDS_MAX,
    };
}

static bool is_valid(const struct room_definition *definition)
{
    return definition->boids_max <= SCENE_BOIDS_MAX &&
           definition->flock.boids <= definition->boids_max &&
           (definition->flock.settings.update != FLOCK_SEQUENTIAL ||
            definition->flock.boids <= SCENE_SEQUENTIAL_MAX) &&
           definition->people_max >= 1 && definition->snapshot_rate >= 1 &&
           definition->snapshot_rate <= definition->tick_rate &&
           definition->capability_count <= PROTO_CAPABILITIES_MAX;
}

/* Returns the definition of the scene in a room of that definition. */
static struct scene_definition scene_of(const struct room_definition *definition)
{
    struct scene_definition scene = {
        .lanes = definition->flock.lanes,
        .preset = definition->preset,
        .chosen = definition->chosen,
        .origin = definition->origin,
        .tick_rate = definition->tick_rate,
        .controls = definition->controls,
        .cursor_timeout = definition->cursor_timeout,
        .tick_limit = definition->tick_limit,
        .boids_max = definition->boids_max,
        .budget = definition->budget,
        .undo = true,
    };

    memcpy(scene.title, definition->title, sizeof scene.title);
    return scene;
}

static struct room_terms terms_of(const struct room_definition *definition)
{
    struct room_terms terms = {
        .number = definition->number,
        .instance = definition->instance,
        .lanes = definition->flock.lanes,
        .tick_rate = definition->tick_rate,
        .snapshot_rate = definition->snapshot_rate,
        .tick_limit = definition->tick_limit,
        .people_max = definition->people_max,
        .people_spare = definition->people_spare,
        .budget = definition->budget,
        .key_made = definition->key_made,
        .trusted = definition->trusted,
        .door_closed = definition->door_closed,
        .tries = definition->tries,
        .rewind = definition->rewind,
        .history_budget = definition->history_budget,
        .open_controls = definition->open_controls,
        .capability_count = definition->capability_count,
    };

    memcpy(terms.code, definition->code, sizeof terms.code);
    memcpy(terms.key, definition->key, sizeof terms.key);
    memcpy(terms.join_key, definition->join_key, sizeof terms.join_key);
    memcpy(terms.capabilities, definition->capabilities, sizeof terms.capabilities);
    return terms;
}

/* Makes a room of that scene, which it takes over (NULL: returns NULL). Returns NULL, and destroys
 * the scene, when memory runs out. */
static struct room *make_of_scene(const struct room_definition *definition,
                                  const struct room_sink *sink, struct scene *scene)
{
    struct room *room = scene != NULL ? calloc(1, sizeof *room) : NULL;

    if (room == NULL) {
        scene_destroy(scene);
        return NULL;
    }
    room->definition = terms_of(definition);
    room->sink = *sink;
    room->present = scene;
    news_init(&room->news);
    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        room->versions[part] = room->framed[part] = 1; /* each welcome has them */
    }
    room->versions[VIEW_PAST] = room->framed[VIEW_PAST] = 0; /* there is nothing to say of it */
    if (!key_conceal(room->definition.key) || !key_conceal(room->definition.join_key) ||
        (definition->rewind > 0 && (room->history = history_create(
                                        definition->rewind, definition->history_budget)) == NULL)) {
        room_destroy(room);
        return NULL;
    }
    return room;
}

/* ---- saved rooms ---- */

/* Reads the digest of a key. Returns false if there is no key. */
static bool read_digest(struct saved_reader *r, const msgpack_object_map *map, const char *name,
                        uint8_t digest[DIGEST_SIZE])
{
    const msgpack_object_bin *bin = reader_bin(&r->reader, reader_key(&r->reader, map, name));

    if (bin == NULL || bin->size == 0) {
        return false;
    }
    if (bin->size != DIGEST_SIZE) {
        saved_fail(r, name, "expected 16 bytes, or none");
        return false;
    }
    memcpy(digest, bin->ptr, DIGEST_SIZE);
    return true;
}

static void read_key(struct saved_reader *r, const msgpack_object_map *map, const char *name,
                     char key[PROTO_KEY_MAX + 1])
{
    uint8_t digest[DIGEST_SIZE];

    memset(key, 0, PROTO_KEY_MAX + 1);
    if (read_digest(r, map, name, digest)) {
        key_of_digest(digest, key);
    }
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
    struct room_terms *definition = &room->definition;

    read_key(r, map, "key", definition->key);
    read_key(r, map, "join_key", definition->join_key);
    definition->key_replaced = reader_option(&r->reader, map, "first_key") != NULL &&
                               read_digest(r, map, "first_key", definition->first_key);
    definition->key_made = read_bool(r, map, "key_made");
    definition->trusted =
        reader_option(&r->reader, map, "trusted") != NULL && read_bool(r, map, "trusted");
    definition->door_closed =
        reader_option(&r->reader, map, "door_closed") != NULL && read_bool(r, map, "door_closed");
    definition->open_controls = read_bool(r, map, "open_controls");
    definition->snapshot_rate = (uint32_t)read_uint(r, map, "snapshot_rate", 1,
                                                    scene_definition_of(room->present)->tick_rate);
    room->unnamed =
        reader_option(&r->reader, map, "unnamed") != NULL && read_bool(r, map, "unnamed");
    if (reader_option(&r->reader, map, "beside") != NULL) {
        saved_read_text(r, map, "beside", room->beside, sizeof room->beside);
    }
    room->has_attention = reader_option(&r->reader, map, "attention") != NULL;
    if (room->has_attention) {
        saved_read_text(r, map, "attention", room->attention, sizeof room->attention);
    }
}

/* Reads which presenters have shown the key. A room of an earlier version does not say that: each
 * of its presenters may have. */
static void read_owners(struct saved_reader *r, const msgpack_object_map *map, struct room *room)
{
    const struct people *people = room_people(room);
    const msgpack_object *value = reader_option(&r->reader, map, "owners");
    const msgpack_object_bin *bin = value != NULL ? reader_bin(&r->reader, value) : NULL;
    const uint32_t *slots = NULL;

    for (uint32_t slot = 0; slot < people->used && value == NULL && !room->definition.open_controls;
         slot++) {
        room->identities[slot].owner =
            people->slots[slot].id != 0 && people->slots[slot].role == PROTO_PRESENTER;
    }
    if (bin != NULL) {
        slots = saved_read_words(r, map, "owners", bin->size / sizeof *slots);
    }
    for (uint32_t i = 0; slots != NULL && i < bin->size / sizeof *slots; i++) {
        if (slots[i] >= people->used || people->slots[slots[i]].id == 0 ||
            people->slots[slots[i]].role != PROTO_PRESENTER) {
            saved_fail(r, "owners", "a slot names no presenter");
            return;
        }
        room->identities[slots[i]].owner = true;
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
static struct room *make_of_saved(const struct room_definition *definition,
                                  const struct room_sink *sink, struct scene *scene, uint64_t clock,
                                  uint64_t now)
{
    struct room_definition followed = *definition;
    struct room *room;

    follow_scene(&followed, scene);
    room = make_of_scene(&followed, sink, scene);
    if (room != NULL) {
        scene_modernize(scene);
        room->time = clock;
        room->clock_shift = clock - now;
    }
    return room;
}

/* Returns a sequence that no earlier room of this code on this node has reached: rooms make fewer
 * snapshots in any time. Other nodes may still have snapshots of an earlier room. */
static uint32_t first_sequence(const struct room *room, uint64_t now)
{
    return (uint32_t)(now * 2 * room->definition.snapshot_rate / 1000000);
}

static bool take_groups(struct room *room)
{
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(room_people(room), &next)) != NULL) {
        if (!groups_restore(&room->groups, person->group)) {
            return false;
        }
    }
    return true;
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
        room->identities[slot].name_hash = names_hash(identities[slot].name);
    }
    free(identities);
    return take_groups(room);
}

/* ---- beginnings ---- */

/* Makes the room that was saved. Returns NULL, with a text in `problem`, if the bytes are no room.
 * A text beside a room says why it has no undo; "" else. */
static struct room *load_room(const struct room_definition *definition,
                              const struct room_sink *sink, const struct room_origin *origin,
                              char *problem, size_t problem_size)
{
    struct scene_definition scene_definition = scene_of(definition);
    struct saved_reader reader;
    const msgpack_object_map *map =
        saved_open(&reader, SAVED_ROOM, origin->state, origin->size, SCENE_VALUES_MAX);
    struct person_identity *identities = NULL;
    uint64_t clock = 0;
    scene_definition.continues = true;
    scene_definition.forced = origin->forced;
    struct scene *scene =
        map != NULL ? scene_read(&reader, map, &scene_definition, &clock, &identities) : NULL;
    struct room *room =
        scene != NULL ? make_of_saved(definition, sink, scene, clock, origin->now) : NULL;

    if (room != NULL) {
        scene_skip_ids(scene, origin->skip_ids);
        room->past_saved = scene_rounds(scene);
        room->streams.sequence = first_sequence(room, origin->now);
    }
    if (room == NULL || !take_identities(room, identities)) {
        saved_fail(&reader, "", "out of memory");
        if (room == NULL) {
            free(identities);
        }
    } else {
        const msgpack_object_map *settings =
            reader_map(&reader.reader, reader_key(&reader.reader, map, "settings"));
        read_settings(&reader, settings, room);
        read_owners(&reader, settings, room);
        read_replay(&reader, settings, room);
        if (undo_read(&reader, reader_option(&reader.reader, map, "undo"), scene, problem,
                      problem_size)) {
            problem[0] = '\0';
        }
    }
    if (saved_failed(&reader)) {
        saved_problem(&reader, problem, problem_size);
        room_destroy(room);
        room = NULL;
    }
    saved_close(&reader);
    const bool plays = room != NULL && origin->film != NULL && room->replayed;
    if (room != NULL && (origin->vacated || plays)) { /* a film begins without members */
        room_vacate(room, origin->now);
    }
    if (plays) {
        (void)rewind_replay_on(room, origin->film);
    }
    return room;
}

/* Makes a new room that begins with the scene of a saved one. */
static struct room *begin_room(const struct room_definition *definition,
                               const struct room_sink *sink, const struct room_origin *origin,
                               char *problem, size_t problem_size)
{
    const struct scene_definition scene_definition = scene_of(definition);
    uint64_t clock;
    struct scene *scene =
        scene_load(&scene_definition, origin->state, origin->size, &clock, problem, problem_size);
    struct room *room;

    if (scene == NULL) {
        return NULL;
    }
    scene_empty(scene, definition->title);
    room = make_of_saved(definition, sink, scene, clock, origin->now);
    if (room != NULL && origin->film != NULL && !rewind_replay(room, origin->film, origin->now)) {
        room_destroy(room);
        room = NULL;
    }
    if (room == NULL) {
        snprintf(problem, problem_size, "out of memory");
    }
    return room;
}

/* Makes a room of its definition alone. */
static struct room *define_room(const struct room_definition *definition,
                                const struct room_sink *sink)
{
    const struct scene_definition scene = scene_of(definition);

    return is_valid(definition)
               ? make_of_scene(definition, sink, scene_create(&scene, &definition->flock))
               : NULL;
}

/* Applies the changes. If the room refuses a change, fills *error and returns false. */
static bool apply_changes(struct room *room, const struct room_origin *origin,
                          struct proto_error *error)
{
    for (uint32_t i = 0; i < origin->change_count; i++) {
        if (!room_direct(room, &origin->changes[i], origin->now, error)) {
            return false;
        }
    }
    return true;
}

/* Whether the memory of the room is within its limit. A room that continues keeps what it has. */
static bool fits(const struct room *room, const struct room_origin *origin,
                 struct proto_error *error)
{
    struct proto_error unread;

    return room_fits(room, origin->continues ? &unread : error) || origin->continues;
}

struct room *room_create(const struct room_definition *definition, const struct room_sink *sink,
                         const struct room_origin *origin, struct proto_error *error)
{
    static const struct room_origin nothing;
    struct proto_error unread = {0};
    struct room *room;

    origin = origin != NULL ? origin : &nothing;
    error = error != NULL ? error : &unread;
    assert(origin->state != NULL || (!origin->continues && origin->film == NULL));
    refuse_message(error, PROTO_E_FULL, "", "out of memory");
    if (origin->state == NULL) {
        room = define_room(definition, sink);
    } else if (origin->continues) {
        room = load_room(definition, sink, origin, error->message, sizeof error->message);
    } else {
        room = begin_room(definition, sink, origin, error->message, sizeof error->message);
    }
    if (room != NULL && (!apply_changes(room, origin, error) || !fits(room, origin, error))) {
        room_destroy(room);
        return NULL;
    }
    return room;
}

/* ---- restored rooms ---- */

const struct room_terms *room_terms_of(const struct room *room)
{
    return &room->definition;
}

void room_vacate(struct room *room, uint64_t now)
{
    room_member member;
    uint32_t next = 0;

    while ((member = room_next_member(room, &next)) != 0) {
        room_leave(room, member, now);
    }
}

/* Makes viewers of all people, here or away. Another node's clients are here, and get a welcome
 * with their role afterwards. */
static void demote_all(struct room *room)
{
    room_member member;
    uint32_t next = 0;

    members_demote_away(room);
    while ((member = room_next_member(room, &next)) != 0) {
        members_set_role(room, people_find(room_people(room), member), PROTO_VIEWER);
    }
}

void room_open_controls(struct room *room, bool open)
{
    if (room->definition.open_controls && !open) {
        demote_all(room);
    }
    room->definition.open_controls = open;
}

/* Whether a presenter has made another key in place of this one. */
static bool is_replaced(const struct room_terms *terms, const char *key)
{
    uint8_t digest[DIGEST_SIZE];

    return terms->key_replaced && key_digest(key, digest) && digest_same(digest, terms->first_key);
}

bool room_set_key(struct room *room, const char *key, bool made)
{
    struct room_terms *terms = &room->definition;
    const bool same = key_same(terms->key, key);
    const bool made_again = made && terms->key_made && !terms->key_replaced;
    const bool matters = !made_again && (!same || made != terms->key_made || terms->key_replaced);

    if (is_replaced(terms, key)) {
        return false;
    }
    if (!made && !same) {
        demote_all(room);
    }
    terms->key_made = made;
    terms->key_replaced = false;
    snprintf(terms->key, sizeof terms->key, "%s", key);
    room->changes++;
    (void)key_conceal(terms->key); /* without memory the key stays in memory as text */
    return matters;
}
