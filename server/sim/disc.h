/* Computes the exact number and sum of the displacements to all points within a disc, for many
 * discs over one set of points. It does not visit the points deep inside a disc.
 *
 * The points lie in rows. Within a row they are sorted by x into cells and divided into blocks of
 * 16. Each block has the sum of all blocks before it, so the inner blocks of a row are the
 * difference of two sums. Only blocks that the circle crosses are tested. A disc over n points
 * costs about the square root of n.
 *
 * Positions are integers (in units of 2^-14, coarser for a very large set), so sums are exact and
 * do not depend on the order of addition. wide/disc.h has the queries. For the engine's own
 * files. */
#ifndef DISC_H
#define DISC_H

#include "sim/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    DISC_BLOCK = 16,
    DISC_ROWS_MAX = 4096,
    DISC_ROWS_SLACK = 16 /* empty rows that a query may read past the last row */
};

#define DISC_NOBODY UINT32_MAX

struct disc_point {
    int32_t x, y;
};

struct disc_total {
    int64_t x, y;
};

struct disc {
    uint32_t count; /* number of points, including images */
    uint32_t blocks;
    float scale;               /* fixed-point steps per world unit, a power of two */
    float step_row, step_cell; /* rows and cells per fixed-point step */
    float margin;              /* covers the rounding of positions to floats; fixed-point steps */
    bool few;                  /* the points are few: unsorted, and each is tested */
    uint32_t rows, cells;      /* cells per row */
    struct disc_point *image;  /* unsorted */
    uint32_t *of;              /* the boid of each point; DISC_NOBODY: an image across an edge */
    uint32_t *cell_of;
    uint32_t *start;           /* [rows][cells + 1]: index of each cell's first point */
    float *row_low, *row_high; /* the least and greatest y of each row's points */
    int32_t *x, *y;            /* sorted, each row padded to whole blocks */
    uint32_t *owner;           /* in the same order: the boid of each point, or DISC_NOBODY; until
                                  disc_fill(), its image */
    struct disc_total *sum;    /* for each block: the sum of all blocks before it */
};

/* Takes the arrays for `points` points from the scratch memory. In a torus a point can count four
 * times, because images of it are visible across the edges. */
void disc_take(struct disc *disc, struct arena *arena, uint32_t points, bool torus);

/* Sorts the points. In a torus of width x height (0 x 0: a plane) displacements are to the nearest
 * image. No disc may have a radius above `radius`, and 2 radius <= width, height. `lanes` points
 * are tested at a time. */
void disc_sort(struct disc *disc, const float *x, const float *y, uint32_t count, float width,
               float height, float radius, uint32_t lanes);

/* Unless the points are few, this fills the blocks from `first` to before `end`; threads may split
 * all blocks among them. The next call then adds them up. */
void disc_fill(struct disc *disc, uint32_t first, uint32_t end);
void disc_sum(struct disc *disc);

#endif
