/* A recording: an immutable list of parts, each a checkpoint (scene_state.h) and the inputs after
 * it (inputs.h), and its file. Any thread; the caller that made it destroys it.
 *
 * The file is like a saved room (scene/saved.h), of kind 'H', with these keys:
 *
 * version: of the flockd that made it, text. models: the version of each of its models by name;
 * equal versions move a flock equally. tick_rate, boids_max. names: [id, name] of people, if asked
 * for. marks: [round, by, who, name, what, from, to], who is "" unless names are asked for; files
 * of earlier versions have none.
 *
 * index: 32 bytes for each part, little-endian, in ascending order: rounds before it, ticks before
 * it and the scene's clock (µs), uint64 each; rounds in it, and 1 if it follows the part before it,
 * uint32 each. states, inputs: a bin for each part. */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "past/keyframes.h"
#include "past/marks.h"
#include "protocol.h"
#include "sim/flock.h"

#define RECORDING_PARTS_MAX  65536u
#define RECORDING_NAMES_MAX  65536u
#define RECORDING_INDEX_SIZE 32u /* bytes of a part in the index */

/* A round is one scene_tick(): a tick of the flock, or a round in which it is paused. */
struct recording_part {
    uint64_t round, tick; /* rounds before it, and ticks of the flock before it */
    uint64_t clock;       /* µs: the scene's */
    uint32_t rounds;      /* in it */
    bool follows;         /* it begins where the part before it ended */
    const uint8_t *state, *inputs;
    size_t state_size, input_size;
    const struct keyframes
        *keyframes; /* of moments in it, and maybe of others; NULL: none. A file has none */
};

struct recording_name {
    uint32_t id;
    char name[PROTO_NAME_MAX + 1];
};

struct recording {
    char version[PROTO_WORD_MAX + 1];  /* of flockd */
    uint32_t models[FLOCK_MODELS_MAX]; /* versions, in the order of flock_models; 0: it lacks the
                                          model */
    uint32_t tick_rate, boids_max;
    uint32_t people_max; /* at a time in a replay; 0: as many as in any room. A file has none */
    struct recording_name *names; /* in ascending order of ids */
    size_t name_count;
    struct marks marks; /* of changes in it, in ascending order of rounds */
    struct recording_part *parts;
    size_t count;
    /* Releases the memory that the parts lie in. */
    void (*release)(void *memory);
    void *memory;
};

/* Takes NULL. */
void recording_destroy(struct recording *recording);

/* Makes it a recording of this build, without parts or names. */
void recording_begin(struct recording *recording, uint32_t tick_rate, uint32_t boids_max);

/* Adds names, and sorts them by id. Returns false if memory runs out. */
bool recording_add_names(struct recording *recording, const struct recording_name *names,
                         size_t count);

/* Returns the index of the part that has the moment after `round` rounds: the last part that does
 * not begin later, or the first part. There must be at least one part. */
size_t recording_find(const struct recording *recording, uint64_t round);

/* Returns the index of the part in which the flock reached that number of ticks. */
size_t recording_find_tick(const struct recording *recording, uint64_t tick);

/* Returns the last checkpoint of the part with that index that is not after `round`: a keyframe, or
 * the part's own. Its state belongs to the recording. */
struct checkpoint recording_checkpoint(const struct recording *recording, size_t index,
                                       uint64_t round);

/* Returns the number of rounds at its end. */
uint64_t recording_end(const struct recording *recording);

/* Returns the file's bytes, which the caller frees, and their *size; NULL when memory runs out or
 * there would be more than SAVED_MAX. recording_file.h reads them in pieces. */
uint8_t *recording_write(const struct recording *recording, bool names, size_t *size);

/* Makes a recording of bytes, which may be anything and must outlive it. Returns NULL, with a text
 * in `problem`, if they are no recording. A replay checks the contents of the parts. */
struct recording *recording_read(const uint8_t *bytes, size_t size, char *problem,
                                 size_t problem_size);

#endif
