/* The picture: the flock and its world, in the upper left part of the screen.
 *
 * Draws into stdscr; reads the session and does not change it. Main thread, with the screen open.
 */
#ifndef TERM_PICTURE_H
#define TERM_PICTURE_H

#include "term/draw/canvas.h"
#include "term/draw/economy.h"
#include "term/draw/names.h"
#include "term/draw/shade.h"
#include "term/draw/viewport.h"
#include "term/net/session.h"

#include <stdbool.h>

/* The last frame's content of a cell. */
struct term_shown {
    struct shade shade[CANVAS_HALVES]; /* with whole cells the first */
    uint8_t dots;
    wchar_t symbol;
    short pair;
};

struct term_picture {
    struct canvas canvas;
    struct timeline_mark drawn; /* the moment that is on the canvas */
    int64_t drawn_at;           /* its time, µs of the server's clock */
    struct viewport drawn_part; /* the part of the world */
    bool own;                   /* boids have colours of their own */
    struct shade_scale scale;   /* of what is on the canvas */
    struct economy economy;
    struct shade_detail detail; /* of what is drawn now */
    bool grey;                  /* there is no connection */
    struct canvas walls;
    struct names names;       /* beside cursors, in the last picture */
    struct term_shown *shown; /* one entry for each cell of the canvas */
    int screen_columns;       /* at the last resize */
    struct viewport viewport;
    struct viewport_look look; /* the part of the world that is shown */
    bool follows;              /* the look follows the flock */
    enum term_cells cells;     /* that the user wants */
    bool halves;               /* cells are drawn so now, else as braille or ASCII */
    bool fits; /* the viewport is valid: the world is known and the terminal is large enough */
};

void term_picture_init(struct term_picture *picture, enum term_cells cells);
void term_picture_finish(struct term_picture *picture);

/* Draws the picture into the first `columns` columns of all rows but the last; nothing if it does
 * not fit. columns: at most TERM_SCREEN_MAX. centroid: mark the centroid of the flock. */
void term_picture_draw(struct term_picture *picture, const struct term_session *session,
                       int columns, bool centroid);

/* Draws as much from now on as the terminal can take, `budget` bytes a second: `sent` bytes were
 * sent in all until `now` (µs). Call it once a frame. */
void term_picture_spend(struct term_picture *picture, uint64_t sent, double budget, int64_t now);

/* There is no picture on the screen until the next term_picture_draw(). */
void term_picture_hide(struct term_picture *picture);

/* Draws with other characters from now on. */
void term_picture_choose(struct term_picture *picture, enum term_cells cells);

/* Shows the whole world; or follows the flock, or stops that. */
void term_picture_fit(struct term_picture *picture);
void term_picture_follow(struct term_picture *picture);

/* Enlarges by `steps` steps at a cell; fewer than 0: reduces. A cell outside the picture: at its
 * middle. */
void term_picture_zoom(struct term_picture *picture, int steps, int column, int row);

/* Moves the world by cells. */
void term_picture_pan(struct term_picture *picture, int columns, int rows);

/* Stores the position in the world of a cell; returns false if the cell is outside the picture. */
bool term_picture_locate(const struct term_picture *picture, int column, int row, float *x,
                         float *y);

/* Moves a position of the world to the nearest one on the screen, if there is a picture. */
void term_picture_clamp(const struct term_picture *picture, float *x, float *y);

/* Returns how far a step of the cursor goes, in world units. */
float term_picture_step(const struct term_picture *picture);

#endif
