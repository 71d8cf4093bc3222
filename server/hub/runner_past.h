/* Gives rooms with their pasts to the store. For the runner's own files, on its thread. */
#ifndef RUNNER_PAST_H
#define RUNNER_PAST_H

#include "hub/runner_room.h"

/* Gives the room's state to the store, and its past if it has grown since the last time. The store
 * may be NULL. */
void runner_past_keep(struct runner_room *room);

/* Does that for one room that is due: see runner_room_grows(). Returns when the next room is due
 * (ns on the server's clock). */
uint64_t runner_past_keep_next(struct runner *runner);

#endif
