/* The help: a box with the keys and with what is known of the server, which scrolls if it is long.
 *
 * Draws into stdscr; the screen must be open. Main thread. Times in microseconds. */
#ifndef TERM_HELP_H
#define TERM_HELP_H

#include "term/net/session.h"
#include "term/ui/input.h"
#include "term/ui/keys.h"

#include <stdbool.h>
#include <stdint.h>

struct term_help {
    const char *url; /* of the server; not owned */
    bool open;
    int first; /* the first row that is shown */
};

/* Returns whether this person may use a row of the table of keys, with that action, in this room.
 */
bool term_help_offers(const struct term_session *session, const struct term_input_line *line,
                      enum term_action action);

/* Handles a key or a click; returns false if it has nothing to do with the help. */
bool term_help_act(struct term_help *help, const struct term_session *session,
                   struct term_input input, int64_t now);

/* Draws the help; it must be open. */
void term_help_draw(const struct term_help *help, const struct term_session *session, int64_t now);

#endif
