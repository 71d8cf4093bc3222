/* A frame: the bytes that bring the terminal from the last frame to the contents of stdscr.
 *
 * ncurses keeps the cells, and this module sends them, because ncurses sends neither all colours
 * nor few bytes. It works on terminals with the sequences of ECMA-48. One frame a process; main
 * thread, with the screen open. */
#ifndef TERM_FRAME_H
#define TERM_FRAME_H

#include <stdbool.h>
#include <stddef.h>

/* Begins with a terminal of `colors` colours. */
void frame_start(int colors);

/* Forgets what the terminal shows: the next frame clears it and sends all cells. */
void frame_forget(void);

/* Frees the memory. */
void frame_finish(void);

/* Makes the bytes of a frame, between `before` and `after`; no bytes at all if nothing has changed.
 * corner: the cell at the lower right can be written without scrolling. They are valid until the
 * next call. Returns their number. */
size_t frame_make(const char *before, const char *after, bool corner, const char **bytes);

#endif
