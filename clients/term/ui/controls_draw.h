/* The presenter's panel on the screen: its rows, what the selected one means and, where there are
 * rows for them or they are wanted, the measures of the flock.
 *
 * As the view: draws into stdscr, main thread. Shows what controls.h says and changes nothing. */
#ifndef TERM_CONTROLS_DRAW_H
#define TERM_CONTROLS_DRAW_H

#include "term/net/session.h"
#include "term/ui/controls.h"
#include "term/ui/measures.h"
#include "term/ui/side.h"

#include <stdint.h>

void term_controls_draw(const struct term_controls *controls, const struct term_side *side,
                        const struct term_measures *measures, const struct term_session *session,
                        int64_t now);

#endif
