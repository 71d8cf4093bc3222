/* The command line of flock-term, and that its manual page lists the same options. Run from the
 * repository's root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct term_options options;
static char said[1024]; /* the output, or the line about a mistake */

/* Parses a command line of one option with its value (NULL: none). */
static enum options_result parse(const char *option, const char *value)
{
    char program[] = "flock-term";
    char *argv[] = {program, option != NULL ? strdup(option) : NULL,
                    value != NULL ? strdup(value) : NULL, NULL};
    char *text = NULL;
    size_t size = 0;
    FILE *output = open_memstream(&text, &size);
    assert_non_null(output);
    enum options_result result = term_options_parse(
        &options, "login", 1 + (option != NULL) + (value != NULL), argv, output, output);
    fclose(output);
    snprintf(said, sizeof said, "%s", text);
    free(text);
    free(argv[1]);
    free(argv[2]);
    return result;
}

static void accepted(const char *option, const char *value)
{
    if (parse(option, value) != OPTIONS_RUN) {
        fail_msg("%s", said);
    }
    assert_string_equal(said, "");
}

/* Asserts that the option is refused with one line that contains this text. */
static void refused(const char *option, const char *value, const char *line)
{
    assert_int_equal(parse(option, value), OPTIONS_ERROR);
    if (strstr(said, line) == NULL) {
        fail_msg("'%s' is not in: %s", line, said);
    }
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

static int clear_environment(void **state)
{
    (void)state;
    return unsetenv("FLOCK_NAME") | unsetenv("FLOCK_KEY") | unsetenv("NO_COLOR");
}

static void defaults_are_sensible(void **state)
{
    (void)state;
    accepted(NULL, NULL);
    assert_string_equal(options.encoding, "packed");
    assert_int_equal(options.rate, 30);
    assert_string_equal(options.room, "lobby");
    assert_string_equal(options.name, "login");
    assert_string_equal(options.key, "");
    assert_true(options.color);
    assert_string_equal(options.url_text, TERM_OPTIONS_URL);
}

static void encodings_are_checked(void **state)
{
    static const char *const wrong[] = {"", "zip", "Packed", "packed ", "plain,packed"};
    (void)state;
    accepted("--encoding", "plain");
    assert_string_equal(options.encoding, "plain");
    accepted("--encoding", "packed");
    assert_string_equal(options.encoding, "packed");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[128];
        snprintf(line, sizeof line,
                 "flock-term: --encoding: '%s' is not one of packed|plain; see flock-term --help\n",
                 wrong[i]);
        refused("--encoding", wrong[i], line);
    }
    refused("--encoding", NULL, "flock-term: --encoding: a value is missing");
}

static void rates_are_checked(void **state)
{
    static const char *const wrong[] = {"", "-1", "241", "1e2", "99999999999", "30 "};
    (void)state;
    accepted("--rate", "0");
    assert_int_equal(options.rate, 0);
    accepted("--rate", "240");
    assert_int_equal(options.rate, 240);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        refused("--rate", wrong[i], "is not a whole number in 0-240");
    }
}

/* The server ignores case, spaces and hyphens, and reports whether the room exists. */
static void codes_of_rooms_are_checked(void **state)
{
    static const char *const right[] = {
        "lobby", "K7Q2-XM4P", "k7q2 xm4p", "7", " a-", "Lobby", "12345678901234567890123456789012"};
    static const char *const wrong[] = {
        "",    " ",   "-",    "- -",  "a_b",
        "a/b", "zoë", "a\nb", "a\tb", "123456789012345678901234567890123"};
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        accepted("--room", right[i]);
        assert_string_equal(options.room, right[i]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        refused("--room", wrong[i], "is not 1-32 letters, digits, spaces and hyphens");
    }
}

static void the_environment_goes_before_the_defaults(void **state)
{
    (void)state;
    setenv("FLOCK_NAME", "Zoë", 1);
    setenv("FLOCK_KEY", "env-key", 1);
    setenv("NO_COLOR", "1", 1);
    accepted(NULL, NULL);
    assert_string_equal(options.name, "Zoë");
    assert_string_equal(options.key, "env-key");
    assert_false(options.color);
    accepted("--name", "");
    assert_string_equal(options.name, "");
    accepted("--key", "own-key");
    assert_string_equal(options.key, "own-key");
    accepted("ws://h#key=url-key", NULL);
    assert_string_equal(options.key, "url-key");
    accepted("ws://h", NULL);
    assert_string_equal(options.key, "env-key");
}

static void empty_variables_are_not_set(void **state)
{
    (void)state;
    setenv("FLOCK_NAME", "", 1);
    setenv("FLOCK_KEY", "", 1);
    setenv("NO_COLOR", "", 1);
    accepted(NULL, NULL);
    assert_string_equal(options.name, "login");
    assert_string_equal(options.key, "");
    assert_true(options.color);
}

static void wrong_variables_are_refused(void **state)
{
    (void)state;
    setenv("FLOCK_NAME", "a\033[2J", 1);
    refused(NULL, NULL,
            "FLOCK_NAME: 'a\\u001b[2J' is not 0-64 bytes of UTF-8 without control characters");
    setenv("FLOCK_NAME", "a", 1);
    setenv("FLOCK_KEY", "Not a key", 1);
    refused(NULL, NULL, "FLOCK_KEY: expected 1-64 of a-z, 0-9 and -;");
    assert_null(strstr(said, "Not a key"));
    assert_int_equal(parse("--help", NULL), OPTIONS_DONE);
}

/* The page has the options of --help in the same order, and no others. */
static void the_manual_page_lists_the_same(void **state)
{
    char *help = NULL;
    char *manual = NULL;
    size_t size = 0;
    int entries = 0;
    FILE *output = open_memstream(&help, &size);
    char *argv[] = {(char[]){"flock-term"}, (char[]){"--help"}, NULL};
    FILE *page = fopen("docs/flock-term.1", "re");
    (void)state;
    assert_non_null(output);
    assert_non_null(page);
    assert_int_equal(term_options_parse(&options, "", 2, argv, output, output), OPTIONS_DONE);
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
#define TEST(name) cmocka_unit_test_setup(name, clear_environment)
    const struct CMUnitTest tests[] = {
        TEST(defaults_are_sensible),
        TEST(encodings_are_checked),
        TEST(rates_are_checked),
        TEST(codes_of_rooms_are_checked),
        TEST(the_environment_goes_before_the_defaults),
        TEST(empty_variables_are_not_set),
        TEST(wrong_variables_are_refused),
        TEST(the_manual_page_lists_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
