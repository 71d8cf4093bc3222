#include "offline/csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static const char *const names[BOIDS_COLUMNS] = {"x",          "y",         "vx",      "vy",
                                                 "separation", "alignment", "cohesion"};

enum { LINE_MAX_LENGTH = 512 };

struct reader {
    const char *path;
    FILE *file;
    unsigned long line;
    char text[LINE_MAX_LENGTH + 1];
    char *problem;
    size_t problem_size;
};

static bool complain(struct reader *reader, const char *at, const char *expected)
{
    int shown = (int)strcspn(at, ",\r\n");
    char field[24];
    snprintf(field, sizeof field, "%.*s", shown, at);
    for (char *c = field; *c != '\0'; c++) {
        *c = *c < ' ' || *c > '~' ? '?' : *c;
    }
    snprintf(reader->problem, reader->problem_size, "%s:%lu:%zu: expected %s, not \"%s\"",
             reader->path, reader->line, (size_t)(at - reader->text) + 1, expected, field);
    return false;
}

/* Reads the next line into reader->text without its end. Returns false at the end of the file, or
 * with a problem. */
static bool next_line(struct reader *reader)
{
    size_t length = 0;
    int c;
    reader->line++;
    while ((c = getc(reader->file)) != EOF && c != '\n') {
        if (c == '\0') {
            snprintf(reader->problem, reader->problem_size,
                     "%s:%lu:%zu: expected text, not a zero byte", reader->path, reader->line,
                     length + 1);
            return false;
        }
        if (length == LINE_MAX_LENGTH) {
            snprintf(reader->problem, reader->problem_size,
                     "%s:%lu:1: expected a line of at most %d characters", reader->path,
                     reader->line, LINE_MAX_LENGTH);
            return false;
        }
        reader->text[length++] = (char)c;
    }
    if (ferror(reader->file)) {
        snprintf(reader->problem, reader->problem_size, "%s: %s", reader->path, strerror(errno));
        return false;
    }
    bool end = c == EOF && length == 0;
    if (length > 0 && reader->text[length - 1] == '\r') {
        length--;
    }
    reader->text[length] = '\0';
    return !end;
}

/* Reads the header: the first four names, or all seven. Returns the number of columns, 0 with a
 * problem. */
static int read_header(struct reader *reader, const struct boids_limits *limits)
{
    if (!next_line(reader)) {
        if (reader->problem[0] == '\0') {
            reader->text[0] = '\0';
            complain(reader, reader->text, "the header x,y,vx,vy");
        }
        return 0;
    }
    const char *at = reader->text;
    for (int column = 0; column < BOIDS_COLUMNS; column++) {
        size_t length = strcspn(at, ",");
        char expected[48];
        bool own = column >= 4;
        snprintf(expected, sizeof expected, "the column %s", names[column]);
        if (own && !limits->own) {
            complain(reader, at, "no more columns: only swarm has coefficients for each boid");
            return 0;
        }
        if (strlen(names[column]) != length || strncmp(at, names[column], length) != 0) {
            complain(reader, at, expected);
            return 0;
        }
        at += length;
        if (*at == '\0') {
            if (column != 3 && column != BOIDS_COLUMNS - 1) {
                snprintf(expected, sizeof expected, "a comma and the column %s", names[column + 1]);
                complain(reader, at, expected);
                return 0;
            }
            return column + 1;
        }
        at++;
    }
    complain(reader, at, "the end of the line");
    return 0;
}

static bool read_row(struct reader *reader, const struct boids_limits *limits, int columns,
                     float row[BOIDS_COLUMNS])
{
    const char *at = reader->text;
    for (int column = 0; column < columns; column++) {
        char expected[96];
        char *end;
        float value = strtof(at, &end);
        bool number = end != at && strchr("+-.0123456789", *at) != NULL;
        if (!number || !(value >= limits->low[column]) || !(value <= limits->high[column])) {
            snprintf(expected, sizeof expected, "%s, a number from %g to %g", names[column],
                     (double)limits->low[column], (double)limits->high[column]);
            return complain(reader, at, expected);
        }
        if (*end != (column + 1 < columns ? ',' : '\0')) {
            snprintf(expected, sizeof expected, "%s after %s",
                     column + 1 < columns ? "a comma" : "the end of the line", names[column]);
            return complain(reader, end, expected);
        }
        row[column] = value;
        at = end + 1;
    }
    return true;
}

/* Makes memory for another row. */
static bool grow_columns(struct boids *boids, int columns, size_t *capacity)
{
    const size_t before = *capacity;

    for (int column = 0; column < columns; column++) {
        float *grown;
        *capacity = before;
        grown = grow_array(boids->column[column], capacity, boids->count + 1, FLOCK_BOIDS_MAX,
                           sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        boids->column[column] = grown;
    }
    return true;
}

static bool read_rows(struct reader *reader, struct boids *boids, const struct boids_limits *limits,
                      int columns)
{
    size_t capacity = 0;
    float row[BOIDS_COLUMNS] = {0};
    while (next_line(reader)) {
        if (boids->count == FLOCK_BOIDS_MAX) {
            char expected[48];
            snprintf(expected, sizeof expected, "at most %u boids", FLOCK_BOIDS_MAX);
            return complain(reader, reader->text, expected);
        }
        if (!read_row(reader, limits, columns, row)) {
            return false;
        }
        if (!grow_columns(boids, columns, &capacity)) {
            snprintf(reader->problem, reader->problem_size, "%s: out of memory", reader->path);
            return false;
        }
        for (int column = 0; column < columns; column++) {
            boids->column[column][boids->count] = row[column];
        }
        boids->count++;
    }
    if (reader->problem[0] == '\0' && boids->count == 0) {
        reader->text[0] = '\0';
        return complain(reader, reader->text, "at least one boid");
    }
    return reader->problem[0] == '\0';
}

bool boids_read(struct boids *boids, const char *path, const struct boids_limits *limits,
                char *problem, size_t size)
{
    struct reader reader = {.path = path, .problem = problem, .problem_size = size};
    memset(boids, 0, sizeof *boids);
    problem[0] = '\0';
    reader.file = fopen(path, "r");
    if (reader.file == NULL) {
        snprintf(problem, size, "%s: %s", path, strerror(errno));
        return false;
    }
    int columns = read_header(&reader, limits);
    bool complete = columns > 0 && read_rows(&reader, boids, limits, columns);
    fclose(reader.file);
    if (!complete) {
        boids_free(boids);
    }
    return complete;
}

void boids_free(struct boids *boids)
{
    for (int column = 0; column < BOIDS_COLUMNS; column++) {
        free(boids->column[column]);
    }
    memset(boids, 0, sizeof *boids);
}
