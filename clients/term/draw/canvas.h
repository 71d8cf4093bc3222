/* A raster of character cells that boids are drawn on, and what each cell looks like: as braille,
 * or in ASCII.
 *
 * Pure: knows no terminal. A cell has 2 × 4 dots and remembers how many boids it holds and where
 * they head on the whole, which gives its hue. The caller owns the canvas; one thread at a time. */
#ifndef TERM_CANVAS_H
#define TERM_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

struct canvas_cell {
    float heading_x, heading_y; /* sum over the boids in it; y points down */
    uint16_t count;             /* boids, saturating */
    uint8_t dots;               /* as the low byte of a braille character */
};

struct canvas {
    int columns, rows;
    struct canvas_cell *cells; /* rows × columns, row by row; NULL: none yet */
};

void canvas_init(struct canvas *canvas);
void canvas_finish(struct canvas *canvas);

/* Makes it that large, and empty. Returns false, with the canvas as it was, when memory runs out.
 */
bool canvas_resize(struct canvas *canvas, int columns, int rows);
void canvas_clear(struct canvas *canvas);

/* Draws a boid as a dot, which moves by (heading_x, heading_y), in any unit. Dots outside the
 * canvas are left out. */
void canvas_boid(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y);

/* Gives a boid that has been drawn a body and a tail that show where it heads, as far as its
 * neighbours leave room: to be called after canvas_boid() for all. Does not change which boids a
 * cell counts. */
void canvas_body(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y);

/* Gives a boid that has been drawn a round body instead, which shows no heading. */
void canvas_round(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y);

/* Draws a straight line between two points, in dots; the part of it that is outside is left out. It
 * counts as no boid. */
void canvas_line(struct canvas *canvas, float x1, float y1, float x2, float y2);

/* A cell's braille character, or a space. */
wchar_t canvas_braille(const struct canvas_cell *cell);

/* A cell's ASCII character: an arrow for one boid, denser characters for more, a space for none. */
wchar_t canvas_ascii(const struct canvas_cell *cell);

/* Which of `hues` equal sectors of the compass, the first around east, then clockwise, the cell's
 * boids head for. */
int canvas_hue(const struct canvas_cell *cell, int hues);

#endif
