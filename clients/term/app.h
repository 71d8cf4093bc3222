/* flock-term at work: one loop that listens to the server, the keyboard and the mouse, and draws.
 */
#ifndef TERM_APP_H
#define TERM_APP_H

#include "term/options.h"

/* Runs until the user quits, the process is told to end, or it cannot go on. Returns the exit
 * status: 0, 1 with one line on stderr after a fatal error, 2 with one when there is no terminal to
 * run in; or TERM_APP_LOCKED, with one, when the room asks for a join key: it can be run again. */
#define TERM_APP_LOCKED 3
int term_app_run(const struct term_options *options);

#endif
