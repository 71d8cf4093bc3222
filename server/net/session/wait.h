/* Pending hellos in line: see pending.h. For session.c. */
#ifndef WAIT_H
#define WAIT_H

#include "net/session/session.h"

/* Lets the hello wait in line, after the room has refused it with END_IN_LINE. */
void wait_in_line(struct context *context, struct session *session);

/* Must be called when the timer of a session runs. Returns false if its hello does not wait. Joins
 * the room if the hello is the first in line. */
bool wait_over(struct context *context, struct session *session);

#endif
