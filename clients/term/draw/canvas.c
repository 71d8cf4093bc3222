#include "term/draw/canvas.h"

#include "term/draw/viewport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BRAILLE = 0x2800,
    SEXTANTS = 0x1fb00, /* of Unicode 13, without the four that are older: */
    SEXTANTS_LEFT = 21,
    SEXTANTS_RIGHT = 42,
    SEXTANTS_ALL = 63,
    CROWD = 3,        /* boids in a cell and the 8 around it: with more, bodies are shorter */
    TAIL_CROWD = 8,   /* with more, there are no bodies */
    LINE_DOTS = 5,    /* of a trail in a cell; with more, the trail would be a blot */
    LENGTH_MAX = 200, /* dots: no body is longer */
    LINE_MAX = 20000, /* dots: longer lines are not drawn */
};

#define TURN        6.28318530718F
#define SLENDER     0.34F /* half the width of an arrow at its end, as a share of its length */
#define NOTCH       0.28F /* depth of the notch at its end */
#define LIGHT_CORE  0.5F  /* share of a light's radius that shines fully */
#define LIGHT_ROUND 2.0F  /* how far a light reaches, in radii */

void canvas_init(struct canvas *canvas)
{
    *canvas = (struct canvas){0};
}

void canvas_finish(struct canvas *canvas)
{
    free(canvas->cells);
    canvas_init(canvas);
}

bool canvas_resize(struct canvas *canvas, int columns, int rows)
{
    if (columns < 1 || rows < 1) {
        return false;
    }
    struct canvas_cell *cells = calloc((size_t)columns * (size_t)rows, sizeof *cells);
    if (cells == NULL) {
        return false;
    }
    free(canvas->cells);
    *canvas = (struct canvas){.columns = columns, .rows = rows, .cells = cells};
    return true;
}

void canvas_clear(struct canvas *canvas)
{
    size_t count = (size_t)canvas->columns * (size_t)canvas->rows;
    if (count > 0) {
        memset(canvas->cells, 0, count * sizeof *canvas->cells);
    }
}

/* Makes a half's light its trail. Returns whether there is a trail. The headings stay: they are the
 * hue of the trail. */
static bool fade_half(struct canvas_half *half, int loss)
{
    int light = half->light != CANVAS_LIGHT_BODY ? half->light : 0;
    light = half->count > 0 ? CANVAS_LIGHT_MAX : light;
    int trail = (light > half->trail ? light : half->trail) - loss;
    half->trail = (uint8_t)(trail > 0 ? trail : 0);
    half->light = 0;
    half->count = 0;
    return half->trail > 0;
}

void canvas_fade(struct canvas *canvas, int loss, bool joined)
{
    size_t count = (size_t)canvas->columns * (size_t)canvas->rows;
    for (size_t i = 0; i < count; i++) {
        struct canvas_cell *cell = &canvas->cells[i];
        bool upper = fade_half(&cell->half[0], loss);
        bool lower = fade_half(&cell->half[1], loss);
        if (cell->spots != 0) {
            uint8_t line = cell->wake | cell->spots;
            cell->wake = joined && __builtin_popcount(line) <= LINE_DOTS ? line : cell->spots;
        }
        if (!upper && !lower) {
            *cell = (struct canvas_cell){0};
        }
        cell->dots = cell->spots = 0;
    }
}

/* Returns the cell of a dot and stores the dot's bit, or returns NULL if the dot is outside. */
static struct canvas_cell *find_dot(const struct canvas *canvas, int x, int y, uint8_t *bit)
{
    static const uint8_t bits[VIEWPORT_DOTS_Y][VIEWPORT_DOTS_X] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int column = x / VIEWPORT_DOTS_X;
    int row = y / VIEWPORT_DOTS_Y;
    if (x < 0 || y < 0 || column >= canvas->columns || row >= canvas->rows) {
        return NULL;
    }
    *bit = bits[y % VIEWPORT_DOTS_Y][x % VIEWPORT_DOTS_X];
    return &canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column];
}

/* Returns the half of a cell that a dot is in. */
static struct canvas_half *half_of(struct canvas_cell *cell, int y)
{
    return &cell->half[y % VIEWPORT_DOTS_Y / CANVAS_HALVES];
}

/* Gives a half light, and the hue of its boid unless it has boids of its own. */
static void light_half(struct canvas_half *half, int light, float heading_x, float heading_y)
{
    if (half->count == 0 && light > half->light) {
        half->heading_x = heading_x;
        half->heading_y = heading_y;
        half->light = (uint8_t)light;
    }
}

/* Sets a dot of a boid's body. */
static void set_part(struct canvas *canvas, int x, int y, float heading_x, float heading_y)
{
    uint8_t bit = 0;
    struct canvas_cell *cell = find_dot(canvas, x, y, &bit);
    if (cell != NULL) {
        cell->dots |= bit;
        light_half(half_of(cell, y), CANVAS_LIGHT_BODY, heading_x, heading_y);
    }
}

void canvas_boid(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y)
{
    uint8_t bit = 0;
    struct canvas_cell *cell = find_dot(canvas, dot_x, dot_y, &bit);
    if (cell == NULL) {
        return;
    }
    struct canvas_half *half = half_of(cell, dot_y);
    cell->dots |= bit;
    cell->spots |= bit;
    if (half->count == 0) { /* the sum there is the trail's hue */
        half->heading_x = half->heading_y = 0;
    }
    half->heading_x += heading_x;
    half->heading_y += heading_y;
    half->count = (uint16_t)(half->count < UINT16_MAX ? half->count + 1 : UINT16_MAX);
}

/* Returns the number of boids in the cell of a dot and in the 8 cells around it. */
static int count_around(const struct canvas *canvas, int dot_x, int dot_y)
{
    int column = dot_x / VIEWPORT_DOTS_X;
    int row = dot_y / VIEWPORT_DOTS_Y;
    int count = 0;
    for (int y = row > 0 ? row - 1 : 0; y <= row + 1 && y < canvas->rows; y++) {
        for (int x = column > 0 ? column - 1 : 0; x <= column + 1 && x < canvas->columns; x++) {
            count += canvas_count(&canvas->cells[(size_t)y * (size_t)canvas->columns + (size_t)x]);
        }
    }
    return count;
}

/* Returns the length of a body among the others around it; 0: no body. */
static float fit_length(const struct canvas *canvas, float x, float y, float length)
{
    if (!(x >= 0 && y >= 0 && length > 0)) {
        return 0;
    }
    int others = count_around(canvas, (int)x, (int)y);
    length = fminf(length, LENGTH_MAX);
    if (others > TAIL_CROWD) {
        return 0;
    }
    return others > CROWD ? fminf(length, 2) : length;
}

/* Draws the dots whose distances from a point pass a test: along the heading, from the head to the
 * tail, and across it. */
static void fill_around(struct canvas *canvas, float x, float y, float reach,
                        const float heading[2],
                        bool (*inside)(float along, float across, float length), float length)
{
    float size = hypotf(heading[0], heading[1]);
    bool moves = size > 0 && isfinite(size);
    float unit_x = moves ? heading[0] / size : 1;
    float unit_y = moves ? heading[1] / size : 0;
    for (int dot_y = (int)floorf(y - reach); dot_y <= (int)ceilf(y + reach); dot_y++) {
        for (int dot_x = (int)floorf(x - reach); dot_x <= (int)ceilf(x + reach); dot_x++) {
            float way_x = x - (float)dot_x - 0.5F;
            float way_y = y - (float)dot_y - 0.5F;
            if (inside(way_x * unit_x + way_y * unit_y, way_x * unit_y - way_y * unit_x, length)) {
                set_part(canvas, dot_x, dot_y, heading[0], heading[1]);
            }
        }
    }
}

static bool is_in_arrow(float along, float across, float length)
{
    float aside = fabsf(across);
    float from = aside / SLENDER;                /* of the sides */
    float to = length - NOTCH * (length - from); /* of the notched end */
    return along >= from - 0.5F && along <= fmaxf(to, 1) && aside <= SLENDER * length + 0.3F;
}

static bool is_in_disc(float along, float across, float length)
{
    return along * along + across * across <= length * length / 4 + 0.25F;
}

void canvas_body(struct canvas *canvas, float dot_x, float dot_y, float heading_x, float heading_y,
                 float length)
{
    const float heading[2] = {heading_x, heading_y};
    float fitted = fit_length(canvas, dot_x, dot_y, length);
    if (fitted > 0) {
        fill_around(canvas, dot_x, dot_y, fitted, heading, is_in_arrow, fitted);
    }
}

void canvas_round(struct canvas *canvas, float dot_x, float dot_y, float heading_x, float heading_y,
                  float length)
{
    const float heading[2] = {heading_x, heading_y};
    float fitted = fit_length(canvas, dot_x, dot_y, length);
    if (fitted > 0) {
        fill_around(canvas, dot_x, dot_y, fitted / 2, heading, is_in_disc, fitted);
    }
}

/* Returns a light's strength at a distance from its centre. */
static int strength_of(float distance, float radius)
{
    float share = (distance / radius - LIGHT_CORE) / (LIGHT_ROUND - LIGHT_CORE);
    float rest = 1 - fminf(fmaxf(share, 0), 1);
    return (int)(CANVAS_LIGHT_MAX * rest * rest);
}

/* Lights the halves of the cells around a light. */
static void light_around(struct canvas *canvas, float x, float y, const float heading[2],
                         float radius)
{
    const int high = VIEWPORT_DOTS_Y / CANVAS_HALVES;
    float reach = radius * LIGHT_ROUND;
    int left = (int)fmaxf((x - reach) / VIEWPORT_DOTS_X, 0);
    int right = (int)fminf((x + reach) / VIEWPORT_DOTS_X, (float)canvas->columns - 1);
    int top = (int)fmaxf((y - reach) / (float)high, 0);
    int bottom = (int)fminf((y + reach) / (float)high, (float)(canvas->rows * CANVAS_HALVES) - 1);
    for (int at = top; at <= bottom; at++) {
        struct canvas_cell *row =
            &canvas->cells[(size_t)(at / CANVAS_HALVES) * (size_t)canvas->columns];
        for (int column = left; column <= right; column++) {
            float way_x = ((float)column + 0.5F) * VIEWPORT_DOTS_X - x;
            float way_y = ((float)at + 0.5F) * (float)high - y;
            light_half(&row[column].half[at % CANVAS_HALVES],
                       strength_of(hypotf(way_x, way_y), radius), heading[0], heading[1]);
        }
    }
}

void canvas_light(struct canvas *canvas, float dot_x, float dot_y, float heading_x, float heading_y,
                  float length)
{
    const float heading[2] = {heading_x, heading_y};
    length = fminf(length, LENGTH_MAX);
    if (dot_x >= 0 && dot_y >= 0 && length > 0) {
        light_around(canvas, dot_x, dot_y, heading, length / 2);
        fill_around(canvas, dot_x, dot_y, length / 2, heading, is_in_disc, length);
    }
}

void canvas_line(struct canvas *canvas, float x1, float y1, float x2, float y2)
{
    float length = fmaxf(fabsf(x2 - x1), fabsf(y2 - y1));
    if (!(length < LINE_MAX)) {
        return;
    }
    int steps = (int)length + 1;
    for (int i = 0; i <= steps; i++) {
        float share = (float)i / (float)steps;
        uint8_t bit = 0;
        struct canvas_cell *cell = find_dot(canvas, (int)floorf(x1 + (x2 - x1) * share),
                                            (int)floorf(y1 + (y2 - y1) * share), &bit);
        if (cell != NULL) {
            cell->dots |= bit;
        }
    }
}

wchar_t canvas_braille(uint8_t dots)
{
    return dots != 0 ? (wchar_t)(BRAILLE + dots) : L' ';
}

wchar_t canvas_sextant(uint8_t dots)
{
    /* The dots of each block, from the upper left to the lower right. */
    static const uint8_t blocks[] = {0x01, 0x08, 0x06, 0x30, 0x40, 0x80};
    int number = 0;
    for (size_t i = 0; i < sizeof blocks; i++) {
        number |= (dots & blocks[i]) != 0 ? 1 << i : 0;
    }
    switch (number) {
    case 0:
        return L' ';
    case SEXTANTS_LEFT:
        return L'▌';
    case SEXTANTS_RIGHT:
        return L'▐';
    case SEXTANTS_ALL:
        return L'█';
    default:
        return SEXTANTS + number - 1 - (number > SEXTANTS_LEFT) - (number > SEXTANTS_RIGHT);
    }
}

uint8_t canvas_spread(int count)
{
    static const uint8_t spread[] = {0x00, 0x10, 0x12, 0x52, 0x5a, 0xda, 0xdb, 0xfb, 0xff};
    return spread[count < 0 ? 0 : count > 8 ? 8 : count];
}

wchar_t canvas_ascii(const struct canvas_cell *cell)
{
    static const wchar_t arrows[] = L">\\v/<\\^/";
    int count = canvas_count(cell);
    float x = (cell->half[0].count > 0 ? cell->half[0].heading_x : 0) +
              (cell->half[1].count > 0 ? cell->half[1].heading_x : 0);
    float y = (cell->half[0].count > 0 ? cell->half[0].heading_y : 0) +
              (cell->half[1].count > 0 ? cell->half[1].heading_y : 0);
    if (count == 0) {
        return L' ';
    }
    if (count == 1) {
        return x == 0 && y == 0 ? L'o' : arrows[(int)(canvas_turn(x, y) * 8 + 0.5F) % 8];
    }
    if (count < 4) {
        return count == 2 ? L'=' : L'*';
    }
    return count < 8 ? L'%' : (count < 16 ? L'#' : L'@');
}

float canvas_turn(float heading_x, float heading_y)
{
    float turn = atan2f(heading_y, heading_x) / TURN;
    turn = turn < 0 ? turn + 1 : turn;
    return turn < 1 ? turn : 0;
}
