/* The hue and the level of cells: which heading, and how bright.
 *
 * Pure. A cell keeps its hue and its level during small changes, because each new colour costs
 * bytes and flickers. */
#ifndef TERM_SHADE_H
#define TERM_SHADE_H

#include "term/draw/canvas.h"

#include <stdbool.h>
#include <stdint.h>

enum { SHADE_NONE = 0xff };

/* The usual boids of a canvas, which brightness is relative to. */
struct shade_scale {
    float count; /* boids in a cell that has any */
    float speed; /* length of a boid's heading */
};

/* How a cell, or a half of it, is coloured. */
struct shade {
    uint8_t hue;   /* 0 to PALETTE_HUES - 1 */
    uint8_t level; /* of THEME_LEVELS; SHADE_NONE: nothing is there */
};

/* How much is drawn. */
struct shade_detail {
    int fades;   /* levels of a trail: 0 to THEME_LEVEL_BOID */
    bool steady; /* cells keep what they show for longer */
    bool runs;   /* cells take the colour of their left neighbour, if it is about right */
};

/* Returns the scale of what is on the canvas. */
struct shade_scale shade_measure(const struct canvas *canvas);

/* Returns the shade of a whole cell, whose shade was `before`. left: its neighbour's. */
struct shade shade_cell(const struct canvas_cell *cell, const struct shade_scale *scale,
                        const struct shade_detail *detail, struct shade before, struct shade left);

/* Returns the shade of one half of a cell. */
struct shade shade_half(const struct canvas_half *half, const struct shade_scale *scale,
                        const struct shade_detail *detail, struct shade before);

/* Returns the dots of a whole cell that has the dots `before` now: of its boids, or of its trail.
 * In a crowd the number of dots shows how many boids there are. */
uint8_t shade_dots(const struct canvas_cell *cell, const struct shade_scale *scale,
                   struct shade shade, uint8_t before);

#endif
