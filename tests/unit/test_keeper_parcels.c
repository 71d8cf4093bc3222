/* A node that ends gives its rooms with their pasts and films to the other. */
#include "parcel_nodes.h"

/* ---- rooms that move ---- */

static void test_a_past_follows_its_room(void **state)
{
    (void)state;
    await(knows_both(&a));
    const struct directory_entry made = room_with_past(&a);
    keeper_drain(a.keeper, WAIT_S);
    await(has_room(&b, made.code));
    struct had had = release_at(&b, made.code);
    assert_non_null(had.past);
    assert_int_equal(had.past->parts[0].round, 0);
    assert_true(recording_end(had.past) >= PAST_TICKS);
    finish_had(&had);
}

/* Only the bytes of a past delay the next one: a node with many small pasts ends soon. */
static void test_a_small_past_delays_little(void **state)
{
    (void)state;
    await(knows_both(&a));
    (void)room_with_past(&a);
    keeper_drain(a.keeper, WAIT_S);
    assert_true(a.keeper->part_from > 0);
    assert_true(a.keeper->part_from < uv_hrtime() + UINT64_C(2000000)); /* 40 KB */
}

/* The film comes before the room, which plays it on. */
static void test_a_film_comes_before_its_room(void **state)
{
    size_t size;

    (void)state;
    await(knows_both(&a));
    hub = a.hub;
    const struct directory_entry made = play_film("10.0.0.1", SCENE_BOIDS_MAX, &size);
    await(knows_owner(&b, made.code, "a")); /* else it refuses the film */
    struct film *before = film_at(&a, made.code);
    await(has_checkpoint(made.code));
    keeper_drain(a.keeper, WAIT_S);
    await(has_room(&b, made.code));
    struct film *after = film_at(&b, made.code);
    assert_non_null(after);
    assert_int_equal(after->size, size);
    assert_memory_equal(after->bytes, before->bytes, size);
    assert_true(hub_rooms_memory(b.hub) >= size); /* counted at its new node */
    film_release(before);
    film_release(after);
}

static int make_later_nodes(void **state)
{
    (void)state;
    rewind_time = UINT64_C(600000000);
    node_version = 1;
    const int made = make_nodes(state);
    node_version = 2;
    return made;
}

/* Nodes of the release before this one receive no parcels. */
static void test_an_earlier_release(void **state)
{
    (void)state;
    await(knows_both(&a));
    const struct directory_entry made = room_with_past(&a);
    const uint64_t begun = uv_hrtime();
    keeper_drain(a.keeper, WAIT_S);
    assert_true((double)(uv_hrtime() - begun) / 1e9 < 2); /* "a" waits for no answer */
    await(has_room(&b, made.code));
    struct had had = release_at(&b, made.code);
    assert_null(had.past);
    finish_had(&had);
}

/* ---- order and time ---- */

/* The announcements to "b". */
static struct room_parcel announced[16];
static _Atomic uint32_t announcements;

static void on_announced(void *argument, const struct broker_message *message)
{
    const uint32_t index = announcements;

    (void)argument;
    if (index < 16 && values_read_parcel(message->bytes, message->size, &announced[index])) {
        announcements++;
    }
}

static struct broker *listen_to_announcements(void)
{
    const struct broker_definition to = {.node = "c"};
    struct broker *listener = broker_memory_open(&world, &to);

    announcements = 0;
    assert_non_null(broker_subscribe(listener, BROKER_CONTROL, "take.b", on_announced, NULL));
    return listener;
}

/* Returns the place of the parcel among the announcements to "b". */
static uint32_t place_of(const char *code, bool is_film)
{
    for (uint32_t i = 0; i < announcements; i++) {
        if (strcmp(announced[i].code, code) == 0 && announced[i].is_film == is_film) {
            return i;
        }
    }
    fail_msg("%s was not announced", code);
    return 0;
}

/* Films and pasts of trusted rooms go before films of strangers' rooms. */
static void test_trusted_rooms_come_first(void **state)
{
    size_t size;

    (void)state;
    await(knows_both(&a));
    const struct directory_entry past_last = room_with_past(&a);
    const struct directory_entry film_last = play_film("10.0.0.1", SCENE_BOIDS_MAX, &size);
    await(knows_owner(&b, film_last.code, "a")); /* else it refuses the film */
    const struct directory_entry past_first = room_with_past_of(&a, 50, true);
    uint8_t *bytes = record_film(&size);
    const struct directory_entry film_first =
        play_bytes("10.0.0.2", true, bytes, size, SCENE_BOIDS_MAX);
    struct broker *listener = listen_to_announcements();
    keeper_drain(a.keeper, 20);
    await(has_room(&b, past_last.code));
    const uint32_t films[] = {place_of(film_first.code, true), place_of(film_last.code, true)};
    const uint32_t pasts[] = {place_of(past_first.code, false), place_of(past_last.code, false)};
    assert_true(films[0] < pasts[0] && pasts[0] < films[1] && films[1] < pasts[1]);
    broker_close(listener);
}

/* The numbers of the parcels that "b" has answered to "c". */
static uint64_t answered[4];
static _Atomic uint32_t answers;

static void on_answer(void *argument, const struct broker_message *message)
{
    struct parcel_answer answer;

    (void)argument;
    assert_true(values_read_answer(message->bytes, message->size, &answer));
    assert_int_equal(answer.result, PARCEL_REFUSED);
    answered[answers % 4] = answer.number;
    answers++;
}

static void announce(struct broker *from, uint64_t number)
{
    struct room_parcel parcel = {.number = number, .epoch = 1, .size = 100};
    uint8_t message[VALUES_MAX];

    snprintf(parcel.code, sizeof parcel.code, "NOSUCH");
    snprintf(parcel.node, sizeof parcel.node, "c");
    assert_true(broker_publish(from, BROKER_CONTROL, "take.b", NULL, message,
                               values_write_parcel(&parcel, message)));
}

/* A node receives a parcel once that is announced twice: the room has its past already. */
static void test_an_announcement_comes_twice(void **state)
{
    const struct broker_definition to = {.node = "c"};
    struct broker *sender = broker_memory_open(&world, &to);

    (void)state;
    answers = 0;
    assert_non_null(broker_subscribe(sender, BROKER_CONTROL, "take.c", on_answer, NULL));
    await(knows_both(&a));
    announce(sender, 1);
    announce(sender, 2);
    announce(sender, 1);
    announce(sender, 2);
    announce(sender, 3);
    await(answers == 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(answered[i], i + 1);
    }
    broker_close(sender);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_past_follows_its_room),
        TEST(test_a_small_past_delays_little),
        TEST(test_a_film_comes_before_its_room),
        cmocka_unit_test_setup_teardown(test_an_earlier_release, make_later_nodes, finish_nodes),
        TEST(test_trusted_rooms_come_first),
        TEST(test_an_announcement_comes_twice),
    };

    return cmocka_run_group_tests_name("parcels of rooms", tests, NULL, NULL);
}
