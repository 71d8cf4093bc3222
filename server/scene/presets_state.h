/* A room's saved presets as bytes: a part of room_state.h. For the room's own files. */
#ifndef PRESETS_STATE_H
#define PRESETS_STATE_H

#include "scene/presets.h"
#include "scene/saved.h"

/* Values that they take at most, and bytes that they take, about. */
#define PRESETS_VALUES ((PRESETS_MAX + 2u) * (32u + 2u * FLOCK_PARAMS_MAX))
size_t presets_size(const struct scene *scene);

/* How many there are to keep; under that key, unless there are none. */
size_t presets_count(const struct scene *scene);
void presets_put(struct saved *saved, const char *key, const struct scene *scene);

/* Into a room that has none. The value may be NULL: there are none. */
void presets_read(struct saved_reader *reader, const msgpack_object *value, struct scene *scene);

#endif
