/* The class mode in words: how many boids follow this person or a team, and whose turn it is.
 *
 * Pure. Names in the text are as people gave them; term_label() makes them safe for the terminal.
 */
#ifndef TERM_LEADS_H
#define TERM_LEADS_H

#include "protocol.h"
#include "term/flock/people.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes who leads into out (capacity bytes). people: the first of them is the reader. passed:
 * whole seconds since leads arrived. Returns false unless the room has a class mode with leaders.
 */
bool leads_line(char *out, size_t capacity, const struct proto_leads *leads, uint32_t passed,
                const struct proto_room *room, const struct term_people *people);

#endif
