/* The bar of the past: from its beginning to the present, with the shown moment and the changes in
 * it. Presenters click or drag it.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_PAST_DRAW_H
#define TERM_PAST_DRAW_H

#include "term/net/session.h"

#include <stdint.h>

/* Draws the bar into a row of the first `columns` columns; nothing if the room shows the present.
 */
void term_past_draw(const struct term_session *session, int row, int columns, int64_t now);

#endif
