/* The boids of a room as they come and go: within the room's limit, and that of all rooms. For the
 * room's own files. */
#ifndef BOIDS_H
#define BOIDS_H

#include <stdbool.h>

#include "scene/scene.h"

/* Leaves one. */
void boids_remove(struct scene *scene, const struct proto_remove *message);

/* Each of these returns false, fills *error and changes nothing when it cannot be done. */
bool boids_add(struct scene *scene, const struct proto_add *message, struct proto_error *error);

/* As many boids as in the beginning, or as the preset in force has, where they were then. */
bool boids_reset(struct scene *scene, struct proto_error *error);

/* The preset's flock, at its beginning; of a preset with more boids than the room may have, as many
 * as that. */
bool boids_preset(struct scene *scene, const struct flock_preset *preset,
                  struct proto_error *error);

/* One tick more, though the flock is paused. */
bool boids_step(struct scene *scene, struct proto_error *error);

#endif
