/* The sentence that explains a boid's turn. The page writes the same words. Pure. */
#ifndef TERM_WHY_WORDS_H
#define TERM_WHY_WORDS_H

#include "protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the name of a rule in the language of the texts; an unknown rule's is the server's. */
const char *why_push(const char *name);

/* Returns the colour of a rule, as on the page, 0xRRGGBB. */
uint32_t why_color(const char *name);

/* Returns the length of the boid's change of velocity. */
float why_sum(const struct proto_why *why);

/* Returns the length of the longest of a boid's arrows. The sum may be longer than each push. */
float why_longest(const struct proto_why *why);

/* Writes the sentence into out (capacity bytes). model: of the room; cursors: a cursor steers, so
 * that the target is not only wandering. Returns false if the boid is gone. */
bool why_line(char *out, size_t capacity, const struct proto_why *why, const char *model,
              bool cursors);

#endif
