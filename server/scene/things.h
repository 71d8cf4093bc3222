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

/* Removes all of them. */
bool things_clear(struct scene *scene, struct change *change, struct proto_error *error);

/* Takes a change of things back; `before` are the things of before it. Food that was eaten and
 * hunters that moved since then stay as they are now, except what `erase` and `clear` removed.
 * Returns false, with *error filled and nothing changed, if memory runs out. */
bool things_restore(struct scene *scene, enum proto_type type, const struct flock_things *before,
                    struct proto_error *error);

#endif
