/* The server's clock: the same as the page's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/clock.h"
#include "vectors.h"

static int64_t time_of(const cJSON *sample, int index)
{
    return (int64_t)cJSON_GetArrayItem(sample, index)->valuedouble;
}

static int64_t value_of(const cJSON *vector, const char *key)
{
    return (int64_t)cJSON_GetObjectItemCaseSensitive(vector, key)->valuedouble;
}

static void the_clock_is_the_pages(void **state)
{
    (void)state;
    char *text = read_file("clients/vectors/clock.json");
    cJSON *vectors = cJSON_Parse(text);
    const cJSON *vector;
    free(text);
    assert_true(cJSON_GetArraySize(vectors) > 0);
    cJSON_ArrayForEach(vector, vectors)
    {
        struct term_clock clock;
        int64_t trip = 0;
        int64_t offset = 0;
        const cJSON *sample;
        term_clock_init(&clock);
        assert_false(term_clock_read(&clock, &trip, &offset));
        cJSON_ArrayForEach(sample, list_of(vector, "samples"))
        {
            term_clock_add(&clock, time_of(sample, 0), time_of(sample, 1), time_of(sample, 2));
        }
        assert_true(term_clock_read(&clock, &trip, &offset));
        assert_int_equal(offset, value_of(vector, "offset"));
        assert_int_equal(trip, value_of(vector, "trip"));
    }
    cJSON_Delete(vectors);
}

static void an_answer_before_its_question_is_ignored(void **state)
{
    struct term_clock clock;
    int64_t trip = 0;
    int64_t offset = 0;
    (void)state;
    term_clock_init(&clock);
    term_clock_add(&clock, 5000, 4000, 0);
    assert_false(term_clock_read(&clock, &trip, &offset));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_is_the_pages),
        cmocka_unit_test(an_answer_before_its_question_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
