/* Makes rooms for requests, as a job: boids are placed, and a branch's state is read, which takes
 * longer the more boids there are. For the API's own files. On the shard's thread. */
#ifndef API_MAKE_H
#define API_MAKE_H

#include "net/api/api_rooms.h"

/* Makes the room, with as many people as the server's options allow. Any thread. */
void api_make(const struct service *service, struct hub_making *making, struct hub_made *made);

/* The origin of a new room; all NULL: a new flock. Both are malloc'ed. */
struct api_origin {
    uint8_t *state;
    size_t size;
    struct hub_request *change;
};

/* Starts to make the room; request->made has the result once request->status is set. Takes over
 * what the origin has. Returns false when memory runs out. */
bool api_start_making(struct context *context, struct api_request *request,
                      const struct room_definition *definition, bool listed,
                      const struct api_origin *origin);

#endif
