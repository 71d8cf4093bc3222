/* The panel of the room's sweep: the measures of the flock by the values of one parameter, each
 * with its standard error, as they come.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_SWEEP_H
#define TERM_SWEEP_H

#include "term/net/session.h"
#include "term/ui/input.h"
#include "term/ui/side.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero: closed. */
struct term_sweep {
    bool open;
};

/* Handles a key; returns false if the key has nothing to do with sweeps. */
bool term_sweep_act(struct term_sweep *sweep, struct term_session *session, struct term_input input,
                    int64_t now);

/* Starts a sweep of a parameter over all values that it can have now, see schema_limits(), and
 * opens the panel. Does nothing if the room has no parameter of that name. */
void term_sweep_start(struct term_sweep *sweep, struct term_session *session, const char *param,
                      int64_t now);

void term_sweep_draw(const struct term_side *side, const struct term_session *session);

#endif
