/* The sentence that explains a boid's turn. The page writes the same words. Pure. */
#ifndef TERM_WHY_WORDS_H
#define TERM_WHY_WORDS_H

#include "protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the name of a rule in the language of the texts; an unknown rule's is the server's. */
const char *why_push(const char *name);

/* Writes the sentence into out (capacity bytes). model: of the room; cursors: a cursor steers, so
 * that the target is not only wandering. Returns false if the boid is gone. */
bool why_line(char *out, size_t capacity, const struct proto_why *why, const char *model,
              bool cursors);

#endif
