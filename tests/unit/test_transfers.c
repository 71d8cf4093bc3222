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
    now += SECOND / 4;
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

/* A network whose transfer was ended must wait until another has used ten seconds more. */
static void test_who_comes_again_waits(void **state)
{
    uint32_t numbers[6];
    struct transfers *transfers = fill(numbers);
    uint32_t other, first;

    (void)state;
    now += 20 * SECOND;
    other = take(transfers, NETWORK, false);
    assert_int_not_equal(other, 0);
    first = ended;
    give(transfers, numbers[first - 1]);
    now += 9 * SECOND;
    assert_int_equal(take(transfers, first, false), 0);
    now += 2 * SECOND;
    numbers[first - 1] = take(transfers, first, false);
    assert_int_not_equal(numbers[first - 1], 0);
    assert_int_not_equal(ended, NETWORK); /* it has used less */
    assert_int_not_equal(ended, first);
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

/* ---- attacks, in simulated time ---- */

#define TURN (SECOND / 10)

struct holder {
    uint32_t transfer;
    uint32_t length; /* turns of its transfers */
    uint32_t left;   /* of this one */
    uint32_t done, refused, cut;
};

static void turn(struct transfers *transfers, struct holder *holder, uint32_t number)
{
    if (holder->transfer != 0 && transfers_lost(transfers, holder->transfer)) {
        give(transfers, holder->transfer);
        holder->transfer = 0;
        holder->cut++;
    } else if (holder->transfer != 0 && --holder->left == 0) {
        give(transfers, holder->transfer);
        holder->transfer = 0;
        holder->done++;
    }
    if (holder->transfer == 0) {
        holder->transfer = take(transfers, number, false);
        holder->refused += holder->transfer == 0;
        holder->left = holder->length;
    }
}

/* `count` networks hold transfers for a minute each, and try again ten times a second. After
 * `before` seconds, people with transfers of `length` turns come, each from another network. Stores
 * what came of their first tries in *people. */
static void attack(uint32_t count, uint32_t before, uint32_t length, struct holder *people)
{
    static struct holder holders[128];
    struct transfers *transfers = transfers_create(8);
    struct holder person = {.length = length};
    uint32_t number = 5000;

    now = SECOND;
    *people = (struct holder){0};
    for (uint32_t i = 0; i < count; i++) {
        holders[i] = (struct holder){.length = 600};
    }
    for (uint32_t time = 0; time < 1800; time++) {
        now += TURN;
        for (uint32_t i = 0; i < count; i++) {
            turn(transfers, &holders[i], i);
        }
        if (time < before * 10) {
            continue;
        }
        turn(transfers, &person, number);
        if (person.done + person.cut + person.refused > 0) {
            people->done += person.done;
            people->cut += person.cut;
            people->refused += person.refused;
            give(transfers, person.transfer);
            person = (struct holder){.length = length};
            number++;
        }
    }
    give(transfers, person.transfer);
    for (uint32_t i = 0; i < count; i++) {
        give(transfers, holders[i].transfer);
    }
    transfers_destroy(transfers);
}

/* Six networks hold all places, and come again as soon as a transfer is ended. */
static void test_six_networks_keep_no_one_out(void **state)
{
    struct holder people;

    (void)state;
    attack(6, 2, 5, &people);
    assert_int_equal(people.refused, 0);
    assert_int_equal(people.cut, 0);
    assert_true(people.done > 200);
    attack(6, 2, 540, &people); /* 32 MB in 54 s */
    assert_int_equal(people.refused + people.cut, 0);
    assert_int_equal(people.done, 3);
}

static void test_sixty_four_networks_keep_no_one_out(void **state)
{
    struct holder people;

    (void)state;
    attack(64, 8, 5, &people);
    assert_int_equal(people.refused, 0);
    assert_int_equal(people.cut, 0);
    assert_true(people.done > 200);
    attack(64, 60, 40, &people);
    assert_int_equal(people.refused + people.cut, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_network_takes_more_than_half_of_what_is_free),
        cmocka_unit_test(test_a_key_finds_a_place),
        cmocka_unit_test(test_a_newcomer_ends_the_longest_transfer),
        cmocka_unit_test(test_who_comes_again_waits),
        cmocka_unit_test(test_a_network_ends_one_at_most),
        cmocka_unit_test(test_the_newest_of_a_network_ends),
        cmocka_unit_test(test_no_stranger_ends_a_transfer_with_a_key),
        cmocka_unit_test(test_the_shards_close_before_more_are_ended),
        cmocka_unit_test(test_old_use_is_forgotten),
        cmocka_unit_test(test_six_networks_keep_no_one_out),
        cmocka_unit_test(test_sixty_four_networks_keep_no_one_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
