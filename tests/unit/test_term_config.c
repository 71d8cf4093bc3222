/* The configuration file of the terminal client, and the keys that it binds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/options.h"
#include "term/tty/screen.h"
#include "term/ui/keys.h"
#include "test_folder.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[TEST_FOLDER_SIZE];
static char path[TEST_FOLDER_SIZE + 16];
static struct term_options options;
static char said[2048];

static int begin(void **state)
{
    (void)state;
    if (!test_folder_make(folder, "flock-config")) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/config", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static int setup(void **state)
{
    static const char *const variables[] = {"FLOCK_NAME", "FLOCK_THEME", "XDG_CONFIG_HOME", "HOME"};
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        unsetenv(variables[i]);
    }
    unlink(path);
    texts_choose("en");
    term_keys_init();
    return 0;
}

static void write_bytes(const char *text, size_t size)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

/* Parses the command line: up to three more words, ended by NULL. */
static enum options_result parse(const char *one, const char *two, const char *three)
{
    char *argv[8] = {(char[]){"flock-term"}, NULL};
    const char *const words[] = {one, two, three};
    int argc = 1;
    theme_free(&options.theme);
    for (size_t i = 0; i < 3 && words[i] != NULL; i++) {
        argv[argc++] = strdup(words[i]);
    }
    FILE *errors = fmemopen(said, sizeof said, "w");
    memset(said, 0, sizeof said);
    enum options_result result = term_options_parse(&options, "login", argc, argv, errors, errors);
    fclose(errors);
    while (argc > 1) {
        free(argv[--argc]);
    }
    return result;
}

static void accepts(const char *text)
{
    write_bytes(text, strlen(text));
    if (parse("--config", path, NULL) != OPTIONS_RUN) {
        fail_msg("refused: %s", said);
    }
}

/* expected: with the file's path before it. */
static void refuses(const char *text, const char *expected)
{
    char wanted[512];
    write_bytes(text, strlen(text));
    snprintf(wanted, sizeof wanted, "flock-term: %s%s", path, expected);
    assert_int_equal(parse("--config", path, NULL), OPTIONS_ERROR);
    if (strncmp(said, wanted, strlen(wanted)) != 0) {
        fail_msg("said '%s', not '%s'", said, wanted);
    }
}

static void options_are_remembered(void **state)
{
    (void)state;
    accepts("# a comment\n\n  theme = night \r\nname=Ada Lovelace\nrate = 60\nascii = yes\n"
            "blocks = no\nlang = de\npanels = measures, people\nserver = ws://example.org/ws");
    assert_string_equal(options.theme_name, "night");
    assert_string_equal(options.name, "Ada Lovelace");
    assert_int_equal(options.rate, 60);
    assert_true(options.ascii);
    assert_false(options.blocks);
    assert_int_equal(options.language, 1 + TEXTS_DE);
    assert_string_equal(options.url.host, "example.org");
    assert_true(term_options_opens(&options, "measures"));
    assert_true(term_options_opens(&options, "people"));
    assert_false(term_options_opens(&options, "controls"));
}

static void the_command_line_and_the_environment_go_before(void **state)
{
    (void)state;
    const char text[] = "name = Ada\nrate = 60\n";
    char given[96];
    write_bytes(text, strlen(text));
    snprintf(given, sizeof given, "--config=%s", path);
    assert_int_equal(parse("--rate", "15", given), OPTIONS_RUN);
    assert_int_equal(options.rate, 15);
    assert_string_equal(options.name, "Ada");
    setenv("FLOCK_NAME", "Ben", 1);
    assert_int_equal(parse(given, NULL, NULL), OPTIONS_RUN);
    assert_string_equal(options.name, "Ben");
    assert_int_equal(options.rate, 60);
    assert_int_equal(parse(given, "--no-config", NULL), OPTIONS_RUN);
    assert_int_equal(options.rate, 30);
}

static void the_users_file_is_found(void **state)
{
    char home[96];
    char file[128];
    (void)state;
    assert_int_equal(parse(NULL, NULL, NULL), OPTIONS_RUN); /* neither home nor file */
    snprintf(home, sizeof home, "%s/flock-term", folder);
    assert_int_equal(mkdir(home, 0700), 0);
    snprintf(file, sizeof file, "%s/config", home);
    setenv("XDG_CONFIG_HOME", folder, 1);
    assert_int_equal(parse(NULL, NULL, NULL), OPTIONS_RUN); /* no file */
    write_bytes("rate = 7\n", 9);
    assert_int_equal(rename(path, file), 0);
    assert_int_equal(parse(NULL, NULL, NULL), OPTIONS_RUN);
    assert_int_equal(options.rate, 7);
    assert_int_equal(parse("--name", "--config", NULL), OPTIONS_RUN); /* a value, not an option */
    assert_int_equal(options.rate, 7);
    assert_int_equal(parse("--help", NULL, NULL), OPTIONS_DONE);
    assert_int_equal(parse("--config", NULL, NULL), OPTIONS_ERROR);
    assert_non_null(strstr(said, "--config: a value is missing"));
    unlink(file);
    rmdir(home);
}

static void errors_name_the_file_and_the_line(void **state)
{
    (void)state;
    refuses("rate = 60\nrate = fast\n", ":2: rate: 'fast' is not a whole number in 0-240");
    refuses("colour = red", ":1: colour: expected an option that can be remembered, server, or");
    refuses("key = abcdefgh1", ":1: key: expected an option that can be remembered");
    refuses("\n\ntheme", ":3: theme: expected name = value");
    refuses("= night", ":1: = night: expected name = value");
    refuses("ascii = 1", ":1: ascii: expected yes or no");
    refuses("panels = people, controls", ":1: panels: 'people, controls' is not 0-64 bytes: measu");
    refuses("lang = tlh", ":1: lang: 'tlh' is not one of auto|en|de|es|fr|ja|ko");
    refuses("server = gopher://x", ":1: server: expected ws://");
    refuses("\nserver = http://a/#key=abcdefgh1", ":2: server: expected an address without");
    assert_null(strstr(said, "abcdefgh1"));
    refuses("server = http://a/r/FK72MX", ":1: server: expected an address without a room");
    refuses("server = ws://a/ws?room=FK72MX", ":1: server: expected an address without a room");
    refuses("rate = 5\ntheme = no-such", ":2: theme: ");
    refuses("ca = /no/such/file", ":1: ca: '/no/such/file' is not a file that can be read");
    refuses("key.fly = x", ":1: key.fly: expected the name of an action");
    refuses("key.run = Hyper-X", ":1: key.run: expected 1 to 3 keys");
    refuses("key.run =", ":1: key.run: expected 1 to 3 keys");
    refuses("key.run = a b c d", ":1: key.run: expected 1 to 3 keys");
    refuses("key.run = Ctrl-C", ":1: key.run: expected 1 to 3 keys");
}

static void hostile_files_are_refused(void **state)
{
    char text[TERM_CONFIG_BYTES_MAX + 2];
    (void)state;
    refuses("na\033[2Jme = x", ":1: na\\u001b[2Jme: expected an option");
    refuses("name = a\033[2J", ":1: name: 'a\\u001b[2J' is not");
    refuses("name = \xff\xfe", ":1: name: ");
    memset(text, '#', sizeof text);
    write_bytes(text, TERM_CONFIG_BYTES_MAX);
    assert_int_equal(parse("--config", path, NULL), OPTIONS_RUN);
    write_bytes(text, TERM_CONFIG_BYTES_MAX + 1);
    assert_int_equal(parse("--config", path, NULL), OPTIONS_ERROR);
    assert_non_null(strstr(said, "at most 65536 bytes of text"));
    write_bytes("rate = 5\0rate = 6", 17);
    assert_int_equal(parse("--config", path, NULL), OPTIONS_ERROR);
    memset(text, 'x', 2000);
    text[2000] = '\0';
    refuses(text, ":1: expected at most 1100 bytes");
    assert_int_equal(parse("--config", folder, NULL), OPTIONS_ERROR);
    assert_non_null(strstr(said, "expected a regular file"));
    assert_int_equal(parse("--config", "/no/such", NULL), OPTIONS_ERROR);
    assert_non_null(strstr(said, "/no/such: No such file"));
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* a pipe without a writer would block */
    assert_int_equal(parse("--config", path, NULL), OPTIONS_ERROR);
    assert_non_null(strstr(said, "expected a regular file"));
}

static enum term_action action_of(int key)
{
    struct term_input input = {.action = TERM_NONE};
    term_keys_find(TERM_KEYS_ANYWHERE, key, &input);
    return input.action;
}

static const char *label_of(enum term_action action)
{
    static struct term_input_line line;
    struct term_input input;
    for (size_t i = 0; term_input_help(TERM_KEYS_ANYWHERE, i, &line, &input); i++) {
        if (input.action == action) {
            return line.keys;
        }
    }
    return NULL;
}

static void keys_are_bound(void **state)
{
    (void)state;
    accepts("key.run = F5 z\nkey.add = x\nkey.hide-cursor = none\nkey.far-left = shift-up\n"
            "key.help = Ctrl-G ?\n");
    term_keys_name();
    assert_int_equal(action_of('z'), TERM_RUN);
    assert_int_equal(action_of(KEY_F(5)), TERM_RUN);
    assert_int_equal(action_of(' '), TERM_NONE);
    assert_int_equal(action_of('x'), TERM_ADD); /* no longer removes */
    assert_int_equal(action_of('a'), TERM_NONE);
    assert_int_equal(action_of('c'), TERM_NONE);
    assert_int_equal(action_of('G' & 31), TERM_HELP);
    assert_string_equal(label_of(TERM_RUN), "F5, z");
    assert_string_equal(label_of(TERM_REMOVE), "");
    assert_string_equal(label_of(TERM_HELP), "Ctrl-G, ?");
    assert_string_equal(label_of(TERM_QUIT), "q");
    assert_string_equal(texts_key(TEXT_DO_ADD), "x");
    assert_string_equal(texts_key(TEXT_DO_PANEL), "p");
}

static void a_row_of_four_keys_shows_all_of_them(void **state)
{
    (void)state;
    term_keys_name();
    assert_string_equal(label_of(TERM_MOVE), "arrows, hjkl");
    assert_null(term_keys_bind("left", "4"));
    assert_null(term_keys_bind("right", "Left")); /* of another row: it has none left */
    term_keys_name();
    assert_string_equal(label_of(TERM_MOVE), "4, Down, Up, Left");
    assert_string_equal(label_of(TERM_PLAY), "f");
    assert_null(term_keys_bind("follow", "F"));
    term_keys_name();
    assert_string_equal(label_of(TERM_PLAY), "F"); /* the same key */
}

static void the_hint_of_a_panel_names_the_keys_that_move(void **state)
{
    (void)state;
    assert_string_equal(term_keys_moves(), "hjkl");
    assert_null(term_keys_bind("row-down", "s"));
    assert_null(term_keys_bind("less", "F5 a"));
    term_keys_name();
    assert_string_equal(term_keys_moves(), "askl");
    assert_null(term_keys_bind("row-up", "F6"));
    assert_null(term_keys_bind("more", "none"));
    term_keys_name();
    assert_string_equal(term_keys_moves(), "F5, s, F6");
}

/* Each action of the table is in the manual. */
static void the_manual_names_all_actions(void **state)
{
    static char page[100000];
    char entry[64];
    (void)state;
    FILE *file = fopen("docs/flock-term.1", "re");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    const char *list = strstr(page, ".Ss Names of keys");
    assert_non_null(list);
    for (size_t i = 0; term_keys_action(i) != NULL; i++) {
        snprintf(entry, sizeof entry, "\n.It Li %s Ta ", term_keys_action(i));
        if (strstr(list, entry) == NULL) {
            fail_msg("docs/flock-term.1 lacks the action %s", term_keys_action(i));
        }
        assert_null(term_keys_bind(term_keys_action(i), "none"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(options_are_remembered, setup),
        cmocka_unit_test_setup(the_command_line_and_the_environment_go_before, setup),
        cmocka_unit_test_setup(the_users_file_is_found, setup),
        cmocka_unit_test_setup(errors_name_the_file_and_the_line, setup),
        cmocka_unit_test_setup(hostile_files_are_refused, setup),
        cmocka_unit_test_setup(keys_are_bound, setup),
        cmocka_unit_test_setup(a_row_of_four_keys_shows_all_of_them, setup),
        cmocka_unit_test_setup(the_hint_of_a_panel_names_the_keys_that_move, setup),
        cmocka_unit_test_setup(the_manual_names_all_actions, setup),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
