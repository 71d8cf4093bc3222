/* What the panels beside the flock are drawn with: their ground, headings, rules and paragraphs.
 *
 * As the view: draws into stdscr, main thread. */
#ifndef TERM_SIDE_H
#define TERM_SIDE_H

#include "term/net/session.h"

#include <stdint.h>

/* Where the text is, in cells of the screen. */
struct term_side {
    int left, width;
};

/* The side for a panel that takes so many columns at the right of the screen. */
struct term_side term_side_at(int columns);

/* Clears the ground and draws the line that divides it from the flock. */
void term_side_ground(const struct term_side *side);

/* A line across. */
void term_side_rule(const struct term_side *side, int row);

/* The first row: what is shown, and at its end `place`. */
void term_side_title(const struct term_side *side, const char *title, const char *place);

/* How many lines a text takes, at most `most`. */
int term_side_lines(const struct term_side *side, const char *text, int most);

/* Writes text over so many rows; what is left then is cut. */
void term_side_text(const struct term_side *side, int row, int rows, const char *text);

/* A line in grey, such as one that lists keys. */
void term_side_hint(const struct term_side *side, int row, const char *text);

/* Writes why something was refused, as long as that is new. Returns whether there was such a
 * notice. */
bool term_side_notice(const struct term_side *side, int row, int rows,
                      const struct term_session *session, int64_t now);

#endif
