/* The boids of a flock in the order of one coordinate, in blocks, for the search of nearest boids
 * (wide/nearest.h). The coordinate is the one that varies more, so that few boids lie close
 * together on the line. For the engine's own files. */
#ifndef LINE_H
#define LINE_H

#include "sim/arena.h"
#include "sim/state.h"

enum { LINE_BLOCK = 16 };

struct line {
    uint32_t count, blocks;
    float *along, *across; /* the sorted coordinate, and the other one */
    uint32_t *number;
    float length, width; /* of a torus, along and across; infinite in a plane */
    uint64_t *keys, *spare;
};

/* Takes the arrays for `boids` boids from the scratch memory. */
void line_take(struct line *line, struct arena *arena, uint32_t boids);

/* Sorts the flock's boids. The last block is filled up with boids infinitely far away. */
void line_sort(struct line *line, const struct flock *flock);

#endif
