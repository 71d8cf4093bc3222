/* Adding, removing and placing a scene's boids, within its limit and the budget of all scenes. For
 * the files of scene/. */
#ifndef BOIDS_H
#define BOIDS_H

#include <stdbool.h>

#include "scene/scene.h"

/* Removes boids, but leaves one. */
void boids_remove(struct scene *scene, const struct proto_remove *message);

/* These return false, with *error filled and nothing changed, if refused. */
bool boids_add(struct scene *scene, const struct proto_add *message, struct proto_error *error);

/* Puts the flock back to its beginning: the number of boids that the scene or its preset began
 * with, where they were. */
bool boids_reset(struct scene *scene, struct proto_error *error);

/* Makes the preset's flock, at its beginning, with no more boids than the scene's limit. */
bool boids_preset(struct scene *scene, const struct flock_preset *preset,
                  struct proto_error *error);

/* Asks for one tick of a paused flock. */
bool boids_step(struct scene *scene, struct proto_error *error);

#endif
