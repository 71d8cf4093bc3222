#include "term/draw/shade.h"

#include "term/tty/palette.h"
#include "term/tty/theme.h"

#include <math.h>
#include <stdlib.h>

enum {
    CROWD = 8, /* boids in a cell: with more, its dots say how many */
    DOTS = 8,  /* of a cell */
    LEVEL_USUAL = THEME_LEVEL_BOID + 1,
    LEVEL_MOST = THEME_LEVELS - 1,
};

#define HUE_KEPT     0.75F /* hues: a heading this far from a hue keeps it */
#define HUE_STEADY   1.6F
#define LEVEL_KEPT   0.7F
#define LEVEL_STEADY 1.1F
#define BY_COUNT     0.55F /* levels for each doubling */
#define BY_SPEED     0.9F
#define CROWDED      2.5F /* usual numbers of boids in a cell whose dots are all set */

static float speed_of(const struct canvas_half *half)
{
    return half->count > 0 ? hypotf(half->heading_x, half->heading_y) : 0;
}

struct shade_scale shade_measure(const struct canvas *canvas)
{
    size_t cells = (size_t)canvas->columns * (size_t)canvas->rows;
    float boids = 0;
    float speed = 0;
    float filled = 0;
    for (size_t i = 0; i < cells; i++) {
        const struct canvas_cell *cell = &canvas->cells[i];
        int count = canvas_count(cell);
        if (count > 0) {
            boids += (float)count;
            filled += 1;
            speed += speed_of(&cell->half[0]) + speed_of(&cell->half[1]);
        }
    }
    return (struct shade_scale){
        .count = filled > 0 ? boids / filled : 1,
        .speed = boids > 0 && speed > 0 ? speed / boids : 1,
    };
}

/* Returns the hue of a heading, or the hue before if the heading is near it. */
static uint8_t hue_of(float heading_x, float heading_y, const struct shade_detail *detail,
                      struct shade before)
{
    float hue = canvas_turn(heading_x, heading_y) * PALETTE_HUES;
    float away = fabsf(hue - (float)before.hue);
    away = fminf(away, PALETTE_HUES - away);
    if (before.level != SHADE_NONE && away < (detail->steady ? HUE_STEADY : HUE_KEPT)) {
        return before.hue;
    }
    return (uint8_t)((int)(hue + 0.5F) % PALETTE_HUES);
}

/* Returns the level of `count` boids whose headings sum to `speed`. */
static uint8_t level_of_boids(int count, float speed, const struct shade_scale *scale,
                              const struct shade_detail *detail, struct shade before)
{
    float many = log2f((float)count / scale->count);
    float fast = log2f(fmaxf(speed / ((float)count * scale->speed), 0.25F));
    float level = LEVEL_USUAL + BY_COUNT * many + BY_SPEED * fminf(fast, 1);
    level = fminf(fmaxf(level, THEME_LEVEL_BOID), LEVEL_MOST);
    if (before.level != SHADE_NONE && before.level >= THEME_LEVEL_BOID &&
        fabsf(level - (float)before.level) < (detail->steady ? LEVEL_STEADY : LEVEL_KEPT)) {
        return before.level;
    }
    return (uint8_t)lroundf(level);
}

/* Returns the level of a strength of light, 0 to CANVAS_LIGHT_MAX, with `levels` levels. */
static uint8_t level_of_light(int light, int levels)
{
    if (light == 0 || levels == 0) {
        return SHADE_NONE;
    }
    int level = light * levels / (CANVAS_LIGHT_MAX + 1);
    return (uint8_t)(levels >= THEME_LEVEL_BOID ? level : level + 1);
}

static struct shade shade_light(int light, int trail, float heading_x, float heading_y,
                                const struct shade_detail *detail, struct shade before)
{
    struct shade shade = {.level = level_of_light(light, LEVEL_MOST)};
    if (shade.level == SHADE_NONE || (shade.level == 0 && trail > light)) {
        shade.level = level_of_light(trail, detail->fades);
    }
    shade.hue = shade.level == SHADE_NONE ? 0 : hue_of(heading_x, heading_y, detail, before);
    return shade;
}

struct shade shade_half(const struct canvas_half *half, const struct shade_scale *scale,
                        const struct shade_detail *detail, struct shade before)
{
    if (half->count > 0) {
        const struct shade_scale halved = {fmaxf(scale->count / CANVAS_HALVES, 1), scale->speed};
        return (struct shade){
            .hue = hue_of(half->heading_x, half->heading_y, detail, before),
            .level = half->light >= CANVAS_LIGHT_BODY
                         ? LEVEL_MOST
                         : level_of_boids(half->count, speed_of(half), &halved, detail, before),
        };
    }
    return shade_light(half->light, half->trail, half->heading_x, half->heading_y, detail, before);
}

/* Returns the stronger half of a cell without boids. */
static const struct canvas_half *stronger_half(const struct canvas_cell *cell)
{
    const struct canvas_half *upper = &cell->half[0];
    const struct canvas_half *lower = &cell->half[1];
    bool down =
        lower->light != upper->light ? lower->light > upper->light : lower->trail > upper->trail;
    return down ? lower : upper;
}

/* Stores the sum of the headings of a cell's boids. */
static void sum_headings(const struct canvas_cell *cell, float *x, float *y)
{
    *x = *y = 0;
    for (int i = 0; i < CANVAS_HALVES; i++) {
        if (cell->half[i].count > 0) {
            *x += cell->half[i].heading_x;
            *y += cell->half[i].heading_y;
        }
    }
}

/* Returns the left neighbour's shade if it is near the cell's own shade, else the cell's. */
static struct shade join_run(struct shade shade, const struct shade_detail *detail, float x,
                             float y, struct shade left)
{
    int levels = detail->run > SHADE_RUN ? LEVEL_MOST - THEME_LEVEL_BOID : 1;
    float away = fabsf(canvas_turn(x, y) * PALETTE_HUES - (float)left.hue);
    bool boids = left.level != SHADE_NONE && left.level >= THEME_LEVEL_BOID;
    bool near = boids && abs((int)left.level - (int)shade.level) <= levels &&
                fminf(away, PALETTE_HUES - away) < detail->run;
    return near ? left : shade;
}

struct shade shade_cell(const struct canvas_cell *cell, const struct shade_scale *scale,
                        const struct shade_detail *detail, struct shade before, struct shade left)
{
    int count = canvas_count(cell);
    float x = 0;
    float y = 0;
    if (count == 0) {
        const struct canvas_half *half = stronger_half(cell);
        return shade_light(half->light, half->trail, half->heading_x, half->heading_y, detail,
                           before);
    }
    sum_headings(cell, &x, &y);
    struct shade shade = {
        .hue = hue_of(x, y, detail, before),
        .level = level_of_boids(count, hypotf(x, y), scale, detail, before),
    };
    return detail->run > 0 ? join_run(shade, detail, x, y, left) : shade;
}

uint8_t shade_dots(const struct canvas_cell *cell, const struct shade_scale *scale,
                   const struct shade_detail *detail, struct shade shade, uint8_t before)
{
    static const uint8_t halo[THEME_LEVEL_BOID] = {0x41, 0x92, 0x6d};
    int count = canvas_count(cell);
    if (shade.level == SHADE_NONE) {
        return 0;
    }
    if (cell->dots == 0) {
        bool lit = cell->half[0].light > 0 || cell->half[1].light > 0;
        return lit && shade.level < THEME_LEVEL_BOID ? halo[shade.level] : cell->wake;
    }
    if (count <= CROWD) {
        return detail->density && count > 0 ? canvas_spread(count) : cell->dots;
    }
    int wanted = (int)(DOTS * sqrtf((float)count / (CROWDED * scale->count)) + 0.5F);
    wanted = wanted < DOTS / 2 ? DOTS / 2 : wanted;
    wanted = wanted > DOTS ? DOTS : wanted;
    bool kept = before == canvas_spread(__builtin_popcount(before)) &&
                abs(__builtin_popcount(before) - wanted) <= 1;
    return kept ? before : canvas_spread(wanted);
}
