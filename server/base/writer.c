#include "base/writer.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FINISH_TIME 500 /* ms */

struct line {
    size_t size;
    char text[];
};

struct writer {
    struct writer_definition definition;
    pthread_mutex_t lock; /* guards the fields below; held only briefly */
    pthread_cond_t work;  /* there are lines to write */
    pthread_cond_t idle;  /* all lines are written */
    struct line **lines;  /* a ring; the thread reads its first line */
    size_t first, count;
    uint64_t lost;            /* lost lines that no line has reported yet */
    uint64_t lost_unreported; /* value of `lost` when reporting it failed */
};

bool writer_write(int file, const char *text, size_t size)
{
    size_t done = 0;

    while (done < size) {
        ssize_t written = write(file, text + done, size - done);
        if (written > 0) {
            done += (size_t)written;
        } else if (written < 0 &&
                   errno == EAGAIN) { /* the parent process made the file non-blocking */
            poll(&(struct pollfd){.fd = file, .events = POLLOUT}, 1, -1);
        } else if (written == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* ---- its thread ---- */

/* After a failed write, the writer tries again when the next line is lost. */
static bool is_idle(const struct writer *writer)
{
    return writer->count == 0 && writer->lost == writer->lost_unreported;
}

/* Other threads do not touch the first line of the ring, so writing it needs no lock. */
static void write_first(struct writer *writer)
{
    const struct line *line = writer->lines[writer->first];
    bool written;

    pthread_mutex_unlock(&writer->lock);
    written = writer_write(writer->definition.file, line->text, line->size);
    pthread_mutex_lock(&writer->lock);
    assert(writer->count > 0);
    writer->first = (writer->first + 1) % writer->definition.lines;
    writer->count--;
    writer->lost += written ? 0 : 1;
}

/* Uses a line outside the ring. */
static void tell_lost(struct writer *writer)
{
    const struct writer_definition *definition = &writer->definition;
    char *text = writer->lines[definition->lines]->text;
    uint64_t count = writer->lost;
    size_t size;
    bool written;

    pthread_mutex_unlock(&writer->lock);
    size = definition->tell_lost(text, definition->line_max, count);
    assert(size <= definition->line_max);
    written = writer_write(definition->file, text, size);
    if (!written && definition->failed != NULL) {
        definition->failed(errno);
    }
    pthread_mutex_lock(&writer->lock);
    assert(writer->lost >= count);
    writer->lost -= written ? count : 0;
    writer->lost_unreported = written ? 0 : count;
}

static void *run(void *argument)
{
    struct writer *writer = argument;

    pthread_mutex_lock(&writer->lock);
    for (;;) {
        while (is_idle(writer)) {
            pthread_cond_broadcast(&writer->idle);
            pthread_cond_wait(&writer->work, &writer->lock);
        }
        if (writer->count > 0) {
            write_first(writer);
        } else {
            tell_lost(writer);
        }
    }
    return argument;
}

/* ---- from other threads ---- */

static void discard(struct writer *writer)
{
    if (writer != NULL) {
        free(writer->lines != NULL ? (void *)writer->lines[0] : NULL);
        free((void *)writer->lines);
        free(writer);
    }
}

/* Makes the ring and one more line for tell_lost() in one allocation. */
static bool make_lines(struct writer *writer)
{
    size_t count = writer->definition.lines + 1;
    size_t step = (sizeof(struct line) + writer->definition.line_max + 15) / 16 * 16;
    char *bytes = malloc(count * step);

    assert(writer->definition.lines > 0 && writer->definition.line_max > 0);
    writer->lines = (struct line **)calloc(count, sizeof(struct line *));
    if (writer->lines == NULL || bytes == NULL) {
        free(bytes);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        writer->lines[i] = (struct line *)(void *)(bytes + i * step);
    }
    return true;
}

static bool start_thread(struct writer *writer)
{
    pthread_condattr_t attributes;
    pthread_t thread;

    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->work, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&writer->idle, &attributes);
    pthread_condattr_destroy(&attributes);
    return pthread_create(&thread, NULL, run, writer) == 0 && pthread_detach(thread) == 0;
}

struct writer *writer_start(const struct writer_definition *definition)
{
    struct writer *writer = calloc(1, sizeof *writer);

    if (writer != NULL) {
        writer->definition = *definition;
    }
    if (writer == NULL || !make_lines(writer) || !start_thread(writer)) {
        discard(writer);
        return NULL;
    }
    return writer;
}

void writer_put(struct writer *writer, const char *text, size_t size)
{
    assert(size <= writer->definition.line_max);
    pthread_mutex_lock(&writer->lock);
    assert(writer->count <= writer->definition.lines);
    if (writer->lost > 0 || writer->count == writer->definition.lines) {
        writer->lost++;
    } else {
        struct line *last =
            writer->lines[(writer->first + writer->count++) % writer->definition.lines];
        last->size = size;
        memcpy(last->text, text, size);
    }
    pthread_cond_signal(&writer->work);
    pthread_mutex_unlock(&writer->lock);
}

bool writer_finish(struct writer *writer)
{
    struct timespec end;
    bool all;
    int error = 0;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += FINISH_TIME * 1000000L;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&writer->lock);
    while (!is_idle(writer) && error == 0) {
        error = pthread_cond_timedwait(&writer->idle, &writer->lock, &end);
    }
    all = is_idle(writer) && writer->lost == 0;
    pthread_mutex_unlock(&writer->lock);
    return all;
}
