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

/* Returns whether readers take two names for the same: after Unicode's NFKC and case folding they
 * differ only in spaces and invisible characters. So a letter with its accent, a syllable of jamo
 * and full-width letters are the same as their usual forms. Letters that look alike count as
 * different. Rooms compare names when people join and rename; no recording depends on it.
 *
 * utf8proc has the tables of Unicode that this needs. It adds 0.3 MB to the image; ICU would add
 * 36 MB. */
bool names_alike(const char *a, const char *b);

/* Returns a hash above 0, or 0 when memory runs out. Names that readers take for the same have the
 * same hash. Names with different hashes need no call of names_alike(), which takes up to 20 µs. */
uint32_t names_hash(const char *name);

/* Writes the name of a person with that id who has chosen none. */
void names_pick(uint32_t id, char name[PROTO_NAME_MAX + 1]);

#endif
