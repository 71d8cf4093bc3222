/* Log lines: text for people, JSON objects for programs. */
#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "text.h"

#define LINE_LIMIT 1200 /* bytes */

/* Writes the message with log_line(). Returns the one line on standard error, in storage of the
 * next call. */
static const char *logged(enum log_format format, enum log_level level, const char *message)
{
    static char line[16384];
    int saved = dup(STDERR_FILENO);
    int file = memfd_create("log", 0);
    ssize_t size;

    assert_true(saved >= 0 && file >= 0 && dup2(file, STDERR_FILENO) == STDERR_FILENO);
    log_set_format(format);
    log_line(level, "%s", message);
    dup2(saved, STDERR_FILENO);
    size = pread(file, line, sizeof line - 1, 0);
    close(saved);
    close(file);
    assert_in_range(size, 1, LINE_LIMIT);
    line[size] = '\0';
    assert_int_equal(strlen(line), size);
    assert_ptr_equal(strchr(line, '\n'), line + size - 1);
    assert_true(text_clean(line, (size_t)size - 1));
    return line;
}

/* Returns the message of a JSON line, which must be an object of three strings. The caller frees
 * it. */
static char *json_message(enum log_level level, const char *message)
{
    static const char *const names[] = {"info", "warning", "error"};
    const char *line = logged(LOG_FORMAT_JSON, level, message);
    cJSON *object = cJSON_Parse(line);
    char *copy;

    assert_non_null(object);
    assert_int_equal(cJSON_GetArraySize(object), 3);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(object, "level")), names[level]);
    /* 2026-01-31T12:00:00.000Z */
    assert_int_equal(strlen(cJSON_GetStringValue(cJSON_GetObjectItem(object, "time"))), 24);
    copy = strdup(cJSON_GetStringValue(cJSON_GetObjectItem(object, "message")));
    assert_non_null(copy);
    cJSON_Delete(object);
    return copy;
}

static void assert_json_message(const char *message, const char *expected)
{
    char *parsed = json_message(LOG_LEVEL_INFO, message);

    assert_string_equal(parsed, expected);
    free(parsed);
}

static void test_text_lines(void **state)
{
    (void)state;
    assert_string_equal(logged(LOG_FORMAT_TEXT, LOG_LEVEL_INFO, "all is well"),
                        "flockd: all is well\n");
    assert_string_equal(logged(LOG_FORMAT_TEXT, LOG_LEVEL_WARN, "hm"), "flockd: warning: hm\n");
    assert_string_equal(logged(LOG_FORMAT_TEXT, LOG_LEVEL_ERROR, "no"), "flockd: error: no\n");
    assert_string_equal(logged(LOG_FORMAT_TEXT, LOG_LEVEL_INFO, "a \"b\" c\\d"),
                        "flockd: a \"b\" c\\d\n");
}

static void test_json_levels(void **state)
{
    (void)state;
    for (enum log_level level = LOG_LEVEL_INFO; level <= LOG_LEVEL_ERROR; level++) {
        free(json_message(level, "message"));
    }
}

static void test_json_keeps_the_message(void **state)
{
    (void)state;
    assert_json_message("", "");
    assert_json_message("a \"b\" c\\d /e/ {f}", "a \"b\" c\\d /e/ {f}");
    assert_json_message("Zürich, 東京, 🐦", "Zürich, 東京, 🐦");
    assert_json_message("%s%n", "%s%n");
}

static void test_json_escapes_control_characters(void **state)
{
    char message[32];

    (void)state;
    for (int byte = 1; byte < 0x80; byte++) {
        snprintf(message, sizeof message, "a%cb", byte);
        assert_json_message(message, message);
    }
    assert_json_message("two\nlines", "two\nlines");
    assert_json_message("\xc2\x85\xe2\x80\xa8\xe2\x80\xa9", "\xc2\x85\xe2\x80\xa8\xe2\x80\xa9");
}

static void test_text_shows_control_characters(void **state)
{
    (void)state;
    assert_string_equal(logged(LOG_FORMAT_TEXT, LOG_LEVEL_INFO, "\x1b[2J\n\t\x7f\xc2\x9b"),
                        "flockd: \\u001b[2J\\u000a\\u0009\\u007f\\u009b\n");
}

static void test_malformed_utf8_is_replaced(void **state)
{
    (void)state;
    assert_json_message("a\xff"
                        "b",
                        "a\ufffd"
                        "b");
    assert_json_message("\xc3", "\ufffd");                       /* cut short */
    assert_json_message("\xc0\xaf", "\ufffd\ufffd");             /* overlong */
    assert_json_message("\xed\xa0\x80!", "\ufffd\ufffd\ufffd!"); /* a surrogate */
    assert_string_equal(logged(LOG_FORMAT_TEXT, LOG_LEVEL_INFO, "\xe2\x82"),
                        "flockd: \\ufffd\\ufffd\n");
}

/* A cut line is a valid beginning of the message, wherever it was cut. */
static void test_long_lines_are_cut(void **state)
{
    static const char *const fillers[] = {"x", "é", "東", "🐦", "\\", "\"", "\n", "\xff"};
    char message[9000];

    (void)state;
    for (size_t i = 0; i < sizeof fillers / sizeof fillers[0]; i++) {
        for (size_t lead = 0; lead < 8; lead++) {
            char *parsed;
            memset(message, '-', lead);
            message[lead] = '\0';
            for (size_t n = lead; n < 8000; n += strlen(fillers[i])) {
                memcpy(message + n, fillers[i], strlen(fillers[i]) + 1);
            }
            parsed = json_message(LOG_LEVEL_ERROR, message);
            assert_string_equal(parsed + strlen(parsed) - 3, "...");
            parsed[strlen(parsed) - 3] = '\0';
            assert_in_range(strlen(parsed), 100, 1000);
            if (fillers[i][0] != '\xff') {
                assert_memory_equal(parsed, message, strlen(parsed));
            }
            free(parsed);
            logged(LOG_FORMAT_TEXT, LOG_LEVEL_ERROR, message);
        }
    }
}

static void test_escape_fills_its_place_exactly(void **state)
{
    char out[64];

    (void)state;
    log_escape(out, 6, "12345", false);
    assert_string_equal(out, "12345");
    log_escape(out, 5, "12345", false);
    assert_string_equal(out, "1...");
    log_escape(out, 4, "12345", false);
    assert_string_equal(out, "...");
    log_escape(out, 9, "ab\ncd", false);
    assert_string_equal(out, "ab...");
    log_escape(out, 10, "ab\ncd", false);
    assert_string_equal(out, "ab...");
    log_escape(out, 11, "ab\ncd", false);
    assert_string_equal(out, "ab\\u000acd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_lines),
        cmocka_unit_test(test_json_levels),
        cmocka_unit_test(test_json_keeps_the_message),
        cmocka_unit_test(test_json_escapes_control_characters),
        cmocka_unit_test(test_text_shows_control_characters),
        cmocka_unit_test(test_malformed_utf8_is_replaced),
        cmocka_unit_test(test_long_lines_are_cut),
        cmocka_unit_test(test_escape_fills_its_place_exactly),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
