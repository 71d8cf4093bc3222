/* A seed makes the same bits as when the hashes below were written down, on an x86-64 as on an
 * arm64, for which the suite arm64 runs this. */
#include "sim_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Of each update order and model, in each boundary. */
static const uint64_t golden[2][5][3] = {
    {{0x1e79aa717a7bd320u, 0x37bf212cc0c0c452u, 0x31aae387d667376bu},
     {0x447d9dde4ffeeebeu, 0xb3c5cea15c5c1b65u, 0xd40fb30cc0bea5bau},
     {0x305e1e9d84fab582u, 0x829948090d1e0acfu, 0xc05de11ec8148b53u},
     {0x5e8397312493eea7u, 0x500d3666b39c1850u, 0xcb72d84abbfc9e7au},
     {0x0a34857a0f87d102u, 0x76e8f4a6745b47fbu, 0x751ed916342a2c9au}},
    {{0x485d0be7bf7349fcu, 0xdc6dfa1ec7f292dfu, 0x3f9ffed2cfb195b5u},
     {0xf075b9683b375bd1u, 0x2aef51c291bca607u, 0x6d4b58076de235d4u},
     {0xad03bd058938c6e7u, 0x4c7d8ce246041287u, 0xbcfa7ecea5a2d75eu},
     {0x031e8056371322e1u, 0xe5954103b6240f3bu, 0x9fd9156e50eabb7au},
     {0x3eb0738f58ee8d54u, 0xc1636aaad09bec94u, 0xaf336179842831c5u}}};

/* False, with the hash on the terminal, if it is not the golden one. */
static bool is_golden(size_t model, int boundary, int update, uint64_t hash)
{
    if (hash == golden[update][model][boundary]) {
        return true;
    }
    print_message("%s, boundary %d, update %d: 0x%016llx\n", flock_models[model]->name, boundary,
                  update, (unsigned long long)hash);
    return false;
}

/* Each model in each boundary. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_golden_one_after_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
