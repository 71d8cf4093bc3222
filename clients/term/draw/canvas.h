/* A raster of character cells with boids on it: their bodies, the light around them, and the trails
 * that they leave.
 *
 * Pure: knows no terminal and no colours. A cell has 2 × 4 dots, and two halves, the upper and the
 * lower. A half counts its boids and sums their headings, which give its hue. The caller owns the
 * canvas; one thread at a time. */
#ifndef TERM_CANVAS_H
#define TERM_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

enum {
    CANVAS_HALVES = 2,
    CANVAS_LIGHT_MAX = 255,
    CANVAS_LIGHT_BODY = 254, /* of bodies, which leave no trail */
};

/* The characters that boids are drawn with, where the terminal has Unicode. */
enum term_cells {
    TERM_CELLS_BRAILLE,
    TERM_CELLS_BLOCKS, /* half blocks with two colours a cell */
    TERM_CELLS_SEXTANTS,
};

struct canvas_half {
    float heading_x, heading_y; /* sum over the boids in it; y points down */
    uint16_t count;             /* boids, saturating */
    uint8_t light;              /* of bodies and of lights near it: 0 to CANVAS_LIGHT_MAX */
    uint8_t trail;              /* the rest of earlier light */
};

struct canvas_cell {
    struct canvas_half half[CANVAS_HALVES];
    uint8_t dots;  /* as the low byte of a braille character */
    uint8_t spots; /* the dots of boids, without their bodies */
    uint8_t wake;  /* the dots of the trail */
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

/* Begins the next picture: boids and lights on the canvas become a trail, and trails fade by
 * `loss`, 0 to CANVAS_LIGHT_MAX. joined: a trail has the dots of several pictures, as a line; else
 * the dots of the last picture. */
void canvas_fade(struct canvas *canvas, int loss, bool joined);

/* Draws a boid that heads for (heading_x, heading_y), of any length, as a dot. Ignores dots outside
 * the canvas. */
void canvas_boid(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y);

/* Draws the body of a boid at a dot: an arrow of `length` dots whose head is the dot. Must be
 * called after canvas_boid() for all boids: in a crowd the arrow is shorter. Counts no boid. */
void canvas_body(struct canvas *canvas, float dot_x, float dot_y, float heading_x, float heading_y,
                 float length);

/* Draws a round body, which shows no heading, `length` dots across. */
void canvas_round(struct canvas *canvas, float dot_x, float dot_y, float heading_x, float heading_y,
                  float length);

/* Draws a light, `length` dots across, which fades into the cells around it. */
void canvas_light(struct canvas *canvas, float dot_x, float dot_y, float heading_x, float heading_y,
                  float length);

/* Draws a straight line between two points (in dots), without the part outside the canvas. A line
 * does not count as a boid. */
void canvas_line(struct canvas *canvas, float x1, float y1, float x2, float y2);

/* Returns the number of boids in a cell. */
static inline int canvas_count(const struct canvas_cell *cell)
{
    return cell->half[0].count + cell->half[1].count;
}

/* Returns the braille character with these dots; a space for none. */
wchar_t canvas_braille(uint8_t dots);

/* Returns the sextant with these dots: 2 × 3 blocks, of which the middle ones stand for the two
 * rows of dots in the middle. A space for none. */
wchar_t canvas_sextant(uint8_t dots);

/* Returns `count` dots, 0 to 8, that are spread over a cell. */
uint8_t canvas_spread(int count);

/* Returns the cell's ASCII character: an arrow for one boid, denser characters for more, a space
 * for none. */
wchar_t canvas_ascii(const struct canvas_cell *cell);

/* Returns the heading as a part of a turn, 0 ≤ turn < 1, from east clockwise; 0 for none. */
float canvas_turn(float heading_x, float heading_y);

#endif
