/* Looking things up in what a server says of its room. Pure; any thread. */
#ifndef TERM_SCHEMA_H
#define TERM_SCHEMA_H

#include "protocol.h"

#include <stddef.h>

/* By name; NULL when there is none. */
const struct proto_control *schema_control(const struct proto_room *room, const char *name);
const struct proto_room_param *schema_param(const struct proto_room *room, const char *name);
const struct proto_choice *schema_choice(const struct proto_control *control, const char *value);

/* The value of the control of that name; "" when there is none. */
const char *schema_value(const struct proto_room *room, const char *name);

/* A room's code as it is shown to people, such as "FK7 2MX", be it as the server has it or as
 * somebody typed it. out: PROTO_ROOM_MAX + 4 bytes are enough. */
void schema_code(char *out, size_t capacity, const char *code);

/* What the room is called: its title or, if it has none, its code. */
void schema_title(char *out, size_t capacity, const struct proto_room *room);

#endif
