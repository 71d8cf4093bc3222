/* Cursors become a target. */
#include "scene/cursor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000)

static const struct cursor some[] = {
    {.present = true, .x = 10, .y = 20, .moved_at = 5},
    {.present = true, .x = 40, .y = -20, .moved_at = 9},
    {.present = true, .x = 100, .y = 0, .moved_at = 7},
};

static bool resolve(enum cursor_policy policy, const struct cursor *cursors, size_t count, float *x,
                    float *y)
{
    struct cursor_target target = {.policy = policy};

    for (size_t i = 0; i < count; i++) {
        cursor_gather(&target, &cursors[i]);
    }
    return cursor_resolve(&target, x, y);
}

static void test_mean(void **state)
{
    float x;
    float y;

    (void)state;
    assert_true(resolve(CURSOR_MEAN, some, 1, &x, &y));
    assert_true(x == 10.0F && y == 20.0F);
    assert_true(resolve(CURSOR_MEAN, some, 3, &x, &y));
    assert_true(x == 50.0F && y == 0.0F);
}

/* The mean of many equal cursors is exactly their point, in spite of rounding. */
static void test_mean_of_a_crowd(void **state)
{
    const struct cursor one = {.present = true, .x = 65535.94F, .y = -0.0625F};
    struct cursor_target target = {.policy = CURSOR_MEAN};
    float x;
    float y;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        cursor_gather(&target, &one);
    }
    assert_true(cursor_resolve(&target, &x, &y));
    assert_true(x == one.x && y == one.y);
}

static void test_latest(void **state)
{
    const struct cursor same_time[] = {some[0], {.present = true, .x = 1, .y = 2, .moved_at = 5}};
    float x;
    float y;

    (void)state;
    assert_true(resolve(CURSOR_LATEST, some, 3, &x, &y));
    assert_true(x == 40.0F && y == -20.0F);
    assert_true(resolve(CURSOR_LATEST, some, 1, &x, &y));
    assert_true(x == 10.0F && y == 20.0F);
    /* The first cursor counts even when it moved at time 0. */
    assert_true(
        resolve(CURSOR_LATEST, &(struct cursor){.present = true, .x = 3, .y = 4}, 1, &x, &y));
    assert_true(x == 3.0F && y == 4.0F);
    assert_true(resolve(CURSOR_LATEST, same_time, 2, &x, &y));
    assert_true(x == 1.0F && y == 2.0F);
}

static void test_no_cursor_no_target(void **state)
{
    float x = 1;
    float y = 2;

    (void)state;
    assert_false(resolve(CURSOR_MEAN, NULL, 0, &x, &y));
    assert_false(resolve(CURSOR_LATEST, NULL, 0, &x, &y));
}

static void test_active_until_the_timeout(void **state)
{
    struct cursor cursor = {.present = true, .moved_at = 1000};

    (void)state;
    assert_true(cursor_active(&cursor, 1000, 10));
    assert_true(cursor_active(&cursor, 1009, 10));
    assert_false(cursor_active(&cursor, 1010, 10));
    assert_false(cursor_active(&cursor, UINT64_MAX, 10));
    /* A tick's time can be before the time of a move that it applies. */
    assert_true(cursor_active(&cursor, 0, 10));
    cursor.present = false;
    assert_false(cursor_active(&cursor, 1000, 10));
}

/* Over its whole period (23 s x 31 s) the path stays inside, never jumps, and uses the world. */
static void test_wander(void **state)
{
    static const float sizes[][2] = {{550, 400}, {16, 16}, {65536, 65536}, {65536, 16}};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const float width = sizes[i][0];
        const float height = sizes[i][1];
        float left = width;
        float right = 0;
        float last_x;
        float last_y;
        cursor_wander(0, width, height, &last_x, &last_y);
        for (uint64_t now = 0; now <= 713 * (uint64_t)SECOND; now += SECOND / 30) {
            float x;
            float y;
            cursor_wander(now, width, height, &x, &y);
            assert_true(x >= 0.19F * width && x <= 0.81F * width);
            assert_true(y >= 0.19F * height && y <= 0.81F * height);
            /* at most 1/100 of the world per tick */
            assert_true(fabsf(x - last_x) <= 0.01F * width);
            assert_true(fabsf(y - last_y) <= 0.01F * height);
            left = fminf(left, x);
            right = fmaxf(right, x);
            last_x = x;
            last_y = y;
        }
        assert_true(right - left > 0.5F * width);
    }
}

static void test_wander_after_years(void **state)
{
    const uint64_t year = 31557600ull * SECOND;
    float x;
    float y;
    float next_x;
    float next_y;

    (void)state;
    cursor_wander(20 * year, 550, 400, &x, &y);
    cursor_wander(20 * year + SECOND / 30, 550, 400, &next_x, &next_y);
    assert_true(fabsf(next_x - x) + fabsf(next_y - y) < 5.0F);
    assert_true(next_x != x || next_y != y);
}

static void test_words_end(void **state)
{
    (void)state;
    assert_string_equal(cursor_policies[CURSOR_MEAN].name, "mean");
    assert_string_equal(cursor_policies[CURSOR_LATEST].name, "latest");
    assert_string_equal(cursor_policies[CURSOR_NEAREST].name, "nearest");
    assert_string_equal(cursor_policies[CURSOR_PRESENTER].name, "presenter");
    assert_string_equal(cursor_policies[CURSOR_TEAMS].name, "teams");
    assert_string_equal(cursor_policies[CURSOR_RELAY].name, "relay");
    assert_null(cursor_policies[CURSOR_RELAY + 1].name);
    assert_string_equal(cursor_idles[CURSOR_WANDER].name, "wander");
    assert_string_equal(cursor_idles[CURSOR_HOLD].name, "hold");
    assert_null(cursor_idles[CURSOR_HOLD + 1].name);
}

/* On a torus the mean of two cursors on either side of an edge is at the edge, not in the middle of
 * the world. */
static void test_mean_on_a_torus(void **state)
{
    const struct cursor left = {.present = true, .x = 10, .y = 100};
    const struct cursor right = {.present = true, .x = 530, .y = 100};
    struct cursor_target target = {.policy = CURSOR_MEAN, .width = 550, .height = 400};
    float x;
    float y;

    (void)state;
    cursor_gather(&target, &left);
    cursor_gather(&target, &right);
    assert_true(cursor_resolve(&target, &x, &y));
    assert_true(fabsf(x - 545.0F) < 1e-3F && fabsf(y - 100.0F) < 1e-3F);
}

/* Two people on opposite sides of a torus: a small move of one changes the side of their mean. */
static void test_mean_on_a_torus_does_not_jump(void **state)
{
    const float width = 550;
    struct cursor cursors[] = {{.present = true, .x = 100, .y = 200},
                               {.present = true, .x = 300, .y = 200}};
    float x = 200;
    float y = 200;
    float before;
    float farthest = 0;

    (void)state;
    for (int i = 0; i < 400; i++) {
        struct cursor_target target = {.policy = CURSOR_MEAN,
                                       .width = width,
                                       .height = 400,
                                       .has_last = true,
                                       .last_x = x,
                                       .last_y = y};
        cursors[1].x = i < 200 ? 300.0F + 0.75F * (float)i : 450.0F; /* 375: opposite */
        cursor_gather(&target, &cursors[0]);
        cursor_gather(&target, &cursors[1]);
        before = x;
        assert_true(cursor_resolve(&target, &x, &y));
        assert_true(x >= 0 && x < width && y == 200.0F);
        farthest = fmaxf(farthest, fabsf(remainderf(x - before, width)));
    }
    assert_true(farthest > 1.0F && farthest <= CURSOR_GLIDE * width + 0.01F);
    assert_true(fabsf(x - 0.0F) < 0.01F || fabsf(x - width) < 0.01F); /* the mean of 100 and -100 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_on_a_torus_does_not_jump),
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_mean_on_a_torus),
        cmocka_unit_test(test_mean_of_a_crowd),
        cmocka_unit_test(test_latest),
        cmocka_unit_test(test_no_cursor_no_target),
        cmocka_unit_test(test_active_until_the_timeout),
        cmocka_unit_test(test_wander),
        cmocka_unit_test(test_wander_after_years),
        cmocka_unit_test(test_words_end),
    };
    return cmocka_run_group_tests_name("cursor", tests, NULL, NULL);
}
