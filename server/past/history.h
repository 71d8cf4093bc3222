/* The recent past of a scene: checkpoints, and the inputs after each, from which a replay makes any
 * moment again (replay.h). Its owner calls it for everything that changes the scene. It is bounded
 * in ticks and in bytes: the oldest parts go first. It holds no names, tokens or keys, reads no
 * clock and has no threads; any thread may use what history_hold() returns.
 *
 * A part begins with a checkpoint, right before a tick. The next part begins when repeating this
 * one would take long, or after a change that no input describes. A scene that does not tick gets
 * no longer past. */
#ifndef HISTORY_H
#define HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "past/recording.h"
#include "scene/scene.h"

/* Bytes of the past of one scene. Beside the checkpoints, ten minutes of MOVES_SECOND cursors
 * (room/moves.h) of 17 bytes fit into it. */
#define HISTORY_BYTES_MAX  (32u << 20)
#define HISTORY_STATES_MAX (8u << 20) /* of all checkpoints in a past of the whole length */
#define HISTORY_STATE_MAX  (HISTORY_STATES_MAX / 2) /* of one checkpoint */

struct history;
struct history_budget;
struct film;
struct earlier_past;

/* Returns NULL when memory runs out; destroy takes NULL.
 * length: µs of the past that it keeps. budget: NULL: no limit. */
struct history *history_create(uint64_t length, struct history_budget *budget);
void history_destroy(struct history *history);

/* Puts a film before everything else, right after the history was made. The history holds the film
 * and drops it first, as a whole. */
void history_begin_with(struct history *history, struct film *film);

/* Continues the past of a scene that was saved: copies the parts of the recording into a history
 * without parts. Leaves out parts that are too old, and the oldest ones that the budget does not
 * allow. Returns false if not even one part fits. The recording must have been
 * checked: see saved_past.h. */
bool history_continue(struct history *history, const struct recording *recording,
                      const struct scene *scene);

/* Adds a past from another node in front of this history, newest part first. Stops at the first
 * part that is too old or does not fit. Drops no part. Removes the parts that it adds from `past`.
 * Returns false, with nothing added, if not even one part fits, if the past does not end before the
 * first part of the history, or if it has another budget. */
bool history_prepend(struct history *history, struct earlier_past *past, const struct scene *scene);

/* Returns the film that the history begins with, borrowed; NULL if there is none. */
struct film *history_film(const struct history *history);

/* Each of these takes NULL for a scene that keeps no past. Times are on the scene's clock. */

/* Ticks the scene, and records that. */
enum scene_tick_result history_tick(struct history *history, struct scene *scene,
                                    struct flock_workspace *workspace, uint64_t time);

/* Applies the input to the scene as scene_apply() does. Records it, or begins a new part if a
 * replay cannot repeat it. */
bool history_apply(struct history *history, struct scene *scene, const struct input *input,
                   struct change *change, struct proto_error *error);

/* Must be called after a change that is no input: the next tick begins a new part. */
void history_cut(struct history *history, const struct scene *scene);

/* Returns how many rounds ago its first part began; 0: it has no part. */
uint64_t history_rounds(const struct history *history, const struct scene *scene);

/* Returns the past as a recording without names, the caller's to destroy; NULL without a past or
 * memory. Copies nothing that is older than the last checkpoint. */
struct recording *history_hold(struct history *history, const struct scene *scene);

/* Bytes that it takes. */
size_t history_bytes(const struct history *history);

#endif
