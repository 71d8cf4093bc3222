/* A room: the welcome, the contents of snapshots, the cost. */
#include "sim_tick.h"

#include "room_client.h"
#include "scene/scene.h"

#include <malloc.h>

/* The sanitizers have their own allocator, which mallinfo2() does not measure. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
size_t __sanitizer_get_current_allocated_bytes(void);
#else
#define OWN_ALLOCATOR 1
#endif

/* ---- joining and leaving ---- */

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

/* A new member does not get the parts in its welcome again. */
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
    assert_null(room_create(&bad, &sink, NULL, NULL));
    bad.flock.boids = FLOCK_BOIDS_MAX + 1;
    assert_null(room_create(&bad, &sink, NULL, NULL));
    bad = good;
    bad.boids_max = 11; /* fewer than at the beginning */
    assert_null(room_create(&bad, &sink, NULL, NULL));
    bad.boids_max = SCENE_BOIDS_MAX + 1;
    assert_null(room_create(&bad, &sink, NULL, NULL));
    bad = good;
    bad.flock.settings.params[0] = -1e9F;
    assert_null(room_create(&bad, &sink, NULL, NULL));
    bad = good;
    bad.snapshot_rate = bad.tick_rate + 1;
    assert_null(room_create(&bad, &sink, NULL, NULL));
    bad = good;
    bad.people_max = 0;
    assert_null(room_create(&bad, &sink, NULL, NULL));
    room_destroy(NULL);
}

static void test_the_budget_of_all_rooms(void **state)
{
    struct boid_budget budget = {.boids_max = 30};
    struct room_definition definition = definition_default();
    struct room *others[3];

    (void)state;
    definition.budget = &budget;
    others[0] = room_create(&definition, &sink, NULL, NULL);
    others[1] = room_create(&definition, &sink, NULL, NULL);
    assert_non_null(others[0]);
    assert_non_null(others[1]);
    assert_int_equal(budget.boids, 24);
    assert_null(room_create(&definition, &sink, NULL, NULL));
    assert_int_equal(budget.boids, 24);
    definition.flock.boids = 6;
    others[2] = room_create(&definition, &sink, NULL, NULL);
    assert_non_null(others[2]);
    definition.flock.settings.params[0] = -1e9F;
    definition.flock.boids = 1;
    assert_null(room_create(&definition, &sink, NULL, NULL)); /* and frees all memory */
    assert_int_equal(budget.boids, 30);
    for (int i = 0; i < 3; i++) {
        room_destroy(others[i]);
    }
    assert_int_equal(budget.boids, 0);
}

#if OWN_ALLOCATOR

/* Returns the bytes that the program has from the allocator. */
static size_t allocated(void)
{
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

/* A server can have thousands of empty rooms. */
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
    /* It is also small after people have left. */
    leave(join("Ada"));
    publish();
    forget_clients();
    assert_in_range(allocated() - at_first, 1, 64 * 1024);
}

#endif

/* ---- snapshots ---- */

/* Both encodings have the engine's positions, for all models and boundaries. */
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
    /* Keyframes also have the headings. */
    room_want_key(room, packed->grant.stream);
    clients[1].following = false;
    publish();
    flock_velocities(twin, x, y);
    for (uint32_t i = 0; i < 500; i++) {
        assert_int_equal(packed_headings(packed->packed)[i], proto_heading(x[i], y[i]));
    }
    flock_destroy(twin);
}

/* On a torus each position has one value: at least -(period / 2) and less than period - period / 2.
 * This holds also for worlds whose sides are not multiples of a step. */
static void test_positions_in_a_torus_have_one_name(void **state)
{
    static const float sides[][2] = {
        {550, 400}, {333.3F, 100.07F}, {16, 16}, {65536, 40000}, {1000.0625F, 700.1875F}};

    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        struct room_definition definition = definition_default();
        bool at_edge = false;
        definition.flock.settings.boundary = FLOCK_WRAP;
        definition.flock.settings.width = sides[i][0];
        definition.flock.settings.height = sides[i][1];
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
    flock_settings_choose(&definition.flock.settings, flock_model_find("boids"));
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
    definition.flock.boids = SCENE_BOIDS_MAX;
    make_as(&definition);
    const struct client *plain = join_with("plain", 0, 0);
    const struct client *packed = join_with("packed", 0, 0);
    const struct client *some = join_with("packed", 0, 1000);
    publish();
    assert_int_equal(plain->boid_count, SCENE_BOIDS_MAX);
    assert_int_equal(packed->boid_count, SCENE_BOIDS_MAX);
    assert_memory_equal(plain->boids, packed->boids, (size_t)SCENE_BOIDS_MAX * PROTO_BOID_SIZE);
    assert_in_range(some->boid_count, 600, 1000);
    room_workspace_shrink(workspace, 1000);
    publish();
    assert_int_equal(packed->boid_count, SCENE_BOIDS_MAX);
}

/* Returns the bytes of the heap, from the sanitizer's allocator or the program's. */
static size_t heap_size(void)
{
#if OWN_ALLOCATOR
    return allocated();
#else
    return __sanitizer_get_current_allocated_bytes();
#endif
}

/* When the room of a large flock ends, its runner frees the scratch memory. */
static void test_a_runner_keeps_no_memory_of_a_big_flock(void **state)
{
    struct room_definition definition = definition_default();
    size_t before = heap_size();
    struct room *big;

    (void)state;
    definition.flock.boids = definition.boids_max = 100000;
    big = room_create(&definition, &sink, NULL, NULL);
    assert_non_null(big);
    assert_true(room_tick(big, workspace, clock_now));
    view_release(room_snapshot(big, workspace, clock_now));
    room_destroy(big);
    assert_true(heap_size() > before + 100000 * sizeof(float));
    room_workspace_shrink(workspace, 1000);
    assert_true(heap_size() < before + 2500000);
    room_workspace_shrink(workspace, 0);
    assert_true(heap_size() < before + 10000);
}

/* If the number of boids is no multiple of the threads, the snapshot also has the last boid. */
static void test_the_last_boid_of_many_is_where_it_is(void **state)
{
    enum { MANY = 16385 };
    struct room_definition definition = definition_default();
    static float x[MANY];
    static float y[MANY];
    const struct client *plain;
    struct flock *twin;
    int16_t qx;
    int16_t qy;

    (void)state;
    definition.flock.boids = MANY;
    make_as(&definition);
    plain = join_with("plain", 0, 0);
    publish();
    twin = flock_create(&definition.flock);
    assert_non_null(twin);
    flock_positions(twin, x, y);
    assert_int_equal(plain->boid_count, MANY);
    position_of(plain, MANY - 1, &qx, &qy);
    assert_int_equal(qx, proto_quantise(x[MANY - 1], 550, 0.125F));
    assert_int_equal(qy, proto_quantise(y[MANY - 1], 400, 0.125F));
    flock_destroy(twin);
}

/* Snapshots and keyframes are the same for any number of threads. */
static void test_threads_make_no_difference(void **state)
{
    struct room_definition definition = definition_default();
    uint8_t *bytes[2];
    size_t size[2];

    (void)state;
    definition.flock.boids = 100001;
    definition.flock.settings.boundary = FLOCK_WRAP;
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

/* For each pair of rates, a second of ticks has the right number of snapshots, evenly spread. */
static void test_snapshot_due(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.flock.boids = 1;
    for (uint32_t ticks = 1; ticks <= 240; ticks += 1 + ticks / 30) {
        for (uint32_t rate = 1; rate <= ticks; rate += 1 + ticks / 20) {
            uint32_t due = 0;
            uint32_t last = 0;
            definition.tick_rate = ticks;
            definition.snapshot_rate = rate;
            make_as(&definition);
            for (uint32_t round = 1; round <= 2 * ticks; round++) {
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
        TEST(test_snapshot_holds_the_boids_as_they_are),
        TEST(test_positions_in_a_torus_have_one_name),
        TEST(test_a_boid_beyond_the_range_saturates),
        TEST(test_largest_flock),
        TEST(test_a_runner_keeps_no_memory_of_a_big_flock),
        TEST(test_the_last_boid_of_many_is_where_it_is),
        TEST(test_threads_make_no_difference),
        TEST(test_snapshot_due),
    };
    return cmocka_run_group_tests_name("room", tests, NULL, NULL);
}
