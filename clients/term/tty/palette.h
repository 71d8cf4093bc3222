/* The colours of terminals. Pure. */
#ifndef TERM_PALETTE_H
#define TERM_PALETTE_H

#include <stdint.h>

/* Returns the colour number nearest to 0xRRGGBB on a terminal with `colors` colours. More than 256:
 * the colour itself. 256: of xterm's cube and greys. 8 to 255: of the first eight. Fewer: -1, the
 * terminal's own foreground. */
int palette_nearest(uint32_t rgb, int colors);

/* Hues of headings. */
#define PALETTE_HUES 6

/* Returns the colour number of a hue, 0 ≤ hue < PALETTE_HUES; the hues go once around the colour
 * circle. With 16 to 256 colours: of the bright eight, which users choose to suit their background
 * and which take half the bytes of the cube's colours. 8 to 15: of the first eight. Fewer: -1. */
int palette_hue(int hue, int colors);

#endif
