/* The text that people see: UTF-8, and the characters that it may not hold.
 *
 * Pure functions over the caller's memory; any thread may call them. */
#ifndef PROTOCOL_TEXT_H
#define PROTOCOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length in bytes of the code point that starts at text (left > 0 bytes), and the code point; 0
 * when there is no well-formed one: cut short, overlong, a surrogate or beyond U+10FFFF. */
size_t text_next(const char *text, size_t left, uint32_t *point);

/* Whether a code point could hide, break or reorder what surrounds it: control characters, line and
 * paragraph separators, and the overrides of the writing direction. */
bool text_forbidden(uint32_t point);

/* Whether size bytes are well-formed UTF-8; and whether they are that without forbidden characters.
 */
bool text_well_formed(const char *text, size_t size);
bool text_clean(const char *text, size_t size);

/* Whether size bytes are all of a-z, 0-9 and those marks. */
bool text_is_word(const char *text, size_t size, const char *marks);

/* Copies well-formed UTF-8 into out (capacity bytes, at least 1) and ends it with a NUL: forbidden
 * characters become '?', and what does not fit is cut off between two code points. */
void text_copy(char *out, size_t capacity, const char *text, size_t size);

/* Writes size bytes into out as a person can safely read them: in quotes, what is not printable
 * ASCII as \xNN, and cut off with "..." after the first 24 bytes. out takes TEXT_QUOTED_MAX bytes.
 */
#define TEXT_QUOTED_MAX 104u
void text_quote(char out[TEXT_QUOTED_MAX], const char *text, size_t size);

#endif
