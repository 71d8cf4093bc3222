/* The terminal's modes, and the way back: whatever ends the process, the terminal is left as it was
 * found.
 *
 * The way out is written down (as bytes) when the terminal is taken, because a handler of a crash
 * may only call functions such as write() and tcsetattr(). One terminal a process; main thread, but
 * for the handlers themselves. */
#ifndef TERM_TTY_H
#define TERM_TTY_H

#include <stdbool.h>

/* Remembers the modes of standard input, catches the signals of a crash, and has SIGINT, SIGTERM
 * and SIGHUP call `quit` (in a signal handler). A process that has not ended 2 s after such a
 * signal, because the terminal takes no output, is ended all the same. Returns false when standard
 * input or output is no terminal. */
bool term_tty_open(void (*quit)(void));

/* Adds bytes to what undoes our modes; ncurses's padding ($<…>) is left out. NULL adds nothing. */
void term_tty_on_restore(const char *bytes);

/* Writes bytes to the terminal at once, past any buffer. */
void term_tty_write(const char *bytes);

/* Whether the terminal takes output now; when not, a frame is better thrown away than waited for.
 */
bool term_tty_writable(void);

/* Whether the terminal has hung up. */
bool term_tty_gone(void);

/* The size of the terminal; false when it does not say. */
bool term_tty_size(int *columns, int *rows);

/* Whether the terminal is ours now, so that a crash has something to restore. */
void term_tty_taken(bool ours);

#endif
