/* Nodes whose rooms have parcels that the next node does not get, or cannot take. */
#include "parcel_nodes.h"

/* ---- the next node ---- */

/* The second one gets limits of its own. */
static void make_first_node(void)
{
    rewind_time = UINT64_C(600000000);
    broker_world_init(&world);
    atomic_store(&pumping, true);
    assert_int_equal(uv_thread_create(&pump, run_pump, NULL), 0);
    start_node(&a, "a");
}

static int make_small_heir(void **state)
{
    (void)state;
    make_first_node();
    history_bytes = 4096;
    start_node(&b, "b");
    history_bytes = UINT64_C(1) << 30;
    return 0;
}

/* A film and a past that do not fit are left behind, and the rooms run. */
static void test_a_node_without_memory(void **state)
{
    size_t size;

    (void)state;
    await(knows_both(&a));
    hub = a.hub;
    const struct directory_entry film = play_film("10.0.0.1", SCENE_BOIDS_MAX, &size);
    await(knows_owner(&b, film.code, "a")); /* else it refuses the film */
    const struct directory_entry made = room_with_past(&a);
    keeper_drain(a.keeper, WAIT_S);
    await(has_room(&b, film.code) && has_room(&b, made.code));
    assert_null(film_at(&b, film.code));
    struct had had = release_at(&b, made.code);
    assert_null(had.past);
    finish_had(&had);
}

static int make_heir_of_few_boids(void **state)
{
    (void)state;
    make_first_node();
    boids_limit = 2000;
    start_node(&b, "b");
    boids_limit = 1000000;
    return 0;
}

/* A room that the next node cannot continue costs the other rooms no past. */
static void test_a_room_that_does_not_run(void **state)
{
    struct directory_entry small[3];

    (void)state;
    await(knows_both(&a));
    const struct directory_entry big = room_with_past_of(&a, 5000, false);
    for (int i = 0; i < 3; i++) {
        small[i] = room_with_past(&a);
    }
    await(has_checkpoint(big.code));
    keeper_drain(a.keeper, 20);
    assert_false(has_room(&b, big.code));
    for (int i = 0; i < 3; i++) {
        await(has_room(&b, small[i].code));
        struct had had = release_at(&b, small[i].code);
        assert_non_null(had.past);
        assert_int_equal(had.past->parts[0].round, 0);
        finish_had(&had);
    }
}

/* ---- the way ---- */

/* Lets the node "b" hear no part, or hear parts again. */
static void lose_parts(bool lost)
{
    pthread_mutex_lock(&world.lock);
    for (struct broker_subscription *at = world.subscriptions; at != NULL; at = at->next) {
        if (strcmp(at->subject, "part.b") == 0) {
            at->ended = lost;
        }
    }
    pthread_mutex_unlock(&world.lock);
}

/* Parts that do not arrive cost one parcel's time, and no room. */
static void test_parts_that_do_not_arrive(void **state)
{
    struct directory_entry rooms[4];
    size_t size;

    (void)state;
    await(knows_both(&a));
    for (int i = 0; i < 3; i++) {
        rooms[i] = room_with_past_of(&a, 50, i == 0);
    }
    rooms[3] = play_film("10.0.0.1", SCENE_BOIDS_MAX, &size);
    await(knows_owner(&b, rooms[3].code, "a")); /* else it refuses the film */
    lose_parts(true);
    const uint64_t begun = uv_hrtime();
    keeper_drain(a.keeper, 20);
    assert_in_range((uv_hrtime() - begun) / 1000000, 2000, 6000);
    for (int i = 0; i < 4; i++) {
        await(has_room(&b, rooms[i].code));
    }
    assert_null(film_at(&b, rooms[3].code));
}

/* A node with little time sends films in half of it, and then gives the rooms without them. */
static void test_little_time(void **state)
{
    struct directory_entry rooms[3];
    size_t size;

    (void)state;
    await(knows_both(&a));
    hub = a.hub;
    uint8_t *bytes = record_film_of(BIG, &size);
    rooms[0] = play_bytes("10.0.0.1", true, bytes, size, SCENE_BOIDS_MAX);
    rooms[1] = room_with_past_of(&a, 50, true);
    rooms[2] = room_with_past(&a);
    lose_parts(true);
    const uint64_t begun = uv_hrtime();
    keeper_drain(a.keeper, 1);
    assert_true(uv_hrtime() - begun < UINT64_C(2000000000));
    for (int i = 0; i < 3; i++) {
        await(has_room(&b, rooms[i].code));
    }
}

static void run_drain(void *argument)
{
    (void)argument;
    keeper_drain(a.keeper, 20);
}

/* The other node dies while the film is on its way. The first one keeps the room. */
static void test_a_receiver_that_dies(void **state)
{
    uv_thread_t drain;
    size_t size;

    (void)state;
    await(knows_both(&a));
    hub = a.hub;
    uint8_t *bytes = record_film_of(BIG, &size);
    assert_true(size > 2 * KEEPER_PART_BYTES);
    const struct directory_entry made = play_bytes("10.0.0.1", true, bytes, size, SCENE_BOIDS_MAX);
    await(has_checkpoint(made.code));
    const uint64_t memory = hub_rooms_memory(b.hub);
    const uint64_t begun = uv_hrtime();
    assert_int_equal(uv_thread_create(&drain, run_drain, NULL), 0);
    await(hub_rooms_memory(b.hub) > memory + size / 2);
    broker_memory_connect(b.broker, false);
    uv_thread_join(&drain);
    assert_true((double)(uv_hrtime() - begun) / 1e9 < 10);
    assert_true(knows_owner(&a, made.code, "a"));
    broker_memory_connect(b.broker, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_node_without_memory, make_small_heir, finish_nodes),
        cmocka_unit_test_setup_teardown(test_a_room_that_does_not_run, make_heir_of_few_boids,
                                        finish_nodes),
        TEST(test_parts_that_do_not_arrive),
        TEST(test_little_time),
        TEST(test_a_receiver_that_dies),
    };

    return cmocka_run_group_tests_name("parcels that are lost", tests, NULL, NULL);
}
