/* Text from outside (names, reasons, what a server calls its model) made safe for a terminal.
 *
 * Pure; depends on the locale's wcwidth() only. Any thread. */
#ifndef TERM_LABEL_H
#define TERM_LABEL_H

#include <stddef.h>
#include <wchar.h>

/* Wide characters, with the NUL: enough for any text of the protocol. */
#define TERM_LABEL_MAX 256u

/* Writes UTF-8 text into out (TERM_LABEL_MAX wide characters, NUL included) and returns its width
 * in columns, at most `columns`. What a terminal could take for a command or what would upset the
 * line (control characters, changes of direction, characters of no known width in this locale,
 * malformed bytes) becomes '?'; invisible characters and marks beyond two on a character are
 * dropped; what does not fit is cut between characters, with ellipsis as the last one when it is
 * not 0. */
int term_label(wchar_t *out, const char *text, int columns, wchar_t ellipsis);

/* How many characters of such a text make a line of so many columns: whole words, where one fits.
 * At least one when columns is 2 or more and there is text. */
int term_label_line(const wchar_t *text, int columns);

/* What follows that line; a space between the two belongs to neither. */
const wchar_t *term_label_rest(const wchar_t *text, int columns);

#endif
