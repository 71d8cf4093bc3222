/* Names and titles as readers see them. Pure functions; any thread. All texts are well-formed
 * UTF-8.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* Whether there is nothing to see in it: it is empty, or of spaces and invisible characters only.
 */
bool names_blank(const char *text);

/* Returns whether readers take two names for the same: they differ only in case (of Latin, Greek
 * and Cyrillic letters), full width, spaces and invisible characters. Letters that look alike count
 * as different. */
bool names_alike(const char *a, const char *b);

/* Writes the name of a person with that id who has chosen none. */
void names_pick(uint32_t id, char name[PROTO_NAME_MAX + 1]);

#endif
