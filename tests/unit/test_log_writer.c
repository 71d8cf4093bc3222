/* Logging while the server serves clients. No thread waits for the reader of the log, lost lines
 * are counted, and each kind of line has a limit. The logger is a separate process with a pipe as
 * standard error. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "base/log.h"
#include "base/log_rate.h"

#define DEADLINE     60 /* s; then the test fails */
#define PIPE_SMALL   4096
#define PIPE_LARGE   65536
#define KINDS        100
#define THREADS      4
#define THREAD_LINES (LOG_RATE_LINES - 1)
#define TEXT_MAX     400000

/* The logging process and its pipes. */
struct logger {
    pid_t pid;
    int log;  /* its standard error */
    int done; /* a byte for each say_done(), then the end of file */
    int go;   /* a byte lets await_go() return */
};

/* ---- the logging process ---- */

static int done_write;
static int go_read;
static int other_write; /* the end of a second pipe */

static char formats[KINDS][32];
static char filler[900];

static void need(bool condition)
{
    if (!condition) {
        _exit(1);
    }
}

static void say_done(void)
{
    need(write(done_write, "", 1) == 1);
}

static void await_go(void)
{
    char byte;

    need(read(go_read, &byte, 1) == 1);
}

static void flush(void)
{
    while (!log_finish()) {
    }
}

/* Logs lines of several kinds with about 930 bytes each: "flockd: kind 3 line 35 ---". */
static void log_kinds(unsigned kinds, unsigned lines)
{
    for (unsigned line = 0; line < lines; line++) {
        for (unsigned kind = 0; kind < kinds; kind++) {
            log_line(LOG_LEVEL_INFO, formats[kind], line * kinds + kind, filler);
        }
    }
}

/* ---- the test ---- */

/* Starts the logger with a pipe of that size as standard error. */
static struct logger start(enum log_format format, int pipe_size, void (*body)(void))
{
    struct logger logger;
    int log[2];
    int done[2];
    int go[2];

    memset(filler, '-', sizeof filler - 1);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        snprintf(formats[kind], sizeof formats[kind], "kind %u line %%u %%s", kind);
    }
    assert_true(pipe(log) == 0 && pipe(done) == 0 && pipe(go) == 0);
    assert_int_equal(fcntl(log[1], F_SETPIPE_SZ, pipe_size), pipe_size);
    fflush(NULL);
    logger = (struct logger){.pid = fork(), .log = log[0], .done = done[0], .go = go[1]};
    assert_true(logger.pid >= 0);
    if (logger.pid == 0) {
        close(log[0]); /* so that only the test reads it */
        done_write = done[1];
        go_read = go[0];
        alarm(DEADLINE);
        need(signal(SIGPIPE, SIG_IGN) != SIG_ERR && dup2(log[1], STDERR_FILENO) == STDERR_FILENO);
        close(log[1]);
        log_set_format(format);
        need(log_start());
        body();
        _exit(0);
    }
    close(log[1]);
    close(done[1]);
    close(go[0]);
    return logger;
}

/* Waits until the child reports that it is done, or (ended) until it has ended. */
static void await_done(const struct logger *logger, bool ended)
{
    struct pollfd done = {.fd = logger->done, .events = POLLIN};
    char byte;

    assert_int_equal(poll(&done, 1, DEADLINE * 1000), 1);
    assert_int_equal(read(logger->done, &byte, 1), ended ? 0 : 1);
}

static void let_go(const struct logger *logger)
{
    assert_int_equal(write(logger->go, "", 1), 1);
}

/* Reads the pipe to its end. Returns storage of the next call. */
static const char *read_all(int fd)
{
    static char text[TEXT_MAX];
    size_t used = 0;
    ssize_t size;

    while ((size = read(fd, text + used, sizeof text - 1 - used)) > 0) {
        used += (size_t)size;
    }
    assert_int_equal(size, 0);
    text[used] = '\0';
    return text;
}

static void finish(const struct logger *logger)
{
    int status;

    assert_int_equal(waitpid(logger->pid, &status, 0), logger->pid);
    assert_int_equal(status, 0);
    close(logger->log);
    close(logger->done);
    close(logger->go);
}

/* Skips the lines of log_kinds(kinds, ...), which must begin with the first one and have no gap.
 * Returns their number; *text then points to the next line. */
static unsigned skip_kinds(const char **text, unsigned kinds)
{
    unsigned count = 0;
    char expected[64];

    for (;; count++) {
        snprintf(expected, sizeof expected, "flockd: kind %u line %u ---", count % kinds, count);
        if (strncmp(*text, expected, strlen(expected)) != 0) {
            return count;
        }
        *text += strcspn(*text, "\n");
        assert_int_equal((*text)[0], '\n');
        *text += 1;
    }
}

static void skip_text(const char **text, const char *expected)
{
    if (strncmp(*text, expected, strlen(expected)) != 0) {
        fail_msg("not '%s' but '%s'", expected, *text);
    }
    *text += strlen(expected);
}

static unsigned skip_number(const char **text, const char *before)
{
    char *end;
    unsigned long number;

    skip_text(text, before);
    number = strtoul(*text, &end, 10);
    *text = end;
    return (unsigned)number;
}

/* Returns the number in the line about lost lines, and skips it. */
static unsigned skip_lost(const char **text)
{
    unsigned lost = skip_number(text, "flockd: warning: ");

    skip_text(text, " log lines were lost: they could not be written\n");
    return lost;
}

static unsigned count_lines(const char *text)
{
    unsigned count = 0;

    while ((text = strchr(text, '\n')) != NULL) {
        text++;
        count++;
    }
    return count;
}

/* ---- no thread waits ---- */

static void log_much(void)
{
    log_kinds(40, 9);
    say_done();
    await_go();
    flush();
    log_info("after that");
    flush();
}

static void test_a_pipe_without_a_reader(void **state)
{
    struct logger logger = start(LOG_FORMAT_TEXT, PIPE_SMALL, log_much);
    const char *text;
    unsigned written;
    unsigned lost;

    (void)state;
    await_done(&logger, false);
    let_go(&logger);
    text = read_all(logger.log);
    written = skip_kinds(&text, 40);
    lost = skip_lost(&text);
    assert_string_equal(text, "flockd: after that\n");
    assert_in_range(lost, 100, 360 - 50);
    assert_int_equal(written + lost, 360);
    finish(&logger);
}

static void log_and_end(void)
{
    log_kinds(40, 1);
    need(!log_finish());
}

static void test_the_end_does_not_wait_for_a_reader(void **state)
{
    struct logger logger = start(LOG_FORMAT_TEXT, PIPE_SMALL, log_and_end);

    (void)state;
    await_done(&logger, true);
    finish(&logger);
}

static void log_last_words(void)
{
    log_kinds(40, 1);
    need(log_finish());
}

static void test_the_end_loses_nothing(void **state)
{
    struct logger logger = start(LOG_FORMAT_TEXT, PIPE_LARGE, log_last_words);
    const char *text;

    (void)state;
    await_done(&logger, true);
    text = read_all(logger.log);
    assert_int_equal(skip_kinds(&text, 40), 40);
    assert_string_equal(text, "");
    finish(&logger);
}

static void log_to_nobody(void)
{
    await_go();
    log_kinds(3, 1);
    need(!log_finish());
    need(dup2(other_write, STDERR_FILENO) == STDERR_FILENO);
    log_info("lost, but tells");
    flush();
    log_info("after that");
    flush();
}

static void test_a_closed_pipe(void **state)
{
    struct logger logger;
    const char *text;
    int other[2];

    (void)state;
    assert_int_equal(pipe(other), 0);
    other_write = other[1];
    logger = start(LOG_FORMAT_TEXT, PIPE_SMALL, log_to_nobody);
    close(other[1]);
    close(logger.log);
    logger.log = other[0];
    let_go(&logger);
    text = read_all(logger.log);
    assert_int_equal(skip_lost(&text), 4);
    assert_string_equal(text, "flockd: after that\n");
    finish(&logger);
}

/* ---- a pipe that other processes share ---- */

static void log_and_look(void)
{
    log_kinds(1, 1);
    flush();
    need((fcntl(STDERR_FILENO, F_GETFL) & O_NONBLOCK) == 0);
}

static void test_it_stays_blocking_for_others(void **state)
{
    struct logger logger = start(LOG_FORMAT_TEXT, PIPE_SMALL, log_and_look);

    (void)state;
    assert_int_equal(count_lines(read_all(logger.log)), 1);
    finish(&logger);
}

static void log_without_blocking(void)
{
    need(fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK) == 0);
    log_kinds(40, 1);
    say_done();
    flush();
}

static void test_it_may_be_non_blocking(void **state)
{
    struct logger logger = start(LOG_FORMAT_TEXT, PIPE_SMALL, log_without_blocking);
    const char *text;

    (void)state;
    await_done(&logger, false);
    text = read_all(logger.log);
    assert_int_equal(skip_kinds(&text, 40), 40);
    assert_string_equal(text, "");
    finish(&logger);
}

static void *log_some(void *argument)
{
    const char *format = argument;

    for (unsigned i = 0; i < THREAD_LINES; i++) {
        log_line(LOG_LEVEL_INFO, format, i, filler);
    }
    return NULL;
}

static void log_from_threads(void)
{
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        need(pthread_create(&threads[i], NULL, log_some, formats[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        need(pthread_join(threads[i], NULL) == 0);
    }
    flush();
}

static void test_threads_do_not_mix_their_lines(void **state)
{
    struct logger logger = start(LOG_FORMAT_TEXT, PIPE_SMALL, log_from_threads);
    const char *text = read_all(logger.log);
    unsigned seen[THREADS] = {0};

    (void)state;
    while (text[0] != '\0') {
        unsigned kind = skip_number(&text, "flockd: kind ");
        assert_in_range(kind, 0, THREADS - 1);
        assert_int_equal(skip_number(&text, " line "), seen[kind]++);
        skip_text(&text, " ");
        skip_text(&text, filler);
        skip_text(&text, "\n");
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(seen[i], THREAD_LINES);
    }
    finish(&logger);
}

/* ---- rates ---- */

static void log_a_flood(void)
{
    log_kinds(1, 5000);
    log_info("another kind");
    flush();
}

static void test_a_flood_is_cut_short(void **state)
{
    struct logger logger = start(LOG_FORMAT_TEXT, PIPE_LARGE, log_a_flood);
    const char *text = read_all(logger.log);
    const char *note = strstr(text, "- (similar lines are left out for a minute)\n");

    (void)state;
    assert_non_null(note);
    assert_int_equal(skip_kinds(&text, 1), LOG_RATE_LINES);
    assert_ptr_equal(note + strcspn(note, "\n") + 1, text);
    assert_string_equal(text, "flockd: another kind\n");
    finish(&logger);
}

static void test_json_stays_one_object_a_line(void **state)
{
    struct logger logger = start(LOG_FORMAT_JSON, PIPE_SMALL, log_much);
    char *text;
    unsigned lines = 0;

    (void)state;
    await_done(&logger, false);
    let_go(&logger);
    text = strdup(read_all(logger.log));
    assert_non_null(text);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        cJSON *object = cJSON_Parse(line);
        assert_int_equal(cJSON_GetArraySize(object), 3);
        lines++;
        cJSON_Delete(object);
    }
    assert_in_range(lines, 50, 360 - 100);
    free(text);
    finish(&logger);
}

static void log_many_kinds(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        log_line(LOG_LEVEL_INFO, formats[kind], 0, "");
        flush();
    }
}

static void test_kinds_beyond_the_table_share_a_rate(void **state)
{
    struct logger logger = start(LOG_FORMAT_TEXT, PIPE_LARGE, log_many_kinds);
    const char *text = read_all(logger.log);

    (void)state;
    assert_in_range(count_lines(text), 60, KINDS - 20);
    assert_non_null(strstr(text, "kind 59 "));
    assert_non_null(strstr(text, "(similar lines are left out for a minute)\n"));
    finish(&logger);
}

/* Tries a line per millisecond from that time on. Returns how many lines are written. */
static unsigned try_lines(struct log_rate *rate, uint64_t from, unsigned lines)
{
    char note[LOG_RATE_NOTE_MAX];
    unsigned taken = 0;

    for (unsigned i = 0; i < lines; i++) {
        taken += log_rate_take(rate, from + i, note);
    }
    return taken;
}

static void test_each_minute_has_its_lines(void **state)
{
    struct log_rate rate = {0};
    char note[LOG_RATE_NOTE_MAX];

    (void)state;
    assert_int_equal(try_lines(&rate, 5000, 1000), LOG_RATE_LINES);
    assert_int_equal(try_lines(&rate, 6000, 58999), 0);
    assert_true(log_rate_take(&rate, 65000, note));
    assert_string_equal(note, " (59989 similar lines were left out)");
    assert_true(log_rate_take(&rate, 65001, note));
    assert_string_equal(note, "");
    assert_int_equal(try_lines(&rate, 65002, 1000), LOG_RATE_LINES - 2);
}

static void test_a_quiet_kind_says_nothing_of_its_rate(void **state)
{
    struct log_rate rate = {0};
    char note[LOG_RATE_NOTE_MAX];

    (void)state;
    for (uint64_t line = 0; line < 1000; line++) { /* nine in each minute */
        assert_true(log_rate_take(&rate, line * LOG_RATE_TIME / (LOG_RATE_LINES - 1), note));
        assert_string_equal(note, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pipe_without_a_reader),
        cmocka_unit_test(test_the_end_does_not_wait_for_a_reader),
        cmocka_unit_test(test_the_end_loses_nothing),
        cmocka_unit_test(test_a_closed_pipe),
        cmocka_unit_test(test_it_stays_blocking_for_others),
        cmocka_unit_test(test_it_may_be_non_blocking),
        cmocka_unit_test(test_threads_do_not_mix_their_lines),
        cmocka_unit_test(test_a_flood_is_cut_short),
        cmocka_unit_test(test_json_stays_one_object_a_line),
        cmocka_unit_test(test_kinds_beyond_the_table_share_a_rate),
        cmocka_unit_test(test_each_minute_has_its_lines),
        cmocka_unit_test(test_a_quiet_kind_says_nothing_of_its_rate),
    };
    return cmocka_run_group_tests_name("log writer", tests, NULL, NULL);
}
