/* A scene's saved presets as a part of its bytes (scene_state.h). For the files of scene/. */
#ifndef PRESETS_STATE_H
#define PRESETS_STATE_H

#include "scene/presets.h"
#include "scene/saved.h"

/* The most MessagePack values of the presets, and about how many bytes they take. */
#define PRESETS_VALUES ((PRESETS_MAX + 2u) * (40u + 2u * FLOCK_PARAMS_MAX))
size_t presets_size(const struct scene *scene);

/* Return how many presets are to be saved, and write them as the value of that key unless there are
 * none. */
size_t presets_count(const struct scene *scene);
void presets_put(struct saved *saved, const char *key, const struct scene *scene);

/* Reads presets into a scene without any. value: NULL: there are none. */
void presets_read(struct saved_reader *reader, const msgpack_object *value, struct scene *scene);

#endif
