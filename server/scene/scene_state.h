/* A scene as bytes, from which it continues bit for bit: flock, controls, people with their cursors
 * and roles, and clock. Names, tokens and keys are not part of it; a saved room has them beside it
 * (room/room_state.h). Pure: no files, no clock.
 *
 * The bytes are a MessagePack map: `settings`, `presets` (unless there are none), `time`, `people`,
 * `class` (unless there are no teams and no relay) and `flock`. */
#ifndef SCENE_STATE_H
#define SCENE_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "scene/people_state.h"
#include "scene/saved.h"
#include "scene/scene.h"

/* Returns the bytes, which the caller frees, and *size; NULL when memory runs out. time: on the
 * scene's clock. The bytes lack the checksum: saved_seal() writes it, on any thread. */
uint8_t *scene_save(const struct scene *scene, uint64_t time, size_t *size);

/* Returns about how many bytes scene_save() makes. */
size_t scene_save_size(const struct scene *scene);

/* Makes a scene of bytes, which may be anything, and stores the clock at which it was saved. The
 * limits, the budget and the lanes are the definition's; a scene with more boids than the limit
 * keeps them and gets no more, and a reset makes no more. Returns NULL, and says in `problem` what
 * is wrong. */
struct scene *scene_load(const struct scene_definition *definition, const uint8_t *bytes,
                         size_t size, uint64_t *clock, char *problem, size_t problem_size);

/* Returns the number of boids of a saved room's flock; 0: the bytes are no room. */
uint32_t scene_saved_boids(const uint8_t *bytes, size_t size);

/* ---- for what saves and loads rooms ---- */

/* MessagePack values of a saved room at most. */
#define SCENE_VALUES_MAX 2600000u

/* scene_put_settings() writes pairs into the open map `settings`, scene_put() the other pairs of
 * the root. Flock, controls and presets are from `shown`, people and clock from `scene`: a
 * room that plays a film saves the moment that it shows. */
void scene_put_settings(struct saved *saved, const struct scene *scene, const struct scene *shown);
void scene_put(struct saved *saved, const struct scene *scene, const struct scene *shown,
               uint64_t time, const struct person_identity *identities);

/* Makes a scene of the root's pairs. Returns NULL, and the reader fails, if they are not a scene.
 * identities: see people_read(); unless NULL, the caller must free *identities either way. */
struct scene *scene_read(struct saved_reader *reader, const msgpack_object_map *map,
                         const struct scene_definition *definition, uint64_t *clock,
                         struct person_identity **identities);

#endif
