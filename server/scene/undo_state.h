/* The steps of an undo as part of a saved room that goes to another node. For the files that save
 * and load rooms. */
#ifndef UNDO_STATE_H
#define UNDO_STATE_H

#include "scene/flock_state.h"
#include "scene/saved.h"
#include "scene/undo.h"

/* MessagePack values of all steps, at most. */
#define UNDO_VALUES (UNDO_MAX * (2u * FLOCK_STATE_VALUES + 128u))

/* Writes the steps as the value of that key, unless there are none. */
void undo_put(struct saved *saved, const char *key, const struct scene *scene);

/* Reads the steps into a loaded scene without steps. value: NULL: there are none. A flock that the
 * budget or the scene's boids_max does not allow is left out, as undo.h says. Returns false, with
 * a text in `problem`, if the bytes are no steps: the scene then has none, and the reader has not
 * failed. */
bool undo_read(struct saved_reader *reader, const msgpack_object *value, struct scene *scene,
               char *problem, size_t problem_size);

#endif
