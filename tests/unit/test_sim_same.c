/* A seed gives the same bits for any number of threads and lanes. */
#include "sim_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_same_bits_with_any_lanes_and_threads(void **state)
{
    const struct {
        uint32_t threads, lanes;
    } others[] = {{3, 4}, {2, 8}, {1, 16}, {3, 16}};

    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            struct flock_definition definition = definition_of(m, boundary, FLOCK_SYNCHRONOUS);
            const uint64_t hashes[] = {hash_of_led_run(definition, 1, 4, false),
                                       hash_of_led_run(definition, 1, 4, true)};
            for (size_t i = 0; i < 2 * sizeof others / sizeof *others; i++) {
                const uint32_t threads = others[i / 2].threads;
                const uint32_t lanes = others[i / 2].lanes;
                if (hash_of_led_run(definition, threads, lanes, i % 2) != hashes[i % 2]) {
                    fail_msg("%s, boundary %d: %u threads and %u lanes make other bits",
                             flock_models[m]->name, boundary, threads, lanes);
                }
            }
        }
    }
}

static void test_same_bits_one_after_another(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            struct flock_definition definition = definition_of(m, boundary, FLOCK_SEQUENTIAL);
            if (hash_of_run(definition, 1, 4) != hash_of_run(definition, 3, 0)) {
                fail_msg("%s, boundary %d: other threads and lanes make other bits",
                         flock_models[m]->name, boundary);
            }
        }
    }
}

/* With noise, and some boids that do not follow. */
static void test_same_bits_with_noise(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            struct flock_definition definition =
                noisy_definition_of(m, boundary, FLOCK_SYNCHRONOUS);
            const uint64_t hash = hash_of_led_run(definition, 1, 4, true);
            if (hash_of_led_run(definition, 3, 8, true) != hash ||
                hash_of_led_run(definition, 2, 16, true) != hash) {
                fail_msg("%s, boundary %d: other threads and lanes make other bits",
                         flock_models[m]->name, boundary);
            }
        }
    }
}

/* With food for most of the boids, and hunters. */
static void test_same_bits_with_food_and_hunters(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            struct flock_definition definition =
                noisy_definition_of(m, boundary, FLOCK_SYNCHRONOUS);
            const uint64_t hash = hash_of_any_run(definition, 1, 4, false, true);
            if (hash_of_any_run(definition, 3, 8, false, true) != hash ||
                hash_of_any_run(definition, 2, 16, false, true) != hash) {
                fail_msg("%s, boundary %d: other threads and lanes make other bits",
                         flock_models[m]->name, boundary);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_with_any_lanes_and_threads),
        cmocka_unit_test(test_same_bits_one_after_another),
        cmocka_unit_test(test_same_bits_with_noise),
        cmocka_unit_test(test_same_bits_with_food_and_hunters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
