/* Keys and the mouse that choose the part of the world that is shown.
 *
 * Main thread. */
#ifndef TERM_LENS_H
#define TERM_LENS_H

#include "term/draw/picture.h"
#include "term/net/session.h"
#include "term/ui/input.h"

#include <stdbool.h>

/* All zero: the mouse does not hold the world. */
struct term_lens {
    bool holds;
    int column, row; /* where the mouse was */
};

/* Handles an input; returns false if it has nothing to do with the picture, or is left to do: while
 * the past is shown, the key that follows the flock plays the past. columns: of the picture. */
bool term_lens_act(struct term_lens *lens, struct term_picture *picture,
                   const struct term_session *session, int columns, struct term_input *input);

#endif
