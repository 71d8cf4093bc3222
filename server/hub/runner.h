/* A runner: one thread that ticks its rooms, each at its own absolute deadlines, and does what is
 * asked of them in between. All its rooms share one workspace: worker threads and scratch memory. A
 * room that nobody is in does not tick; one that is too expensive drops its own ticks, and delays
 * the others by no more than one of them.
 *
 * Made and ended by the hub; events come in through the mailbox from any thread. */
#ifndef RUNNER_H
#define RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include "hub/runner_room.h"

/* NULL when memory or threads run out. */
struct runner *runner_create(const struct runner_definition *definition);
void runner_stop(struct runner *runner);

/* Frees it and its rooms; after runner_stop(), and when every link has been left. Takes NULL. */
void runner_destroy(struct runner *runner);

struct mailbox *runner_mailbox(struct runner *runner);

/* See hub_healthy(). */
bool runner_healthy(const struct runner *runner, uint64_t now);

/* How much there is to do for it, whether or not anyone is in its rooms: of two runners, a new room
 * goes to the one with less. */
uint64_t runner_weight(const struct runner *runner);

const struct runner_stats *runner_stats(const struct runner *runner);

#endif
