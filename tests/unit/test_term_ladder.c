/* The steps of the stream are the same as the page's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/ladder.h"
#include "vectors.h"

#include <math.h>

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(number));
    return number->valuedouble;
}

static void assert_wants(const struct ladder *ladder, const cJSON *step)
{
    uint32_t divisor = ladder_divisor(ladder);
    uint32_t rate = divisor > 1 ? (uint32_t)ceilf(ladder->rate / (float)divisor) : 0;
    assert_int_equal(rate, (int)number_of(step, "rate_wanted"));
    assert_int_equal(ladder_boids(ladder), (int)number_of(step, "boids_wanted"));
}

static void the_steps_are_the_pages(void **state)
{
    (void)state;
    char *text = read_file("clients/vectors/pace.json");
    cJSON *vectors = cJSON_Parse(text);
    const cJSON *vector;
    free(text);
    assert_true(cJSON_GetArraySize(vectors) > 0);
    cJSON_ArrayForEach(vector, vectors)
    {
        struct ladder ladder;
        const cJSON *step;
        ladder_init(&ladder);
        ladder_restart(&ladder, (float)number_of(vector, "rate"));
        cJSON_ArrayForEach(step, list_of(vector, "steps"))
        {
            const struct ladder_period period = {
                .passed = 1000000,
                .over = (float)number_of(step, "over"),
                .calm = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(step, "calm")),
                .flock = (uint32_t)number_of(vector, "flock"),
            };
            for (int i = (int)number_of(step, "periods"); i > 0; i--) {
                ladder_judge(&ladder, &period);
            }
            assert_wants(&ladder, step);
        }
    }
    cJSON_Delete(vectors);
}

static void absurd_flocks_do_no_harm(void **state)
{
    static const uint32_t flocks[] = {UINT32_MAX, 0, 1, UINT32_MAX - 1};
    struct ladder ladder;
    (void)state;
    ladder_init(&ladder);
    ladder_restart(&ladder, 1e9F);
    for (int i = 0; i < 2000; i++) {
        const struct ladder_period period = {
            .passed = 4000000, .over = 1e9F, .flock = flocks[i / 3 % 4]};
        ladder_judge(&ladder, &period);
        assert_in_range(ladder.count, 0, LADDER_STEPS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_steps_are_the_pages),
        cmocka_unit_test(absurd_flocks_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
