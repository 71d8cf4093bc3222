/* Moves a flock by the models' rules themselves, in double precision, for both update orders. It is
 * the reference, which looks at every pair. It is also the engine of the sequential order, which
 * finds neighbours in cells and so needs less time for the same result.
 *
 * One thread at a time uses it. */
#ifndef PLAIN_H
#define PLAIN_H

#include "sim/arena.h"
#include "sim/limit.h"
#include "sim/state.h"

struct plain {
    uint32_t count;
    uint64_t ticks; /* that the loaded flock has made */
    struct flock_things things;
    struct body *bodies;     /* the present boids, by number */
    struct body *before;     /* the flock before the tick, for the synchronous order */
    float *own[PLACE_COUNT]; /* by number: places within the coefficients' ranges */
    struct glimpse *near;    /* the boids that a rule looks at */
    float *x, *y;            /* by number, as in the flock: only for explanations */
    uint32_t *found;         /* likewise: the boids that can be near a boid */
    /* Cells, a hash of the plane: linked lists of boids, each at its newest position. */
    uint32_t *first, *next, *cell;
    uint32_t mask;          /* cells - 1, a power of two */
    uint32_t columns, rows; /* in a torus; 0: a plane */
    double cell_w, cell_h;
    double reach_square; /* of a distance beyond which rules look at no boid */
};

/* Takes the arrays for `boids` boids from the scratch memory. */
void plain_take(struct plain *plain, struct arena *arena, uint32_t boids);

/* Takes over the flock's state in the order of the boids' numbers. The flock must have as many
 * boids as plain_take() got memory for. */
void plain_load(struct plain *plain, const struct flock *flock);

/* Moves the loaded boids by one tick with the flock's model, parameters and world. When the limit
 * is exceeded, returns early and leaves the loaded boids unusable. NULL: no limit, and every boid
 * looks at all others, not only at nearby cells. */
void plain_tick(struct plain *plain, const struct flock *flock, const struct aim *aim,
                struct limit *limit);

/* The rules' vectors for one boid, and what the tick does with it. */
struct plain_boid {
    uint32_t number;
    struct body before, after;
    struct parts parts;
};

struct plain_question {
    struct vec centroid; /* of all boids */
    struct plain_boid *boids;
    uint32_t count;
};

/* Explains the tick that plain_tick() would make, for the boids of these numbers, each of which is
 * greater than the one before. Returns false if the limit is exceeded. The loaded boids are
 * unusable afterwards. */
bool plain_explain(struct plain *plain, const struct flock *flock, const struct aim *aim,
                   struct limit *limit, const struct plain_question *question);

#endif
