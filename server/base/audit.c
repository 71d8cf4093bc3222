#include "base/audit.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/writer.h"

#define LINES_MAX 1024u /* lines that wait to be written */
#define LINE_MAX  1000u /* bytes */
#define VALUE_MAX 100u  /* bytes of a text, escaped, with its NUL */

struct line {
    size_t size;
    char text[LINE_MAX];
};

static struct writer *writer;   /* NULL: no file is open */
static _Atomic uint64_t size;   /* bytes of the file */
static _Atomic uint64_t warned; /* the size of the last warning */

/* The second of the last line, and the lines in it. */
static _Atomic uint64_t second;
static atomic_uint in_second;

/* ---- a line ---- */

static void begin(struct line *line, const char *event)
{
    char when[40];
    struct timespec now;
    struct tm utc;

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &utc);
    line->size =
        (size_t)snprintf(line->text, sizeof line->text, "{\"time\":\"%s.%03ldZ\",\"event\":\"%s\"",
                         when, now.tv_nsec / 1000000, event);
}

static void add_number(struct line *line, const char *key, uint64_t value)
{
    if (value != 0) {
        line->size += (size_t)snprintf(line->text + line->size, sizeof line->text - line->size,
                                       ",\"%s\":%" PRIu64, key, value);
    }
}

static void add_text(struct line *line, const char *key, const char *value)
{
    char escaped[VALUE_MAX];

    if (value != NULL && value[0] != '\0') {
        log_escape(escaped, sizeof escaped, value, true);
        line->size += (size_t)snprintf(line->text + line->size, sizeof line->text - line->size,
                                       ",\"%s\":\"%s\"", key, escaped);
    }
}

static void end(struct line *line)
{
    line->size += (size_t)snprintf(line->text + line->size, sizeof line->text - line->size, "}\n");
    assert(line->size < sizeof line->text);
}

/* ---- the writer ---- */

static size_t tell_lost(char *text, size_t capacity, uint64_t lost)
{
    struct line line;

    begin(&line, "lost");
    add_number(&line, "lines", lost);
    end(&line);
    assert(line.size <= capacity);
    memcpy(text, line.text, line.size);
    return line.size;
}

static void on_failed(int error)
{
    log_warn("the audit log cannot be written: %s", strerror(error));
}

bool audit_open(const char *path)
{
    struct stat status;
    struct writer_definition definition = {
        .lines = LINES_MAX, .line_max = LINE_MAX, .tell_lost = tell_lost, .failed = on_failed};

    assert(writer == NULL);
    /* Refuses a named pipe without a reader: waiting for a reader would delay the start. */
    definition.file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (definition.file < 0 || fcntl(definition.file, F_SETFL, O_APPEND) != 0) {
        log_error("--audit-log: '%s' cannot be written: %s", path,
                  errno == ENXIO ? "a named pipe without a reader, or a socket" : strerror(errno));
        return false;
    }
    atomic_store(&size, fstat(definition.file, &status) == 0 ? (uint64_t)status.st_size : 0);
    writer = writer_start(&definition);
    if (writer == NULL) {
        log_error("cannot start: out of memory or threads");
        close(definition.file);
    }
    return writer != NULL;
}

/* Whether the second has a line left. Two threads may begin it, which costs some lines at most. */
static bool take_line(void)
{
    const uint64_t now = (uint64_t)time(NULL);

    if (atomic_exchange(&second, now) != now) {
        atomic_store(&in_second, 0);
    }
    return atomic_fetch_add(&in_second, 1) < AUDIT_LINES_SECOND;
}

/* Warns at AUDIT_SIZE, and whenever the file has doubled since. */
static void count_bytes(size_t bytes)
{
    const uint64_t now = atomic_fetch_add(&size, bytes) + bytes;
    uint64_t last = atomic_load(&warned);
    const uint64_t next = last > 0 ? 2 * last : AUDIT_SIZE;

    if (now >= next && atomic_compare_exchange_strong(&warned, &last, now)) {
        log_warn("the audit log has %" PRIu64 " MiB: rotate it, for example with logrotate and "
                 "copytruncate",
                 now >> 20);
    }
}

void audit(const struct audit_entry *entry)
{
    struct line line;

    if (writer == NULL) {
        return;
    }
    if (!take_line()) {
        writer_lose(writer);
        return;
    }
    begin(&line, entry->event);
    add_number(&line, "connection", entry->connection);
    add_text(&line, "address", entry->address);
    add_text(&line, "room", entry->room);
    add_number(&line, "person", entry->person);
    add_text(&line, "name", entry->name);
    add_text(&line, "what", entry->what);
    add_text(&line, "from", entry->from);
    add_text(&line, "to", entry->to);
    end(&line);
    count_bytes(line.size);
    writer_put(writer, line.text, line.size);
}

void audit_finish(void)
{
    if (writer != NULL) {
        (void)writer_finish(writer);
    }
}
