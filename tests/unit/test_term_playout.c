/* The playout delay is the same as on the page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/flock/playout.h"
#include "vectors.h"

/* µs, because both clients compute with fractions. */
enum { TOLERANCE = 2 };

static int64_t number_of(const cJSON *event, int index)
{
    return (int64_t)cJSON_GetArrayItem(event, index)->valuedouble;
}

static void play_vector(const cJSON *vector)
{
    struct playout playout;
    const cJSON *event;
    int64_t last = 0;
    int looks = 0;
    playout_init(&playout, (float)cJSON_GetObjectItemCaseSensitive(vector, "rate")->valuedouble);
    cJSON_ArrayForEach(event, list_of(vector, "events"))
    {
        const char *what = cJSON_GetStringValue(cJSON_GetArrayItem(event, 0));
        int64_t first = number_of(event, 1);
        assert_non_null(what);
        if (strcmp(what, "push") == 0) {
            playout_push(&playout, first, last > 0 ? first - last : 0, number_of(event, 2));
            last = first;
        } else if (strcmp(what, "follow") == 0) {
            playout_follow(&playout, (float)first);
        } else {
            int64_t lag = first - playout_look(&playout, first);
            assert_in_range(lag - number_of(event, 2) + TOLERANCE, 0, 2 * TOLERANCE);
            looks++;
        }
    }
    assert_true(looks > 0);
}

static void the_delay_is_the_pages(void **state)
{
    (void)state;
    char *text = read_file("clients/vectors/playout.json");
    cJSON *vectors = cJSON_Parse(text);
    const cJSON *vector;
    free(text);
    assert_true(cJSON_GetArraySize(vectors) > 0);
    cJSON_ArrayForEach(vector, vectors)
    {
        play_vector(vector);
    }
    cJSON_Delete(vectors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_delay_is_the_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
