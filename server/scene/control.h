/* What presenters choose from lists, and the parameters: one table of controls, from which the
 * schema that clients draw and the answer to `set` are both made. For the room's own files. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

/* Both fill *change, and return false, with *error filled and nothing changed, if refused. */
bool control_set(struct scene *scene, const struct proto_set *message, struct change *change,
                 struct proto_error *error);
bool control_param(struct scene *scene, const struct proto_param *message, struct change *change,
                   struct proto_error *error);

/* The controls as they travel: what can be chosen, and what is. Returns how many. */
uint32_t control_describe(const struct scene *scene, struct proto_control out[PROTO_CONTROLS_MAX]);

/* The index-th word that a control of every scene offers; NULL beyond the last one and for an
 * unknown control. Any thread. */
const char *control_choice(const char *control, size_t index);

/* The value in force of the control of that name; "": none of its choices, or no such control. */
const char *control_value(const struct scene *scene, const char *name);

#endif
