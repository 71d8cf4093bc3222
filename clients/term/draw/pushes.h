/* Arrows over the flock: what the rules of a parameter do to a sample of boids, while a presenter
 * changes it.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_PUSHES_H
#define TERM_PUSHES_H

#include "term/draw/canvas.h"
#include "term/draw/viewport.h"
#include "term/net/session.h"

/* Draws the arrows of the last message about them, and the names of the rules in their colours.
 * lines: an empty canvas of the picture's size. */
void term_pushes_draw(const struct viewport *viewport, const struct term_session *session,
                      struct canvas *lines);

#endif
