/* The manual page of flockd agrees with --help: the same options in the same order, with their
 * values, ranges, defaults and variables. Run it from the repository's root. */
#include "config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HELP_INDENT 2
#define HELP_COLUMN 30 /* where the texts of --help begin */

static char *manual;

static int read_manual(void **state)
{
    FILE *file = fopen("docs/flockd.1", "re");
    size_t size = 0;

    (void)state;
    if (file == NULL || getdelim(&manual, &size, '\0', file) < 0) {
        return -1;
    }
    return fclose(file);
}

static int free_manual(void **state)
{
    (void)state;
    free(manual);
    return 0;
}

/* Returns flockd's output for that option. The caller frees it. */
static char *answer(const char *option)
{
    char *argv[] = {(char[]){"flockd"}, strdup(option), NULL};
    struct config config;
    char *text = NULL;
    size_t size = 0;
    FILE *output = open_memstream(&text, &size);

    assert_non_null(output);
    assert_int_equal(config_parse(&config, 2, argv, output, stderr), OPTIONS_DONE);
    fclose(output);
    free(argv[1]);
    return text;
}

/* Returns the text of an option's entry up to the next entry, or NULL. The caller frees it. */
static char *entry_of(const char *heading)
{
    char line[160];
    const char *start;
    const char *end;

    snprintf(line, sizeof line, "\n.It Fl %s\n", heading);
    start = strstr(manual, line);
    if (start == NULL) {
        return NULL;
    }
    start += strlen(line);
    end = strstr(start, "\n.It ");
    return strndup(start, end != NULL ? (size_t)(end - start) : strlen(start));
}

/* Lines of --help that begin an option become headings of the page: "--port N" is "-port Ar N".
 * Returns false for the other lines. */
static bool heading_of(const char *line, char heading[128])
{
    char left[HELP_COLUMN];
    size_t length = strcspn(line, "\n");
    char *value;

    if (strncmp(line, "  --", 4) != 0) {
        return false;
    }
    length = length < HELP_COLUMN ? length : HELP_COLUMN;
    snprintf(left, sizeof left, "%.*s", (int)(length - HELP_INDENT - 1), line + HELP_INDENT + 1);
    for (size_t i = strlen(left); i > 0 && left[i - 1] == ' '; i--) {
        left[i - 1] = '\0';
    }
    value = strchr(left, ' ');
    if (value != NULL) {
        *value++ = '\0';
    }
    snprintf(heading, 128, "%s%s%s", left, value != NULL ? " Ar " : "", value != NULL ? value : "");
    return true;
}

static void test_same_options_in_the_same_order(void **state)
{
    char *help = answer("--help");
    const char *last = manual;
    size_t options = 0;
    size_t entries = 0;

    (void)state;
    for (const char *line = help; *line != '\0'; line += strcspn(line, "\n") + 1) {
        char heading[128];
        char it[160];
        const char *found;
        if (!heading_of(line, heading)) {
            continue;
        }
        snprintf(it, sizeof it, "\n.It Fl %s\n", heading);
        found = strstr(manual, it);
        if (found == NULL || found < last) {
            fail_msg("docs/flockd.1 lacks, at its place: .It Fl %s", heading);
        }
        last = found;
        options++;
    }
    for (const char *it = strstr(manual, "\n.It Fl "); it != NULL;
         it = strstr(it + 1, "\n.It Fl ")) {
        entries++;
    }
    assert_int_equal(entries, options);
    assert_true(options > 10);
    free(help);
}

/* Cuts the next cell off a row of the table, without its spaces and backquotes. */
static char *next_cell(char **row)
{
    char *cell = strsep(row, "|");

    assert_non_null(cell);
    cell += strspn(cell, " `");
    for (size_t i = strlen(cell); i > 0 && strchr(" `", cell[i - 1]) != NULL; i--) {
        cell[i - 1] = '\0';
    }
    return cell;
}

static void assert_says(const char *option, const char *entry, const char *what)
{
    if (strstr(entry, what) == NULL) {
        fail_msg("docs/flockd.1: the entry of %s does not say '%s'", option, what);
    }
}

/* A row: option | environment | values | default | meaning. */
static void check_row(char *row)
{
    char *option = next_cell(&row) + 1; /* its second dash is the page's Fl */
    char *value = strchr(option, ' ');
    char *environment;
    char *values;
    char *initial;
    char *entry;
    char heading[128];
    char text[128];

    environment = next_cell(&row);
    values = next_cell(&row);
    initial = next_cell(&row);
    if (value != NULL) {
        *value++ = '\0';
        snprintf(heading, sizeof heading, "%s Ar %s", option, value);
    } else if (strcmp(values, "0, 1") == 0 || values[0] == '\0') {
        snprintf(heading, sizeof heading, "%s", option);
    } else {
        snprintf(heading, sizeof heading, "%s Ar %s", option, values);
        for (char *comma = heading; (comma = strstr(comma, ", ")) != NULL;) {
            *comma++ = '|';
            memmove(comma, comma + 1, strlen(comma));
        }
    }
    entry = entry_of(heading);
    if (entry == NULL) {
        fail_msg("docs/flockd.1 lacks .It Fl %s", heading);
        return;
    }
    if (strcmp(values, "text") != 0 && strcmp(values, "0, 1") != 0) {
        for (char *one = strtok(values, ","); one != NULL; one = strtok(NULL, ",")) {
            assert_says(heading, entry, one + (*one == ' '));
        }
    }
    if (initial[0] != '\0') {
        snprintf(text, sizeof text, "default %s", initial);
        assert_says(heading, entry, text);
    }
    /* The page has a rule for variables instead of their names. */
    if (environment[0] != '\0') {
        snprintf(text, sizeof text, "FLOCKD_%s", option + 1);
        for (char *c = text + strlen("FLOCKD_"); *c != '\0'; c++) {
            *c = *c == '-' ? '_' : *c >= 'a' ? (char)(*c - 'a' + 'A') : *c;
        }
        assert_string_equal(environment, text);
    } else {
        assert_true(strcmp(option, "-healthcheck") == 0 || strcmp(option, "-check-data") == 0 ||
                    strcmp(option, "-cluster-status") == 0);
    }
    free(entry);
}

static void test_same_values_and_defaults(void **state)
{
    char *table = answer("--help-table");
    char *rest = table;
    size_t rows = 0;

    (void)state;
    for (char *row = strsep(&rest, "\n"); row != NULL; row = strsep(&rest, "\n")) {
        if (strncmp(row, "| `--", 5) == 0) {
            check_row(row + 1);
            rows++;
        }
    }
    assert_true(rows > 10);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_options_in_the_same_order),
        cmocka_unit_test(test_same_values_and_defaults),
    };
    return cmocka_run_group_tests_name("man", tests, read_manual, free_manual);
}
