#include "term/tty/palette.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum {
    CUBE_FIRST = 16,
    CUBE_SIDE = 6,
    GREY_FIRST = 232,
    GREYS = 24,
    MIX_STEPS = 50, /* in which a colour is made paler or darker */
    WHITE = 0xffffff,
    BLACK = 0,
};

#define DEGREES 57.29577951F /* in a radian */

static float channel(uint32_t rgb, int shift)
{
    return (float)(rgb >> shift & 255) / 255;
}

/* Returns a linear value as an sRGB channel of 8 bits. */
static uint32_t encode_channel(float value)
{
    float coded = value <= 0.0031308F ? 12.92F * value : 1.055F * powf(value, 1 / 2.4F) - 0.055F;
    return (uint32_t)lroundf(255 * fminf(fmaxf(coded, 0), 1));
}

static float decode_channel(float value)
{
    return value <= 0.04045F ? value / 12.92F : powf((value + 0.055F) / 1.055F, 2.4F);
}

uint32_t palette_tone(float lightness, float chroma, float hue)
{
    float a = chroma * cosf(hue / DEGREES);
    float b = chroma * sinf(hue / DEGREES);
    float l = powf(fmaxf(lightness + 0.3963377774F * a + 0.2158037573F * b, 0), 3);
    float m = powf(fmaxf(lightness - 0.1055613458F * a - 0.0638541728F * b, 0), 3);
    float s = powf(fmaxf(lightness - 0.0894841775F * a - 1.291485548F * b, 0), 3);
    uint32_t red = encode_channel(4.0767416621F * l - 3.3077115913F * m + 0.2309699292F * s);
    uint32_t green = encode_channel(-1.2684380046F * l + 2.6097574011F * m - 0.3413193965F * s);
    uint32_t blue = encode_channel(-0.0041960863F * l - 0.7034186147F * m + 1.707614701F * s);
    return red << 16 | green << 8 | blue;
}

float palette_luminance(uint32_t rgb)
{
    return 0.2126F * decode_channel(channel(rgb, 16)) + 0.7152F * decode_channel(channel(rgb, 8)) +
           0.0722F * decode_channel(channel(rgb, 0));
}

float palette_contrast(uint32_t one, uint32_t other)
{
    float a = palette_luminance(one) + 0.05F;
    float b = palette_luminance(other) + 0.05F;
    return a > b ? a / b : b / a;
}

bool palette_is_light(uint32_t ground)
{
    return palette_contrast(ground, BLACK) > palette_contrast(ground, WHITE);
}

uint32_t palette_mix(uint32_t from, uint32_t to, float share)
{
    uint32_t mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        float a = channel(from, shift);
        float b = channel(to, shift);
        mixed |= (uint32_t)lroundf(255 * (a + (b - a) * share)) << shift;
    }
    return mixed;
}

static float least_contrast(uint32_t rgb, const uint32_t *grounds, int count, int colors)
{
    float least = 21;
    for (int i = 0; i < count; i++) {
        least = fminf(
            least, palette_contrast(palette_shown(rgb, colors), palette_shown(grounds[i], colors)));
    }
    return least;
}

uint32_t palette_readable(uint32_t rgb, const uint32_t *grounds, int count, float contrast,
                          int colors)
{
    bool dark = least_contrast(BLACK, grounds, count, colors) >
                least_contrast(WHITE, grounds, count, colors);
    uint32_t found = rgb;
    for (int i = 1; i <= MIX_STEPS; i++) {
        if (least_contrast(found, grounds, count, colors) >= contrast) {
            return found;
        }
        found = palette_mix(rgb, dark ? BLACK : WHITE, (float)i / MIX_STEPS);
    }
    return found;
}

static int color_distance(uint32_t rgb, int red, int green, int blue)
{
    int dr = (int)(rgb >> 16 & 255) - red;
    int dg = (int)(rgb >> 8 & 255) - green;
    int db = (int)(rgb & 255) - blue;
    return 2 * dr * dr + 4 * dg * dg + 3 * db * db; /* about the eye's weights */
}

static uint32_t cube_level(int step)
{
    return step == 0 ? 0 : (uint32_t)(55 + 40 * step);
}

/* Returns the colour of a number, 16 to 255. */
static uint32_t color_of_256(int number)
{
    int i = number - CUBE_FIRST;
    uint32_t grey = (uint32_t)(8 + 10 * (number - GREY_FIRST));
    return number >= GREY_FIRST
               ? grey << 16 | grey << 8 | grey
               : cube_level(i / 36) << 16 | cube_level(i / 6 % 6) << 8 | cube_level(i % 6);
}

/* Returns the step of the cube that is nearest to a red, green or blue. */
static int nearest_step(uint32_t rgb, int shift)
{
    int value = (int)(rgb >> shift & 255);
    int best = 0;
    for (int step = 1; step < 6; step++) {
        if (abs(value - (int)cube_level(step)) < abs(value - (int)cube_level(best))) {
            best = step;
        }
    }
    return best;
}

static int distance_256(uint32_t rgb, int number)
{
    uint32_t found = color_of_256(number);
    return color_distance(rgb, (int)(found >> 16), (int)(found >> 8 & 255), (int)(found & 255));
}

static int nearest_256(uint32_t rgb)
{
    int best =
        CUBE_FIRST + 36 * nearest_step(rgb, 16) + 6 * nearest_step(rgb, 8) + nearest_step(rgb, 0);
    int least = distance_256(rgb, best);
    for (int grey = GREY_FIRST; grey < GREY_FIRST + GREYS; grey++) {
        int away = distance_256(rgb, grey);
        if (away < least) {
            least = away;
            best = grey;
        }
    }
    return best;
}

/* Returns one of the first eight colours that can be read on black or, if light, on white. */
static int nearest_8(uint32_t rgb, bool light)
{
    static const int on_dark[] = {1, 2, 3, 4, 5, 6, 7};
    static const int on_light[] = {0, 1, 4, 5};
    const int *numbers = light ? on_light : on_dark;
    size_t count =
        light ? sizeof on_light / sizeof on_light[0] : sizeof on_dark / sizeof on_dark[0];
    int best = numbers[0];
    int least = INT32_MAX;
    for (size_t i = 0; i < count; i++) {
        int number = numbers[i];
        int away =
            color_distance(rgb, number & 1 ? 205 : 0, number & 2 ? 205 : 0, number & 4 ? 205 : 0);
        if (away < least) {
            least = away;
            best = number;
        }
    }
    return best;
}

int palette_nearest(uint32_t rgb, int colors, bool light)
{
    if (colors > 256) {
        /* Numbers below 8 mean the eight colours, not dark blues. */
        return (rgb & WHITE) < 8 ? 0 : (int)(rgb & WHITE);
    }
    if (colors == 256) {
        return nearest_256(rgb);
    }
    return colors >= 8 ? nearest_8(rgb, light) : -1;
}

uint32_t palette_shown(uint32_t rgb, int colors)
{
    return colors == 256 ? color_of_256(nearest_256(rgb)) : rgb;
}

int palette_hue(int hue, int colors, bool light)
{
    static const int on_dark[] = {6, 2, 3, 1, 5, 4}; /* cyan, green … blue */
    static const int on_light[] = {4, 5, 1, 0};
    if (colors < 8) {
        return -1;
    }
    if (light) {
        return on_light[hue * 4 / PALETTE_HUES];
    }
    return on_dark[hue * 6 / PALETTE_HUES] + (colors >= 16 ? 8 : 0);
}
