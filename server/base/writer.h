/* A thread that writes to a file the lines that other threads put into a bounded buffer. No caller
 * waits for a disk or for a pipe's reader. A line is lost if the buffer is full or the file cannot
 * be written. All later lines are lost, too, until the writer has written, in their place, a line
 * with the number of lost lines. Lines never mix. */
#ifndef WRITER_H
#define WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer;

struct writer_definition {
    int file;
    size_t lines;    /* lines that can wait */
    size_t line_max; /* bytes of a line */
    /* Writes the line with the number of lost lines. Returns its bytes, at most line_max. */
    size_t (*tell_lost)(char *text, size_t capacity, uint64_t lost);
    /* Called with errno when a line could not be written; may be NULL. */
    void (*failed)(int error);
};

/* Starts a writer. It runs until the process ends, because it may be waiting for a reader then.
 * Returns NULL without memory or a thread. */
struct writer *writer_start(const struct writer_definition *definition);

/* Gives a line of at most line_max bytes to the writer. Any thread. */
void writer_put(struct writer *writer, const char *text, size_t size);

/* Waits until all lines are written, for at most half a second, and returns whether they are. */
bool writer_finish(struct writer *writer);

/* Writes a line on the caller's thread, and waits for the file's reader. Returns false if the line
 * cannot be written. */
bool writer_write(int file, const char *text, size_t size);

#endif
