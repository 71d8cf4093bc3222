/* A writer: a thread that writes to a file the lines which others leave in a bounded buffer, so
 * that nobody waits for a disk or for who reads a pipe. A line that finds the buffer full is lost,
 * as is one that cannot be written, and so are those behind it until a line has said how many were,
 * which then stands where they are missing. Lines never mix. */
#ifndef WRITER_H
#define WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer;

struct writer_definition {
    int file;
    size_t lines;    /* that may wait to be written */
    size_t line_max; /* bytes of one */
    /* Writes the line that says that so many lines were lost; returns its bytes, line_max at most.
     */
    size_t (*tell_lost)(char *text, size_t capacity, uint64_t lost);
    /* That one could not be written, because of that errno; NULL: nobody wants to know. */
    void (*failed)(int error);
};

/* Starts one, which goes on until the process ends: it may be waiting for a reader then. NULL if
 * there is no memory or no thread to be had. */
struct writer *writer_start(const struct writer_definition *definition);

/* Leaves a line to it, of line_max bytes at most. Any thread. */
void writer_put(struct writer *writer, const char *text, size_t size);

/* Waits until all lines are written, for at most half a second, and returns whether they are. */
bool writer_finish(struct writer *writer);

/* Writes a line oneself, and waits for as long as nobody reads. False if it cannot be written. */
bool writer_write(int file, const char *text, size_t size);

#endif
