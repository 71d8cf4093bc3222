/* The attract mode of a demo: its beginning, its presets and its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/ui/attract.h"

#include <math.h>

#define SECOND INT64_C(1000000)
#define TICK   (SECOND / 60)

/* Returns how many presets are shown from `from` on until `to`. */
static int count_presets(struct term_attract *attract, int64_t from, int64_t to)
{
    int count = 0;
    for (int64_t now = from; now < to; now += TICK) {
        enum term_attract_step step = term_attract_tick(attract, now);
        count += step == TERM_ATTRACT_BEGIN || step == TERM_ATTRACT_NEXT ? 1 : 0;
    }
    return count;
}

static void it_begins_when_nobody_has_pressed_a_key_for_30_seconds(void **state)
{
    struct term_attract attract;
    (void)state;
    term_attract_init(&attract, 0, SECOND);
    assert_int_equal(count_presets(&attract, SECOND, 25 * SECOND), 0);
    assert_false(term_attract_touch(&attract, 25 * SECOND));
    assert_int_equal(count_presets(&attract, 25 * SECOND, 54 * SECOND), 0);
    assert_int_equal(count_presets(&attract, 54 * SECOND, 56 * SECOND), 1);
    assert_int_equal(count_presets(&attract, 56 * SECOND, 136 * SECOND), 4); /* 20 s each */
}

static void a_key_ends_it_for_30_seconds(void **state)
{
    struct term_attract attract;
    (void)state;
    term_attract_init(&attract, 5, SECOND);
    assert_int_equal(count_presets(&attract, SECOND, 15 * SECOND), 2);
    assert_true(term_attract_touch(&attract, 15 * SECOND));
    assert_false(term_attract_touch(&attract, 16 * SECOND));
    assert_int_equal(count_presets(&attract, 16 * SECOND, 45 * SECOND), 0);
    assert_int_equal(count_presets(&attract, 45 * SECOND, 57 * SECOND), 3);
}

static void it_begins_at_once_with_the_preset_that_is_there(void **state)
{
    struct term_attract attract;
    (void)state;
    term_attract_init(&attract, 3, SECOND);
    assert_int_equal(term_attract_tick(&attract, SECOND), TERM_ATTRACT_SHOW);
    assert_int_equal(term_attract_tick(&attract, 4 * SECOND), TERM_ATTRACT_NEXT);
}

static void the_cursor_wanders_slowly_all_over_the_middle(void **state)
{
    float left = 1;
    float right = 0;
    float last_x = 0;
    float last_y = 0;
    (void)state;
    term_attract_wander(0, &last_x, &last_y);
    for (int64_t now = 0; now < 60 * SECOND; now += TICK) {
        float x = 0;
        float y = 0;
        term_attract_wander(now, &x, &y);
        assert_true(x > 0.1F && x < 0.9F && y > 0.1F && y < 0.9F);
        assert_true(hypotf(x - last_x, y - last_y) < 0.01F);
        left = fminf(left, x);
        right = fmaxf(right, x);
        last_x = x;
        last_y = y;
    }
    assert_true(right - left > 0.6F);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_when_nobody_has_pressed_a_key_for_30_seconds),
        cmocka_unit_test(a_key_ends_it_for_30_seconds),
        cmocka_unit_test(it_begins_at_once_with_the_preset_that_is_there),
        cmocka_unit_test(the_cursor_wanders_slowly_all_over_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
