/* The stream that each member is granted. For the room's own files. */
#ifndef GRANTS_H
#define GRANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"

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

/* Returns what the person in that slot is granted, as its next `stream` message says it. */
struct proto_stream grants_describe(struct room *room, uint32_t slot);

#endif
