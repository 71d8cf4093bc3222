#include "log.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

#define LINE_MAX_BYTES 1000 /* of a message, with its NUL */

static enum log_format log_format_chosen = LOG_FORMAT_TEXT;

void log_set_format(enum log_format format)
{
    log_format_chosen = format;
}

/* Writes one character of text as it may stand in a line: at most 6 bytes, and a NUL. *size is how
 * many bytes of text it took. */
static void escape_one(char out[8], const char *text, bool json, size_t *size)
{
    uint32_t point;

    *size = text_next(text, strnlen(text, 4), &point);
    if (*size == 0) {
        *size = 1;
        snprintf(out, 8, "\\ufffd");
    } else if (text_forbidden(point)) {
        snprintf(out, 8, "\\u%04x", (unsigned)(point & 0xffff));
    } else {
        snprintf(out, 8, "%s%.*s", json && (point == '"' || point == '\\') ? "\\" : "", (int)*size,
                 text);
    }
}

void log_escape(char *out, size_t capacity, const char *text, bool json)
{
    const size_t dots = 3;
    size_t used = 0;
    size_t cut = 0; /* where "..." still fits behind what is there */
    char one[8];
    size_t size;

    for (; *text != '\0'; text += size) {
        escape_one(one, text, json, &size);
        if (used + strlen(one) >= capacity) {
            snprintf(out + cut, capacity - cut, "...");
            return;
        }
        memcpy(out + used, one, strlen(one));
        used += strlen(one);
        if (used + dots < capacity) {
            cut = used;
        }
    }
    out[used] = '\0';
}

void log_line(enum log_level level, const char *format, ...)
{
    static const char *const names[] = {"info", "warning", "error"};
    bool json = log_format_chosen == LOG_FORMAT_JSON;
    char message[LINE_MAX_BYTES +
                 4]; /* longer than what is kept of it, so that no character is cut */
    char escaped[LINE_MAX_BYTES];
    char line[LINE_MAX_BYTES + 128];
    char when[40];
    struct timespec now;
    struct tm utc;
    va_list arguments;
    int size;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log_escape(escaped, sizeof escaped, message, json);

    if (json) {
        clock_gettime(CLOCK_REALTIME, &now);
        gmtime_r(&now.tv_sec, &utc);
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &utc);
        size = snprintf(line, sizeof line,
                        "{\"time\":\"%s.%03ldZ\",\"level\":\"%s\",\"message\":\"%s\"}\n", when,
                        now.tv_nsec / 1000000, names[level], escaped);
    } else if (level == LOG_LEVEL_INFO) {
        size = snprintf(line, sizeof line, "flockd: %s\n", escaped);
    } else {
        size = snprintf(line, sizeof line, "flockd: %s: %s\n", names[level], escaped);
    }
    /* A log that cannot be written has nobody to tell. */
    if (write(STDERR_FILENO, line, (size_t)size) < 0) {
        return;
    }
}
