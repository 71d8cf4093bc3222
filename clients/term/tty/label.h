/* Makes text from outside (names, reasons, a server's words) safe for a terminal.
 *
 * Pure; depends on the locale's wcwidth() only. Any thread. */
#ifndef TERM_LABEL_H
#define TERM_LABEL_H

#include <stddef.h>
#include <wchar.h>

/* Wide characters, with the NUL: enough for any text of the protocol. */
#define TERM_LABEL_MAX 256u

/* Writes UTF-8 text into out (TERM_LABEL_MAX wide characters, NUL included) and returns its width
 * in columns, at most `columns`. Control characters, changes of direction, characters without a
 * known width in this locale and malformed bytes become '?'. Invisible characters, and marks beyond
 * two on a character, are dropped. Text that is too wide is cut between characters and ends in the
 * ellipsis, unless that is 0. */
int term_label(wchar_t *out, const char *text, int columns, wchar_t ellipsis);

/* Returns how many characters of a label make a line of `columns` columns: whole words if the first
 * word fits, and in Chinese and Japanese as many characters as fit and may end a line. Returns at
 * least 1 if columns is 2 or more and the text is not empty. */
int term_label_line(const wchar_t *text, int columns);

/* Returns the text behind that line, without the space between them. */
const wchar_t *term_label_rest(const wchar_t *text, int columns);

#endif
