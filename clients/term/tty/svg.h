/* The screen as a picture in SVG: what a terminal that shows all colours would show.
 *
 * Reads stdscr; main thread. */
#ifndef TERM_SVG_H
#define TERM_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the picture. light: what a theme without a ground of its own stands on. Dots and blocks
 * are shapes, because few fonts have them all; other characters are text. */
void svg_write(FILE *output, bool light);

#endif
