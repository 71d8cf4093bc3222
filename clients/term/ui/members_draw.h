/* The room's panel on the screen: its rows, and the meaning of the selected row.
 *
 * Draws into stdscr; main thread. Of the panel it changes which rows are shown, nothing else. */
#ifndef TERM_MEMBERS_DRAW_H
#define TERM_MEMBERS_DRAW_H

#include "term/net/session.h"
#include "term/ui/members.h"
#include "term/ui/side.h"

#include <stdint.h>

/* Returns the rows that the panel needs to show its whole list. */
int term_members_rows(const struct term_session *session);

void term_members_draw(struct term_members *members, const struct term_side *side,
                       const struct term_session *session, int64_t now);

#endif
