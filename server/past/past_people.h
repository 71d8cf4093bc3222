/* Whose cursors may be in the moment of its past that a room shows: those who were shown then, some
 * of whom have names. For the room's own files. */
#ifndef PAST_PEOPLE_H
#define PAST_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "past/recording.h"
#include "scene/scene.h"

struct past_people {
    uint32_t count;
    struct proto_person list[PROTO_PEOPLE_MAX];
};

/* Those in `then`, a moment of the recording, whose names are in ascending order of ids; "" where
 * it has none. Whether they are others than before. */
bool past_people_update(struct past_people *people, const struct scene *then,
                        const struct recording *recording);

#endif
