/* The room message: what a room is. For the room's own files. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <stdint.h>

#include "room/room.h"

/* How a client reads positions. */
struct room_scale {
    float width, height, quantum;
    uint16_t period_x, period_y; /* steps after which a torus comes around; 0: no torus */
};

struct room_scale describe_scale(const struct scene *scene);

/* The messages of that name as things are now; NULL when memory runs out. The welcome is written
 * into that frame of PROTO_STATE_MAX bytes, which it takes over, or NULL. */
struct frame *describe_welcome(const struct room *room, uint32_t slot,
                               const struct proto_stream *stream, uint64_t now,
                               struct frame *frame);
struct frame *describe_room(const struct room *room);
struct frame *describe_params(const struct room *room);
struct frame *describe_past(const struct room *room);

#endif
