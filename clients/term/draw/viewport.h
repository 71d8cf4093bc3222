/* The position and scale of the world on the screen: the largest picture that fits, in proportion
 * and centred.
 *
 * A cell of a terminal is about twice as high as wide, so it has 2 × 4 square dots, as a braille
 * character has. Positions on the screen are in dots; columns and rows count cells. Pure. */
#ifndef TERM_VIEWPORT_H
#define TERM_VIEWPORT_H

#include <stdbool.h>

#define VIEWPORT_DOTS_X 2
#define VIEWPORT_DOTS_Y 4

struct viewport {
    int columns, rows;   /* of the pane */
    float scale;         /* dots per world unit */
    float left, top;     /* of the world's origin, dots */
    float width, height; /* world units */
    bool framed;         /* each side of the world has a cell for the frame */
};

#define VIEWPORT_ZOOM_MAX 32.0F

/* A look at a part of the world. */
struct viewport_look {
    float zoom; /* how much larger than fitted: 1 to VIEWPORT_ZOOM_MAX; 1: the whole world */
    float x, y; /* the middle of the pane, world units */
};

/* Fits a world (world units, > 0) into a pane of cells. A pane that is large enough has a free cell
 * on each side for the frame. Returns false if the pane has no cells. */
bool viewport_fit(struct viewport *viewport, int columns, int rows, float width, float height);

/* Shows a part of the world instead of the whole. The viewport must fit. Moves the look's middle so
 * that the pane shows no more beyond the world than it has to. */
void viewport_show(struct viewport *viewport, struct viewport_look *look);

/* Changes the zoom by a factor; the position of the world at a cell stays there. */
void viewport_zoom(const struct viewport *viewport, struct viewport_look *look, float factor,
                   int column, int row);

/* Stores a position of the world in dots, wherever it is. */
static inline void viewport_point(const struct viewport *viewport, float x, float y, float *dot_x,
                                  float *dot_y)
{
    *dot_x = viewport->left + x * viewport->scale;
    *dot_y = viewport->top + y * viewport->scale;
}

/* Stores a position of the world in dots; -1, -1 if it is outside the pane or not a number. */
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

/* Stores the position in the world of the middle of a cell. The cell may be outside the pane. */
void viewport_world(const struct viewport *viewport, int column, int row, float *x, float *y);

/* Stores the columns and rows of the frame, just outside the world. */
void viewport_frame(const struct viewport *viewport, int *left, int *top, int *right, int *bottom);

#endif
