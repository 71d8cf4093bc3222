#include "palette.h"

enum { CUBE_FIRST = 16, CUBE_SIDE = 6, GREY_FIRST = 232, GREYS = 24 };

static int distance(uint32_t rgb, int red, int green, int blue)
{
    int dr = (int)(rgb >> 16 & 255) - red;
    int dg = (int)(rgb >> 8 & 255) - green;
    int db = (int)(rgb & 255) - blue;
    return 2 * dr * dr + 4 * dg * dg + 3 * db * db; /* as the eye weighs them, roughly */
}

static int cube_level(int step)
{
    return step == 0 ? 0 : 55 + 40 * step;
}

static int nearest_256(uint32_t rgb)
{
    int best = 0;
    int least = INT32_MAX;
    for (int i = 0; i < CUBE_SIDE * CUBE_SIDE * CUBE_SIDE + GREYS; i++) {
        int cell = CUBE_FIRST + i;
        int grey = 8 + 10 * (cell - GREY_FIRST);
        int away = cell >= GREY_FIRST ? distance(rgb, grey, grey, grey)
                                      : distance(rgb, cube_level(i / 36), cube_level(i / 6 % 6),
                                                 cube_level(i % 6));
        if (away < least) {
            least = away;
            best = cell;
        }
    }
    return best;
}

/* Black is left out: it would not be seen. */
static int nearest_8(uint32_t rgb)
{
    int best = 7;
    int least = INT32_MAX;
    for (int i = 1; i < 8; i++) {
        int away = distance(rgb, i & 1 ? 205 : 0, i & 2 ? 205 : 0, i & 4 ? 205 : 0);
        if (away < least) {
            least = away;
            best = i;
        }
    }
    return best;
}

int palette_nearest(uint32_t rgb, int colors)
{
    if (colors > 256) {
        /* Numbers below 8 mean the eight colours, not dark blues. */
        return (int)(rgb & 0xffffff) < 8 ? 0 : (int)(rgb & 0xffffff);
    }
    if (colors == 256) {
        return nearest_256(rgb);
    }
    return colors >= 8 ? nearest_8(rgb) : -1;
}

int palette_hues(int colors)
{
    if (colors >= 256) {
        return 8;
    }
    return colors >= 8 ? 6 : 0;
}

uint32_t palette_hue(int hue, int colors)
{
    /* Both go once round the colour circle, clockwise from east, in colours of the same lightness.
     */
    static const uint32_t eight[] = {0x5fd7ff, 0x5fff87, 0xd7ff5f, 0xffd75f,
                                     0xff875f, 0xff5f87, 0xd787ff, 0x87afff};
    static const uint32_t six[] = {0x00cdcd, 0x00cd00, 0xcdcd00, 0xcd0000, 0xcd00cd, 0x0000cd};
    return colors >= 256 ? eight[hue % 8] : six[hue % 6];
}
