/* Freed memory returns to the system once much of it was freed, and not all the time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/trim.h"

#define MB UINT64_C(1048576)

static void much_freed_memory_returns_once(void **state)
{
    struct trim trim = {0};

    (void)state;
    assert_false(trim_is_due(&trim, 200 * MB, 1));
    assert_false(trim_is_due(&trim, 197 * MB, 2)); /* 3 MB less */
    assert_true(trim_is_due(&trim, 195 * MB, 3));  /* 5 MB less */
    assert_false(trim_is_due(&trim, 195 * MB, 4));
    assert_false(trim_is_due(&trim, 192 * MB, 5 + TRIM_TIME));
}

static void memory_that_is_freed_soon_afterwards_returns_later(void **state)
{
    struct trim trim = {0};

    (void)state;
    assert_false(trim_is_due(&trim, 200 * MB, 1));
    assert_true(trim_is_due(&trim, 100 * MB, 2));
    assert_false(trim_is_due(&trim, 10 * MB, 3));
    assert_false(trim_is_due(&trim, 10 * MB, 1 + TRIM_TIME));
    assert_true(trim_is_due(&trim, 10 * MB, 2 + TRIM_TIME));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(much_freed_memory_returns_once),
        cmocka_unit_test(memory_that_is_freed_soon_afterwards_returns_later),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
