/* What a flock is made of; for the engine's own files, not for its users. All memory belongs to the
 * flock: it is allocated by flock_create() and no tick allocates any. */
#ifndef STATE_H
#define STATE_H

#include "sim/disc.h"
#include "sim/flock.h"

#include <math.h>

/* Where a boid may be, and a target: a boid in an open world stays finite whatever it chases. */
#define FLOCK_FAR 1e6f

/* A boid's place within the range of each coefficient, in [0, 1): it keeps the place when the range
 * is changed. */
enum { PLACE_SEPARATION, PLACE_ALIGNMENT, PLACE_COHESION, PLACE_COUNT };

struct flock {
    struct flock_definition definition;
    float params[FLOCK_PARAMS_MAX];
    uint32_t count;
    float *x, *y, *vx, *vy;
    float *place[PLACE_COUNT];
    struct disc *disc;
    float *push_x, *push_y; /* scratch of one tick: each boid's separation */
};

/* Swarm boids live on a lattice of 2^-14 units, which the integers of disc.h hold exactly. Amid a
 * dense swarm the mean displacement to the others all but cancels, and its direction is what
 * counts. */
static inline float on_lattice(float value)
{
    return rintf(value * 0x1p14f) * 0x1p-14f;
}

/* Each model's tick; target is finite and within FLOCK_FAR, or NULL. */
void swarm_tick(struct flock *flock, const struct flock_point *target);

extern const struct flock_model swarm_model;

#endif
