/* The bytes of a frame, and the terminal's answers about its background. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/tty/background.h"
#include "term/tty/frame.h"
#include "term/tty/inks.h"
#include "term/tty/output.h"

#include <curses.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct output_style PLAIN = {.ink = OUTPUT_OWN, .ground = OUTPUT_OWN};

/* Fails unless the frame has these bytes. */
static void assert_bytes(const struct output *output, const char *expected)
{
    char found[512];
    assert_true(output->size < sizeof found);
    memcpy(found, output->bytes, output->size);
    found[output->size] = '\0';
    assert_string_equal(found, expected);
}

static void equal_colors_are_sent_once(void **state)
{
    struct output output = {.colors = 0x1000000, .row = -1};
    const struct output_style red = {.ink = 0xff0000, .ground = 0x000102};
    (void)state;
    output_begin(&output);
    assert_true(output_put(&output, 1, 2, L"a", 1, &red, false));
    assert_true(output_put(&output, 1, 3, L"b", 1, &red, false));
    assert_true(output_put(&output, 1, 4, L" ", 1, &red, false));
    assert_bytes(&output, "\033[2;3H\033[0;38;2;255;0;0;48;2;0;1;2mab ");
    output_begin(&output);
    assert_true(output_put(&output, 1, 5, L"c", 1, &red, false)); /* in the next frame, too */
    assert_bytes(&output, "c");
    output_finish(&output);
}

static void nothing_takes_no_memory(void **state)
{
    struct output output = {0};
    (void)state;
    output_begin(&output);
    assert_true(output_bytes(&output, "", 0));
    assert_null(output.bytes);
    assert_true(output_plain(&output));
    assert_bytes(&output, "\033[m");
    output_finish(&output);
}

static void only_what_differs_is_sent(void **state)
{
    static const struct {
        struct output_style style;
        int colors;
        const char *bytes;
    } cases[] = {
        {{.ink = 3, .ground = OUTPUT_OWN}, 8, "\033[33mx"},
        {{.ink = 11, .ground = OUTPUT_OWN}, 16, "\033[93mx"},
        {{.ink = OUTPUT_OWN, .ground = 12}, 16, "\033[104mx"},
        {{.ink = 123, .ground = OUTPUT_OWN}, 256, "\033[38;5;123mx"},
        {{.ink = OUTPUT_INDEXED + 123, .ground = OUTPUT_OWN}, 1 << 24, "\033[38;5;123mx"},
        {{.ink = OUTPUT_OWN, .ground = OUTPUT_OWN, .bold = true}, 0, "\033[1mx"},
        {{.ink = OUTPUT_OWN, .ground = OUTPUT_OWN, .dim = true}, 0, "\033[2mx"},
        {{.ink = OUTPUT_OWN, .ground = OUTPUT_OWN, .reverse = true}, 0, "\033[7mx"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct output output = {.colors = cases[i].colors, .pen = PLAIN, .has_pen = true};
        assert_true(output_put(&output, 0, 0, L"x", 1, &cases[i].style, false));
        assert_bytes(&output, cases[i].bytes);
        output_begin(&output);
        assert_true(output_put(&output, 0, 1, L"y", 1, &PLAIN, false));
        bool off = cases[i].style.bold || cases[i].style.dim || cases[i].style.reverse;
        bool ink = cases[i].style.ink != OUTPUT_OWN;
        assert_bytes(&output, off ? "\033[0my" : (ink ? "\033[39my" : "\033[49my"));
        output_finish(&output);
    }
}

static void cursor_moves_by_the_shortest_way(void **state)
{
    struct output output = {.pen = PLAIN, .has_pen = true};
    (void)state;
    assert_true(output_put(&output, 0, 0, L"a", 1, &PLAIN, false));
    assert_true(output_put(&output, 0, 2, L"b", 1, &PLAIN, false));
    assert_true(output_put(&output, 0, 9, L"漢", 2, &PLAIN, false));
    assert_true(output_put(&output, 0, 11, L"c", 1, &PLAIN, false));
    assert_true(output_put(&output, 0, 3, L"d", 1, &PLAIN, true));
    assert_true(output_put(&output, 0, 4, L"e", 1, &PLAIN, false)); /* behind an edge */
    assert_bytes(&output, "a\033[Cb\033[6C漢c\033[1;4Hd\033[1;5He");
    output_forget(&output);
    output_begin(&output);
    assert_true(output_put(&output, 0, 5, L"f", 1, &PLAIN, false));
    assert_bytes(&output, "\033[1;6H\033[0mf");
    output_finish(&output);
}

/* The ink of a blank is not seen, so it costs nothing. */
static void blank_takes_the_ink_of_the_cell_before(void **state)
{
    struct output output = {.colors = 256, .pen = PLAIN, .has_pen = true};
    const struct output_style bold = {.ink = 20, .ground = OUTPUT_OWN, .bold = true};
    const struct output_style blank = {.ink = 30, .ground = OUTPUT_OWN};
    (void)state;
    assert_true(output_put(&output, 0, 0, L"a", 1, &bold, false));
    assert_true(output_put(&output, 0, 1, L" ", 1, &blank, false));
    assert_true(output_put(&output, 0, 2, L"b", 1, &bold, false));
    assert_bytes(&output, "\033[1;38;5;20ma b");
    output_finish(&output);
}

static void background_is_taken_from_the_answers(void **state)
{
    static const struct {
        const char *sent, *rest;
        bool done, known;
        uint32_t rgb;
    } cases[] = {
        {"\033]11;rgb:1e1e/2020/ffff\033\\\033[?62;22c", "", true, true, 0x1e20ff},
        {"\033]11;rgb:ff/00/80\007\033[?1;2c", "", true, true, 0xff0080},
        {"\033]11;rgba:f/0/f/8\033\\\033[?6c", "", true, true, 0xff00ff},
        {"\033[?64c", "", true, false, 0},
        {"\033]11;rgb:zz/00/00\007\033[?64c", "", true, false, 0},
        {"\033]11;blue\007\033[?64c", "", true, false, 0},
        {"\033]11;rgb:1e1e/1e1e/1e1e\033", "\033]11;rgb:1e1e/1e1e/1e1e\033", false, false, 0},
        {"\033]11;rgb:1e1e/1e", "\033]11;rgb:1e1e/1e", false, false, 0},
        {"q\033]11;rgb:0/0/0\007j\033[?62;22ck", "qjk", true, true, 0},
        {"\033[?2026;1$y", "\033[?2026;1$y", false, false, 0},
        {"", "", false, false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char bytes[BACKGROUND_REPLY_MAX];
        size_t size = strlen(cases[i].sent);
        bool known = false;
        uint32_t rgb = 0;
        memcpy(bytes, cases[i].sent, size);
        assert_int_equal(background_take(bytes, &size, &known, &rgb), cases[i].done);
        assert_int_equal(known, cases[i].known);
        assert_int_equal(rgb, cases[i].rgb);
        assert_int_equal(size, strlen(cases[i].rest));
        assert_memory_equal(bytes, cases[i].rest, size);
    }
}

static void environment_may_say_the_background(void **state)
{
    bool light = true;
    (void)state;
    assert_true(background_from_environment("15;0", &light));
    assert_false(light);
    assert_true(background_from_environment("0;default;15", &light));
    assert_true(light);
    assert_true(background_from_environment("0;7", &light));
    assert_true(light);
    assert_true(background_from_environment("7;8", &light));
    assert_false(light);
    assert_false(background_from_environment(NULL, &light));
    assert_false(background_from_environment("", &light));
    assert_false(background_from_environment("15;", &light));
    assert_false(background_from_environment("15;default", &light));
    assert_false(background_from_environment("15;99999999999999999999", &light));
}

/* Draws a symbol, or a blank, in the middle of a row; returns the bytes of the frame. */
static const char *draw_symbol(const wchar_t *symbol)
{
    static char found[512];
    const char *bytes = NULL;
    mvaddwstr(1, 4, symbol);
    size_t size = frame_make("", "", true, &bytes);
    assert_true(size < sizeof found);
    memcpy(found, bytes, size);
    found[size] = '\0';
    return found;
}

/* Fonts' blocks may be wider than a cell: xterm leaves their edges on the blanks beside them. */
static void blanks_beside_a_block_that_goes_are_sent(void **state)
{
    struct theme theme = {0};
    const struct theme_terminal terminal = {.colors = 8};
    char error[128];
    FILE *nowhere = fopen("/dev/null", "r+");
    (void)state;
    assert_non_null(nowhere);
    SCREEN *screen = newterm("screen", nowhere, nowhere);
    assert_non_null(screen);
    assert_true(theme_load(&theme, "terminal", error, sizeof error));
    resizeterm(2, 9);
    inks_start(&theme, &terminal);
    frame_start(terminal.colors);
    draw_symbol(L" ");
    assert_string_equal(draw_symbol(L"\u2580"), "\033[2;5H\u2580");
    assert_string_equal(draw_symbol(L"\u2584"), "\033[2;5H\u2584");
    assert_string_equal(draw_symbol(L" "), "\033[2;4H   ");
    assert_string_equal(draw_symbol(L"x"), "\033[2;5Hx");
    assert_string_equal(draw_symbol(L" "), "\033[2;5H ");
    frame_finish();
    theme_free(&theme);
    endwin();
    delscreen(screen);
    fclose(nowhere);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_colors_are_sent_once),
        cmocka_unit_test(nothing_takes_no_memory),
        cmocka_unit_test(only_what_differs_is_sent),
        cmocka_unit_test(cursor_moves_by_the_shortest_way),
        cmocka_unit_test(blank_takes_the_ink_of_the_cell_before),
        cmocka_unit_test(blanks_beside_a_block_that_goes_are_sent),
        cmocka_unit_test(background_is_taken_from_the_answers),
        cmocka_unit_test(environment_may_say_the_background),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
