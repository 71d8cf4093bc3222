/* A seed gives the bits of the golden hashes below, on x86-64 and on arm64 (suite arm64). */
#include "sim_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* By update order, model and boundary. */
static const uint64_t golden[2][5][3] = {
    {{0xc53c74ecd58f6eaau, 0x211b600ccc001492u, 0xfb1087fcb4153ac4u},
     {0xae9bd412d3679471u, 0xe36c96a230c6d600u, 0x8e1b9897a4537911u},
     {0x15f5fb275a57c28eu, 0xeb16d61f5e9f2589u, 0xd4b6ef43151ba164u},
     {0x794cfacd12aea721u, 0xf724cd1cdc6fce00u, 0x7e804a79fd1b3dabu},
     {0x20cd0974eb7461bau, 0x2a67d15c9dbe07bbu, 0x947ff772a249961bu}},
    {{0x485d0be7bf7349fcu, 0xdc6dfa1ec7f292dfu, 0x3f9ffed2cfb195b5u},
     {0xf075b9683b375bd1u, 0x2aef51c291bca607u, 0x6d4b58076de235d4u},
     {0xad03bd058938c6e7u, 0x4c7d8ce246041287u, 0xbcfa7ecea5a2d75eu},
     {0x031e8056371322e1u, 0xe5954103b6240f3bu, 0x9fd9156e50eabb7au},
     {0x3eb0738f58ee8d54u, 0xc1636aaad09bec94u, 0xaf336179842831c5u}}};

/* Returns whether the hash is the golden one. If not, prints it. */
static bool is_golden(size_t model, int boundary, int update, uint64_t hash)
{
    if (hash == golden[update][model][boundary]) {
        return true;
    }
    print_message("%s, boundary %d, update %d: 0x%016llx\n", flock_models[model]->name, boundary,
                  update, (unsigned long long)hash);
    return false;
}

/* Of flocks that 128 cursors lead, by boundary; of all models together. */
static const uint64_t golden_class[] = {0xc624bcf530e9704bu, 0xac904e7ca911e7d6u,
                                        0xc81cb6259d6f789fu};

/* Of flocks with noise and uninformed boids, by update order and boundary; of all models together.
 */
static const uint64_t golden_noise[2][3] = {
    {0x06912581031b2dd6u, 0x63b342c592260aecu, 0x9de90efa8f0926c1u},
    {0x7e2012020f8f2a13u, 0xb337c8635efc2b0fu, 0xcd2cfbc0603c03c9u}};

/* Of flocks with noise, uninformed boids, food and hunters, as above. */
static const uint64_t golden_things[2][3] = {
    {0x15ae5ad4da35f2d5u, 0x6263a2d900658964u, 0x862c9750bed296bcu},
    {0xb757a68f9128fb39u, 0x888904ca1209ca24u, 0x6ae6cb246debc9f6u}};

/* Asserts the hashes of all models and boundaries. */
static void assert_golden(int update)
{
    bool all = true;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            struct flock_definition definition = definition_of(m, boundary, update);
            uint64_t hash = hash_of_run(definition, 1, 0);
            all = is_golden(m, boundary, update, hash) && all;
        }
    }
    if (!all) {
        fail_msg("%s", "if the change is meant, the hashes above are the new ones");
    }
}

static void test_golden(void **state)
{
    (void)state;
    assert_golden(FLOCK_SYNCHRONOUS);
}

static void test_golden_one_after_another(void **state)
{
    (void)state;
    assert_golden(FLOCK_SEQUENTIAL);
}

/* Returns the hash of the led flocks of all models. */
static uint64_t hash_of_models(struct flock_definition (*definition)(size_t model, int boundary,
                                                                     int update),
                               int boundary, int update, bool things)
{
    uint64_t hash = 0;

    for (size_t m = 0; flock_models[m] != NULL; m++) {
        hash = hash * 31 + hash_of_any_run(definition(m, boundary, update), 1, 0, true, things);
    }
    return hash;
}

/* Returns whether the hash is the golden one. If not, prints it. */
static bool is_all_golden(uint64_t golden_hash, int boundary, int update, uint64_t hash)
{
    if (hash != golden_hash) {
        print_message("boundary %d, update %d: 0x%016llx\n", boundary, update,
                      (unsigned long long)hash);
    }
    return hash == golden_hash;
}

static void test_golden_class(void **state)
{
    bool all = true;

    (void)state;
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
        uint64_t hash = hash_of_models(definition_of, boundary, FLOCK_SYNCHRONOUS, false);
        all = is_all_golden(golden_class[boundary], boundary, FLOCK_SYNCHRONOUS, hash) && all;
    }
    assert_true(all);
}

static void assert_all_golden(const uint64_t hashes[2][3], bool things)
{
    bool all = true;

    for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            uint64_t hash = hash_of_models(noisy_definition_of, boundary, update, things);
            all = is_all_golden(hashes[update][boundary], boundary, update, hash) && all;
        }
    }
    assert_true(all);
}

static void test_golden_noise(void **state)
{
    (void)state;
    assert_all_golden(golden_noise, false);
}

static void test_golden_things(void **state)
{
    (void)state;
    assert_all_golden(golden_things, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),        cmocka_unit_test(test_golden_one_after_another),
        cmocka_unit_test(test_golden_class),  cmocka_unit_test(test_golden_noise),
        cmocka_unit_test(test_golden_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
