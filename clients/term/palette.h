/* Colours as terminals have them. Pure. */
#ifndef TERM_PALETTE_H
#define TERM_PALETTE_H

#include <stdint.h>

/* The colour number nearest to 0xRRGGBB on a terminal with that many colours: of xterm's cube and
 * greys from 256 on, of the eight from 8 on; the colour itself where numbers are colours (more than
 * 256); -1, the terminal's own foreground, with fewer. */
int palette_nearest(uint32_t rgb, int colors);

/* How many hues a heading is shown in there: 8, 6, or 0 when there are too few colours. */
int palette_hues(int colors);

/* The colour of a hue, 0 ≤ hue < palette_hues(colors), as 0xRRGGBB. */
uint32_t palette_hue(int hue, int colors);

#endif
