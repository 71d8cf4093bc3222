/* The cursors of a room: accepted cursors, who sees them, and the target. */
#include "room_client.h"
#include "scene/cursor.h"

/* ---- cursors ---- */

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
    struct client *ada = join("Ada");

    (void)state;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        const struct proto_server_message *answer;
        send_cursor(ada, moves[i].x, moves[i].y);
        answer = next_heard(ada);
        assert_int_equal(answer == NULL, moves[i].field == NULL);
        if (answer == NULL || moves[i].field == NULL) {
            continue;
        }
        assert_int_equal(answer->type, PROTO_ERROR);
        assert_int_equal(answer->error.code, PROTO_E_RANGE);
        assert_int_equal(answer->error.type, PROTO_CURSOR);
        assert_string_equal(answer->error.field, moves[i].field);
        assert_false(answer->error.fatal);
        /* The room message says what is allowed. */
        assert_non_null(strstr(answer->error.message, moves[i].field[0] == 'x'
                                                          ? "-3821 to 4370.875"
                                                          : "-3896 to 4295.875"));
        assert_null(next_heard(ada));
        /* The cursor stays where it was. */
        publish();
        assert_int_equal(ada->snapshot.cursor_count, 1);
    }
}

static void assert_cursor(const struct client *client, uint32_t owner, float at_x, float at_y)
{
    uint32_t id;
    int16_t x;
    int16_t y;

    assert_int_equal(client->snapshot.cursor_count, 1);
    proto_get_cursor(client->snapshot.cursors, &id, &x, &y);
    assert_int_equal(id, owner);
    assert_true(proto_dequantise(x, 550, 0.125F) == at_x);
    assert_true(proto_dequantise(y, 400, 0.125F) == at_y);
}

/* No message of a client leads the flock out of the world. */
static void test_a_cursor_beyond_the_world_moves_to_its_edge(void **state)
{
    static const float moves[][4] = {
        {-3821, -3896, 0, 0}, {4370.875F, 4295.875F, 550, 400},
        {-0.5F, 100, 0, 100}, {100, 400.5F, 100, 400},
        {550, 400, 550, 400},
    };
    static const enum flock_boundary boundaries[] = {FLOCK_OPEN, FLOCK_WRAP, FLOCK_WALLS};
    struct room_definition definition = definition_default();

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        definition.flock.settings.boundary = boundaries[i];
        make_as(&definition);
        struct client *ada = join("Ada");
        for (size_t move = 0; move < sizeof moves / sizeof moves[0]; move++) {
            send_cursor(ada, moves[move][0], moves[move][1]);
            assert_null(next_heard(ada)); /* no error */
            run(1);
            if (boundaries[i] != FLOCK_WRAP) { /* in a wrap world both edges are the same */
                assert_cursor(ada, ada->id, moves[move][2], moves[move][3]);
            }
            assert_true(ada->snapshot.has_target);
            assert_true(ada->snapshot.target_x == moves[move][2]);
            assert_true(ada->snapshot.target_y == moves[move][3]);
        }
    }
}

/* A smaller world moves all cursors inside. */
static void test_cursors_beyond_a_smaller_world_are_withdrawn(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.flock.settings.width = 1920;
    definition.flock.settings.height = 1080;
    make_as(&definition);
    struct client *ada = join("Ada");
    struct client *ben = join("Ben");
    send_cursor(ada, 1900, 1000);
    send_cursor(ben, 500, 350);
    run(1);
    assert_int_equal(ada->snapshot.cursor_count, 2);
    struct proto_client_message preset = {.type = PROTO_SET,
                                          .set = {.name = "preset", .value = "original"}};
    struct proto_error error;
    assert_true(room_direct(room, &preset, clock_now, &error));
    run(1);
    assert_cursor(ada, ben->id, 500, 350); /* Ben's cursor is inside the world of 550 x 400 */
    assert_true(ada->snapshot.target_x == 500.0F && ada->snapshot.target_y == 350.0F);
    send_cursor(ada, 1900, 1000);
    run(1);
    assert_int_equal(ada->snapshot.cursor_count, 2);
}

static uint32_t cursors_at(uint64_t now)
{
    clock_now = now;
    publish();
    return clients[0].snapshot.cursor_count;
}

static void test_snapshot_shows_the_cursors(void **state)
{
    static const struct proto_client_message away = {.type = PROTO_AWAY};
    struct client *people[4];

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        people[i] = join("");
    }
    assert_int_equal(cursors_at(SECOND), 0);
    send_cursor(people[1], 100.03F, 250);
    publish();
    assert_int_equal(people[0]->snapshot.people, 4);
    assert_cursor(people[0], people[1]->id, 100, 250);

    /* A cursor ends with the timeout, when it is away, or when its person leaves. */
    assert_int_equal(cursors_at(11 * SECOND - 1), 1);
    assert_int_equal(cursors_at(11 * SECOND), 0);
    clock_now = 20 * SECOND;
    for (uint32_t i = 0; i < 4; i++) {
        send_cursor(people[i], 1, 1);
    }
    assert_int_equal(cursors_at(20 * SECOND), 4);
    room_receive(room, people[3]->member, &away, clock_now);
    assert_int_equal(cursors_at(20 * SECOND), 3);
    leave(people[1]);
    assert_int_equal(cursors_at(20 * SECOND), 2);
    assert_int_equal(people[0]->snapshot.people, 3);
}

static void test_at_most_128_cursors(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 150; i++) {
        send_cursor(join(""), (float)i, 0);
    }
    assert_int_equal(cursors_at(SECOND), PROTO_PEOPLE_MAX);
    assert_int_equal(clients[0].snapshot.people, 150);
    /* Cursors that are not shown steer, too: the target is the mean of all 150. */
    run(1);
    assert_true(fabsf(clients[0].snapshot.target_x - 74.5F) < 0.01F);
}

/* ---- the target ---- */

static void assert_target(uint64_t now, float x, float y)
{
    const struct proto_snapshot *shown = &clients[0].snapshot;

    clock_now = now;
    room_tick(room, workspace, now);
    publish();
    assert_true(shown->has_target);
    assert_true(shown->target_x == x && shown->target_y == y);
}

static void move_at(uint64_t now, struct client *client, float x, float y)
{
    clock_now = now;
    send_cursor(client, x, y);
}

static void test_mean_steers(void **state)
{
    struct client *ada = join("Ada");
    struct client *bob = join("Bob");

    (void)state;
    move_at(SECOND, ada, 100, 100);
    assert_target(SECOND, 100, 100);
    move_at(2 * SECOND, bob, 300, 200);
    assert_target(2 * SECOND, 200, 150);
    assert_target(11 * SECOND, 300, 200); /* the first one no longer counts */
    move_at(12 * SECOND - 1, ada, 0, 0);
    leave(bob);
    assert_target(12 * SECOND - 1, 0, 0);
}

static void test_latest_steers(void **state)
{
    static const struct proto_client_message away = {.type = PROTO_AWAY};
    struct room_definition definition = definition_default();
    struct client *ada;
    struct client *bob;

    (void)state;
    definition.controls.policy = CURSOR_LATEST;
    make_as(&definition);
    ada = join("Ada");
    bob = join("Bob");
    move_at(2 * SECOND, ada, 100, 100);
    move_at(2 * SECOND + 1, bob, 300, 200);
    assert_target(3 * SECOND, 300, 200);
    room_receive(room, bob->member, &away, clock_now);
    assert_target(3 * SECOND, 100, 100);
}

static void test_idle_rules(void **state)
{
    struct room_definition definition = definition_default();
    struct client *ada;
    float x;
    float y;

    (void)state;
    join("Ada");
    cursor_wander(5 * SECOND, 550, 400, &x, &y);
    assert_target(5 * SECOND, x, y);
    definition.controls.idle = CURSOR_HOLD;
    make_as(&definition);
    ada = join("Ada");
    run(1);
    assert_false(ada->snapshot.has_target);
    move_at(5 * SECOND, ada, 10, 20);
    assert_target(6 * SECOND, 10, 20);
    clock_now = 15 * SECOND;
    room_tick(room, workspace, clock_now);
    publish();
    assert_false(ada->snapshot.has_target);
}

/* Returns the mean of the boids' positions in a client's snapshot. */
static struct flock_point middle(const struct client *client)
{
    struct flock_point sum = {0, 0};

    for (uint32_t i = 0; i < client->boid_count; i++) {
        int16_t x;
        int16_t y;
        position_of(client, i, &x, &y);
        sum.x += proto_dequantise(x, 550, 0.125F) / (float)client->boid_count;
        sum.y += proto_dequantise(y, 400, 0.125F) / (float)client->boid_count;
    }
    return sum;
}

static void test_the_flock_follows_the_cursor(void **state)
{
    static const float corners[][2] = {{100, 100}, {450, 100}, {450, 300}, {100, 300}};
    struct client *ada = join("Ada");

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct flock_point at;
        for (int round = 0; round < 300; round++) {
            send_cursor(ada, corners[i][0], corners[i][1]);
            run(1);
        }
        at = middle(ada);
        assert_true(hypotf(at.x - corners[i][0], at.y - corners[i][1]) < 100.0F);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
#if OWN_ALLOCATOR
#endif
        TEST(test_cursors_out_of_range_are_refused),
        TEST(test_a_cursor_beyond_the_world_moves_to_its_edge),
        TEST(test_cursors_beyond_a_smaller_world_are_withdrawn),
        TEST(test_snapshot_shows_the_cursors),
        TEST(test_at_most_128_cursors),
        TEST(test_mean_steers),
        TEST(test_latest_steers),
        TEST(test_idle_rules),
        TEST(test_the_flock_follows_the_cursor),
    };
    return cmocka_run_group_tests_name("room_cursors", tests, NULL, NULL);
}
