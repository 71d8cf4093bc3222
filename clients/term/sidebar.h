/* The presenter's panel on the screen: its rows, and what the selected one means.
 *
 * As the view: draws into stdscr, main thread. Shows what controls.h says and changes nothing. */
#ifndef TERM_SIDEBAR_H
#define TERM_SIDEBAR_H

#include "controls.h"
#include "panel.h"
#include "session.h"

#include <stdint.h>

/* How many of the screen's columns it takes, at the right: none when it is closed, all of them when
 * the screen is too narrow for a flock beside it. */
int term_sidebar_width(const struct term_controls *controls);

/* Draws it, if it is open. */
void term_sidebar_draw(const struct term_controls *controls, const struct term_panel *panel,
                       const struct term_session *session, int64_t now);

#endif
