/* Puts the flock on a canvas, in the shape of the room's preset.
 *
 * Pure: knows no terminal. */
#ifndef TERM_PLOT_H
#define TERM_PLOT_H

#include "protocol.h"
#include "term/draw/canvas.h"
#include "term/draw/viewport.h"
#include "term/flock/timeline.h"

#include <stdbool.h>

/* The drawing of boids. */
struct plot {
    void (*body)(struct canvas *canvas, float x, float y, float dx, float dy, float length);
    float length; /* of a body, dots; 0: none */
    bool own;     /* each boid has a colour of its own, which its heading stands for */
    int trail;    /* ms until a trail has faded; 0: no trails */
    bool joined;  /* trails are lines */
};

/* Returns how boids of that room are drawn. with_headings: colours show headings in any case. */
struct plot plot_choose(const struct proto_room *room, const struct timeline *timeline,
                        const struct viewport *viewport, bool with_headings);

/* Draws the flock on the canvas, which has been cleared or faded. */
void plot_flock(struct canvas *canvas, const struct timeline *timeline,
                const struct viewport *viewport, const struct plot *plot);

/* Stores the middle of the flock and how far from it most boids are, in world units. Returns false
 * without boids. On a torus a flock across an edge has its middle there. */
bool plot_find(const struct timeline *timeline, const struct viewport *viewport, bool torus,
               float *x, float *y, float *reach);

#endif
