/* Servers' messages. The decoder is as tolerant as PROTOCOL.md requires of clients. */
#include "server_message.h"

#include <float.h>
#include <math.h>

static uint8_t buffer[PROTO_STATE_MAX];

/* Fills text with size - 1 letters. */
static void fill(char *text, size_t size)
{
    memset(text, 'm', size - 1);
    text[size - 1] = '\0';
}

/* Returns a room with fields of the maximum length, except the words of its controls, which
 * together do not fit into a message. */
static struct proto_room full_room(void)
{
    struct proto_room room = {
        .width = 65536.0f,
        .height = 16.0f,
        .quantum = 4.0f,
        .tick_rate = PROTO_RATE_MAX,
        .snapshot_rate = PROTO_RATE_MAX,
        .param_count = PROTO_PARAMS_MAX,
        .wall_count = PROTO_WALLS_MAX,
        .instance = (UINT64_C(1) << 53) - 1,
        .cursor_timeout = 0.1f,
        .period_x = PROTO_PERIOD_MAX,
        .period_y = 1,
        .people_max = UINT32_MAX,
        .boids_max = UINT32_MAX,
        .control_count = PROTO_CONTROLS_MAX,
    };

    fill(room.code, sizeof room.code);
    fill(room.title, sizeof room.title);
    fill(room.model, sizeof room.model);
    fill(room.boundary, sizeof room.boundary);
    fill(room.policy, sizeof room.policy);
    fill(room.idle, sizeof room.idle);
    for (uint32_t i = 0; i < PROTO_PARAMS_MAX; i++) {
        struct proto_room_param *param = &room.params[i];
        fill(param->name, sizeof param->name);
        fill(param->unit, sizeof param->unit);
        fill(param->text, sizeof param->text);
        param->min = -FLT_MAX;
        param->max = FLT_MAX;
        param->initial = (float)i;
        param->base = (float)(i % 2); /* of some the initial value */
        param->value = 0.1f;
    }
    for (uint32_t i = 0; i < PROTO_WALLS_MAX; i++) {
        room.walls[i] = (struct proto_wall){-FLT_MAX, (float)i, 0.1f, FLT_MAX};
    }
    for (uint32_t i = 0; i < PROTO_CONTROLS_MAX; i++) {
        struct proto_control *control = &room.controls[i];
        fill(control->name, sizeof control->name);
        fill(control->value, sizeof control->value);
        control->choice_count = PROTO_CHOICES_MAX;
        fill(control->choices[i].value, sizeof control->choices[i].value);
    }
    fill(room.controls[0].text, sizeof room.controls[0].text);
    fill(room.controls[0].choices[0].text, sizeof room.controls[0].choices[0].text);
    return room;
}

static struct proto_welcome full_welcome(void)
{
    struct proto_welcome welcome = {
        .version = PROTO_VERSION,
        .id = UINT32_MAX,
        .color = 0xffffff,
        .role = PROTO_PRESENTER,
        .stream = {.rate = 59.94f, .boids = UINT32_MAX, .stride = UINT32_MAX},
        .capability_count = PROTO_CAPABILITIES_MAX,
        .time = UINT64_MAX,
        .room = full_room(),
    };

    fill(welcome.server, sizeof welcome.server);
    fill(welcome.name, sizeof welcome.name);
    fill(welcome.encoding, sizeof welcome.encoding);
    for (uint32_t i = 0; i < PROTO_CAPABILITIES_MAX; i++) {
        fill(welcome.capabilities[i], sizeof welcome.capabilities[i]);
    }
    memset(welcome.token, 0xfe, sizeof welcome.token);
    return welcome;
}

static void welcome_and_room_travel(void **state)
{
    const struct proto_welcome welcome = full_welcome();

    take_bytes(state, buffer, proto_encode_welcome(buffer, sizeof buffer, &welcome));
    assert_int_equal(message.type, PROTO_WELCOME);
    assert_memory_equal(&message.welcome, &welcome, sizeof welcome);

    take_bytes(state, buffer, proto_encode_room(buffer, sizeof buffer, &welcome.room));
    assert_int_equal(message.type, PROTO_ROOM);
    assert_memory_equal(&message.room, &welcome.room, sizeof welcome.room);
}

static void params_travel(void **state)
{
    struct proto_params sent = {.count = PROTO_PARAMS_MAX};

    for (uint32_t i = 0; i < PROTO_PARAMS_MAX; i++) {
        sent.values[i] = (float)i / 7.0f;
    }
    take_bytes(state, buffer, proto_encode_params(buffer, sizeof buffer, &sent));
    assert_int_equal(message.type, PROTO_PARAMS);
    assert_memory_equal(&message.params, &sent, sizeof sent);
}

static void presence_travels(void **state)
{
    static struct proto_presence sent = {.since = UINT32_MAX - 1, .sequence = UINT32_MAX};

    for (sent.count = 0; sent.count < PROTO_PEOPLE_MAX; sent.count++) {
        struct proto_person *person = &sent.people[sent.count];
        person->id = UINT32_MAX - sent.count;
        person->flags = sent.count;
        person->flags_only = sent.count % 5 == 4;
        if (!person->flags_only) {
            person->color = 0xffffff;
            fill(person->name, sizeof person->name);
        }
        sent.left[sent.count] = sent.count;
    }
    sent.left_count = PROTO_PEOPLE_MAX;
    take_bytes(state, buffer, proto_encode_presence(buffer, sizeof buffer, &sent));
    assert_int_equal(message.type, PROTO_PRESENCE);
    assert_memory_equal(&message.presence, &sent, sizeof sent);

    sent.count = 0;
    sent.left_count = 0;
    take_bytes(state, buffer, proto_encode_presence(buffer, sizeof buffer, &sent));
    assert_int_equal(message.presence.count, 0);
    assert_int_equal(message.presence.left_count, 0);
}

/* Encodes a snapshot into exactly its bound, and asserts that it decodes to the same snapshot. */
static void snapshot_returns(void **state, const struct proto_snapshot *sent)
{
    const size_t capacity =
        proto_snapshot_bound((size_t)sent->boid_count * PROTO_BOID_SIZE, sent->cursor_count);
    uint8_t *bytes = malloc(capacity);

    assert_non_null(bytes);
    const size_t size = proto_encode_snapshot(bytes, capacity, sent);
    assert_true(size > 0);
    take_bytes(state, bytes, size);
    free(bytes);

    const struct proto_snapshot *got = &message.snapshot;
    assert_int_equal(message.type, PROTO_SNAPSHOT);
    assert_int_equal(got->epoch, sent->epoch);
    assert_true(got->tick == sent->tick && got->time == sent->time);
    assert_int_equal(got->people, sent->people);
    assert_int_equal(got->has_target, sent->has_target);
    assert_true(got->target_x == sent->target_x && got->target_y == sent->target_y);
    assert_int_equal(got->boid_count, sent->boid_count);
    assert_int_equal(got->cursor_count, sent->cursor_count);
    if (sent->boid_count > 0) {
        assert_memory_equal(got->boids, sent->boids, (size_t)sent->boid_count * PROTO_BOID_SIZE);
    }
    if (sent->cursor_count > 0) {
        assert_memory_equal(got->cursors, sent->cursors,
                            (size_t)sent->cursor_count * PROTO_CURSOR_SIZE);
    }
}

static void snapshots_travel(void **state)
{
    static uint8_t boids[PROTO_BOIDS_MAX * PROTO_BOID_SIZE];
    static uint8_t cursors[PROTO_PEOPLE_MAX * PROTO_CURSOR_SIZE];
    static const uint32_t counts[] = {0, 1, 63, 64, 16383, 16384, 200000, PROTO_BOIDS_MAX};

    for (size_t i = 0; i < sizeof boids; i++) {
        boids[i] = (uint8_t)(i * 7 + i / 256);
    }
    memset(cursors, 0xff, sizeof cursors);
    for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
        snapshot_returns(state, &(struct proto_snapshot){
                                    .epoch = UINT32_MAX,
                                    .tick = UINT64_MAX,
                                    .time = UINT64_MAX,
                                    .people = UINT32_MAX,
                                    .has_target = true,
                                    .target_x = -1773.5f,
                                    .target_y = 0.0f,
                                    .boid_count = counts[i],
                                    .boids = boids,
                                    .cursor_count = PROTO_PEOPLE_MAX,
                                    .cursors = cursors,
                                });
    }
    snapshot_returns(state, &(struct proto_snapshot){.epoch = 0});
}

/* Encodes with that call into exactly the needed bytes, and asserts that they decode to the same
 * struct. Asserts that one byte fewer is too few. */
#define TRAVELS(kind, TYPE, sent)                                                                  \
    do {                                                                                           \
        const size_t size = proto_encode_##kind(buffer, sizeof buffer, &(sent));                   \
        assert_true(size > 0);                                                                     \
        assert_int_equal(proto_encode_##kind(buffer, size - 1, &(sent)), 0);                       \
        assert_int_equal(proto_encode_##kind(buffer, size, &(sent)), size);                        \
        take_bytes(state, buffer, size);                                                           \
        assert_int_equal(message.type, TYPE);                                                      \
        assert_memory_equal(&message.kind, &(sent), sizeof(sent));                                 \
    } while (0)

static void pongs_dones_and_streams_travel(void **state)
{
    static const struct proto_pong pong = {.t = UINT64_MAX, .time = 1};
    static struct proto_done done = {.type = PROTO_SET};
    static struct proto_stream stream = {.rate = 0.9375f, .boids = UINT32_MAX, .stride = 1};

    TRAVELS(pong, PROTO_PONG, pong);
    TRAVELS(done, PROTO_DONE, done);
    done.has_tag = true;
    TRAVELS(done, PROTO_DONE, done); /* the tag 0 is a tag */
    done.tag = UINT32_MAX;
    TRAVELS(done, PROTO_DONE, done);
    TRAVELS(stream, PROTO_STREAM, stream);
    stream.slow = true;
    TRAVELS(stream, PROTO_STREAM, stream);
}

static void errors_travel(void **state)
{
    struct proto_error sent;

    memset(&sent, 0, sizeof sent);
    sent.code = PROTO_E_FULL;
    TRAVELS(error, PROTO_ERROR, sent);
    sent.type = UINT32_MAX;
    sent.has_tag = true;
    sent.tag = UINT32_MAX;
    sent.fatal = true;
    fill(sent.field, sizeof sent.field);
    fill(sent.name, sizeof sent.name);
    fill(sent.message, sizeof sent.message);
    for (int code = PROTO_E_MALFORMED; code <= PROTO_E_REMOVED; code++) {
        sent.code = (enum proto_code)code;
        TRAVELS(error, PROTO_ERROR, sent);
    }
    assert_true(proto_encode_error(buffer, PROTO_MESSAGE_MAX, &sent) > 0);
}

static void events_keys_and_goodbyes_travel(void **state)
{
    struct proto_event event;
    struct proto_key new_key;
    static struct proto_goodbye goodbye = {.code = PROTO_CLOSE_REMOVED};

    memset(&event, 0, sizeof event);
    TRAVELS(event, PROTO_EVENT, event);
    event.tick = UINT64_MAX;
    event.by = UINT32_MAX;
    fill(event.who, sizeof event.who);
    fill(event.name, sizeof event.name);
    fill(event.what, sizeof event.what);
    fill(event.from, sizeof event.from);
    fill(event.to, sizeof event.to);
    TRAVELS(event, PROTO_EVENT, event);
    fill(new_key.key, sizeof new_key.key);
    TRAVELS(new_key, PROTO_NEW_KEY, new_key);
    TRAVELS(goodbye, PROTO_GOODBYE, goodbye);
    goodbye.has_after = true;
    TRAVELS(goodbye, PROTO_GOODBYE, goodbye);
    goodbye.after = UINT32_MAX;
    TRAVELS(goodbye, PROTO_GOODBYE, goodbye);
}

static void roles_travel(void **state)
{
    static const char *const others[] = {"",           "viewer", "Presenter",
                                         "presenter ", "owner",  "presenters-of-a-later-version"};

    for (enum proto_role role = PROTO_VIEWER; role <= PROTO_PRESENTER; role++) {
        take_bytes(state, buffer, proto_encode_role(buffer, sizeof buffer, role));
        assert_int_equal(message.type, PROTO_ROLE);
        assert_int_equal(message.role, role);
    }
    assert_int_equal(proto_encode_role(buffer, 11, PROTO_PRESENTER), 0);
    /* An unknown role makes a viewer. */
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
        take(state, pack("Aus", 2, 71u, others[i]));
        assert_int_equal(message.role, PROTO_VIEWER);
    }
    take(state, pack("Ausn", 3, 71u, "presenter"));
    assert_int_equal(message.role, PROTO_PRESENTER);
    refuse(state, PROTO_E_MALFORMED, "", pack("Au", 1, 71u));
    refuse(state, PROTO_E_MALFORMED, "role", pack("Auu", 2, 71u, 1u));
    refuse(state, PROTO_E_MALFORMED, "role", pack("Aun", 2, 71u));
}

static void encoders_refuse_messages_that_do_not_fit(void **state)
{
    static struct proto_presence presence;
    struct proto_welcome welcome = full_welcome();
    struct proto_params params = {.count = PROTO_PARAMS_MAX + 1};

    (void)state;
    const size_t needed = proto_encode_welcome(buffer, sizeof buffer, &welcome);
    assert_int_equal(proto_encode_welcome(buffer, needed, &welcome), needed);
    assert_int_equal(proto_encode_welcome(buffer, needed - 1, &welcome), 0);
    assert_int_equal(proto_encode_welcome(buffer, 0, &welcome), 0);

    welcome.room.param_count = PROTO_PARAMS_MAX + 1;
    presence.count = PROTO_PEOPLE_MAX + 1;
    assert_int_equal(proto_encode_welcome(buffer, sizeof buffer, &welcome), 0);
    assert_int_equal(proto_encode_room(buffer, sizeof buffer, &welcome.room), 0);
    welcome.room = full_room();
    welcome.room.control_count = PROTO_CONTROLS_MAX + 1;
    assert_int_equal(proto_encode_room(buffer, sizeof buffer, &welcome.room), 0);
    welcome.room = full_room();
    welcome.room.controls[7].choice_count = PROTO_CHOICES_MAX + 1;
    assert_int_equal(proto_encode_room(buffer, sizeof buffer, &welcome.room), 0);
    welcome.room = full_room();
    welcome.room.wall_count = PROTO_WALLS_MAX + 1;
    assert_int_equal(proto_encode_room(buffer, sizeof buffer, &welcome.room), 0);
    welcome.room = full_room();
    welcome.capability_count = PROTO_CAPABILITIES_MAX + 1;
    assert_int_equal(proto_encode_welcome(buffer, sizeof buffer, &welcome), 0);
    assert_int_equal(proto_encode_params(buffer, sizeof buffer, &params), 0);
    assert_int_equal(proto_encode_presence(buffer, sizeof buffer, &presence), 0);
    presence.count = 0;
    presence.left_count = PROTO_PEOPLE_MAX + 1;
    assert_int_equal(proto_encode_presence(buffer, sizeof buffer, &presence), 0);

    struct proto_snapshot snapshot = {.boid_count = PROTO_BOIDS_MAX + 1};
    assert_int_equal(proto_encode_snapshot(buffer, sizeof buffer, &snapshot), 0);
    snapshot.boid_count = 0;
    snapshot.cursor_count = PROTO_PEOPLE_MAX + 1;
    assert_int_equal(proto_encode_snapshot(buffer, sizeof buffer, &snapshot), 0);
}

static void unknown_values_are_skipped(void **state)
{
    take(state, pack("Aus", 2, 120u, "a later type"));
    assert_int_equal(message.type, 120);
    take(state, pack("Auu", 2, 2u, 1u)); /* only clients send this type */
    assert_int_equal(message.type, 2);
    take(state, pack("AU", 1, UINT64_MAX));
    assert_int_equal(message.type, UINT32_MAX);

    take(state, pack("AuuuMsu", 4, 72u, 1u, 2u, 1, "later", 3u));
    assert_true(message.pong.t == 1 && message.pong.time == 2);
    take(state, pack("AuuuAAusuuxAuAu", 7, 67u, 0u, 1u, 1, 5, 9u, "Ada", 255u, 1u, 1, 7u, 0, 1u));
    assert_int_equal(message.presence.count, 1);
    assert_int_equal(message.presence.people[0].id, 9);
    take(state, pack("AusnnsssFn", 9, 74u, "a-later-code", "", "", "", ""));
    assert_int_equal(message.error.code, PROTO_OK);
    take(state, pack("AuuusssssnT", 10, 75u, 1u, 2u, "Ada", "fireworks-of-a-later-version", "sky",
                     "", "red"));
    assert_string_equal(message.event.name, "fireworks-of-a-l");
    take(state, pack("Auunn", 4, 77u, 3000u));
    assert_false(message.goodbye.has_after);
}

/* A change of a person: all fields, or the flags alone. */
static void people_are_of_two_forms(void **state)
{
    take(state, pack("AuuuAAusuuAuuAuunAuu", 5, 67u, 4u, 5u, 3, 4, 9u, "Ada", 255u, 3u, 2, 7u, 1u,
                     3, 8u, 2u, 2, 5u, 6u));
    assert_int_equal(message.presence.since, 4);
    assert_int_equal(message.presence.sequence, 5);
    assert_int_equal(message.presence.count, 3);
    assert_false(message.presence.people[0].flags_only);
    assert_string_equal(message.presence.people[0].name, "Ada");
    assert_int_equal(message.presence.people[0].flags, 3);
    assert_true(message.presence.people[1].flags_only);
    assert_int_equal(message.presence.people[1].id, 7);
    assert_int_equal(message.presence.people[1].flags, 1);
    assert_true(message.presence.people[2].flags_only); /* with an element of a later version */
    assert_int_equal(message.presence.people[2].flags, 2);
    assert_int_equal(message.presence.left_count, 2);
    assert_int_equal(message.presence.left[1], 6);
}

static void lists_are_cut_to_their_limits(void **state)
{
    struct packed packed = {.size = 0};

    packed_append(&packed, RAW("\x95\x43\x00\x01\xdc\x00\x82")); /* 130 people */
    for (int i = 0; i < 130; i++) {
        packed_append(&packed, RAW("\x94\x01\xa1"
                                   "A\x02\x00"));
    }
    packed_append(&packed, RAW("\xdc\x00\x82")); /* and 130 who left */
    for (int i = 0; i < 130; i++) {
        packed_append(&packed, RAW("\x07"));
    }
    take(state, &packed);
    assert_int_equal(message.presence.count, PROTO_PEOPLE_MAX);
    assert_int_equal(message.presence.left_count, PROTO_PEOPLE_MAX);

    packed.size = 0;
    packed_append(&packed, RAW("\x92\x42\xdc\x00\x22")); /* 34 values */
    for (int i = 0; i < 34; i++) {
        packed_append(&packed, RAW("\x01"));
    }
    take(state, &packed);
    assert_int_equal(message.params.count, PROTO_PARAMS_MAX);

    packed.size = 0;
    packed_append(&packed, RAW("\x92\x51\xdc\x00\xc9")); /* 201 marks */
    for (int i = 0; i < 201; i++) {
        packed_append(&packed, RAW("\x97\x01\x02\xa3\x1b[J\xa1n\xa1w\xa1"
                                   "f\xa1t"));
    }
    take(state, &packed);
    assert_int_equal(message.marks.count, PROTO_MARKS_MAX);
    assert_null(strchr(message.marks.marks[0].event.who, '\x1b')); /* terminals obey it */

    static char bin[130 * PROTO_CURSOR_SIZE];
    take(state,
         pack("AuuuuunnbbunA", 12, 68u, 1u, 1u, 1u, 1u, bin, (size_t)8, bin, sizeof bin, 9u, 0));
    assert_int_equal(message.snapshot.flock, 9);
    assert_false(message.snapshot.has_measures);
    assert_int_equal(message.snapshot.boid_count, 2);
    assert_int_equal(message.snapshot.cursor_count, PROTO_PEOPLE_MAX);
}

static void snapshots_are_checked(void **state)
{
    static const char bin[16];
#define SNAPSHOT(target, x, y, boids, cursors)                                                     \
    pack("Auuuuu" target "bbun", 11, 68u, 1u, 2u, 3u, 4u, x, y, bin, (size_t)(boids), bin,         \
         (size_t)(cursors), 5u)

    take(state, SNAPSHOT("dd", 1.5, -2.5, 8, 8));
    assert_true(message.snapshot.has_target);
    assert_true(message.snapshot.target_x == 1.5f && message.snapshot.target_y == -2.5f);
    assert_int_equal(message.snapshot.flock, 5);
    refuse(state, PROTO_E_RANGE, "boids", SNAPSHOT("dd", 1.0, 1.0, 7, 8));
    refuse(state, PROTO_E_RANGE, "cursors", SNAPSHOT("dd", 1.0, 1.0, 8, 4));
    refuse(state, PROTO_E_RANGE, "target_x", SNAPSHOT("dd", (double)NAN, 1.0, 8, 8));
    refuse(state, PROTO_E_RANGE, "target_y", SNAPSHOT("dd", 1.0, 1e300, 8, 8));
#undef SNAPSHOT
#define SNAPSHOT(fields, ...) pack("Auu" fields, 11, 68u, 1u, __VA_ARGS__)
    refuse(state, PROTO_E_MALFORMED, "target_y",
           SNAPSHOT("uuudnbbun", 2u, 3u, 4u, 1.0, bin, (size_t)0, bin, (size_t)0, 5u));
    refuse(state, PROTO_E_MALFORMED, "target_x",
           SNAPSHOT("uuundbbun", 2u, 3u, 4u, 1.0, bin, (size_t)0, bin, (size_t)0, 5u));
    refuse(state, PROTO_E_MALFORMED, "boids",
           SNAPSHOT("uuunnSbun", 2u, 3u, 4u, bin, (size_t)4, bin, (size_t)0, 5u));
    refuse(state, PROTO_E_MALFORMED, "flock",
           SNAPSHOT("uuunnbbnn", 2u, 3u, 4u, bin, (size_t)4, bin, (size_t)0));
    refuse(state, PROTO_E_MALFORMED, "measures",
           SNAPSHOT("uuunnbbuA", 2u, 3u, 4u, bin, (size_t)4, bin, (size_t)0, 5u, 0));
    refuse(state, PROTO_E_RANGE, "people",
           SNAPSHOT("uuUnnbbun", 2u, 3u, UINT64_C(1) << 32, bin, (size_t)4, bin, (size_t)0, 5u));
#undef SNAPSHOT
    refuse(state, PROTO_E_MALFORMED, "",
           pack("Auuuuunnbbu", 10, 68u, 1u, 2u, 3u, 4u, bin, (size_t)4, bin, (size_t)0, 5u));
}

static void presence_is_checked(void **state)
{
#define PRESENCE(people, ...) pack("Auuu" people "A", 5, 67u, 0u, 1u, __VA_ARGS__, 0)
    refuse(state, PROTO_E_MALFORMED, "people", PRESENCE("s", "Ada"));
    refuse(state, PROTO_E_MALFORMED, "people", PRESENCE("AAu", 1, 1, 1u));
    refuse(state, PROTO_E_MALFORMED, "people", PRESENCE("AAusu", 1, 3, 1u, "Ada", 0u));
    refuse(state, PROTO_E_MALFORMED, "people", PRESENCE("AAssss", 1, 4, "1", "Ada", "red", "0"));
    refuse(state, PROTO_E_RANGE, "people", PRESENCE("AAusuu", 1, 4, 1u, "Ada", 0x1000000u, 0u));
    refuse(state, PROTO_E_MALFORMED, "people", PRESENCE("AAusus", 1, 4, 1u, "Ada", 0u, "0"));
#undef PRESENCE
    refuse(state, PROTO_E_MALFORMED, "", pack("AuuuA", 4, 67u, 0u, 1u, 0));
    refuse(state, PROTO_E_MALFORMED, "since", pack("AunuAA", 5, 67u, 1u, 0, 0));
    refuse(state, PROTO_E_MALFORMED, "sequence", pack("AuunAA", 5, 67u, 1u, 0, 0));
    refuse(state, PROTO_E_MALFORMED, "left", pack("AuuuAAs", 5, 67u, 1u, 2u, 0, 1, "1"));
    refuse(state, PROTO_E_RANGE, "left", pack("AuuuAAU", 5, 67u, 1u, 2u, 0, 1, UINT64_C(1) << 32));
}

static void values_are_checked(void **state)
{
    refuse(state, PROTO_E_MALFORMED, "values", pack("AuAs", 2, 66u, 1, "1"));
    refuse(state, PROTO_E_RANGE, "values", pack("AuAd", 2, 66u, 1, (double)INFINITY));
    refuse(state, PROTO_E_MALFORMED, "time", pack("Auud", 3, 72u, 1u, 1.0));
    refuse(state, PROTO_E_MALFORMED, "type", pack("Aunn", 3, 73u));
    refuse(state, PROTO_E_RANGE, "tag", pack("AuuU", 3, 73u, 5u, UINT64_C(1) << 32));
    refuse(state, PROTO_E_MALFORMED, "fatal", pack("Ausnnsssu", 8, 74u, "a", "b", "", "c", 1u));
    refuse(state, PROTO_E_MALFORMED, "type", pack("AussnsssF", 8, 74u, "a", "b", "", "", "c"));
    refuse(state, PROTO_E_RANGE, "rate", pack("AuduuF", 5, 70u, 0.0, 0u, 1u));
    refuse(state, PROTO_E_RANGE, "rate", pack("AuduuF", 5, 70u, -1.0, 0u, 1u));
    refuse(state, PROTO_E_RANGE, "stride", pack("AuduuF", 5, 70u, 1.0, 0u, 0u));
    refuse(state, PROTO_E_MALFORMED, "slow", pack("Auduuu", 5, 70u, 1.0, 0u, 1u, 0u));
    refuse(state, PROTO_E_MALFORMED, "by",
           pack("Auunsssss", 8, 75u, 1u, "Ada", "reset", "", "", ""));
    refuse(state, PROTO_E_MALFORMED, "key", pack("Aun", 2, 76u));
    refuse(state, PROTO_E_MALFORMED, "after", pack("Auus", 3, 77u, 3000u, "soon"));
}

/* Short messages that claim gigabytes, and many values in few bytes. */
static void hostile_servers_cost_little(void **state)
{
    static const uint8_t head[] = {0xdd, 0x00, 0x3d, 0x08, 0xfb}; /* an array of 3,999,995 nils */
    static uint8_t bytes[PROTO_BOIDS_MAX * PROTO_BOID_SIZE];

    assert_int_equal(decode(state, (const uint8_t *)"\xdd\xff\xff\xff\xff", 5), PROTO_E_MALFORMED);
    memcpy(bytes, head, sizeof head);
    memset(bytes + 5, 0xc0, sizeof bytes - 5);
    assert_int_equal(decode(state, bytes, sizeof bytes), PROTO_E_MALFORMED);
    assert_non_null(strstr(error.message, "one value too many"));
    memset(bytes, 0x91, sizeof bytes);
    assert_int_equal(decode(state, bytes, sizeof bytes), PROTO_E_MALFORMED);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(welcome_and_room_travel),
        TEST(params_travel),
        TEST(presence_travels),
        TEST(snapshots_travel),
        TEST(pongs_dones_and_streams_travel),
        TEST(errors_travel),
        TEST(events_keys_and_goodbyes_travel),
        TEST(roles_travel),
        TEST(encoders_refuse_messages_that_do_not_fit),
        TEST(unknown_values_are_skipped),
        TEST(lists_are_cut_to_their_limits),
        TEST(snapshots_are_checked),
        TEST(people_are_of_two_forms),
        TEST(presence_is_checked),
        TEST(values_are_checked),
        TEST(hostile_servers_cost_little),
    };
#undef TEST
    return cmocka_run_group_tests_name("protocol, from servers", tests, NULL, NULL);
}
