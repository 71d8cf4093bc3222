/* The clusters of a flock: groups of boids that are connected by neighbours. For the engine's own
 * files.
 *
 * Boids lie in cells so small that all boids of a cell are neighbours. So cells are connected, not
 * boids, and of two cells one pair of neighbours suffices. */
#ifndef CLUSTERS_H
#define CLUSTERS_H

#include "sim/arena.h"
#include "sim/limit.h"
#include "sim/state.h"

/* The least number of boids in a cluster. */
enum { CLUSTER_BOIDS = 3 };

struct cluster_cell {
    double column, row;
    uint32_t first, boids; /* in the arrays of boids */
    uint32_t parent;       /* another cell of the cluster; a root is its own parent */
    float left, right, top, bottom;
};

struct clusters {
    uint32_t boids, cells;
    float distance;       /* boids nearer to each other than this are neighbours */
    double width, height; /* of a torus; infinite in a plane */
    double side_x, side_y;
    double columns, rows; /* in a torus; infinite in a plane */
    uint32_t *slot, *cell_of;
    float *x, *y; /* cell by cell */
    struct cluster_cell *cell;
    uint32_t *table; /* a hash of column and row: indexes of cells */
    uint32_t mask;   /* entries of the table - 1, a power of two */
    struct limit *limit;
    uint32_t work; /* boids and entries that it has looked at since the last poll of the limit */
};

/* Takes the arrays for `boids` boids from the scratch memory. */
void clusters_take(struct clusters *clusters, struct arena *arena, uint32_t boids);

/* Counts the clusters among the boids whose number is a multiple of `stride`, a power of two, in
 * *found. These may be no more boids than clusters_take() got memory for. clusters->boids is their
 * number then. Returns false if the limit is exceeded: boids can lie so that all pairs of them are
 * compared. */
bool clusters_count(struct clusters *clusters, const struct flock *flock, uint32_t stride,
                    struct limit *limit, uint32_t *found);

#endif
