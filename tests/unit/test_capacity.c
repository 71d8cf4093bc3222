/* The numbers of clients and guests that the limit of open files allows. */
#include "net/gate/capacity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "net/gate/place.h"

#define OTHERS       24u /* descriptors other than connections */
#define OTHERS_SHARD 10u /* further descriptors of each shard except the first */

static struct config config;
static struct service service;

/* Sets only the soft limit of open files, because the hard limit cannot be raised again. */
static void fit(uint32_t files, uint32_t max_clients, uint32_t shards)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_max > files) {
        limit = (struct rlimit){.rlim_cur = files, .rlim_max = files};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    }
    config = (struct config){.max_clients = max_clients, .net_threads = shards};
    service = (struct service){.config = &config};
    assert_true(capacity_fit(&service));
}

/* Returns the maximum of descriptors of clients, displaced clients, presenters and guests. */
static uint32_t most(void)
{
    return OTHERS + (config.net_threads - 1) * OTHERS_SHARD + service.clients_max +
           service.displaced_max + PLACE_PRESENTERS +
           (service.guests_max + service.lingering_max) * config.net_threads;
}

static void test_all_have_a_descriptor(void **state)
{
    (void)state;
    /* From the highest limit to the lowest. */
    fit(1000, 10000, 4);
    assert_true(most() <= 1000);
    assert_int_equal(service.displaced_max, PLACE_DISPLACED_MAX);
    assert_true(service.clients_max > 600);
    for (uint32_t clients = 1; clients <= 1000; clients *= 10) { /* guests take nearly all */
        fit(24 + 63 * 10 + 16 + 8 + 64, clients, 64);
        assert_true(most() <= 24 + 63 * 10 + 16 + 8 + 64);
        assert_true(service.displaced_max > 0 && service.guests_max > 0 && service.clients_max > 0);
    }
    for (uint32_t files = 740; files >= 90; files -= 13) {
        fit(files, files / 2, 2);
        assert_true(most() <= files);
        assert_true(service.displaced_max > 0 && service.guests_max > 0 && service.clients_max > 0);
    }
    fit(90, 30, 1);
    assert_true(most() <= 90);
    assert_int_equal(service.clients_max, 30);
    fit(24 + 16 + 8 + 1, 10, 1);
    assert_true(most() <= 24 + 16 + 8 + 1);
    assert_true(service.displaced_max > 0 && service.guests_max > 0 && service.clients_max > 0);
}

/* The limit is exactly as high as necessary. */
static void test_the_limit_is_set(void **state)
{
    struct rlimit limit;

    (void)state;
    fit(UINT32_MAX, 10, 1);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(service.clients_max, 10);
    assert_int_equal(limit.rlim_cur, most());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_limit_is_set),
        cmocka_unit_test(test_all_have_a_descriptor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
