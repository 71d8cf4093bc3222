#include "term/ui/graph.h"

#include "term/tty/inks.h"
#include "term/tty/screen.h"

#include <curses.h>
#include <math.h>
#include <stdlib.h>

enum { BRAILLE = 0x2800 };

void graph_begin(struct graph *graph, int columns, int rows)
{
    *graph = (struct graph){.columns = columns < GRAPH_COLUMNS ? columns : GRAPH_COLUMNS,
                            .rows = rows < GRAPH_ROWS ? rows : GRAPH_ROWS};
    graph->columns = graph->columns > 0 ? graph->columns : 0;
    graph->rows = graph->rows > 0 ? graph->rows : 0;
}

int graph_width(const struct graph *graph)
{
    return graph->columns * GRAPH_DOTS_X;
}

/* Sets a dot; y: from the top. Ignores dots outside. */
static void set_dot(struct graph *graph, int x, int y)
{
    static const uint8_t bits[GRAPH_DOTS_Y][GRAPH_DOTS_X] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x >= 0 && y >= 0 && x < graph_width(graph) && y < graph->rows * GRAPH_DOTS_Y) {
        graph->cells[y / GRAPH_DOTS_Y][x / GRAPH_DOTS_X] |=
            bits[y % GRAPH_DOTS_Y][x % GRAPH_DOTS_X];
    }
}

/* Returns the dot of a share, from the top. */
static int dot_of(const struct graph *graph, float share)
{
    const int last = graph->rows * GRAPH_DOTS_Y - 1;
    return last - (int)lroundf(fminf(fmaxf(share, 0), 1) * (float)last);
}

void graph_bar(struct graph *graph, int x, float from, float to)
{
    if (!isfinite(from) || !isfinite(to)) {
        return;
    }
    for (int y = dot_of(graph, fmaxf(from, to)); y <= dot_of(graph, fminf(from, to)); y++) {
        set_dot(graph, x, y);
    }
}

void graph_line(struct graph *graph, int x1, float share1, int x2, float share2)
{
    if (!isfinite(share1) || !isfinite(share2)) {
        return;
    }
    const int y1 = dot_of(graph, share1);
    const int y2 = dot_of(graph, share2);
    const int wide = abs(x2 - x1);
    const int high = abs(y2 - y1);
    const int steps = wide > high ? wide : high;
    for (int i = 0; i <= steps; i++) {
        set_dot(graph, steps > 0 ? x1 + (x2 - x1) * i / steps : x1,
                steps > 0 ? y1 + (y2 - y1) * i / steps : y1);
    }
}

/* Returns the character of a cell. */
static wchar_t symbol_of(uint8_t dots)
{
    static const wchar_t ascii[] = L" ..::==##";
    return term_screen_unicode() ? (dots != 0 ? (wchar_t)(BRAILLE + dots) : L' ')
                                 : ascii[__builtin_popcount(dots)];
}

void graph_draw(const struct graph *graph, int row, int column)
{
    attr_set(A_NORMAL, inks_role(INK_BAR), NULL);
    for (int y = 0; y < graph->rows; y++) {
        for (int x = 0; x < graph->columns; x++) {
            const wchar_t symbol[2] = {symbol_of(graph->cells[y][x]), 0};
            mvaddwstr(row + y, column + x, symbol);
        }
    }
    attr_set(A_NORMAL, 0, NULL);
}
