/* Messages from the server: one function for each type changes the session.
 *
 * The owner of the session calls it. As the session, it knows no socket and no clock. */
#ifndef TERM_HEAR_H
#define TERM_HEAR_H

#include "term/net/session.h"

/* Takes a message. A malformed one only sets the notice; an unknown or early one is ignored. */
void term_hear(struct term_session *session, const uint8_t *data, size_t size, int64_t now);

#endif
