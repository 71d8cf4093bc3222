/* A writer: a thread that writes to a file the lines which other threads put into a bounded buffer,
 * so that no caller waits for a disk or for a pipe's reader. A line is lost if the buffer is full
 * or the file cannot be written. All later lines are lost, too, until the writer has written, in
 * their place, a line with the number of lost lines. Lines never mix. */
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
    /* Writes the line that says how many lines were lost; returns its bytes, line_max at most. */
    size_t (*tell_lost)(char *text, size_t capacity, uint64_t lost);
    /* Called with errno when a line could not be written; may be NULL. */
    void (*failed)(int error);
};

/* Starts one, which goes on until the process ends: it may be waiting for a reader then. NULL if
 * there is no memory or no thread to be had. */
struct writer *writer_start(const struct writer_definition *definition);

/* Leaves a line to it, of line_max bytes at most. Any thread. */
void writer_put(struct writer *writer, const char *text, size_t size);

/* Waits until all lines are written, for at most half a second, and returns whether they are. */
bool writer_finish(struct writer *writer);

/* Writes a line on the caller's thread, and waits for the file's reader. Returns false if the line
 * cannot be written. */
bool writer_write(int file, const char *text, size_t size);

#endif
