/* The stream that each member is granted. For the room's own files. */
#ifndef GRANTS_H
#define GRANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"
#include "room/stream.h"

/* Another stream costs an encoder and a keyframe: a member's wants may lead to one GRANTS_WANTS
 * times at once, and then every GRANTS_WANT_TIME µs. A want that comes sooner waits. */
#define GRANTS_WANTS     8u
#define GRANTS_WANT_TIME UINT64_C(1000000)

/* Grants the person in that slot what its client wants. Sends the answer at once or, if the want
 * has to wait, in grants_give_waiting(). Returns false, with *error filled and nothing changed,
 * when memory runs out. now: µs. */
bool grants_want(struct room *room, uint32_t slot, const struct proto_want *want, uint64_t now,
                 struct proto_error *error);

/* Grants the wants that have waited long enough. */
void grants_give_waiting(struct room *room, uint64_t now);

/* Must be called when the number of boids has changed: puts each member that wants a limited number
 * of boids into the stream with the right stride. */
void grants_renew(struct room *room);

/* A room without memory for another stream puts the member into the nearest stream that it has.
 * Only a room without a stream of that encoding makes one in any case. */
void grants_share(const struct room *room, struct stream_grant *grant);

/* Returns what the person in that slot is granted, as its next `stream` message says it. */
struct proto_stream grants_describe(struct room *room, uint32_t slot);

#endif
