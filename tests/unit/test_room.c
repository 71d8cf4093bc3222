/* A room through its life: what a newcomer is told, how cursors steer, what snapshots hold, what it
 * costs. */
#include "sim_tick.h"

#include "room_client.h"

#include <malloc.h>

/* The sanitizers have an allocator of their own, which cannot be asked. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
#else
#define OWN_ALLOCATOR 1
#endif

/* ---- life ---- */

static void test_welcome(void **state)
{
    struct room_definition definition = definition_default();
    const struct proto_welcome *welcome;
    const struct proto_room *about;

    (void)state;
    snprintf(definition.code, sizeof definition.code, "FK72MX");
    snprintf(definition.title, sizeof definition.title, "Physics 101");
    definition.instance = UINT64_C(1) << 52;
    definition.people_max = 17;
    definition.boids_max = 5000;
    definition.cursor_timeout = 2500000;
    definition.capability_count = 2;
    snprintf(definition.capabilities[0], sizeof definition.capabilities[0], "packed");
    snprintf(definition.capabilities[1], sizeof definition.capabilities[1], "rooms");
    make_as(&definition);
    welcome = &read_frame(join("Ada")->welcome)->welcome;
    assert_int_equal(welcome->version, 1);
    assert_string_equal(welcome->server, "flockd " FLOCKD_VERSION);
    assert_string_equal(welcome->name, "Ada");
    assert_int_not_equal(welcome->id, 0);
    assert_int_equal(welcome->role, PROTO_VIEWER);
    assert_string_equal(welcome->encoding, "plain");
    assert_true(welcome->stream.rate == 30.0F && !welcome->stream.slow);
    assert_int_equal(welcome->stream.boids, 0);
    assert_int_equal(welcome->stream.stride, 1);
    assert_true(welcome->time == clock_now);
    assert_int_equal(welcome->capability_count, 2);
    assert_string_equal(welcome->capabilities[1], "rooms");
    about = &welcome->room;
    assert_string_equal(about->code, "FK72MX");
    assert_string_equal(about->title, "Physics 101");
    assert_true(about->instance == UINT64_C(1) << 52);
    assert_string_equal(about->model, "swarm");
    assert_string_equal(about->boundary, "open");
    assert_string_equal(about->policy, "mean");
    assert_string_equal(about->idle, "wander");
    assert_true(about->width == 550.0F && about->height == 400.0F);
    assert_true(about->quantum == 0.125F);
    assert_true(about->cursor_timeout == 2.5F);
    assert_int_equal(about->period_x, 0);
    assert_int_equal(about->tick_rate, 30);
    assert_int_equal(about->snapshot_rate, 30);
    assert_int_equal(about->people_max, 17);
    assert_int_equal(about->boids_max, 5000);
    assert_in_range(about->param_count, 1, PROTO_PARAMS_MAX);
    for (uint32_t i = 0; i < about->param_count; i++) {
        const struct proto_room_param *param = &about->params[i];
        assert_true(strlen(param->name) > 0 && strlen(param->text) > 0);
        assert_true(param->min <= param->initial && param->initial <= param->max);
        assert_true(param->value == param->initial);
    }
}

/* Whoever has just been welcomed is not sent again what the welcome says. */
static void test_a_welcome_has_the_parts(void **state)
{
    struct client *ada = join("Ada");

    (void)state;
    run(3);
    assert_null(ada->parts[VIEW_ROOM]);
    assert_null(ada->parts[VIEW_PARAMS]);
    assert_int_equal(ada->event_count, 0);
    assert_int_equal(ada->snapshots, 3);
}

static void test_bad_definitions_make_no_room(void **state)
{
    const struct room_definition good = definition_default();
    struct room_definition bad = good;

    (void)state;
    bad.flock.boids = 0;
    assert_null(room_create(&bad, &sink));
    bad.flock.boids = FLOCK_BOIDS_MAX + 1;
    assert_null(room_create(&bad, &sink));
    bad = good;
    bad.boids_max = 11; /* less than it begins with */
    assert_null(room_create(&bad, &sink));
    bad.boids_max = ROOM_BOIDS_MAX + 1;
    assert_null(room_create(&bad, &sink));
    bad = good;
    bad.params[0] = -1e9F;
    assert_null(room_create(&bad, &sink));
    bad = good;
    bad.snapshot_rate = bad.tick_rate + 1;
    assert_null(room_create(&bad, &sink));
    bad = good;
    bad.people_max = 0;
    assert_null(room_create(&bad, &sink));
    room_destroy(NULL);
}

static void test_the_budget_of_all_rooms(void **state)
{
    struct room_budget budget = {.boids_max = 30};
    struct room_definition definition = definition_default();
    struct room *others[3];

    (void)state;
    definition.budget = &budget;
    others[0] = room_create(&definition, &sink);
    others[1] = room_create(&definition, &sink);
    assert_non_null(others[0]);
    assert_non_null(others[1]);
    assert_int_equal(budget.boids, 24);
    assert_null(room_create(&definition, &sink));
    assert_int_equal(budget.boids, 24);
    definition.flock.boids = 6;
    others[2] = room_create(&definition, &sink);
    assert_non_null(others[2]);
    definition.params[0] = -1e9F;
    definition.flock.boids = 1;
    assert_null(room_create(&definition, &sink)); /* which takes nothing for good */
    assert_int_equal(budget.boids, 30);
    for (int i = 0; i < 3; i++) {
        room_destroy(others[i]);
    }
    assert_int_equal(budget.boids, 0);
}

#if OWN_ALLOCATOR

/* Bytes that the program has from the allocator. */
static size_t allocated(void)
{
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

/* A server can have thousands of rooms that nobody is in. */
static void test_an_idle_room_is_small(void **state)
{
    struct room_definition definition = definition_default();
    struct flock *flock;
    size_t at_first;
    size_t of_flock;
    size_t of_room;

    (void)state;
    definition.people_max = 5000;
    room_destroy(room);
    room = NULL;
    at_first = allocated();
    flock = flock_create(&definition.flock);
    of_flock = allocated() - at_first;
    flock_destroy(flock);
    at_first = allocated();
    make_as(&definition);
    of_room = allocated() - at_first;
    print_message("a room of 12 boids: %zu bytes, %zu of them the flock's\n", of_room, of_flock);
    assert_in_range(of_room, 1, 64 * 1024);
    assert_in_range(of_room - of_flock, 1, 16 * 1024);
    /* Nor is it much more when people were there and went. */
    leave(join("Ada"));
    publish();
    forget_clients();
    assert_in_range(allocated() - at_first, 1, 64 * 1024);
}

#endif

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
        /* It says what is allowed. */
        assert_non_null(strstr(answer->error.message,
                               moves[i].field[0] == 'x' ? "-3821 to 4370.88" : "-3896 to 4295.88"));
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

/* Whatever a client says, nobody leads the flock off the screens of all. */
static void test_a_cursor_beyond_the_world_is_kept_to_its_edge(void **state)
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
        definition.flock.boundary = boundaries[i];
        make_as(&definition);
        struct client *ada = join("Ada");
        for (size_t move = 0; move < sizeof moves / sizeof moves[0]; move++) {
            send_cursor(ada, moves[move][0], moves[move][1]);
            assert_null(next_heard(ada)); /* no error */
            run(1);
            if (boundaries[i] != FLOCK_WRAP) { /* where both edges are the same */
                assert_cursor(ada, ada->id, moves[move][2], moves[move][3]);
            }
            assert_true(ada->snapshot.has_target);
            assert_true(ada->snapshot.target_x == moves[move][2]);
            assert_true(ada->snapshot.target_y == moves[move][3]);
        }
    }
}

/* A smaller world leaves nobody's cursor beyond it. */
static void test_cursors_beyond_a_smaller_world_are_withdrawn(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.flock.width = 1920;
    definition.flock.height = 1080;
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
    assert_cursor(ada, ben->id, 500, 350); /* his is in the world of 550 x 400 */
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

    /* until the timeout, or its withdrawal, or its owner's end */
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
    /* Those not shown steer all the same: the mean is that of all 150. */
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
    definition.policy = CURSOR_LATEST;
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
    definition.idle = CURSOR_HOLD;
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

/* The mean of the boids' positions, as a client sees it. */
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

/* ---- snapshots ---- */

/* Both encodings show the boids where the engine has them, of any model and boundary. */
static void test_snapshot_holds_the_boids_as_they_are(void **state)
{
    struct room_definition definition = definition_default();
    float x[500];
    float y[500];

    (void)state;
    definition.flock.boids = 500;
    definition.flock.seed = 7;
    make_as(&definition);
    const struct client *plain = join_with("plain", 0, 0);
    const struct client *packed = join_with("packed", 0, 0);
    struct flock *twin = flock_create(&definition.flock);
    assert_non_null(twin);
    for (uint64_t i = 0; i < 100; i++) {
        struct flock_point target;
        run(1);
        cursor_wander(clock_now, 550, 400, &target.x, &target.y);
        tick_flock(twin, &target);
    }
    flock_positions(twin, x, y);
    assert_int_equal(plain->snapshot.tick, 100);
    assert_int_equal(room_facts(room).ticks, 100);
    assert_true(plain->snapshot.time == clock_now);
    assert_int_equal(plain->boid_count, 500);
    assert_int_equal(packed->boid_count, 500);
    assert_memory_equal(plain->boids, packed->boids, 500 * PROTO_BOID_SIZE);
    for (uint32_t i = 0; i < 500; i++) {
        int16_t qx;
        int16_t qy;
        position_of(plain, i, &qx, &qy);
        assert_int_equal(qx, proto_quantise(x[i], 550, 0.125F));
        assert_int_equal(qy, proto_quantise(y[i], 400, 0.125F));
    }
    /* And where they head, in keyframes. */
    room_want_key(room, packed->grant.stream);
    clients[1].following = false;
    publish();
    flock_velocities(twin, x, y);
    for (uint32_t i = 0; i < 500; i++) {
        assert_int_equal(packed_headings(packed->packed)[i], proto_heading(x[i], y[i]));
    }
    flock_destroy(twin);
}

/* In a torus a position has one name, whoever sends it and however: -(period / 2) or more, and
 * less than period - period / 2. Of worlds whose sides are no whole number of steps, too. */
static void test_positions_in_a_torus_have_one_name(void **state)
{
    static const float sides[][2] = {
        {550, 400}, {333.3F, 100.07F}, {16, 16}, {65536, 40000}, {1000.0625F, 700.1875F}};

    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        struct room_definition definition = definition_default();
        bool at_edge = false;
        definition.flock.boundary = FLOCK_WRAP;
        definition.flock.width = sides[i][0];
        definition.flock.height = sides[i][1];
        definition.flock.boids = 2500;
        make_as(&definition);
        const struct client *plain = join_with("plain", 0, 0);
        const struct client *packed = join_with("packed", 0, 0);
        const struct proto_room *about = &read_frame(plain->welcome)->welcome.room;
        const int32_t period[] = {(int32_t)about->period_x, (int32_t)about->period_y};
        assert_true(fabsf((float)period[0] * about->quantum - sides[i][0]) <= about->quantum);
        for (int round = 0; round < 3; round++) {
            run(1);
            assert_memory_equal(plain->boids, packed->boids,
                                (size_t)plain->boid_count * PROTO_BOID_SIZE);
            for (uint32_t boid = 0; boid < plain->boid_count; boid++) {
                int16_t at[2];
                position_of(plain, boid, &at[0], &at[1]);
                for (int axis = 0; axis < 2; axis++) {
                    assert_true(at[axis] >= -(period[axis] / 2));
                    assert_true(at[axis] < period[axis] - period[axis] / 2);
                    at_edge |= at[axis] == -(period[axis] / 2);
                }
            }
        }
        assert_true(at_edge || sides[i][0] > 60000.0F);
    }
}

/* A boid that leaves the range is shown at its edge, not on the other side. */
static void test_a_boid_beyond_the_range_saturates(void **state)
{
    struct room_definition definition = definition_default();
    const struct proto_client_message add = {.type = PROTO_ADD,
                                             .add = {.x = 4370.875F, .y = 4295.875F, .count = 50}};
    struct proto_error error;
    bool saturated = false;

    (void)state;
    definition.flock.model = flock_model_find("boids");
    for (size_t i = 0; i < definition.flock.model->param_count; i++) {
        definition.params[i] = definition.flock.model->params[i].initial;
    }
    make_as(&definition);
    struct client *ada = join("Ada");
    assert_true(room_direct(room, &add, clock_now, &error));
    for (uint32_t round = 1; round <= 100; round++) {
        run(1);
        for (uint32_t i = ada->boid_count - 50; i < ada->boid_count; i++) {
            int16_t x;
            int16_t y;
            position_of(ada, i, &x, &y);
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
    definition.flock.boids = ROOM_BOIDS_MAX;
    make_as(&definition);
    const struct client *plain = join_with("plain", 0, 0);
    const struct client *packed = join_with("packed", 0, 0);
    const struct client *some = join_with("packed", 0, 1000);
    publish();
    assert_int_equal(plain->boid_count, ROOM_BOIDS_MAX);
    assert_int_equal(packed->boid_count, ROOM_BOIDS_MAX);
    assert_memory_equal(plain->boids, packed->boids, (size_t)ROOM_BOIDS_MAX * PROTO_BOID_SIZE);
    assert_in_range(some->boid_count, 600, 1000);
    room_workspace_shrink(workspace, 1000);
    publish();
    assert_int_equal(packed->boid_count, ROOM_BOIDS_MAX);
}

/* The same snapshots, keyframes too, whoever shares the work. */
static void test_threads_make_no_difference(void **state)
{
    struct room_definition definition = definition_default();
    uint8_t *bytes[2];
    size_t size[2];

    (void)state;
    definition.flock.boids = 100001;
    definition.flock.boundary = FLOCK_WRAP;
    for (uint32_t i = 0; i < 2; i++) {
        room_workspace_destroy(workspace);
        workspace = room_workspace_create(1 + 2 * i);
        make_as(&definition);
        struct client *packed = join_with("packed", 0, 0);
        run(2);
        room_want_key(room, packed->grant.stream);
        packed->following = false;
        run(1);
        assert_int_equal(packed->keys, 2);
        size[i] = packed->shown->size;
        bytes[i] = malloc(size[i]);
        assert_non_null(bytes[i]);
        memcpy(bytes[i], frame_data(packed->shown), size[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* For every pair of rates, a second of ticks has that many snapshots, evenly spread. */
static void test_snapshot_due(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.flock.boids = 1;
    for (uint32_t ticks = 1; ticks <= 240; ticks += 1 + ticks / 60) {
        for (uint32_t rate = 1; rate <= ticks; rate += 1 + ticks / 40) {
            uint32_t due = 0;
            uint32_t last = 0;
            definition.tick_rate = ticks;
            definition.snapshot_rate = rate;
            make_as(&definition);
            for (uint32_t round = 1; round <= 3 * ticks; round++) {
                room_tick(room, workspace, round);
                if (room_snapshot_due(room)) {
                    assert_in_range(round - last, ticks / rate, (ticks + rate - 1) / rate);
                    last = round;
                    due++;
                }
                if (round % ticks == 0) {
                    assert_int_equal(due, round / ticks * rate);
                }
            }
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_welcome),
        TEST(test_a_welcome_has_the_parts),
        TEST(test_bad_definitions_make_no_room),
        TEST(test_the_budget_of_all_rooms),
#if OWN_ALLOCATOR
        TEST(test_an_idle_room_is_small),
#endif
        TEST(test_cursors_out_of_range_are_refused),
        TEST(test_a_cursor_beyond_the_world_is_kept_to_its_edge),
        TEST(test_cursors_beyond_a_smaller_world_are_withdrawn),
        TEST(test_snapshot_shows_the_cursors),
        TEST(test_at_most_128_cursors),
        TEST(test_mean_steers),
        TEST(test_latest_steers),
        TEST(test_idle_rules),
        TEST(test_the_flock_follows_the_cursor),
        TEST(test_snapshot_holds_the_boids_as_they_are),
        TEST(test_positions_in_a_torus_have_one_name),
        TEST(test_a_boid_beyond_the_range_saturates),
        TEST(test_largest_flock),
        TEST(test_threads_make_no_difference),
        TEST(test_snapshot_due),
    };
    return cmocka_run_group_tests_name("room", tests, NULL, NULL);
}
