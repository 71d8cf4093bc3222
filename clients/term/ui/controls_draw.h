/* The presenter's panel on the screen: its rows and the meaning of the selected row.
 *
 * Draws into stdscr; main thread. Of the controls it changes which rows are shown, nothing else. */
#ifndef TERM_CONTROLS_DRAW_H
#define TERM_CONTROLS_DRAW_H

#include "term/net/session.h"
#include "term/ui/controls.h"
#include "term/ui/side.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the rows that the panel needs: to show its whole list, or else a part of it. */
int term_controls_rows(const struct term_session *session, bool whole);

void term_controls_draw(struct term_controls *controls, const struct term_side *side,
                        const struct term_session *session, int64_t now);

#endif
