/* The people who were shown in a moment of the past: their cursors may be in its snapshots. */
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

/* Stores the people shown in `then`, a moment of the recording, with their teams and with the names
 * that the recording has, else "". Returns whether the people differ from those stored before. */
bool past_people_update(struct past_people *people, const struct scene *then,
                        const struct recording *recording);

#endif
