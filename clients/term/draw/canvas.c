#include "term/draw/canvas.h"

#include "term/draw/viewport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BRAILLE = 0x2800,
    BODY_CROWD = 3,   /* boids in a cell and the 8 around it: with more, a boid has no body */
    TAIL_CROWD = 8,   /* with more, it has no tail */
    BODY_TAIL = 3,    /* dots */
    LINE_MAX = 20000, /* dots: longer lines are not drawn */
};

static const float TURN = 6.28318530718F;

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

/* Sets a dot and returns its cell, or NULL if the dot is outside. */
static struct canvas_cell *set_dot(struct canvas *canvas, int x, int y)
{
    static const uint8_t bits[VIEWPORT_DOTS_Y][VIEWPORT_DOTS_X] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int column = x / VIEWPORT_DOTS_X;
    int row = y / VIEWPORT_DOTS_Y;
    if (x < 0 || y < 0 || column >= canvas->columns || row >= canvas->rows) {
        return NULL;
    }
    struct canvas_cell *cell =
        &canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column];
    cell->dots |= bits[y % VIEWPORT_DOTS_Y][x % VIEWPORT_DOTS_X];
    return cell;
}

/* Sets a dot of a boid's body. Its cell gets the boid's hue if it has no hue yet. */
static void set_part(struct canvas *canvas, int x, int y, float heading_x, float heading_y)
{
    struct canvas_cell *cell = set_dot(canvas, x, y);
    if (cell != NULL && cell->heading_x == 0 && cell->heading_y == 0) {
        cell->heading_x = heading_x;
        cell->heading_y = heading_y;
    }
}

void canvas_boid(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y)
{
    struct canvas_cell *cell = set_dot(canvas, dot_x, dot_y);
    if (cell != NULL) {
        cell->heading_x += heading_x;
        cell->heading_y += heading_y;
        cell->count = (uint16_t)(cell->count < UINT16_MAX ? cell->count + 1 : UINT16_MAX);
    }
}

/* Returns the number of boids in the cell of a dot and in the 8 cells around it. */
static int count_around(const struct canvas *canvas, int dot_x, int dot_y)
{
    int column = dot_x / VIEWPORT_DOTS_X;
    int row = dot_y / VIEWPORT_DOTS_Y;
    int count = 0;
    for (int y = row > 0 ? row - 1 : 0; y <= row + 1 && y < canvas->rows; y++) {
        for (int x = column > 0 ? column - 1 : 0; x <= column + 1 && x < canvas->columns; x++) {
            count += canvas->cells[(size_t)y * (size_t)canvas->columns + (size_t)x].count;
        }
    }
    return count;
}

void canvas_body(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y)
{
    float length = hypotf(heading_x, heading_y);
    bool moves = length > 0 && isfinite(length);
    float back_x = moves ? -heading_x / length : 0;
    float back_y = moves ? -heading_y / length : 0;
    int others = count_around(canvas, dot_x, dot_y);
    if (others > TAIL_CROWD) {
        return;
    }
    int tail = moves ? 1 : 0;
    if (others <= BODY_CROWD) {
        int side_x = back_x < 0 ? -1 : 1;
        int side_y = back_y < 0 ? -1 : 1;
        set_part(canvas, dot_x + side_x, dot_y, heading_x, heading_y);
        set_part(canvas, dot_x, dot_y + side_y, heading_x, heading_y);
        set_part(canvas, dot_x + side_x, dot_y + side_y, heading_x, heading_y);
        tail = moves ? BODY_TAIL : 0;
    }
    for (int i = 1; i <= tail; i++) {
        set_part(canvas, dot_x + (int)lroundf(back_x * (float)i),
                 dot_y + (int)lroundf(back_y * (float)i), heading_x, heading_y);
    }
}

void canvas_round(struct canvas *canvas, int dot_x, int dot_y, float heading_x, float heading_y)
{
    set_part(canvas, dot_x + 1, dot_y, heading_x, heading_y);
    set_part(canvas, dot_x, dot_y + 1, heading_x, heading_y);
    set_part(canvas, dot_x + 1, dot_y + 1, heading_x, heading_y);
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
        set_dot(canvas, (int)floorf(x1 + (x2 - x1) * share), (int)floorf(y1 + (y2 - y1) * share));
    }
}

wchar_t canvas_braille(const struct canvas_cell *cell)
{
    return cell->dots != 0 ? (wchar_t)(BRAILLE + cell->dots) : L' ';
}

wchar_t canvas_ascii(const struct canvas_cell *cell)
{
    static const wchar_t arrows[] = L">\\v/<\\^/";
    if (cell->count == 0) {
        return L' ';
    }
    if (cell->count == 1) {
        bool still = cell->heading_x == 0 && cell->heading_y == 0;
        return still ? L'o' : arrows[canvas_hue(cell, 8)];
    }
    if (cell->count < 4) {
        return cell->count == 2 ? L'=' : L'*';
    }
    return cell->count < 8 ? L'%' : (cell->count < 16 ? L'#' : L'@');
}

int canvas_hue(const struct canvas_cell *cell, int hues)
{
    float sector = atan2f(cell->heading_y, cell->heading_x) / TURN * (float)hues;
    int hue = (int)floorf(sector + 0.5F) % hues;
    return hue < 0 ? hue + hues : hue;
}
