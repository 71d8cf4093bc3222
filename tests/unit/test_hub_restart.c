/* A room keeps its creator after a restart: its account of time and its shares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "hub/inside.h"
#include "hub/runner_room.h"
#include "store/store.h"

#include "film_room.h"
#include "store_folder.h"

enum { FIRST, SECOND, OTHER, TRUSTED, LATER, ROOMS };

static const struct {
    const char *address;
    bool trusted;
} makers[ROOMS] = {[FIRST] = {"10.0.0.1", false},
                   [SECOND] = {"10.0.0.1", false},
                   [OTHER] = {"10.0.0.2", false},
                   [TRUSTED] = {"10.0.0.3", true},
                   [LATER] = {"10.0.0.1", false}};

static struct store *store;
static char codes[ROOMS][PROTO_ROOM_MAX + 1];

static uint64_t room_memory = 64U << 20;
static uint32_t rooms_max = 8;
static uint64_t boids_max = 1000;

static void begin(void)
{
    struct hub_definition definition = default_hub();
    char text[STORE_REASON_MAX];

    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    definition.store = store;
    definition.checkpoint_interval = UINT64_C(100000);
    definition.room_boids = 1000;
    definition.boids_max = boids_max;
    definition.limits.rooms_max = rooms_max;
    definition.history_bytes = 64U << 20;
    definition.room_memory = room_memory;
    definition.fingerprint = 1;
    definition.lobby.flock.boids = 1;
    assert_int_equal(start(&definition), 0);
}

static enum directory_result make_of(uint32_t boids, int maker, struct hub_made *made)
{
    struct hub_making making = {.definition = room_definition_default(),
                                .address = makers[maker].address};

    making.definition.flock.boids = boids;
    making.definition.boids_max = 1000;
    making.definition.people_max = 8;
    making.definition.trusted = makers[maker].trusted;
    return hub_make_room(hub, &making, made);
}

static void make_one(int maker)
{
    struct hub_made made;

    assert_int_equal(make_of(100, maker, &made), DIRECTORY_OK);
    memcpy(codes[maker], made.entry.code, sizeof codes[maker]);
}

/* Stops the hub when its runner has all rooms. */
static void stop(int rooms)
{
    for (int i = 0; i < rooms; i++) {
        struct player player = join_at(0, codes[i], "Ada");
        (void)welcomed(&player);
        link_leave(player.link, END_NONE);
    }
    hub_stop(hub);
}

/* Returns the account that pays for the room. Must be called after stop(). */
static const struct account *account_of(int room)
{
    struct directory_entry entry;

    assert_true(directory_find(hub_directory(hub), codes[room], &entry));
    return hub->runners[0]->rooms[room_slot(entry.number)]->turn.account;
}

static void end(void)
{
    hub_destroy(hub);
    proto_decoder_destroy(decoder);
    sem_destroy(&woken);
    assert_true(store_close(store, DEADLINE_S));
}

static void make_first(void)
{
    begin();
    for (int i = FIRST; i <= TRUSTED; i++) {
        make_one(i);
    }
    stop(LATER);
}

static void rooms_of_a_creator_share_its_account(void **state)
{
    (void)state;
    make_first();
    for (int restarts = 0; restarts < 3; restarts++) {
        assert_ptr_equal(account_of(FIRST), account_of(SECOND));
        assert_ptr_not_equal(account_of(FIRST), account_of(OTHER));
        assert_ptr_not_equal(account_of(FIRST), account_of(TRUSTED));
        assert_true(account_of(TRUSTED)->trusted);
        assert_false(account_of(FIRST)->trusted);
        assert_false(account_of(OTHER)->trusted);
        end();
        begin();
        stop(LATER);
    }
    end();
    begin();
    make_one(LATER);
    stop(ROOMS);
    assert_ptr_equal(account_of(LATER), account_of(FIRST));
    assert_int_equal(account_of(LATER)->rooms, 3);
    end();
}

/* Boids and rooms. */
static void limits_of_a_creator_count_its_restored_rooms(void **state)
{
    struct hub_made before, after;

    (void)state;
    begin();
    for (int i = FIRST; i <= TRUSTED; i++) {
        make_one(i);
    }
    assert_int_equal(make_of(900, FIRST, &before), DIRECTORY_FULL);
    stop(LATER);
    end();
    begin();
    assert_int_equal(make_of(900, FIRST, &after), DIRECTORY_FULL);
    assert_true(before.boids_left > 0 && before.boids_left == after.boids_left);
    assert_int_equal(make_of(1, FIRST, &after), DIRECTORY_OK); /* its third of five places */
    assert_int_equal(make_of(1, FIRST, &after), DIRECTORY_SHARE);
    assert_int_equal(make_of(1, OTHER, &after), DIRECTORY_OK);
    hub_stop(hub);
    end();
}

/* Returns the bytes of the pasts of the creator's rooms. */
static uint64_t bytes_of(const char *address)
{
    struct creator *creator =
        creators_hold(hub->creators, creators_number(hub->creators, address), false);
    uint64_t bytes;

    assert_non_null(creator);
    bytes = atomic_load(&creator->pasts->bytes);
    creator_release(creator);
    return bytes;
}

/* … and toward the limit of its room. */
static void a_recording_still_counts_for_its_creator(void **state)
{
    const char *address = makers[FIRST].address;
    struct directory_entry entry;
    size_t size = 0;

    (void)state;
    begin();
    entry = play_film(address, 1000, &size);
    assert_true(bytes_of(address) >= size);
    hub_stop(hub);
    end();
    for (int restarts = 0; restarts < 2; restarts++) {
        begin();
        assert_true(bytes_of(address) >= size);
        assert_true(directory_find(hub_directory(hub), entry.code, &entry));
        assert_int_equal(ask(entry.number, "", NULL, false), PROTO_E_KEY); /* the runner has it */
        hub_stop(hub);
        assert_true(hub->runners[0]->rooms[room_slot(entry.number)]->budget->bytes >= size);
        end();
    }
    room_memory = size - 1; /* the room continues without its recording */
    begin();
    room_memory = 64U << 20;
    assert_true(directory_find(hub_directory(hub), entry.code, &entry));
    assert_true(bytes_of(address) < size);
    hub_stop(hub);
    end();
}

/* Starts the hub with the limits, and ends it. Returns how many rooms it had, with the lobby. */
static uint32_t rooms_within(uint32_t rooms, uint64_t boids)
{
    uint32_t count;

    rooms_max = rooms;
    boids_max = boids;
    begin();
    count = directory_count(hub_directory(hub));
    hub_stop(hub);
    end();
    rooms_max = 8;
    boids_max = 1000;
    return count;
}

/* The lobby always has its place and its boids: without it the server does not start. */
static void rooms_beyond_lower_limits_stay_in_the_store(void **state)
{
    (void)state;
    make_first();
    end();
    assert_int_equal(rooms_within(2, 1000), 2);
    assert_int_equal(rooms_within(1, 1000), 1);
    assert_int_equal(rooms_within(8, 200), 2); /* of 100 boids each, and one in the lobby */
    run_sql("DELETE FROM room WHERE code = 'lobby'");
    assert_int_equal(rooms_within(2, 200), 2);
    assert_int_equal(rooms_within(8, 1000), 1 + LATER);
}

static bool is_restored(int room)
{
    struct directory_entry entry;

    return directory_find(hub_directory(hub), codes[room], &entry);
}

/* The newest rooms do not displace the others. */
static void trusted_rooms_and_then_creators_in_turn_are_restored(void **state)
{
    (void)state;
    make_first();
    end();
    run_sql("UPDATE room SET saved_at = 1 WHERE code NOT IN (SELECT code FROM creator "
            "WHERE number = (SELECT number FROM creator GROUP BY number HAVING count(*) = 2))");
    /* The other creator has the address of the trusted one, whose room is newer. */
    run_sql("UPDATE creator SET number = (SELECT number FROM creator WHERE trusted = 1) "
            "WHERE number = (SELECT number FROM creator JOIN room USING (code) "
            "WHERE saved_at = 1 AND trusted = 0)");
    run_sql("UPDATE room SET saved_at = 2 WHERE code IN "
            "(SELECT code FROM creator WHERE trusted = 1)");
    rooms_max = 3;
    begin();
    assert_true(is_restored(TRUSTED));
    assert_int_equal(is_restored(FIRST) + is_restored(SECOND), 1);
    hub_stop(hub);
    end();
    rooms_max = 4;
    begin();
    assert_true(is_restored(TRUSTED) && is_restored(OTHER));
    hub_stop(hub);
    end();
    rooms_max = 8;
}

/* As after a start of an older flockd, which knows less. */
static void a_room_that_cannot_be_read_stays_in_the_store(void **state)
{
    (void)state;
    make_first();
    end();
    run_sql("CREATE TABLE whole AS SELECT code, state FROM room");
    run_sql("UPDATE room SET state = 'x' WHERE code != 'lobby'");
    assert_int_equal(rooms_within(8, 1000), 1);
    run_sql("UPDATE room SET state = whole.state FROM whole WHERE room.code = whole.code");
    assert_int_equal(rooms_within(8, 1000), 1 + LATER);
}

static void assert_own_accounts(void)
{
    begin();
    stop(LATER);
    for (int i = FIRST; i <= TRUSTED; i++) {
        assert_int_equal(account_of(i)->rooms, 1);
        assert_int_equal(account_of(i)->id, 0);
        assert_false(account_of(i)->trusted);
    }
    end();
}

static void a_damaged_creator_is_not_known(void **state)
{
    (void)state;
    make_first();
    end();
    run_sql("UPDATE creator SET number = -5, trusted = 1");
    assert_own_accounts();
    run_sql("UPDATE creator SET number = 'x', trusted = 1");
    assert_own_accounts();
    run_sql("UPDATE creator SET number = 7, trusted = 2");
    assert_own_accounts();
}

static void an_older_database_has_no_creators(void **state)
{
    (void)state;
    make_first();
    end();
    run_sql("DROP TABLE creator; DROP TABLE secret");
    assert_own_accounts();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(rooms_of_a_creator_share_its_account),
        TEST(limits_of_a_creator_count_its_restored_rooms),
        TEST(a_recording_still_counts_for_its_creator),
        TEST(rooms_beyond_lower_limits_stay_in_the_store),
        TEST(trusted_rooms_and_then_creators_in_turn_are_restored),
        TEST(a_room_that_cannot_be_read_stays_in_the_store),
        TEST(a_damaged_creator_is_not_known),
        TEST(an_older_database_has_no_creators),
    };
    return cmocka_run_group_tests_name("hub_restart", tests, NULL, NULL);
}
