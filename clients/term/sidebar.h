/* What stands beside the flock on the screen: the presenter's panel, with its rows and what the
 * selected one means, or else the measures of the flock.
 *
 * As the view: draws into stdscr, main thread. Shows what controls.h says and changes nothing. */
#ifndef TERM_SIDEBAR_H
#define TERM_SIDEBAR_H

#include "controls.h"
#include "measures.h"
#include "panel.h"
#include "session.h"

#include <stdint.h>

/* How many of the screen's columns it takes, at the right: none when there is nothing to show, all
 * of them when the screen is too narrow for a flock beside the panel. */
int term_sidebar_width(const struct term_controls *controls, const struct term_panel *panel);

/* Draws it, if there is something to show. */
void term_sidebar_draw(const struct term_controls *controls, const struct term_panel *panel,
                       const struct term_measures *measures, const struct term_session *session,
                       int64_t now);

#endif
