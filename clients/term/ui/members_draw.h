/* The room's panel on the screen: its rows, and what the selected one means.
 *
 * As the view: draws into stdscr, main thread. Shows what members.h says and changes nothing. */
#ifndef TERM_MEMBERS_DRAW_H
#define TERM_MEMBERS_DRAW_H

#include "term/net/session.h"
#include "term/ui/members.h"
#include "term/ui/side.h"

#include <stdint.h>

void term_members_draw(const struct term_members *members, const struct term_side *side,
                       const struct term_session *session, int64_t now);

#endif
