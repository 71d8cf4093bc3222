/* Boids as comma-separated values, for flock-sim. A malformed file is refused.
 *
 * boids_read() allocates the columns and boids_free() frees them. */
#ifndef FLOCK_CSV_H
#define FLOCK_CSV_H

#include "sim/flock.h"

enum { BOIDS_COLUMNS = 7 }; /* x, y, vx, vy, separation, alignment, cohesion */

struct boids {
    float *column[BOIDS_COLUMNS]; /* the last three are NULL if the file has none */
    uint32_t count;
};

struct boids_limits {
    float low[BOIDS_COLUMNS], high[BOIDS_COLUMNS];
    bool own; /* the model has the last three columns */
};

/* Reads a header and then one boid per row. On failure returns false and stores in `problem` one
 * line with the file, line, column and what was expected. */
bool boids_read(struct boids *boids, const char *path, const struct boids_limits *limits,
                char *problem, size_t size);
void boids_free(struct boids *boids);

#endif
