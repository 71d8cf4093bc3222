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

/* ---- frames ---- */

enum { FRAME_COLUMNS = 16, FRAME_ROWS = 2, ALL_COLORS = 0x1000000 };

static FILE *nowhere;
static SCREEN *screen;
static struct theme theme;

static void load_theme(const char *name)
{
    char error[128];
    theme_free(&theme);
    assert_true(theme_load(&theme, name, error, sizeof error));
}

/* Sends the screen, which is blank at first, and forgets the bytes. */
static int open_screen(void **state)
{
    const struct theme_terminal terminal = {.colors = 8};
    const char *bytes = NULL;
    (void)state;
    nowhere = fopen("/dev/null", "r+");
    assert_non_null(nowhere);
    screen = newterm("screen", nowhere, nowhere);
    assert_non_null(screen);
    resizeterm(FRAME_ROWS, FRAME_COLUMNS);
    load_theme("terminal");
    inks_start(&theme, &terminal);
    frame_start(terminal.colors);
    frame_make("", "", true, &bytes);
    return 0;
}

static int close_screen(void **state)
{
    (void)state;
    inks_save(false);
    frame_finish();
    theme_free(&theme);
    endwin();
    delscreen(screen);
    fclose(nowhere);
    return 0;
}

/* Fails unless the next frame has these bytes. */
static void assert_frame(const char *expected)
{
    char found[512];
    const char *bytes = NULL;
    size_t size = frame_make("", "", true, &bytes);
    assert_true(size < sizeof found);
    memcpy(found, bytes, size);
    found[size] = '\0';
    assert_string_equal(found, expected);
}

/* Fonts' blocks may be wider than a cell: xterm leaves their edges on the blanks beside them. */
static void blanks_beside_a_block_that_goes_are_sent(void **state)
{
    static const struct {
        const wchar_t *symbol;
        const char *bytes;
    } steps[] = {{L"\u2580", "\033[2;5H\u2580"},
                 {L"\u2584", "\033[2;5H\u2584"},
                 {L" ", "\033[2;4H   "},
                 {L"x", "\033[2;5Hx"},
                 {L" ", "\033[2;5H "}};
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        mvaddwstr(1, 4, steps[i].symbol);
        assert_frame(steps[i].bytes);
    }
}

/* A move of the cursor takes 3 or 4 bytes. */
static void few_unchanged_blanks_are_sent_instead_of_a_move(void **state)
{
    (void)state;
    mvaddstr(1, 0, "a b   c    d");
    assert_frame("\033[2;1Ha b   c\033[4Cd");
    mvaddstr(1, 0, "A B b C");
    assert_frame("\033[2;1HA B b C");
    mvaddstr(1, 0, "x B y");
    assert_frame("\033[2;1Hx\033[3Cy");
}

/* A blank of another ground takes a colour, and a blank beside a block covers its edge. */
static void other_unchanged_cells_are_skipped(void **state)
{
    (void)state;
    mvaddwstr(1, 0, L"\u2580 a");
    assert_frame("\033[2;1H\u2580\033[Ca");
    mvaddstr(0, 4, "a b");
    mvchgat(0, 4, 1, A_REVERSE, 0, NULL);
    assert_frame("\033[1;5H\033[7ma\033[C\033[0mb");
    mvchgat(0, 9, 1, A_NORMAL, inks_pair(0, inks_text(0xff0000)), NULL);
    assert_frame("  \033[41m ");
    mvaddstr(0, 8, "c");
    mvaddstr(0, 10, "d");
    assert_frame("\033[1;9H\033[49mc\033[Cd");
}

/* Returns the colour of a number of xterm's 256, from 16 on. */
static uint32_t color_of(int number)
{
    static const uint32_t cube[] = {0, 95, 135, 175, 215, 255};
    const int at = number - 16;
    return number < 232 ? cube[at / 36] << 16 | cube[at / 6 % 6] << 8 | cube[at % 6]
                        : (uint32_t)(8 + 10 * (number - 232)) * 0x010101;
}

/* Fails if a text of that pair cannot be read. Returns whether its colour takes few bytes. */
static bool has_few_bytes(short pair, const struct theme_look *look, float contrast)
{
    struct output_style style;
    inks_style(A_NORMAL, pair, OUTPUT_OWN, &style);
    bool indexed = style.ink >= OUTPUT_INDEXED;
    uint32_t color = indexed ? color_of(style.ink - OUTPUT_INDEXED) : (uint32_t)style.ink;
    for (uint32_t i = 0; i < look->stops && style.ink != OUTPUT_OWN; i++) {
        if (palette_contrast(color, look->ground[i]) < contrast) {
            fail_msg("#%06x cannot be read on #%06x", color, look->ground[i]);
        }
    }
    return indexed;
}

/* Returns how many of the pairs of texts and roles have a colour that takes few bytes. */
static int count_few_bytes(const struct theme_look *look)
{
    int count = has_few_bytes(0, look, PALETTE_TEXT_CONTRAST);
    count += has_few_bytes(inks_text(0xff5f5f), look, PALETTE_TEXT_CONTRAST);
    for (int role = 0; role < INK_ROLES; role++) {
        count += has_few_bytes(inks_role((enum ink_role)role), look,
                               role == INK_FRAME ? PALETTE_BOID_CONTRAST : PALETTE_TEXT_CONTRAST);
    }
    return count;
}

static void texts_take_few_bytes_and_can_be_read(void **state)
{
    static const char *const grounds[] = {"", "dusk", "water", "meadow", "sand", "cloth", "paper"};
    const int pairs = 2 + INK_ROLES;
    int least = pairs;
    (void)state;
    load_theme("preset");
    for (size_t i = 0; i < 2 * sizeof grounds / sizeof grounds[0]; i++) {
        struct theme_look look;
        const struct theme_terminal terminal = {.light = i % 2 == 1, .colors = ALL_COLORS};
        inks_start(&theme, &terminal);
        inks_follow(grounds[i / 2]);
        theme_resolve(&theme, &terminal, grounds[i / 2], &look);
        assert_int_equal(count_few_bytes(&look), 0);
        inks_save(true);
        int count = count_few_bytes(&look);
        least = count < least ? count : least;
        inks_save(false);
        assert_int_equal(count_few_bytes(&look), 0);
    }
    assert_true(least >= pairs / 2);
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
        cmocka_unit_test_setup_teardown(blanks_beside_a_block_that_goes_are_sent, open_screen,
                                        close_screen),
        cmocka_unit_test_setup_teardown(few_unchanged_blanks_are_sent_instead_of_a_move,
                                        open_screen, close_screen),
        cmocka_unit_test_setup_teardown(other_unchanged_cells_are_skipped, open_screen,
                                        close_screen),
        cmocka_unit_test_setup_teardown(texts_take_few_bytes_and_can_be_read, open_screen,
                                        close_screen),
        cmocka_unit_test(background_is_taken_from_the_answers),
        cmocka_unit_test(environment_may_say_the_background),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
