/* The measures of the whole flock on the screen.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_MEASURES_H
#define TERM_MEASURES_H

#include "term/net/session.h"

#include <stdbool.h>
#include <stdint.h>

#define TERM_MEASURES_ROWS 6
#define TERM_MEASURES_NAME 12 /* columns of the longest name */

/* The measures that are shown. They change a few times a second, so that they can be read. */
struct term_measures {
    bool open; /* the user wants to see them */
    bool known;
    struct proto_measures shown;
    int64_t taken_at;
    bool counted; /* the clusters are known */
    uint32_t clusters;
    bool sampled; /* the flock is too big to count all of its boids */
};

/* The layout of the rows, in cells of the screen. */
struct term_measures_layout {
    int row, left, width;
    int value, unit, bar; /* columns from `left`; the value has 5 */
    int below;            /* 1: value, unit and bar are a row below the name; else 0 */
    int rows;             /* from one measure to the next */
};

/* Takes new measures from the picture if the shown ones are old enough. */
void term_measures_follow(struct term_measures *measures, const struct term_session *session,
                          int64_t now);

void term_measures_draw(const struct term_measures *measures,
                        const struct term_measures_layout *layout);

#endif
