/* A node that ends gives its rooms with their pasts and films to the other, and what strangers send
 * as a parcel changes no room. */
#include "keeper_nodes.h"

#include "cluster/keeper_parts.h"
#include "cluster/values.h"
#include "film_room.h"
#include "past/film.h"
#include "past/saved_past.h"
#include "room/room_state.h"

#define PAST_TICKS 60u
#define BIG        40000u /* boids of a film of several parts */

/* ---- what a room has ---- */

struct had {
    sem_t done;
    struct store_room kept;
    struct film *film;
    struct recording *past;
};

static void on_had(void *argument, const struct store_room *kept, struct film *film,
                   struct recording *past)
{
    struct had *had = argument;

    had->kept = *kept;
    had->film = film;
    had->past = past;
    sem_post(&had->done);
}

/* Takes the room out of the node's hub. */
static struct had release_at(const struct node *node, const char *code)
{
    struct had had = {0};

    sem_init(&had.done, 0, 0);
    assert_true(hub_release_room(node->hub, code, on_had, &had));
    sem_wait(&had.done);
    assert_non_null(had.kept.state);
    return had;
}

static void finish_had(struct had *had)
{
    free(had->kept.state);
    film_release(had->film);
    recording_destroy(had->past);
}

/* Returns the film that the room plays, to be released; NULL: none. */
static struct film *film_at(const struct node *node, const char *code)
{
    struct had had = {0};

    sem_init(&had.done, 0, 0);
    assert_true(hub_hold_film(node->hub, code, on_had, &had));
    sem_wait(&had.done);
    assert_null(had.kept.state);
    assert_null(had.past);
    return had.film;
}

static struct directory_entry room_with_past_of(struct node *node, uint32_t boids, bool trusted)
{
    const struct directory_entry made = make_room_of(node, boids, trusted);
    const struct player ada = join_at(0, made.code, "Ada");
    const struct room_stats *stats =
        directory_stats(hub_directory(node->hub), room_slot(made.number));

    await(counter_read(&stats->ticks) > PAST_TICKS);
    link_leave(ada.link, END_NONE);
    await(boids_at(node, made.code) == boids && counter_read(&stats->people) == 0);
    return made;
}

static struct directory_entry room_with_past(struct node *node)
{
    return room_with_past_of(node, 50, false);
}

static bool knows_both(const struct node *node)
{
    struct routes_node nodes[2];

    return routes_nodes(keeper_routes(node->keeper), keeper_now(), nodes, 2) == 2;
}

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

/* The film comes before the room, which plays it on. */
static void test_a_film_comes_before_its_room(void **state)
{
    size_t size;

    (void)state;
    await(knows_both(&a));
    hub = a.hub;
    const struct directory_entry made = play_film("10.0.0.1", SCENE_BOIDS_MAX, &size);
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

static int make_small_heir(void **state)
{
    (void)state;
    rewind_time = UINT64_C(600000000);
    broker_world_init(&world);
    atomic_store(&pumping, true);
    assert_int_equal(uv_thread_create(&pump, run_pump, NULL), 0);
    start_node(&a, "a");
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
    rewind_time = UINT64_C(600000000);
    broker_world_init(&world);
    atomic_store(&pumping, true);
    assert_int_equal(uv_thread_create(&pump, run_pump, NULL), 0);
    start_node(&a, "a");
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

/* ---- a stranger ---- */

/* A client that speaks for nodes. */
static struct broker *stranger;
static pthread_mutex_t heard_lock = PTHREAD_MUTEX_INITIALIZER;
static struct parcel_answer answer; /* the newest to "a" or "c" */
static struct room_parcel announced[16];
static _Atomic uint32_t answers, announcements;

static void on_answer(void *argument, const struct broker_message *message)
{
    struct parcel_answer read;

    (void)argument;
    if (values_read_answer(message->bytes, message->size, &read)) {
        pthread_mutex_lock(&heard_lock);
        answer = read;
        pthread_mutex_unlock(&heard_lock);
        answers++;
    }
}

static void on_announced(void *argument, const struct broker_message *message)
{
    const uint32_t index = announcements;

    (void)argument;
    if (index < 16 && values_read_parcel(message->bytes, message->size, &announced[index])) {
        announcements++;
    }
}

static void begin_strangers(void)
{
    const struct broker_definition to = {.node = "c"};

    answers = announcements = 0;
    stranger = broker_memory_open(&world, &to);
    assert_non_null(broker_subscribe(stranger, BROKER_CONTROL, "take.a", on_answer, NULL));
    assert_non_null(broker_subscribe(stranger, BROKER_CONTROL, "take.c", on_answer, NULL));
    assert_non_null(broker_subscribe(stranger, BROKER_CONTROL, "take.b", on_announced, NULL));
}

/* ---- order and time ---- */

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
    const struct directory_entry past_first = room_with_past_of(&a, 50, true);
    uint8_t *bytes = record_film(&size);
    const struct directory_entry film_first =
        play_bytes("10.0.0.2", true, bytes, size, SCENE_BOIDS_MAX);
    begin_strangers();
    keeper_drain(a.keeper, 20);
    await(has_room(&b, past_last.code));
    const uint32_t films[] = {place_of(film_first.code, true), place_of(film_last.code, true)};
    const uint32_t pasts[] = {place_of(past_first.code, false), place_of(past_last.code, false)};
    assert_true(films[0] < pasts[0] && pasts[0] < films[1] && films[1] < pasts[1]);
    broker_close(stranger);
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

/* ---- ends ---- */

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
    await(hub_rooms_memory(b.hub) > memory);
    broker_memory_connect(b.broker, false);
    uv_thread_join(&drain);
    assert_true((double)(uv_hrtime() - begun) / 1e9 < 10);
    assert_true(knows_owner(&a, made.code, "a"));
    broker_memory_connect(b.broker, true);
}

/* ---- hostile parcels ---- */

/* How the stranger sends the parts. */
enum fault {
    NO_FAULT,
    LOSES_EACH_ONCE,
    REPEATS,      /* and sends others before them, of other sizes and numbers */
    ENDS_HALFWAY, /* sends the first part only */
    SHORT,
    OTHER_NUMBER,
    NEXT_PART,
};

static void send_part(uint64_t number, uint32_t index, const uint8_t *bytes, size_t size)
{
    const struct parcel_part part = {.number = number, .index = index};
    uint8_t *message = malloc(VALUES_MAX + KEEPER_PART_BYTES);

    assert_non_null(message);
    const size_t head = values_write_part(&part, message);
    memcpy(message + head, bytes, size);
    assert_true(broker_publish(stranger, BROKER_BULK, "part.b", NULL, message, head + size));
    free(message);
}

static void send_others(const struct parcel_answer *asked, const uint8_t *bytes, size_t size)
{
    send_part(asked->number, asked->index + 1, bytes, size);
    send_part(asked->number + 1, asked->index, bytes, size);
    send_part(asked->number, asked->index, bytes, size - 1);
    send_part(asked->number, asked->index, bytes, 0);
}

/* Sends the part that "b" has asked for. */
static void serve(const struct parcel_answer *asked, const uint8_t *bytes, size_t size,
                  enum fault fault)
{
    static uint32_t turn;
    const size_t at = (size_t)asked->index * KEEPER_PART_BYTES;
    const size_t length = size - at < KEEPER_PART_BYTES ? size - at : KEEPER_PART_BYTES;

    assert_true(at < size);
    if ((fault == ENDS_HALFWAY && asked->index > 0) ||
        (fault == LOSES_EACH_ONCE && turn++ % 2 == 0)) {
        return;
    }
    if (fault == REPEATS) {
        send_others(asked, bytes, length);
        send_part(asked->number, asked->index, bytes + at, length);
    }
    send_part(asked->number + (fault == OTHER_NUMBER), asked->index + (fault == NEXT_PART),
              bytes + at, length - (fault == SHORT));
}

/* Announces a parcel to "b", sends its parts, and returns the answer. */
static enum parcel_result offer_with(struct room_parcel parcel, const uint8_t *bytes, size_t size,
                                     enum fault fault)
{
    static uint64_t numbers = 100;
    uint8_t message[VALUES_MAX];
    struct parcel_answer last;
    uint32_t seen = answers;

    parcel.number = numbers += 2;
    parcel.size = size;
    assert_true(broker_publish(stranger, BROKER_CONTROL, "take.b", NULL, message,
                               values_write_parcel(&parcel, message)));
    do {
        await(answers > seen);
        seen = answers;
        pthread_mutex_lock(&heard_lock);
        last = answer;
        pthread_mutex_unlock(&heard_lock);
        if (last.number == parcel.number && last.result == PARCEL_WANTED) {
            serve(&last, bytes, size, fault);
        }
    } while (last.number != parcel.number || last.result == PARCEL_WANTED);
    return last.result;
}

static enum parcel_result offer(struct room_parcel parcel, const uint8_t *bytes, size_t size)
{
    return offer_with(parcel, bytes, size, NO_FAULT);
}

static uint64_t epoch_at(const struct node *node, const char *code)
{
    struct route route;

    assert_true(routes_find(keeper_routes(node->keeper), code, &route));
    return route.epoch;
}

/* Returns a past of a room, as bytes. */
static uint8_t *pack_past(struct recording *past, size_t *size)
{
    uint8_t *bytes = saved_past_write(past, &saved_past_stored, size);

    assert_non_null(bytes);
    return bytes;
}

static void test_hostile_pasts(void **state)
{
    struct room_parcel parcel = {.node = "a"};
    size_t size;

    (void)state;
    await(knows_both(&a));
    const struct directory_entry own = room_with_past(&b);
    const struct directory_entry moved = room_with_past(&a);
    keeper_drain(a.keeper, WAIT_S);
    await(has_room(&b, moved.code));
    struct had had = release_at(&b, own.code); /* its past serves as another one */
    uint8_t *past = pack_past(had.past, &size);
    struct hub_made made;
    assert_int_equal(hub_adopt(b.hub, &had.kept, NULL, had.past, false, &made), DIRECTORY_OK);
    finish_had(&had);
    begin_strangers();

    memcpy(parcel.code, moved.code, sizeof parcel.code);
    parcel.epoch = epoch_at(&b, moved.code);
    assert_int_equal(offer(parcel, past, size),
                     PARCEL_REFUSED); /* the room has its past: this one is not earlier */
    past[size / 2] ^= 1;
    assert_int_equal(offer(parcel, past, size), PARCEL_REFUSED); /* damaged */
    past[size / 2] ^= 1;
    assert_int_equal(offer(parcel, past, 5), PARCEL_REFUSED);
    assert_int_equal(offer_with(parcel, past, size, OTHER_NUMBER), PARCEL_BROKEN);
    parcel.epoch++;
    assert_int_equal(offer(parcel, past, size), PARCEL_REFUSED); /* of another epoch */
    parcel.epoch--;
    memcpy(parcel.node, "c", 2);
    assert_int_equal(offer(parcel, past, size), PARCEL_REFUSED); /* "c" never had the room */
    memcpy(parcel.code, own.code, sizeof parcel.code);
    parcel.epoch = epoch_at(&b, own.code);
    assert_int_equal(offer(parcel, past, size), PARCEL_REFUSED); /* nor this one */
    memcpy(parcel.node, "a", 2);
    assert_int_equal(offer(parcel, past, size), PARCEL_REFUSED); /* and "a" neither */
    memcpy(parcel.code, "AB2CD3", sizeof "AB2CD3");
    assert_int_equal(offer(parcel, past, size), PARCEL_REFUSED); /* no such room */
    memcpy(parcel.code, moved.code, sizeof parcel.code);
    parcel.epoch = epoch_at(&b, moved.code);
    assert_int_equal(offer(parcel, past, (size_t)(32u << 20) + 1), PARCEL_REFUSED); /* too large */
    parcel.is_film = true;
    assert_int_equal(offer(parcel, past, size),
                     PARCEL_REFUSED); /* a film for a room of this node */
    free(past);

    had = release_at(&b, moved.code);
    assert_int_equal(had.past->parts[0].round, 0); /* as it came */
    assert_true(recording_end(had.past) >= PAST_TICKS);
    finish_had(&had);
    broker_close(stranger);
}

static void test_hostile_films(void **state)
{
    struct room_parcel parcel = {.node = "a", .is_film = true};
    size_t size;
    uint8_t *film = record_film(&size);

    (void)state;
    await(knows_both(&a));
    const struct directory_entry made = make_room_at(&a, 50);
    await(knows_owner(&b, made.code, "a"));
    await(has_room(&a, ROOM_LOBBY) || has_room(&b, ROOM_LOBBY));
    begin_strangers();
    const uint64_t memory = hub_rooms_memory(b.hub);
    memcpy(parcel.code, made.code, sizeof parcel.code);
    parcel.epoch = epoch_at(&b, made.code);
    film[size / 2] ^= 1;
    assert_int_equal(offer(parcel, film, size), PARCEL_REFUSED);
    film[size / 2] ^= 1;
    memcpy(parcel.node, "c", 2);
    assert_int_equal(offer(parcel, film, size), PARCEL_REFUSED);
    memcpy(parcel.node, "a", 2);
    parcel.epoch++;
    assert_int_equal(offer(parcel, film, size), PARCEL_REFUSED);
    parcel.epoch--;
    assert_int_equal(hub_rooms_memory(b.hub), memory); /* nothing is kept of these */
    assert_int_equal(offer(parcel, film, size),
                     PARCEL_TAKEN); /* a film for a room that plays none */
    assert_int_equal(offer(parcel, film, size), PARCEL_TAKEN); /* twice: one is kept */
    assert_in_range(hub_rooms_memory(b.hub) - memory, size, 2 * size - 1);
    keeper_drain(a.keeper, WAIT_S);
    await(has_room(&b, made.code));
    assert_null(film_at(&b, made.code));
    assert_int_equal(boids_at(&b, made.code), 50);
    free(film);
    broker_close(stranger);
}

/* A film is complete with lost and repeated parts, and nothing is kept of an incomplete one. */
static void test_parts_of_a_film(void **state)
{
    struct room_parcel parcel = {.node = "a", .is_film = true};
    size_t size;
    uint8_t *film = record_film_of(BIG, &size);

    (void)state;
    await(knows_both(&a));
    const struct directory_entry made = make_room_at(&a, 50);
    await(knows_owner(&b, made.code, "a"));
    begin_strangers();
    const uint64_t memory = hub_rooms_memory(b.hub);
    memcpy(parcel.code, made.code, sizeof parcel.code);
    parcel.epoch = epoch_at(&b, made.code);
    assert_int_equal(offer_with(parcel, film, size, ENDS_HALFWAY), PARCEL_BROKEN);
    assert_int_equal(offer_with(parcel, film, size, SHORT), PARCEL_BROKEN);
    assert_int_equal(offer_with(parcel, film, size, NEXT_PART), PARCEL_BROKEN);
    assert_int_equal(hub_rooms_memory(b.hub), memory);
    assert_int_equal(offer_with(parcel, film, size, LOSES_EACH_ONCE), PARCEL_TAKEN);
    assert_int_equal(offer_with(parcel, film, size, REPEATS), PARCEL_TAKEN);
    assert_true(hub_rooms_memory(b.hub) > memory);
    free(film);
    broker_close(stranger);
}

/* Messages that are none are counted, and nothing else. */
static void test_messages_that_are_none(void **state)
{
    struct room_parcel parcel = {.code = "AB2CD3", .node = "a", .number = 1, .size = 0};
    uint8_t message[VALUES_MAX];

    (void)state;
    begin_strangers();
    const uint64_t before = b.counts.malformed;
    (void)broker_publish(stranger, BROKER_CONTROL, "take.b", NULL, message,
                         values_write_parcel(&parcel, message)); /* empty */
    parcel.size = KEEPER_PARCEL_MAX + 1;
    (void)broker_publish(stranger, BROKER_CONTROL, "take.b", NULL, message,
                         values_write_parcel(&parcel, message));
    parcel.size = UINT64_MAX;
    (void)broker_publish(stranger, BROKER_CONTROL, "take.b", NULL, message,
                         values_write_parcel(&parcel, message));
    (void)broker_publish(stranger, BROKER_CONTROL, "take.b", NULL, message, 3);
    (void)broker_publish(stranger, BROKER_BULK, "part.b", NULL, message, 3);
    await(b.counts.malformed == before + 5);
    broker_close(stranger);
}

/* A stream of announcements fills no memory: the node forgets those beyond a limit. */
static void test_many_announcements(void **state)
{
    struct room_parcel parcel = {.code = "AB2CD3", .node = "c", .number = 1, .size = 1000};
    uint8_t message[VALUES_MAX];

    (void)state;
    begin_strangers();
    for (uint32_t i = 0; i < 1000; i++) {
        (void)broker_publish(stranger, BROKER_CONTROL, "take.b", NULL, message,
                             values_write_parcel(&parcel, message));
    }
    await(answers > 0);
    assert_int_equal(answer.result, PARCEL_REFUSED);
    broker_close(stranger);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_nodes_with_pasts, finish_nodes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_past_follows_its_room),
        TEST(test_a_film_comes_before_its_room),
        cmocka_unit_test_setup_teardown(test_a_node_without_memory, make_small_heir, finish_nodes),
        cmocka_unit_test_setup_teardown(test_an_earlier_release, make_later_nodes, finish_nodes),
        TEST(test_trusted_rooms_come_first),
        TEST(test_parts_that_do_not_arrive),
        TEST(test_little_time),
        TEST(test_a_receiver_that_dies),
        cmocka_unit_test_setup_teardown(test_a_room_that_does_not_run, make_heir_of_few_boids,
                                        finish_nodes),
        TEST(test_hostile_pasts),
        TEST(test_hostile_films),
        TEST(test_parts_of_a_film),
        TEST(test_messages_that_are_none),
        TEST(test_many_announcements),
    };

    return cmocka_run_group_tests_name("parcels of rooms", tests, NULL, NULL);
}
