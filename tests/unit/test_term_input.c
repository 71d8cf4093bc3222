/* Reports of a mouse in the SGR form, as terminals such as tmux send them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/tty/screen.h"
#include "term/ui/input.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int keyboard; /* the end that terminals write to */

static int open_terminal(void **state)
{
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    keyboard = ends[1];
    FILE *input = fdopen(ends[0], "r");
    FILE *output = fopen("/dev/null", "w");
    assert_true(input != NULL && output != NULL);
    assert_non_null(newterm("screen", output, input));
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    assert_int_equal(define_key("\033[<", TERM_KEY_REPORT), OK);
    return 0;
}

static int close_terminal(void **state)
{
    (void)state;
    endwin();
    return close(keyboard);
}

static struct term_input read_bytes(const char *bytes)
{
    assert_int_equal(write(keyboard, bytes, strlen(bytes)), strlen(bytes));
    return term_input_read(TERM_MODE_STEER);
}

static void each_report_has_its_action(void **state)
{
    static const struct {
        const char *bytes;
        enum term_action action;
    } cases[] = {
        {"\033[<0;301;12M", TERM_PRESS},     {"\033[<0;301;12m", TERM_RELEASE},
        {"\033[<16;301;12M", TERM_PRESS}, /* with Ctrl */
        {"\033[<2;301;12M", TERM_GRAB},      {"\033[<2;301;12m", TERM_DROP},
        {"\033[<35;301;12M", TERM_POINT},    {"\033[<32;301;12M", TERM_POINT},
        {"\033[<64;301;12M", TERM_WHEEL_UP}, {"\033[<65;301;12M", TERM_WHEEL_DOWN},
        {"\033[<66;301;12M", TERM_IGNORED},  {"\033[<67;301;12M", TERM_IGNORED},
        {"\033[<128;301;12M", TERM_IGNORED}, {"\033[<130;301;12M", TERM_IGNORED},
        {"\033[<128;301;12m", TERM_IGNORED}, {"\033[<130;301;12m", TERM_IGNORED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct term_input input = read_bytes(cases[i].bytes);
        assert_int_equal(input.action, cases[i].action);
        if (input.action != TERM_IGNORED) {
            assert_int_equal(input.x, 300);
            assert_int_equal(input.y, 11);
        }
    }
    assert_int_equal(term_input_read(TERM_MODE_STEER).action, TERM_NONE);
}

static void a_malformed_report_does_nothing(void **state)
{
    static const char *const reports[] = {"\033[<0;0;12M", "\033[<0;301M", "\033[<0;30x", "\033[<"};
    (void)state;
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        assert_int_equal(read_bytes(reports[i]).action, TERM_IGNORED);
    }
    assert_int_equal(term_input_read(TERM_MODE_STEER).action, TERM_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_report_has_its_action),
        cmocka_unit_test(a_malformed_report_does_nothing),
    };
    return cmocka_run_group_tests(tests, open_terminal, close_terminal);
}
