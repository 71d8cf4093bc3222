/* Loads a saved room. */
#ifndef LOAD_ROOM_H
#define LOAD_ROOM_H

#include "room/room.h"

#include <stdio.h>

/* Returns a room that continues the saved one at that time, or NULL with a text in `problem`. */
static inline struct room *load_room(const struct room_definition *definition,
                                     const struct room_sink *ear, const uint8_t *bytes, size_t size,
                                     uint64_t now, char *problem, size_t problem_size)
{
    const struct room_origin origin = {.state = bytes, .size = size, .continues = true, .now = now};
    struct proto_error fault;
    struct room *loaded = room_create(definition, ear, &origin, &fault);

    snprintf(problem, problem_size, "%s", loaded != NULL ? "" : fault.message);
    return loaded;
}

#endif
