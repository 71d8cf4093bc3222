/* The room's past: the line about the moment that is shown, and the presenter's keys. Times in
 * microseconds; one thread. */
#ifndef TERM_PAST_H
#define TERM_PAST_H

#include "term/net/session.h"
#include "term/ui/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes a line about that moment. Returns false and writes nothing if the room shows the present.
 */
bool term_past_line(const struct term_session *session, int64_t now, char *out, size_t capacity);

/* Writes the last change before that moment: who changed what, and how much earlier. Returns false
 * and writes nothing if there is none, or the room shows the present. */
bool term_past_mark(const struct term_session *session, int64_t now, char *out, size_t capacity);

/* Handles a presenter's key. */
void term_past_act(struct term_session *session, struct term_input input, int64_t now);

#endif
