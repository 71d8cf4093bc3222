/* How much a turn reads while snapshots wait, answers follow, or other work takes its time. */
#include "readers_shard.h"

/* A turn that sends to many clients for 40 ms is followed by one that reads their answers. */
static void test_answers_of_a_crowd(void **state)
{
    static struct shard shard;

    (void)state;
    start_shard(&shard);
    shard.sent = 40 * MS;
    for (uint32_t i = 0; i < 490; i++) {
        add_client(&shard, 1, true, 20 * US);
    }
    readers_turn(&shard.readers, shard.sent, false);
    for (uint32_t turn = 0; turn < 100; turn++) {
        run_turn(&shard);
        assert_false(readers_wait(&shard.readers));
    }
    assert_int_equal(shard.clients[0].reads, 100);
    shard.sent = 0;
    run_turn(&shard);
    run_turn(&shard);
    assert_true(readers_wait(&shard.readers));
    stop_shard(&shard);
}

/* Sends up to 100 answers, as a turn does before its end. Each takes longer than 50 messages. */
static uint32_t answer(struct shard *shard, uint32_t waiting)
{
    const uint32_t sent = waiting < 100 ? waiting : 100;

    readers_charge(&shard->readers, &shard->clients[0].reader, part_of(sent * 100 * US));
    return sent;
}

/* Clients who begin to send one after another are not read faster than the shard answers. */
static void test_answers_that_take_longer(void **state)
{
    static struct shard shard;
    uint32_t waiting = 0;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 400; i++) {
        add_client(&shard, 7, true, 2 * US)->sends = false;
    }
    for (uint32_t turn = 0; turn < 100; turn++) {
        shard.turn = 0;
        for (uint32_t i = 0; i < 40 && turn < 10; i++) {
            shard.clients[40 * turn + i].sends = true;
        }
        read_clients(&shard);
        waiting += (uint32_t)(shard.turn / (2 * US));
        waiting -= answer(&shard, waiting);
        readers_turn(&shard.readers, 0, false);
        assert_in_range(waiting, 0, 4000);
    }
    stop_shard(&shard);
}

/* A turn reads no more than it can answer in its slice, although the answers follow a turn later.
 */
static void test_answers_that_follow(void **state)
{
    static struct shard shard;
    uint64_t answers = 0, all = 0, most = 0;

    (void)state;
    start_shard(&shard);
    for (uint64_t address = 1; address <= 500; address++) {
        add_client(&shard, address, true, 10 * US);
    }
    for (uint32_t turn = 0; turn < 400; turn++) {
        shard.turn = 0;
        read_clients(&shard);
        const uint64_t work = shard.turn + answers;
        readers_charge(&shard.readers, &shard.clients[0].reader, part_of(answers));
        answers = 7 * shard.turn;
        readers_turn(&shard.readers, 0, false);
        if (turn >= 100) {
            all += work;
            most = work > most ? work : most;
        }
    }
    assert_in_range(most, 1, READERS_SLICE * 3 / 2);
    assert_in_range(all / 300, READERS_SLICE * 3 / 4, READERS_SLICE * 5 / 4);
    stop_shard(&shard);
}

/* The shard reads as much from members, though welcomes to newcomers take the time of many
 * readings. */
static void test_welcomes_of_a_crowd(void **state)
{
    static struct shard shard;
    uint64_t all = 0;

    (void)state;
    start_shard(&shard);
    struct client *newcomer = add_client(&shard, 1, true, 10 * US);
    newcomer->sends = false;
    for (uint64_t address = 2; address <= 500; address++) {
        add_client(&shard, address, true, 10 * US);
    }
    for (uint32_t turn = 0; turn < 100; turn++) {
        readers_charge_welcome(&shard.readers, &newcomer->reader, part_of(20 * MS));
        run_turn(&shard);
        all += shard.turn;
    }
    assert_true(all >= 100 * READERS_SLICE * 3 / 4);
    stop_shard(&shard);
}

/* Work for which no account is charged leaves less of the slice for clients with many messages. */
static void test_other_work(void **state)
{
    static struct shard shard;

    (void)state;
    start_shard(&shard);
    add_client(&shard, 2, true, US)->sends = false;
    for (uint32_t i = 0; i < 100; i++) {
        add_client(&shard, 1, true, 20 * US);
    }
    run_turn(&shard);
    assert_false(readers_wait(&shard.readers));
    readers_spend(&shard.readers, READERS_SLICE);
    run_turn(&shard);
    assert_true(readers_wait(&shard.readers));
    assert_false(shard.clients[0].reader.in_line);
    stop_shard(&shard);
}

/* While snapshots wait, clients with many messages have less time, and a light one still waits for
 * none. */
static void test_snapshots_that_wait(void **state)
{
    static struct shard shard;
    struct client *good;

    (void)state;
    start_shard(&shard);
    good = add_client(&shard, 2, true, 20 * US);
    for (uint32_t i = 0; i < 100; i++) {
        add_client(&shard, 1, true, 20 * US);
    }
    run_turn(&shard);
    assert_false(readers_wait(&shard.readers));
    shard.late = true;
    for (uint32_t turn = 0; turn < 100; turn++) {
        run_turn(&shard);
        assert_false(good->reader.in_line);
    }
    assert_true(readers_wait(&shard.readers));
    assert_in_range(shard.turn, 1, READERS_SLICE / 4);
    stop_shard(&shard);
}

/* While snapshots wait, reading has an eighth of the time for which the shard sends. */
static void test_a_late_crowd(void **state)
{
    static struct shard shard;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 590; i++) {
        add_client(&shard, 1 + i, true, 20 * US);
    }
    shard.late = true;
    shard.sent = 40 * MS;
    for (uint32_t turn = 0; turn < 100; turn++) {
        run_turn(&shard);
    }
    assert_in_range(shard.turn, 40 * MS / 10, 40 * MS / 7);
    shard.sent = 0;
    run_turn(&shard);
    run_turn(&shard);
    assert_in_range(shard.turn, 1, READERS_SLICE / 4);
    stop_shard(&shard);
}

/* Snapshots that come while a turn reads end it soon, and shorten no other. */
static void test_snapshots_that_come(void **state)
{
    static struct shard shard;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 500; i++) {
        add_client(&shard, 1, true, 20 * US);
    }
    run_turn(&shard);
    run_turn(&shard);
    assert_in_range(shard.turn, READERS_SLICE / 2, READERS_SLICE * 3 / 2);
    readers_hurry(&shard.readers);
    run_turn(&shard);
    assert_in_range(shard.turn, 1, READERS_SLICE / 4);
    run_turn(&shard);
    assert_in_range(shard.turn, READERS_SLICE / 2, READERS_SLICE * 3 / 2);
    stop_shard(&shard);
}

/* Time for a flood of messages is spare; time for all that came is not. */
static void test_spare_time(void **state)
{
    static struct shard shard;
    uint64_t all = 0;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 300; i++) {
        add_client(&shard, i % 5, false, 30 * US);
    }
    for (uint32_t turn = 0; turn < 50; turn++) {
        run_turn(&shard);
        all += shard.turn;
    }
    assert_int_equal(shard.readers.spare, all);
    for (uint32_t i = 10; i < 300; i++) {
        shard.clients[i].sends = false;
    }
    while (readers_wait(&shard.readers)) {
        run_turn(&shard);
    }
    all = shard.readers.spare;
    for (uint32_t turn = 0; turn < 50; turn++) {
        run_turn(&shard);
    }
    assert_int_equal(shard.readers.spare, all);
    stop_shard(&shard);
}

/* A class has enough time beside other work, however much that is. */
static void test_much_other_work(void **state)
{
    static struct shard shard;

    (void)state;
    start_shard(&shard);
    for (uint32_t i = 0; i < 24; i++) {
        add_client(&shard, 1, true, 20 * US);
    }
    for (uint32_t turn = 0; turn < 200; turn++) {
        readers_spend(&shard.readers, 30 * MS);
        run_turn(&shard);
        assert_false(readers_wait(&shard.readers));
    }
    stop_shard(&shard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_of_a_crowd),  cmocka_unit_test(test_answers_that_take_longer),
        cmocka_unit_test(test_other_work),          cmocka_unit_test(test_much_other_work),
        cmocka_unit_test(test_snapshots_that_wait), cmocka_unit_test(test_a_late_crowd),
        cmocka_unit_test(test_snapshots_that_come), cmocka_unit_test(test_spare_time),
        cmocka_unit_test(test_answers_that_follow), cmocka_unit_test(test_welcomes_of_a_crowd),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
