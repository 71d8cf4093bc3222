/* Answers that wait: their order and their limit. */
#include "net/session/later.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

struct line {
    uint32_t places;
    uint32_t told;
};

static struct frame *answer(uint8_t number)
{
    return frame_of(&number, 1);
}

/* Accepts frames while there is space, and asserts their order. */
static bool accept_next(void *argument, struct frame *frame)
{
    struct line *line = argument;

    if (line->places == 0) {
        return false;
    }
    line->places--;
    assert_int_equal(*frame_data(frame), line->told++);
    frame_release(frame);
    return true;
}

static void test_order(void **state)
{
    struct later *later = NULL;
    struct line line = {0};

    (void)state;
    assert_true(later_tell(&later, accept_next, &line)); /* no answers wait */
    for (uint8_t i = 0; i < 5; i++) {
        assert_true(later_add(&later, answer(i)));
        assert_false(later_tell(&later, accept_next, &line));
    }
    line.places = 3;
    assert_false(later_tell(&later, accept_next, &line));
    assert_int_equal(line.told, 3);
    assert_true(later_add(&later, answer(5)));
    line.places = 10;
    assert_true(later_tell(&later, accept_next, &line));
    assert_int_equal(line.told, 6);
    assert_null(later);
}

static void test_bound(void **state)
{
    struct later *later = NULL;

    (void)state;
    for (uint32_t i = 0; i < LATER_MAX; i++) {
        assert_true(later_add(&later, answer(0)));
    }
    assert_false(later_add(&later, answer(0)));
    later_finish(&later);
    assert_null(later);
    later_finish(&later);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
