#include "base/log.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log_rate.h"
#include "base/writer.h"
#include "text.h"

#define MESSAGE_MAX 1000 /* bytes of a message, with its NUL */
#define LINES_MAX   56   /* lines that wait to be written: 64 KB */
#define KINDS_MAX   64   /* kinds of lines with a limit of their own; all others share one */
#define LINE_MAX    (MESSAGE_MAX + LOG_RATE_NOTE_MAX + 96)

struct kind {
    const char *format;
    struct log_rate rate;
};

static enum log_format log_format_chosen = LOG_FORMAT_TEXT;
/* Set before other threads start; NULL: log_line() writes at once. */
static struct writer *writer;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the kinds */
static struct kind kinds[KINDS_MAX];

void log_set_format(enum log_format format)
{
    log_format_chosen = format;
}

/* Writes one character of text in a form that fits into a line: at most 6 bytes and a NUL. *size is
 * the number of bytes of text that it read. */
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
    size_t cut = 0; /* the last position at which "..." still fits */
    char one[8];
    size_t size;

    assert(capacity > dots);
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

/* Writes a log line into `text`, with the message and the note escaped. Returns its bytes. */
static size_t render(char *text, size_t capacity, enum log_level level, const char *message,
                     const char *note)
{
    static const char *const names[] = {"info", "warning", "error"};
    char when[40];
    struct timespec now;
    struct tm utc;
    int size;

    if (log_format_chosen == LOG_FORMAT_JSON) {
        clock_gettime(CLOCK_REALTIME, &now);
        gmtime_r(&now.tv_sec, &utc);
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &utc);
        size = snprintf(text, capacity,
                        "{\"time\":\"%s.%03ldZ\",\"level\":\"%s\",\"message\":\"%s%s\"}\n", when,
                        now.tv_nsec / 1000000, names[level], message, note);
    } else if (level == LOG_LEVEL_INFO) {
        size = snprintf(text, capacity, "flockd: %s%s\n", message, note);
    } else {
        size = snprintf(text, capacity, "flockd: %s: %s%s\n", names[level], message, note);
    }
    assert(size > 0 && (size_t)size < capacity);
    return (size_t)size;
}

/* ---- the writer ---- */

static size_t tell_lost(char *text, size_t capacity, uint64_t lost)
{
    char message[80];

    snprintf(message, sizeof message, "%" PRIu64 " log lines were lost: they could not be written",
             lost);
    return render(text, capacity, LOG_LEVEL_WARN, message, "");
}

bool log_start(void)
{
    const struct writer_definition definition = {
        .file = STDERR_FILENO, .lines = LINES_MAX, .line_max = LINE_MAX, .tell_lost = tell_lost};

    assert(writer == NULL);
    writer = writer_start(&definition);
    return writer != NULL;
}

bool log_finish(void)
{
    return writer == NULL || writer_finish(writer);
}

/* ---- a line ---- */

/* Returns whether to write one more line of this kind now, and its note. */
static bool take_rate(const char *format, char note[LOG_RATE_NOTE_MAX])
{
    struct timespec now;
    size_t i = 0;
    bool taken;

    pthread_mutex_lock(&lock);
    clock_gettime(CLOCK_MONOTONIC, &now);
    while (i < KINDS_MAX - 1 && kinds[i].format != NULL && kinds[i].format != format) {
        i++;
    }
    kinds[i].format = format;
    taken = log_rate_take(&kinds[i].rate,
                          (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000, note);
    pthread_mutex_unlock(&lock);
    return taken;
}

void log_line(enum log_level level, const char *format, ...)
{
    char message[MESSAGE_MAX + 4]; /* longer than the stored part, so that no character is cut */
    char escaped[MESSAGE_MAX];
    char note[LOG_RATE_NOTE_MAX] = "";
    char text[LINE_MAX];
    size_t size;
    va_list arguments;

    if (writer != NULL && !take_rate(format, note)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log_escape(escaped, sizeof escaped, message, log_format_chosen == LOG_FORMAT_JSON);
    size = render(text, sizeof text, level, escaped, note);
    if (writer != NULL) {
        writer_put(writer, text, size);
    } else {
        writer_write(STDERR_FILENO, text, size); /* a failure cannot be reported */
    }
}
