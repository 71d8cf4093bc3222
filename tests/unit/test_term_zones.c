/* Zones of the mouse: later zones lie on top, and bars follow the mouse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/ui/zones.h"

static struct term_pointer pointer;

static int setup(void **state)
{
    (void)state;
    pointer = (struct term_pointer){0};
    term_zones_clear();
    return 0;
}

static struct term_input mouse(enum term_action action, int x, int y)
{
    return term_zones_point(&pointer, (struct term_input){action, x, y});
}

static void expect(struct term_input input, enum term_action action, int x, int y)
{
    assert_int_equal(input.action, action);
    assert_int_equal(input.x, x);
    assert_int_equal(input.y, y);
}

static void a_click_is_the_zones_input(void **state)
{
    (void)state;
    term_zones_add_row(3, 10, 5, (struct term_input){TERM_PICK, 0, 7});
    expect(mouse(TERM_PRESS, 10, 3), TERM_PICK, 0, 7);
    expect(mouse(TERM_PRESS, 14, 3), TERM_PICK, 0, 7);
    expect(mouse(TERM_PRESS, 15, 3), TERM_PRESS, 15, 3); /* outside */
    expect(mouse(TERM_PRESS, 9, 3), TERM_PRESS, 9, 3);
    expect(mouse(TERM_PRESS, 12, 4), TERM_PRESS, 12, 4);
}

static void the_topmost_zone_counts(void **state)
{
    (void)state;
    term_zones_add_row(3, 0, 80, (struct term_input){TERM_PICK, 0, 1});
    term_zones_add(&(struct term_zone){0, 5, 10, 20, {TERM_IGNORED, 0, 0}, false}); /* a box */
    term_zones_add_row(3, 8, 4, (struct term_input){TERM_ENTER, 0, 0});
    expect(mouse(TERM_PRESS, 2, 3), TERM_PICK, 0, 1);
    assert_int_equal(mouse(TERM_PRESS, 6, 3).action, TERM_IGNORED);
    assert_int_equal(mouse(TERM_PRESS, 9, 3).action, TERM_ENTER);
    term_zones_clear();
    expect(mouse(TERM_PRESS, 9, 3), TERM_PRESS, 9, 3);
}

static void a_bar_follows_the_mouse_until_the_button_is_released(void **state)
{
    (void)state;
    term_zones_add(&(struct term_zone){2, 10, 1, 11, {TERM_SLIDE, 0, 4}, true});
    expect(mouse(TERM_PRESS, 10, 2), TERM_SLIDE, 0, 4);
    expect(mouse(TERM_POINT, 15, 2), TERM_SLIDE, 500, 4);
    term_zones_clear(); /* the next frame begins */
    expect(mouse(TERM_POINT, 20, 9), TERM_SLIDE, 1000, 4);
    expect(mouse(TERM_POINT, 70, 9), TERM_SLIDE, 1000, 4);
    expect(mouse(TERM_POINT, 0, 9), TERM_SLIDE, 0, 4);
    mouse(TERM_RELEASE, 0, 9);
    expect(mouse(TERM_POINT, 5, 9), TERM_POINT, 5, 9);
}

static void a_held_button_does_not_steer(void **state)
{
    (void)state;
    term_zones_add_row(0, 0, 10, (struct term_input){TERM_PICK, 0, 0});
    mouse(TERM_PRESS, 4, 0);
    assert_int_equal(mouse(TERM_POINT, 40, 10).action, TERM_IGNORED);
    mouse(TERM_RELEASE, 40, 10);
    expect(mouse(TERM_POINT, 40, 10), TERM_POINT, 40, 10);
    mouse(TERM_PRESS, 40, 10); /* on the flock */
    expect(mouse(TERM_POINT, 41, 10), TERM_POINT, 41, 10);
}

static void too_many_zones_do_no_harm(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        term_zones_add_row(i, 0, 1, (struct term_input){TERM_PICK, 0, i});
    }
    expect(mouse(TERM_PRESS, 0, 100), TERM_PICK, 0, 100);
    expect(mouse(TERM_PRESS, 0, 1999), TERM_PRESS, 0, 1999);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, setup)
    const struct CMUnitTest tests[] = {
        TEST(a_click_is_the_zones_input),
        TEST(the_topmost_zone_counts),
        TEST(a_bar_follows_the_mouse_until_the_button_is_released),
        TEST(a_held_button_does_not_steer),
        TEST(too_many_zones_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
