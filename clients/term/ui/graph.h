/* Small graphs of dots: a history as an area, or a curve with the errors of its points.
 *
 * A graph has 2 × 4 dots a cell; values are shares of its height, from 0 to 1. graph_draw() writes
 * into stdscr, main thread; all else is pure. */
#ifndef TERM_GRAPH_H
#define TERM_GRAPH_H

#include <stdint.h>

enum { GRAPH_COLUMNS = 64, GRAPH_ROWS = 8, GRAPH_DOTS_X = 2, GRAPH_DOTS_Y = 4 };

struct graph {
    int columns, rows;
    uint8_t cells[GRAPH_ROWS][GRAPH_COLUMNS]; /* as the low byte of a braille character */
};

/* Makes an empty graph of that size, or of the largest size that a graph has. */
void graph_begin(struct graph *graph, int columns, int rows);

/* Returns the number of dots across. */
int graph_width(const struct graph *graph);

/* Draws the dots of a column between two shares; a share that is not finite draws none. */
void graph_bar(struct graph *graph, int x, float from, float to);

/* Draws a line of dots between two points, as graph_bar() does. */
void graph_line(struct graph *graph, int x1, float share1, int x2, float share2);

/* Draws the graph with its upper left cell there. Without Unicode a cell is a letter that stands
 * for its dots. */
void graph_draw(const struct graph *graph, int row, int column);

#endif
