/* Arrays that grow up to a bound. */
#include "base/grow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 1000u

static void test_values_stay(void **state)
{
    uint32_t *array = NULL;
    size_t capacity = 0;

    (void)state;
    for (uint32_t i = 0; i < MOST; i++) {
        uint32_t *grown = grow_array(array, &capacity, i + 1, MOST, sizeof *array);
        assert_non_null(grown);
        assert_in_range(capacity, i + 1, MOST);
        array = grown;
        array[i] = i;
    }
    for (uint32_t i = 0; i < MOST; i++) {
        assert_int_equal(array[i], i);
    }
    free(array);
}

static void test_growing_by_one_rarely_moves_the_array(void **state)
{
    uint8_t *array = NULL;
    size_t capacity = 0, before = 0;
    unsigned moves = 0;

    (void)state;
    for (size_t i = 1; i <= 1000000; i++) {
        array = grow_array(array, &capacity, i, SIZE_MAX / 2, 1);
        assert_non_null(array);
        moves += capacity != before;
        before = capacity;
    }
    assert_in_range(moves, 1, 20);
    free(array);
}

static void test_the_bound(void **state)
{
    uint16_t *array = NULL;
    size_t capacity = 0;

    (void)state;
    assert_null(grow_array(array, &capacity, 3, 2, sizeof *array));
    assert_int_equal(capacity, 0);
    array = grow_array(array, &capacity, 1, 2, sizeof *array);
    assert_non_null(array);
    assert_in_range(capacity, 1, 2);
    array = grow_array(array, &capacity, 2, 2, sizeof *array);
    assert_int_equal(capacity, 2);
    array[1] = 7;
    assert_null(grow_array(array, &capacity, 3, 2, sizeof *array));
    assert_int_equal(capacity, 2);
    assert_int_equal(array[1], 7);
    free(array);
}

static void test_no_overflow(void **state)
{
    size_t capacity = 0;

    (void)state;
    assert_null(grow_array(NULL, &capacity, SIZE_MAX / 8 + 2, SIZE_MAX, 8));
    assert_null(grow_array(NULL, &capacity, 1, SIZE_MAX / 8 + 1, 8));
    assert_null(grow_array(NULL, &capacity, SIZE_MAX, SIZE_MAX, 1));
    assert_int_equal(capacity, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_stay),
        cmocka_unit_test(test_growing_by_one_rarely_moves_the_array),
        cmocka_unit_test(test_the_bound),
        cmocka_unit_test(test_no_overflow),
    };
    return cmocka_run_group_tests_name("grow", tests, NULL, NULL);
}
