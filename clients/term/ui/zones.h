/* Zones: the parts of the last frame that the mouse can click, which are rows, buttons and bars.
 * Each part of a frame adds its zones while it is drawn; later zones lie on top.
 *
 * One screen a process, main thread. Knows no terminal. */
#ifndef TERM_ZONES_H
#define TERM_ZONES_H

#include "term/ui/input.h"

#include <stdbool.h>

/* Cells of the screen that a click turns into an input. */
struct term_zone {
    int row, column, rows, columns;
    struct term_input input;
    bool slides; /* a bar: the input's x becomes the thousandths of the bar before the mouse */
};

/* A new frame begins: forgets all zones. */
void term_zones_clear(void);

/* Adds a zone. A frame with too many zones takes no more. Zones that cover something without a
 * click of its own have TERM_IGNORED. */
void term_zones_add(const struct term_zone *zone);

/* Adds a part of a row. */
void term_zones_add_row(int row, int column, int columns, struct term_input input);

/* Finds the topmost zone at a cell. Returns false if there is none. */
bool term_zones_find(int column, int row, struct term_zone *zone);

/* Returns the input of a zone for a click, or a drag, to that column. */
struct term_input term_zones_input(const struct term_zone *zone, int column);

/* The left button of the mouse: whether it is held, and in which zone it was pressed. */
struct term_pointer {
    bool held;
    struct term_zone zone;
};

/* Turns an input of the mouse into the input of the zone under it, or of the bar that is dragged.
 * Returns other inputs unchanged. */
struct term_input term_zones_point(struct term_pointer *pointer, struct term_input input);

#endif
