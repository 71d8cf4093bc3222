/* The last news of a room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/flock/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND INT64_C(1000000)

static int setup(void **state)
{
    *state = calloc(1, sizeof(struct term_log));
    return *state == NULL;
}

static int teardown(void **state)
{
    free(*state);
    return 0;
}

static struct proto_event event_of(const char *name, const char *what, const char *from,
                                   const char *to)
{
    struct proto_event event = {.by = 7};
    snprintf(event.name, sizeof event.name, "%s", name);
    snprintf(event.what, sizeof event.what, "%s", what);
    snprintf(event.from, sizeof event.from, "%s", from);
    snprintf(event.to, sizeof event.to, "%s", to);
    return event;
}

/* Tells a change with its value before and after it. */
static void tell(struct term_log *log, const char *name, const char *from, const char *to,
                 int64_t now)
{
    struct proto_event event = event_of(name, "noise", from, to);
    char text[160];
    bool joins = term_log_joins(log, &event, now);
    snprintf(text, sizeof text, "%s to %s", event.from, event.to);
    term_log_event(log, &event, joins, text, now);
}

static void the_newest_news_come_first_and_old_ones_go(void **state)
{
    struct term_log *log = *state;
    char text[16];
    assert_null(term_log_item(log, 0));
    for (int i = 0; i < 2 * TERM_LOG_ITEMS; i++) {
        snprintf(text, sizeof text, "%d", i);
        term_log_add(log, text, i * SECOND);
    }
    term_log_add(log, "", 0);
    assert_string_equal(term_log_item(log, 0)->text, "79");
    assert_int_equal(term_log_item(log, 0)->at, 79 * SECOND);
    assert_string_equal(term_log_item(log, TERM_LOG_ITEMS - 1)->text, "40");
    assert_null(term_log_item(log, TERM_LOG_ITEMS));
}

static void a_dragged_value_is_one_line(void **state)
{
    struct term_log *log = *state;
    tell(log, "param", "1", "2", 10 * SECOND);
    tell(log, "param", "2", "3", 11 * SECOND);
    tell(log, "param", "3", "4", 13 * SECOND);
    assert_string_equal(term_log_item(log, 0)->text, "1 to 4");
    assert_null(term_log_item(log, 1));
    tell(log, "param", "4", "5", 17 * SECOND);
    assert_string_equal(term_log_item(log, 0)->text, "4 to 5");
    assert_string_equal(term_log_item(log, 1)->text, "1 to 4");
}

static void boids_that_are_added_twice_are_two_lines(void **state)
{
    struct term_log *log = *state;
    tell(log, "add", "10", "20", 10 * SECOND);
    tell(log, "add", "20", "30", 11 * SECOND);
    assert_string_equal(term_log_item(log, 0)->text, "20 to 30");
    assert_string_equal(term_log_item(log, 1)->text, "10 to 20");
}

static void an_untold_event_replaces_no_news(void **state)
{
    struct term_log *log = *state;
    struct proto_event event = event_of("param", "noise", "1", "2");
    term_log_add(log, "somebody is here", SECOND);
    term_log_event(log, &event, false, "", SECOND);
    assert_false(term_log_joins(log, &event, SECOND));
    assert_string_equal(term_log_item(log, 0)->text, "somebody is here");
}

static void a_long_text_ends_with_a_whole_character(void **state)
{
    struct term_log *log = *state;
    char text[TERM_LOG_TEXT + 8];
    memset(text, 'x', TERM_LOG_TEXT - 2);
    strcpy(text + TERM_LOG_TEXT - 2, "é!");
    term_log_add(log, text, 0);
    assert_int_equal(strlen(term_log_item(log, 0)->text), TERM_LOG_TEXT - 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_newest_news_come_first_and_old_ones_go, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_dragged_value_is_one_line, setup, teardown),
        cmocka_unit_test_setup_teardown(boids_that_are_added_twice_are_two_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(an_untold_event_replaces_no_news, setup, teardown),
        cmocka_unit_test_setup_teardown(a_long_text_ends_with_a_whole_character, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
