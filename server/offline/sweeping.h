/* The sweep of flock-sim. */
#ifndef FLOCK_SWEEPING_H
#define FLOCK_SWEEPING_H

#include "offline/output.h"
#include "offline/sim_options.h"
#include "sim/sweep.h"

struct sweeping {
    struct sweep sweep;
    struct flock *flock; /* borrowed */
    size_t param;        /* index */
    float before;        /* its value before the sweep */
};

/* Returns the ticks of the whole sweep. */
unsigned long sweeping_ticks(const struct options *options);

/* Checks the sweep against the flock, and sets the first value. Ends the program with a line that
 * names a fault. */
void sweeping_begin(struct sweeping *sweeping, const struct options *options, struct flock *flock);

/* Must be called after each tick: measures it, writes a row after the last tick of a value, and
 * sets the next value. */
void sweeping_tick(struct sweeping *sweeping, struct flock_workspace *workspace,
                   struct flock_output *output);

/* Puts the parameter back. */
void sweeping_end(struct sweeping *sweeping);

#endif
