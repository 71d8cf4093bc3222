/* Where the world lies on the screen: the largest picture of the world that fits, its proportions
 * kept, centred.
 *
 * A cell of a terminal is about twice as high as it is wide, so it is divided into 2 × 4 square
 * dots (those of a braille character). All positions on the screen are in dots, whole cells in
 * columns and rows. Pure. */
#ifndef TERM_VIEWPORT_H
#define TERM_VIEWPORT_H

#include <stdbool.h>

#define VIEWPORT_DOTS_X 2
#define VIEWPORT_DOTS_Y 4

struct viewport {
    int columns, rows;   /* of the pane */
    float scale;         /* dots per world unit */
    float left, top;     /* dots: where the world's origin is */
    float width, height; /* world units */
    bool framed;         /* there is a cell on each side of the world for its frame */
};

/* Fits a world (world units, > 0) into a pane of cells. It keeps a cell on each side free for a
 * frame when the pane is large enough for one. Returns false when the pane has no cells. */
bool viewport_fit(struct viewport *viewport, int columns, int rows, float width, float height);

/* A position of the world in dots. What is not within the pane, or not a number, comes out as -1,
 * -1. */
static inline void viewport_dot(const struct viewport *viewport, float x, float y, int *dot_x,
                                int *dot_y)
{
    float across = viewport->left + x * viewport->scale;
    float down = viewport->top + y * viewport->scale;
    bool inside = across >= 0 && across < (float)(viewport->columns * VIEWPORT_DOTS_X) &&
                  down >= 0 && down < (float)(viewport->rows * VIEWPORT_DOTS_Y);
    *dot_x = inside ? (int)across : -1;
    *dot_y = inside ? (int)down : -1;
}

/* The position in the world of the middle of a cell, be it within the pane or not. */
void viewport_world(const struct viewport *viewport, int column, int row, float *x, float *y);

/* The cells just outside the world, where its frame goes. */
void viewport_frame(const struct viewport *viewport, int *left, int *top, int *right, int *bottom);

#endif
