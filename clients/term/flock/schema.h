/* Look-ups in the server's description of its room. Pure; any thread. */
#ifndef TERM_SCHEMA_H
#define TERM_SCHEMA_H

#include "protocol.h"

#include <stddef.h>

/* Return the entry of that name, or NULL. */
const struct proto_control *schema_control(const struct proto_room *room, const char *name);
const struct proto_room_param *schema_param(const struct proto_room *room, const char *name);
const struct proto_choice *schema_choice(const struct proto_control *control, const char *value);

/* Returns the value of the control of that name, or "". */
const char *schema_value(const struct proto_room *room, const char *name);

/* Stores the least and the greatest value that the parameter can have now. In a pair such as
 * min_speed and max_speed, each parameter limits the other. */
void schema_limits(const struct proto_room *room, const struct proto_room_param *param,
                   float *least, float *most);

/* Writes a room's code as people read it, such as "FK7 2MX". code: from the server or from a user.
 * PROTO_ROOM_MAX + 4 bytes are enough. */
void schema_code(char *out, size_t capacity, const char *code);

/* Writes the room's title or, without a title, its code. */
void schema_title(char *out, size_t capacity, const struct proto_room *room);

#endif
