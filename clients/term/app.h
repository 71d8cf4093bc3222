/* flock-term at work: one loop that receives from the server, reads keyboard and mouse, and
 * draws. */
#ifndef TERM_APP_H
#define TERM_APP_H

#include "term/options.h"

/* Runs until the user quits, a signal ends the process, or a fatal error occurs. Returns the exit
 * status: 0; 1 after a fatal error; 2 without a terminal. All but 0 come with one line on stderr.
 */
int term_app_run(const struct term_options *options);

#endif
