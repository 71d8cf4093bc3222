/* Moments of a recording as whole rooms, between its checkpoints, so that any other moment is soon
 * made again. One thread adds them, in ascending order; others may look for them meanwhile, and
 * what they find stays. */
#ifndef KEYFRAMES_H
#define KEYFRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "room/inputs.h"
#include "room/room.h"

struct keyframe {
    uint64_t round;
    size_t part;                           /* of the recording */
    size_t at;                             /* bytes of the part's inputs that came before it */
    struct input_clock clock;              /* of those after it */
    uint32_t room_version, params_version; /* that the replay had: see VIEW_ROOM */
    uint8_t *state;                        /* room_save_bare() */
    size_t size;
};

struct keyframes;

/* What they take is taken from the budget (NULL: no limit), which outlives them. NULL when memory
 * runs out; destroy takes NULL. */
struct keyframes *keyframes_create(struct history_budget *budget);
void keyframes_destroy(struct keyframes *keyframes);

/* Of none yet: takes them from that budget. */
void keyframes_count_in(struct keyframes *keyframes, struct history_budget *budget);

/* Adds one, whose state (malloc'ed) is taken over in any case. False: no more may be added, for
 * they would take more than half of the budget, or memory has run out. */
bool keyframes_add(struct keyframes *keyframes, const struct keyframe *keyframe);

/* The last one of that part at that round or before; NULL: there is none. */
const struct keyframe *keyframes_find(const struct keyframes *keyframes, size_t part,
                                      uint64_t round);

size_t keyframes_count(const struct keyframes *keyframes);

#endif
