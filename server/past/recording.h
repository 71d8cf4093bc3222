/* What happened in a room: an immutable list of parts, each a checkpoint (room_state.h) and the
 * inputs after it (inputs.h), and the file that it is kept in. Whoever has one destroys it; any
 * thread.
 *
 * The file is like a saved room (scene/saved.h: head, checksum, one MessagePack map), of kind 'H':
 *
 *   version            of flockd that made it, text
 *   models             version of each of its models by name: equal ones move a flock equally
 *   tick_rate, boids_max
 *   names              [id, name] of people, if it was asked for
 *   index              of each part 32 bytes, little-endian, in ascending order: rounds before it,
 *                      ticks before it, the room's clock (µs), uint64 each; rounds in it, and 1 if
 *                      it goes on where the part before it ended, uint32 each
 *   states, inputs     of each part a bin */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"
#include "sim/flock.h"

#define RECORDING_PARTS_MAX 65536u
#define RECORDING_NAMES_MAX 65536u

struct keyframes;

/* A round is a room_tick(): a tick of the flock, or one in which it is paused. */
struct recording_part {
    uint64_t round, tick; /* rounds, and ticks of the flock, that were made before it */
    uint64_t clock;       /* µs: the room's */
    uint32_t rounds;      /* in it */
    bool follows;         /* it goes on where the part before it ended */
    const uint8_t *state, *inputs;
    size_t state_size, input_size;
    const struct keyframes *keyframes; /* of moments in it, and maybe of others; or NULL. No file
                                          has them */
};

struct recording_name {
    uint32_t id;
    char name[PROTO_NAME_MAX + 1];
};

struct recording {
    char version[PROTO_WORD_MAX + 1];  /* of flockd */
    uint32_t models[FLOCK_MODELS_MAX]; /* versions, in the order of flock_models; 0: it had none */
    uint32_t tick_rate, boids_max;
    struct recording_name *names; /* of a room's past in ascending order of ids */
    size_t name_count;
    struct recording_part *parts;
    size_t count;
    /* Releases what the parts lie in; the rest is the recording's own. */
    void (*release)(void *memory);
    void *memory;
};

/* Takes NULL. */
void recording_destroy(struct recording *recording);

/* That of this build, without parts or names. */
void recording_begin(struct recording *recording, uint32_t tick_rate, uint32_t boids_max);

/* Adds names, and sorts them by id. Returns false if memory runs out. */
bool recording_add_names(struct recording *recording, const struct recording_name *names,
                         size_t count);

/* The index of the part in which the moment after so many rounds can be made again: the last that
 * does not begin after it; or the first of all. There is at least one. */
size_t recording_find(const struct recording *recording, uint64_t round);

/* The same for the moment at which the flock had made so many ticks for the first time. */
size_t recording_find_tick(const struct recording *recording, uint64_t tick);

/* The round after the last. */
uint64_t recording_end(const struct recording *recording);

/* The file's bytes, the caller's to free, and *size; NULL when memory runs out or it would have
 * more than SAVED_MAX. */
uint8_t *recording_write(const struct recording *recording, bool names, size_t *size);

/* A recording of such bytes, which may be anything, and which it lies in: they stay the caller's,
 * and must outlive it. NULL, and `problem` says what is wrong with them. What the parts hold is
 * looked at when they are replayed. */
struct recording *recording_read(const uint8_t *bytes, size_t size, char *problem,
                                 size_t problem_size);

#endif
