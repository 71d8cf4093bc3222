/* The track of a parameter is the same as the page's. Keys move the value in steps of the track. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/ui/scale.h"
#include "vectors.h"

#include <math.h>

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(number));
    return number->valuedouble;
}

static struct term_scale scale_of(const cJSON *range)
{
    return term_scale_of((float)number_of(range, "min"), (float)number_of(range, "max"),
                         (float)number_of(range, "initial"));
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-6 * fabs(expected))) {
        fail_msg("%.9g where %.9g is expected", value, expected);
    }
}

static void values_are_the_pages(void **state)
{
    (void)state;
    char *text = read_file("clients/vectors/scale.json");
    cJSON *ranges = cJSON_Parse(text);
    const cJSON *range;
    free(text);
    assert_true(cJSON_GetArraySize(ranges) > 0);
    cJSON_ArrayForEach(range, ranges)
    {
        struct term_scale scale = scale_of(range);
        const cJSON *pair;
        cJSON_ArrayForEach(pair, list_of(range, "values"))
        {
            double track = cJSON_GetArrayItem(pair, 0)->valuedouble;
            assert_near(term_scale_value(&scale, track), cJSON_GetArrayItem(pair, 1)->valuedouble);
        }
    }
    cJSON_Delete(ranges);
}

static void steps_forth_and_back_meet_everywhere(void **state)
{
    (void)state;
    char *text = read_file("clients/vectors/scale.json");
    cJSON *ranges = cJSON_Parse(text);
    const cJSON *range;
    free(text);
    cJSON_ArrayForEach(range, ranges)
    {
        struct term_scale scale = scale_of(range);
        for (int i = 0; i <= 50 && scale.max > scale.min; i++) {
            double value = term_scale_value(&scale, i / 50.0);
            double up = term_scale_step(&scale, value, 1);
            double down = term_scale_step(&scale, value, -1);
            assert_true(i == 50 ? up == scale.max : up > value);
            assert_true(i == 0 ? down == scale.min : down < value);
            assert_true(i == 50 || term_scale_step(&scale, up, -1) == value);
            assert_true(i == 0 || term_scale_step(&scale, down, 1) == value);
        }
    }
    cJSON_Delete(ranges);
}

static void between_two_steps_the_next_one_comes(void **state)
{
    (void)state;
    struct term_scale scale = term_scale_of(0, 100, 50);
    assert_near(term_scale_step(&scale, 51, 1), 52);
    assert_near(term_scale_step(&scale, 51, -1), 50);
    assert_near(term_scale_step(&scale, 51, 5), 60);
    assert_near(term_scale_step(&scale, 1e9, -1), 98);
    assert_near(term_scale_step(&scale, -1e9, 1), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_the_pages),
        cmocka_unit_test(steps_forth_and_back_meet_everywhere),
        cmocka_unit_test(between_two_steps_the_next_one_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
