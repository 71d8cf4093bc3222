/* The picture: the flock, the frame of its world, walls, the target and everyone's cursors, in the
 * upper left part of the screen.
 *
 * Draws into stdscr; reads the session and does not change it. Main thread, with the screen open.
 */
#ifndef TERM_PICTURE_H
#define TERM_PICTURE_H

#include "term/draw/canvas.h"
#include "term/draw/viewport.h"
#include "term/net/session.h"

#include <stdbool.h>

/* The last frame's content of a cell. */
struct term_shown {
    short pair;
    bool blank;
};

struct term_picture {
    struct canvas canvas;
    struct timeline_mark drawn; /* the moment that is on the canvas */
    bool own;                   /* at which boids have colours of their own */
    struct canvas walls;
    struct term_shown *shown; /* one entry for each cell of the canvas */
    struct viewport viewport;
    bool fits; /* the viewport is valid: the world is known and the terminal is large enough */
};

void term_picture_init(struct term_picture *picture);
void term_picture_finish(struct term_picture *picture);

/* Draws the picture into the first `columns` columns of all rows but the last; nothing if it does
 * not fit. columns: at most TERM_SCREEN_MAX. centroid: mark the centroid of the flock. */
void term_picture_draw(struct term_picture *picture, const struct term_session *session,
                       int columns, bool centroid);

/* Marks a position of the world on the picture that was just drawn. */
void term_picture_mark(const struct term_picture *picture, float x, float y);

/* There is no picture on the screen until the next term_picture_draw(). */
void term_picture_hide(struct term_picture *picture);

/* Stores the position in the world of a cell; returns false if the cell is outside the picture. */
bool term_picture_locate(const struct term_picture *picture, int column, int row, float *x,
                         float *y);

/* Moves a position of the world to the nearest one on the screen, if there is a picture. */
void term_picture_clamp(const struct term_picture *picture, float *x, float *y);

/* Returns how far a step of the cursor goes, in world units. */
float term_picture_step(const struct term_picture *picture);

#endif
