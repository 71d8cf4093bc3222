/* Boids sorted for the neighbour search. A row is as high as the reach and cut into narrow cells;
 * boids lie in the order of rows and cells, so the candidates of a boid, or of several next to each
 * other, are three contiguous runs, one of each row. In a torus the rows and cells along the edges
 * are copied past the opposite edges, so a run never wraps; a plane too vast for its boids is
 * rolled up likewise, with nothing displaced. In each layout, every boid within reach of
 * another is in its runs, once.
 *
 * Building goes in steps, each of which can be split among threads; the result does not depend on
 * the split. */
#ifndef GRID_H
#define GRID_H

#include "sim/arena.h"
#include "sim/state.h"

enum { GRID_PARTS_MAX = 8, GRID_SLACK = 64 /* floats that may be read past the last boid */ };

struct grid {
    /* Boids with their copies. h is the unit heading, made for the models that ask for it. */
    float *x, *y, *vx, *vy, *hx, *hy;
    uint32_t *id;
    uint32_t *start;        /* of each cell; a row's cells follow the row before's */
    uint32_t *base;         /* of each row: boids in the rows before it, not counting copies */
    uint32_t rows, columns; /* without copies */
    uint32_t halo;          /* columns copied on either side, as many as the reach spans */
    uint32_t stride;        /* columns + 2 halo */
    bool rolled;            /* a vast plane: columns far apart share cells */
    bool small;             /* a torus so small that all of it is one cell without copies */

    bool copies;
    float shift_x, shift_y; /* of copies */
    float origin_x, origin_y, per_column, per_row;
    uint32_t *cell;                   /* of each slot */
    uint32_t *counts[GRID_PARTS_MAX]; /* of each cell; then where the next boid goes */
    bool *touched[GRID_PARTS_MAX];    /* rows that a part has boids in */
    uint8_t *holder;                  /* of each row: the part whose counts hold the sum of all */
    uint32_t parts;
    /* In the rows before each part's: boids, and these with their copies. */
    uint32_t boids_before[GRID_PARTS_MAX + 1], all_before[GRID_PARTS_MAX + 1];
};

/* Takes the arrays for `boids` boids from the scratch memory, to be built in up to `parts` parts.
 */
void grid_take(struct grid *grid, struct arena *arena, uint32_t boids, uint32_t parts);

/* The steps, in order. `part` is below grid->parts, `row` below grid->rows: the parts of one step
 * may run at the same time. */
void grid_lay(struct grid *grid, const struct flock *flock, float reach);
void grid_count(struct grid *grid, const struct flock *flock, uint32_t part);
void grid_join(struct grid *grid, uint32_t part);
void grid_stack(struct grid *grid);
void grid_place(struct grid *grid, uint32_t part);
void grid_fill(struct grid *grid, const struct flock *flock, uint32_t part);
void grid_copy_edges(struct grid *grid, uint32_t row);
void grid_copy_rows(struct grid *grid);

/* After all of them, in any order: puts the boids that grid_fill() has taken from the flock back
 * to where they lay. */
void grid_empty(struct grid *grid, struct flock *flock, uint32_t part);

/* Boids and copies. */
static inline uint32_t grid_total(const struct grid *grid)
{
    size_t cells = (size_t)(grid->rows + 2) * grid->stride;
    return grid->start[cells];
}

/* The cell index of column 0 of a row, row -1 and row `rows` being copies. */
static inline uint32_t grid_row(const struct grid *grid, uint32_t row_plus_1)
{
    return row_plus_1 * grid->stride + grid->halo;
}

#endif
