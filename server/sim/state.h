/* What a flock is made of; for the engine's own files, not for its users. Its memory is allocated
 * when the flock is made or grows, never in a tick; the scratch memory of a tick is in workspace.h.
 *
 * Boids lie in slots, in an order that suits the neighbour search and changes from tick to tick;
 * id[slot] is the boid's number. */
#ifndef STATE_H
#define STATE_H

#include "sim/models/models.h"
#include "sim/walls.h"

/* Floats that may be read past the last boid's. */
enum { FLOCK_SLACK = 16 };

struct flock {
    struct flock_definition definition; /* .boids follows count */
    float params[FLOCK_PARAMS_MAX];
    struct walls walls;
    uint32_t count, capacity, epoch;
    bool own_places; /* the places of some boids do not come from the seed */
    uint32_t *id;
    float *x, *y, *vx, *vy;
    float *place[PLACE_COUNT]; /* by number, not by slot */
    unsigned char *memory;     /* of all these arrays */
    const struct kernel *kernel;
};

/* Swarm boids live on a lattice of 2^-14 units, which the integers of disc.h hold exactly. Amid a
 * dense swarm the mean displacement to the others all but cancels, and its direction is what
 * counts. */
static inline float on_lattice(float value)
{
    return rintf(value * 0x1p14f) * 0x1p-14f;
}

/* The size of the torus, or 0 x 0. */
static inline struct vec flock_torus(const struct flock *flock)
{
    bool torus = flock->definition.boundary == FLOCK_WRAP;
    return (struct vec){torus ? (double)flock->definition.width : 0.0,
                        torus ? (double)flock->definition.height : 0.0};
}

/* A boid's value of a coefficient of its own, where the model has them. */
static inline float flock_own_value(const struct flock *flock, size_t place, float within)
{
    float low = flock->params[2 * place];
    return low + within * (flock->params[2 * place + 1] - low);
}

bool flock_world_valid(enum flock_boundary boundary, float width, float height);

/* Brings a boid that has been put somewhere into the world. */
void flock_admit(struct flock *flock, uint32_t slot);

/* Initializes a boid: its place within each coefficient's range, a slow random velocity, and a
 * random position in the world. */
void flock_hatch(struct flock *flock, uint32_t slot, uint32_t id);

/* Makes memory for `capacity` boids, at least as many as there are, and copies the boids over.
 * Returns false and changes nothing if memory runs out. */
bool flock_resize(struct flock *flock, uint32_t capacity);

/* Makes the memory that walls need. */
bool flock_reserve_walls(struct flock *flock);

void flock_set_count(struct flock *flock, uint32_t count);

/* The centroid; of a torus the mean direction on each of its circles, between half a world on
 * either side of the origin. */
struct vec flock_centroid(const struct flock *flock);

#endif
