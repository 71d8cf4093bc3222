/* How rooms are made of definitions and scenes. For the room's own files. */
#ifndef ROOM_MAKE_H
#define ROOM_MAKE_H

#include "room/room.h"
#include "scene/scene.h"

/* Returns the definition of the scene in a room of that definition. */
struct scene_definition room_scene_definition(const struct room_definition *definition);

/* Makes a room of that scene, which it takes over (NULL: returns NULL). Returns NULL, and destroys
 * the scene, when memory runs out. */
struct room *room_create_with(const struct room_definition *definition,
                              const struct room_sink *sink, struct scene *scene);

#endif
