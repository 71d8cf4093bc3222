/* The same seed makes the same bits, whatever the number of threads and however many floats the
 * processor takes at a time; and the same bits as when the hashes below were written down. */
#include "sim/flock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BOIDS = 3000, TICKS = 30 };

static uint64_t hash_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int byte = 0; byte < 4; byte++) { /* FNV-1a */
            hash = (hash ^ (bits >> 8 * byte & 0xff)) * 0x100000001b3u;
        }
    }
    return hash;
}

static uint64_t hash_of_run(struct flock_definition definition, uint32_t threads, uint32_t lanes)
{
    static float state[4][BOIDS];
    definition.threads = threads;
    definition.lanes = lanes;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    const struct flock_wall walls[] = {{100.0f, 50.0f, 220.0f, 190.0f},
                                       {300.0f, 500.0f, 310.0f, 100.0f}};
    assert_true(flock_set_walls(flock, walls, 2));
    for (int tick = 0; tick < TICKS; tick++) {
        struct flock_target targets[] = {{10.0f * (float)tick, 250.0f, false},
                                         {700.0f, 30.0f, false}};
        flock_tick_targets(flock, targets, 2);
    }
    flock_positions(flock, state[0], state[1]);
    flock_velocities(flock, state[2], state[3]);
    flock_destroy(flock);
    return hash_floats(0xcbf29ce484222325u, state[0], 4 * (size_t)BOIDS);
}

/* Of each model, in each boundary. */
static const uint64_t golden[5][3] = {
    {0x1e79aa717a7bd320u, 0x37bf212cc0c0c452u, 0x31aae387d667376bu},
    {0x447d9dde4ffeeebeu, 0xb3c5cea15c5c1b65u, 0xd40fb30cc0bea5bau},
    {0x305e1e9d84fab582u, 0x829948090d1e0acfu, 0xc05de11ec8148b53u},
    {0x5e8397312493eea7u, 0x500d3666b39c1850u, 0xcb72d84abbfc9e7au},
    {0x0a34857a0f87d102u, 0x76e8f4a6745b47fbu, 0x751ed916342a2c9au},
};

static void test_same_bits(void **state)
{
    (void)state;
    bool all = true;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            struct flock_definition definition = flock_definition_default();
            definition.model = flock_models[m];
            definition.boundary = (enum flock_boundary)boundary;
            definition.width = 900.0f;
            definition.height = 700.0f;
            definition.boids = BOIDS;
            definition.seed = 42;
            uint64_t hash = hash_of_run(definition, 1, 0);
            for (uint32_t lanes = 4; lanes <= 16; lanes *= 2) {
                for (uint32_t threads = 1; threads <= 3; threads++) {
                    if (hash_of_run(definition, threads, lanes) != hash) {
                        fail_msg("%s, boundary %d: %u threads and %u lanes make other bits",
                                 flock_models[m]->name, boundary, threads, lanes);
                    }
                }
            }
            if (hash != golden[m][boundary]) {
                print_message("%s, boundary %d: 0x%016llx\n", flock_models[m]->name, boundary,
                              (unsigned long long)hash);
                all = false;
            }
        }
    }
    if (!all) {
        fail_msg("if the change is meant, the hashes above are the new ones");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
