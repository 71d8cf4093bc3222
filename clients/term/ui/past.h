/* The room's past in the terminal: what of it is shown, and what the keys ask for. Times are in
 * microseconds; one thread. */
#ifndef TERM_PAST_H
#define TERM_PAST_H

#include "term/net/session.h"
#include "term/ui/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line about that moment; false, with nothing written, when the room shows the present. */
bool term_past_line(const struct term_session *session, int64_t now, char *out, size_t capacity);

/* Asks for what a presenter's key means. */
void term_past_act(struct term_session *session, struct term_input input, int64_t now);

#endif
