#include "log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LINE_MAX_BYTES 1000

static enum log_format log_format_chosen = LOG_FORMAT_TEXT;

void log_set_format(enum log_format format)
{
    log_format_chosen = format;
}

/* Copies text, escaping what would break a line or a JSON string: each byte takes at most 6.
 * Returns the length written. */
static size_t escape(char *out, const char *text, bool json)
{
    size_t n = 0;

    for (const char *c = text; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f) {
            n += (size_t)snprintf(out + n, 7, "\\u%04x", byte);
            continue;
        }
        if (json && (byte == '"' || byte == '\\')) {
            out[n++] = '\\';
        }
        out[n++] = (char)byte;
    }
    out[n] = '\0';
    return n;
}

void log_line(enum log_level level, const char *format, ...)
{
    static const char *const names[] = {"info", "warning", "error"};
    bool json = log_format_chosen == LOG_FORMAT_JSON;
    char message[LINE_MAX_BYTES];
    char escaped[6 * LINE_MAX_BYTES];
    char line[6 * LINE_MAX_BYTES + 128];
    char when[40];
    struct timespec now;
    struct tm utc;
    va_list arguments;
    int size;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    escape(escaped, message, json);

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
