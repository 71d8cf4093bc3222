/* The passing value of a parameter, which a sweep sets (enum input_passing), and the lasting value
 * before it. Undo and saved rooms know only the lasting one. */
#ifndef PASSING_H
#define PASSING_H

#include <stdbool.h>

#include "scene/scene.h"

/* Must be called after each message that the scene has applied. A passing input keeps the value
 * before it. Another value of the parameter, a new model and a new preset end the passing value. */
void passing_follow(struct scene *scene, const struct input *input, const struct change *change);

/* Whether a parameter has a passing value. An undo also ends it. */
bool scene_is_passing(const struct scene *scene);

/* Returns the lasting value of the parameter that has a passing one. */
float scene_lasting(const struct scene *scene);

/* The passing value lasts from now on. */
void scene_keep_passing(struct scene *scene);

/* Exchanges a passing value for the lasting one, so that the scene can be saved without it. Must be
 * called again afterwards. */
void scene_swap_passing(struct scene *scene);

#endif
