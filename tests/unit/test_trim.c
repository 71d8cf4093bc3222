/* Freed memory returns to the system once much of it was freed, and not all the time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/trim.h"
#include "past/history_budget.h"

#define MB UINT64_C(1048576)

static void much_freed_memory_returns_once(void **state)
{
    struct trim trim = {0};

    (void)state;
    assert_false(trim_is_due(&trim, 200 * MB, 200 * MB, 1));
    assert_false(trim_is_due(&trim, 197 * MB, 197 * MB, 2)); /* 3 MB less */
    assert_true(trim_is_due(&trim, 195 * MB, 195 * MB, 3));  /* 5 MB less */
    assert_false(trim_is_due(&trim, 195 * MB, 195 * MB, 4));
    assert_false(trim_is_due(&trim, 192 * MB, 192 * MB, 5 + TRIM_TIME));
}

static void memory_that_is_freed_soon_afterwards_returns_later(void **state)
{
    struct trim trim = {0};

    (void)state;
    assert_false(trim_is_due(&trim, 200 * MB, 200 * MB, 1));
    assert_true(trim_is_due(&trim, 100 * MB, 100 * MB, 2));
    assert_false(trim_is_due(&trim, 10 * MB, 10 * MB, 3));
    assert_false(trim_is_due(&trim, 10 * MB, 10 * MB, 1 + TRIM_TIME));
    assert_true(trim_is_due(&trim, 10 * MB, 10 * MB, 2 + TRIM_TIME));
}

static void memory_that_was_used_between_two_calls_returns(void **state)
{
    struct trim trim = {0};

    (void)state;
    assert_false(trim_is_due(&trim, 1 * MB, 1 * MB, 1));
    assert_true(trim_is_due(&trim, 24 * MB, 1 * MB, 2));
    assert_false(trim_is_due(&trim, 1 * MB, 1 * MB, 3 + TRIM_TIME));
}

static void a_budget_knows_its_peak(void **state)
{
    struct history_budget *budget = history_budget_create(100);
    struct history_budget *room = history_budget_below(budget, 0, false);

    (void)state;
    assert_true(history_budget_take(room, 40));
    assert_true(history_budget_set_beside(room, 30));
    history_budget_give(room, 40);
    assert_true(history_budget_set_beside(room, 10));
    assert_int_equal(history_budget_peak(budget), 70);
    assert_int_equal(history_budget_peak(budget), 10);
    assert_true(history_budget_set_beside(room, 0));
    history_budget_release(room);
    history_budget_release(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(much_freed_memory_returns_once),
        cmocka_unit_test(memory_that_is_freed_soon_afterwards_returns_later),
        cmocka_unit_test(memory_that_was_used_between_two_calls_returns),
        cmocka_unit_test(a_budget_knows_its_peak),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
