/* Boids sorted for the neighbour search. A row is as high as the reach and divided into narrow
 * cells. Boids lie in the order of rows and cells, so the candidates of a boid, or of several
 * adjacent boids, are three contiguous runs, one in each row.
 *
 * In a torus the rows and cells along the edges are copied past the opposite edges, so a run never
 * wraps. A plane that is too large for its boids is rolled up in the same way, without moving any
 * boid. In each layout, the runs of a boid contain every boid within its reach exactly once.
 *
 * The grid is built in steps, and threads may share each step. The result does not depend on how
 * they share it. */
#ifndef GRID_H
#define GRID_H

#include "sim/arena.h"
#include "sim/state.h"

enum { GRID_PARTS_MAX = 8, GRID_SLACK = 64 /* floats that a loop may read past the last boid */ };

struct grid {
    /* The boids and their copies. h is the unit heading, computed only for the models that need
     * it. */
    float *x, *y, *vx, *vy, *hx, *hy;
    uint32_t *id;
    uint32_t *start; /* index of each cell's first boid; a row's cells follow the cells of the row
                        before */
    uint32_t *base;  /* for each row: the boids in the rows before it, without copies */
    uint32_t rows, columns; /* without copies */
    uint32_t halo;          /* columns copied on either side; they span the reach */
    uint32_t stride;        /* columns + 2 halo */
    bool rolled;            /* a large plane: distant columns share cells */
    bool small;             /* the torus is so small that it is one cell without copies */

    bool copies;
    float shift_x, shift_y; /* offset of copies */
    float origin_x, origin_y, per_column, per_row;
    uint32_t *cell;                   /* cell of each slot */
    uint32_t *counts[GRID_PARTS_MAX]; /* boids of each cell; then the slot of its next boid */
    bool *touched[GRID_PARTS_MAX];    /* rows in which a part has boids */
    uint8_t *holder;                  /* for each row: the part whose counts hold the sum */
    uint32_t parts;
    /* In the rows before each part's rows: boids, and boids with copies. */
    uint32_t boids_before[GRID_PARTS_MAX + 1], all_before[GRID_PARTS_MAX + 1];
};

/* Takes the arrays for `boids` boids from the scratch memory. The grid is built in up to `parts`
 * parts. */
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

/* The last step, in any order of parts: moves the boids that grid_fill() took from the flock back
 * to their slots. */
void grid_empty(struct grid *grid, struct flock *flock, uint32_t part);

/* Returns the number of boids and copies. */
static inline uint32_t grid_total(const struct grid *grid)
{
    size_t cells = (size_t)(grid->rows + 2) * grid->stride;
    return grid->start[cells];
}

/* Returns the cell index of column 0 of a row. Row -1 and row `rows` are copies. */
static inline uint32_t grid_row(const struct grid *grid, uint32_t row_plus_1)
{
    return row_plus_1 * grid->stride + grid->halo;
}

#endif
