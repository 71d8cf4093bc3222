/* A flock as bytes, from which it continues bit for bit in another process, with other threads and
 * lanes. Pure: no files, no clock. */
#ifndef FLOCK_STATE_H
#define FLOCK_STATE_H

#include "scene/saved.h"
#include "sim/flock.h"

#define FLOCK_STATE_VALUES 512u /* MessagePack values of a flock, keys among them, at most */

/* Returns the bytes, which the caller frees, and their *size; NULL when memory runs out. */
uint8_t *flock_save(const struct flock *flock, size_t *size);

/* Makes a flock of bytes, which may be anything. Returns NULL, with a text in `problem`, if they
 * are no flock. */
struct flock *flock_load(const uint8_t *bytes, size_t size, uint32_t lanes, char *problem,
                         size_t problem_size);

/* Write and read a flock as the value of a key. flock_state_read() returns NULL if the reader has
 * failed, now or before. */
void flock_state_put(struct saved *saved, const char *key, const struct flock *flock);
struct flock *flock_state_read(struct saved_reader *reader, const msgpack_object *value,
                               uint32_t lanes);

/* Write and read a flock's settings as pairs of the open map. A parameter that the map lacks has
 * the value of flock_param_before(); the reader fails at an unknown one, and says its name, and at
 * settings that are not valid. */
void flock_settings_put(struct saved *saved, const struct flock_settings *settings);
struct flock_settings flock_settings_read(struct saved_reader *reader,
                                          const msgpack_object_map *map);

/* Write and read food and hunters as pairs of the open map. Their positions are not checked. */
void flock_things_put(struct saved *saved, const struct flock_things *things);
void flock_things_read(struct saved_reader *reader, const msgpack_object_map *map,
                       struct flock_things *things);

/* Returns about how many bytes the flock takes. */
size_t flock_state_size(const struct flock *flock);

#endif
