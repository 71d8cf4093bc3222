/* The colours on the screen: inks, which have numbers, and pairs of an ink and a ground.
 *
 * A pair is a number that fits ncurses's cells, but ncurses does not know its colours: frame.h
 * reads the cells and inks_style() says which colours they have. Ink 0 is the theme's text as an
 * ink, and the row's ground as a ground. One set of inks a process; main thread. */
#ifndef TERM_INKS_H
#define TERM_INKS_H

#include "term/tty/output.h"
#include "term/tty/theme.h"

#include <curses.h>
#include <stdbool.h>
#include <stdint.h>

/* Colours with a meaning. */
enum ink_role {
    INK_QUIET, /* of panels: headings, hints */
    INK_BAR,   /* bars that show a share */
    INK_FRAME, /* of the world, and walls */
    INK_MARK,  /* of the target and the centroid */
    INK_ROLES,
};

/* Takes the colours for a terminal from a theme, which must outlive them. */
void inks_start(const struct theme *theme, const struct theme_terminal *terminal);

/* Takes the colours for a room's ground ("": none). Returns whether any has changed; then
 * everything must be sent again. */
bool inks_follow(const char *ground);

/* Returns the pair of a text on the row's ground in about that colour, 0xRRGGBB. */
short inks_text(uint32_t rgb);
short inks_role(enum ink_role role);
short inks_status(void);

/* Returns the pair of black on white, which machines can read; 0: there are no colours. */
short inks_paper(void);

/* Returns the ink of boids; 0 ≤ hue < PALETTE_HUES, 0 ≤ level < THEME_LEVELS. */
short inks_boid(int hue, int level);

/* Returns the pair of an ink on another ink as ground; 0: the row's ground. */
short inks_pair(short ink, short ground);

/* Gives boids, texts and lines the nearest of 256 colours from now on, which take half the bytes,
 * or all colours again. A text whose nearest colour cannot be read keeps its own. Cells on the
 * screen keep their colours. */
void inks_save(bool bytes);

/* Returns whether the terminal shows the levels of boids. */
bool inks_have_levels(void);

/* Returns the colour number of the ground of a row of `rows`. */
int inks_ground(int row, int rows);

/* Stores how a cell looks that has these attributes and this pair, in a row with that ground. */
void inks_style(attr_t attributes, short pair, int row_ground, struct output_style *style);

#endif
