/* The command line of flock-term, and that its manual page lists the same options. Run from the
 * repository's root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../clients/term/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct term_options options;

/* Parses a command line of one option with its value (NULL: none). */
static bool parse(const char *option, const char *value)
{
    char program[] = "flock-term";
    char *argv[] = {program, strdup(option), value != NULL ? strdup(value) : NULL, NULL};
    term_options_init(&options);
    bool taken = term_options_parse(&options, value != NULL ? 3 : 2, argv);
    free(argv[1]);
    free(argv[2]);
    return taken;
}

static void defaults_are_sensible(void **state)
{
    char program[] = "flock-term";
    char *argv[] = {program, NULL};
    (void)state;
    term_options_init(&options);
    assert_true(term_options_parse(&options, 1, argv));
    assert_string_equal(options.encoding, "packed");
    assert_int_equal(options.rate, 30);
    assert_string_equal(options.room, "lobby");
    assert_string_equal(options.url_text, TERM_OPTIONS_URL);
}

static void encodings_are_checked(void **state)
{
    static const char *const wrong[] = {"", "zip", "Packed", "packed ", "plain,packed"};
    (void)state;
    assert_true(parse("--encoding", "plain"));
    assert_string_equal(options.encoding, "plain");
    assert_true(parse("--encoding", "packed"));
    assert_string_equal(options.encoding, "packed");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(parse("--encoding", wrong[i]));
        assert_string_equal(options.error, "--encoding: expected packed or plain");
    }
    assert_false(parse("--encoding", NULL));
    assert_string_equal(options.error, "--encoding needs a value: NAME");
}

static void rates_are_checked(void **state)
{
    static const char *const wrong[] = {"", "-1", "241", "1e2", "99999999999", "30 "};
    (void)state;
    assert_true(parse("--rate", "0"));
    assert_int_equal(options.rate, 0);
    assert_true(parse("--rate", "240"));
    assert_int_equal(options.rate, 240);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(parse("--rate", wrong[i]));
        assert_non_null(strstr(options.error, "0 to 240"));
    }
}

/* Each line of --help that begins an option has its entry in the page, in the same order, and there
 * are no others. */
static void the_manual_page_lists_the_same(void **state)
{
    char *help = NULL;
    char *manual = NULL;
    size_t size = 0;
    int entries = 0;
    FILE *output = open_memstream(&help, &size);
    FILE *page = fopen("docs/flock-term.1", "re");
    (void)state;
    assert_non_null(output);
    assert_non_null(page);
    term_options_help(output);
    fclose(output);
    size = 0;
    assert_true(getdelim(&manual, &size, '\0', page) > 0);
    fclose(page);
    const char *last = manual;
    for (const char *line = strstr(help, "\n  --"); line != NULL;
         line = strstr(line + 1, "\n  --")) {
        char entry[64];
        const char *name = line + strlen("\n  -");
        snprintf(entry, sizeof entry, "\n.It Fl %.*s", (int)strcspn(name, " \n"), name);
        last = strstr(last, entry);
        if (last == NULL) {
            fail_msg("docs/flock-term.1 lacks, at its place: %s", entry + 1);
            return;
        }
        entries++;
    }
    for (const char *it = strstr(manual, "\n.It Fl "); it != NULL;
         it = strstr(it + 1, "\n.It Fl ")) {
        entries--;
    }
    assert_int_equal(entries, 0);
    free(help);
    free(manual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_sensible),
        cmocka_unit_test(encodings_are_checked),
        cmocka_unit_test(rates_are_checked),
        cmocka_unit_test(the_manual_page_lists_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
