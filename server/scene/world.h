/* Which points a room takes from outside, and how its cursors are kept to its world, which is what
 * all can see: a target beyond it would take the flock off everybody's screen. For the room's own
 * files. */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>

#include "scene/scene.h"

/* Whether a point, in world units, lies in the range of positions (PROTOCOL.md) of this scene; else
 * false, and *error says what was expected. */
bool world_reaches(const struct scene *scene, float x, float y, struct proto_error *error);

/* Moves the point to the nearest one in the world: 0 to its width, 0 to its height. */
void world_keep(const struct scene *scene, float *x, float *y);

/* Whether the person's cursor is beyond the world. */
bool world_has_beyond(const struct scene *scene, const struct person *person);

#endif
