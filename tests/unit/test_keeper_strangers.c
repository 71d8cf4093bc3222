/* Parcels that strangers send to a node change no room, and fill no memory. */
#include "parcel_nodes.h"

#include "cluster/values.h"

/* ---- a stranger ---- */

/* A client that speaks for nodes. */
static struct broker *stranger;
static pthread_mutex_t heard_lock = PTHREAD_MUTEX_INITIALIZER;
static struct parcel_answer answer; /* the newest to "a" or "c" */
static _Atomic uint32_t answers;

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

static void begin_strangers(void)
{
    const struct broker_definition to = {.node = "c"};

    answers = 0;
    stranger = broker_memory_open(&world, &to);
    assert_non_null(broker_subscribe(stranger, BROKER_CONTROL, "take.a", on_answer, NULL));
    assert_non_null(broker_subscribe(stranger, BROKER_CONTROL, "take.c", on_answer, NULL));
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

/* Returns the number of films of that size for which "b" has taken memory. The node may have the
 * lobby, whose memory changes by some KB. */
static uint64_t films_since(uint64_t memory, size_t size)
{
    return (hub_rooms_memory(b.hub) + size / 2 - memory) / size;
}

static void test_hostile_films(void **state)
{
    struct room_parcel parcel = {.node = "a", .is_film = true};
    size_t size;
    uint8_t *film = record_film_of(BIG, &size);

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
    assert_int_equal(films_since(memory, size), 0); /* nothing is kept of these */
    assert_int_equal(offer(parcel, film, size),
                     PARCEL_TAKEN); /* a film for a room that plays none */
    assert_int_equal(offer(parcel, film, size), PARCEL_TAKEN); /* twice: one is kept */
    assert_int_equal(films_since(memory, size), 1);
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
    assert_int_equal(films_since(memory, size), 0);
    assert_int_equal(offer_with(parcel, film, size, LOSES_EACH_ONCE), PARCEL_TAKEN);
    assert_int_equal(offer_with(parcel, film, size, REPEATS), PARCEL_TAKEN);
    assert_int_equal(films_since(memory, size), 1);
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

static uint32_t parcels_at(struct node *node)
{
    uint32_t count;

    uv_mutex_lock(&node->keeper->lock);
    count = node->keeper->parcel_count;
    uv_mutex_unlock(&node->keeper->lock);
    return count;
}

/* A stream of announcements fills no memory, while the node waits for the part of a parcel: it
 * forgets those beyond a limit. */
static void test_many_announcements(void **state)
{
    struct room_parcel parcel = {.node = "a", .number = 1, .is_film = true, .size = 1000};
    uint8_t message[VALUES_MAX];

    (void)state;
    await(knows_both(&a));
    const struct directory_entry made = make_room_at(&a, 50);
    await(knows_owner(&b, made.code, "a"));
    begin_strangers();
    memcpy(parcel.code, made.code, sizeof parcel.code);
    parcel.epoch = epoch_at(&b, made.code);
    (void)broker_publish(stranger, BROKER_CONTROL, "take.b", NULL, message,
                         values_write_parcel(&parcel, message));
    await(answers > 0); /* which asks for the part */
    const uint64_t before = b.counts.malformed;
    for (uint32_t i = 0; i < 1000; i++) {
        parcel.number++;
        (void)broker_publish(stranger, BROKER_CONTROL, "take.b", NULL, message,
                             values_write_parcel(&parcel, message));
    }
    (void)broker_publish(stranger, BROKER_CONTROL, "take.b", NULL, message, 3);
    await(b.counts.malformed > before); /* "b" has heard all of them */
    assert_in_range(parcels_at(&b), 1, KEEPER_PARCELS_MAX);
    broker_close(stranger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_hostile_pasts),      TEST(test_hostile_films),
        TEST(test_parts_of_a_film),    TEST(test_messages_that_are_none),
        TEST(test_many_announcements),
    };

    return cmocka_run_group_tests_name("parcels of strangers", tests, NULL, NULL);
}
