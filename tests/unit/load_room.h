/* Loads saved rooms. */
#ifndef LOAD_ROOM_H
#define LOAD_ROOM_H

#include "room/room.h"

#include <stdio.h>
#include <stdlib.h>

#include "room/room_state.h"
#include "scene/saved.h"

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

/* Saves and destroys the room. Returns the room that a restarted server loads, or NULL. */
static inline struct room *restart_room(struct room *old, const struct room_definition *definition,
                                        const struct room_sink *ear, uint64_t now)
{
    size_t size = 0;
    uint8_t *bytes = room_save(old, now, &size);
    const struct room_origin origin = {
        .state = bytes, .size = size, .continues = true, .vacated = true, .now = now};
    struct room *loaded = NULL;

    room_destroy(old);
    if (bytes != NULL) {
        saved_seal(bytes, size);
        loaded = room_create(definition, ear, &origin, NULL);
    }
    free(bytes);
    return loaded;
}

#endif
