/* What the flock does as a whole, in figures: their rows on the screen.
 *
 * As the view: draws into stdscr, main thread. */
#ifndef TERM_MEASURES_H
#define TERM_MEASURES_H

#include "term/flock/timeline.h"

#include <stdbool.h>
#include <stdint.h>

#define TERM_MEASURES_ROWS 5
#define TERM_MEASURES_NAME 12 /* columns of the longest name */

/* The figures that are shown; they stand for a moment, so that they can be read. */
struct term_measures {
    bool open; /* the user wants to see them */
    bool known;
    struct proto_measures shown;
    int64_t taken_at;
};

/* Where a row's parts go, in cells of the screen. */
struct term_measures_layout {
    int row, left, width;
    int value, unit, bar; /* columns from `left`; the value's is its first, and it has 5 */
    int below;            /* rows from the name to the rest: 0 or 1 */
    int rows;             /* from one measure to the next */
};

/* Takes new ones from the picture, now and then. */
void term_measures_follow(struct term_measures *measures, const struct timeline *timeline,
                          int64_t now);

void term_measures_draw(const struct term_measures *measures,
                        const struct term_measures_layout *layout);

#endif
