/* Names that are visible, and names that look equal to readers. */
#include "scene/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void test_names_without_anything_to_see(void **state)
{
    static const char *const blank[] = {
        "",       " ",          "   ",           "\u00a0",       "\u00ad",         "\u034f",
        "\u061c", "\u115f",     "\u2003 \u2009", "\u200b\u200d", "\u202f",         "\u2060\u2064",
        "\u2800", "\u3000",     "\u3164",        "\ufe0f",       "\ufeff",         "\uffa0",
        "\u180e", "\U000e0041", "\U000e01ef",    "\U0001d173",   " \u200b \u3164",
    };
    static const char *const seen[] = {"a", " a ", "\u200ba", "0", "-", "é", "日", "🐦", "\u0301"};

    (void)state;
    for (size_t i = 0; i < sizeof blank / sizeof blank[0]; i++) {
        if (!names_blank(blank[i])) {
            fail_msg("blank %zu", i);
        }
    }
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
        assert_false(names_blank(seen[i]));
    }
}

static void test_names_that_look_the_same(void **state)
{
    static const char *const same[][2] = {
        {"Ada", "ada"},
        {"Ada", "ADA"},
        {"Ms Miller", "msmiller"},
        {"Ms Miller", " Ms  Miller "},
        {"Ms Miller", "Ms\u00a0Miller"},
        {"Ada", "A\u200bda"},
        {"Ada", "Ada\ufe0f"},
        {"Ada 1", "Ａｄａ　１"},
        {"Åsa Østergård", "åsa østergård"},
        {"ŁUKASZ ŻÓŁW", "łukasz żółw"},
        {"ΑΝΝΑ ΠΑΥΛΟΣ", "αννα παυλος"},
        {"ΈΛΛΗ", "έλλη"},
        {"ЮЛИЯ ЁЖ", "юлия ёж"},
        {"ÿ", "Ÿ"},
        {"日本", "日本"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        if (!names_alike(same[i][0], same[i][1]) || !names_alike(same[i][1], same[i][0])) {
            fail_msg("%s and %s", same[i][0], same[i][1]);
        }
    }
}

static void test_names_that_differ(void **state)
{
    static const char *const other[][2] = {
        {"Ada", "Ad"}, {"Ada", "Adam"}, {"Ada", ""}, {"ada", "ädа"},
        {"×", "÷"},    {"Ada", "Ada1"}, {"l", "1"},  {"А", "A"} /* Cyrillic */,
        {"ı", "i"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        if (names_alike(other[i][0], other[i][1]) || names_alike(other[i][1], other[i][0])) {
            fail_msg("%s and %s", other[i][0], other[i][1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_without_anything_to_see),
        cmocka_unit_test(test_names_that_look_the_same),
        cmocka_unit_test(test_names_that_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
