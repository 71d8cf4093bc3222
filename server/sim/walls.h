/* The edges of a world and the wall segments in it, which reflect boids. Movement is swept: however
 * fast a boid is, it never crosses a wall nor comes to lie on a segment. That is decided by the
 * sign of a product of float differences in double precision, and such a sign is exact.
 *
 * The flock owns a struct walls and its map. Moving boids reads them only. */
#ifndef WALLS_H
#define WALLS_H

#include "sim/flock.h"

#define WALLS_CELLS 32

/* As large as a flock of 200 boids: only flocks that have walls have one. */
struct walls_map {
    struct flock_wall wall[FLOCK_WALLS_MAX];
    uint64_t near[WALLS_CELLS][WALLS_CELLS]; /* walls that come near a part of the world, as bits */
};

_Static_assert(FLOCK_WALLS_MAX <= 64, "a wall is a bit of walls_map.near");

struct walls {
    float width, height;
    float per_x, per_y; /* cells of map->near to a unit */
    uint32_t count;
    struct walls_map *map; /* may be NULL if there are no walls */
};

/* Each wall is finite and longer than zero. If there are any, walls->map receives them;
 * `wall` may point to the present walls. */
void walls_build(struct walls *walls, float width, float height, const struct flock_wall *wall,
                 uint32_t count);

struct mover {
    float x, y, vx, vy;
};

/* Whether a way might meet a wall: if not, there is no need for walls_move(). */
bool walls_in_way(const struct walls *walls, double x, double y, double to_x, double to_y);

/* Moves by (vx, vy) from (x, y), which is a place walls_free() allows. True if it met a wall: then
 * its velocity is mirrored, once for every wall it met. */
bool walls_move(const struct walls *walls, struct mover *mover);

/* Brings a point into the world and off the segments. */
void walls_free(const struct walls *walls, float *x, float *y);

#endif
