/* The help: a box with the keys and with what is known of the server, in pages if it is long.
 *
 * Draws into stdscr; the screen must be open. Main thread. Times in microseconds. */
#ifndef TERM_HELP_H
#define TERM_HELP_H

#include "term/net/session.h"

#include <stdbool.h>
#include <stdint.h>

struct term_help {
    const char *url; /* of the server; not owned */
    int page;        /* the page that is shown, from 1; 0: the help is closed */
};

/* Opens the help, shows its next page or, after the last page, closes it. */
void term_help_turn(struct term_help *help, const struct term_session *session, int64_t now);

/* Closes the help; returns whether it was open. */
bool term_help_close(struct term_help *help);

/* Draws the page; the help must be open. */
void term_help_draw(const struct term_help *help, const struct term_session *session, int64_t now);

#endif
