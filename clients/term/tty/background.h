/* The colour behind a terminal's text: asked from the terminal, or from the environment. */
#ifndef TERM_BACKGROUND_H
#define TERM_BACKGROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BACKGROUND_REPLY_MAX 256u /* bytes that a terminal may answer */

/* The bytes that ask for the colour, then for the terminal's kind: each terminal answers the second
 * question, so flock-term does not wait for an answer to the first that never comes. */
#define BACKGROUND_QUESTION "\033]11;?\033\\\033[c"

/* Removes both answers from the bytes that the terminal sent. Stores the colour of an answer, and
 * moves all other bytes, such as keys that the user typed, to the front. Returns whether the second
 * answer is complete. *size: bytes, before and after. Pure. */
bool background_take(char *bytes, size_t *size, bool *known, uint32_t *rgb);

/* Reads a value of COLORFGBG, such as "15;0". Returns false if it says nothing. Pure. */
bool background_from_environment(const char *value, bool *light);

/* Asks the terminal, which must send each byte at once. Waits for at most `limit` ms. Bytes that
 * are no answer stay in `others`, BACKGROUND_REPLY_MAX bytes; returns their number. */
size_t background_ask(int limit, bool *known, uint32_t *rgb, char *others);

#endif
