/* A text that a user types. Pure; depends on the locale's encoding only, which is UTF-8. */
#ifndef TERM_TYPED_H
#define TERM_TYPED_H

#include <stddef.h>

/* Adds the character, unless the text would be longer than `most` bytes. text: most + 1 bytes. */
void term_typed_add(char *text, size_t most, int character);

/* Erases the last character of a text that is not empty. */
void term_typed_erase(char *text);

#endif
