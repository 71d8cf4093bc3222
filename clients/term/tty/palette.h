/* Colours as 0xRRGGBB: tones, contrast, and the nearest colour of a terminal. Pure. */
#ifndef TERM_PALETTE_H
#define TERM_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

/* The contrast of text and of boids with the ground behind them, at least (WCAG 2). */
#define PALETTE_TEXT_CONTRAST 4.5F
#define PALETTE_BOID_CONTRAST 3.0F

/* Returns the nearest sRGB colour of an OKLCH tone. lightness: 0 to 1; hue: degrees. The matrices
 * come from https://bottosson.github.io/posts/oklab/. */
uint32_t palette_tone(float lightness, float chroma, float hue);

/* Returns the relative luminance of WCAG 2: 0 to 1. */
float palette_luminance(uint32_t rgb);

/* Returns the contrast of two colours by WCAG 2: 1 to 21. */
float palette_contrast(uint32_t one, uint32_t other);

/* Returns whether dark text is easier to read on this ground than light text. */
bool palette_is_light(uint32_t ground);

/* Returns the colour `share` of the way from one colour to another; 0 ≤ share ≤ 1. */
uint32_t palette_mix(uint32_t from, uint32_t to, float share);

/* Returns a colour like rgb that has this contrast with each ground, on a terminal with `colors`
 * colours: rgb itself, or rgb mixed with white or black. If no mixture suffices, returns white or
 * black. count ≥ 1. */
uint32_t palette_readable(uint32_t rgb, const uint32_t *grounds, int count, float contrast,
                          int colors);

/* Returns the colour number nearest to 0xRRGGBB on a terminal with `colors` colours. More than 256:
 * the colour itself. 256: of xterm's cube and greys. 8 to 255: of the first eight; light: of those
 * that can be read on a light ground. Fewer: -1, the terminal's own foreground. */
int palette_nearest(uint32_t rgb, int colors, bool light);

/* Returns the colour that such a terminal shows for rgb. Fewer than 256 colours: rgb itself,
 * because users choose the first sixteen. */
uint32_t palette_shown(uint32_t rgb, int colors);

/* Hues of headings. */
#define PALETTE_HUES 24

/* Returns the number of a hue, 0 ≤ hue < PALETTE_HUES, among the first 16 colours of a terminal
 * with 8 to 255 colours; fewer: -1. The hues go once around the colour circle. light: the ground is
 * light, so that only dark colours can be read. */
int palette_hue(int hue, int colors, bool light);

#endif
