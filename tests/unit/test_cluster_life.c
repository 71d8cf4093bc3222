/* Leases and routes keep their promises in lives of a cluster with faults, from seeds; and a
 * planted fault is found. A broken promise prints its seed. LIVES and SEED in the environment: how
 * many lives, and the first seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cluster_life.h"

#define LIVES_OF_A_FAULT 40u

static struct cluster_life life;

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static void test_lives_with_faults(void **state)
{
    const uint64_t lives = number_of("LIVES", 30);
    const uint64_t first = number_of("SEED", 1);
    uint64_t takeovers = 0;
    uint64_t declared = 0;
    uint64_t dropped = 0;

    (void)state;
    for (uint64_t seed = first; seed < first + lives; seed++) {
        if (!run_life(&life, seed, PLANTED_NONE)) {
            fail_msg("seed %llu, %s", (unsigned long long)seed, life.broken);
        }
        takeovers += life.takeovers;
        declared += life.declared;
        dropped += life.dropped_frames;
    }
    /* The lives are not empty. */
    assert_true(takeovers >= lives);
    assert_true(declared >= lives / 2);
    assert_true(dropped >= lives / 2);
}

/* Returns the seed of the first life that a planted fault breaks; 0: none. */
static uint64_t seed_that_breaks(enum planted planted)
{
    for (uint64_t seed = 1; seed <= LIVES_OF_A_FAULT; seed++) {
        if (!run_life(&life, seed, planted)) {
            return seed;
        }
    }
    return 0;
}

/* A planted fault is found, and the seed repeats what it broke. */
static void find_fault(enum planted planted)
{
    const uint64_t seed = seed_that_breaks(planted);
    char broken[sizeof life.broken];

    assert_int_not_equal(seed, 0);
    memcpy(broken, life.broken, sizeof broken);
    assert_false(run_life(&life, seed, planted));
    assert_string_equal(life.broken, broken);
}

static void test_an_edge_that_sees_no_epochs_is_found(void **state)
{
    (void)state;
    find_fault(PLANTED_BLIND_EDGE);
}

static void test_a_lease_without_compare_and_set_is_found(void **state)
{
    (void)state;
    find_fault(PLANTED_NO_COMPARE);
}

static void test_a_bucket_whose_leases_expire_is_found(void **state)
{
    (void)state;
    find_fault(PLANTED_TTL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lives_with_faults),
        cmocka_unit_test(test_an_edge_that_sees_no_epochs_is_found),
        cmocka_unit_test(test_a_lease_without_compare_and_set_is_found),
        cmocka_unit_test(test_a_bucket_whose_leases_expire_is_found),
    };
    return cmocka_run_group_tests_name("lives of a cluster", tests, NULL, NULL);
}
