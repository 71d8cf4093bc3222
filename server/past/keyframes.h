/* Moments of a recording, or of one of its parts, as whole rooms between its checkpoints, so that
 * any other moment is soon made again. One thread adds them, in ascending order; others may look
 * for them meanwhile, and what they find stays. Refcounted; any thread. */
#ifndef KEYFRAMES_H
#define KEYFRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/scene.h"

struct history_budget;
#include "scene/inputs.h"

struct keyframe {
    uint64_t round;            /* after which it is: not the first of its part */
    size_t at;                 /* bytes of its part's inputs that came before it */
    struct input_clock clock;  /* of those after it */
    uint32_t controls, params; /* the versions of a replayed scene there */
    uint8_t *state;            /* scene_save() */
    size_t size;
};

struct keyframes;

/* Keyframes in one such list, at most. */
#define KEYFRAMES_MAX 16384u

/* Boids times rounds from one keyframe or checkpoint to the next, where there are bytes for them:
 * made again in some 0.05 s, or twice that where boids are dense. */
#define KEYFRAME_WORK 500000u

/* For `most` keyframes (KEYFRAMES_MAX if it is more). All memory that they take is taken from the
 * budget (NULL: no limit), which outlives them. NULL when memory runs out; release takes NULL, and
 * the last one frees them. */
struct keyframes *keyframes_create(struct history_budget *budget, uint32_t most);
struct keyframes *keyframes_hold(struct keyframes *keyframes);
void keyframes_release(struct keyframes *keyframes);

/* The budget that their bytes are taken from; while there are none yet. */
void keyframes_set_budget(struct keyframes *keyframes, struct history_budget *budget);

/* Takes the bytes for another one, whose state will have about `size`, before the state is made;
 * keyframes_add() is due after it. False, and nothing is taken: there are as many as there may be,
 * there is no memory, or more than half of the budget would be taken. */
bool keyframes_reserve(struct keyframes *keyframes, size_t size);

/* Adds the one for which so many bytes were reserved. Its state (malloc'ed, or NULL: it could not
 * be made) is taken over in any case, and the bytes that it does not need are given back. False: it
 * was not added, as above. */
bool keyframes_add(struct keyframes *keyframes, const struct keyframe *keyframe, size_t reserved);

/* Adds a keyframe of the scene as it is at that time: fills its state. */
bool keyframes_add_scene(struct keyframes *keyframes, struct keyframe *keyframe,
                         const struct scene *scene, uint64_t time);

/* The last one after the round `from` and not after `round`; NULL: there is none. */
const struct keyframe *keyframes_find(const struct keyframes *keyframes, uint64_t from,
                                      uint64_t round);

size_t keyframes_count(const struct keyframes *keyframes);

/* Bytes that they take. While one is added only its thread may ask. */
size_t keyframes_bytes(const struct keyframes *keyframes);

#endif
