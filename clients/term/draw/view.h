/* The picture: the flock, the frame of its world, the target, everyone's cursors, and over them the
 * panel.
 *
 * Draws into ncurses's stdscr; reads the session and changes nothing of it. Main thread, with the
 * screen open. */
#ifndef TERM_VIEW_H
#define TERM_VIEW_H

#include "term/draw/canvas.h"
#include "term/draw/viewport.h"
#include "term/net/session.h"
#include "term/ui/panel.h"
#include "term/ui/sidebar.h"

#include <stdbool.h>
#include <stdint.h>

/* What a cell was given in the last frame. */
struct term_shown {
    short pair;
    bool blank;
};

struct term_view {
    struct canvas canvas;
    struct timeline_mark drawn; /* the picture that is on the canvas */
    bool own;                   /* in which boids have colours of their own */
    struct canvas walls;
    struct term_shown *shown; /* as many as the canvas has cells */
    struct viewport viewport;
    bool fits;    /* the viewport is valid: the world is known and the terminal large enough */
    bool unicode; /* braille and lines; else ASCII */
    struct term_panel panel;
    struct term_sidebar sidebar;
};

/* url is kept, not copied. unicode: the locale and the terminal can show braille. */
void term_view_init(struct term_view *view, bool unicode, const char *url);
void term_view_finish(struct term_view *view);

/* Draws the whole picture as of `now` (µs), for the screen's size at this moment. */
void term_view_draw(struct term_view *view, const struct term_session *session, int64_t now);

/* The position in the world of a cell; false when the cell is not of the picture. */
bool term_view_locate(const struct term_view *view, int column, int row, float *x, float *y);

/* Takes a position of the world to the nearest one on the screen, if there is a picture. */
void term_view_clamp(const struct term_view *view, float *x, float *y);

/* How far a step of the cursor goes, in world units. */
float term_view_step(const struct term_view *view);

#endif
