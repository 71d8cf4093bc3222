/* Themes: the colours of the screen, read from data.
 *
 * A theme is lines of text, from a file or from themes.h. A line is a key with its values, a
 * section, a comment that begins with '#', or blank. Lines before the first section apply always;
 * later lines win. A section is [dark] or [light], the background of the person's terminal, or
 * [dark NAME] or [light NAME], for rooms whose ground has that name. Pure, except that theme_load()
 * reads a file. */
#ifndef TERM_THEME_H
#define TERM_THEME_H

#include "term/tty/palette.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define THEME_STOPS 4u

/* Strengths of a boid's colour: three fading ones for trails, then few, usual and many boids. */
enum { THEME_LEVELS = 6, THEME_LEVEL_BOID = 3 };

struct theme {
    const char *text;
    char *loaded; /* the memory of a theme from a file; NULL: the theme is shipped */
};

/* The terminal that the colours are for. */
struct theme_terminal {
    bool light; /* its background is light */
    bool known; /* `ground` is the background */
    uint32_t ground;
    int colors; /* how many it shows */
};

/* The colours for one background and one ground. Colours are 0xRRGGBB. */
struct theme_look {
    bool own;                     /* the terminal's own ground and text instead of these */
    uint32_t ground[THEME_STOPS]; /* from the top of the screen to its bottom */
    uint32_t stops;               /* of the ground: 1 to THEME_STOPS */
    uint32_t text, quiet, bar;    /* of panels; bars that show a share */
    uint32_t frame, mark;         /* of the world; of the target and the centroid */
    uint32_t status[2];           /* of the status line: text and ground */
    float boids[4];               /* lightness, chroma, first hue and sweep of hues (degrees) */
};

/* Finds a shipped theme by its name, or reads a file. Returns false with the reason in error, which
 * names file, line and what was expected. A loaded theme must be freed. */
bool theme_load(struct theme *theme, const char *name, char *error, size_t capacity);
void theme_free(struct theme *theme);

/* Checks the lines of a theme from `source`. Returns false with the reason in error. */
bool theme_check(const char *text, const char *source, char *error, size_t capacity);

/* Stores the colours for a terminal and a room's ground ("": none). The theme must have been
 * checked. Texts, marks and boids have at least the contrast of palette.h with the ground. */
void theme_resolve(const struct theme *theme, const struct theme_terminal *terminal,
                   const char *ground, struct theme_look *look);

/* Returns the colour of boids that head for a hue, 0 ≤ hue < PALETTE_HUES, at a level. */
uint32_t theme_boid(const struct theme_look *look, int hue, int level, int colors);

/* Returns the ground of a row of `rows`. steps: how many colours a ground has at most. */
uint32_t theme_ground(const struct theme_look *look, int row, int rows, int steps);

#endif
