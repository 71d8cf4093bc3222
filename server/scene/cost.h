/* Refuses changes after which a tick would take longer than the room's tick_limit, where that can
 * be foreseen. A tick may look at a thousand pairs of boids for each µs of the limit (1 ns a pair),
 * and at fewer in the sequential order (flock_pair_cost()). How many it would look at is estimated
 * from the positions of some of the boids and from how far the model looks. A change that makes
 * ticks no more expensive is always allowed. For the room's own files. */
#ifndef COST_H
#define COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/scene.h"

/* Each returns false and fills *error if the ticks would be too expensive: */

/* So many boids more, around a point. */
bool cost_allows_add(const struct scene *scene, const struct proto_add *message,
                     struct proto_error *error);

/* The present model with another value of a parameter; another model, at its defaults. */
bool cost_allows_param(const struct scene *scene, size_t index, float value,
                       struct proto_error *error);
bool cost_allows_model(const struct scene *scene, const struct flock_model *model,
                       struct proto_error *error);

/* Another update order; of the sequential one only SCENE_SEQUENTIAL_MAX boids are ever allowed. */
bool cost_allows_update(const struct scene *scene, enum flock_update update,
                        struct proto_error *error);

/* So many boids in the present update order: whether that is one for so many at all. what: how the
 * error begins. */
bool cost_allows_count(const struct scene *scene, uint32_t boids, const char *field,
                       const char *what, struct proto_error *error);

/* To go back to that flock, or to let the present one go on, as that definition and these
 * parameters say. */
bool cost_allows_undo(const struct scene *scene, const struct flock *flock,
                      const struct flock_definition *definition, const float *params,
                      struct proto_error *error);

/* So many boids, spread over the present world. */
bool cost_allows_reset(const struct scene *scene, uint32_t boids, struct proto_error *error);
bool cost_allows_preset(const struct scene *scene, const struct flock_preset *preset,
                        struct proto_error *error);

/* To let the flock go on as it is. what: how the error begins. */
bool cost_allows_ticks(const struct scene *scene, const char *field, const char *what,
                       struct proto_error *error);

#endif
