/* A shard reads from clients that send more than it has time for. */
#include "readers_shard.h"

static void test_enough_time(void **state)
{
    static struct shard shard;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 300; i++) {
        add_client(&shard, 1 + i % 3, i % 2, 20 * US);
    }
    for (uint32_t turn = 0; turn < 1000; turn++) {
        run_turn(&shard);
        assert_false(readers_wait(&shard.readers));
    }
    stop_shard(&shard);
}

/* Turns become short, and each client is read again and again. */
static void test_short_turns(void **state)
{
    static struct shard shard;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 500; i++) {
        add_client(&shard, 1 + i / 100, false, (20 + i % 100) * US);
    }
    for (uint32_t turn = 0; turn < 200; turn++) {
        run_turn(&shard);
        assert_in_range(shard.turn, 1, READERS_SLICE + 120 * US);
    }
    for (uint32_t i = 0; i < 500; i++) {
        assert_in_range(shard.clients[i].reads, 10, 60);
    }
    stop_shard(&shard);
}

static void test_trusted_rooms(void **state)
{
    static struct shard shard;
    struct client *good;

    (void)state;
    start_shard(&shard);
    good = add_client(&shard, 1, true, 100 * US);
    for (uint32_t i = 0; i < 500; i++) {
        add_client(&shard, 1, false, 100 * US);
    }
    for (uint32_t turn = 0; turn < 500; turn++) {
        run_turn(&shard);
        assert_false(good->reader.in_line);
    }
    assert_int_equal(good->reads, 500);
    stop_shard(&shard);
}

/* A creator with many clients does not slow down a creator with few. */
static void test_light_account(void **state)
{
    static struct shard shard;
    struct client *light;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 400; i++) {
        add_client(&shard, 1, false, 50 * US);
    }
    light = add_client(&shard, 2, false, 100 * US);
    for (uint32_t turn = 0; turn < 400; turn++) {
        light->sends = turn % 2 == 0;
        run_turn(&shard);
        assert_false(light->reader.in_line);
    }
    stop_shard(&shard);
}

/* In the lobby, the account is the client's address. */
static void test_attack_within_the_lobby(void **state)
{
    static struct shard shard;
    struct client *good;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 500; i++) {
        add_client(&shard, 7, true, 50 * US);
    }
    good = add_client(&shard, 8, true, 20 * US);
    run_turn(&shard);
    for (uint32_t turn = 0; turn < 400; turn++) {
        run_turn(&shard);
        assert_false(good->reader.in_line);
        assert_in_range(shard.turn, 1, 2 * READERS_SLICE);
    }
    stop_shard(&shard);
}

/* A class whose joins took long does not wait until each of hundreds of addresses in the lobby has
 * taken as long. The teacher comes a turn after his pupils, which makes them pupils. */
static void test_pupils_among_many_addresses(void **state)
{
    static struct shard shard;
    struct client *pupil, *stranger;

    (void)state;
    start_shard(&shard);
    pupil = add_client(&shard, 1, true, 20 * US);
    for (uint64_t address = 2; address < 600; address++) {
        stranger = add_client(&shard, address, true, 100 * US);
    }
    run_turn(&shard);
    readers_charge(&shard.readers, &pupil->reader, part_of(60000 * US));
    run_turn(&shard);
    assert_true(pupil->reader.in_line);
    assert_true(readers_move(&shard.readers, &pupil->reader, 1, READERS_PUPILS));
    for (uint32_t turn = 0; turn < 400; turn++) {
        run_turn(&shard);
        assert_false(pupil->reader.in_line);
    }
    assert_true(stranger->reads > 0); /* they have a slice of their own */
    assert_true(readers_move(&shard.readers, &pupil->reader, 1, READERS_TRUSTED));
    run_turn(&shard);
    run_turn(&shard);
    assert_true(pupil->reader.in_line);
    stop_shard(&shard);
}

/* The time for reading a hello counts for the slice from which it was read. */
static void test_a_hello_changes_the_class(void **state)
{
    static struct shard shard;

    (void)state;
    start_shard(&shard);
    struct client *client = add_client(&shard, 1, false, 0);
    readers_ready(&shard.readers, &client->reader);
    assert_ptr_equal(readers_next(&shard.readers), &client->reader);
    assert_true(readers_move(&shard.readers, &client->reader, 1, READERS_TRUSTED));
    readers_charge_reading(&shard.readers, &client->reader, part_of(3 * MS));
    assert_int_equal(shard.readers.classes[READERS_OTHERS].spent, 3 * MS);
    assert_int_equal(shard.readers.classes[READERS_TRUSTED].spent, 0);
    assert_int_equal(client->reader.account->used, 3 * MS);
    stop_shard(&shard);
}

/* Returns the time that the clients of that account have had. */
static uint64_t had(const struct shard *shard, uint64_t account)
{
    uint64_t time = 0;

    for (uint32_t i = 0; i < shard->count; i++) {
        time += shard->clients[i].reader.account->id == account ? shard->clients[i].had : 0;
    }
    return time;
}

static void test_equal_shares(void **state)
{
    static struct shard shard;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 500; i++) {
        add_client(&shard, i < 400 ? 1 : i < 480 ? 2 : 3, false, (i % 7 + 1) * 20 * US);
    }
    for (uint32_t turn = 0; turn < 3000; turn++) {
        run_turn(&shard);
    }
    assert_in_range(100 * had(&shard, 1) / had(&shard, 2), 85, 115);
    assert_in_range(100 * had(&shard, 1) / had(&shard, 3), 85, 115);
    stop_shard(&shard);
}

/* An account that was idle for long gets no more than its share afterwards. */
static void test_unused_time_is_lost(void **state)
{
    static struct shard shard;
    uint64_t before;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 400; i++) {
        add_client(&shard, 1 + i % 2, false, 50 * US)->sends = i % 2 == 0;
    }
    for (uint32_t turn = 0; turn < 1000; turn++) {
        run_turn(&shard);
    }
    before = had(&shard, 1);
    for (uint32_t i = 0; i < 400; i++) {
        shard.clients[i].sends = true;
    }
    for (uint32_t turn = 0; turn < 1000; turn++) {
        run_turn(&shard);
    }
    assert_in_range(100 * (had(&shard, 1) - before) / had(&shard, 2), 85, 115);
    stop_shard(&shard);
}

static void test_no_one_waits_after_a_flood(void **state)
{
    static struct shard shard;
    uint32_t turns = 0;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 500; i++) {
        add_client(&shard, 1 + i % 9, i % 2, 50 * US);
    }
    run_turn(&shard);
    run_turn(&shard);
    assert_true(readers_wait(&shard.readers));
    for (uint32_t i = 0; i < 500; i++) {
        shard.clients[i].sends = false;
    }
    while (readers_wait(&shard.readers)) {
        run_turn(&shard);
        assert_in_range(++turns, 1, 100);
    }
    stop_shard(&shard);
}

/* Clients leave while they are in line, are not, or have no account yet. */
static void test_leaving(void **state)
{
    static struct shard shard;
    struct reader stranger = {0};

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 300; i++) {
        add_client(&shard, i % 5, false, 100 * US);
    }
    readers_charge(&shard.readers, &stranger, part_of(US));
    readers_leave(&shard.readers, &stranger);
    run_turn(&shard);
    assert_true(readers_wait(&shard.readers));
    stop_shard(&shard);
    assert_false(readers_wait(&shard.readers));
}

/* Clients who come back after each message have no new share. */
static void test_coming_back(void **state)
{
    static struct shard shard;
    struct client *good;

    (void)state;
    start_shard(&shard);
    good = add_client(&shard, 2, false, 100 * US);
    for (uint32_t i = 0; i < 300; i++) {
        add_client(&shard, 1, false, 100 * US);
    }
    run_turn(&shard);
    for (uint32_t turn = 0; turn < 200; turn++) {
        for (uint32_t i = 1; i < 300; i++) {
            struct reader *reader = &shard.clients[i].reader;
            if (!reader->in_line) {
                readers_leave(&shard.readers, reader);
                assert_true(readers_join(&shard.readers, reader, 1, READERS_OTHERS));
                (void)readers_must_wait(&shard.readers, reader);
            }
        }
        run_turn(&shard);
        assert_false(good->reader.in_line);
        assert_in_range(shard.turn, 1, 2 * READERS_SLICE);
    }
    stop_shard(&shard);
}

/* With readers_must_queue() a turn is short however many accounts there are, and all are read. */
static void test_many_accounts(void **state)
{
    static struct shard shard;
    struct reader *reader;
    uint32_t read = 0;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 400; i++) {
        struct client *client = add_client(&shard, 1 + i, false, 1000 * US);
        if (!readers_must_queue(&shard.readers, &client->reader)) {
            readers_charge(&shard.readers, &client->reader, part_of(client->cost));
            read++;
        }
    }
    assert_in_range(read, 4, 6);
    for (uint32_t turn = 0; turn < 200; turn++) {
        const uint32_t before = read;
        readers_turn(&shard.readers, 0, false);
        while ((reader = readers_next(&shard.readers)) != NULL) {
            readers_charge(&shard.readers, reader, part_of(1000 * US));
            read++;
        }
        assert_in_range(read - before, 0, 5);
    }
    assert_int_equal(read, 400);
    assert_false(readers_wait(&shard.readers));
    stop_shard(&shard);
}

/* Hundreds of addresses that ask for something in the same moment do not make a turn long. */
static void test_arrivals_in_one_moment(void **state)
{
    static struct shard shard;
    uint32_t read = 0;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 400; i++) {
        struct client *client = add_client(&shard, 1 + i, false, 100 * US);
        if (!readers_must_wait(&shard.readers, &client->reader)) {
            readers_charge(&shard.readers, &client->reader, part_of(client->cost));
            read++;
        }
    }
    assert_in_range(read, READERS_MOST / (100 * US), READERS_MOST / (100 * US) + 1);
    for (uint32_t turn = 0; turn < 20; turn++) {
        struct reader *reader;
        readers_turn(&shard.readers, 0, false);
        while ((reader = readers_next(&shard.readers)) != NULL) {
            readers_charge(&shard.readers, reader, part_of(100 * US));
            read++;
        }
    }
    assert_int_equal(read, 400);
    stop_shard(&shard);
}

/* Also if none of them stays for a moment. */
static void test_short_visits(void **state)
{
    static struct shard shard;
    uint32_t waited = 0;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 100; i++) {
        struct reader visitor = {0};
        assert_true(readers_join(&shard.readers, &visitor, 1, READERS_OTHERS));
        if (readers_must_wait(&shard.readers, &visitor)) {
            waited++;
        } else {
            readers_charge(&shard.readers, &visitor, part_of(1000 * US));
        }
        readers_leave(&shard.readers, &visitor);
    }
    assert_in_range(waited, 95, 96);
    stop_shard(&shard);
}

/* More clients than a class are a crowd until enough of them have left. */
static void test_a_crowd(void **state)
{
    static struct shard shard;
    struct client *other;

    (void)state;
    start_shard(&shard);
    other = add_client(&shard, 2, true, US);
    for (uint32_t i = 0; i < READERS_CROWD; i++) {
        add_client(&shard, 1, true, US);
    }
    assert_false(readers_are_crowd(&shard.clients[1].reader));
    add_client(&shard, 1, true, US);
    assert_true(readers_are_crowd(&shard.clients[1].reader));
    assert_false(readers_are_crowd(&other->reader));
    assert_int_equal(shard.readers.classes[1].weight, 0); /* they have not said hello */
    assert_true(readers_crowding(&shard.clients[1].reader) == 1);
    for (uint32_t i = 0; i < READERS_CROWD + 2; i++) {
        readers_weigh(&shard.readers, &shard.clients[i].reader);
    }
    assert_int_equal(shard.readers.classes[1].weight, READERS_CROWD + 1);
    assert_true(readers_crowding(&shard.clients[1].reader) * READERS_CROWD == READERS_CROWD + 1);
    readers_leave(&shard.readers, &shard.clients[2].reader);
    assert_false(readers_are_crowd(&shard.clients[1].reader));
    assert_int_equal(shard.readers.classes[1].weight, READERS_CROWD + 1);
    assert_true(readers_crowding(&shard.clients[1].reader) == 1);
    readers_leave(&shard.readers, &shard.clients[3].reader);
    assert_int_equal(shard.readers.classes[1].weight, READERS_CROWD);
    assert_false(readers_are_crowd(&shard.clients[2].reader)); /* it has no account */
    stop_shard(&shard);
}

/* The thread was stopped while it read a message. The account pays for the message alone. */
static void test_a_stopped_thread(void **state)
{
    static struct shard shard;
    struct client *good;

    (void)state;
    start_shard(&shard);
    good = add_client(&shard, 2, true, 20 * US);
    for (uint32_t i = 0; i < 300; i++) {
        add_client(&shard, 1, true, 100 * US);
    }
    run_turn(&shard);
    readers_charge(&shard.readers, &good->reader,
                   (struct meter_part){.took = 30 * MS, .ran = 20 * US});
    for (uint32_t turn = 0; turn < 100; turn++) {
        run_turn(&shard);
        assert_false(good->reader.in_line);
    }
    stop_shard(&shard);
}

/* Among hundreds of addresses that send without end, a client whose join took long is read again
 * soon. */
static void test_a_join_among_many_addresses(void **state)
{
    static struct shard shard;
    struct client *good;
    uint64_t read = 0;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 1; i < MOST; i++) {
        add_client(&shard, i, true, 25 * US);
    }
    good = add_client(&shard, MOST, true, 25 * US);
    for (uint32_t turn = 0; turn < 40; turn++) {
        run_turn(&shard);
    }
    readers_charge(&shard.readers, &good->reader, part_of(5 * MS));
    const uint32_t reads = good->reads;
    while (good->reads == reads) {
        run_turn(&shard);
        read += shard.turn;
    }
    assert_in_range(read, 1, READERS_DEBT * 3 / 2);
    stop_shard(&shard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enough_time),
        cmocka_unit_test(test_short_turns),
        cmocka_unit_test(test_trusted_rooms),
        cmocka_unit_test(test_light_account),
        cmocka_unit_test(test_attack_within_the_lobby),
        cmocka_unit_test(test_pupils_among_many_addresses),
        cmocka_unit_test(test_equal_shares),
        cmocka_unit_test(test_unused_time_is_lost),
        cmocka_unit_test(test_no_one_waits_after_a_flood),
        cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_coming_back),
        cmocka_unit_test(test_arrivals_in_one_moment),
        cmocka_unit_test(test_short_visits),
        cmocka_unit_test(test_many_accounts),
        cmocka_unit_test(test_a_crowd),
        cmocka_unit_test(test_a_stopped_thread),
        cmocka_unit_test(test_a_join_among_many_addresses),
        cmocka_unit_test(test_a_hello_changes_the_class),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
