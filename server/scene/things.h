/* Walls, food and hunters that people place into a running flock. For the files of scene/. */
#ifndef SCENE_THINGS_H
#define SCENE_THINGS_H

#include <stdbool.h>

#include "protocol.h"
#include "scene/change.h"

struct flock_things;
struct scene;

/* Each returns false, with *error filled and nothing changed, if the message is refused. A wall
 * changes the boundary to `walls`, and a hunter gives a fearless flock its strength of flight. */
bool things_food(struct scene *scene, const struct proto_food *message, struct change *change,
                 struct proto_error *error);
bool things_hunter(struct scene *scene, const struct proto_hunter *message, struct change *change,
                   struct proto_error *error);
bool things_wall(struct scene *scene, const struct proto_wall *message, struct change *change,
                 struct proto_error *error);

/* Removes the nearest of all food, hunters and walls, if it is near enough. */
bool things_erase(struct scene *scene, const struct proto_erase *message, struct change *change,
                  struct proto_error *error);

/* Removes all food, hunters and walls. */
bool things_clear(struct scene *scene, struct change *change, struct proto_error *error);

/* Takes back a change of that type; `before`: the things before the change. Undo of `food` or
 * `hunter` removes the new thing and no other. Undo of other changes restores the things before the
 * change. Returns false, with *error filled and nothing changed, if memory runs out. */
bool things_restore(struct scene *scene, enum proto_type type, const struct flock_things *before,
                    struct proto_error *error);

#endif
