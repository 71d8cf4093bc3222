/* The texts of the terminal client: languages, forms, particles, numbers, names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/texts/texts.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static char line[TEXTS_LINE];

static int setup(void **state)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG", "TERM"};
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        unsetenv(variables[i]);
    }
    texts_choose("en");
    return setlocale(LC_ALL, "C.UTF-8") == NULL;
}

static void the_environment_chooses_the_language(void **state)
{
    (void)state;
    assert_int_equal(texts_choose(NULL), TEXTS_EN);
    setenv("LANG", "de_DE.UTF-8", 1);
    assert_int_equal(texts_choose(NULL), TEXTS_DE);
    setenv("LC_MESSAGES", "fr", 1);
    assert_int_equal(texts_choose(NULL), TEXTS_FR);
    setenv("LC_ALL", "ja_JP", 1);
    assert_int_equal(texts_choose(NULL), TEXTS_JA);
    setenv("LC_ALL", "", 1); /* counts as not set */
    assert_int_equal(texts_choose(NULL), TEXTS_FR);
    setenv("LC_ALL", "pt_BR.UTF-8", 1);
    assert_int_equal(texts_choose(NULL), TEXTS_EN);
    setenv("LC_ALL", "den_XX", 1);
    assert_int_equal(texts_choose(NULL), TEXTS_EN);
    assert_int_equal(texts_choose("ko"), TEXTS_KO); /* an option goes before */
}

static void without_utf8_all_is_english(void **state)
{
    (void)state;
    setenv("LANG", "ko_KR.UTF-8", 1);
    setenv("TERM", "linux", 1); /* the console */
    assert_int_equal(texts_choose(NULL), TEXTS_EN);
    setenv("TERM", "xterm", 1);
    assert_int_equal(texts_choose(NULL), TEXTS_KO);
    setlocale(LC_ALL, "C");
    assert_int_equal(texts_choose(NULL), TEXTS_EN);
    assert_int_equal(texts_choose("de"), TEXTS_EN);
}

static const char *added(const char *code, const char *who, const char *count)
{
    texts_choose(code);
    texts_fill(line, sizeof line, TEXT_NEWS_ADDED, who, count);
    return line;
}

static void counts_and_persons_choose_the_form(void **state)
{
    (void)state;
    assert_string_equal(added("en", "Ada", "1"), "Ada added 1 boid");
    assert_string_equal(added("en", "Ada", "1,100"), "Ada added 1,100 boids");
    assert_string_equal(added("de", "Ada", "2"), "Ada hat 2 Boids hinzugefügt");
    assert_string_equal(added("de", "Du", "1"), "Du hast 1 Boid hinzugefügt");
    assert_string_equal(added("es", "Tú", "2"), "Has añadido 2 boids");
    assert_string_equal(added("fr", "Ada", "0"), "Ada a ajouté 0 boid");
    assert_string_equal(added("ja", "Ada さん", "1"), "Ada さんがボイド 1 体を追加しました");
}

static const char *chose(const char *name)
{
    texts_fill(line, sizeof line, TEXT_NEWS_PRESET, "나", name);
    return line;
}

static void korean_particles_follow_the_last_sound(void **state)
{
    (void)state;
    texts_choose("ko");
    assert_string_equal(chose("벌 떼"), "내가 프리셋 ‘벌 떼’를 골랐습니다");
    assert_string_equal(chose("군중"), "내가 프리셋 ‘군중’을 골랐습니다");
    assert_string_equal(chose("무리 3!"), "내가 프리셋 ‘무리 3!’을 골랐습니다");
    assert_string_equal(chose("무리 2"), "내가 프리셋 ‘무리 2’를 골랐습니다");
    assert_string_equal(chose("bees"), "내가 프리셋 ‘bees’을(를) 골랐습니다");
    assert_string_equal(chose(""), "내가 프리셋 ‘’을(를) 골랐습니다");
    assert_string_equal(chose("\xea\xb0"), "내가 프리셋 ‘\xea\xb0’을(를) 골랐습니다");
    texts_fill(line, sizeof line, TEXT_NEWS_RESET, "Ada 님");
    assert_string_equal(line, "Ada 님이 무리를 처음부터 다시 시작했습니다");
}

static void names_get_the_address_of_the_language(void **state)
{
    (void)state;
    texts_person(line, sizeof line, "Ada");
    assert_string_equal(line, "Ada");
    texts_choose("ja");
    texts_person(line, sizeof line, "Ada");
    assert_string_equal(line, "Ada さん");
    texts_person(line, sizeof line, "田中先生");
    assert_string_equal(line, "田中先生");
    texts_choose("ko");
    texts_person(line, sizeof line, "김 선생님");
    assert_string_equal(line, "김 선생님");
    texts_person(line, sizeof line, "");
    assert_string_equal(line, " 님");
}

static void numbers_are_written_as_the_language_does(void **state)
{
    static const char *const wanted[TEXTS_LANGUAGES][3] = {
        [TEXTS_EN] = {"5,000", "12,345,678", "0.5"},
        [TEXTS_DE] = {"5.000", "12.345.678", "0,5"},
        [TEXTS_ES] = {"5000", "12.345.678", "0,5"},
        [TEXTS_FR] = {"5\u00a0"
                      "000",
                      "12\u00a0"
                      "345\u00a0"
                      "678",
                      "0,5"},
        [TEXTS_JA] = {"5,000", "12,345,678", "0.5"},
        [TEXTS_KO] = {"5,000", "12,345,678", "0.5"}};
    (void)state;
    for (int i = 0; i < TEXTS_LANGUAGES; i++) {
        texts_choose(texts_codes()[i]);
        assert_string_equal(texts_grouped(5000).digits, wanted[i][0]);
        assert_string_equal(texts_grouped(12345678).digits, wanted[i][1]);
        assert_string_equal(texts_decimal(0.5, 1).digits, wanted[i][2]);
        assert_string_equal(texts_grouped(-12).digits, "-12");
        assert_string_equal(texts_plain(5000).digits, "5000");
    }
}

static void text_is_cut_between_characters(void **state)
{
    char small[8];
    (void)state;
    texts_choose("ja");
    texts_fill(small, sizeof small, TEXT_PAIR, "日本語", "x");
    assert_string_equal(small, "日本");
    texts_fill(small, sizeof small, TEXT_PAIR, "ab", "cdef");
    assert_string_equal(small, "ab：cd");
    texts_fill(small, 1, TEXT_PAIR, "ab", "cd");
    assert_string_equal(small, "");
    strcpy(small, "日");
    texts_append(small, sizeof small, TEXT_LIST, "本");
    assert_string_equal(small, "日、"); /* no half of a character */
}

static void names_of_the_server_are_translated(void **state)
{
    (void)state;
    assert_string_equal(texts_param("max_force"), "max_force");
    assert_string_equal(texts_about_param("max_force", "the server's"), "the server's");
    texts_choose("de");
    assert_string_equal(texts_control("preset"), "Vorlage");
    assert_string_equal(texts_param("max_force"), "größte Kraft");
    assert_string_equal(texts_choice("boundary", "walls"), "Wände");
    assert_string_equal(texts_choice("coloring", "free"), "frei");
    assert_string_equal(texts_choice("layers", "none"), "keine");
    assert_string_equal(texts_unit("degrees"), "Grad");
    assert_string_equal(texts_choice("preset", "Adas eigene"), "Adas eigene");
    assert_string_equal(texts_choice("model", "walls"), "walls"); /* of another control */
    assert_string_equal(texts_about_control("gravity", "the server's"), "the server's");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_environment_chooses_the_language, setup),
        cmocka_unit_test_setup(without_utf8_all_is_english, setup),
        cmocka_unit_test_setup(counts_and_persons_choose_the_form, setup),
        cmocka_unit_test_setup(korean_particles_follow_the_last_sound, setup),
        cmocka_unit_test_setup(names_get_the_address_of_the_language, setup),
        cmocka_unit_test_setup(numbers_are_written_as_the_language_does, setup),
        cmocka_unit_test_setup(text_is_cut_between_characters, setup),
        cmocka_unit_test_setup(names_of_the_server_are_translated, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
