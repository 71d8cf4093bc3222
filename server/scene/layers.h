/* The choices of the control `layers`: sets of layers that everyone sees over the flock. Each set
 * is a choice of its own. Any thread. */
#ifndef LAYERS_H
#define LAYERS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/flock.h"

/* free, none and all other sets; a NULL name ends the list. */
extern const struct flock_word layers_words[];

/* Whether clients are offered the choice of that index: a set of at most one layer, from which
 * people put the others together. */
bool layers_offered(size_t index);

#endif
