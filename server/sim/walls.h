/* The edges of a world and its wall segments, which reflect boids. Movement is swept: at any speed,
 * a boid never crosses a wall and never ends on a segment. The sign of a product of float
 * differences in double precision decides this, and that sign is exact.
 *
 * The flock owns a struct walls and its map. Moving boids only read them. */
#ifndef WALLS_H
#define WALLS_H

#include "sim/flock.h"

#define WALLS_CELLS 32

/* As large as a flock of 200 boids; only flocks with walls have one. */
struct walls_map {
    struct flock_wall wall[FLOCK_WALLS_MAX];
    uint64_t near[WALLS_CELLS][WALLS_CELLS]; /* the walls near each part of the world, as bits */
};

_Static_assert(FLOCK_WALLS_MAX <= 64, "a wall is a bit of walls_map.near");

struct walls {
    float width, height;
    float per_x, per_y; /* cells of map->near per unit */
    uint32_t count;
    struct walls_map *map; /* may be NULL if there are no walls */
};

/* Each wall must be finite and longer than 0. With walls, fills walls->map. `wall` may point to the
 * present walls. */
void walls_build(struct walls *walls, float width, float height, const struct flock_wall *wall,
                 uint32_t count);

struct mover {
    float x, y, vx, vy;
};

/* Returns whether a way may meet a wall; if not, walls_move() is not needed. */
bool walls_in_way(const struct walls *walls, double x, double y, double to_x, double to_y);

/* Moves by (vx, vy) from (x, y), a point that walls_free() allows. Returns true if the boid met a
 * wall; its velocity is then mirrored once for every wall it met. */
bool walls_move(const struct walls *walls, struct mover *mover);

/* Moves by (vx, vy) from (x, y), a point that walls_free() allows, but only up to the first wall.
 */
void walls_approach(const struct walls *walls, struct mover *mover);

/* Moves a point into the world and off the segments. */
void walls_free(const struct walls *walls, float *x, float *y);

/* Moves a point into a world of any boundary. With walls, also moves it off the segments. */
void walls_admit(const struct walls *walls, const struct flock_settings *world, float *x, float *y);

#endif
