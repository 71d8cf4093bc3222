/* The server's options: refused values and the texts about them, --help and --version. */
#include "config_cases.h"

/* ---- hostile values */

static const char *const hostile[] = {"",
                                      " ",
                                      " 5",
                                      "5 ",
                                      "\t5",
                                      "0x10",
                                      "-1",
                                      "nan",
                                      "NaN",
                                      "inf",
                                      "-inf",
                                      "1e999",
                                      "5.5.5",
                                      "--help=",
                                      "\x1b[31m5",
                                      "5\n6",
                                      "\x7f",
                                      "五",
                                      "1,5",
                                      "$(id)",
                                      "%s%n",
                                      "18446744073709551617",
                                      "00000000000000000000001"};

static void test_hostile_numbers(void **state)
{
    static const char *const whole[] = {"boids", "seed",        "tick-rate", "snapshot-rate",
                                        "port",  "max-clients", NULL};
    static const char *const only_whole[] = {"1e9", "1e2", "+5", "5.0", "5e0"};
    char flag[64];
    char joined[256];

    (void)state;
    for (size_t option = 0; whole[option] != NULL; option++) {
        snprintf(flag, sizeof flag, "--%s", whole[option]);
        for (size_t i = 0; i < COUNT(only_whole); i++) {
            ASSERT_REFUSED(flag, "a whole number in ", flag, only_whole[i]);
        }
        for (size_t i = 0; i < COUNT(hostile); i++) {
            snprintf(joined, sizeof joined, "%s=%s", flag, hostile[i]);
            ASSERT_REFUSED(flag, "a whole number in ", flag, hostile[i]);
            ASSERT_REFUSED(flag, "a whole number in ", joined);
        }
    }
    for (size_t i = 0; i + 1 < COUNT(hostile); i++) { /* the last one is a number: 1 */
        ASSERT_REFUSED("--cursor-timeout", "0.1-86400", "--cursor-timeout", hostile[i]);
    }
    ASSERT_REFUSED("--cursor-timeout", "0.1-86400", "--cursor-timeout", "1e9");
    ASSERT_VALUE("cursor-timeout", "0.5", "--cursor-timeout", ".5");
}

static void test_hostile_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(hostile); i++) {
        ASSERT_REFUSED("--policy", "one of mean|latest|nearest|presenter", "--policy", hostile[i]);
        ASSERT_REFUSED("--idle", "one of wander|hold", "--idle", hostile[i]);
        ASSERT_REFUSED("--log-format", "one of text|json", "--log-format", hostile[i]);
    }
    ASSERT_REFUSED("--bind", "1-255 bytes without control characters", "--bind", "0.0.0.0\r");
    ASSERT_REFUSED("--web", "1-1023 bytes without control characters", "--web", "a\x7f");
    ASSERT_REFUSED("--policy", "one of mean|latest|nearest|presenter", "--policy", "MEAN");
    ASSERT_REFUSED("--policy", "one of mean|latest|nearest|presenter", "--policy", "mean|latest");
}

static void test_hostile_environment(void **state)
{
    char value[10241];

    (void)state;
    memset(value, 'A', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (size_t i = 0; i < COUNT(cases); i++) {
        setenv(cases[i].env, value, 1);
        ASSERT_REFUSED(cases[i].env, "", NULL);
        unsetenv(cases[i].env);
    }
    setenv("FLOCKD_BOIDS", "many\nflockd: listening", 1);
    ASSERT_REFUSED("FLOCKD_BOIDS: 'many\\u000aflockd: listening'", "1-1000000", NULL);
}

/* A script may pass on a variable that is not set. */
static void test_empty_variables_are_not_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        setenv(cases[i].env, "", 1);
    }
    setenv("FLOCKD_OPEN_CONTROLS", "", 1);
    ASSERT_VALUE("tick-rate", "30", "--port", "0");
    ASSERT_VALUE("boids", "0", "--port", "0");
    ASSERT_VALUE("open-controls", "0", "--port", "0");
    unsetenv("FLOCKD_OPEN_CONTROLS");
}

static void test_huge_values(void **state)
{
    char value[10241];

    (void)state;
    for (int byte = 1; byte < 256; byte++) { /* of digits, control characters, broken UTF-8 */
        memset(value, byte, sizeof value - 1);
        value[sizeof value - 1] = '\0';
        ASSERT_REFUSED("--boids", "1-1000000", "--boids", value);
        ASSERT_REFUSED("--web", "1-1023 bytes", "--web", value);
        ASSERT_REFUSED("--policy", "mean|latest", "--policy", value);
        ASSERT_REFUSED(byte == '-' ? "unknown option '" : "options only, got '", "--help", value);
    }
}

static void test_message_shows_the_value(void **state)
{
    (void)state;
    ASSERT_REFUSED("'\\u001b[31mred'", "1-1000000", "--boids", "\x1b[31mred");
    ASSERT_REFUSED("'\\ufffd\\ufffd'", "1-1000000", "--boids", "\xff\xc3");
    ASSERT_REFUSED("'zwölf'", "1-1000000", "--boids", "zwölf");
    /* U+2029 would end the line. */
    ASSERT_REFUSED("'\\u20295'", "1-1000000", "--boids",
                   "\xe2\x80\xa9"
                   "5");
}

/* ---- the command line */

static void test_unknown_options(void **state)
{
    static const char *const unknown[] = {"--bird", "--boid",  "--boidss", "-boids", "-",
                                          "--",     "--=",     "--=5",     "-x",     "--BOIDS",
                                          "--\n",   "--helpp", "--boids "};
    static const char *const stray[] = {"boids", "", "5"};

    (void)state;
    for (size_t i = 0; i < COUNT(unknown); i++) {
        ASSERT_REFUSED("unknown option '", "see flockd --help", unknown[i]);
    }
    for (size_t i = 0; i < COUNT(stray); i++) {
        ASSERT_REFUSED("expected options only, got '", "see flockd --help", stray[i]);
    }
    ASSERT_REFUSED("expected options only, got '5'", "see flockd --help", "--boids", "5", "5");
}

static void test_missing_and_unwanted_values(void **state)
{
    char flag[64];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(flag, sizeof flag, "--%s", cases[i].name);
        ASSERT_REFUSED(flag, "a value is missing", flag);
    }
    ASSERT_REFUSED("--healthcheck", "takes no value", "--healthcheck=yes");
    ASSERT_REFUSED("--cluster-status", "expected --nats too", "--cluster-status");
    ASSERT_REFUSED("expected options only, got 'yes'", "--help", "--healthcheck", "yes");
}

static void test_help_lists_every_option(void **state)
{
    struct parsed parsed;
    char text[128];

    (void)state;
    PARSE(&parsed, "--help");
    assert_int_equal(parsed.result, OPTIONS_DONE);
    assert_string_equal(parsed.errors, "");
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(text, sizeof text, "\n  --%s ", cases[i].name);
        assert_non_null(strstr(parsed.output, text));
    }
    assert_non_null(strstr(parsed.output, "\n  --healthcheck "));
    assert_non_null(strstr(parsed.output, "\n  --help "));
    assert_non_null(strstr(parsed.output, "\n  --version "));
    assert_non_null(strstr(parsed.output, "\n  --set "));
    assert_non_null(strstr(parsed.output, "\n  --open-controls "));
    assert_non_null(strstr(parsed.output, "1-240 (default: 30)\n"));
    parsed_free(&parsed);
}

static void test_help_works_with_wrong_options(void **state)
{
    static const char *const questions[] = {"--help", "--help-table", "--version"};
    struct parsed parsed;

    (void)state;
    setenv("FLOCKD_PORT", "nonsense", 1);
    for (size_t i = 0; i < COUNT(questions); i++) {
        PARSE(&parsed, "--boids", "none", questions[i]);
        assert_int_equal(parsed.result, OPTIONS_DONE);
        assert_string_equal(parsed.errors, "");
        assert_true(strlen(parsed.output) > 0);
        parsed_free(&parsed);
    }
}

static void test_version(void **state)
{
    struct parsed parsed;

    (void)state;
    PARSE(&parsed, "--version");
    assert_int_equal(parsed.result, OPTIONS_DONE);
    assert_string_equal(parsed.output, "flockd " FLOCKD_VERSION "\n");
    parsed_free(&parsed);
}

/* A service with options of an earlier version starts, and its log names the removed option. */
static void test_a_removed_option_gets_a_warning(void **state)
{
    struct parsed parsed;

    (void)state;
    PARSE(&parsed, "--address-keeps", "5", "--port", "9000");
    assert_int_equal(parsed.result, OPTIONS_RUN);
    assert_string_equal(parsed.errors, "flockd: --address-keeps was removed and has no effect\n");
    assert_int_equal(parsed.config.port, 9000);
    parsed_free(&parsed);
    setenv("FLOCKD_ADDRESS_KEEPS", "5", 1);
    PARSE(&parsed, "--port", "9000");
    unsetenv("FLOCKD_ADDRESS_KEEPS");
    assert_int_equal(parsed.result, OPTIONS_RUN);
    assert_string_equal(parsed.errors,
                        "flockd: FLOCKD_ADDRESS_KEEPS was removed and has no effect\n");
    parsed_free(&parsed);
    PARSE(&parsed, "--help-table");
    assert_non_null(
        strstr(parsed.output, "| `--address-keeps N` | `FLOCKD_ADDRESS_KEEPS` |  |  | "));
    parsed_free(&parsed);
}

/* Each line is a row with as many cells as the heading. Each option has a row with its variable. */
static void test_help_table_is_a_table(void **state)
{
    struct parsed parsed;
    char text[128];
    size_t rows = 0;

    (void)state;
    PARSE(&parsed, "--help-table");
    assert_int_equal(parsed.result, OPTIONS_DONE);
    for (const char *line = parsed.output; *line != '\0'; rows++) {
        size_t length = strcspn(line, "\n");
        size_t bars = 0;
        assert_int_equal(line[length], '\n');
        for (size_t i = 0; i < length; i++) {
            bars += line[i] == '|';
        }
        assert_int_equal(bars, 6);
        assert_memory_equal(line, "| ", 2);
        assert_memory_equal(line + length - 2, " |", 2);
        line += length + 1;
    }
    assert_int_equal(rows, COUNT(cases) + 15);
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(text, sizeof text, "\n| `--%s", cases[i].name);
        assert_non_null(strstr(parsed.output, text));
        snprintf(text, sizeof text, "| `%s` |", cases[i].env);
        assert_non_null(strstr(parsed.output, text));
    }
    parsed_free(&parsed);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, clear_environment)
    const struct CMUnitTest tests[] = {
        TEST(test_hostile_numbers),
        TEST(test_hostile_words),
        TEST(test_hostile_environment),
        TEST(test_empty_variables_are_not_set),
        TEST(test_huge_values),
        TEST(test_message_shows_the_value),
        TEST(test_unknown_options),
        TEST(test_missing_and_unwanted_values),
        TEST(test_help_lists_every_option),
        TEST(test_help_works_with_wrong_options),
        TEST(test_version),
        TEST(test_a_removed_option_gets_a_warning),
        TEST(test_help_table_is_a_table),
    };
    return cmocka_run_group_tests_name("config_refused", tests, NULL, NULL);
}
