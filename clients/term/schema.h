/* Looking things up in what a server says of its room. Pure; any thread. */
#ifndef TERM_SCHEMA_H
#define TERM_SCHEMA_H

#include "protocol.h"

/* By name; NULL when there is none. */
const struct proto_control *schema_control(const struct proto_room *room, const char *name);
const struct proto_param *schema_param(const struct proto_room *room, const char *name);
const struct proto_choice *schema_choice(const struct proto_control *control, const char *value);

/* The value of the control of that name; "" when there is none. */
const char *schema_value(const struct proto_room *room, const char *name);

#endif
