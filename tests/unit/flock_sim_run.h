/* For tests of flock-sim. Runs the program that was built with the test, in a folder of its own. */
#ifndef FLOCK_SIM_RUN_H
#define FLOCK_SIM_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "test_folder.h"

static char program[512];
static char folder[TEST_FOLDER_SIZE];

struct result {
    int status;
    char output[1 << 16]; /* standard output; after a failure also the line of standard error */
};

static inline struct result run(const char *arguments)
{
    struct result result = {0};
    char line[512];
    char *words[64] = {program};
    char *rest = line;
    snprintf(line, sizeof line, "%s", arguments);
    for (int i = 1; i < 63; i++) {
        words[i] = strsep(&rest, " ");
    }
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (chdir(folder) == 0) {
            execv(program, words);
        }
        _exit(127);
    }
    assert_true(child > 0);
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(ends[0], result.output + length, sizeof result.output - 1 - length)) > 0) {
        length += (size_t)got;
    }
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

static inline bool exists(const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static inline size_t read_file(const char *name, char *bytes, size_t size)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(bytes, 1, size, file);
    assert_int_equal(fclose(file), 0);
    return length;
}

static inline void refused(const char *arguments, const char *why)
{
    struct result result = run(arguments);
    if (result.status != 2 || strstr(result.output, why) == NULL ||
        strchr(result.output, '\n') != strrchr(result.output, '\n')) {
        fail_msg("%s: status %d, \"%s\" instead of one line with \"%s\"", arguments, result.status,
                 result.output, why);
    }
}

/* Reads numbers from `at` on. There is one character before each number. */
static inline void numbers(const char *at, double *values, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        values[i] = strtod(at + 1, &end);
        assert_true(end > at + 1);
        at = end;
    }
}

/* ---- set-up ---- */

/* The test lies in a folder beside the program. */
static inline bool find_program(void)
{
    char here[400];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length < 0) {
        return false;
    }
    here[length] = '\0';
    *strrchr(here, '/') = '\0';
    snprintf(program, sizeof program, "%s/../flock-sim", here);
    return true;
}

static inline int set_up(void **state)
{
    (void)state;
    return find_program() && test_folder_make(folder, "flock-sim-test") ? 0 : -1;
}

/* Removes the files, ended by NULL, and the folder. Fails if there are more files. */
static inline int remove_files(const char *const files[])
{
    for (size_t i = 0; files[i] != NULL; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

#endif
