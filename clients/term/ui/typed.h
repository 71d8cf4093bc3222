/* A text that is being typed, character by character. Pure, but for the locale's encoding, which is
 * UTF-8. */
#ifndef TERM_TYPED_H
#define TERM_TYPED_H

#include <stddef.h>

/* Adds the character, unless the text would have more than so many bytes; it has memory for as many
 * and its end. */
void term_typed_add(char *text, size_t most, int character);

/* Takes the last character away, if there is one. */
void term_typed_erase(char *text);

#endif
