/* A raster of character cells with boids on it, and the symbol of each cell: braille or ASCII.
 *
 * Pure: knows no terminal. A cell has 2 × 4 dots, a count of its boids and the sum of their
 * headings, which gives its hue. The caller owns the canvas; one thread at a time. */
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

/* Gives the canvas a size and clears it. Returns false if memory runs out; then the canvas is
 * unchanged. */
bool canvas_resize(struct canvas *canvas, int columns, int rows);
void canvas_clear(struct canvas *canvas);

/* Draws a boid that heads for (heading_x, heading_y), of any length, as a dot. Ignores dots outside
 * the canvas. */
void canvas_boid(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y);

/* Draws a boid's body and tail behind its dot; a crowded boid gets less or none of them. Must be
 * called after canvas_boid() for all boids. Does not change the cells' counts. */
void canvas_body(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y);

/* Draws a round body, which shows no heading, instead. */
void canvas_round(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y);

/* Draws a straight line between two points (in dots), without the part outside the canvas. A line
 * does not count as a boid. */
void canvas_line(struct canvas *canvas, float x1, float y1, float x2, float y2);

/* Returns the cell's braille character, or a space. */
wchar_t canvas_braille(const struct canvas_cell *cell);

/* Returns the cell's ASCII character: an arrow for one boid, denser characters for more, a space
 * for none. */
wchar_t canvas_ascii(const struct canvas_cell *cell);

/* Returns the sector of the compass that the cell's boids head for, of `hues` equal sectors. Sector
 * 0 is around east; the others follow clockwise. */
int canvas_hue(const struct canvas_cell *cell, int hues);

#endif
