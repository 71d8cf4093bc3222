/* The limit of transfers of recordings: shares of networks, and places for requests with a key, in
 * simulated time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/config.h"
#include "net/gate/transfers.h"

#define SECOND  UINT64_C(1000000) /* µs */
#define NETWORK 1000u             /* one without transfers before */

static uint64_t now; /* µs */
static uint32_t ended;

/* Begins a transfer of that network. Its shard has the network's number. */
static uint32_t take(struct transfers *transfers, uint32_t number, bool trusted)
{
    const struct transfers_claim claim = {
        .network = {.bytes = {[0] = 10, [14] = (uint8_t)(number >> 8), [15] = (uint8_t)number}},
        .shard = number,
        .trusted = trusted};

    return transfers_take(transfers, &claim, now, &ended);
}

static void give(struct transfers *transfers, uint32_t transfer)
{
    transfers_give(transfers, transfer, now);
}

/* Gives back `count` transfers. */
static void give_all(struct transfers *transfers, const uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        give(transfers, numbers[i]);
    }
}

/* Begins as many transfers as that network can. Returns their number. */
static uint32_t begin_all(struct transfers *transfers, uint32_t number, bool trusted,
                          uint32_t numbers[CONFIG_TRANSFERS_MAX])
{
    uint32_t count = 0;

    while ((numbers[count] = take(transfers, number, trusted)) != 0) {
        count++;
    }
    return count;
}

/* Fills the places of strangers, one for each of the networks 1 to 6. */
static struct transfers *fill(uint32_t numbers[6])
{
    struct transfers *transfers = transfers_create(8);

    now = SECOND;
    for (uint32_t i = 0; i < 6; i++) {
        numbers[i] = take(transfers, i + 1, false);
        assert_int_not_equal(numbers[i], 0);
    }
    return transfers;
}

static void test_no_network_takes_more_than_half_of_what_is_free(void **state)
{
    static const uint32_t most[][3] = {/* in all, for one network, reserved for it */
                                       {1, 1, 0}, {2, 1, 1},  {4, 1, 1},
                                       {8, 2, 1}, {12, 3, 1}, {64, 16, 5}};
    uint32_t open[CONFIG_TRANSFERS_MAX], reserved[CONFIG_TRANSFERS_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        struct transfers *transfers = transfers_create(most[i][0]);
        now = 0;
        assert_int_equal(begin_all(transfers, 1, false, open), most[i][1]);
        assert_int_equal(begin_all(transfers, 1, true, reserved), most[i][2]);
        give_all(transfers, open, most[i][1]);
        give_all(transfers, reserved, most[i][2]);
        transfers_destroy(transfers);
    }
}

/* Strangers of many networks take no reserved place. */
static void test_a_key_finds_a_place(void **state)
{
    uint32_t numbers[6];
    struct transfers *transfers = fill(numbers);
    uint32_t key;

    (void)state;
    assert_int_equal(take(transfers, 80, false), 0);
    key = take(transfers, 80, true);
    assert_int_not_equal(key, 0);
    assert_int_equal(ended, TRANSFERS_NO_SHARD);
    give(transfers, numbers[2]);
    numbers[2] = take(transfers, 80, false);
    assert_int_not_equal(numbers[2], 0);
    give_all(transfers, numbers, 6);
    give(transfers, key);
    transfers_destroy(transfers);
}

/* Slow transfers of six networks hold all places. */
static void test_a_newcomer_ends_the_longest_transfer(void **state)
{
    uint32_t numbers[6];
    struct transfers *transfers = fill(numbers);
    uint32_t other;

    (void)state;
    now += SECOND / 5;
    give(transfers, numbers[3]);
    numbers[3] = take(transfers, 7, false);
    assert_int_equal(take(transfers, NETWORK, false), 0); /* all have just begun */
    now += 3 * SECOND;
    give(transfers, numbers[0]);
    numbers[0] = take(transfers, 8, false);
    now += SECOND;
    give(transfers, numbers[0]);
    numbers[0] = take(transfers, 1, false); /* its second one began last */
    now += SECOND;
    other = take(transfers, NETWORK, false);
    assert_int_not_equal(other, 0);
    assert_in_range(ended, 2, 6);
    assert_true(transfers_any_lost(transfers));
    assert_true(transfers_lost(transfers, numbers[ended - 1]));
    assert_false(transfers_lost(transfers, numbers[0]));
    assert_false(transfers_lost(transfers, other));
    assert_false(transfers_lost(transfers, 0));
    give_all(transfers, numbers, 6);
    assert_false(transfers_any_lost(transfers));
    give(transfers, other);
    transfers_destroy(transfers);
}

/* A network whose transfer was ended must wait until another has cost twice as much. */
static void test_who_comes_again_waits(void **state)
{
    uint32_t numbers[6];
    struct transfers *transfers = fill(numbers);
    uint32_t other, first;

    (void)state;
    now += 10 * SECOND;
    other = take(transfers, NETWORK, false);
    assert_int_not_equal(other, 0);
    first = ended;
    give(transfers, numbers[first - 1]);
    now += 9 * SECOND;
    assert_int_equal(take(transfers, first, false), 0);
    now += 2 * SECOND;
    numbers[first - 1] = take(transfers, first, false);
    assert_int_not_equal(numbers[first - 1], 0);
    assert_int_not_equal(ended, NETWORK); /* its costs are lower */
    assert_int_not_equal(ended, first);
    give_all(transfers, numbers, 6);
    give(transfers, other);
    transfers_destroy(transfers);
}

/* Moves as many bytes of each transfer in 4 s. */
static void move_all(struct transfers *transfers, const uint32_t numbers[6],
                     const uint32_t bytes[6])
{
    for (uint32_t i = 0; i < 40; i++) {
        now += SECOND / 10;
        for (uint32_t j = 0; j < 6; j++) {
            transfers_move(transfers, numbers[j], bytes[j] / 40, now);
        }
    }
}

/* Six transfers hold all places. That of one network is slower than the others. */
static void test_a_newcomer_ends_the_slowest_transfer(void **state)
{
    static const uint32_t bytes[6] = {4000000, 4000000, 4000000, 100000, 4000000, 4000000};
    uint32_t numbers[6];
    struct transfers *transfers = fill(numbers);
    uint32_t other;

    (void)state;
    move_all(transfers, numbers, bytes);
    other = take(transfers, NETWORK, false);
    assert_int_not_equal(other, 0);
    assert_int_equal(ended, 4);
    transfers_move(transfers, numbers[3], 1000, now); /* on its way, for no place */
    transfers_move(transfers, 0, 1000, now);
    give_all(transfers, numbers, 6);
    give(transfers, other);
    transfers_destroy(transfers);
}

/* Megabytes at first give no long rest. */
static void test_a_fast_beginning_costs_a_second_later(void **state)
{
    uint32_t numbers[6];
    struct transfers *transfers = fill(numbers);
    uint32_t other;

    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        transfers_move(transfers, numbers[i], 20u << 20, now);
    }
    now += SECOND / 2;
    assert_int_equal(take(transfers, NETWORK, false), 0);
    now += SECOND * 3 / 5;
    other = take(transfers, NETWORK, false);
    assert_int_not_equal(other, 0);
    give_all(transfers, numbers, 6);
    give(transfers, other);
    transfers_destroy(transfers);
}

/* A network with a transfer ends none of others, nor of its own. */
static void test_a_network_ends_one_at_most(void **state)
{
    uint32_t numbers[6];
    struct transfers *transfers = fill(numbers);
    uint32_t other;

    (void)state;
    now += 60 * SECOND;
    other = take(transfers, NETWORK, false);
    assert_int_not_equal(other, 0);
    assert_int_equal(take(transfers, NETWORK, false), 0);
    assert_int_equal(take(transfers, ended == 1 ? 2 : 1, false), 0);
    give_all(transfers, numbers, 6);
    give(transfers, other);
    transfers_destroy(transfers);
}

/* Of a network with several transfers the newest ends: it has done the least. */
static void test_the_newest_of_a_network_ends(void **state)
{
    uint32_t numbers[6];
    struct transfers *transfers = transfers_create(8);
    uint32_t other;

    (void)state;
    now = SECOND;
    numbers[0] = take(transfers, 1, false);
    numbers[1] = take(transfers, 1, false);
    for (uint32_t i = 2; i < 6; i++) {
        numbers[i] = take(transfers, i, false);
        assert_int_not_equal(numbers[i], 0);
    }
    now += 2 * SECOND;
    other = take(transfers, NETWORK, false);
    assert_int_not_equal(other, 0);
    assert_false(transfers_lost(transfers, numbers[0]));
    assert_true(transfers_lost(transfers, numbers[1]));
    give_all(transfers, numbers, 6);
    give(transfers, other);
    transfers_destroy(transfers);
}

/* With a key it takes the place of a stranger at once, and keeps it. */
static void test_no_stranger_ends_a_transfer_with_a_key(void **state)
{
    uint32_t numbers[6], keys[8];
    struct transfers *transfers = fill(numbers);

    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        keys[i] = take(transfers, 80 + i, true);
        assert_int_not_equal(keys[i], 0);
        assert_true(i < 2 ? ended == TRANSFERS_NO_SHARD : ended >= 1 && ended <= 6);
    }
    assert_int_equal(take(transfers, 90, true), 0);
    give_all(transfers, numbers, 6);
    now += 100 * SECOND;
    assert_int_equal(take(transfers, NETWORK, false), 0);
    assert_int_equal(take(transfers, 80, true), 0);
    assert_int_equal(ended, TRANSFERS_NO_SHARD);
    numbers[0] = take(transfers, 90, true); /* another with a key */
    assert_in_range(ended, 80, 87);
    give_all(transfers, keys, 8);
    give(transfers, numbers[0]);
    transfers_destroy(transfers);
}

/* Transfers that were ended have memory until their shards have closed them. */
static void test_the_shards_close_before_more_are_ended(void **state)
{
    uint32_t numbers[6], others[20];
    struct transfers *transfers = fill(numbers);
    uint32_t count = 0;

    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        now += 20 * SECOND;
        others[i] = take(transfers, NETWORK + i, false);
        count += others[i] != 0;
    }
    assert_int_equal(count, 8);
    give_all(transfers, numbers, 6);
    others[8] = take(transfers, NETWORK + 8, false);
    assert_int_not_equal(others[8], 0);
    give_all(transfers, others, 9);
    transfers_destroy(transfers);
}

/* A network is forgotten after an hour, and an entry of the table is used again. */
static void test_old_use_is_forgotten(void **state)
{
    uint32_t numbers[6];
    struct transfers *transfers = fill(numbers);
    uint32_t other;

    (void)state;
    now += 60 * SECOND;
    other = take(transfers, NETWORK, false);
    give(transfers, numbers[ended - 1]);
    numbers[ended - 1] = 0;
    give(transfers, other);
    for (uint32_t i = 0; i < 3000; i++) {
        other = take(transfers, 2000 + i, false);
        assert_int_not_equal(other, 0);
        give(transfers, other);
    }
    other = take(transfers, 1, false);
    give_all(transfers, numbers, 6);
    give(transfers, other);
    now += 3600 * SECOND;
    for (uint32_t i = 0; i < 6; i++) {
        numbers[i] = take(transfers, 100 + i, false);
    }
    now += 2 * SECOND;
    other = take(transfers, 1, false); /* as if it came for the first time */
    assert_int_not_equal(other, 0);
    give_all(transfers, numbers, 6);
    give(transfers, other);
    transfers_destroy(transfers);
}

/* ---- many networks, in simulated time ---- */

#define TURN (SECOND / 10)
#define LATE 600u /* turns of an upload, at most */
#define MANY 128u

/* A network that transfers recordings of `size` bytes, one after the other. */
struct holder {
    uint32_t rate, size;   /* bytes a second, bytes */
    uint32_t from;         /* turn of its first try */
    uint32_t pause;        /* turns until its next try */
    bool once;             /* it has one recording */
    bool damaged;          /* its recordings are refused when they are complete */
    uint32_t transfer;     /* 0: none */
    uint32_t moved, turns; /* of this transfer: bytes, and its age */
    uint32_t next;         /* turn of its next try */
    uint32_t tries;        /* since its last recording was complete */
    uint32_t most;         /* tries for one recording */

    uint32_t done, cut;
};

static void end_transfer(struct transfers *transfers, struct holder *holder, uint32_t time)
{
    give(transfers, holder->transfer);
    holder->transfer = 0;
    holder->next = time + holder->pause;
}

static void move(struct transfers *transfers, struct holder *holder, uint32_t time)
{
    const uint32_t bytes = holder->rate / 10;

    holder->moved += bytes;
    holder->turns++;
    transfers_move(transfers, holder->transfer, bytes, now);
    if (transfers_lost(transfers, holder->transfer)) {
        end_transfer(transfers, holder, time);
        holder->cut++;
    } else if (holder->moved >= holder->size && holder->damaged) {
        transfers_waste(transfers, holder->transfer, now);
        holder->transfer = 0;
        holder->next = time + holder->pause;
    } else if (holder->moved >= holder->size) {
        end_transfer(transfers, holder, time);
        holder->done++;
        holder->tries = 0;
    } else if (holder->turns >= LATE) {
        end_transfer(transfers, holder, time);
    }
}

static void live_turn(struct transfers *transfers, struct holder *holder, uint32_t number,
                      uint32_t time)
{
    if (holder->transfer != 0) {
        move(transfers, holder, time);
    } else if (time >= holder->next && time >= holder->from && !(holder->once && holder->done)) {
        holder->transfer = take(transfers, number, false);
        holder->moved = holder->turns = 0;
        holder->next = time + holder->pause;
        holder->tries++;
        holder->most = holder->tries > holder->most ? holder->tries : holder->most;
    }
}

/* Lets `count` networks live for that many seconds, with `most` places. */
static void live(uint32_t most, struct holder *holders, uint32_t count, uint32_t seconds)
{
    struct transfers *transfers = transfers_create(most);

    now = SECOND;
    for (uint32_t time = 0; time < seconds * 10; time++) {
        now += TURN;
        for (uint32_t i = 0; i < count; i++) {
            live_turn(transfers, &holders[(i + time) % count], (i + time) % count, time);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        give(transfers, holders[i].transfer);
    }
    transfers_destroy(transfers);
}

static const struct holder slow = {.rate = 20000, .size = 2200000, .pause = 1};

/* `count` networks come again at once. Returns what the person has done in that time. */
static struct holder beside(uint32_t most, uint32_t count, struct holder other,
                            struct holder person, uint32_t seconds)
{
    struct holder holders[MANY + 1];

    for (uint32_t i = 0; i < count; i++) {
        holders[i] = other;
    }
    holders[count] = person;
    live(most, holders, count + 1, seconds);
    return holders[count];
}

/* Each upload takes 8.8 s. The person pauses for a second. */
static void test_slow_networks_leave_others_their_turns(void **state)
{
    static const struct holder person = {.rate = 250000, .size = 2200000, .pause = 10, .from = 30};
    static const struct {
        uint32_t most, count;
    } cases[] = {{8, 8}, {8, 16}, {16, 32}, {64, MANY}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct holder told = beside(cases[i].most, cases[i].count, slow, person, 200);
        assert_int_equal(told.cut, 0);
        assert_in_range(told.most, 1, 3); /* tries */
        assert_true(told.done >= 18);
    }
}

/* A file of 1 MB at 20 KB/s takes 50 s. */
static const struct holder pupil = {.rate = 20000, .size = 1000000, .pause = 10, .once = true};

static void test_a_slow_upload_ends_beside_slow_networks(void **state)
{
    struct holder person = pupil, told;

    (void)state;
    person.from = 600;
    told = beside(8, 16, slow, person, 120);
    assert_int_equal(told.done, 1);
    assert_int_equal(told.cut, 0);
    told = beside(64, 64, slow, person, 120);
    assert_int_equal(told.done, 1);
    assert_int_equal(told.cut, 0);
}

/* Damaged files at 300 KB/s keep out nobody whose line has a fifth of that. */
static void test_a_slow_upload_ends_beside_fast_wasted_ones(void **state)
{
    static const struct holder fast = {
        .rate = 300000, .size = 2200000, .pause = 1, .damaged = true};
    static const struct holder person = {
        .rate = 60000, .size = 2200000, .from = 100, .pause = 10, .once = true};

    (void)state;
    for (uint32_t most = 8; most <= 32; most *= 2) {
        const struct holder told = beside(most, most * 5 / 4, fast, person, 90);
        assert_int_equal(told.done, 1);
    }
}

/* No one attacks, but more networks have slow transfers than there are places. */
static void test_slow_uploads_do_not_end_each_other_forever(void **state)
{
    static const uint32_t cases[][4] = {/* places, networks, seconds, ended transfers of each */
                                        {8, 8, 130, 2},
                                        {8, 30, 1200, 8},
                                        {64, 48, 60, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct holder homes[MANY];
        for (uint32_t j = 0; j < cases[i][1]; j++) {
            homes[j] = pupil;
            homes[j].from = 5 * j;
        }
        live(cases[i][0], homes, cases[i][1], cases[i][2] + cases[i][1] / 2);
        for (uint32_t j = 0; j < cases[i][1]; j++) {
            assert_int_equal(homes[j].done, 1);
            assert_in_range(homes[j].cut, 0, cases[i][3]);
        }
    }
}

/* Thirty pupils upload from one address, and one from another. */
static void test_a_class_ends_no_upload(void **state)
{
    struct transfers *transfers = transfers_create(8);
    struct holder class[30], person = pupil;

    (void)state;
    now = SECOND;
    person.from = 20;
    for (uint32_t i = 0; i < 30; i++) {
        class[i] = pupil;
    }
    for (uint32_t time = 0; time < 9000; time++) {
        now += TURN;
        for (uint32_t i = 0; i < 30; i++) {
            live_turn(transfers, &class[i], 1, time);
        }
        live_turn(transfers, &person, 2, time);
        if (time == 530) {
            assert_int_equal(person.done, 1);
            assert_int_equal(person.most, 1);
        }
    }
    for (uint32_t i = 0; i < 30; i++) {
        assert_int_equal(class[i].done, 1);
        assert_int_equal(class[i].cut, 0);
    }
    transfers_destroy(transfers);
}

/* `count` networks hold transfers without a byte. After `before` turns, people with transfers of
 * `length` turns come, each once and from another network. Returns how many were complete; all
 * must be, at the first try. */
static uint32_t count_people(uint32_t count, uint32_t before, uint32_t length)
{
    static struct holder holders[2 * MANY];
    uint32_t people = 0, done = 0;

    for (uint32_t i = 0; i < count; i++) {
        holders[i] = (struct holder){.size = 1, .pause = 1};
    }
    while (before + people * length + length < 1800 && count + people < 2 * MANY) {
        holders[count + people] = (struct holder){.rate = 250000,
                                                  .size = 25000 * length,
                                                  .pause = 10,
                                                  .once = true,
                                                  .from = before + people * length};
        people++;
    }
    live(8, holders, count + people, 181);
    for (uint32_t i = count; i < count + people; i++) {
        assert_int_equal(holders[i].most, 1);
        done += holders[i].done;
    }
    assert_int_equal(done, people);
    return done;
}

/* Six networks hold all places, and come again as soon as a transfer is ended. */
static void test_six_networks_keep_no_one_out(void **state)
{
    (void)state;
    assert_true(count_people(6, 20, 10) > 100);
    assert_int_equal(count_people(6, 20, 540), 3); /* 54 s each */
}

static void test_sixty_four_networks_keep_no_one_out(void **state)
{
    (void)state;
    assert_true(count_people(64, 80, 10) > 100);
    assert_true(count_people(64, 600, 40) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_network_takes_more_than_half_of_what_is_free),
        cmocka_unit_test(test_a_key_finds_a_place),
        cmocka_unit_test(test_a_newcomer_ends_the_longest_transfer),
        cmocka_unit_test(test_who_comes_again_waits),
        cmocka_unit_test(test_a_newcomer_ends_the_slowest_transfer),
        cmocka_unit_test(test_a_fast_beginning_costs_a_second_later),
        cmocka_unit_test(test_a_network_ends_one_at_most),
        cmocka_unit_test(test_the_newest_of_a_network_ends),
        cmocka_unit_test(test_no_stranger_ends_a_transfer_with_a_key),
        cmocka_unit_test(test_the_shards_close_before_more_are_ended),
        cmocka_unit_test(test_old_use_is_forgotten),
        cmocka_unit_test(test_slow_networks_leave_others_their_turns),
        cmocka_unit_test(test_a_slow_upload_ends_beside_slow_networks),
        cmocka_unit_test(test_a_slow_upload_ends_beside_fast_wasted_ones),
        cmocka_unit_test(test_slow_uploads_do_not_end_each_other_forever),
        cmocka_unit_test(test_a_class_ends_no_upload),
        cmocka_unit_test(test_six_networks_keep_no_one_out),
        cmocka_unit_test(test_sixty_four_networks_keep_no_one_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
