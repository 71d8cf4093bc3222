/* A room from outside: hellos and cursors in, snapshots and presence out, decoded as a client does.
 */
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

#define SECOND UINT64_C(1000000)

static struct room *room;
static struct proto_decoder *decoder;
static struct frame *last_frame; /* what the last decoded message points into */

static struct room_definition definition_default(void)
{
    struct room_definition definition = room_definition_default();

    definition.people_max = 200;
    definition.key = "the-key";
    return definition;
}

static void make_as(const struct room_definition *definition)
{
    room_destroy(room);
    room = room_create(definition);
    assert_non_null(room);
}

static int make(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    decoder = proto_decoder_create();
    make_as(&definition);
    return decoder != NULL ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    frame_release(last_frame);
    last_frame = NULL;
    room_destroy(room);
    room = NULL;
    proto_decoder_destroy(decoder);
    return 0;
}

static uint32_t join(const char *name, uint64_t session, uint64_t now)
{
    struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};
    uint64_t replaced;
    uint32_t slot;

    snprintf(hello.name, sizeof hello.name, "%s", name);
    slot = room_join(room, &hello, session, now, &replaced);
    assert_int_not_equal(slot, PEOPLE_NONE);
    assert_int_equal(room_session(room, slot), session);
    return slot;
}

static uint32_t id_of(uint32_t slot)
{
    struct proto_welcome welcome;

    room_welcome(room, slot, &welcome);
    return welcome.id;
}

static bool try_move(uint32_t slot, const struct proto_cursor *cursor, uint64_t now,
                     struct proto_error *error)
{
    return room_receive(room, slot,
                        &(struct proto_client_message){.type = PROTO_CURSOR, .cursor = *cursor},
                        now, error);
}

static void away(uint32_t slot)
{
    struct proto_error error;

    assert_true(
        room_receive(room, slot, &(struct proto_client_message){.type = PROTO_AWAY}, 0, &error));
}

static void rename_to(uint32_t slot, const char *name)
{
    struct proto_client_message message = {.type = PROTO_NAME};
    struct proto_error error;

    snprintf(message.name.name, sizeof message.name.name, "%s", name);
    assert_true(room_receive(room, slot, &message, 0, &error));
}

static void move(uint32_t slot, float x, float y, uint64_t now)
{
    struct proto_error error;

    assert_true(try_move(slot, &(struct proto_cursor){x, y}, now, &error));
}

/* What a client makes of that frame, which this takes over. */
static const struct proto_server_message *decode(struct frame *frame)
{
    static struct proto_server_message message;
    struct proto_error error;

    assert_non_null(frame);
    frame_release(last_frame);
    last_frame = frame;
    assert_in_range(frame->size, 1, frame->capacity);
    assert_int_equal(proto_decode_server(decoder, frame_data(frame), frame->size, &message, &error),
                     PROTO_OK);
    return &message;
}

static const struct proto_snapshot *snapshot(uint64_t now)
{
    const struct proto_server_message *message = decode(snapshot_frame(room, now));

    assert_int_equal(message->type, PROTO_SNAPSHOT);
    return &message->snapshot;
}

/* ---- welcome and presence */

static void test_welcome(void **state)
{
    struct proto_welcome welcome;
    uint32_t slot = join("Ada", 1, 0);

    (void)state;
    room_welcome(room, slot, &welcome);
    assert_string_equal(welcome.name, "Ada");
    assert_int_not_equal(welcome.id, 0);
    assert_string_equal(welcome.room.name, "lobby");
    assert_string_equal(welcome.room.model, "swarm");
    assert_string_equal(welcome.room.boundary, "open");
    assert_string_equal(welcome.room.policy, "mean");
    assert_string_equal(welcome.room.idle, "wander");
    assert_true(welcome.room.width == 550.0F && welcome.room.height == 400.0F);
    assert_true(welcome.room.quantum == 0.125F);
    assert_int_equal(welcome.room.tick_rate, 30);
    assert_int_equal(welcome.room.snapshot_rate, 30);
    assert_in_range(welcome.room.param_count, 1, PROTO_PARAMS_MAX);
    for (uint32_t i = 0; i < welcome.room.param_count; i++) {
        const struct proto_param *param = &welcome.room.params[i];
        assert_true(strlen(param->name) > 0 && strlen(param->text) > 0);
        assert_true(param->min <= param->initial && param->initial <= param->max);
        assert_true(param->value == param->initial);
    }
}

static void test_presence_tells_of_everyone_in_time(void **state)
{
    const struct proto_presence *presence;
    uint32_t slot;

    (void)state;
    assert_null(room_presence(room, 0));
    slot = join("Ada", 1, SECOND);
    presence = &decode(room_presence(room, SECOND))->presence;
    assert_int_equal(presence->count, 1);
    assert_string_equal(presence->people[0].name, "Ada");
    assert_null(room_presence(room, 9 * SECOND)); /* nothing has changed */

    /* A crowd at once is told of once, a tenth of a second later. */
    rename_to(slot, "Countess");
    assert_non_null(decode(room_presence(room, 9 * SECOND)));
    for (uint32_t i = 0; i < 100; i++) {
        join("", 2 + i, 9 * SECOND + i);
        assert_null(room_presence(room, 9 * SECOND + i));
    }
    assert_null(room_presence(room, 9 * SECOND + 99999));
    presence = &decode(room_presence(room, 9 * SECOND + 100000))->presence;
    assert_int_equal(presence->count, 101);
}

/* ---- cursors */

static void test_cursors_out_of_range_are_refused(void **state)
{
    static const struct {
        float x, y;
        const char *field; /* NULL: in range */
    } moves[] = {
        {0, 0, NULL},         {-3821, -3896, NULL}, {4370.875F, 4295.875F, NULL},
        {-3821.001F, 0, "x"}, {4371, 0, "x"},       {0, -3896.001F, "y"},
        {0, 4296, "y"},       {1e30F, 1e30F, "x"},  {-INFINITY, 0, "x"},
        {0, INFINITY, "y"},   {NAN, 0, "x"},        {0, NAN, "y"},
    };
    uint32_t slot = join("Ada", 1, 0);

    (void)state;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        struct proto_error error = {.code = "none"};
        struct proto_cursor cursor = {moves[i].x, moves[i].y};
        assert_int_equal(try_move(slot, &cursor, 0, &error), moves[i].field == NULL);
        if (moves[i].field == NULL) {
            assert_string_equal(error.code, "none");
            continue;
        }
        assert_string_equal(error.code, "range");
        assert_string_equal(error.field, moves[i].field);
        assert_false(error.fatal);
        /* It says what is allowed. */
        assert_non_null(strstr(error.message,
                               moves[i].field[0] == 'x' ? "-3821 to 4370.88" : "-3896 to 4295.88"));
        /* The cursor stays where it was. */
        assert_true(snapshot(1)->cursor_count == 1);
    }
}

static void test_snapshot_shows_the_cursors(void **state)
{
    uint32_t slots[3];
    const struct proto_snapshot *shown;
    uint32_t id;
    int16_t x;
    int16_t y;

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        slots[i] = join("", i + 1, 0);
    }
    assert_int_equal(snapshot(0)->cursor_count, 0);
    move(slots[1], 100.03F, 250, SECOND);
    shown = snapshot(SECOND);
    assert_int_equal(shown->people, 3);
    assert_int_equal(shown->cursor_count, 1);
    proto_get_cursor(shown->cursors, &id, &x, &y);
    assert_int_equal(id, id_of(slots[1]));
    assert_true(proto_dequantise(x, 550, 0.125F) == 100.0F);
    assert_true(proto_dequantise(y, 400, 0.125F) == 250.0F);

    /* until the timeout, or its withdrawal, or its owner's end */
    assert_int_equal(snapshot(11 * SECOND - 1)->cursor_count, 1);
    assert_int_equal(snapshot(11 * SECOND)->cursor_count, 0);
    for (uint32_t i = 0; i < 3; i++) {
        move(slots[i], 1, 1, 20 * SECOND);
    }
    assert_int_equal(snapshot(20 * SECOND)->cursor_count, 3);
    away(slots[0]);
    assert_int_equal(snapshot(20 * SECOND)->cursor_count, 2);
    room_leave(room, slots[1], 20 * SECOND);
    shown = snapshot(20 * SECOND);
    assert_int_equal(shown->cursor_count, 1);
    assert_int_equal(shown->people, 2);
}

static void test_at_most_128_cursors(void **state)
{
    const struct proto_snapshot *shown;

    (void)state;
    for (uint32_t i = 0; i < 150; i++) {
        move(join("", i + 1, 0), (float)i, 0, 0);
    }
    shown = snapshot(0);
    assert_int_equal(shown->cursor_count, PROTO_PEOPLE_MAX);
    assert_int_equal(shown->people, 150);
    /* Those not shown steer all the same: the mean is that of all 150. */
    room_tick(room, 1);
    assert_true(fabsf(snapshot(1)->target_x - 74.5F) < 0.01F);
}

/* ---- the target */

static void assert_target(uint64_t now, float x, float y)
{
    const struct proto_snapshot *shown;

    room_tick(room, now);
    shown = snapshot(now);
    assert_true(shown->has_target);
    assert_true(shown->target_x == x && shown->target_y == y);
}

static void test_mean_steers(void **state)
{
    uint32_t slots[2];

    (void)state;
    slots[0] = join("", 1, 0);
    slots[1] = join("", 2, 0);
    move(slots[0], 100, 100, SECOND);
    assert_target(SECOND, 100, 100);
    move(slots[1], 300, 200, 2 * SECOND);
    assert_target(2 * SECOND, 200, 150);
    assert_target(11 * SECOND, 300, 200); /* the first one no longer counts */
    move(slots[0], 0, 0, 12 * SECOND - 1);
    room_leave(room, slots[1], 12 * SECOND - 1);
    assert_target(12 * SECOND - 1, 0, 0);
}

static void test_latest_steers(void **state)
{
    struct room_definition definition = definition_default();
    uint32_t slots[2];

    (void)state;
    definition.policy = CURSOR_LATEST;
    make_as(&definition);
    slots[0] = join("", 1, 0);
    slots[1] = join("", 2, 0);
    move(slots[1], 300, 200, 2 * SECOND);
    move(slots[0], 100, 100, SECOND);
    assert_target(3 * SECOND, 300, 200);
    away(slots[1]);
    assert_target(3 * SECOND, 100, 100);
}

static void test_idle_rules(void **state)
{
    struct room_definition definition = definition_default();
    uint32_t slot;
    float x;
    float y;

    (void)state;
    cursor_wander(5 * SECOND, 550, 400, &x, &y);
    assert_target(5 * SECOND, x, y);
    definition.idle = CURSOR_HOLD;
    make_as(&definition);
    room_tick(room, 5 * SECOND);
    assert_false(snapshot(5 * SECOND)->has_target);
    slot = join("", 1, 0);
    move(slot, 10, 20, 5 * SECOND);
    assert_target(6 * SECOND, 10, 20);
    room_tick(room, 15 * SECOND);
    assert_false(snapshot(15 * SECOND)->has_target);
}

/* The mean of the boids' positions, as a client sees it. */
static struct flock_point middle(void)
{
    const struct proto_snapshot *shown = snapshot(0);
    struct flock_point sum = {0, 0};

    for (uint32_t i = 0; i < shown->boid_count; i++) {
        int16_t x;
        int16_t y;
        proto_get_position(shown->boids + (size_t)4 * i, &x, &y);
        sum.x += proto_dequantise(x, 550, 0.125F) / (float)shown->boid_count;
        sum.y += proto_dequantise(y, 400, 0.125F) / (float)shown->boid_count;
    }
    return sum;
}

static void test_the_flock_follows_the_cursor(void **state)
{
    static const float corners[][2] = {{100, 100}, {450, 100}, {450, 300}, {100, 300}};
    uint32_t slot = join("", 1, 0);
    uint64_t now = 0;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct flock_point at;
        for (int tick = 0; tick < 300; tick++) {
            now += SECOND / 30;
            move(slot, corners[i][0], corners[i][1], now);
            room_tick(room, now);
        }
        at = middle();
        assert_true(hypotf(at.x - corners[i][0], at.y - corners[i][1]) < 100.0F);
    }
}

/* ---- snapshots */

static void test_snapshot_holds_the_boids_as_they_are(void **state)
{
    struct room_definition definition = definition_default();
    struct flock *twin;
    const struct proto_snapshot *shown;
    float x[500];
    float y[500];
    struct flock_point target;

    (void)state;
    definition.flock.boids = 500;
    definition.flock.seed = 7;
    make_as(&definition);
    twin = flock_create(&definition.flock);
    assert_non_null(twin);
    for (uint64_t tick = 1; tick <= 100; tick++) {
        cursor_wander(tick * 1000, 550, 400, &target.x, &target.y);
        flock_tick(twin, &target);
        room_tick(room, tick * 1000);
    }
    flock_positions(twin, x, y);
    shown = snapshot(100000);
    assert_int_equal(shown->tick, 100);
    assert_int_equal(room_ticks(room), 100);
    assert_int_equal(shown->time, 100000);
    assert_int_equal(shown->boid_count, 500);
    for (uint32_t i = 0; i < 500; i++) {
        int16_t qx;
        int16_t qy;
        proto_get_position(shown->boids + (size_t)4 * i, &qx, &qy);
        assert_true(fabsf(proto_dequantise(qx, 550, 0.125F) - x[i]) <= 0.0625F);
        assert_true(fabsf(proto_dequantise(qy, 400, 0.125F) - y[i]) <= 0.0625F);
    }
    flock_destroy(twin);
}

/* A flock chases a cursor at the very corner of the range: a boid that overshoots it is shown
 * there, not on the other side. */
static void test_a_boid_beyond_the_range_saturates(void **state)
{
    uint32_t slot = join("", 1, 0);
    bool saturated = false;

    (void)state;
    for (uint64_t tick = 1; tick <= 3000 && !saturated; tick++) {
        const struct proto_snapshot *shown;
        move(slot, 4370.875F, 4295.875F, tick * 1000);
        room_tick(room, tick * 1000);
        shown = snapshot(tick * 1000);
        for (uint32_t i = 0; i < shown->boid_count; i++) {
            int16_t x;
            int16_t y;
            proto_get_position(shown->boids + (size_t)4 * i, &x, &y);
            assert_in_range(x + 32768, 32768 - 8000, 65535);
            assert_in_range(y + 32768, 32768 - 8000, 65535);
            saturated |= x == INT16_MAX;
        }
    }
    assert_true(saturated);
}

static void test_largest_flock(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.flock.boids = 200000;
    make_as(&definition);
    assert_int_equal(snapshot(0)->boid_count, 200000);
}

/* For every pair of rates, a second of ticks has that many snapshots, evenly spread. */
static void test_snapshot_due(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.flock.boids = 1;
    for (uint32_t ticks = 1; ticks <= 240; ticks++) {
        for (uint32_t rate = 1; rate <= ticks; rate += 1 + ticks / 40) {
            uint32_t due = 0;
            uint32_t last = 0;
            definition.tick_rate = ticks;
            definition.snapshot_rate = rate;
            make_as(&definition);
            for (uint32_t tick = 1; tick <= 3 * ticks; tick++) {
                room_tick(room, tick);
                if (room_snapshot_due(room)) {
                    assert_in_range(tick - last, ticks / rate, (ticks + rate - 1) / rate);
                    last = tick;
                    due++;
                }
                if (tick % ticks == 0) {
                    assert_int_equal(due, tick / ticks * rate);
                }
            }
        }
    }
}

static void test_bad_flocks_make_no_room(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.flock.boids = 0;
    assert_null(room_create(&definition));
    definition.flock.boids = FLOCK_BOIDS_MAX + 1;
    assert_null(room_create(&definition));
    room_destroy(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_welcome),
        TEST(test_presence_tells_of_everyone_in_time),
        TEST(test_cursors_out_of_range_are_refused),
        TEST(test_snapshot_shows_the_cursors),
        TEST(test_at_most_128_cursors),
        TEST(test_mean_steers),
        TEST(test_latest_steers),
        TEST(test_idle_rules),
        TEST(test_the_flock_follows_the_cursor),
        TEST(test_snapshot_holds_the_boids_as_they_are),
        TEST(test_a_boid_beyond_the_range_saturates),
        TEST(test_largest_flock),
        TEST(test_snapshot_due),
        TEST(test_bad_flocks_make_no_room),
    };
    return cmocka_run_group_tests_name("room", tests, NULL, NULL);
}
