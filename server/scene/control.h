/* What presenters choose from lists, and the parameters: one table of controls, from which the
 * schema that clients draw and the answer to `set` are both made. For the room's own files. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"

/* Each returns false, fills *error and changes nothing when it cannot be done. */
bool control_set(struct room *room, const struct proto_set *message, struct proto_error *error);
bool control_param(struct room *room, const struct proto_param *message, struct proto_error *error);

/* The controls as they travel: what can be chosen, and what is. Returns how many. */
uint32_t control_describe(const struct room *room, struct proto_control out[PROTO_CONTROLS_MAX]);

/* Whether to choose what is in force already changes something, such as parameters that were moved.
 */
bool control_makes_flock(const char *name);

/* The value in force of the control of that name; "": none of its choices, or no such control. */
const char *control_value(const struct room *room, const char *name);

#endif
