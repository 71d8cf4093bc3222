/* The status line: the bottom row of the screen.
 *
 * Draws into stdscr; the screen must be open. Main thread. Times in microseconds. */
#ifndef TERM_STATUS_H
#define TERM_STATUS_H

#include "term/net/session.h"

#include <stdbool.h>
#include <stdint.h>

void term_status_draw(const struct term_session *session, int64_t now);

/* Returns whether the session has a notice that is new enough to be shown. */
bool term_status_has_notice(const struct term_session *session, int64_t now);

#endif
