/* flock-term without a terminal: what it knows of the flock, as JSON, or a frame as text. */
#ifndef TERM_HEADLESS_H
#define TERM_HEADLESS_H

#include "term/options.h"

/* Prints a line of JSON a second to standard output until it is closed or a signal ends the
 * process; or prints one frame, as text or as a picture. Returns the exit status: 0; 1 after a
 * fatal error, with a line on stderr. */
int term_headless_stats(const struct term_options *options);
int term_headless_snapshot(const struct term_options *options);

#endif
