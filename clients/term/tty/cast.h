/* A recording of the screen in a file that asciinema plays: asciicast, version 2.
 *
 * One recording a process, main thread. It has the frames and the size of the screen, and no keys.
 */
#ifndef TERM_CAST_H
#define TERM_CAST_H

#include <stdbool.h>
#include <stddef.h>

/* Creates the file. Returns false if it exists or cannot be created. */
bool term_cast_create(const char *path);

/* The screen has this size from now on. Before the first frame it begins the recording. */
void term_cast_size(int columns, int rows);

/* Adds the bytes of a frame. Without a file, does nothing. */
void term_cast_frame(const char *bytes, size_t size);

/* Ends the recording. Returns false if a part of it could not be written. */
bool term_cast_close(void);

#endif
