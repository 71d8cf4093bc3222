/* The room's past: the line about the moment that is shown, its place on the bar of the past, and
 * the presenter's keys. Times in microseconds; one thread. */
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

/* Returns how many seconds before the present the moment is that is shown, or that was asked for
 * and is not confirmed; 0: the present. */
double term_past_back(const struct term_session *session, int64_t now);

/* Returns the place of a moment on the bar of the past: 0, the beginning, to 1, the present. */
double term_past_share(const struct term_session *session, double back);

/* Handles a presenter's key or click. */
void term_past_act(struct term_session *session, struct term_input input, int64_t now);

#endif
