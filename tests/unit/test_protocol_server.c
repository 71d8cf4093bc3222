/* What servers send, read as tolerantly as PROTOCOL.md asks of clients and no more. */
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

/* A room in which everything is as long as it may be, but for the words of its controls: all of
 * those at once are more than a message holds. */
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
        .boids_max = UINT32_MAX,
        .control_count = PROTO_CONTROLS_MAX,
    };

    fill(room.name, sizeof room.name);
    fill(room.model, sizeof room.model);
    fill(room.boundary, sizeof room.boundary);
    fill(room.policy, sizeof room.policy);
    fill(room.idle, sizeof room.idle);
    for (uint32_t i = 0; i < PROTO_PARAMS_MAX; i++) {
        struct proto_param *param = &room.params[i];
        fill(param->name, sizeof param->name);
        fill(param->unit, sizeof param->unit);
        fill(param->text, sizeof param->text);
        param->min = -FLT_MAX;
        param->max = FLT_MAX;
        param->initial = (float)i;
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
        .rate = 59.94f,
        .time = UINT64_MAX,
        .room = full_room(),
    };

    fill(welcome.server, sizeof welcome.server);
    fill(welcome.name, sizeof welcome.name);
    fill(welcome.encoding, sizeof welcome.encoding);
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
    static struct proto_presence sent;

    for (sent.count = 0; sent.count < PROTO_PEOPLE_MAX; sent.count++) {
        struct proto_person *person = &sent.people[sent.count];
        person->id = UINT32_MAX - sent.count;
        person->color = 0xffffff;
        fill(person->name, sizeof person->name);
    }
    take_bytes(state, buffer, proto_encode_presence(buffer, sizeof buffer, &sent));
    assert_int_equal(message.type, PROTO_PRESENCE);
    assert_memory_equal(&message.presence, &sent, sizeof sent);

    sent.count = 0;
    take_bytes(state, buffer, proto_encode_presence(buffer, sizeof buffer, &sent));
    assert_int_equal(message.presence.count, 0);
}

/* Encodes a snapshot into exactly its bound and expects the same one back. */
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

static void pong_and_error_travel(void **state)
{
    const struct proto_pong pong = {.t = UINT64_MAX, .time = 1};
    struct proto_error sent = {.fatal = true};

    take_bytes(state, buffer, proto_encode_pong(buffer, sizeof buffer, &pong));
    assert_int_equal(message.type, PROTO_PONG);
    assert_memory_equal(&message.pong, &pong, sizeof pong);

    fill(sent.code, sizeof sent.code);
    fill(sent.field, sizeof sent.field);
    fill(sent.message, sizeof sent.message);
    take_bytes(state, buffer, proto_encode_error(buffer, sizeof buffer, &sent));
    assert_int_equal(message.type, PROTO_ERROR);
    assert_memory_equal(&message.error, &sent, sizeof sent);
    sent.fatal = false;
    take_bytes(state, buffer, proto_encode_error(buffer, sizeof buffer, &sent));
    assert_false(message.error.fatal);
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
    /* Whatever else is said makes nobody more than a viewer. */
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
        take(state, pack("Aus", 2, 24u, others[i]));
        assert_int_equal(message.role, PROTO_VIEWER);
    }
    take(state, pack("Ausn", 3, 24u, "presenter"));
    assert_int_equal(message.role, PROTO_PRESENTER);
    refuse(state, PROTO_E_MALFORMED, "", pack("Au", 1, 24u));
    refuse(state, PROTO_E_MALFORMED, "role", pack("Auu", 2, 24u, 1u));
    refuse(state, PROTO_E_MALFORMED, "role", pack("Aun", 2, 24u));
}

static void encoders_refuse_what_does_not_fit(void **state)
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
    assert_int_equal(proto_encode_params(buffer, sizeof buffer, &params), 0);
    assert_int_equal(proto_encode_presence(buffer, sizeof buffer, &presence), 0);

    struct proto_snapshot snapshot = {.boid_count = PROTO_BOIDS_MAX + 1};
    assert_int_equal(proto_encode_snapshot(buffer, sizeof buffer, &snapshot), 0);
    snapshot.boid_count = 0;
    snapshot.cursor_count = PROTO_PEOPLE_MAX + 1;
    assert_int_equal(proto_encode_snapshot(buffer, sizeof buffer, &snapshot), 0);
}

static void what_is_unknown_is_skipped(void **state)
{
    take(state, pack("Aus", 2, 26u, "a later type"));
    assert_int_equal(message.type, 26);
    take(state, pack("Auu", 2, 2u, 1u)); /* one that only clients send */
    assert_int_equal(message.type, 2);
    take(state, pack("AU", 1, UINT64_MAX));
    assert_int_equal(message.type, UINT32_MAX);

    take(state, pack("AuuuMsu", 4, 21u, 1u, 2u, 1, "later", 3u));
    assert_true(message.pong.t == 1 && message.pong.time == 2);
    take(state, pack("AuAAusuxu", 3, 19u, 1, 4, 9u, "Ada", 255u, 1u));
    assert_int_equal(message.presence.count, 1);
    assert_int_equal(message.presence.people[0].id, 9);
    take(state, pack("AusssFn", 6, 22u, "a-later-code", "", ""));
    assert_string_equal(message.error.code, "a-later-code");
}

static void lists_are_cut_to_their_limits(void **state)
{
    struct packed packed = {.size = 0};

    packed_append(&packed, RAW("\x92\x13\xdc\x00\x82")); /* 130 people */
    for (int i = 0; i < 130; i++) {
        packed_append(&packed, RAW("\x93\x01\xa1"
                                   "A\x02"));
    }
    take(state, &packed);
    assert_int_equal(message.presence.count, PROTO_PEOPLE_MAX);

    packed.size = 0;
    packed_append(&packed, RAW("\x92\x12\xdc\x00\x22")); /* 34 values */
    for (int i = 0; i < 34; i++) {
        packed_append(&packed, RAW("\x01"));
    }
    take(state, &packed);
    assert_int_equal(message.params.count, PROTO_PARAMS_MAX);

    static char bin[130 * PROTO_CURSOR_SIZE];
    take(state,
         pack("AuuuuunnbbunA", 12, 20u, 1u, 1u, 1u, 1u, bin, (size_t)8, bin, sizeof bin, 9u, 0));
    assert_int_equal(message.snapshot.flock, 9);
    assert_false(message.snapshot.has_measures);
    assert_int_equal(message.snapshot.boid_count, 2);
    assert_int_equal(message.snapshot.cursor_count, PROTO_PEOPLE_MAX);
}

static void snapshots_are_checked(void **state)
{
    static const char bin[16];
#define SNAPSHOT(target, x, y, boids, cursors)                                                     \
    pack("Auuuuu" target "bb", 9, 20u, 1u, 2u, 3u, 4u, x, y, bin, (size_t)(boids), bin,            \
         (size_t)(cursors))

    take(state, SNAPSHOT("dd", 1.5, -2.5, 8, 8));
    assert_true(message.snapshot.has_target);
    assert_true(message.snapshot.target_x == 1.5f && message.snapshot.target_y == -2.5f);
    refuse(state, PROTO_E_RANGE, "boids", SNAPSHOT("dd", 1.0, 1.0, 7, 8));
    refuse(state, PROTO_E_RANGE, "cursors", SNAPSHOT("dd", 1.0, 1.0, 8, 4));
    refuse(state, PROTO_E_RANGE, "target_x", SNAPSHOT("dd", (double)NAN, 1.0, 8, 8));
    refuse(state, PROTO_E_RANGE, "target_y", SNAPSHOT("dd", 1.0, 1e300, 8, 8));
#undef SNAPSHOT
    refuse(state, PROTO_E_MALFORMED, "target_y",
           pack("Auuuuudnbb", 9, 20u, 1u, 2u, 3u, 4u, 1.0, bin, (size_t)0, bin, (size_t)0));
    refuse(state, PROTO_E_MALFORMED, "target_x",
           pack("Auuuuundbb", 9, 20u, 1u, 2u, 3u, 4u, 1.0, bin, (size_t)0, bin, (size_t)0));
    refuse(state, PROTO_E_MALFORMED, "boids",
           pack("AuuuuunnSb", 9, 20u, 1u, 2u, 3u, 4u, bin, (size_t)4, bin, (size_t)0));
    refuse(
        state, PROTO_E_RANGE, "epoch",
        pack("AuUuuunnbb", 9, 20u, UINT64_C(1) << 32, 2u, 3u, 4u, bin, (size_t)4, bin, (size_t)0));
    refuse(state, PROTO_E_MALFORMED, "", pack("Auuuuunnb", 8, 20u, 1u, 2u, 3u, 4u, bin, (size_t)4));
}

static void presence_and_errors_are_checked(void **state)
{
    refuse(state, PROTO_E_MALFORMED, "people", pack("Aus", 2, 19u, "Ada"));
    refuse(state, PROTO_E_MALFORMED, "people", pack("AuAAus", 2, 19u, 1, 2, 1u, "Ada"));
    refuse(state, PROTO_E_MALFORMED, "people", pack("AuAAsss", 2, 19u, 1, 3, "1", "Ada", "red"));
    refuse(state, PROTO_E_RANGE, "people", pack("AuAAusu", 2, 19u, 1, 3, 1u, "Ada", 0x1000000u));
    refuse(state, PROTO_E_MALFORMED, "values", pack("AuAs", 2, 18u, 1, "1"));
    refuse(state, PROTO_E_RANGE, "values", pack("AuAd", 2, 18u, 1, (double)INFINITY));
    refuse(state, PROTO_E_MALFORMED, "fatal", pack("Ausssu", 5, 22u, "a", "b", "c", 1u));
    refuse(state, PROTO_E_MALFORMED, "time", pack("Auud", 3, 21u, 1u, 1.0));
}

/* A few bytes that claim to be gigabytes, and many values in few bytes. */
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
        TEST(pong_and_error_travel),
        TEST(roles_travel),
        TEST(encoders_refuse_what_does_not_fit),
        TEST(what_is_unknown_is_skipped),
        TEST(lists_are_cut_to_their_limits),
        TEST(snapshots_are_checked),
        TEST(presence_and_errors_are_checked),
        TEST(hostile_servers_cost_little),
    };
#undef TEST
    return cmocka_run_group_tests_name("protocol, from servers", tests, NULL, NULL);
}
