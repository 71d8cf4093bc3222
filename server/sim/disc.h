/* Exact count and sum of the displacements to all points within a disc, for many discs over one set
 * of points, without visiting the points deep inside.
 *
 * The points lie in rows; within a row they are sorted by x into cells, and taken in blocks of 16,
 * every block knowing the sum of all before it. A disc takes a row's inner blocks as the difference
 * of two such sums and tests only the blocks that the circle crosses, so a disc over n points costs
 * about the square root of n. Positions are integers (a unit's 2^-14, coarser for a vast set), so
 * sums are exact and do not depend on the order of adding. How to ask is in wide/disc.h.
 *
 * For the engine's own files. */
#ifndef DISC_H
#define DISC_H

#include "sim/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    DISC_BLOCK = 16,
    DISC_ROWS_MAX = 4096,
    DISC_ROWS_SLACK = 16 /* empty rows that may be read past the last */
};

#define DISC_NOBODY UINT32_MAX

struct disc_point {
    int32_t x, y;
};

struct disc_total {
    int64_t x, y;
};

struct disc {
    uint32_t count; /* points, with their images */
    uint32_t blocks;
    float scale;               /* fixed-point steps per world unit, a power of two */
    float step_row, step_cell; /* rows and cells per fixed-point step */
    float margin;              /* covers the rounding of positions as floats, fixed-point steps */
    bool few;                  /* few points lie unsorted, and every one is tested */
    uint32_t rows, cells;      /* cells per row */
    struct disc_point *image;  /* unsorted */
    uint32_t *of;              /* whose; DISC_NOBODY: an image seen across an edge */
    uint32_t *cell_of;
    uint32_t *start;           /* [rows][cells + 1]: where each cell's points begin */
    float *row_low, *row_high; /* the least and greatest y of each row's points */
    int32_t *x, *y;            /* sorted, each row padded to whole blocks */
    uint32_t *owner;           /* likewise: whose, or DISC_NOBODY's; which image, until filled */
    struct disc_total *sum;    /* per block: of all blocks before it */
};

/* Takes the arrays for `points` points from the scratch memory; in a torus a point may count for
 * four, being seen across the edges. */
void disc_take(struct disc *disc, struct arena *arena, uint32_t points, bool torus);

/* Sorts the points. In a torus of width x height (0 x 0: a plane) displacements are to the nearest
 * image; the radius of any disc asked for later is at most `radius`, and 2 radius <= width, height.
 * `lanes` are how many points are tested at a time. */
void disc_sort(struct disc *disc, const float *x, const float *y, uint32_t count, float width,
               float height, float radius, uint32_t lanes);

/* Then fills the blocks from `first` to before `end`: all of them, which may be split among
 * threads; and then sums them. */
void disc_fill(struct disc *disc, uint32_t first, uint32_t end);
void disc_sum(struct disc *disc);

#endif
