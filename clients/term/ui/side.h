/* The parts of the panels beside the flock: ground, frame, headings, rules and paragraphs.
 *
 * Panels stand on each other and share a frame: the title of each is in the line above it. A panel
 * that covers the whole screen has no lines at its sides. Draws into stdscr; main thread. */
#ifndef TERM_SIDE_H
#define TERM_SIDE_H

#include "term/net/session.h"

#include <stdbool.h>
#include <stdint.h>

/* A panel, in cells of the screen. */
struct term_side {
    int top;         /* the row of its title */
    int end;         /* the row behind its last row */
    int left, width; /* of the text */
    bool framed;     /* it has lines at its sides */
    bool first;      /* no panel is above it */
    bool closed;     /* the row `end` is the frame's last line */
};

/* Returns the side of a column of panels that is `columns` wide, at the right of the screen. The
 * panels divide its rows. */
struct term_side term_side_at(int columns);

/* Takes the first `rows` rows of a side for a panel; the rest is for the next ones. */
struct term_side term_side_take(struct term_side *side, int rows);

/* Clears the ground of a panel, and draws its part of the frame. */
void term_side_ground(const struct term_side *side);

/* Draws a line across. */
void term_side_rule(const struct term_side *side, int row);

/* Writes the title into the line above the panel and, at its end, the place in a list; "": none. */
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
