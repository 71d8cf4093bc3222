/* A runner: one thread that ticks its rooms at their absolute deadlines and handles their events in
 * between. Its rooms share one workspace: worker threads and scratch memory. A room without members
 * does not tick. A room that is too costly skips its own ticks, and delays others by at most one
 * tick.
 *
 * The hub creates and destroys it; any thread may push events into its mailbox. */
#ifndef RUNNER_H
#define RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include "hub/runner_room.h"

/* Returns NULL when memory or threads run out. */
struct runner *runner_create(const struct runner_definition *definition);
void runner_stop(struct runner *runner);

/* Frees it and its rooms. Must be called after runner_stop() and after every link was left. Takes
 * NULL. */
void runner_destroy(struct runner *runner);

struct mailbox *runner_mailbox(struct runner *runner);

/* See hub_stand(). Any thread. */
void runner_stand(struct runner *runner, bool stands);

/* See hub_healthy(). */
bool runner_healthy(const struct runner *runner, uint64_t now);

/* Returns the runner's load, with or without members in its rooms. A new room goes to the runner
 * with the smaller load. */
uint64_t runner_weight(const struct runner *runner);

const struct runner_stats *runner_stats(const struct runner *runner);

#endif
