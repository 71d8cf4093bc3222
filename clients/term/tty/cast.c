#include "term/tty/cast.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILE_MODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)

static FILE *file;
static struct timespec began;
static int shown_columns, shown_rows;

bool term_cast_create(const char *path)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
    file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    shown_columns = shown_rows = 0;
    return file != NULL;
}

/* Returns the seconds since the recording began. */
static double seconds_passed(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - began.tv_sec) + (double)(now.tv_nsec - began.tv_nsec) / 1e9;
}

void term_cast_size(int columns, int rows)
{
    if (file == NULL || (columns == shown_columns && rows == shown_rows)) {
        return;
    }
    if (shown_columns == 0) {
        clock_gettime(CLOCK_MONOTONIC, &began);
        fprintf(file, "{\"version\":2,\"width\":%d,\"height\":%d,\"timestamp\":%jd}\n", columns,
                rows, (intmax_t)time(NULL));
    } else {
        fprintf(file, "[%.6f,\"r\",\"%dx%d\"]\n", seconds_passed(), columns, rows);
    }
    shown_columns = columns;
    shown_rows = rows;
}

/* Writes bytes of UTF-8 within a string of JSON. */
static void write_text(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte < 0x20 || byte == 0x7f) {
            fprintf(file, "\\u%04x", byte);
        } else if (byte == '"' || byte == '\\') {
            fprintf(file, "\\%c", byte);
        } else {
            fputc(byte, file);
        }
    }
}

void term_cast_frame(const char *bytes, size_t size)
{
    if (file == NULL || shown_columns == 0 || size == 0) {
        return;
    }
    fprintf(file, "[%.6f,\"o\",\"", seconds_passed());
    write_text(bytes, size);
    fputs("\"]\n", file);
}

bool term_cast_close(void)
{
    if (file == NULL) {
        return true;
    }
    bool written = ferror(file) == 0;
    written = fclose(file) == 0 && written;
    file = NULL;
    return written;
}
