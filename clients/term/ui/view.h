/* The whole screen: the picture of the flock, the panel beside it, the boxes over it and the status
 * line.
 *
 * Draws into stdscr; reads the session and does not change it. Main thread, with the screen
 * open. */
#ifndef TERM_VIEW_H
#define TERM_VIEW_H

#include "term/draw/picture.h"
#include "term/net/session.h"
#include "term/ui/help.h"
#include "term/ui/sidebar.h"

#include <stdbool.h>
#include <stdint.h>

struct term_view {
    struct term_picture picture;
    struct term_help help;
    struct term_sidebar sidebar;
};

/* url: of the server; it must outlive the view. blocks: draw half blocks instead of braille. */
void term_view_init(struct term_view *view, const char *url, bool blocks);
void term_view_finish(struct term_view *view);

/* Draws the screen as of `now` (µs) at the screen's present size. */
void term_view_draw(struct term_view *view, const struct term_session *session, int64_t now);

#endif
