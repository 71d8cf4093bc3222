/* Names that are visible, and names that look equal to readers. */
#include "scene/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
        {"\u1fb4\u03b4\u03b7\u03c2",
         "\u1fb3\u0301\u03b4\u03b7\u03c2"}, /* each with one accent, … */
        {"\u1fb4\u03b4\u03b7\u03c2", "\u03b1\u0345\u0301\u03b4\u03b7\u03c2"}, /* … and an iota */
        {"Ada", "ada"},
        {"Ada", "ADA"},
        {"Ms Miller", "msmiller"},
        {"Ms Miller", " Ms  Miller "},
        {"Ms Miller", "Ms\u00a0Miller"},
        {"Ada", "A\u200bda"},
        {"Ada", "Ada\ufe0f"},
        {"Ada", "A\U00013430da"},
        {"Ada", "Ada\ufffc"},
        {"Ada", "A\U0001d159da"},
        {"Ada", "A\U00016fe4da"},
        {"Ada", "A\U0001107fda"},
        {"Ada", "A\u070fda"},
        {"Ada", "Ada\U0001ffff"},
        {"Ada", "Ada\ufdd0"},
        {"Ada", "Ada\ue000"},
        {"Ada", "Ada\U0010fffd"},
        {"Ada 1", "Ａｄａ　１"},
        {"Åsa Østergård", "åsa østergård"},
        {"ŁUKASZ ŻÓŁW", "łukasz żółw"},
        {"ΑΝΝΑ ΠΑΥΛΟΣ", "αννα παυλος"},
        {"ΈΛΛΗ", "έλλη"},
        {"ЮЛИЯ ЁЖ", "юлия ёж"},
        {"ÿ", "Ÿ"},
        {"日本", "日本"},
        {"José", "Jose\u0301"},
        {"José", "JOSE\u0301"},
        {"José", "Jose\u200b\u0301"},
        {"한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"},
        {"Groß", "GRO\u1e9e"},
        {"Groß", "Gross"},
        {"Ross", "Ro\u017fs"},
        {"Kim", "\u212aim"}, /* Kelvin sign */
        {"fina", "\ufb01na"},
        {"カナ", "\uff76\uff85"},
        {"ガ", "\uff76\uff9e"},
        {"Jürgen", "Ju\u0308rgen"},
        {"Việt", "Vie\u0302\u0323t"},
        {"\u1e69", "s\u0307\u0323"},
        {"Ꭰna", "\uab70na"}, /* Cherokee */
        {"Ada", "𝐀𝐝𝐚"},
        {"Ada", "Ⓐⓓⓐ"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        if (!names_alike(same[i][0], same[i][1]) || !names_alike(same[i][1], same[i][0])) {
            fail_msg("%s and %s", same[i][0], same[i][1]);
        }
        assert_int_equal(names_hash(same[i][0]), names_hash(same[i][1]));
    }
}

static void test_names_that_differ(void **state)
{
    static const char *const other[][2] = {
        {"Ada", "Ad"}, {"Ada", "Adam"},  {"Ada", ""},  {"ada", "ädа"},
        {"×", "÷"},    {"Ada", "Ada1"},  {"l", "1"},   {"А", "A"} /* Cyrillic */,
        {"ı", "i"},    {"José", "Jose"}, {"한", "하"}, {"ガ", "カ"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        if (names_alike(other[i][0], other[i][1]) || names_alike(other[i][1], other[i][0])) {
            fail_msg("%s and %s", other[i][0], other[i][1]);
        }
        assert_int_not_equal(names_hash(other[i][0]), names_hash(other[i][1]));
    }
}

/* The longest names in every form fit into the memory in which they are compared. */
static void test_long_names(void **state)
{
    static const char *const wide[] = {"\ufdfa", "\u1e9e", "\u0390", "\U0001d15e", "Ａ"};
    char name[PROTO_NAME_MAX + 1], longer[PROTO_NAME_MAX + 1];

    (void)state;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        const size_t size = strlen(wide[i]);
        name[0] = '\0';
        for (size_t at = 0; at + size <= PROTO_NAME_MAX; at += size) {
            memcpy(name + at, wide[i], size + 1);
        }
        snprintf(longer, sizeof longer, "%s", name + size);
        assert_true(names_alike(name, name));
        assert_false(names_alike(name, longer));
        assert_false(names_alike(longer, name));
        assert_int_not_equal(names_hash(name), names_hash(longer));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_without_anything_to_see),
        cmocka_unit_test(test_names_that_look_the_same),
        cmocka_unit_test(test_names_that_differ),
        cmocka_unit_test(test_long_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
