/* Structs of one size, side by side. */
#include "base/slab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SIZE  300u
#define COUNT 1000u

static struct slab slab;
static unsigned char *taken[COUNT];

static int begin(void **state)
{
    (void)state;
    slab_init(&slab, SIZE);
    return 0;
}

/* A slab without structs has no memory: the sanitizer finds what is left. */
static int end(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        slab_give(&slab, taken[i]);
        taken[i] = NULL;
    }
    assert_null(slab.open.first);
    return 0;
}

static void take_all(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        taken[i] = slab_take(&slab);
        assert_non_null(taken[i]);
        for (size_t byte = 0; byte < SIZE; byte++) {
            assert_int_equal(taken[i][byte], 0);
        }
        memset(taken[i], (int)(i % 255) + 1, SIZE);
    }
}

static void test_each_has_memory_of_its_own(void **state)
{
    (void)state;
    take_all();
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal((uintptr_t)taken[i] % SLAB_LINE, 0);
        assert_int_equal(taken[i][0], i % 255 + 1);
        assert_int_equal(taken[i][SIZE - 1], i % 255 + 1);
    }
}

static void test_structs_lie_side_by_side(void **state)
{
    size_t neighbours = 0;

    (void)state;
    take_all();
    for (size_t i = 1; i < COUNT; i++) {
        neighbours += taken[i] == taken[i - 1] + slab.size;
    }
    assert_in_range(neighbours, COUNT * 95 / 100, COUNT);
}

static bool was_taken(unsigned char *const before[COUNT], const unsigned char *address)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (before[i] == address) {
            return true;
        }
    }
    return false;
}

static void test_free_memory_is_used_again(void **state)
{
    unsigned char *before[COUNT];

    (void)state;
    take_all();
    memcpy(before, taken, sizeof taken);
    for (size_t i = 0; i < COUNT; i += 3) {
        slab_give(&slab, taken[i]);
    }
    for (size_t i = 0; i < COUNT; i += 3) {
        taken[i] = slab_take(&slab);
        assert_true(was_taken(before, taken[i]));
        assert_int_equal(taken[i][0], 0);
    }
}

static void test_giving_nothing(void **state)
{
    (void)state;
    slab_give(&slab, NULL);
    assert_null(slab.open.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_has_memory_of_its_own, begin, end),
        cmocka_unit_test_setup_teardown(test_structs_lie_side_by_side, begin, end),
        cmocka_unit_test_setup_teardown(test_free_memory_is_used_again, begin, end),
        cmocka_unit_test_setup_teardown(test_giving_nothing, begin, end),
    };
    return cmocka_run_group_tests_name("slab", tests, NULL, NULL);
}
