/* Reports of a mouse, as terminals send them, and pasted text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/tty/screen.h"
#include "term/ui/input.h"
#include "term/ui/keys.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int keyboard; /* the end that terminals write to */
static int64_t now;  /* µs */

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
    meta(stdscr, TRUE);
    term_keys_init();
    set_escdelay(1);
    assert_int_equal(define_key("\033[<", TERM_KEY_SGR), OK);
    assert_int_equal(define_key("\033[M", TERM_KEY_X10), OK);
    assert_int_equal(define_key("\033[0n", TERM_KEY_ANSWER), OK);
    assert_int_equal(define_key("\033[200~", TERM_KEY_PASTE), OK);
    assert_int_equal(define_key("\033[201~", TERM_KEY_PASTED), OK);
    return 0;
}

static int close_terminal(void **state)
{
    (void)state;
    endwin();
    return close(keyboard);
}

static int64_t clock_now(void) /* ms */
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static struct term_input read_bytes(const char *bytes)
{
    assert_int_equal(write(keyboard, bytes, strlen(bytes)), strlen(bytes));
    return term_input_read(TERM_MODE_STEER, now);
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
    assert_int_equal(term_input_read(TERM_MODE_STEER, now).action, TERM_NONE);
}

/* Old terminals send X10's form, in which all releases have the same number. */
static void each_old_report_has_its_action(void **state)
{
    static const struct {
        const char *bytes;
        enum term_action action;
    } cases[] = {
        {"\033[M \177,", TERM_PRESS},      {"\033[M#\177,", TERM_RELEASE},
        {"\033[M\"\177,", TERM_GRAB},      {"\033[M`\177,", TERM_WHEEL_UP},
        {"\033[M#\177,", TERM_DROP},       {"\033[MC\177,", TERM_POINT},
        {"\033[M@\177,", TERM_POINT},      {"\033[M0\177,", TERM_PRESS}, /* with Ctrl */
        {"\033[Ma\177,", TERM_WHEEL_DOWN}, {"\033[M3\177,", TERM_RELEASE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct term_input input = read_bytes(cases[i].bytes);
        assert_int_equal(input.action, cases[i].action);
        assert_int_equal(input.x, 94);
        assert_int_equal(input.y, 11);
    }
    struct term_input last = read_bytes("\033[MC\377!"); /* the last column that it can name */
    assert_int_equal(last.action, TERM_POINT);
    assert_int_equal(last.x, 222);
    assert_int_equal(last.y, 0);
    assert_int_equal(term_input_read(TERM_MODE_STEER, now).action, TERM_NONE);
}

static void a_malformed_report_does_nothing(void **state)
{
    static const char *const reports[] = {"\033[<0;0;12M", "\033[<0;301M", "\033[<0;30x",
                                          "\033[<",        "\033[M  ,",    "\033[M \177"};
    (void)state;
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        assert_int_equal(read_bytes(reports[i]).action, TERM_IGNORED);
    }
    assert_int_equal(term_input_read(TERM_MODE_STEER, now).action, TERM_NONE);
}

/* Each byte of a report may be late. When one does not come, no other is waited for. */
static void a_cut_report_waits_for_one_byte(void **state)
{
    const int64_t before = clock_now();
    (void)state;
    assert_int_equal(read_bytes("\033[M").action, TERM_IGNORED);
    assert_in_range(clock_now() - before, 900, 2000);
}

/* Sends bytes and returns the last action that they have. */
static enum term_action press(const char *bytes)
{
    struct term_input input = read_bytes(bytes);
    enum term_action last = input.action;
    while (input.action != TERM_NONE) {
        last = input.action;
        input = term_input_read(TERM_MODE_STEER, now);
    }
    return last;
}

static void pasted_keys_do_nothing(void **state)
{
    (void)state;
    now = 1;
    assert_int_equal(press("\033[200~q"), TERM_IGNORED);
    now += 2900000; /* a slow line */
    assert_int_equal(press("q\033[0n"), TERM_ANSWER);
    now += 2900000;
    assert_int_equal(press("\033[31mq"), TERM_IGNORED);
    assert_int_equal(press("\033[201~"), TERM_PASTE);
    assert_string_equal(term_input_pasted(), "qq[31mq");
    assert_int_equal(press("q"), TERM_QUIT);
}

/* The end of pasted text may be lost, with a connection for example. */
static void text_without_an_end_ends_with_esc_or_a_pause(void **state)
{
    (void)state;
    assert_int_equal(press("\033[200~https://"), TERM_IGNORED);
    assert_int_equal(press("\033"), TERM_CANCEL);
    assert_int_equal(press("q"), TERM_QUIT);
    assert_int_equal(press("\033[201~"), TERM_IGNORED);
    assert_int_equal(press("\033[200~https://"), TERM_IGNORED);
    now += 2900000;
    assert_int_equal(press("\033[0n"), TERM_ANSWER); /* the terminal answers all the time */
    now += 200000;
    assert_int_equal(press("q"), TERM_QUIT);
    assert_int_equal(press("\033[201~"), TERM_IGNORED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_report_has_its_action),
        cmocka_unit_test(each_old_report_has_its_action),
        cmocka_unit_test(a_malformed_report_does_nothing),
        cmocka_unit_test(a_cut_report_waits_for_one_byte),
        cmocka_unit_test(pasted_keys_do_nothing),
        cmocka_unit_test(text_without_an_end_ends_with_esc_or_a_pause),
    };
    return cmocka_run_group_tests(tests, open_terminal, close_terminal);
}
