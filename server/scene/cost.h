/* Refuses changes after which a tick would exceed the scene's tick_limit, where that can be
 * foreseen. A tick may look at 1,000 pairs of boids for each µs of the limit (1 ns a pair), and at
 * fewer in the sequential order (flock_pair_cost()). The number of pairs is estimated from the
 * positions of a sample of the boids and from how far the model looks. A change that makes ticks no
 * more expensive is always allowed. For the files of scene/. */
#ifndef COST_H
#define COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/scene.h"

/* Each returns false, with *error filled, if ticks would be too expensive after a change: */

/* Boids are added around a point. */
bool cost_allows_add(const struct scene *scene, const struct proto_add *message,
                     struct proto_error *error);

/* A parameter of the present model gets another value. Another model is chosen, at its defaults. */
bool cost_allows_param(const struct scene *scene, size_t index, float value,
                       struct proto_error *error);
bool cost_allows_model(const struct scene *scene, const struct flock_model *model,
                       struct proto_error *error);

/* Another update order is chosen. The sequential order allows SCENE_SEQUENTIAL_MAX boids at most.
 */
bool cost_allows_update(const struct scene *scene, enum flock_update update,
                        struct proto_error *error);

/* The flock has that number of boids: checks the limit of the sequential order. what: begins the
 * error's text. */
bool cost_allows_count(const struct scene *scene, uint32_t boids, const char *field,
                       const char *what, struct proto_error *error);

/* A flock is restored, or the present one goes on, with those settings. */
bool cost_allows_undo(const struct scene *scene, const struct flock *flock,
                      const struct flock_settings *settings, struct proto_error *error);

/* A reset or a preset spreads boids over the world. */
bool cost_allows_reset(const struct scene *scene, uint32_t boids, struct proto_error *error);
bool cost_allows_preset(const struct scene *scene, const struct flock_settings *settings,
                        uint32_t boids, struct proto_error *error);

/* For the unchanged flock. what: begins the error's text. */
bool cost_allows_ticks(const struct scene *scene, const char *field, const char *what,
                       struct proto_error *error);

#endif
