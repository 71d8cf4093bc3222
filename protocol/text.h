/* The text that people see: UTF-8, and the characters that it must not contain.
 *
 * Pure functions over the caller's memory; any thread may call them. */
#ifndef PROTOCOL_TEXT_H
#define PROTOCOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stores the code point that starts at text (left > 0 bytes) and returns its length in bytes.
 * Returns 0 if there is no well-formed code point: it is cut short, overlong, a surrogate or beyond
 * U+10FFFF. */
size_t text_next(const char *text, size_t left, uint32_t *point);

/* Returns whether a code point could hide, break or reorder the text around it: control characters,
 * line and paragraph separators, and overrides of the writing direction. */
bool text_forbidden(uint32_t point);

/* Return whether size bytes are well-formed UTF-8; and whether they also contain no forbidden
 * characters. */
bool text_well_formed(const char *text, size_t size);
bool text_clean(const char *text, size_t size);

/* Returns whether all of size bytes are a-z, 0-9 or one of the marks. */
bool text_is_word(const char *text, size_t size, const char *marks);

/* Copies well-formed UTF-8 into out (capacity bytes, at least 1) and ends it with a NUL. Forbidden
 * characters become '?'. Cuts text that does not fit between two code points. */
void text_copy(char *out, size_t capacity, const char *text, size_t size);

/* Writes size bytes into out in a form that is safe to read: in quotes, with \xNN for bytes that
 * are not printable ASCII. After the first 24 bytes "..." follows. out takes TEXT_QUOTED_MAX
 * bytes. */
#define TEXT_QUOTED_MAX 104u
void text_quote(char out[TEXT_QUOTED_MAX], const char *text, size_t size);

#endif
