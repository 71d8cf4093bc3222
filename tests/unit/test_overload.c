/* A shard that cannot send all snapshots lowers the rate of its clients evenly, and raises it
 * again. */
#include "net/gate/overload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define RATE 20u /* snapshots of each room a second */

/* A shard whose clients of each class need this part of its time at the full rate, in 1/1000. */
struct shard {
    struct overload overload;
    uint32_t clients[OVERLOAD_CLASSES], needs[OVERLOAD_CLASSES];
    uint32_t changes;
};

static struct shard make_shard(uint32_t others, uint32_t trusted)
{
    struct shard shard = {.clients = {others, trusted}, .needs = {others, trusted}};

    overload_init(&shard.overload);
    return shard;
}

/* Returns the part of its time that the shard needs now. */
static uint32_t need_of(const struct shard *shard)
{
    uint32_t need = 0;

    for (int i = 0; i < OVERLOAD_CLASSES; i++) {
        need += shard->needs[i] >> shard->overload.levels[i];
    }
    return need;
}

static void run(struct shard *shard, uint32_t seconds)
{
    for (uint32_t second = 0; second < seconds; second++) {
        uint32_t need = need_of(shard);
        uint32_t sent = need > 1000 ? RATE * 1000 / need : RATE;
        overload_count(&shard->overload, sent, RATE - sent);
        shard->changes +=
            overload_turn(&shard->overload, shard->clients, need < 1000 ? 1000 - need : 0);
    }
}

static void assert_levels(const struct shard *shard, uint32_t others, uint32_t trusted)
{
    assert_int_equal(shard->overload.levels[0], others);
    assert_int_equal(shard->overload.levels[1], trusted);
}

/* A shard with time enough lowers no rate. */
static void test_enough_time(void **state)
{
    struct shard shard = make_shard(500, 450);

    (void)state;
    run(&shard, 100);
    assert_levels(&shard, 0, 0);
    assert_int_equal(shard.changes, 0);
}

/* Joining clients take time for some seconds: no lower rate follows than the snapshots need. */
static void test_a_crowd_that_joins(void **state)
{
    struct shard shard = make_shard(0, 2400);

    (void)state;
    run(&shard, 3);
    shard.needs[1] = 1100;
    run(&shard, 60);
    assert_levels(&shard, 1, 1);
}

/* One second of trouble lowers no rate. */
static void test_a_hiccup(void **state)
{
    struct shard shard = make_shard(500, 400);

    (void)state;
    for (int i = 0; i < 10; i++) {
        run(&shard, 5);
        shard.needs[0] = 5000;
        run(&shard, 1);
        shard.needs[0] = 500;
    }
    assert_int_equal(shard.changes, 0);
}

/* Clients of rooms that the server does not trust get fewer snapshots first. */
static void test_others_first(void **state)
{
    struct shard shard = make_shard(1500, 200);

    (void)state;
    run(&shard, 3);
    assert_levels(&shard, 1, 0);
    run(&shard, 100);
    assert_levels(&shard, 1, 0);
    assert_int_equal(shard.changes, 1);
}

/* When that is not enough, trusted rooms follow. */
static void test_then_trusted(void **state)
{
    struct shard shard = make_shard(1000, 1500);

    (void)state;
    run(&shard, 60);
    assert_levels(&shard, OVERLOAD_MAX, 1);
    assert_true(need_of(&shard) <= 1000);
}

/* Pupils keep the full rate while the shard has time for them. */
static void test_pupils_last(void **state)
{
    struct shard shard = make_shard(0, 2500);

    (void)state;
    shard.clients[OVERLOAD_PUPILS] = shard.needs[OVERLOAD_PUPILS] = 200;
    run(&shard, 100);
    assert_levels(&shard, 2, 2);
    assert_int_equal(shard.overload.levels[OVERLOAD_PUPILS], 0);
    shard.needs[OVERLOAD_PUPILS] = 1200; /* other work on the machine */
    run(&shard, 100);
    assert_levels(&shard, OVERLOAD_MAX, OVERLOAD_MAX);
    assert_int_equal(shard.overload.levels[OVERLOAD_PUPILS], 1);
}

/* Where almost all clients are pupils, their level is raised at once. */
static void test_many_pupils(void **state)
{
    struct shard shard = make_shard(0, 0);

    (void)state;
    shard.clients[OVERLOAD_PUPILS] = shard.needs[OVERLOAD_PUPILS] = 1700;
    run(&shard, 3);
    assert_int_equal(shard.overload.levels[OVERLOAD_PUPILS], 1);
    shard.needs[OVERLOAD_PUPILS] = 400;
    run(&shard, 60);
    assert_int_equal(shard.overload.levels[OVERLOAD_PUPILS], 0);
}

/* Others that are too few to matter do not delay the others' level. */
static void test_few_others(void **state)
{
    struct shard shard = make_shard(0, 1700);

    (void)state;
    run(&shard, 3);
    assert_int_equal(shard.overload.levels[1], 1);
    shard = make_shard(50, 4500);
    run(&shard, 3);
    assert_int_equal(shard.overload.levels[1], 2); /* which one level is far from */
}

/* When the work is less, the full rate comes back. */
static void test_restored(void **state)
{
    struct shard shard = make_shard(2000, 3000);

    (void)state;
    run(&shard, 60);
    assert_true(shard.overload.levels[1] > 0);
    shard.needs[0] = 200;
    shard.needs[1] = 250;
    run(&shard, 60);
    assert_levels(&shard, 0, 0);
}

/* The full rate is tried less and less often while it fails, and never comes and goes. */
static void test_failing_tries(void **state)
{
    struct shard shard = make_shard(0, 1300);

    (void)state;
    run(&shard, 600);
    assert_int_equal(shard.changes, 1); /* half the rate leaves too little time for a try */
    shard = make_shard(0, 1700);
    for (int i = 0; i < 600; i++) { /* other work on the machine hides the need */
        shard.needs[1] = shard.overload.levels[1] > 0 ? 800 : 1700;
        run(&shard, 1);
    }
    assert_true(shard.changes <= 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enough_time),  cmocka_unit_test(test_a_crowd_that_joins),
        cmocka_unit_test(test_a_hiccup),     cmocka_unit_test(test_others_first),
        cmocka_unit_test(test_then_trusted), cmocka_unit_test(test_few_others),
        cmocka_unit_test(test_restored),     cmocka_unit_test(test_failing_tries),
        cmocka_unit_test(test_pupils_last),  cmocka_unit_test(test_many_pupils),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
