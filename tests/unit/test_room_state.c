/* A saved and loaded room continues bit for bit, with any flock, people and actions, and with a
 * restarted clock. The room recognizes its people. Damaged states are refused. */
#include "room/room_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/key.h"
#include "load_room.h"
#include "room/state.h"
#include "scene/budget.h"
#include "scene/inside.h"
#include "scene/saved.h"
#include "scene/scene.h"

#define KEY    "the-key-of-this-room"
#define BEGIN  UINT64_C(5000000000) /* µs: the clock of the saved room */
#define ANEW   UINT64_C(7)          /* µs: the clock of the loaded room */
#define PERIOD UINT64_C(33333)
#define PEOPLE 6u

enum { BOIDS = 60, TICKS_AFTER = 1000 };

/* ---- messages to members: ignored, except for tokens ---- */

static uint8_t token[PROTO_TOKEN_SIZE]; /* of the last welcome */
static struct proto_welcome welcome;
static struct proto_decoder *decoder;

static void hear(void *argument, room_member member, struct frame *frame,
                 const struct room_grant *grant)
{
    static struct proto_server_message message;
    struct proto_error problem;

    (void)argument;
    (void)member;
    assert_non_null(frame);
    if (grant != NULL && grant->joined) {
        assert_int_equal(
            proto_decode_server(decoder, frame_data(frame), frame->size, &message, &problem),
            PROTO_OK);
        welcome = message.welcome;
        memcpy(token, welcome.token, sizeof token);
    }
    frame_release(frame);
}

static void be_closed(void *argument, room_member member, const struct room_end *end)
{
    (void)argument;
    (void)member;
    frame_release(end->frame);
}

static const struct room_sink sink = {.tell = hear, .close = be_closed};

/* ---- rooms ---- */

static struct room_workspace *workspaces[2]; /* with one thread and with three */

static struct room_definition definition_of(size_t model, int boundary)
{
    struct room_definition definition = room_definition_default();

    definition.people_max = 50;
    flock_settings_choose(&definition.flock.settings, flock_models[model]);
    definition.flock.settings.boundary = (enum flock_boundary)boundary;
    definition.flock.boids = BOIDS;
    definition.flock.seed = 11 + model;
    definition.cursor_timeout = 2000000;
    definition.controls.policy = (enum cursor_policy)((model + 2 * (size_t)boundary) % 6);
    snprintf(definition.key, sizeof definition.key, KEY);
    snprintf(definition.title, sizeof definition.title, "Class 4b");
    return definition;
}

static room_member join_as(struct room *room, const char *name, const uint8_t *with, uint64_t now)
{
    struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};
    struct room_end refused = {0};

    snprintf(hello.name, sizeof hello.name, "%s", name);
    hello.has_token = with != NULL;
    if (with != NULL) {
        memcpy(hello.token, with, sizeof hello.token);
    }
    room_member member = room_join(room, &hello, 0, now, &refused);
    frame_release(refused.frame);
    if (member != 0) {
        room_welcome(room, member, now);
    }
    return member;
}

static void say(struct room *room, room_member member, const struct proto_client_message *message,
                uint64_t now)
{
    room_receive(room, member, message, now);
}

static void set(struct room *room, const char *name, const char *value, uint64_t now)
{
    struct proto_client_message message = {.type = PROTO_SET};
    struct proto_error error;

    snprintf(message.set.name, sizeof message.set.name, "%s", name);
    snprintf(message.set.value, sizeof message.set.value, "%s", value);
    assert_true(room_direct(room, &message, now, &error));
}

static void move(struct room *room, room_member member, uint32_t random, uint64_t now)
{
    say(room, member,
        &(struct proto_client_message){
            .type = PROTO_CURSOR, .cursor = {(float)(random % 550), (float)(random / 550 % 400)}},
        now);
}

/* Makes the actions of people in that tick. Equal ticks have equal actions in all rooms. */
static void act(struct room *room, room_member members[PEOPLE], uint32_t tick, uint64_t now)
{
    static const char *const policies[] = {"mean", "latest", "nearest", "presenter"};
    uint32_t random = (tick * 2654435761u) >> 7;
    struct proto_error error;
    uint32_t who = random % PEOPLE;

    if (tick % 256 > 200) { /* no cursor steers, and the target wanders */
        return;
    }
    if (tick % 3 == 0 && members[who] != 0) {
        move(room, members[who], random, now);
    }
    if (tick % 41 == 0 && members[who] != 0) {
        room_leave(room, members[who], now);
        members[who] = 0;
    } else if (tick % 37 == 0 && members[who] == 0) {
        members[who] = join_as(room, "", NULL, now);
    }
    if (tick % 97 == 0) {
        set(room, "policy", policies[tick / 97 % 4], now);
        set(room, "cursors", tick / 97 % 2 == 0 ? "lead" : "scare", now);
    }
    if (tick % 150 == 20) {
        set(room, "run", "paused", now);
    } else if (tick % 150 == 30) {
        struct proto_client_message step = {.type = PROTO_STEP};
        assert_true(room_direct(room, &step, now, &error));
        assert_true(room_direct(room, &step, now, &error));
    } else if (tick % 150 == 40) {
        set(room, "run", "running", now);
    }
    if (tick % 211 == 0) {
        struct proto_client_message add = {.type = PROTO_ADD, .add = {100, 100, 7}};
        struct proto_client_message less = {.type = PROTO_REMOVE, .remove = {3}};
        assert_true(room_direct(room, &add, now, &error));
        assert_true(room_direct(room, &less, now, &error));
    }
}

static void run(struct room *room, struct room_workspace *workspace, room_member members[PEOPLE],
                uint32_t tick, uint64_t now)
{
    act(room, members, tick, now);
    assert_true(room_tick(room, workspace, now));
    if (tick % 10 == 0) {
        view_release(room_snapshot(room, workspace, now));
    }
}

static bool same(const struct room *one_room, const struct room *other_room)
{
    const struct scene *a = one_room->present;
    const struct scene *b = other_room->present;
    struct flock_slots one = flock_slots(a->flock);
    struct flock_slots other = flock_slots(b->flock);
    uint32_t count = flock_count(a->flock);
    size_t size = count * sizeof *one.x;

    return flock_count(b->flock) == count && a->ticks == b->ticks && a->rounds == b->rounds &&
           a->controls.run == b->controls.run && a->people.here == b->people.here &&
           a->people.last_id == b->people.last_id && a->has_target == b->has_target &&
           a->target.x == b->target.x && a->target.y == b->target.y &&
           memcmp(one.number, other.number, count * sizeof *one.number) == 0 &&
           memcmp(one.x, other.x, size) == 0 && memcmp(one.y, other.y, size) == 0 &&
           memcmp(one.vx, other.vx, size) == 0 && memcmp(one.vy, other.vy, size) == 0;
}

static struct room *load(const struct room_definition *definition, struct room *room,
                         uint64_t saved_at, uint64_t now)
{
    char problem[256] = "";
    size_t size;
    uint8_t *bytes = room_save(room, saved_at, &size);

    assert_non_null(bytes);
    saved_seal(bytes, size);
    struct room *loaded = load_room(definition, &sink, bytes, size, now, problem, sizeof problem);
    if (loaded == NULL) {
        fail_msg("%s", problem);
    }
    free(bytes);
    return loaded;
}

static int make(void **state)
{
    (void)state;
    decoder = proto_decoder_create();
    workspaces[0] = room_workspace_create(1);
    workspaces[1] = room_workspace_create(3);
    return decoder != NULL && workspaces[0] != NULL && workspaces[1] != NULL ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    proto_decoder_destroy(decoder);
    room_workspace_destroy(workspaces[0]);
    room_workspace_destroy(workspaces[1]);
    return 0;
}

/* Saves and loads the room at that tick, lets both rooms continue, and compares them. */
static void go_on(size_t model, int boundary, uint32_t saved_at)
{
    struct room_definition definition = definition_of(model, boundary);
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    room_member members[2][PEOPLE] = {{0}};
    uint32_t tick = 0;

    assert_non_null(room);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        members[0][i] = join_as(room, "", NULL, BEGIN);
    }
    for (; tick < saved_at; tick++) {
        run(room, workspaces[0], members[0], tick, BEGIN + tick * PERIOD);
    }
    uint64_t now = BEGIN + tick * PERIOD;
    definition = definition_of(0, FLOCK_OPEN);
    definition.flock.lanes = 4;
    struct room *loaded = load(&definition, room, now, ANEW);
    memcpy(members[1], members[0], sizeof members[1]);
    for (uint32_t after = 0; after < TICKS_AFTER; after++, tick++) {
        run(room, workspaces[0], members[0], tick, now + after * PERIOD);
        run(loaded, workspaces[1], members[1], tick, ANEW + after * PERIOD);
        if (after % 100 == 0 && !same(room, loaded)) {
            fail_msg("%s, boundary %d, saved at %u: %u ticks later it is another one",
                     flock_models[model]->name, boundary, saved_at, after);
        }
        assert_memory_equal(members[1], members[0], sizeof members[1]);
    }
    assert_true(same(room, loaded));
    room_destroy(room);
    room_destroy(loaded);
}

static void test_goes_on_as_it_was(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            go_on(m, boundary, 13 + (uint32_t)(m * 97 + (size_t)boundary * 61) % 400);
        }
    }
}

/* The room is saved while paused, with pending steps, and without a cursor. */
static void test_at_any_moment(void **state)
{
    (void)state;
    for (uint32_t saved_at = 1; saved_at < 320; saved_at += 29) {
        go_on(1, FLOCK_WRAP, saved_at);
    }
    go_on(2, FLOCK_WALLS, 25);
    go_on(2, FLOCK_WALLS, 31);
}

/* ---- saved values ---- */

static void test_settings(void **state)
{
    struct room_definition definition = definition_of(1, FLOCK_WRAP);
    struct room *room = room_create(&definition, &sink, NULL, NULL);

    (void)state;
    assert_non_null(room);
    set(room, "preset", "sheep", BEGIN);
    set(room, "policy", "latest", BEGIN);
    set(room, "idle", "hold", BEGIN);
    set(room, "viewers", "watch", BEGIN);
    definition = room_definition_default();
    struct room *loaded = load(&definition, room, BEGIN, ANEW);
    struct room_facts facts = room_facts(loaded);
    assert_string_equal(facts.title, "Class 4b");
    assert_string_equal(flock_preset_name(facts.preset), "sheep");
    assert_int_equal(facts.boids, 120);
    assert_int_equal(scene_controls_of(loaded->present)->policy, CURSOR_LATEST);
    assert_int_equal(scene_controls_of(loaded->present)->idle, CURSOR_HOLD);
    assert_int_equal(scene_definition_of(loaded->present)->cursor_timeout, 2000000);
    assert_int_equal(scene_controls_of(loaded->present)->viewers, VIEWERS_WATCH);
    assert_true(scene_quantum(loaded->present) == scene_quantum(room->present));
    assert_ptr_equal(scene_origin(loaded->present), flock_preset_find("sheep"));
    assert_int_equal(flock_settings_of(scene_flock(loaded->present))->wall_count, 7);
    room_destroy(room);
    room_destroy(loaded);
}

/* The update order, and the preset of the initial values, also after the preset is no longer in
 * force. */
static void test_order_and_origin(void **state)
{
    struct room_definition definition = room_definition_default();
    struct room *room = room_create(&definition, &sink, NULL, NULL);

    (void)state;
    assert_non_null(room);
    set(room, "preset", "sardines", BEGIN);
    set(room, "update", "sequential", BEGIN);
    struct room *loaded = load(&definition, room, BEGIN, ANEW);
    assert_int_equal(room_facts(loaded).preset, FLOCK_PRESET_NONE);
    assert_ptr_equal(scene_origin(loaded->present), flock_preset_find("sardines"));
    assert_int_equal(flock_settings_of(loaded->present->flock)->update, FLOCK_SEQUENTIAL);
    room_destroy(room);
    room_destroy(loaded);
}

static bool contains(const uint8_t *bytes, size_t size, const void *what, size_t length)
{
    return memmem(bytes, size, what, length) != NULL;
}

/* Names, colours and roles, found by tokens. The saved bytes do not contain the tokens. */
static void test_people(void **state)
{
    struct room_definition definition = definition_of(1, FLOCK_WRAP);
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    uint8_t ada_token[PROTO_TOKEN_SIZE];
    uint8_t bob_token[PROTO_TOKEN_SIZE];
    uint32_t wait;

    (void)state;
    room_member ada = join_as(room, "Ada", NULL, BEGIN);
    struct proto_welcome before = welcome;
    memcpy(ada_token, token, sizeof ada_token);
    struct proto_client_message key = {.type = PROTO_KEY};
    snprintf(key.key.key, sizeof key.key.key, KEY);
    say(room, ada, &key, BEGIN);
    room_member bob = join_as(room, "Bob", NULL, BEGIN);
    memcpy(bob_token, token, sizeof bob_token);
    say(room, ada, &(struct proto_client_message){.type = PROTO_EXPEL, .expel = {welcome.id}},
        BEGIN + 1);
    assert_int_equal(room_facts(room).people, 1);
    (void)bob;

    size_t size;
    uint8_t *bytes = room_save(room, BEGIN + 2, &size);
    assert_non_null(bytes);
    assert_false(contains(bytes, size, KEY, strlen(KEY)));
    assert_false(contains(bytes, size, ada_token + 4, 12));
    assert_true(contains(bytes, size, "Ada", 3));
    free(bytes);
    assert_null(strstr(room_terms_of(room)->key, KEY)); /* nor is it in memory */

    struct room *loaded = load(&definition, room, BEGIN + 2, ANEW);
    assert_int_equal(room_facts(loaded).people, 1);
    room_vacate(loaded, ANEW);
    assert_int_equal(room_facts(loaded).people, 0);
    assert_int_equal(join_as(loaded, "Bob", bob_token, ANEW), 0); /* a removed person */
    assert_true(join_as(loaded, "", ada_token, ANEW) != 0);
    assert_int_equal(welcome.id, before.id);
    assert_string_equal(welcome.name, "Ada");
    assert_int_equal(welcome.color, before.color);
    assert_int_equal(welcome.role, PROTO_PRESENTER);
    assert_memory_equal(welcome.token, ada_token, sizeof ada_token);
    ada_token[9] ^= 1;
    assert_true(join_as(loaded, "", ada_token, ANEW) != 0);
    assert_int_not_equal(welcome.id, before.id);
    assert_int_equal(room_try_key(loaded, KEY, 0, ANEW, &wait), TRIES_RIGHT);
    assert_int_equal(room_try_key(loaded, KEY "x", 0, ANEW, &wait), TRIES_WRONG);
    assert_int_equal(room_try_key(loaded, room_terms_of(loaded)->key, 0, ANEW, &wait), TRIES_WRONG);
    room_destroy(room);
    room_destroy(loaded);
}

/* A new person needs the join key. A person who was in the room does not. */
static void test_the_join_key(void **state)
{
    static const char *const keys[] = {"", "open sesame", "open, barley"};
    struct room_definition definition = definition_of(0, FLOCK_OPEN);
    struct room *room = room_create(&definition, &sink, NULL, NULL);

    (void)state;
    join_as(room, "Ada", NULL, BEGIN);
    room_set_join_key(room, keys[1]);
    struct room *loaded = load(&definition, room, BEGIN, ANEW);
    assert_true(room_facts(loaded).locked);
    for (int i = 0; i < 3; i++) {
        struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};
        struct room_end refused = {0};
        snprintf(hello.join, sizeof hello.join, "%s", keys[i]);
        assert_int_equal(room_join(loaded, &hello, 0, ANEW, &refused) != 0, i == 1);
        frame_release(refused.frame);
    }
    assert_int_equal(loaded->streams.list[0].members, 1); /* of admitted members */
    assert_true(join_as(loaded, "", token, ANEW) != 0);
    room_destroy(room);
    room_destroy(loaded);
}

/* A person who was in the room comes back to the loaded room. */
static void test_coming_back(void **state)
{
    struct room_definition definition = definition_of(0, FLOCK_OPEN);
    struct room *room = room_create(&definition, &sink, NULL, NULL);

    (void)state;
    join_as(room, "Ada", NULL, BEGIN);
    struct room *loaded = load(&definition, room, BEGIN, ANEW);
    assert_true(join_as(loaded, "", token, ANEW) != 0);
    assert_string_equal(welcome.name, "Ada");
    assert_int_equal(room_facts(loaded).people, 1);
    struct room_view *view = room_snapshot(loaded, workspaces[0], ANEW);
    assert_non_null(view);
    assert_int_equal(view->stream_count, 1);
    view_release(view);
    room_destroy(room);
    room_destroy(loaded);
}

/* Returns the sequence of the newest of `snapshots` snapshots from that time on. */
static uint32_t sequence_after(struct room *room, uint32_t snapshots, uint64_t now)
{
    uint32_t sequence = 0;

    for (uint32_t i = 0; i < snapshots; i++) {
        (void)room_tick(room, workspaces[0], now + i * PERIOD);
        struct room_view *view = room_snapshot(room, workspaces[0], now + i * PERIOD);
        assert_non_null(view);
        assert_int_equal(view->stream_count, 1);
        sequence = view->streams[0].sequence;
        view_release(view);
    }
    return sequence;
}

/* A room that left its runner and came back continues its streams behind the earlier snapshots: a
 * node that still has these must not take the new ones for older ones, or for their successors. */
static void test_streams_continue(void **state)
{
    struct room_definition definition = definition_of(0, FLOCK_OPEN);
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    const uint32_t count = 90;
    uint64_t now = BEGIN;

    (void)state;
    join_as(room, "Ada", NULL, now);
    for (uint32_t times = 0; times < 3; times++) {
        const uint32_t before = sequence_after(room, count, now);
        now += count * PERIOD;
        struct room *loaded = load(&definition, room, now, now);
        assert_true(join_as(loaded, "", token, now) != 0);
        const uint32_t after = sequence_after(loaded, 1, now);
        assert_in_range((int32_t)(after - before), 2, INT32_MAX);
        room_destroy(room);
        room = loaded;
    }
    room_destroy(room);
}

/* The boids of a loaded room count in the budget of all rooms. The room keeps values beyond other
 * limits. */
static void test_limits(void **state)
{
    struct room_definition definition = definition_of(0, FLOCK_OPEN);
    struct boid_budget budget = {.boids_max = BOIDS};
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    char problem[256];
    size_t size;

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        join_as(room, "", NULL, BEGIN);
    }
    definition.budget = &budget;
    definition.boids_max = 10;
    definition.flock.boids = 10;
    definition.people_max = 1;
    struct room *loaded = load(&definition, room, BEGIN, ANEW);
    assert_int_equal(room_facts(loaded).people, 3);
    assert_int_equal(atomic_load(&budget.boids), BOIDS);
    assert_int_equal(join_as(loaded, "", NULL, ANEW), 0); /* it is full */
    struct proto_error error;
    struct proto_client_message add = {.type = PROTO_ADD, .add = {100, 100, 1}};
    assert_false(room_direct(loaded, &add, ANEW, &error));
    uint8_t *bytes = room_save(room, BEGIN, &size);
    assert_non_null(bytes);
    saved_seal(bytes, size);
    assert_null(load_room(&definition, &sink, bytes, size, ANEW, problem, sizeof problem));
    assert_non_null(strstr(problem, "all rooms together have 0 boids left, the scene has 60"));
    assert_int_equal(atomic_load(&budget.boids), BOIDS);
    room_destroy(loaded);
    assert_int_equal(atomic_load(&budget.boids), 0);
    room_destroy(room);
    free(bytes);
}

/* Returns the role that the person of that token has in the loaded room, in which the person was
 * here all the time: as when another node of a cluster continues the room. */
static enum proto_role role_again(struct room *loaded, const uint8_t person[PROTO_TOKEN_SIZE])
{
    enum proto_role role;

    assert_true(join_as(loaded, "", person, ANEW) != 0);
    role = welcome.role;
    room_vacate(loaded, ANEW);
    room_destroy(loaded);
    return role;
}

/* A new key, and the end of --open-controls, make viewers also of people who are here. */
static void test_presenters_who_are_here(void **state)
{
    struct room_definition definition = definition_of(1, FLOCK_WRAP);
    uint8_t ada[PROTO_TOKEN_SIZE];
    struct room *loaded;

    (void)state;
    definition.open_controls = true;
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    assert_true(join_as(room, "Ada", NULL, BEGIN) != 0);
    assert_int_equal(welcome.role, PROTO_PRESENTER);
    memcpy(ada, token, sizeof ada);
    loaded = load(&definition, room, BEGIN, ANEW);
    room_open_controls(loaded, true);
    room_set_key(loaded, KEY, false);
    assert_int_equal(role_again(loaded, ada), PROTO_PRESENTER);
    loaded = load(&definition, room, BEGIN, ANEW);
    room_open_controls(loaded, false);
    assert_int_equal(role_again(loaded, ada), PROTO_VIEWER);
    room_destroy(room);

    definition.open_controls = false;
    room = room_create(&definition, &sink, NULL, NULL);
    room_member member = join_as(room, "Ada", NULL, BEGIN);
    memcpy(ada, token, sizeof ada);
    struct proto_client_message key = {.type = PROTO_KEY};
    snprintf(key.key.key, sizeof key.key.key, KEY);
    say(room, member, &key, BEGIN);
    loaded = load(&definition, room, BEGIN, ANEW);
    room_set_key(loaded, KEY, false);
    assert_int_equal(role_again(loaded, ada), PROTO_PRESENTER);
    loaded = load(&definition, room, BEGIN, ANEW);
    room_set_key(loaded, "another-key-of-it", false);
    assert_int_equal(role_again(loaded, ada), PROTO_VIEWER);
    room_destroy(room);
}

/* Has the owner make a new key, and returns the room as another process loads it. */
static struct room *load_rekeyed(const struct room_definition *definition, struct room *room,
                                 room_member owner)
{
    const struct proto_client_message rekey = {.type = PROTO_REKEY};

    say(room, owner, &rekey, BEGIN);
    return load(definition, room, BEGIN, ANEW);
}

/* A presenter's new key outlives starts with the key that it replaced, and no others. */
static void test_a_new_key_against_the_key_of_a_start(void **state)
{
    struct room_definition definition = definition_of(1, FLOCK_WRAP);
    struct proto_client_message key = {.type = PROTO_KEY};
    uint8_t ada[PROTO_TOKEN_SIZE];
    char made[PROTO_KEY_MAX + 1];

    (void)state;
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    room_member member = join_as(room, "Ada", NULL, BEGIN);
    memcpy(ada, token, sizeof ada);
    snprintf(key.key.key, sizeof key.key.key, KEY);
    say(room, member, &key, BEGIN);
    for (int times = 0; times < 2; times++) { /* the second key replaces the first new one */
        struct room *loaded = load_rekeyed(&definition, room, member);
        snprintf(made, sizeof made, "%s", room_facts(loaded).key);
        assert_string_equal(made, room_facts(room).key);
        assert_false(room_set_key(loaded, KEY, false));
        assert_string_equal(room_facts(loaded).key, made);
        assert_true(room_facts(loaded).key_made);
        assert_int_equal(role_again(loaded, ada), PROTO_PRESENTER);
    }
    struct room *loaded = load(&definition, room, BEGIN, ANEW);
    assert_true(room_set_key(loaded, "another-key-of-it", false));
    assert_true(key_same(room_facts(loaded).key, "another-key-of-it"));
    assert_false(room_facts(loaded).key_made);
    assert_true(room_set_key(loaded, KEY, false)); /* the next start has the first key */
    assert_true(key_same(room_facts(loaded).key, KEY));
    assert_int_equal(role_again(loaded, ada), PROTO_VIEWER);
    loaded = load(&definition, room, BEGIN, ANEW);
    assert_true(room_set_key(loaded, "a-key-that-flockd-makes", true));
    assert_true(key_same(room_facts(loaded).key, "a-key-that-flockd-makes"));
    assert_false(room_set_key(loaded, "a-key-of-the-next-start", true)); /* nothing to save */
    assert_true(key_same(room_facts(loaded).key, "a-key-of-the-next-start"));
    assert_int_equal(role_again(loaded, ada), PROTO_PRESENTER);
    room_destroy(room);
}

/* Texts of the maximum length. */
static void test_long_texts(void **state)
{
    struct room_definition definition = definition_of(1, FLOCK_WRAP);
    struct proto_client_message look = {.type = PROTO_ATTENTION, .attention.on = true};
    struct proto_error error;

    (void)state;
    memset(definition.title, 't', PROTO_TITLE_MAX);
    memset(look.attention.text, 'a', PROTO_TEXT_MAX);
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    assert_non_null(room);
    assert_true(room_direct(room, &look, BEGIN, &error));
    struct room *loaded = load(&definition, room, BEGIN, ANEW);
    assert_string_equal(room_facts(loaded).title, definition.title);
    assert_string_equal(loaded->attention, look.attention.text);
    room_destroy(room);
    room_destroy(loaded);
}

/* ---- refused states ---- */

/* A saved list of shown people names no slot twice, and no empty slot. */
static void test_shown_slots(void **state)
{
    struct room_definition definition = definition_of(1, FLOCK_WRAP);
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    char problem[256];
    size_t size;

    (void)state;
    join_as(room, "Ada", NULL, BEGIN);
    join_as(room, "Bob", NULL, BEGIN);
    uint8_t *bytes = room_save(room, BEGIN, &size);
    assert_non_null(bytes);
    uint8_t *shown = memmem(bytes, size, "\xa5shown\xc4\x08", 8);
    assert_non_null(shown);
    shown += 8; /* two slots of four bytes */
    for (uint8_t slot = 0; slot <= 2; slot++) {
        shown[0] = shown[4] == slot ? slot : 2;
        saved_seal(bytes, size);
        assert_null(load_room(&definition, &sink, bytes, size, ANEW, problem, sizeof problem));
        assert_non_null(strstr(problem, "a slot names an absent person"));
    }
    free(bytes);
    room_destroy(room);
}

static void test_damaged(void **state)
{
    struct room_definition definition = definition_of(3, FLOCK_WALLS);
    definition.flock.boids = 3;
    struct room *room = room_create(&definition, &sink, NULL, NULL);
    char problem[256];
    size_t size;

    (void)state;
    room_member members[PEOPLE] = {0};
    for (uint32_t i = 0; i < PEOPLE; i++) {
        members[i] = join_as(room, "", NULL, BEGIN);
    }
    for (uint32_t tick = 0; tick < 50; tick++) {
        run(room, workspaces[0], members, tick, BEGIN + tick * PERIOD);
    }
    uint8_t *bytes = room_save(room, BEGIN, &size);
    assert_non_null(bytes);
    assert_null(load_room(&definition, &sink, bytes, size, ANEW, problem, sizeof problem));
    assert_string_equal(problem,
                        "damaged: the checksum differs"); /* the checksum is not corrected */
    saved_seal(bytes, size);
    for (size_t cut = 0; cut < size; cut += 3) {
        assert_null(load_room(&definition, &sink, bytes, cut, ANEW, problem, sizeof problem));
        assert_true(problem[0] != '\0');
    }
    /* With a right checksum, it is a valid room or gives a problem. */
    for (size_t i = SAVED_HEAD; i < size; i++) {
        for (int bit = 0; bit < 8; bit += 3) {
            bytes[i] ^= (uint8_t)(1 << bit);
            saved_seal(bytes, size);
            problem[0] = '\0';
            struct room *loaded =
                load_room(&definition, &sink, bytes, size, ANEW, problem, sizeof problem);
            assert_true((loaded != NULL) == (problem[0] == '\0'));
            if (loaded != NULL) {
                assert_true(room_tick(loaded, workspaces[0], ANEW));
                room_vacate(loaded, ANEW);
                room_destroy(loaded);
            }
            bytes[i] ^= (uint8_t)(1 << bit);
        }
    }
    free(bytes);
    room_destroy(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on_as_it_was),
        cmocka_unit_test(test_at_any_moment),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_order_and_origin),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_coming_back),
        cmocka_unit_test(test_streams_continue),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_shown_slots),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_presenters_who_are_here),
        cmocka_unit_test(test_a_new_key_against_the_key_of_a_start),
        cmocka_unit_test(test_the_join_key),
    };
    return cmocka_run_group_tests_name("room, saved and loaded", tests, make, finish);
}
