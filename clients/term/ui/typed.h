/* A text that a user types. Pure; depends on the locale's encoding only, which is UTF-8. */
#ifndef TERM_TYPED_H
#define TERM_TYPED_H

#include <stdbool.h>
#include <stddef.h>

/* Adds the character, unless the text would be longer than `most` bytes. text: most + 1 bytes. */
void term_typed_add(char *text, size_t most, int character);

/* Erases the last character of a text that is not empty. */
void term_typed_erase(char *text);

/* Reads a decimal number such as -1.5, .05 or 2e-3, in the same way in each locale. Returns false
 * if it is no number, or if a float cannot hold it. */
bool term_typed_number(const char *text, double *value);

#endif
