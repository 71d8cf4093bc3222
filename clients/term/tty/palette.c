#include "term/tty/palette.h"

enum { CUBE_FIRST = 16, CUBE_SIDE = 6, GREY_FIRST = 232, GREYS = 24 };

static int color_distance(uint32_t rgb, int red, int green, int blue)
{
    int dr = (int)(rgb >> 16 & 255) - red;
    int dg = (int)(rgb >> 8 & 255) - green;
    int db = (int)(rgb & 255) - blue;
    return 2 * dr * dr + 4 * dg * dg + 3 * db * db; /* about the eye's weights */
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
        int away = cell >= GREY_FIRST ? color_distance(rgb, grey, grey, grey)
                                      : color_distance(rgb, cube_level(i / 36),
                                                       cube_level(i / 6 % 6), cube_level(i % 6));
        if (away < least) {
            least = away;
            best = cell;
        }
    }
    return best;
}

/* Never black, which would not be seen. */
static int nearest_8(uint32_t rgb)
{
    int best = 7;
    int least = INT32_MAX;
    for (int i = 1; i < 8; i++) {
        int away = color_distance(rgb, i & 1 ? 205 : 0, i & 2 ? 205 : 0, i & 4 ? 205 : 0);
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

int palette_hue(int hue, int colors)
{
    static const int circle[PALETTE_HUES] = {6, 2, 3, 1, 5, 4}; /* cyan, green … blue */
    static const int direct[PALETTE_HUES] = {0x5fd7ff, 0x5fff87, 0xffd75f,
                                             0xff6f5f, 0xd787ff, 0x87afff};
    if (colors > 256) {
        return direct[hue];
    }
    if (colors < 8) {
        return -1;
    }
    return circle[hue] + (colors >= 16 ? 8 : 0);
}
