/* The answer to `param`: sets a parameter of the flock's model. For the files of scene/. */
#ifndef PARAM_H
#define PARAM_H

#include <stdbool.h>

#include "scene/scene.h"

/* Fills *change. Returns false, with *error filled and nothing changed, if refused. */
bool param_set(struct scene *scene, const struct proto_param *message, struct change *change,
               struct proto_error *error);

#endif
