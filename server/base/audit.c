#include "base/audit.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/audit_shares.h"
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

/* Guards the shares, and keeps the lines in order. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct audit_shares shares;

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

static void make_lost(struct line *line, uint64_t lost)
{
    begin(line, "lost");
    add_number(line, "lines", lost);
    end(line);
}

static size_t tell_lost(char *text, size_t capacity, uint64_t lost)
{
    struct line line;

    make_lost(&line, lost);
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

static void put(const struct line *line)
{
    count_bytes(line->size);
    writer_put(writer, line->text, line->size);
}

/* Writes how many lines were lost, once a second and at the end. The caller holds the lock. */
static void report_lost(uint64_t second, bool at_end)
{
    const uint64_t lost = audit_shares_lost(&shares, second, at_end);
    struct line line;

    if (lost > 0) {
        make_lost(&line, lost);
        put(&line);
    }
}

static void write_entry(const struct audit_entry *entry)
{
    struct line line;

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
    put(&line);
}

void audit(const struct audit_entry *entry)
{
    uint64_t second;

    if (writer == NULL) {
        return;
    }
    pthread_mutex_lock(&lock);
    second = (uint64_t)time(NULL);
    report_lost(second, false);
    if (audit_shares_take(&shares, entry->kind, entry->address, second)) {
        write_entry(entry);
    }
    pthread_mutex_unlock(&lock);
}

void audit_finish(void)
{
    if (writer != NULL) {
        pthread_mutex_lock(&lock);
        report_lost((uint64_t)time(NULL), true);
        pthread_mutex_unlock(&lock);
        (void)writer_finish(writer);
    }
}
