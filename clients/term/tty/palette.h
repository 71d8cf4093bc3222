/* Colours as terminals have them. Pure. */
#ifndef TERM_PALETTE_H
#define TERM_PALETTE_H

#include <stdint.h>

/* The colour number nearest to 0xRRGGBB on a terminal with that many colours: of xterm's cube and
 * greys from 256 on, of the eight from 8 on; the colour itself where numbers are colours (more than
 * 256); -1, the terminal's own foreground, with fewer. */
int palette_nearest(uint32_t rgb, int colors);

/* Headings are shown in so many hues. */
#define PALETTE_HUES 6

/* The colour number of a hue, 0 ≤ hue < PALETTE_HUES, which go once round the colour circle: the
 * bright ones of the sixteen that people choose to suit their background, which also take half the
 * bytes of the cube's; of the eight where there are no more; -1 with fewer. */
int palette_hue(int hue, int colors);

#endif
