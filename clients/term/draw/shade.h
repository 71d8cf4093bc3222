/* The colours of cells: the heading chooses the hue, and the number and speed of boids the level of
 * brightness.
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

/* The colour of a cell, or of a half of it. */
struct shade {
    uint8_t hue;   /* 0 to PALETTE_HUES - 1 */
    uint8_t level; /* of THEME_LEVELS; SHADE_NONE: nothing is there */
};

/* The details of the picture. */
struct shade_detail {
    int fades;    /* levels of a trail: 0 to THEME_LEVEL_BOID */
    bool steady;  /* cells keep what they show for longer */
    float run;    /* cells take the colour of a left neighbour whose hue is less than this away */
    bool plain;   /* boids have one of 256 colours, which take fewer bytes: see inks_save() */
    bool density; /* dots show how many boids a cell has, not where they are */
};

/* Values of `run`, in hues. */
#define SHADE_RUN      2.2F
#define SHADE_RUN_LONG 5.0F

/* Returns the scale of what is on the canvas. */
struct shade_scale shade_measure(const struct canvas *canvas);

/* Returns the shade of a whole cell, whose shade was `before`. left: its neighbour's. */
struct shade shade_cell(const struct canvas_cell *cell, const struct shade_scale *scale,
                        const struct shade_detail *detail, struct shade before, struct shade left);

/* Returns the shade of one half of a cell. */
struct shade shade_half(const struct canvas_half *half, const struct shade_scale *scale,
                        const struct shade_detail *detail, struct shade before);

/* Returns the dots of a whole cell: the dots of its boids, or of its trail. In a crowd the number
 * of dots shows how many boids there are. before: the cell's dots in the last picture. */
uint8_t shade_dots(const struct canvas_cell *cell, const struct shade_scale *scale,
                   const struct shade_detail *detail, struct shade shade, uint8_t before);

#endif
