/* The colours of the screen: they can be read on every ground, and a wrong theme says where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/tty/theme.h"
#include "term/tty/themes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 50, ERROR_SIZE = 256 };

static const char *const GROUNDS[] = {"",      "dusk",  "water",    "tank",  "meadow",
                                      "sand",  "cloth", "comb",     "paper", "blueprint",
                                      "stage", "floor", "pavement", "new"};
enum { GROUND_COUNT = sizeof GROUNDS / sizeof GROUNDS[0] };

static const int COLORS[] = {256, 0x1000000};

/* Fails unless the colour has that contrast with the ground of each row. */
static void assert_readable(const struct theme_look *look, const char *what, uint32_t color,
                            float contrast, int colors)
{
    for (int row = 0; row < ROWS; row++) {
        uint32_t ground = theme_ground(look, row, ROWS, colors > 256 ? ROWS : 1);
        float found = palette_contrast(palette_shown(color, colors), palette_shown(ground, colors));
        if (found < contrast) {
            fail_msg("%s #%06x on #%06x: contrast %.2f, expected %.1f", what, color, ground,
                     (double)found, (double)contrast);
        }
    }
}

static void assert_look_readable(const struct theme_look *look, int colors)
{
    const struct {
        const char *what;
        uint32_t color;
    } texts[] = {{"text", look->text},
                 {"quiet text", look->quiet},
                 {"mark", look->mark},
                 {"bar", look->bar}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_readable(look, texts[i].what, texts[i].color, PALETTE_TEXT_CONTRAST, colors);
    }
    assert_readable(look, "frame", look->frame, PALETTE_BOID_CONTRAST, colors);
    assert_true(palette_contrast(palette_shown(look->status[0], colors),
                                 palette_shown(look->status[1], colors)) >= PALETTE_TEXT_CONTRAST);
    for (int level = THEME_LEVEL_BOID; level < THEME_LEVELS; level++) {
        for (int hue = 0; hue < PALETTE_HUES; hue++) {
            assert_readable(look, "boid", theme_boid(look, hue, level, colors),
                            PALETTE_BOID_CONTRAST, colors);
        }
    }
}

/* The own ground of a terminal may have any colour. A theme with another ground ignores it. */
static void everything_can_be_read_in_every_theme(void **state)
{
    static const uint32_t own[] = {0, 0xffffff, 0x002b36, 0xfdf6e3, 0x300a24, 0x777777};
    struct theme theme;
    struct theme_look look;
    uint32_t first[2] = {0}; /* the grounds with the first own ground */
    char error[ERROR_SIZE];
    (void)state;
    for (size_t i = 0; themes_name(i) != NULL; i++) {
        assert_true(theme_load(&theme, themes_name(i), error, sizeof error));
        for (size_t at = 0; at < GROUND_COUNT * 2 * 6; at++) {
            struct theme_terminal terminal = {.known = true, .ground = own[at % 6]};
            terminal.light = at / 6 % 2 == 1;
            for (int rich = 0; rich < 2; rich++) {
                terminal.colors = COLORS[rich];
                theme_resolve(&theme, &terminal, GROUNDS[at / 12], &look);
                if (at % 6 == 0 || look.ground[0] != first[rich]) {
                    assert_look_readable(&look, COLORS[rich]);
                }
                first[rich] = at % 6 == 0 ? look.ground[0] : first[rich];
            }
        }
    }
}

static void five_themes_are_shipped_and_valid(void **state)
{
    char error[ERROR_SIZE];
    size_t count = 0;
    (void)state;
    for (; themes_name(count) != NULL; count++) {
        assert_non_null(strstr(themes_names(), themes_name(count)));
        if (!theme_check(themes_find(themes_name(count)), themes_name(count), error,
                         sizeof error)) {
            fail_msg("%s", error);
        }
    }
    assert_int_equal(count, 5);
}

static void hues_go_around_in_many_steps(void **state)
{
    struct theme theme;
    struct theme_look look;
    char error[ERROR_SIZE];
    const struct theme_terminal terminal = {.colors = 0x1000000};
    (void)state;
    assert_true(PALETTE_HUES >= 24);
    assert_true(theme_load(&theme, "night", error, sizeof error));
    theme_resolve(&theme, &terminal, "", &look);
    for (int i = 0; i < PALETTE_HUES; i++) {
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(theme_boid(&look, i, 4, 0x1000000),
                                 theme_boid(&look, k, 4, 0x1000000));
        }
    }
}

static void preset_theme_follows_the_ground_and_the_background(void **state)
{
    struct theme theme;
    struct theme_look dark;
    struct theme_look light;
    struct theme_look other;
    char error[ERROR_SIZE];
    struct theme_terminal terminal = {.colors = 0x1000000};
    (void)state;
    assert_true(theme_load(&theme, THEMES_DEFAULT, error, sizeof error));
    theme_resolve(&theme, &terminal, "water", &dark);
    theme_resolve(&theme, &terminal, "unknown", &other);
    terminal.light = true;
    theme_resolve(&theme, &terminal, "water", &light);
    assert_int_not_equal(dark.ground[0], other.ground[0]);
    assert_false(palette_is_light(dark.ground[1]));
    assert_true(palette_is_light(light.ground[1]));
}

static void ground_goes_from_stop_to_stop(void **state)
{
    const struct theme_look look = {.ground = {0x000000, 0x808080, 0xffffff}, .stops = 3};
    (void)state;
    assert_int_equal(theme_ground(&look, 0, 50, 50), 0x000000);
    assert_int_equal(theme_ground(&look, 49, 50, 50), 0xffffff);
    assert_int_equal(theme_ground(&look, 0, 1, 50), 0x808080);
    assert_int_equal(theme_ground(&look, 7, 50, 1), 0x808080);
    for (int row = 1; row < 50; row++) {
        assert_true(theme_ground(&look, row, 50, 12) >= theme_ground(&look, row - 1, 50, 12));
    }
}

static void wrong_line_is_named_with_what_was_expected(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"ground #000000\nink #ffffff\n", "a.theme:2: expected a key: own, ground"},
        {"\n\ntext red\n", "a.theme:3: expected a colour #rrggbb"},
        {"text #12345\n", "a.theme:1: expected a colour"},
        {"text #1234567\n", "a.theme:1: expected a colour"},
        {"text\n", "a.theme:1: expected a colour"},
        {"status #000000\n", "a.theme:1: expected 2 colours"},
        {"ground #000000 #000000 #000000 #000000 #000000\n", "a.theme:1: expected 1 to 4 colours"},
        {"ground 1 2 3 4 5 6 7 8\n", "a.theme:1: expected a key and its values"},
        {"boids 2 0.1 0 360\n", "a.theme:1: expected lightness 0 to 1"},
        {"boids 0.5 0.1 nan 360\n", "a.theme:1: expected lightness 0 to 1"},
        {"boids 0.5 0.1 0\n", "a.theme:1: expected lightness 0 to 1"},
        {"own maybe\n", "a.theme:1: expected yes or no"},
        {"[dim]\n", "a.theme:1: expected [dark]"},
        {"[dark water\n", "a.theme:1: expected [dark]"},
        {"[dark water deep]\n", "a.theme:1: expected [dark]"},
        {"[dark ]\n", "a.theme:1: expected [dark]"},
        {"[]\n", "a.theme:1: expected [dark]"},
        {"[\n", "a.theme:1: expected [dark]"},
        {"]\n", "a.theme:1: expected a key"},
        {"[dark a-name-that-is-far-too-long-for-any-ground]\n", "a.theme:1: expected [dark]"},
    };
    char error[ERROR_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_false(theme_check(cases[i].text, "a.theme", error, sizeof error));
        if (strncmp(error, cases[i].error, strlen(cases[i].error)) != 0) {
            fail_msg("%s: %s", cases[i].text, error);
        }
    }
    assert_true(
        theme_check("# text red\r\n\t\n  text  #aBcDeF \r\n[light]", "a", error, ERROR_SIZE));
}

/* Writes a file and returns its name. */
static const char *write_file(const char *text, size_t size)
{
    static char name[64];
    snprintf(name, sizeof name, "/tmp/test_term_theme.%d", (int)getpid());
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
    return name;
}

static void theme_comes_from_a_file(void **state)
{
    static const char text[] = "ground #102030\n[dark sea]\nground #405060\n[light]\ntext #000000";
    static char large[70000];
    struct theme theme;
    struct theme_look look;
    const struct theme_terminal terminal = {.colors = 0x1000000};
    char error[ERROR_SIZE];
    (void)state;
    assert_true(theme_load(&theme, write_file(text, sizeof text - 1), error, sizeof error));
    theme_resolve(&theme, &terminal, "", &look);
    assert_int_equal(look.ground[0], 0x102030);
    theme_resolve(&theme, &terminal, "sea", &look);
    assert_int_equal(look.ground[0], 0x405060);
    theme_free(&theme);
    assert_false(theme_load(&theme, write_file("text red\n", 9), error, sizeof error));
    assert_non_null(strstr(error, ":1: expected a colour"));
    assert_false(theme_load(&theme, write_file("text #000000\n\0text", 18), error, sizeof error));
    memset(large, '\n', sizeof large);
    assert_false(theme_load(&theme, write_file(large, sizeof large), error, sizeof error));
    assert_non_null(strstr(error, "65536"));
    unlink(write_file("", 0));
    assert_false(theme_load(&theme, "/nowhere/a.theme", error, sizeof error));
    assert_non_null(strstr(error, "No such file"));
    assert_false(theme_load(&theme, "/tmp", error, sizeof error));
    assert_false(theme_load(&theme, "noon", error, sizeof error));
    assert_non_null(strstr(error, "preset, night, day, phosphor or terminal"));
    theme_free(&theme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_can_be_read_in_every_theme),
        cmocka_unit_test(five_themes_are_shipped_and_valid),
        cmocka_unit_test(hues_go_around_in_many_steps),
        cmocka_unit_test(preset_theme_follows_the_ground_and_the_background),
        cmocka_unit_test(ground_goes_from_stop_to_stop),
        cmocka_unit_test(wrong_line_is_named_with_what_was_expected),
        cmocka_unit_test(theme_comes_from_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
