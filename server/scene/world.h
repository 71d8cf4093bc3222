/* Which points a scene accepts, and how cursors are kept in its world: a target beyond the world
 * would lead the flock off every screen. For the files of scene/, and for rooms. */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>

#include "scene/scene.h"

/* Whether a point, in world units, lies in the range of positions (PROTOCOL.md); else fills *error.
 */
bool world_reaches(const struct scene *scene, float x, float y, struct proto_error *error);

/* Moves the point to the nearest point of the world, 0 to its width and 0 to its height. */
void world_keep(const struct scene *scene, float *x, float *y);

/* Whether the person's cursor is beyond the world. */
bool world_has_beyond(const struct scene *scene, const struct person *person);

#endif
