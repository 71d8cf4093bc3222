/* The presenter's panel on the screen: its rows, the meaning of the selected row and, if the user
 * wants them or there is room, the measures of the flock.
 *
 * Draws into stdscr; main thread. Of the controls it changes which rows are shown, nothing else. */
#ifndef TERM_CONTROLS_DRAW_H
#define TERM_CONTROLS_DRAW_H

#include "term/net/session.h"
#include "term/ui/controls.h"
#include "term/ui/measures.h"
#include "term/ui/side.h"

#include <stdint.h>

void term_controls_draw(struct term_controls *controls, const struct term_side *side,
                        const struct term_measures *measures, const struct term_session *session,
                        int64_t now);

#endif
