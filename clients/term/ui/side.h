/* The parts of the panels beside the flock: ground, headings, rules and paragraphs.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_SIDE_H
#define TERM_SIDE_H

#include "term/net/session.h"

#include <stdint.h>

/* The columns of the text. */
struct term_side {
    int left, width;
};

/* Returns the side for a panel of `columns` columns at the right of the screen. */
struct term_side term_side_at(int columns);

/* Clears the ground and draws the line between panel and flock. */
void term_side_ground(const struct term_side *side);

/* Draws a line across. */
void term_side_rule(const struct term_side *side, int row);

/* Draws the first row: the title and, at the row's end, the index in the list. */
void term_side_title(const struct term_side *side, const char *title, const char *place);

/* Returns the first of `count` rows to show in a list of `rows`: the same as before, unless the
 * selected row would be outside. */
int term_side_first(int before, int selected, int rows, int count);

/* Returns the number of lines that a text takes, at most `most`. */
int term_side_lines(const struct term_side *side, const char *text, int most);

/* Writes text over at most `rows` rows; the rest is cut. */
void term_side_text(const struct term_side *side, int row, int rows, const char *text);

/* Writes a line in grey, such as the line of keys. */
void term_side_hint(const struct term_side *side, int row, const char *text);

/* Writes a new notice of a mistake or an error; returns whether there was one. */
bool term_side_notice(const struct term_side *side, int row, int rows,
                      const struct term_session *session, int64_t now);

#endif
