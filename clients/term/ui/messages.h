/* Messages across the picture: a presenter's call for attention, and the reason why there is no
 * flock to see.
 *
 * Draws into stdscr; the screen must be open. Main thread. */
#ifndef TERM_MESSAGES_H
#define TERM_MESSAGES_H

#include "term/net/session.h"

#include <stdbool.h>
#include <stddef.h>

/* Draws the line with which a presenter asks for attention, or nothing. columns: of the picture. */
void term_messages_attention(const struct term_session *session, int columns);

/* Draws a box that says why the connection has ended, or what the terminal waits for. url: of the
 * server. */
void term_messages_connection(const struct term_session *session, const char *url);

/* Writes why the server has ended the connection for good, in the program's own words. Returns
 * false if it has none for the server's code. */
bool term_messages_ending(const struct term_session *session, char *out, size_t capacity);

#endif
