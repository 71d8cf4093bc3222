/* The terminal's modes. They are restored even if the process crashes.
 *
 * The bytes that restore them are collected when the terminal is taken, because a handler of a
 * crash may only call functions such as write() and tcsetattr(). One terminal a process; main
 * thread, except the handlers. */
#ifndef TERM_TTY_H
#define TERM_TTY_H

#include <stdbool.h>
#include <stddef.h>

/* Remembers the modes of standard input, catches all signals that end a process, and calls `quit`
 * on SIGINT, SIGTERM and SIGHUP (in a signal handler). If the process has not ended 2 s after such
 * a signal, because the terminal takes no output, the handler ends it. Returns false if standard
 * input or output is no terminal. */
bool term_tty_open(void (*quit)(void));

/* Adds bytes that undo our modes, without ncurses's padding ($<…>). NULL adds nothing. */
void term_tty_on_restore(const char *bytes);

/* Write bytes to the terminal at once, without a buffer. */
void term_tty_write(const char *bytes);
void term_tty_send(const char *bytes, size_t size);

/* Returns whether the terminal takes output now. If not, skip the frame. */
bool term_tty_writable(void);

/* Returns whether the terminal has hung up. */
bool term_tty_gone(void);

/* Stores the terminal's size; returns false if it is not known. */
bool term_tty_size(int *columns, int *rows);

/* Tells the crash handler whether an answer of the terminal is on its way, which the shell must not
 * read. */
void term_tty_await(bool answer);

/* Tells the crash handler whether the terminal is taken. Once it is not, no alarm ends the program.
 */
void term_tty_taken(bool ours);

#endif
