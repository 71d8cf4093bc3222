/* Keyframes: saved scenes between the checkpoints of a recording, or of a part, so that a replay
 * reaches any moment soon. One thread adds keyframes, in ascending order; others may search at the
 * same time. A keyframe stays once it was added. Reference-counted; any thread. */
#ifndef KEYFRAMES_H
#define KEYFRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/inputs.h"
#include "scene/scene.h"

struct history_budget;

/* A saved scene in a part of a recording: the part's own, or a keyframe. */
struct checkpoint {
    uint64_t round;            /* rounds before it */
    size_t at;                 /* bytes of the part's inputs before it */
    struct input_clock clock;  /* of the inputs after it */
    uint32_t controls, params; /* the versions of a replayed scene there */
    uint8_t *state;            /* scene_save() */
    size_t size;
};

struct keyframes;

/* Keyframes in one list, at most. */
#define KEYFRAMES_MAX 16384u

/* Boids times rounds between keyframes, if the budget allows: a replay repeats as many in about
 * 0.05 s, or 0.1 s where boids are dense. */
#define KEYFRAME_WORK 500000u

/* Makes a list for `most` keyframes, KEYFRAMES_MAX at most. All its memory is taken from the budget
 * (NULL: no limit), which the list holds. Returns NULL when memory runs out.
 * keyframes_release() takes NULL; the last release frees the list. */
struct keyframes *keyframes_create(struct history_budget *budget, uint32_t most);
struct keyframes *keyframes_hold(struct keyframes *keyframes);
void keyframes_release(struct keyframes *keyframes);

/* Sets the budget of a list without keyframes. */
void keyframes_set_budget(struct keyframes *keyframes, struct history_budget *budget);

/* Takes bytes for one more keyframe, whose state will have about `size`; keyframes_add() must be
 * called afterwards. Returns false, with nothing taken, if the list is full, memory runs out, or
 * keyframes would take more than half of the budget. */
bool keyframes_reserve(struct keyframes *keyframes, size_t size);

/* Adds the keyframe that bytes were reserved for. Takes over its state (malloc'ed; NULL: saving it
 * failed) and gives back bytes that it does not need. Returns false if the keyframe was not added,
 * as above. */
bool keyframes_add(struct keyframes *keyframes, const struct checkpoint *keyframe, size_t reserved);

/* Adds a keyframe with the scene's present state. */
bool keyframes_add_scene(struct keyframes *keyframes, struct checkpoint *keyframe,
                         const struct scene *scene, uint64_t time);

/* Returns the last keyframe after the round `from` and not after `round`; NULL without one. */
const struct checkpoint *keyframes_find(const struct keyframes *keyframes, uint64_t from,
                                        uint64_t round);

size_t keyframes_count(const struct keyframes *keyframes);

/* Returns the bytes of the list. While keyframes are added, only the adding thread may call it. */
size_t keyframes_bytes(const struct keyframes *keyframes);

#endif
