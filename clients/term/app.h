/* flock-term at work: one loop that receives from the server, reads keyboard and mouse, and
 * draws. */
#ifndef TERM_APP_H
#define TERM_APP_H

#include "term/options.h"

/* Runs until the user quits, a signal ends the process, or a fatal error occurs. Returns the exit
 * status: 0; 1 after a fatal error; 2 without a terminal; TERM_APP_LOCKED if the room asks for a
 * join key, after which the caller may run it again. All but 0 come with one line on stderr. */
#define TERM_APP_LOCKED 3
int term_app_run(const struct term_options *options);

#endif
