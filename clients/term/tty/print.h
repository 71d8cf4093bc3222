/* Text on the screen: names and sentences in UTF-8, cut to the columns that they may take.
 *
 * Writes into stdscr; the screen must be open. Main thread. All text passes through term_label(),
 * which makes text from a server or a person safe for the terminal. */
#ifndef TERM_PRINT_H
#define TERM_PRINT_H

/* Writes text at a cell and returns its width. Text that is wider than `columns`, or than the rest
 * of the row, is cut and ends in an ellipsis. */
int term_print(int row, int column, const char *text, int columns);

/* Returns the width of the whole text in columns. */
int term_print_width(const char *text);

/* Returns the longest end of a text that fits into `columns` columns, to show while a user types.
 */
const char *term_print_tail(const char *text, int columns);

/* Draws a bar that is filled to a share of its columns. A share outside 0 to 1 is limited to it.
 * The bar has the attributes that are set; normal attributes get the bar's own colour. */
void term_print_bar(int row, int column, int columns, float share);

#endif
