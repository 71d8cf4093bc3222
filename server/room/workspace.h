/* Memory and threads that a room borrows for a tick and a snapshot; for the room's own files. */
#ifndef ROOM_WORKSPACE_H
#define ROOM_WORKSPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"

struct room_workspace {
    struct flock_workspace *engine;
    uint32_t boids;                          /* that the arrays below have memory for */
    uint8_t *positions, *headings;           /* of all boids, as they travel */
    uint8_t *some_positions, *some_headings; /* of the boids in a stream with a stride */
    uint8_t *bytes;                          /* packed_bound(boids) */
};

/* Makes memory for a snapshot of that many boids. Returns false, with nothing changed, when it runs
 * out. */
bool workspace_reserve(struct room_workspace *workspace, uint32_t boids);

#endif
