/* What a room borrows for a tick and a snapshot; for the room's own files. */
#ifndef ROOM_WORKSPACE_H
#define ROOM_WORKSPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"

struct room_workspace {
    struct flock_workspace *engine;
    uint32_t boids;                          /* that there is memory for below */
    uint8_t *positions, *headings;           /* of all boids, as they travel */
    uint8_t *some_positions, *some_headings; /* of those of a stream with a stride */
    uint8_t *bytes;                          /* packed_bound(boids) */
};

/* Makes memory for a snapshot of that many boids. False, with what there is, when it runs out. */
bool workspace_reserve(struct room_workspace *workspace, uint32_t boids);

#endif
