/* Idle rooms of creators that the server does not trust give way to newcomers, when boids or memory
 * are used up: see directory_make_way(). For the hub's own files. */
#ifndef WAY_H
#define WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "hub/creators.h"

struct hub;

/* Make way for the boids of a new room, and for its memory beside its past, if they do not fit.
 * Wait for the end of the rooms that give way, for up to 0.5 s: not for shards and runners. */
void way_for_boids(struct hub *hub, const struct creator *creator, uint32_t boids);
void way_for_room(struct hub *hub, const struct creator *creator, uint32_t boids);

/* Makes way for bytes of an upload, and does not wait. Returns true if they will soon be free. */
bool way_for_bytes(struct hub *hub, const struct creator *creator, uint64_t bytes);

#endif
