/* Untrusted text for the terminal, and colours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/tty/label.h"
#include "term/tty/palette.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof(a)[0])

static int use_utf8(void **state)
{
    (void)state;
    return setlocale(LC_ALL, "C.UTF-8") == NULL;
}

static int use_c(void **state)
{
    (void)state;
    return setlocale(LC_ALL, "C") == NULL;
}

static void expect(const char *text, int columns, const wchar_t *shown, int width)
{
    wchar_t out[TERM_LABEL_MAX];
    int got = term_label(out, text, columns, L'~');
    if (wcscmp(out, shown) != 0 || got != width) {
        fail_msg("%s in %d: '%ls' (%d), expected '%ls' (%d)", text, columns, out, got, shown,
                 width);
    }
}

static void text_is_shown_as_it_is(void **state)
{
    (void)state;
    expect("", 10, L"", 0);
    expect("Ada", 10, L"Ada", 3);
    expect("Zoë", 10, L"Zoë", 3);
    expect("日本", 10, L"日本", 4);
    expect("e\u0301", 10, L"e\u0301", 1);
}

static void text_cannot_command_the_terminal(void **state)
{
    static const char reversed[] = {'\xe2', '\x80', '\xae', 'a', 'b', 'c', '\0'}; /* U+202E */
    (void)state;
    expect("a\033[2Jb", 20, L"a?[2Jb", 6);
    expect("a\r\nb\tc", 20, L"a??b?c", 6);
    expect("a\x7f\xc2\x9b"
           "b",
           20, L"a??b", 4); /* DEL, the one-character CSI */
    expect("a\xff\xc3"
           "z",
           20, L"a??z", 4);                             /* malformed bytes */
    expect("a\xed\xa0\x80z", 20, L"a???z", 5);          /* a surrogate */
    expect(reversed, 20, L"?abc", 4);                   /* would reverse the line */
    expect("a\u200b\u200d\ufeff\u2060b", 20, L"ab", 2); /* invisible */
}

static void marks_do_not_pile_up(void **state)
{
    (void)state;
    expect("\u0301a", 9, L"a", 1);
    expect("a\u0301\u0301\u0301\u0301b", 9, L"a\u0301\u0301b", 2);
}

static void text_is_cut_between_characters(void **state)
{
    (void)state;
    expect("Grace", 5, L"Grace", 5);
    expect("Grace", 4, L"Gra~", 4);
    expect("Grace", 1, L"~", 1);
    expect("Grace", 0, L"", 0);
    expect("日本語", 6, L"日本語", 6);
    expect("日本語", 5, L"日本~", 5);
    expect("日本語", 4, L"日~", 3); /* no half characters */
    expect("日本語", 1, L"~", 1);
    expect("ae\u0301bc", 3, L"ae\u0301~", 3); /* a mark stays with its letter */
}

static void long_text_stays_within_its_place(void **state)
{
    char text[4 * TERM_LABEL_MAX];
    wchar_t out[TERM_LABEL_MAX + 1];
    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    out[TERM_LABEL_MAX] = L'!';
    assert_int_equal(term_label(out, text, 10000, L'~'), TERM_LABEL_MAX - 1);
    assert_int_equal(out[TERM_LABEL_MAX], L'!');
    assert_int_equal(term_label(out, text, TERM_LABEL_MAX - 2, L'~'), TERM_LABEL_MAX - 2);
    assert_int_equal(out[TERM_LABEL_MAX], L'!');
}

static void lines_are_of_whole_words_where_one_fits(void **state)
{
    static const struct {
        const wchar_t *text;
        int columns;
        const wchar_t *lines[4];
    } cases[] = {
        {L"move it farther", 15, {L"move it farther"}},
        {L"move it farther", 14, {L"move it", L"farther"}},
        {L"move it farther", 4, {L"move", L"it", L"fart", L"her"}},
        {L"ボイド", 2, {L"ボ", L"イ", L"ド"}},
        {L"", 2, {0}},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        const wchar_t *rest = cases[i].text;
        for (size_t k = 0; k < 4 && cases[i].lines[k] != NULL; k++) {
            int length = term_label_line(rest, cases[i].columns);
            assert_int_equal(length, wcslen(cases[i].lines[k]));
            assert_memory_equal(rest, cases[i].lines[k], (size_t)length * sizeof *rest);
            rest = term_label_rest(rest, cases[i].columns);
        }
        assert_true(*rest == L'\0');
    }
}

static void without_utf8_only_ascii_is_shown(void **state)
{
    (void)state;
    expect("Zoë 日", 10, L"Zo? ?", 5);
}

static void colour_is_the_nearest_of_the_terminal(void **state)
{
    static const struct {
        uint32_t rgb;
        int colors, expected;
    } cases[] = {
        {0xff0000, 256, 196},   {0x5fd7ff, 256, 81},
        {0x000000, 256, 16},    {0x6c6c6c, 256, 242},
        {0xff2010, 8, 1},       {0x20ff10, 16, 2},
        {0xffffff, 8, 7},       {0x123456, 1 << 24, 0x123456},
        {0x000003, 1 << 24, 0}, {0xff0000, 0, -1},
        {0xff0000, 2, -1},      {0xffff10, 8, 3},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        assert_int_equal(palette_nearest(cases[i].rgb, cases[i].colors, false), cases[i].expected);
    }
}

static void yellow_cannot_be_read_on_a_light_ground(void **state)
{
    (void)state;
    assert_int_not_equal(palette_nearest(0xffff40, 8, true), 3);
    assert_int_not_equal(palette_nearest(0xffffff, 8, true), 7);
}

static void opposite_hues_differ(void **state)
{
    static const int counts[] = {8, 16, 255};
    (void)state;
    assert_int_equal(palette_hue(0, 2, false), -1);
    for (size_t i = 0; i < 2 * ARRAY_LENGTH(counts); i++) {
        const int colors = counts[i / 2];
        const bool light = i % 2 == 1;
        for (int hue = 0; hue < PALETTE_HUES; hue++) {
            const int opposite = (hue + PALETTE_HUES / 2) % PALETTE_HUES;
            assert_in_range(palette_hue(hue, colors, light), light ? 0 : 1, colors < 16 ? 7 : 15);
            assert_int_not_equal(palette_hue(hue, colors, light),
                                 palette_hue(opposite, colors, light));
        }
    }
}

static void expect_line(const wchar_t *text, int columns, int length)
{
    if (term_label_line(text, columns) != length) {
        fail_msg("'%ls' in %d: a line of %d", text, columns, term_label_line(text, columns));
    }
}

static void japanese_breaks_between_characters(void **state)
{
    (void)state;
    expect_line(L"日本語の文", 6, 3);
    expect_line(L"Enter：保存、Esc", 14, 9);
    expect_line(L"パラメーター", 6, 2);   /* ー begins no line */
    expect_line(L"文です。次の文", 6, 2); /* 。 neither */
    expect_line(L"これ「日本」", 6, 2);   /* 「 ends none */
    expect_line(L"ーーー", 4, 2);         /* nothing else fits */
    expect_line(L"무리를 봅니다", 9, 3);  /* Korean has spaces between words */
}

static void quotes_are_ascii_without_utf8(void **state)
{
    (void)state;
    expect("“a” ‘b’ it’s →", 40, L"\"a\" 'b' it's ->", 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(text_is_shown_as_it_is, use_utf8),
        cmocka_unit_test_setup(text_cannot_command_the_terminal, use_utf8),
        cmocka_unit_test_setup(marks_do_not_pile_up, use_utf8),
        cmocka_unit_test_setup(text_is_cut_between_characters, use_utf8),
        cmocka_unit_test_setup(long_text_stays_within_its_place, use_utf8),
        cmocka_unit_test_setup(lines_are_of_whole_words_where_one_fits, use_utf8),
        cmocka_unit_test_setup(japanese_breaks_between_characters, use_utf8),
        cmocka_unit_test_setup(quotes_are_ascii_without_utf8, use_c),
        cmocka_unit_test_setup(without_utf8_only_ascii_is_shown, use_c),
        cmocka_unit_test(colour_is_the_nearest_of_the_terminal),
        cmocka_unit_test(opposite_hues_differ),
        cmocka_unit_test(yellow_cannot_be_read_on_a_light_ground),
        cmocka_unit_test(yellow_cannot_be_read_on_a_light_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
