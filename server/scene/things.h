/* Walls, food and hunters that people place into a running flock. For the files of scene/; a room
 * calls things_accept() and things_count(). */
#ifndef SCENE_THINGS_H
#define SCENE_THINGS_H

#include <stdbool.h>

#include "protocol.h"
#include "scene/change.h"
#include "scene/inputs.h"

struct flock;
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

/* Whether a message of those three has a valid place for its thing; else fills *error. */
bool things_accept(const struct flock *flock, const struct proto_client_message *message,
                   struct proto_error *error);

/* Returns how many things of that kind there are. */
uint32_t things_count(const struct flock *flock, enum input_thing kind);

/* Removes a thing by its index, which must exist. The removal is no step of undo; but undo of an
 * earlier erase, clear or reset replaces all things. Returns false, with *error filled and nothing
 * changed, if memory runs out. */
bool things_discard(struct scene *scene, enum input_thing kind, uint32_t index,
                    struct proto_error *error);

/* Removes a hunter by its index, which must exist. */
void things_remove_hunter(struct flock_things *things, uint32_t index);

/* Removes the nearest of all food, hunters and walls, if it is near enough. */
bool things_erase(struct scene *scene, const struct proto_erase *message, struct change *change,
                  struct proto_error *error);

/* Removes all food, hunters and walls. */
bool things_clear(struct scene *scene, struct change *change, struct proto_error *error);

/* Restores the things before a change. Returns false, with *error filled and nothing changed, if
 * memory runs out. */
bool things_restore(struct scene *scene, const struct flock_things *before,
                    struct proto_error *error);

/* Takes back drawings, up to `foods` pieces of food among them: removes what is new, and moves
 * nothing else. Returns false as things_restore() does. */
bool things_take_back(struct scene *scene, uint32_t foods, const struct flock_things *before,
                      struct proto_error *error);

#endif
