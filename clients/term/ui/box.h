/* A box of lines in the middle of the screen, with a frame around it.
 *
 * Draws into stdscr; the screen must be open. Main thread. */
#ifndef TERM_BOX_H
#define TERM_BOX_H

/* The help takes the most lines: in the smallest terminal, with the longest title and names. */
#define TERM_BOX_LINES 240
#define TERM_BOX_TEXT  320 /* bytes of a line, with its NUL; the rest is cut */

/* All zero: empty. */
struct term_box {
    int count;
    char lines[TERM_BOX_LINES][TERM_BOX_TEXT];
};

/* Adds a line. A box with TERM_BOX_LINES lines takes no more. */
void __attribute__((format(printf, 2, 3)))
term_box_add(struct term_box *box, const char *format, ...);

/* A place on the screen, in cells. */
struct term_box_place {
    int top, left, height, width;
};

/* Draws an empty box with a frame in the middle of the screen, as large as wanted or as fits.
 * Returns the place of its lines; height 0: there is no room. Zones under the box can no longer be
 * clicked. */
struct term_box_place term_box_frame(int height, int width);

/* Draws the box; draws nothing if it is empty. Lines beyond the screen's rows are cut. */
void term_box_draw(const struct term_box *box);

#endif
