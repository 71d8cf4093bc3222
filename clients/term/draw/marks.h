/* Marks over the flock: the frame of its world, walls, food, hunters, the target and
 * everyone's cursors.
 *
 * Draws into stdscr, over the flock that is on the canvas; main thread. */
#ifndef TERM_MARKS_H
#define TERM_MARKS_H

#include "term/draw/canvas.h"
#include "term/draw/names.h"
#include "term/draw/viewport.h"
#include "term/net/session.h"

#include <stdbool.h>

/* centroid: mark the centroid of the flock. walls: an empty canvas of the picture's size, for the
 * walls. names: the names in the last picture; the function stores the names in this one. */
void term_marks_draw(const struct canvas *canvas, const struct viewport *viewport,
                     const struct term_session *session, struct canvas *walls, struct names *names,
                     bool centroid);

#endif
