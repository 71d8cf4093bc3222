/* What a session makes of each message from the server: one function for each type.
 *
 * The owner of the session calls it; as the session, it knows no socket and no clock. */
#ifndef TERM_HEAR_H
#define TERM_HEAR_H

#include "term/net/session.h"

/* A message has come in; what is malformed, unknown or too early changes nothing but the notice. */
void term_hear(struct term_session *session, const uint8_t *data, size_t size, int64_t now);

#endif
