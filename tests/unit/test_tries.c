/* Wrong keys are limited, and right keys wait only briefly. */
#include "base/tries.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/network.h"

#define SECOND UINT64_C(1000000)

#define OF_ADDRESS 30u
#define ALL        300u

static const struct tries_limits limits = {.connection = 6, .address = OF_ADDRESS, .all = ALL};
static struct tries *tries;
static uint64_t now;

static int make(void **state)
{
    (void)state;
    tries = tries_create(&limits);
    now = 1000 * SECOND;
    return tries == NULL;
}

static int finish(void **state)
{
    (void)state;
    tries_destroy(tries);
    return 0;
}

static enum tries_result try_key(const char *address, const char *tried, bool made, uint32_t *wait)
{
    const struct tries_try try = {.kind = TRIES_PRESENTER,
                                  .key = "the-right-key",
                                  .made = made,
                                  .tried = tried,
                                  .origin = tries_origin(tries, address),
                                  .now = now};

    return tries_compare(tries, &try, wait);
}

static enum tries_result wrong(const char *address)
{
    uint32_t wait;

    return try_key(address, "a-wrong-key", false, &wait);
}

static enum tries_result right(const char *address)
{
    uint32_t wait;

    return try_key(address, "the-right-key", false, &wait);
}

static void use_up(const char *address)
{
    for (uint32_t i = 0; i < OF_ADDRESS; i++) {
        assert_int_equal(wrong(address), TRIES_WRONG);
    }
    assert_int_equal(wrong(address), TRIES_TOO_MANY);
}

static void test_a_burst_and_then_one_per_interval(void **state)
{
    uint32_t wait;

    (void)state;
    use_up("10.0.0.1");
    assert_int_equal(try_key("10.0.0.1", "a-wrong-key", false, &wait), TRIES_TOO_MANY);
    assert_int_equal(wait, 2);
    now += (60 * SECOND / OF_ADDRESS);
    assert_int_equal(wrong("10.0.0.1"), TRIES_WRONG);
    assert_int_equal(wrong("10.0.0.1"), TRIES_TOO_MANY);
    assert_int_equal(tries_wrong(tries, TRIES_PRESENTER), OF_ADDRESS + 1);
    assert_int_equal(tries_refused(tries, TRIES_ADDRESS), 3);
    assert_int_equal(tries_wrong(tries, TRIES_JOIN), 0);
}

/* A class with the right key never waits, for any number of people. */
static void test_right_keys_cost_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10 * ALL; i++) {
        assert_int_equal(right("10.0.0.1"), TRIES_RIGHT);
    }
    use_up("10.0.0.1");
}

/* Above the budget, right keys are not compared either, because an answer would still help a
 * guesser. They wait at most one interval after the last wrong key. */
static void test_a_chosen_key_waits(void **state)
{
    (void)state;
    use_up("10.0.0.1");
    assert_int_equal(right("10.0.0.1"), TRIES_TOO_MANY);
    now += (60 * SECOND / OF_ADDRESS);
    assert_int_equal(right("10.0.0.1"), TRIES_RIGHT);
}

static void test_a_made_key_does_not_wait(void **state)
{
    uint32_t wait;

    (void)state;
    use_up("10.0.0.1");
    assert_int_equal(try_key("10.0.0.1", "the-right-key", true, &wait), TRIES_RIGHT);
    assert_int_equal(try_key("10.0.0.1", "a-wrong-key", true, &wait), TRIES_TOO_MANY);
    assert_int_equal(wrong("10.0.0.1"),
                     TRIES_TOO_MANY); /* the right key did not restore the budget */
}

static void test_other_addresses_are_free(void **state)
{
    (void)state;
    use_up("10.0.0.1");
    assert_int_equal(right("10.0.0.2"), TRIES_RIGHT);
    use_up("10.0.0.2");
    use_up("2001:db8::1");
    assert_int_equal(wrong("2001:db8::ffff:1"), TRIES_TOO_MANY); /* the same network */
    assert_int_equal(wrong("2001:db8:0:7::1"), TRIES_TOO_MANY);
    assert_int_equal(wrong("2001:db8:1::1"), TRIES_WRONG);
}

/* Tries a key of the server by an HTTP request. */
static enum tries_result request(const char *address, const char *tried)
{
    const struct tries_try try = {.kind = TRIES_PRESENTER,
                                  .key = "the-key-of-the-server",
                                  .tried = tried,
                                  .origin = tries_origin_of_requests(tries, address),
                                  .also = tries_origin(tries, address),
                                  .now = now};
    uint32_t wait;

    return tries_compare(tries, &try, &wait);
}

/* A pupil who guesses the keys of rooms does not delay the teacher's request. */
static void test_requests_have_their_own_limit(void **state)
{
    (void)state;
    use_up("10.0.0.1");
    assert_int_equal(request("10.0.0.1", "the-key-of-the-server"), TRIES_RIGHT);
    for (uint32_t i = 0; i < OF_ADDRESS; i++) {
        assert_int_equal(request("10.0.0.1", "a-wrong-key"), TRIES_WRONG);
    }
    assert_int_equal(request("10.0.0.1", "a-wrong-key"), TRIES_TOO_MANY);
}

/* A key that another node judges, too, is counted there, but has the limits here. */
static void test_early_tries_are_counted_elsewhere(void **state)
{
    struct tries_try try = {.kind = TRIES_PRESENTER,
                            .key = "the-key-of-the-server",
                            .tried = "a-wrong-key",
                            .origin = tries_origin_of_requests(tries, "10.0.0.1"),
                            .now = now,
                            .pass = {.kind = TRIES_EARLY}};
    uint32_t wait;

    (void)state;
    for (uint32_t i = 0; i < OF_ADDRESS; i++) {
        assert_int_equal(tries_compare(tries, &try, &wait), TRIES_WRONG);
    }
    try.tried = try.key;
    assert_int_equal(tries_compare(tries, &try, &wait), TRIES_TOO_MANY);
    assert_int_equal(tries_wrong(tries, TRIES_PRESENTER), 0);
    assert_int_equal(tries_refused(tries, TRIES_ADDRESS), 0);
    tries_note_wrong(tries, TRIES_PRESENTER);
    assert_int_equal(tries_wrong(tries, TRIES_PRESENTER), 1);
}

/* Both ways together lead to no more tries of the server's key than one. */
static void test_wrong_requests_count_twice(void **state)
{
    uint32_t compared = 0;

    (void)state;
    for (uint32_t i = 0; i < OF_ADDRESS; i++) {
        assert_int_equal(request("10.0.0.1", "a-wrong-key"), TRIES_WRONG);
    }
    assert_int_equal(wrong("10.0.0.1"), TRIES_TOO_MANY);
    assert_int_equal(request("10.0.0.2", "a-wrong-key"), TRIES_WRONG);
    for (uint32_t i = 0; i < 600; i++) {
        now += SECOND / 10;
        compared += request("10.0.0.1", "a-wrong-key") == TRIES_WRONG;
        compared += wrong("10.0.0.1") == TRIES_WRONG;
    }
    assert_in_range(compared, OF_ADDRESS, OF_ADDRESS + 2);
}

/* All addresses together have a limit; an address without tries is exempt. */
static void test_all_together(void **state)
{
    char address[NETWORK_ADDRESS_MAX];
    uint32_t looked_at = 0;

    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        snprintf(address, sizeof address, "10.0.1.%u", i);
        for (uint32_t j = 0; j < OF_ADDRESS; j++) {
            looked_at += wrong(address) == TRIES_WRONG;
        }
    }
    assert_in_range(looked_at, ALL, ALL + 100 * TRIES_QUIET);
    assert_int_equal(right("10.0.1.1"), TRIES_TOO_MANY);
    assert_int_equal(right("10.0.2.1"), TRIES_RIGHT);
    assert_int_equal(wrong("10.0.2.1"), TRIES_WRONG);
    assert_int_equal(wrong("10.0.2.1"), TRIES_WRONG);
    assert_int_equal(right("10.0.2.1"), TRIES_RIGHT);
}

/* Repeating a right key gives no tries to guessers. */
static void test_right_keys_give_nothing_to_others(void **state)
{
    char address[NETWORK_ADDRESS_MAX];

    (void)state;
    for (uint32_t i = 0; i < ALL / OF_ADDRESS; i++) {
        snprintf(address, sizeof address, "10.0.1.%u", i);
        use_up(address);
    }
    for (uint32_t i = 0; i < TRIES_QUIET; i++) {
        assert_int_equal(wrong("10.0.3.1"), TRIES_WRONG);
    }
    assert_int_equal(wrong("10.0.3.1"), TRIES_TOO_MANY);
    for (uint32_t i = 0; i < ALL; i++) {
        assert_int_equal(right("10.0.2.1"), TRIES_RIGHT);
    }
    assert_int_equal(wrong("10.0.3.1"), TRIES_TOO_MANY);
}

/* Many addresses do not displace a refused one from the table, except by chance. */
static void test_many_addresses(void **state)
{
    char address[NETWORK_ADDRESS_MAX];

    (void)state;
    use_up("10.0.0.1");
    for (uint32_t i = 0; i < 2000; i++) {
        snprintf(address, sizeof address, "10.1.%u.%u", i >> 8, i & 255);
        wrong(address);
    }
    assert_int_equal(wrong("10.0.0.1"), TRIES_TOO_MANY);
}

/* The options set a burst and the allowance per minute after it. */
static void test_limits_can_be_chosen(void **state)
{
    const struct tries_limits few = {.connection = 1, .address = 4, .all = 6};

    (void)state;
    tries_destroy(tries);
    tries = tries_create(&few);
    assert_int_equal(tries_of_connection(tries), 1);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(wrong("10.0.0.1"), TRIES_WRONG);
    }
    assert_int_equal(wrong("10.0.0.1"), TRIES_TOO_MANY);
    assert_int_equal(tries_refused(tries, TRIES_ADDRESS), 1);
    assert_int_equal(tries_refused(tries, TRIES_ALL), 0);
    for (uint32_t i = 0; i < 3; i++) { /* addresses with fewer than 3 tries are exempt */
        assert_int_equal(wrong("10.0.0.2"), TRIES_WRONG);
    }
    assert_int_equal(wrong("10.0.0.2"), TRIES_TOO_MANY);
    assert_int_equal(tries_refused(tries, TRIES_ALL), 1);
    now += 15 * SECOND; /* one more try of an address, and more in all */
    assert_int_equal(wrong("10.0.0.1"), TRIES_WRONG);
    assert_int_equal(wrong("10.0.0.1"), TRIES_TOO_MANY);
    assert_int_equal(tries_refused(tries, TRIES_ADDRESS), 2);
}

/* ---- the line ---- */

/* The hello's keys, when it has passed the line. */
static enum tries_result try_with_pass(const char *address, const char *tried,
                                       struct tries_pass pass)
{
    const struct tries_try try = {.kind = TRIES_JOIN,
                                  .key = "the-right-key",
                                  .tried = tried,
                                  .origin = tries_origin(tries, address),
                                  .now = now,
                                  .pass = pass};
    uint32_t wait;

    return tries_compare(tries, &try, &wait);
}

static uint64_t keys_of(const char *join)
{
    return tries_keys(tries, "FK72MX", "", join);
}

static uint64_t line_up(const char *address, const char *join)
{
    assert_true(tries_line_up(tries, tries_origin(tries, address), keys_of(join), now));
    return keys_of(join);
}

static bool pass_line(const char *address, uint64_t keys, struct tries_pass *pass, uint32_t *wait)
{
    return tries_pass_line(tries, tries_origin(tries, address), keys, now, pass, wait);
}

static void test_hellos_have_turns_in_their_order(void **state)
{
    struct tries_pass pass;
    uint32_t wait;

    (void)state;
    use_up("10.0.0.1");
    const uint64_t guesser = line_up("10.0.0.1", "a-guess");
    const uint64_t pupil = line_up("10.0.0.1", "the-right-key");
    const uint64_t other = line_up("10.0.0.1", "another-guess");
    assert_false(pass_line("10.0.0.1", guesser, &pass, &wait));
    assert_int_equal(wait, 2);
    now += 60 * SECOND / OF_ADDRESS;
    assert_false(pass_line("10.0.0.1", pupil, &pass, &wait));
    assert_int_equal(right("10.0.0.1"), TRIES_TOO_MANY); /* a key that does not wait comes last */
    assert_true(pass_line("10.0.0.1", guesser, &pass, &wait));
    assert_int_equal(try_with_pass("10.0.0.1", "a-guess", pass), TRIES_WRONG);
    assert_false(pass_line("10.0.0.1", pupil, &pass, &wait));
    now += 60 * SECOND / OF_ADDRESS;
    assert_true(pass_line("10.0.0.1", pupil, &pass, &wait)); /* right keys cost no try … */
    assert_int_equal(try_with_pass("10.0.0.1", "the-right-key", pass), TRIES_RIGHT);
    assert_true(pass_line("10.0.0.1", other, &pass, &wait)); /* … so the next one need not wait */
    assert_int_equal(try_with_pass("10.0.0.1", "the-right-key", pass), TRIES_RIGHT);
    assert_int_equal(right("10.0.0.1"), TRIES_RIGHT);
}

/* Two keys of a hello are one try, which a wrong one uses up. */
static void test_a_right_key_pays_for_no_wrong_one(void **state)
{
    struct tries_pass pass;
    uint32_t wait;

    (void)state;
    use_up("10.0.0.1");
    const uint64_t ticket = line_up("10.0.0.1", "a-guess");
    now += 60 * SECOND / OF_ADDRESS;
    assert_true(pass_line("10.0.0.1", ticket, &pass, &wait));
    assert_int_equal(try_with_pass("10.0.0.1", "a-guess", pass), TRIES_WRONG);
    pass.spent = true;
    assert_int_equal(try_with_pass("10.0.0.1", "the-right-key", pass), TRIES_RIGHT);
    assert_int_equal(wrong("10.0.0.1"), TRIES_TOO_MANY);
}

static void test_those_who_leave_the_line_delay_no_one(void **state)
{
    enum { WAITING = 100 };
    uint64_t tickets[WAITING];
    const uint64_t origin = tries_origin(tries, "10.0.0.1");
    struct tries_pass pass;
    char guess[16];
    uint32_t wait;

    (void)state;
    use_up("10.0.0.1");
    for (uint32_t i = 0; i < WAITING; i++) {
        snprintf(guess, sizeof guess, "guess-%u", i);
        tickets[i] = line_up("10.0.0.1", guess);
    }
    assert_false(pass_line("10.0.0.1", tickets[WAITING - 1], &pass, &wait));
    assert_int_equal(wait, 2 * WAITING);
    for (uint32_t i = WAITING - 1; i > 0; i--) {
        tries_leave_line(tries, origin, tickets[i - 1], now);
    }
    now += 60 * SECOND / OF_ADDRESS;
    assert_true(pass_line("10.0.0.1", tickets[WAITING - 1], &pass, &wait));
}

/* A class has one right key, and passes the many keys of a guesser who came first. */
static void test_the_key_of_most_hellos_is_next(void **state)
{
    struct tries_pass pass;
    char guess[16];
    uint32_t wait;

    (void)state;
    use_up("10.0.0.1");
    for (uint32_t i = 0; i < 500; i++) {
        snprintf(guess, sizeof guess, "guess-%u", i);
        line_up("10.0.0.1", guess);
    }
    const uint64_t twice = line_up("10.0.0.1", "guess-7");
    for (uint32_t i = 0; i < 24; i++) {
        line_up("10.0.0.1", "the-right-key");
    }
    now += 60 * SECOND / OF_ADDRESS;
    assert_false(pass_line("10.0.0.1", twice, &pass, &wait));
    assert_true(pass_line("10.0.0.1", keys_of("the-right-key"), &pass, &wait));
    assert_false(pass_line("10.0.0.1", keys_of("the-right-key"), &pass, &wait));
    assert_int_equal(try_with_pass("10.0.0.1", "the-right-key", pass), TRIES_RIGHT);
    for (uint32_t i = 1; i < 24; i++) { /* the whole class, at once */
        assert_true(pass_line("10.0.0.1", keys_of("the-right-key"), &pass, &wait));
        assert_int_equal(try_with_pass("10.0.0.1", "the-right-key", pass), TRIES_RIGHT);
    }
    assert_true(pass_line("10.0.0.1", twice, &pass, &wait)); /* right keys cost no try */
}

/* The same wrong key of many hellos is one try. */
static void test_a_wrong_key_of_many_hellos_is_one_try(void **state)
{
    struct tries_pass pass;
    uint32_t wait;

    (void)state;
    use_up("10.0.0.1");
    const uint64_t other = line_up("10.0.0.1", "the-right-key");
    for (uint32_t i = 0; i < 30; i++) {
        line_up("10.0.0.1", "a-guess");
    }
    now += 60 * SECOND / OF_ADDRESS;
    for (uint32_t i = 0; i < 30; i++) {
        assert_true(pass_line("10.0.0.1", keys_of("a-guess"), &pass, &wait));
        assert_int_equal(try_with_pass("10.0.0.1", "a-guess", pass), TRIES_WRONG);
    }
    line_up("10.0.0.1", "a-guess"); /* one who comes later needs a try of its own */
    assert_false(pass_line("10.0.0.1", keys_of("a-guess"), &pass, &wait));
    now += 60 * SECOND / OF_ADDRESS;
    assert_true(pass_line("10.0.0.1", other, &pass, &wait));
    assert_int_equal(try_with_pass("10.0.0.1", "the-right-key", pass), TRIES_RIGHT);
}

/* A hello that would wait for longer is refused at once. */
static void test_a_line_that_hardly_moves_takes_no_one(void **state)
{
    const struct tries_limits few = {.connection = 1, .address = 1, .all = 6};

    (void)state;
    tries_destroy(tries);
    tries = tries_create(&few);
    assert_int_equal(wrong("10.0.0.1"), TRIES_WRONG);
    assert_false(tries_line_up(tries, tries_origin(tries, "10.0.0.1"), keys_of("a-guess"), now));
    now += 31 * SECOND;
    assert_true(tries_line_up(tries, tries_origin(tries, "10.0.0.1"), keys_of("a-guess"), now));
}

/* ---- crowds: the limits are the default ones, 60 keys at once and then one a second ---- */

static int make_default(void **state)
{
    const struct tries_limits usual = {.connection = 6, .address = 60, .all = 300};

    (void)state;
    tries = tries_create(&usual);
    now = 1000 * SECOND;
    for (uint32_t i = 0; i < 60; i++) {
        assert_int_equal(wrong("10.0.0.1"), TRIES_WRONG);
    }
    return tries == NULL;
}

#define CROWD_MAX 1700u
#define PUPILS    24u

/* Guessers behind one address. Each lines up again as soon as its key was wrong; `alike` of them
 * take the same new key. */
static struct crowd {
    uint32_t count, alike;
    uint64_t keys[CROWD_MAX];
    uint32_t begun; /* hellos so far */
} crowd;

static uint64_t compared; /* keys of the crowd */

static void crowd_line_up(uint32_t i)
{
    char guess[16];

    snprintf(guess, sizeof guess, "guess-%u", crowd.begun++ / crowd.alike);
    crowd.keys[i] = line_up("10.0.0.1", guess);
}

static void crowd_come(uint32_t count, uint32_t alike)
{
    crowd = (struct crowd){.count = count, .alike = alike};
    compared = 0;
    for (uint32_t i = 0; i < count; i++) {
        crowd_line_up(i);
    }
}

static uint32_t pupils; /* with the right key in line */

/* 0.25 s, in which each hello asks once: the crowd before the class. */
static void turn(void)
{
    struct tries_pass pass;

    now += SECOND / 4;
    for (uint32_t i = 0; i < crowd.count; i++) {
        if (pass_line("10.0.0.1", crowd.keys[i], &pass, NULL)) {
            assert_int_equal(try_with_pass("10.0.0.1", "a-guess", pass), TRIES_WRONG);
            compared += !pass.known;
            crowd_line_up(i);
        }
    }
    for (uint32_t i = pupils; i > 0; i--) {
        if (pass_line("10.0.0.1", keys_of("the-right-key"), &pass, NULL)) {
            assert_int_equal(try_with_pass("10.0.0.1", "the-right-key", pass), TRIES_RIGHT);
            pupils--;
        }
    }
}

static void turns(uint32_t seconds)
{
    for (uint32_t i = 0; i < 4 * seconds; i++) {
        turn();
    }
}

/* Returns the seconds until so many people with the right key are in. */
static double class_waits(uint32_t count)
{
    const uint64_t began = now;

    for (pupils = 0; pupils < count; pupils++) {
        line_up("10.0.0.1", "the-right-key");
    }
    while (pupils > 0 && now - began < 300 * SECOND) {
        turn();
    }
    return (double)(now - began) / SECOND;
}

/* Forty connections with a common wrong key, another one each time: larger than any class. */
static void test_a_common_wrong_key_does_not_keep_a_class_out(void **state)
{
    (void)state;
    crowd_come(40, 40);
    turns(30);
    assert_true(class_waits(PUPILS) <= 3);
}

/* However many connections guess, and however they divide their keys. */
static void test_a_class_passes_crowds_of_any_kind(void **state)
{
    static const struct {
        uint32_t count, alike;
        double waits; /* s, at most */
    } crowds[] = {{40, 1, 3},       {40, 25, 3},      {240, 25, 5.25},    {1000, 1, 5.25},
                  {1000, 25, 5.25}, {1000, 50, 5.25}, {1000, 1000, 5.25}, {CROWD_MAX, 25, 5.25}};

    for (size_t i = 0; i < sizeof crowds / sizeof crowds[0]; i++) {
        tries_destroy(tries);
        make_default(state);
        crowd_come(crowds[i].count, crowds[i].alike);
        turns(30);
        const double waits = class_waits(PUPILS);
        if (waits > crowds[i].waits) {
            fail_msg("%u guessers, %u alike: %.1f s", crowds[i].count, crowds[i].alike, waits);
        }
    }
}

/* A right key alone is one of many, and has its try after two minutes at most. */
static void test_a_late_pupil_waits_for_two_minutes_at_most(void **state)
{
    (void)state;
    crowd_come(40, 1);
    turns(60);
    assert_true(class_waits(1) <= 41);
    tries_destroy(tries);
    make_default(state);
    crowd_come(1000, 25);
    assert_true(class_waits(1) <= 120.25);
}

/* A group that has waited for long gets nothing from hellos that have just come. */
static void test_a_group_that_swells_has_not_waited(void **state)
{
    (void)state;
    crowd_come(1, 1);
    turns(1);
    crowd_come(1, 1); /* the seed */
    pupils = 0;
    now += 20 * SECOND;
    for (pupils = 0; pupils < PUPILS; pupils++) {
        line_up("10.0.0.1", "the-right-key");
    }
    now += SECOND;
    assert_int_equal(tries_wrong(tries, TRIES_JOIN), 1);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(line_up("10.0.0.1", "guess-0"), crowd.keys[0]);
    }
    struct tries_pass pass;
    assert_false(pass_line("10.0.0.1", crowd.keys[0], &pass, NULL));
    assert_true(pass_line("10.0.0.1", keys_of("the-right-key"), &pass, NULL));
}

/* A guesser with 1,000 connections gets a try a second, and one for each two minutes that each of
 * the connections waits. */
static void test_waiting_pays_for_few_guesses(void **state)
{
    (void)state;
    crowd_come(1000, 1);
    turns(240);
    assert_in_range(compared, 200, 240 + 240 / 120 * 1000);
    const uint64_t distinct = compared;
    tries_destroy(tries);
    make_default(state);
    crowd_come(1000, 25);
    turns(240);
    assert_in_range(compared, 200, distinct);
}

/* Strangers elsewhere use up the tries of all addresses: who waits is compared all the same. */
static void test_the_total_keeps_no_one_out(void **state)
{
    const uint64_t began = now;
    char address[NETWORK_ADDRESS_MAX];

    (void)state;
    crowd = (struct crowd){0};
    for (pupils = 0; pupils < PUPILS; pupils++) {
        line_up("10.0.0.1", "the-right-key");
    }
    while (pupils > 0) {
        for (uint32_t i = 0; i < 100; i++) {
            snprintf(address, sizeof address, "10.0.1.%u", i);
            while (wrong(address) == TRIES_WRONG) {
            }
        }
        assert_true(now - began <= 5 * SECOND);
        turn();
    }
}

/* A hello waits for two minutes at most, also with limits that give it no try. */
static void test_a_right_key_waits_for_its_price_at_most(void **state)
{
    struct tries_pass pass;
    uint32_t wait;

    (void)state;
    assert_int_equal(tries_longest(tries), 120 * SECOND);
    crowd_come(1000, 1);
    line_up("10.0.0.1", "the-right-key");
    assert_false(pass_line("10.0.0.1", keys_of("the-right-key"), &pass, &wait));
    assert_int_equal(wait, 120);
    now += 120 * SECOND - 1;
    while (wrong("10.0.0.2") == TRIES_WRONG) {
    }
    assert_true(pass_line("10.0.0.1", crowd.keys[0], &pass, NULL)); /* the try of the address */
    assert_false(pass_line("10.0.0.1", keys_of("the-right-key"), &pass, &wait));
    assert_int_equal(wait, 1);
    now += 1;
    assert_true(pass_line("10.0.0.1", keys_of("the-right-key"), &pass, &wait));
    assert_int_equal(try_with_pass("10.0.0.1", "the-right-key", pass), TRIES_RIGHT);
    assert_false(right("10.0.0.1") == TRIES_RIGHT); /* it gave no try back */
}

static void test_no_key_opens_nothing(void **state)
{
    const struct tries_try try = {.key = "", .tried = "", .now = now};
    uint32_t wait;

    (void)state;
    assert_int_equal(tries_compare(tries, &try, &wait), TRIES_WRONG);
    assert_int_equal(tries_compare(NULL, &try, &wait), TRIES_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_burst_and_then_one_per_interval, make, finish),
        cmocka_unit_test_setup_teardown(test_right_keys_cost_nothing, make, finish),
        cmocka_unit_test_setup_teardown(test_a_chosen_key_waits, make, finish),
        cmocka_unit_test_setup_teardown(test_a_made_key_does_not_wait, make, finish),
        cmocka_unit_test_setup_teardown(test_other_addresses_are_free, make, finish),
        cmocka_unit_test_setup_teardown(test_requests_have_their_own_limit, make, finish),
        cmocka_unit_test_setup_teardown(test_early_tries_are_counted_elsewhere, make, finish),
        cmocka_unit_test_setup_teardown(test_wrong_requests_count_twice, make, finish),
        cmocka_unit_test_setup_teardown(test_all_together, make, finish),
        cmocka_unit_test_setup_teardown(test_right_keys_give_nothing_to_others, make, finish),
        cmocka_unit_test_setup_teardown(test_many_addresses, make, finish),
        cmocka_unit_test_setup_teardown(test_limits_can_be_chosen, make, finish),
        cmocka_unit_test_setup_teardown(test_hellos_have_turns_in_their_order, make, finish),
        cmocka_unit_test_setup_teardown(test_a_right_key_pays_for_no_wrong_one, make, finish),
        cmocka_unit_test_setup_teardown(test_those_who_leave_the_line_delay_no_one, make, finish),
        cmocka_unit_test_setup_teardown(test_the_key_of_most_hellos_is_next, make, finish),
        cmocka_unit_test_setup_teardown(test_a_wrong_key_of_many_hellos_is_one_try, make, finish),
        cmocka_unit_test_setup_teardown(test_a_line_that_hardly_moves_takes_no_one, make, finish),
        cmocka_unit_test_setup_teardown(test_a_common_wrong_key_does_not_keep_a_class_out,
                                        make_default, finish),
        cmocka_unit_test_setup_teardown(test_a_class_passes_crowds_of_any_kind, make_default,
                                        finish),
        cmocka_unit_test_setup_teardown(test_a_late_pupil_waits_for_two_minutes_at_most,
                                        make_default, finish),
        cmocka_unit_test_setup_teardown(test_a_group_that_swells_has_not_waited, make_default,
                                        finish),
        cmocka_unit_test_setup_teardown(test_waiting_pays_for_few_guesses, make_default, finish),
        cmocka_unit_test_setup_teardown(test_the_total_keeps_no_one_out, make_default, finish),
        cmocka_unit_test_setup_teardown(test_a_right_key_waits_for_its_price_at_most, make_default,
                                        finish),
        cmocka_unit_test_setup_teardown(test_no_key_opens_nothing, make, finish),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
