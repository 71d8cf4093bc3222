/* The command palette on the screen: what is typed, and what it finds.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_FINDER_DRAW_H
#define TERM_FINDER_DRAW_H

#include "term/ui/finder.h"

/* Draws the palette; draws nothing if it is closed. */
void term_finder_draw(const struct term_finder *finder, const struct term_sources *sources);

#endif
